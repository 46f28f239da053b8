//! Axes: their ranges, their ticks, and the labels of these.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{IntoLogRange, LogCoord};

use crate::text::{fixed, power, widest};

/// An axis of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// What is measured, with its unit.
    pub label: String,
    /// How the numbers are laid out.
    pub scale: Scale,
}

impl Axis {
    /// An axis with equal distances for equal differences.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear }
    }

    /// An axis with equal distances for equal ratios.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log }
    }
}

/// How numbers are laid out on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal distances for equal differences.
    #[default]
    Linear,
    /// Equal distances for equal ratios, with ticks at powers of ten. Only positive numbers have a
    /// place on such an axis.
    Log,
}

impl Scale {
    /// Whether a number has a place on the axis. The bounds keep the arithmetic of ranges and ticks
    /// finite; no quantity in a report comes near them.
    pub(crate) fn holds(self, value: f64) -> bool {
        match self {
            Scale::Linear => value.abs() <= 1e100,
            Scale::Log => (1e-100..=1e100).contains(&value),
        }
    }
}

/// A coordinate of plotters with a range and ticks that are round numbers. What is outside of the
/// range is mapped to its ends.
#[derive(Clone)]
pub(crate) struct Span {
    low: f64,
    high: f64,
    scale: Scale,
    /// The distance of ticks on a linear axis.
    step: f64,
    ticks: Vec<f64>,
    minor: Vec<f64>,
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `size`, which is positive.
pub(crate) fn nice_step(size: f64) -> f64 {
    let power = 10f64.powf(size.log10().floor());
    // The tolerance is for powers that are a rounding error away.
    let factors = [1.0, 2.0, 5.0, 10.0];
    let factor = factors.into_iter().find(|factor| factor * power >= size * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// The ends of an error bar in ascending order, unless one of them is not a number.
pub(crate) fn ordered(error: Option<(f64, f64)>) -> Option<(f64, f64)> {
    let (low, high) = error.filter(|(low, high)| !low.is_nan() && !high.is_nan())?;
    Some((low.min(high), low.max(high)))
}

/// The least and the greatest of some numbers.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |extent, value| match extent {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    })
}

impl Span {
    /// The range of some numbers that have a place on the scale, with about so many ticks.
    pub(crate) fn of(values: impl Iterator<Item = f64>, scale: Scale, ticks: usize) -> Self {
        match scale {
            Scale::Linear => Self::linear(extent(values).unwrap_or((0.0, 1.0)), ticks),
            Scale::Log => Self::log(extent(values).unwrap_or((1.0, 10.0)), ticks),
        }
    }

    pub(crate) fn linear((mut low, mut high): (f64, f64), ticks: usize) -> Self {
        let size = low.abs().max(high.abs());
        if high - low <= size * 1e-9 || high - low < 1e-90 {
            let around = if size < 1e-80 { 1.0 } else { size * 0.1 };
            (low, high) = (low - around, high + around);
        }
        let step = nice_step((high - low) / ticks as f64);
        let first = (low / step + 1e-9).floor();
        let last = (high / step - 1e-9).ceil();
        let count = (last - first).max(1.0) as usize;
        let ticks: Vec<_> = (0..=count).map(|k| (first + k as f64) * step).collect();
        Self {
            low: ticks[0],
            high: ticks[count],
            scale: Scale::Linear,
            step,
            ticks,
            minor: Vec::new(),
        }
    }

    fn log((mut low, mut high): (f64, f64), ticks: usize) -> Self {
        if high / low < 1.05 {
            (low, high) = (low / 1.5, high * 1.5);
        }
        // Every m·10ᵏ in a range that is a little wider, then as much of it as is needed.
        let decades = (low.log10().floor() as i32 - 1)..=(high.log10().ceil() as i32 + 1);
        let marks = |factors: &'static [f64]| {
            decades.clone().flat_map(move |k| factors.iter().map(move |m| m * 10f64.powi(k)))
        };
        let start = marks(&[1.0, 2.0, 5.0]).rfind(|&v| v <= low * (1.0 + 1e-9));
        let end = marks(&[1.0, 2.0, 5.0]).find(|&v| v >= high * (1.0 - 1e-9));
        let (low, high) = (start.unwrap_or(low), end.unwrap_or(high));
        let inside = |v: &f64| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(v);
        let powers: Vec<_> = marks(&[1.0]).filter(inside).collect();
        let ticks = if powers.len() > ticks {
            let strides = [2, 3, 5, 10, 20, 50];
            let stride = strides.into_iter().find(|stride| powers.len() / stride < ticks);
            let stride = stride.unwrap_or(100);
            let round = |power: &f64| power.log10().round() as i32 % stride as i32 == 0;
            powers.iter().copied().filter(round).collect()
        } else if powers.len() > 3 || (powers.len() > 1 && ticks < 6) {
            powers.clone()
        } else {
            marks(&[1.0, 2.0, 5.0]).filter(inside).collect()
        };
        let minor = match powers.len() {
            0..6 => marks(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]).filter(inside).collect(),
            _ => Vec::new(),
        };
        Self { low, high, scale: Scale::Log, step: 0.0, ticks, minor }
    }

    /// The range of values and of the ends of their error bars. Bars much longer than the range of
    /// the values are cut, so that one poor measurement does not flatten all others.
    pub(crate) fn with_errors(
        values: impl Iterator<Item = f64> + Clone,
        ends: impl Iterator<Item = f64>,
        scale: Scale,
        ticks: usize,
    ) -> Self {
        let (low, high) = match (extent(values.clone()), scale) {
            (Some((low, high)), Scale::Linear) if high > low => {
                let more = 1.5 * (high - low);
                (low - more, high + more)
            }
            (Some((low, high)), Scale::Log) if high > low => {
                let more = (high / low).powf(1.5);
                (low / more, high * more)
            }
            _ => (f64::MIN, f64::MAX),
        };
        let ends = ends.filter(|&end| scale.holds(end)).map(|end| end.clamp(low, high));
        Self::of(values.chain(ends).filter(|&value| scale.holds(value)), scale, ticks)
    }

    /// The first of some ranges, with fewer and fewer ticks, whose labels have room side by side.
    pub(crate) fn fitting(room: f64, span: impl Fn(usize) -> Self) -> Self {
        let fits = |span: &Self| {
            let labels = span.labels();
            let widest = widest(labels.iter().map(String::as_str)) + 12.0;
            labels.len() as f64 * widest <= room
        };
        [7, 5, 4, 3].into_iter().map(&span).find(fits).unwrap_or_else(|| span(2))
    }

    /// The range with a little room at both ends, so that points there are clear of the frame.
    pub(crate) fn padded(self) -> Self {
        let (low, high) = match self.scale {
            Scale::Linear => {
                let more = (self.high - self.low) * 0.015;
                (self.low - more, self.high + more)
            }
            Scale::Log => {
                let more = (self.high / self.low).powf(0.015);
                (self.low / more, self.high * more)
            }
        };
        Self { low, high, ..self }
    }

    /// Room for so many categories, at 0, 1, 2 and so on, without ticks.
    pub(crate) fn categories(count: usize) -> Self {
        let high = count.max(1) as f64 - 0.5;
        let (scale, step) = (Scale::Linear, 1.0);
        Self { low: -0.5, high, scale, step, ticks: Vec::new(), minor: Vec::new() }
    }

    /// The range with a thin line at each category.
    pub(crate) fn lined(self) -> Self {
        let count = (self.high - self.low).round() as usize;
        Self { minor: (0..count).map(|at| at as f64).collect(), ..self }
    }

    /// The range with ticks elsewhere, for example at the edges of bins.
    pub(crate) fn exactly(low: f64, high: f64, ticks: Self) -> Self {
        let inside = |v: &&f64| (low..=high).contains(*v);
        Self { low, high, ticks: ticks.ticks.iter().filter(inside).copied().collect(), ..ticks }
    }

    pub(crate) fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The label of a tick. All labels of an axis have the same form.
    pub(crate) fn label(&self, tick: f64) -> String {
        let size = self.low.abs().max(self.high.abs());
        match self.scale {
            Scale::Log if self.high > 2e5 || self.low < 9e-4 => power(tick, 0),
            Scale::Log => fixed(tick, (-tick.log10() - 1e-9).ceil().max(0.0) as usize),
            // Long numbers only where most of their digits matter.
            Scale::Linear
                if size >= 1e15 || self.step < 9e-5 || (size >= 1e7 && size / self.step < 1e4) =>
            {
                let digits = (size / self.step).log10().ceil().clamp(0.0, 15.0);
                power(if tick.abs() < self.step * 0.1 { 0.0 } else { tick }, digits as usize)
            }
            Scale::Linear => fixed(tick, (-self.step.log10() - 1e-9).ceil().max(0.0) as usize),
        }
    }

    pub(crate) fn labels(&self) -> Vec<String> {
        self.ticks.iter().map(|&tick| self.label(tick)).collect()
    }
}

impl Ranged for Span {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let value = value.clamp(self.low, self.high);
        match self.scale {
            Scale::Linear => RangedCoordf64::from(self.range()).map(&value, limit),
            Scale::Log => LogCoord::from(self.range().log_scale()).map(&value, limit),
        }
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match hint.weight().allow_light_points() {
            true => self.minor.clone(),
            false => self.ticks.clone(),
        }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}
