//! How often values occur.

use plotters::prelude::{LineSeries, Polygon};
use plotters::style::Color;

use crate::canvas::{Chart, Drawn, Frame, Key, Legend, WIDTH, figure, nothing};
use crate::scale::{Scale, Span, extent, nice_step};
use crate::text::number;
use crate::theme::Ink;

/// How often values occur in one or more distributions, such as the lengths of games. A single one
/// is filled; several are outlines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    /// What the figure shows, for those who cannot see it; not drawn.
    pub title: String,
    /// The label of the horizontal axis: what is measured.
    pub x_label: String,
    /// The label of the vertical axis: what is counted.
    pub y_label: String,
    /// The distributions.
    pub distributions: Vec<Distribution>,
}

/// A distribution of a [`Histogram`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    /// The name in the legend.
    pub name: String,
    /// What was measured.
    pub data: Sample,
}

/// The data of a [`Distribution`].
#[derive(Clone, Debug, PartialEq)]
pub enum Sample {
    /// Each value. All distributions given so share their bins.
    Values(Vec<f64>),
    /// Counts between edges.
    Bins {
        /// The edges of the bins, ascending; one more than there are counts.
        edges: Vec<f64>,
        /// How many values there are from each edge to the next.
        counts: Vec<f64>,
    },
}

impl Default for Sample {
    fn default() -> Self {
        Self::Values(Vec::new())
    }
}

/// Bins that can be drawn: start, end and count, in ascending order.
type Bins = Vec<(f64, f64, f64)>;

/// The most bins that values are sorted into.
const MOST: f64 = 40.0;

/// The height of the data.
const HEIGHT: f64 = 240.0;

impl Sample {
    /// The values that have a place on the axis.
    fn values(&self) -> &[f64] {
        match self {
            Sample::Values(values) => values,
            Sample::Bins { .. } => &[],
        }
    }

    fn bins(&self, width: f64) -> Bins {
        match self {
            Sample::Values(values) => counted(values, width),
            Sample::Bins { edges, counts } => edges
                .windows(2)
                .zip(counts)
                .map(|(ends, &count)| (ends[0], ends[1], count))
                .filter(|&(from, to, count)| {
                    from < to && count >= 0.0 && [from, to, count].map(usable) == [true; 3]
                })
                .collect(),
        }
    }
}

fn usable(value: f64) -> bool {
    Scale::Linear.holds(value)
}

/// A round width of bins that suits all values. Whole numbers are never divided.
fn bin_width(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let Some((low, high)) = extent(values.clone()) else {
        return 1.0;
    };
    let whole = values.clone().all(|value| value.fract() == 0.0);
    let bins = (values.count() as f64).sqrt().clamp(5.0, MOST);
    // Below the last digits of the values there is nothing to tell apart.
    let finest = low.abs().max(high.abs()) * 1e-9;
    let least = if whole { 1.0 } else { finest.max(1e-90) };
    nice_step(((high - low) / bins).max(least).max(finest))
}

fn counted(values: &[f64], width: f64) -> Bins {
    let bin = |value: f64| (value / width + 1e-9).floor();
    let bins = values.iter().filter(|value| usable(**value)).map(|&value| bin(value));
    let Some((first, last)) = extent(bins.clone()) else {
        return Vec::new();
    };
    let mut counts = vec![0.0; (last - first).max(0.0) as usize + 1];
    for bin in bins {
        counts[(bin - first) as usize] += 1.0;
    }
    let edge = |at: usize| (first + at as f64) * width;
    counts.iter().enumerate().map(|(at, &count)| (edge(at), edge(at + 1), count)).collect()
}

impl Histogram {
    /// The figure.
    pub fn svg(&self) -> String {
        let all = self.distributions.iter().flat_map(|one| one.data.values());
        let width = bin_width(all.copied().filter(|&value| usable(value)));
        let bins: Vec<_> = self.distributions.iter().map(|one| one.data.bins(width)).collect();
        let flat = || bins.iter().flatten();
        let (low, high) =
            extent(flat().flat_map(|&(from, to, _)| [from, to])).unwrap_or((0.0, 1.0));
        let x = {
            // Not finer than the bins.
            let bins = ((high - low) / width).max(1.0) as usize;
            let span = |ticks: usize| Span::linear((low, high), ticks.min(bins));
            Span::exactly(low, high, Span::fitting(WIDTH - 100.0, span))
        };
        let most = flat().map(|&(_, _, count)| count).fold(0.0, f64::max);
        let y = Span::linear(
            (0.0, if most > 0.0 { most } else { 1.0 }),
            if most < 5.0 { 2 } else { 6 },
        );
        let legend = Legend::new(self.distributions.iter().map(|one| &*one.name), Key::Line);
        let frame = Frame {
            margins: [0.0, 24.0, legend.height, 2.0],
            below: Frame::below(&self.x_label),
            beside: Frame::beside(&y, &self.y_label),
            x: &x,
            y: &y,
            x_label: &self.x_label,
            y_label: &self.y_label,
        };
        let size = (WIDTH, legend.height + HEIGHT + frame.below + 2.0);
        figure(size, &self.title, &self.description(&bins), |area| {
            legend.draw(area)?;
            let mut chart = frame.draw(area)?;
            if bins.iter().all(Vec::is_empty) {
                nothing(area, &chart)?;
            }
            let alone = bins.len() == 1;
            bins.iter().enumerate().try_for_each(|(at, bins)| draw(bins, at, alone, &mut chart))
        })
    }

    fn description(&self, bins: &[Bins]) -> String {
        let mut out = match self.x_label.is_empty() {
            true => "Histogram.".to_owned(),
            false => format!("Histogram of {}.", self.x_label),
        };
        if bins.is_empty() {
            out.push_str(" No data.");
        }
        for (index, (one, bins)) in self.distributions.iter().zip(bins).enumerate() {
            let name = match one.name.is_empty() {
                true => format!("distribution {}", index + 1),
                false => one.name.clone(),
            };
            out.push_str(&format!(" {name}: {}", described(bins)));
            let dropped = one.data.values().iter().filter(|value| !usable(**value)).count();
            if dropped > 0 {
                out.push_str(&format!(" {dropped} values that are not finite left out."));
            }
        }
        out
    }
}

/// The size, the range and the highest bin, and all bins if they are few.
fn described(bins: &Bins) -> String {
    let range = |bin: &(f64, f64, f64)| format!("{} to {}", number(bin.0), number(bin.1));
    let most = bins.iter().max_by(|one, other| one.2.total_cmp(&other.2));
    let (Some(first), Some(last), Some(most)) = (bins.first(), bins.last(), most) else {
        return "no data.".to_owned();
    };
    let count: f64 = bins.iter().map(|bin| bin.2).sum();
    let mut out = format!(
        "{} values from {} to {}, most ({}) from {}.",
        number(count),
        number(first.0),
        number(last.1),
        number(most.2),
        range(most)
    );
    if bins.len() <= 40 {
        let each = |bin: &(f64, f64, f64)| format!("{}: {}", range(bin), number(bin.2));
        out.push_str(&format!(" {}.", bins.iter().map(each).collect::<Vec<_>>().join(", ")));
    }
    out
}

fn draw(bins: &Bins, index: usize, alone: bool, chart: &mut Chart<'_>) -> Drawn {
    let mut steps = Vec::new();
    let mut ended = None;
    for &(from, to, count) in bins {
        // Between bins that do not touch, the outline returns to the axis.
        if ended != Some(from) {
            steps.extend(ended.map(|end| (end, 0.0)));
            steps.push((from, 0.0));
        }
        if alone && steps.len() > 1 {
            steps.push((from, 0.0));
        }
        steps.extend([(from, count), (to, count)]);
        ended = Some(to);
    }
    steps.extend(ended.map(|end| (end, 0.0)));
    if alone {
        let pale = Ink::Series(index).rgb().mix(0.3);
        chart.draw_series([Polygon::new(steps.clone(), pale)])?;
    }
    chart.draw_series(LineSeries::new(steps, Ink::Line(index).stroke(1.4)))?;
    Ok(())
}
