//! Colours, dashes and the root element: what plotters' SVG cannot express.
//!
//! plotters writes every colour as `#rrggbb`, knows no dash patterns, and gives the root element a
//! fixed size. Figures here are drawn in stand-in colours `#01ggii`, with a group and an index;
//! afterwards each stand-in becomes a CSS variable with a fallback for print, and, where the ink is
//! a dashed one, a dash pattern. Text cannot be mistaken for such an attribute, since plotters
//! escapes quotation marks within it.

use plotters::style::{Color, RGBColor, ShapeStyle};

use crate::text::escaped;

/// plotters computes in whole units. With ten to a pixel, curves are smooth in print, and lines can
/// be 0.7 pixels wide.
pub(crate) const UNITS: f64 = 10.0;

/// A length in pixels in the units of the drawing.
pub(crate) fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// Dark enough for lines on white paper, and told apart with the common kinds of colour blindness.
const SERIES: [&str; 8] =
    ["#0b5394", "#c2410c", "#117a65", "#8e2c8c", "#8a6d00", "#4d5761", "#b3123f", "#0f7fa8"];

/// The first series is solid. In units of the drawing.
const DASHES: [&str; 5] = ["", "80 40", "20 30", "110 30 20 30", "170 50"];

/// Fill and text of the parts of a whole; neighbours differ in lightness too.
const PARTS: [(&str, &str); 6] = [
    ("#0b5394", "#ffffff"),
    ("#dfe3e8", "#1b1f24"),
    ("#e08a3c", "#1b1f24"),
    ("#5b2a6f", "#ffffff"),
    ("#a9d3c9", "#1b1f24"),
    ("#6b7480", "#ffffff"),
];

/// What something is drawn with. The page's style sheet decides which colour that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Text,
    Grid,
    Paper,
    /// Text colour, dashed: for what is not data.
    Dashed,
    /// The colour of a series, for markers and areas.
    Series(usize),
    /// The colour and the dash pattern of a series, for lines.
    Line(usize),
    Part(usize),
    /// Text on a part.
    OnPart(usize),
}

impl Ink {
    /// The stand-in colour.
    pub(crate) fn rgb(self) -> RGBColor {
        let (group, index) = match self {
            Ink::Text => (0, 0),
            Ink::Grid => (0, 1),
            Ink::Paper => (0, 2),
            Ink::Dashed => (0, 3),
            Ink::Series(index) => (1, index % SERIES.len()),
            // As many as there are pairs of colour and dash pattern.
            Ink::Line(index) => (2, index % (SERIES.len() * DASHES.len())),
            Ink::Part(index) => (3, index % PARTS.len()),
            Ink::OnPart(index) => (4, index % PARTS.len()),
        };
        RGBColor(1, group, index as u8)
    }

    /// A line of a width in pixels.
    pub(crate) fn stroke(self, pixels: f64) -> ShapeStyle {
        ShapeStyle { stroke_width: units(pixels) as u32, ..self.rgb().into() }
    }

    pub(crate) fn fill(self) -> ShapeStyle {
        self.rgb().filled()
    }
}

/// The value of the attribute that has the stand-in colour, and a dash pattern that goes with it.
fn attribute(group: u8, index: usize) -> (String, &'static str) {
    let series = |index: usize| {
        let index = index % SERIES.len();
        format!("var(--plot-{},{})", index + 1, SERIES[index])
    };
    let part = |kind: &str, colour: &str| {
        format!("var(--plot-{kind}-{},{colour})", index % PARTS.len() + 1)
    };
    let ink = "var(--plot-ink,#1b1f24)";
    match (group, index) {
        (0, 1) => ("var(--plot-grid,#d0d7de)".to_owned(), ""),
        (0, 2) => ("var(--plot-paper,transparent)".to_owned(), ""),
        (0, 3) => (ink.to_owned(), "50 30"),
        (1, _) => (series(index), ""),
        (2, _) => (series(index), DASHES[index % DASHES.len()]),
        (3, _) => (part("part", PARTS[index % PARTS.len()].0), ""),
        (4, _) => (part("on-part", PARTS[index % PARTS.len()].1), ""),
        _ => (ink.to_owned(), ""),
    }
}

/// Replaces the stand-in colours of a drawing.
fn inked(drawing: &str) -> String {
    let mut pieces = drawing.split("\"#01");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = piece.get(..4).and_then(|code| u16::from_str_radix(code, 16).ok());
        let [group, index] = code.unwrap_or_default().to_be_bytes();
        let (value, dashes) = attribute(group, index.into());
        out.push_str(&format!("\"{value}\""));
        if !dashes.is_empty() {
            out.push_str(&format!(" stroke-dasharray=\"{dashes}\""));
        }
        out.push_str(piece.get(5..).unwrap_or_default());
    }
    out
}

/// The finished figure, from the drawing of plotters and its size in pixels.
pub(crate) fn finished(drawing: &str, size: (f64, f64), title: &str, desc: &str) -> String {
    let start = drawing.find('>').map_or(0, |at| at + 1);
    let end = drawing.rfind("</svg>").unwrap_or(drawing.len());
    let body = drawing[start..end]
        // Line ends around each text would be blanks on a page that preserves white space.
        .replace('\n', "")
        .replace(" opacity=\"1\"", "")
        // Without this attribute the font is that of the page.
        .replace(" font-family=\"sans-serif\"", "")
        // The middle of digits and capitals, not of small letters.
        .replace(" dy=\"0.5ex\"", " dy=\"0.36em\"")
        // The only rotations are by quarters; a quarter to the right stands for a slant.
        .replace("\"rotate(90,", "\"rotate(-40,");
    let (width, height) = (size.0.ceil(), size.1.ceil());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         style=\"width:100%;max-width:{width}px;height:auto\"><title>{}</title><desc>{}</desc>\
         <g transform=\"scale({})\" stroke-linejoin=\"round\">{}</g></svg>",
        escaped(title),
        escaped(desc),
        UNITS.recip(),
        inked(&body)
    )
}

/// A figure of this crate as a file of its own, for programs other than browsers (LaTeX with an SVG
/// converter, word processors): the print colours in place of CSS variables, a fixed size, and a
/// font without serifs.
pub fn standalone(svg: &str) -> String {
    let mut pieces = svg.split("\"var(--");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (value, rest) = piece.split_once(")\"").unwrap_or((piece, ""));
        let fallback = value.split_once(',').map_or(value, |(_, fallback)| fallback);
        let fallback = if fallback == "transparent" { "none" } else { fallback };
        out.push_str(&format!("\"{fallback}\"{rest}"));
    }
    let size = svg.split_once("viewBox=\"0 0 ").and_then(|(_, rest)| rest.split_once('"'));
    let Some((width, height)) = size.and_then(|(size, _)| size.split_once(' ')) else {
        return out;
    };
    let style = format!("style=\"width:100%;max-width:{width}px;height:auto\"");
    let fixed = format!("width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\"");
    out.replacen(&style, &fixed, 1)
}
