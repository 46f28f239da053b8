//! Figures with a row for each name: names at the left, data in the middle, notes at the right.

use crate::canvas::{Area, Chart, Drawn, Frame, HPos, VPos, WIDTH, lines, place, text};
use crate::scale::Span;
use crate::text::{LINE, clean, shortened, widest, wrapped};
use crate::theme::Ink;

/// Forty characters, more or less. Longer names take two lines.
const NAMES: f64 = 290.0;
const NOTES: f64 = 150.0;

/// The part of a row's height that its bar takes, on either side of its middle.
pub(crate) const HALF: f64 = 0.32;

pub(crate) struct Rows {
    names: Vec<Vec<String>>,
    notes: Vec<String>,
    left: f64,
    right: f64,
    /// The height of all rows.
    pub(crate) height: f64,
}

impl Rows {
    pub(crate) fn new<'a>(rows: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Self {
        let names: Vec<_> = rows.clone().map(|(name, _)| wrapped(name, NAMES, 2)).collect();
        let notes: Vec<_> = rows.map(|(_, note)| shortened(clean(note).trim(), NOTES)).collect();
        let beside = widest(names.iter().flatten().map(String::as_str));
        let after = widest(notes.iter().map(String::as_str));
        let most = names.iter().map(Vec::len).max().unwrap_or(1);
        Self {
            left: beside + 10.0,
            // Without notes, room for half of the last tick label.
            right: if after > 0.0 { after + 14.0 } else { 24.0 },
            height: names.len().max(1) as f64 * (most as f64 * LINE + 9.0),
            names,
            notes,
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.names.len()
    }

    /// The width of the data.
    pub(crate) fn room(&self) -> f64 {
        WIDTH - self.left.max(24.0) - self.right
    }

    /// Where a row is on the vertical axis. The first is at the top.
    pub(crate) fn y(&self, row: usize) -> f64 {
        (self.count() - 1 - row) as f64
    }

    /// The axes below `top`. There is no vertical one.
    pub(crate) fn frame<'a>(
        &self,
        top: f64,
        x: &'a Span,
        y: &'a Span,
        x_label: &'a str,
    ) -> Frame<'a> {
        Frame {
            margins: [self.left.max(24.0), self.right, top, 2.0],
            below: Frame::below(x_label),
            beside: 0.0,
            x,
            y,
            x_label,
            y_label: "",
        }
    }

    pub(crate) fn draw(&self, area: &Area<'_>, chart: &Chart<'_>) -> Drawn {
        for (row, name) in self.names.iter().enumerate() {
            let (x, y) = place(chart, f64::NEG_INFINITY, self.y(row));
            lines(area, name, (x - 8.0, y), HPos::Right)?;
            let note = &self.notes[row];
            text(area, note, (WIDTH - 2.0, y), Ink::Text, HPos::Right, VPos::Center)?;
        }
        Ok(())
    }
}
