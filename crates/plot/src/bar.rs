//! A bar for each name.

use plotters::prelude::Rectangle;
use plotters::style::Color;

use crate::canvas::{Area, Chart, Drawn, WIDTH, figure, nothing, outline, path, place, whisker};
use crate::rows::{HALF, Rows};
use crate::scale::{Scale, Span, ordered};
use crate::text::number;
use crate::theme::Ink;

/// A number with its error for each of several things, as bars from zero: gains by change, ratings
/// by player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BarPlot {
    /// What the figure shows, for those who cannot see it; not drawn.
    pub title: String,
    /// The label of the horizontal axis.
    pub label: String,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

/// A bar of a [`BarPlot`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// What it is for.
    pub name: String,
    /// Its length. Nothing is drawn if this is not a number.
    pub value: f64,
    /// The lower and the upper end of the error bar.
    pub error: Option<(f64, f64)>,
    /// The value as text, at the right.
    pub text: String,
}

impl Bar {
    fn value(&self) -> Option<f64> {
        Some(self.value).filter(|&value| Scale::Linear.holds(value))
    }

    fn description(&self) -> String {
        let text = self.text.trim();
        match (self.value(), self.error) {
            (None, _) => format!("{}: no value.", self.name),
            _ if !text.is_empty() => format!("{}: {text}.", self.name),
            (Some(value), Some((low, high))) => {
                format!("{}: {} ({} to {}).", self.name, number(value), number(low), number(high))
            }
            (Some(value), None) => format!("{}: {}.", self.name, number(value)),
        }
    }
}

impl BarPlot {
    /// The figure.
    pub fn svg(&self) -> String {
        let rows = Rows::new(self.bars.iter().map(|bar| (&*bar.name, &*bar.text)));
        let x = Span::fitting(rows.room(), |ticks| self.span(ticks));
        let y = Span::categories(rows.count());
        let frame = rows.frame(6.0, &x, &y, &self.label);
        let height = 6.0 + rows.height + frame.below + 2.0;
        let size = (WIDTH, height);
        figure(size, &self.title, &self.description(), |area| {
            let mut chart = frame.draw(area)?;
            rows.draw(area, &chart)?;
            for (row, bar) in self.bars.iter().enumerate() {
                draw(bar, rows.y(row), area, &mut chart, &x)?;
            }
            if self.bars.is_empty() {
                return nothing(area, &chart);
            }
            let zero = [f64::NEG_INFINITY, f64::INFINITY].map(|end| place(&chart, 0.0, end));
            path(area, &zero, Ink::Text.stroke(1.0))
        })
    }

    fn span(&self, ticks: usize) -> Span {
        let values = self.bars.iter().filter_map(Bar::value);
        let ends = self.bars.iter().filter(|bar| bar.value().is_some());
        let ends = ends.filter_map(|bar| bar.error).flat_map(|(low, high)| [low, high]);
        // Bars start at zero. Where all values are zero, so is the middle of the axis.
        match values.clone().any(|value| value != 0.0) {
            true => Span::with_errors(values.chain([0.0]), ends, Scale::Linear, ticks),
            false => Span::with_errors([0.0].into_iter(), ends.chain([0.0]), Scale::Linear, ticks),
        }
    }

    fn description(&self) -> String {
        let mut parts = vec![match self.label.is_empty() {
            true => "Bar plot.".to_owned(),
            false => format!("Bar plot of {}.", self.label),
        }];
        if self.bars.is_empty() {
            parts.push("No data.".to_owned());
        }
        parts.extend(self.bars.iter().map(Bar::description));
        parts.join(" ")
    }
}

fn draw(bar: &Bar, y: f64, area: &Area<'_>, chart: &mut Chart<'_>, x: &Span) -> Drawn {
    let Some(value) = bar.value() else {
        return Ok(());
    };
    let (low, high) = (value.min(0.0), value.max(0.0));
    // Pale, so that the error bar can be seen on it.
    let pale = Ink::Series(0).rgb().mix(0.45).filled();
    chart.draw_series([Rectangle::new([(low, y - HALF), (high, y + HALF)], pale)])?;
    let (from, to) = (place(chart, low, y - HALF), place(chart, high, y + HALF));
    outline(area, from, to, Ink::Series(0).stroke(0.8))?;
    if let Some((low, high)) = ordered(bar.error) {
        let end = |end: f64| (place(chart, end, y), !x.contains(end));
        whisker(area, end(low), end(high), Ink::Text.stroke(1.2))?;
    }
    Ok(())
}
