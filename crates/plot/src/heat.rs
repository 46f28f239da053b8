//! A table of numbers as colours.

use plotters::style::{Color, RGBColor};

use crate::canvas::{
    Area, Chart, Drawn, Frame, HPos, SLANT, VPos, WIDTH, figure, lines, outline, place, rectangle,
    slant, text, text_in, turned,
};
use crate::scale::Span;
use crate::text::{LINE, clean, fits, number, shortened, widest, width, wrapped};
use crate::theme::Ink;

/// A number for each pair of a row and a column, such as the score of each player against each:
/// the number as text on a colour, orange below the centre and blue above it.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// What the figure shows, for those who cannot see it; not drawn.
    pub title: String,
    /// What the rows are; may be empty.
    pub row_label: String,
    /// What the columns are; may be empty.
    pub column_label: String,
    /// The names of the rows, from top to bottom.
    pub rows: Vec<String>,
    /// The names of the columns, from left to right.
    pub columns: Vec<String>,
    /// The cells of each row. Those that are `None` or not there are drawn as missing.
    pub cells: Vec<Vec<Option<Cell>>>,
    /// The number with the deepest orange; lower ones have the same.
    pub low: f64,
    /// The number without a colour.
    pub centre: f64,
    /// The number with the deepest blue; higher ones have the same.
    pub high: f64,
}

/// A cell of a [`HeatMap`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// The number that determines the colour. A cell whose value is not a number is missing.
    pub value: f64,
    /// The number as text.
    pub text: String,
}

impl Default for HeatMap {
    /// Without cells; for scores, from 0 to 1 around 0.5.
    fn default() -> Self {
        Self {
            title: String::new(),
            row_label: String::new(),
            column_label: String::new(),
            rows: Vec::new(),
            columns: Vec::new(),
            cells: Vec::new(),
            low: 0.0,
            centre: 0.5,
            high: 1.0,
        }
    }
}

const LOW: [f64; 3] = [179.0, 88.0, 6.0];
const CENTRE: [f64; 3] = [247.0, 247.0, 247.0];
const HIGH: [f64; 3] = [11.0, 83.0, 148.0];
const BLACK: RGBColor = RGBColor(0, 0, 0);
const WHITE: RGBColor = RGBColor(255, 255, 255);

/// The relative luminance of sRGB, as the contrast of the Web Content Accessibility Guidelines
/// needs it.
fn luminance(RGBColor(r, g, b): RGBColor) -> f64 {
    let linear = |channel: u8| {
        let part = f64::from(channel) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/// Black or white, whichever has more contrast: always at least 4.5 to 1.
fn on(colour: RGBColor) -> RGBColor {
    let light = luminance(colour) + 0.05;
    if light / 0.05 >= 1.05 / light { BLACK } else { WHITE }
}

/// Where everything is.
struct Layout {
    rows: Vec<Vec<String>>,
    columns: Vec<Vec<String>>,
    level: bool,
    left: f64,
    top: f64,
    /// The size of a cell.
    cell: (f64, f64),
    size: (f64, f64),
}

impl Layout {
    /// The coordinates of the cells: columns and, from the bottom, rows.
    fn chart<'a>(&self, area: &Area<'a>) -> Drawn<Chart<'a>> {
        let (rows, columns) = (self.rows.len().max(1), self.columns.len().max(1));
        let right = self.size.0 - self.left - columns as f64 * self.cell.0;
        let bottom = self.size.1 - self.top - rows as f64 * self.cell.1;
        let frame = Frame {
            margins: [self.left, right, self.top, bottom],
            below: 0.0,
            beside: 0.0,
            x: &Span::categories(columns),
            y: &Span::categories(rows),
            x_label: "",
            y_label: "",
        };
        frame.draw(area)
    }
}

impl HeatMap {
    /// The figure. It is wider than others where many columns need it.
    pub fn svg(&self) -> String {
        let layout = self.layout();
        figure(layout.size, &self.title, &self.description(), |area| {
            self.draw_names(area, &layout)?;
            let chart = layout.chart(area)?;
            for row in 0..self.rows.len() {
                for column in 0..self.columns.len() {
                    self.draw_cell(area, &chart, row, column)?;
                }
            }
            if self.rows.is_empty() || self.columns.is_empty() {
                let at = (layout.size.0 / 2.0, layout.top / 2.0 + 10.0);
                return text(area, "no data", at, Ink::Text, HPos::Center, VPos::Center);
            }
            self.draw_key(area, &layout)
        })
    }

    /// The cell, unless it is missing.
    fn cell(&self, row: usize, column: usize) -> Option<&Cell> {
        self.cells.get(row)?.get(column)?.as_ref().filter(|cell| cell.value.is_finite())
    }

    fn layout(&self) -> Layout {
        let rows: Vec<_> = self.rows.iter().map(|name| wrapped(name, 200.0, 2)).collect();
        let texts = self.cells.iter().flatten().flatten().map(|cell| &*cell.text);
        let count = self.columns.len().max(1) as f64;
        let left = widest(rows.iter().flatten().map(String::as_str))
            .max(width(&self.row_label).min(200.0))
            + 10.0;
        let least = (widest(texts).min(90.0) + 8.0).max(24.0);
        let wide = ((WIDTH - left - 4.0) / count).clamp(least, least.max(92.0));
        let level = self.columns.iter().all(|name| fits(name, wide - 4.0, 2));
        let columns: Vec<_> = match level {
            true => self.columns.iter().map(|name| wrapped(name, wide - 4.0, 2)).collect(),
            false => {
                let name = |name: &String| vec![shortened(clean(name).trim(), 170.0)];
                self.columns.iter().map(name).collect()
            }
        };
        let title = if self.column_label.is_empty() { 0.0 } else { 20.0 };
        let names = match level {
            true => columns.iter().map(Vec::len).max().unwrap_or(1) as f64 * LINE + 6.0,
            false => slant(widest(columns.iter().flatten().map(String::as_str))).1 + 8.0,
        };
        let top = title + names.max(if self.row_label.is_empty() { 0.0 } else { 22.0 });
        let tall = if rows.iter().any(|name| name.len() > 1) { 38.0 } else { 28.0 };
        // Slanted names reach beyond the last column.
        let reach = |(at, name): (usize, &Vec<String>)| {
            left + (at as f64 + 0.5) * wide + slant(width(&name[0])).0 + 8.0
        };
        let reach = columns.iter().enumerate().map(reach).fold(0.0, f64::max);
        let right = (left + count * wide + 4.0).max(if level { 0.0 } else { reach });
        let below = top + self.rows.len().max(1) as f64 * tall;
        Layout {
            rows,
            columns,
            level,
            left,
            top,
            cell: (wide, tall),
            size: (right.max(left + 260.0), below + 44.0),
        }
    }

    fn draw_names(&self, area: &Area<'_>, layout: &Layout) -> Drawn {
        let (wide, tall) = layout.cell;
        for (row, name) in layout.rows.iter().enumerate() {
            let y = layout.top + (row as f64 + 0.5) * tall;
            lines(area, name, (layout.left - 8.0, y), HPos::Right)?;
        }
        for (column, name) in layout.columns.iter().enumerate() {
            let x = layout.left + (column as f64 + 0.5) * wide;
            if layout.level {
                let up = name.len() as f64 * LINE / 2.0 + 5.0;
                lines(area, name, (x, layout.top - up), HPos::Center)?;
            } else {
                turned(area, &name[0], (x, layout.top - 8.0), HPos::Left, SLANT)?;
            }
        }
        let row_label = shortened(&clean(&self.row_label), layout.left - 10.0);
        let at = (layout.left - 8.0, layout.top - 12.0);
        text(area, &row_label, at, Ink::Text, HPos::Right, VPos::Center)?;
        let column_label = shortened(&clean(&self.column_label), layout.size.0 - layout.left);
        text(area, &column_label, (layout.left, 9.0), Ink::Text, HPos::Left, VPos::Center)
    }

    fn draw_cell(&self, area: &Area<'_>, chart: &Chart<'_>, row: usize, column: usize) -> Drawn {
        let (x, y) = (column as f64, (self.rows.len() - 1 - row) as f64);
        let (from, to) = (place(chart, x - 0.5, y + 0.5), place(chart, x + 0.5, y - 0.5));
        // A gap between cells, through which the page is seen.
        let to = (to.0 - 1.5, to.1 - 1.5);
        let wide = to.0 - from.0;
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let Some(cell) = self.cell(row, column) else {
            let (from, to) = ((from.0 + 1.5, from.1 + 1.5), (to.0 - 1.5, to.1 - 1.5));
            outline(area, from, to, Ink::Dashed.stroke(0.5))?;
            return text(area, "–", middle, Ink::Text, HPos::Center, VPos::Center);
        };
        let colour = self.colour(cell.value);
        rectangle(area, from, to, colour.filled())?;
        text_in(area, &shortened(&clean(&cell.text), wide - 3.0), middle, on(colour))
    }

    fn colour(&self, value: f64) -> RGBColor {
        // How far towards an end; a scale without an extent has only its ends.
        let part = |end: f64| {
            let part = (value - self.centre) / (end - self.centre);
            if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
        };
        let (end, part) = match value < self.centre {
            true => (LOW, part(self.low)),
            false => (HIGH, part(self.high)),
        };
        let mix = |at: usize| (CENTRE[at] + (end[at] - CENTRE[at]) * part).round() as u8;
        RGBColor(mix(0), mix(1), mix(2))
    }

    /// The colours with their numbers, below the map.
    fn draw_key(&self, area: &Area<'_>, layout: &Layout) -> Drawn {
        const STEPS: usize = 40;
        let (left, top) = (layout.left + 20.0, layout.size.1 - 34.0);
        let long = 200.0;
        for step in 0..STEPS {
            let part = (step as f64 + 0.5) / STEPS as f64;
            // The centre is in the middle, wherever it is between the ends.
            let value = match part < 0.5 {
                true => self.low + (self.centre - self.low) * part * 2.0,
                false => self.centre + (self.high - self.centre) * (part * 2.0 - 1.0),
            };
            let x = |step: usize| left + step as f64 / STEPS as f64 * long;
            // Each reaches to the end, under the next ones, so that there are no seams.
            let (from, to) = ((x(step), top), (left + long, top + 10.0));
            rectangle(area, from, to, self.colour(value).filled())?;
        }
        let marks = [(0.0, self.low), (0.5, self.centre), (1.0, self.high)];
        for (part, value) in marks.into_iter().filter(|(_, value)| value.is_finite()) {
            let at = (left + part * long, top + 16.0);
            text(area, &number(value), at, Ink::Text, HPos::Center, VPos::Top)?;
        }
        Ok(())
    }

    fn description(&self) -> String {
        let mut out = format!(
            "Table of {} rows by {} columns; colours from {} through {} to {}.",
            self.rows.len(),
            self.columns.len(),
            number(self.low),
            number(self.centre),
            number(self.high)
        );
        if self.columns.iter().chain(&self.rows).next().is_some() {
            out.push_str(&format!(" Columns: {}.", self.columns.join(", ")));
        }
        for (row, name) in self.rows.iter().enumerate() {
            let text = |column| match self.cell(row, column) {
                Some(cell) => cell.text.as_str(),
                None => "–",
            };
            let texts: Vec<_> = (0..self.columns.len()).map(text).collect();
            out.push_str(&format!(" {name}: {}.", texts.join(", ")));
        }
        out
    }
}
