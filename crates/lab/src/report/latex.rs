//! Tables and figures as LaTeX fragments, for a report in somebody else's template.
//!
//! Each table is a file to be `\input`; it needs the package `booktabs`. Each figure is a file that
//! includes a sheet of `figures.pdf`; it needs `graphicx`. `report.tex` shows how, and compiles as it is.

use super::{Block, Cell, ColumnKind, Figure, Report, Table};

/// A table, to be included by `\input`.
pub fn table(table: &Table) -> String {
    let columns: String = table
        .columns
        .iter()
        .map(|column| if column.kind == ColumnKind::Text { 'l' } else { 'r' })
        .collect();
    let names: Vec<String> = table.columns.iter().map(|it| escaped(&it.name)).collect();
    let mut out = format!(
        "\\begin{{table}}[htbp]\n\\centering\n\\caption{{{}}}\n\\label{{tab:{}}}\n\
         \\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n\
         \\begin{{tabular}}{{{columns}}}\n\\toprule\n{} \\\\\n\\midrule\n",
        escaped(&table.caption),
        table.id,
        names.join(" & ")
    );
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(cell).collect();
        // Braces, or a cell that begins with a bracket would be an argument of the line before.
        out.push_str(&format!("{{}}{} \\\\\n", cells.join(" & ")));
    }
    out.push_str("\\bottomrule\n\\end{tabular}}\n");
    if let Some(note) = &table.note {
        out.push_str(&format!("\n\\smallskip\n{{\\footnotesize {}\\par}}\n", escaped(note)));
    }
    out.push_str("\\end{table}\n");
    out
}

/// A figure, to be included by `\input`; its drawing is this sheet of `figures.pdf`.
pub fn figure(figure: &Figure, sheet: usize) -> String {
    format!(
        "\\begin{{figure}}[htbp]\n\\centering\n\\includegraphics[page={sheet},width=\\linewidth]{{figures.pdf}}\n\
         \\caption{{{}}}\n\\label{{fig:{}}}\n\\end{{figure}}\n",
        escaped(&figure.caption),
        figure.id
    )
}

/// A document that includes all tables and figures, with the report's words.
pub fn document(report: &Report, drawn: bool) -> String {
    let mut out = format!(
        "\\documentclass[a4paper]{{article}}\n\\usepackage[T1]{{fontenc}}\n\\usepackage[utf8]{{inputenc}}\n\
         \\usepackage{{textcomp}}\n\\usepackage{{booktabs}}\n\\usepackage{{graphicx}}\n\
         \\usepackage[margin=25mm]{{geometry}}\n\\title{{{}}}\n\\author{{{}}}\n\\date{{}}\n\
         \\begin{{document}}\n\\maketitle\n",
        escaped(&report.title),
        escaped(report.author.as_deref().unwrap_or(""))
    );
    if let Some(missing) = &report.missing {
        out.push_str(&format!("\\textbf{{Unfinished.}} Missing: {}.\n\n", escaped(missing)));
    }
    for section in &report.sections {
        out.push_str(&format!("\\section{{{}}}\n", section.part.title()));
        for block in &section.blocks {
            out.push_str(&block_text(block, drawn));
        }
        out.push_str("\\clearpage\n");
    }
    out.push_str("\\end{document}\n");
    out
}

fn block_text(block: &Block, drawn: bool) -> String {
    match block {
        Block::Heading(text) => format!("\\subsection{{{}}}\n", escaped(text)),
        Block::Paragraph(text) | Block::Author(text) => format!("{}\n\n", escaped(text)),
        Block::List(items) => {
            let items: String =
                items.iter().map(|it| format!("\\item {{}}{}\n", escaped(it))).collect();
            format!("\\begin{{itemize}}\n{items}\\end{{itemize}}\n")
        }
        Block::Table(table) => format!("\\input{{tables/{}}}\n", table.id),
        Block::Figure(figure) if drawn => format!("\\input{{figures/{}}}\n", figure.id),
        Block::Figure(_) => String::new(),
        Block::Game(game) => {
            format!(
                "\\subsection{{{}}}\n{{\\small\\sloppy {}\\par}}\n",
                escaped(&game.title),
                escaped(&game.moves)
            )
        }
    }
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Code(text) => format!("\\texttt{{{}}}", escaped(text)),
        other => escaped(&other.text()),
    }
}

/// A text in which nothing is markup. Characters that plain LaTeX cannot print are replaced.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in agon_core::printable(text).chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '%' | '$' | '&' | '#' | '_' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("\\textquotedbl{}"),
            '-' => out.push_str("{-}"),
            '–' => out.push_str("--"),
            '—' => out.push_str("---"),
            '±' => out.push_str("$\\pm$"),
            '×' => out.push_str("$\\times$"),
            '−' => out.push_str("$-$"),
            '…' => out.push_str("\\dots{}"),
            '“' => out.push_str("``"),
            '”' => out.push_str("''"),
            '’' => out.push('\''),
            '`' => out.push_str("\\textasciigrave{}"),
            // What T1 fonts have.
            c if c.is_ascii() || ('\u{a0}'..='\u{ff}').contains(&c) => out.push(c),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(escaped("50 % of a_b & {c}"), "50 \\% of a\\_b \\& \\{c\\}");
        assert_eq!(escaped("+35 ± 20"), "+35 $\\pm$ 20");
        assert_eq!(escaped("a\\b~^"), "a\\textbackslash{}b\\textasciitilde{}\\textasciicircum{}");
        assert_eq!(escaped("漢"), "?");
    }
}
