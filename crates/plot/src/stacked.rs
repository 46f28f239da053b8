//! Wholes divided into parts.

use plotters::prelude::Rectangle;

use crate::canvas::{
    Area, Chart, Drawn, HPos, Key, Legend, VPos, WIDTH, figure, nothing, outline, path, place, text,
};
use crate::rows::{HALF, Rows};
use crate::scale::Span;
use crate::text::width;
use crate::theme::Ink;

/// How several wholes divide into the same parts, such as games into wins, draws and losses: bars
/// of the same length, with the percentage on each part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StackedBars {
    /// What the figure shows, for those who cannot see it; not drawn.
    pub title: String,
    /// The label of the horizontal axis, which is in per cent.
    pub label: String,
    /// The names of the parts, from left to right. Up to six have different colours.
    pub parts: Vec<String>,
    /// The bars, from top to bottom.
    pub bars: Vec<StackedBar>,
}

/// A bar of [`StackedBars`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StackedBar {
    /// What it is for.
    pub name: String,
    /// The size of each part, in any unit: the figure shows proportions. Numbers that are not
    /// positive count as zero.
    pub values: Vec<f64>,
    /// A note at the right, such as the number of games.
    pub text: String,
}

impl StackedBar {
    /// The parts in per cent; none if the whole is zero.
    fn shares(&self, parts: usize) -> Vec<f64> {
        let size = |value: &f64| if *value > 0.0 && *value <= 1e100 { *value } else { 0.0 };
        let sizes: Vec<_> = self.values.iter().take(parts).map(size).collect();
        let whole: f64 = sizes.iter().sum();
        match whole > 0.0 {
            true => sizes.iter().map(|size| size / whole * 100.0).collect(),
            false => Vec::new(),
        }
    }
}

impl StackedBars {
    /// The figure.
    pub fn svg(&self) -> String {
        let rows = Rows::new(self.bars.iter().map(|bar| (&*bar.name, &*bar.text)));
        let legend = Legend::new(self.parts.iter().map(String::as_str), Key::Part);
        let x = Span::linear((0.0, 100.0), 5);
        let y = Span::categories(rows.count());
        let frame = rows.frame(legend.height, &x, &y, &self.label);
        let height = legend.height + rows.height + frame.below + 2.0;
        figure((WIDTH, height), &self.title, &self.description(), |area| {
            legend.draw(area)?;
            let mut chart = frame.draw(area)?;
            rows.draw(area, &chart)?;
            for (row, bar) in self.bars.iter().enumerate() {
                draw(&bar.shares(self.parts.len()), rows.y(row), area, &mut chart)?;
            }
            match self.bars.is_empty() {
                true => nothing(area, &chart),
                false => Ok(()),
            }
        })
    }

    fn description(&self) -> String {
        let mut out = format!("Bars divided into {}.", self.parts.join(", "));
        if self.bars.is_empty() {
            out.push_str(" No data.");
        }
        for bar in &self.bars {
            let shares = bar.shares(self.parts.len());
            let parts = self.parts.iter().zip(&shares);
            let parts: Vec<_> = parts.map(|(part, share)| format!("{part} {share:.1}%")).collect();
            let parts = if parts.is_empty() { "no data".to_owned() } else { parts.join(", ") };
            let note = bar.text.trim();
            let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
            out.push_str(&format!(" {}: {parts}{note}.", bar.name));
        }
        out
    }
}

fn draw(shares: &[f64], y: f64, area: &Area<'_>, chart: &mut Chart<'_>) -> Drawn {
    let mut from = 0.0;
    for (part, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        let to = from + share;
        let corners = [(from, y - HALF), (to, y + HALF)];
        chart.draw_series([Rectangle::new(corners, Ink::Part(part).fill())])?;
        let (left, right) = (place(chart, from, y), place(chart, to, y));
        let percentage = format!("{share:.0}%");
        if width(&percentage) + 6.0 <= right.0 - left.0 {
            let middle = ((left.0 + right.0) / 2.0, left.1);
            text(area, &percentage, middle, Ink::OnPart(part), HPos::Center, VPos::Center)?;
        }
        let edge = [place(chart, to, y - HALF), place(chart, to, y + HALF)];
        path(area, &edge, Ink::Text.stroke(0.5))?;
        from = to;
    }
    let corners = (place(chart, 0.0, y - HALF), place(chart, 100.0, y + HALF));
    outline(area, corners.0, corners.1, Ink::Text.stroke(0.5))?;
    if shares.is_empty() {
        let middle = place(chart, 50.0, y);
        text(area, "–", middle, Ink::Text, HPos::Center, VPos::Center)?;
    }
    Ok(())
}
