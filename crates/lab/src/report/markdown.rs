//! The report as Markdown, for a README. Figures are files beside it.

use super::{Block, Cell, ColumnKind, Report, Table};

/// The text. Figures are linked as `figures/ID.svg`.
pub fn text(report: &Report) -> String {
    let mut out = format!("# {}\n\n", escaped(&report.title));
    if let Some(author) = &report.author {
        out.push_str(&format!("{}\n\n", escaped(author)));
    }
    if let Some(missing) = &report.missing {
        out.push_str(&format!("**Unfinished.** Missing: {missing}.\n\n"));
    }
    for section in &report.sections {
        out.push_str(&format!("## {}\n\n", section.part.title()));
        for block in &section.blocks {
            out.push_str(&block_text(block));
            out.push('\n');
        }
    }
    out
}

fn block_text(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("### {}\n", escaped(text)),
        Block::Paragraph(text) | Block::Author(text) => format!("{}\n", escaped(text)),
        Block::List(items) => items.iter().map(|item| format!("- {}\n", escaped(item))).collect(),
        Block::Table(table) => table_text(table),
        Block::Figure(figure) => {
            format!("![{}](figures/{}.svg)\n", escaped(&figure.caption), figure.id)
        }
        Block::Game(game) => format!("### {}\n\n`{}`\n", escaped(&game.title), game.moves),
    }
}

fn table_text(table: &Table) -> String {
    let mut out = format!("**{}**\n\n", escaped(&table.caption));
    let names: Vec<String> = table.columns.iter().map(|it| escaped(&it.name)).collect();
    out.push_str(&format!("| {} |\n|", names.join(" | ")));
    for column in &table.columns {
        out.push_str(if column.kind == ColumnKind::Text { "---|" } else { "---:|" });
    }
    out.push('\n');
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(cell_text).collect();
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    if let Some(note) = &table.note {
        out.push_str(&format!("\n{}\n", escaped(note)));
    }
    out
}

fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Code(text) if !text.contains(['`', '|']) => {
            format!("`{}`", agon_core::printable(text))
        }
        other => escaped(&other.text()),
    }
}

/// A text in which nothing is markup but `code`, where backticks come in pairs.
fn escaped(text: &str) -> String {
    let text = agon_core::printable(text);
    let pieces: Vec<&str> = text.split('`').collect();
    let paired = pieces.len() % 2 == 1;
    let mut out = String::new();
    for (index, piece) in pieces.iter().enumerate() {
        match index {
            0 => out.push_str(&plain(piece)),
            _ if !paired => out.push_str(&format!("\\`{}", plain(piece))),
            _ if index % 2 == 1 => out.push_str(&format!("`{}`", piece.replace('|', "\\|"))),
            _ => out.push_str(&plain(piece)),
        }
    }
    // At the beginning of a line these would begin a list or a quotation.
    if out.starts_with(['+', '-', '>', '=']) { format!("\\{out}") } else { out }
}

/// A text in which nothing is markup.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if matches!(c, '|' | '*' | '_' | '<' | '>' | '[' | ']' | '#' | '\\' | '&' | '~') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup_but_code() {
        assert_eq!(escaped("`<img src=x>"), "\\`\\<img src=x\\>");
        assert_eq!(escaped("use `a_b` and a_b"), "use `a_b` and a\\_b");
        assert_eq!(escaped("+ x"), "\\+ x");
        assert_eq!(cell_text(&Cell::Code("a\nb".into())), "`a\\nb`");
    }
}
