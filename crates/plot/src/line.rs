//! Lines through points.

use std::fmt::Write as _;

use plotters::prelude::LineSeries;

use crate::canvas::{
    Area, Chart, Drawn, Frame, HPos, Key, Legend, SLANT, UPRIGHT, WIDTH, figure, lines, marker,
    nothing, path, place, slant, turned, whisker,
};
use crate::scale::{Axis, Scale, Span, extent, ordered};
use crate::text::{LINE, clean, fits, number, shortened, widest, width, wrapped};
use crate::theme::Ink;

/// One or more quantities against another: learning curves, strength by time, strength by version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinePlot {
    /// What the figure shows, for those who cannot see it; not drawn.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// If there are any, the horizontal axis has these names in order instead of numbers. The point
    /// at the first has `x` = 0, at the next 1, and so on.
    pub steps: Vec<String>,
    /// The vertical axis.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// A horizontal line to compare with.
    pub reference: Option<Reference>,
}

/// A line of a [`LinePlot`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points, joined in this order. Where a point has no place on the axes, the line is
    /// interrupted.
    pub points: Vec<Point>,
}

/// A point of a [`Series`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// The number or step on the horizontal axis.
    pub x: f64,
    /// The number on the vertical axis.
    pub y: f64,
    /// The lower and the upper end of the error bar.
    pub error: Option<(f64, f64)>,
}

impl Point {
    /// A point without an error bar.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, error: None }
    }

    /// The point with an error bar.
    pub fn between(self, low: f64, high: f64) -> Self {
        Self { error: Some((low, high)), ..self }
    }
}

/// A horizontal line to compare with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// Where it is on the vertical axis.
    pub y: f64,
    /// What it is.
    pub label: String,
}

/// The height of the data.
const HEIGHT: f64 = 280.0;

/// The angle and form of the names below the data.
enum Names {
    None,
    Level(Vec<Vec<String>>),
    Slanted(Vec<String>),
    /// Upright, for each step or every second, third and so on.
    Upright(Vec<String>, usize),
}

impl Names {
    /// Level where all names fit side by side, otherwise slanted or upright.
    fn new(steps: &[String], width_of_data: f64) -> Self {
        let pitch = width_of_data / steps.len().max(1) as f64 - 8.0;
        if steps.is_empty() {
            Names::None
        } else if steps.iter().all(|step| fits(step, pitch, 3)) {
            Names::Level(steps.iter().map(|step| wrapped(step, pitch, 3)).collect())
        } else {
            let names = steps.iter().map(|step| shortened(clean(step).trim(), 170.0)).collect();
            match pitch + 8.0 {
                20.0.. => Names::Slanted(names),
                pitch => Names::Upright(names, (13.0 / pitch).ceil() as usize),
            }
        }
    }

    fn height(&self) -> f64 {
        match self {
            Names::None => 24.0,
            Names::Level(names) => {
                9.0 + names.iter().map(Vec::len).max().unwrap_or(1) as f64 * LINE
            }
            Names::Upright(names, _) => 12.0 + widest(names.iter().map(String::as_str)),
            Names::Slanted(names) => 10.0 + slant(widest(names.iter().map(String::as_str))).1,
        }
    }

    /// How far slanted names reach beyond the left edge of the data.
    fn reach(&self, width_of_data: f64) -> f64 {
        let Names::Slanted(names) = self else {
            return 0.0;
        };
        let pitch = width_of_data / names.len() as f64;
        let beyond =
            |(at, name): (usize, &String)| slant(width(name)).0 - (at as f64 + 0.5) * pitch;
        names.iter().enumerate().map(beyond).fold(0.0, f64::max) + 4.0
    }

    fn draw(&self, area: &Area<'_>, chart: &Chart<'_>) -> Drawn {
        let bottom = f64::NEG_INFINITY;
        match self {
            Names::None => {}
            Names::Level(names) => {
                for (at, name) in names.iter().enumerate() {
                    let (x, y) = place(chart, at as f64, bottom);
                    let middle = y + 15.0 + (name.len() as f64 - 1.0) * LINE / 2.0;
                    lines(area, name, (x, middle), HPos::Center)?;
                }
            }
            Names::Slanted(names) => {
                for (at, name) in names.iter().enumerate() {
                    let (x, y) = place(chart, at as f64, bottom);
                    turned(area, name, (x + 2.0, y + 10.0), HPos::Right, SLANT)?;
                }
            }
            Names::Upright(names, every) => {
                for (at, name) in names.iter().enumerate().step_by(*every) {
                    let (x, y) = place(chart, at as f64, bottom);
                    turned(area, name, (x, y + 8.0), HPos::Right, UPRIGHT)?;
                }
            }
        }
        Ok(())
    }
}

impl LinePlot {
    /// The figure.
    pub fn svg(&self) -> String {
        let legend = Legend::new(self.series.iter().map(|line| &*line.name), Key::Marked);
        let reference = self.reference();
        let aside: Vec<String> =
            reference.map(|line| wrapped(&line.label, 100.0, 3)).unwrap_or_default();
        let y = self.y_span();
        let beside = Frame::beside(&y, &self.y.label);
        let right = (widest(aside.iter().map(String::as_str)) + 8.0).max(24.0);
        let names = Names::new(&self.steps, WIDTH - beside - right);
        let left = (names.reach(WIDTH - beside - right) - beside).max(0.0);
        let x = self.x_span(WIDTH - beside - right);
        let below = names.height() + Frame::below(&self.x.label) - 24.0;
        let frame = Frame {
            margins: [left, right, legend.height, 2.0],
            below,
            beside,
            x: &x,
            y: &y,
            x_label: &self.x.label,
            y_label: &self.y.label,
        };
        let height = legend.height + HEIGHT + below + 2.0;
        figure((WIDTH, height), &self.title, &self.description(), |area| {
            legend.draw(area)?;
            let mut chart = frame.draw(area)?;
            names.draw(area, &chart)?;
            if let Some(line) = reference {
                let from = place(&chart, f64::NEG_INFINITY, line.y);
                let to = place(&chart, f64::INFINITY, line.y);
                path(area, &[from, to], Ink::Dashed.stroke(1.0))?;
                lines(area, &aside, (to.0 + 6.0, to.1), HPos::Left)?;
            }
            if self.kept().next().is_none() {
                nothing(area, &chart)?;
            }
            // A picture of lines, then one of markers: no line crosses the marker of another.
            for index in 0..self.series.len() {
                self.draw_line(area, &mut chart, &y, index)?;
            }
            for index in 0..self.series.len() {
                self.draw_markers(area, &chart, index)?;
            }
            Ok(())
        })
    }

    fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref().filter(|line| self.y.scale.holds(line.y))
    }

    /// Whether the point has a place on the axes.
    fn holds(&self, point: &Point) -> bool {
        let across = match self.steps.len() {
            0 => self.x.scale.holds(point.x),
            steps => (-0.5..=steps as f64 - 0.5).contains(&point.x),
        };
        across && self.y.scale.holds(point.y)
    }

    /// All points that have a place on the axes.
    fn kept(&self) -> impl Iterator<Item = &Point> + Clone {
        self.series.iter().flat_map(|line| &line.points).filter(|point| self.holds(point))
    }

    fn x_span(&self, room: f64) -> Span {
        match self.steps.len() {
            0 => {
                let values = || self.kept().map(|point| point.x);
                Span::fitting(room, |ticks| Span::of(values(), self.x.scale, ticks)).padded()
            }
            steps => Span::categories(steps).lined(),
        }
    }

    fn y_span(&self) -> Span {
        let values = self.kept().map(|point| point.y).chain(self.reference().map(|line| line.y));
        let ends = self.kept().filter_map(|point| point.error).flat_map(|(low, high)| [low, high]);
        Span::with_errors(values, ends, self.y.scale, 6)
    }

    /// Several series at the same step stand beside each other, so that their error bars do not
    /// coincide.
    fn x(&self, series: usize, point: &Point) -> f64 {
        if self.steps.is_empty() || self.series.len() < 2 {
            return point.x;
        }
        let last = self.series.len() as f64 - 1.0;
        let pitch = 600.0 / self.steps.len() as f64;
        let apart = (9.0 / pitch).min(0.5 / last);
        point.x + (series as f64 - last / 2.0) * apart
    }

    fn draw_line(&self, area: &Area<'_>, chart: &mut Chart<'_>, y: &Span, index: usize) -> Drawn {
        let points = &self.series[index].points;
        for run in points.split(|point| !self.holds(point)) {
            let run = run.iter().map(|point| (self.x(index, point), point.y));
            chart.draw_series(LineSeries::new(run, Ink::Line(index).stroke(1.6)))?;
        }
        for point in points.iter().filter(|point| self.holds(point)) {
            let Some((low, high)) = ordered(point.error) else {
                continue;
            };
            let x = self.x(index, point);
            let end = |end: f64| (place(chart, x, end), !y.contains(end));
            whisker(area, end(low), end(high), Ink::Series(index).stroke(1.1))?;
        }
        Ok(())
    }

    fn draw_markers(&self, area: &Area<'_>, chart: &Chart<'_>, index: usize) -> Drawn {
        let kept = self.series[index].points.iter().filter(|point| self.holds(point));
        // Where points are dense, a marker here and there tells which line it is.
        let every = kept.clone().count().div_ceil(40).max(1);
        for point in kept.step_by(every) {
            marker(area, index, place(chart, self.x(index, point), point.y))?;
        }
        Ok(())
    }

    fn description(&self) -> String {
        let named = |label: &str, other: &str| {
            if label.is_empty() { other.to_owned() } else { label.to_owned() }
        };
        let logarithmic = |scale| if scale == Scale::Log { " (logarithmic)" } else { "" };
        let mut out = format!(
            "Line plot of {}{} by {}{}.",
            named(&self.y.label, "y"),
            logarithmic(self.y.scale),
            named(&self.x.label, "x"),
            if self.steps.is_empty() { logarithmic(self.x.scale) } else { "" },
        );
        for (index, line) in self.series.iter().enumerate() {
            let kept: Vec<_> = line.points.iter().filter(|point| self.holds(point)).collect();
            let _ = write!(out, " {}: ", named(&line.name, &format!("series {}", index + 1)));
            out.push_str(&self.described(&kept));
            let dropped = line.points.len() - kept.len();
            if dropped > 0 {
                let _ = write!(out, " {dropped} without a place on the axes left out.");
            }
        }
        if let Some(line) = self.reference() {
            let _ = write!(out, " Line at {}: {}.", number(line.y), line.label);
        }
        out
    }

    /// All points if they are few, otherwise their range.
    fn described(&self, points: &[&Point]) -> String {
        let Some((low, high)) = extent(points.iter().map(|point| point.y)) else {
            return "no data.".to_owned();
        };
        if points.len() > 40 {
            let (first, last) = (points[0], points[points.len() - 1]);
            return format!(
                "{} points from {} at {} to {} at {}, between {} and {}.",
                points.len(),
                number(first.y),
                self.named(first.x),
                number(last.y),
                self.named(last.x),
                number(low),
                number(high)
            );
        }
        let point = |point: &&Point| {
            let error =
                point.error.map(|(low, high)| format!(" ({} to {})", number(low), number(high)));
            format!("{} at {}{}", number(point.y), self.named(point.x), error.unwrap_or_default())
        };
        points.iter().map(point).collect::<Vec<_>>().join("; ") + "."
    }

    fn named(&self, x: f64) -> String {
        match self.steps.get(x.round() as usize) {
            Some(step) => step.clone(),
            None => number(x),
        }
    }
}
