//! The figures of comparisons and measurements.

use agon_arena::estimate::Estimate;
use agon_arena::words;
use agon_plot::{
    Axis, Bar, BarPlot, Cell as HeatCell, Distribution, HeatMap, Histogram, LinePlot, Point,
    Reference, Sample, Series, StackedBar, StackedBars,
};

use super::Figure;

/// The most bars and lines of a figure; more are left to the table.
const MOST_BARS: usize = 40;

/// Beyond this an interval is not a matter of the picture any more.
const FARTHEST_ELO: f64 = 1500.0;

/// An error bar that ends where the picture does.
fn within(elo: &Estimate) -> (f64, f64) {
    (elo.low.max(-FARTHEST_ELO), elo.high.min(FARTHEST_ELO))
}

/// Differences in Elo as bars.
pub(super) fn elo_bars(
    id: String,
    caption: String,
    bars: impl Iterator<Item = (String, Estimate)>,
) -> Option<Figure> {
    let bar = |(name, elo): (String, Estimate)| Bar {
        name,
        value: elo.value,
        error: Some(within(&elo)),
        text: words::elo(elo),
    };
    let bars: Vec<Bar> = bars.take(MOST_BARS).map(bar).collect();
    let label = "Elo, with 95 % intervals".to_string();
    let plot = BarPlot { title: caption.clone(), label, bars };
    (!plot.bars.is_empty()).then(|| Figure { id, svg: plot.svg(), caption })
}

/// Strength step by step, a line for each of the terms.
pub(super) fn evolution(
    id: String,
    caption: String,
    steps: Vec<String>,
    lines: Vec<(String, Vec<(usize, Estimate)>)>,
) -> Option<Figure> {
    let (first, last) =
        (steps.first()?.clone(), lines.iter().map(|(_, points)| points.len()).max()?);
    if last == 0 {
        return None;
    }
    let point = |(step, elo): &(usize, Estimate)| {
        let (low, high) = within(elo);
        Point::new(*step as f64, elo.value).between(low, high)
    };
    let series = lines.iter().map(|(name, points)| {
        // The first is its own measure.
        let origin = Point::new(0.0, 0.0);
        let points = std::iter::once(origin).chain(points.iter().map(point)).collect();
        Series { name: name.clone(), points }
    });
    let plot = LinePlot {
        title: caption.clone(),
        steps,
        y: Axis::linear(format!("Elo against {first}")),
        series: series.collect(),
        reference: Some(Reference { y: 0.0, label: first }),
        ..LinePlot::default()
    };
    Some(Figure { id, svg: plot.svg(), caption })
}

/// Wins, draws and losses.
pub(super) fn records(
    id: String,
    caption: String,
    parts: [&str; 3],
    bars: impl Iterator<Item = (String, [u64; 3])>,
) -> Option<Figure> {
    let bar = |(name, counts): (String, [u64; 3])| StackedBar {
        name,
        values: counts.iter().map(|count| *count as f64).collect(),
        text: format!("{} games", words::thousands(counts.iter().sum())),
    };
    let plot = StackedBars {
        title: caption.clone(),
        label: "Share of the games (%)".to_string(),
        parts: parts.map(String::from).to_vec(),
        bars: bars.take(MOST_BARS).map(bar).collect(),
    };
    (!plot.bars.is_empty()).then(|| Figure { id, svg: plot.svg(), caption })
}

/// How long games were.
pub(super) fn lengths(
    id: String,
    caption: String,
    distributions: Vec<(String, Vec<f64>)>,
) -> Option<Figure> {
    let distribution = |(name, values)| Distribution { name, data: Sample::Values(values) };
    let plot = Histogram {
        title: caption.clone(),
        x_label: "Length of a game (plies)".to_string(),
        y_label: "Games".to_string(),
        distributions: distributions.into_iter().map(distribution).collect(),
    };
    (!plot.distributions.is_empty()).then(|| Figure { id, svg: plot.svg(), caption })
}

/// Scores by row and column.
pub(super) fn scores(
    id: String,
    caption: String,
    labels: [&str; 2],
    rows: Vec<String>,
    columns: Vec<String>,
    score: impl Fn(usize, usize) -> Option<f64>,
) -> Figure {
    let cell = |row: usize, column: usize| {
        let value = score(row, column)?;
        Some(HeatCell { value, text: format!("{:.0} %", 100.0 * value) })
    };
    let cells = (0..rows.len()).map(|row| (0..columns.len()).map(|it| cell(row, it)).collect());
    let [row_label, column_label] = labels.map(String::from);
    let plot = HeatMap {
        title: caption.clone(),
        row_label,
        column_label,
        cells: cells.collect(),
        rows,
        columns,
        low: 0.0,
        centre: 0.5,
        high: 1.0,
    };
    Figure { id, svg: plot.svg(), caption }
}

/// Shares of 1 with their intervals, as the difference to one half.
pub(super) fn seats(
    id: String,
    caption: String,
    bars: impl Iterator<Item = (String, f64, Estimate)>,
) -> Option<Figure> {
    let bar = |(name, even, share): (String, f64, Estimate)| Bar {
        name,
        value: 100.0 * (share.value - even),
        error: Some((100.0 * (share.low - even), 100.0 * (share.high - even))),
        text: words::percent(share.value),
    };
    let label = "Points of the first seat above an even share (percentage points)".to_string();
    let plot =
        BarPlot { title: caption.clone(), label, bars: bars.take(MOST_BARS).map(bar).collect() };
    (!plot.bars.is_empty()).then(|| Figure { id, svg: plot.svg(), caption })
}

/// Something that grows, a line for each agent.
pub(super) fn growth(
    id: String,
    caption: String,
    [x, y]: [Axis; 2],
    lines: Vec<(String, Vec<(f64, f64)>)>,
) -> Option<Figure> {
    let point = |&(x, y): &(f64, f64)| Point::new(x, y);
    let series = lines.iter().filter(|(_, points)| !points.is_empty()).map(|(name, points)| {
        Series { name: name.clone(), points: points.iter().map(point).collect() }
    });
    let plot =
        LinePlot { title: caption.clone(), x, y, series: series.collect(), ..LinePlot::default() };
    (!plot.series.is_empty()).then(|| Figure { id, svg: plot.svg(), caption })
}

/// Numbers without errors, as bars.
pub(super) fn plain_bars(
    id: String,
    caption: String,
    label: String,
    bars: impl Iterator<Item = (String, f64, String)>,
) -> Option<Figure> {
    let bar = |(name, value, text)| Bar { name, value, error: None, text };
    let plot =
        BarPlot { title: caption.clone(), label, bars: bars.take(MOST_BARS).map(bar).collect() };
    (!plot.bars.is_empty()).then(|| Figure { id, svg: plot.svg(), caption })
}
