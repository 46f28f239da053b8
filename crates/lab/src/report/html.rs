//! The report as one self-contained HTML page, for the screen and for print.

use std::fmt::Write;

use super::{Block, Cell, ColumnKind, Figure, GameExcerpt, Report, Table};

const STYLE: &str = include_str!("page.css");

/// A table with more rows than this may go over the end of a page; it does not fit on one.
const LONGEST_TABLE: usize = 32;

/// The longest code in a cell that is kept on one line.
const LONGEST_CODE: usize = 24;

/// The page.
pub fn page(report: &Report) -> String {
    let mut page = Page { out: String::new(), tables: 0, figures: 0 };
    page.write(report);
    page.out
}

/// A page for print that holds one drawing after the other, each on a sheet of its own size.
pub fn sheets<'a>(drawings: impl Iterator<Item = &'a str>) -> String {
    let mut style =
        String::from("html, body { margin: 0; font-family: \"Noto Sans\", Arial, sans-serif }");
    let mut body = String::new();
    for (number, svg) in drawings.enumerate() {
        let (width, height) = size(svg).unwrap_or((720.0, 400.0));
        // A sheet is a little higher than its drawing, or rounding would begin another.
        let sheet = height + 1.0;
        let _ = write!(
            style,
            " @page s{number} {{ size: {width}px {sheet}px; margin: 0 }} \
             .s{number} {{ page: s{number}; height: {height}px; overflow: hidden }} \
             .s{number} svg {{ display: block; width: {width}px !important; height: {height}px; \
             max-width: none !important }}"
        );
        let _ = write!(body, "<div class=\"s{number}\">{svg}</div>");
    }
    format!("<!doctype html><meta charset=\"utf-8\"><style>{style}</style>{body}")
}

/// The size of a drawing, from its view box.
pub(super) fn size(svg: &str) -> Option<(f64, f64)> {
    let (_, rest) = svg.split_once("viewBox=\"")?;
    let mut numbers = rest.split_once('"')?.0.split_whitespace().skip(2).map(str::parse::<f64>);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

struct Page {
    out: String,
    tables: usize,
    figures: usize,
}

impl Page {
    fn add(&mut self, text: impl AsRef<str>) {
        self.out.push_str(text.as_ref());
    }

    fn write(&mut self, report: &Report) {
        let title = escaped(&report.title);
        self.add(format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n:root {{ --running-title: \"{}\"; }}\n{STYLE}</style>\n\
             </head>\n<body>\n<main>\n<h1>{title}</h1>\n",
            in_css(&report.title)
        ));
        if let Some(author) = &report.author {
            self.add(format!("<p class=\"meta\">{}</p>\n", escaped(author)));
        }
        if let Some(missing) = &report.missing {
            self.add(format!(
                "<p class=\"missing\"><b>Unfinished.</b> Missing: {}. What is here counts what there \
                 is, and nothing twice.</p>\n",
                escaped(missing)
            ));
        }
        self.add("<nav aria-label=\"Contents\"><ol>");
        for section in &report.sections {
            let (key, title) = (section.part.key(), section.part.title());
            self.add(format!("<li><a href=\"#{key}\">{title}</a></li>"));
        }
        self.add("</ol></nav>\n");
        for section in &report.sections {
            let (key, title) = (section.part.key(), section.part.title());
            self.add(format!("<section id=\"{key}\">\n<h2>{title}</h2>\n"));
            section.blocks.iter().for_each(|block| self.block(block));
            self.add("</section>\n");
        }
        self.add("</main>\n</body>\n</html>\n");
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Heading(text) => self.add(format!("<h3>{}</h3>\n", escaped(text))),
            Block::Paragraph(text) => self.add(format!("<p>{}</p>\n", inline(text))),
            Block::Author(text) => self.add(format!("<p class=\"author\">{}</p>\n", inline(text))),
            Block::List(items) => {
                let items: String =
                    items.iter().map(|it| format!("<li>{}</li>\n", inline(it))).collect();
                self.add(format!("<ul>\n{items}</ul>\n"));
            }
            Block::Table(table) => self.table(table),
            Block::Figure(figure) => self.figure(figure),
            Block::Game(game) => self.game(game),
        }
    }

    fn table(&mut self, table: &Table) {
        self.tables += 1;
        let long = if table.rows.len() > LONGEST_TABLE { " class=\"long\"" } else { "" };
        let (id, number, caption) = (escaped(&table.id), self.tables, escaped(&table.caption));
        self.add(format!(
            "<figure id=\"{id}\"{long}>\n<figcaption><b>Table {number}.</b>{caption}</figcaption>\n\
             <div class=\"wide\"><table>\n<thead><tr>"
        ));
        let class = |kind: ColumnKind| if kind == ColumnKind::Text { "" } else { " class=\"n\"" };
        for column in &table.columns {
            let name = escaped(&column.name);
            self.add(format!("<th scope=\"col\"{}>{name}</th>", class(column.kind)));
        }
        self.add("</tr></thead>\n<tbody>\n");
        for row in &table.rows {
            self.add("<tr>");
            for (cell, column) in row.iter().zip(&table.columns) {
                let text = escaped(&cell.text());
                // A long text may be broken anywhere, a short one nowhere.
                let free = if text.len() > LONGEST_CODE { " class=\"free\"" } else { "" };
                let is_code = matches!(cell, Cell::Code(_));
                let text = if is_code { format!("<code{free}>{text}</code>") } else { text };
                self.add(format!("<td{}>{text}</td>", class(column.kind)));
            }
            self.add("</tr>\n");
        }
        self.add("</tbody>\n</table></div>\n");
        if let Some(note) = &table.note {
            self.add(format!("<p class=\"note\">{}</p>\n", inline(note)));
        }
        self.add("</figure>\n");
    }

    fn figure(&mut self, figure: &Figure) {
        self.figures += 1;
        let (id, caption) = (escaped(&figure.id), escaped(&figure.caption));
        let number = self.figures;
        let svg = &figure.svg;
        self.add(format!(
            "<figure id=\"{id}\" class=\"drawing\">\n{svg}\n<figcaption><b>Figure {number}.</b>{caption}\
             </figcaption>\n</figure>\n"
        ));
    }

    fn game(&mut self, game: &GameExcerpt) {
        self.add(format!(
            "<div class=\"game\">\n<h3>{}</h3>\n<div class=\"boards\">\n",
            escaped(&game.title)
        ));
        for (svg, caption) in &game.boards {
            self.add(format!(
                "<figure>{svg}<figcaption>{}</figcaption></figure>\n",
                escaped(caption)
            ));
        }
        self.add(format!("</div>\n<p class=\"moves\"><code>{}</code></p>\n", escaped(&game.moves)));
        if let Some(curve) = &game.curve {
            self.figure(curve);
        }
        self.add("</div>\n");
    }
}

/// A text as HTML.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in agon_core::printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// A text with `code` in backticks.
fn inline(text: &str) -> String {
    let mut out = String::new();
    for (index, piece) in text.split('`').enumerate() {
        let piece = escaped(piece);
        let _ = if index % 2 == 1 {
            write!(out, "<code>{piece}</code>")
        } else {
            write!(out, "{piece}")
        };
    }
    out
}

/// A text inside a string of CSS, which is inside HTML.
fn in_css(text: &str) -> String {
    let mut out = String::new();
    for c in agon_core::printable(text).chars() {
        match c {
            '"' | '\\' | '<' | '>' | '&' => {
                let _ = write!(out, "\\{:x} ", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_from_outside_stay_texts() {
        assert_eq!(escaped("<b> & \"x\""), "&lt;b&gt; &amp; &quot;x&quot;");
        assert_eq!(inline("use `a<b` here"), "use <code>a&lt;b</code> here");
        assert_eq!(in_css("a\"</style>"), "a\\22 \\3c /style\\3e ");
        assert_eq!(size("<svg viewBox=\"0 0 720 300.5\">"), Some((720.0, 300.5)));
    }
}
