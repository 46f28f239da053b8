//! What all figures share: the drawing, its frame and axes, text, markers and legends.
//!
//! Lengths and positions are in pixels, from the upper left corner of the figure.

use std::io;

use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::prelude::*;
use plotters::style::text_anchor::Pos;
pub(crate) use plotters::style::text_anchor::{HPos, VPos};

use crate::scale::Span;
use crate::text::{LINE, SIZE, clean, shortened, widest, width};
use crate::theme::{Ink, UNITS, finished, units};

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(crate) type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Span, Span>>;
type Error = DrawingAreaErrorKind<io::Error>;
pub(crate) type Drawn<T = ()> = Result<T, Error>;

/// The width of figures, unless their data needs more.
pub(crate) const WIDTH: f64 = 720.0;

/// Draws a figure of some size, with its title and its description for those who cannot see it.
pub(crate) fn figure(
    size: (f64, f64),
    title: &str,
    desc: &str,
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> String {
    let mut drawing = String::new();
    {
        let whole = (units(size.0) as u32, units(size.1) as u32);
        let area = SVGBackend::with_string(&mut drawing, whole).into_drawing_area();
        let drawn = draw(&area).and_then(|()| area.present());
        drawn.expect("drawing into a string does not fail");
    }
    finished(&drawing, size, title, desc)
}

/// Where the data is, and what its axes are.
pub(crate) struct Frame<'a> {
    /// From the edges of the figure to the data and its axes: left, right, top, bottom.
    pub(crate) margins: [f64; 4],
    /// The height of the labels below the data.
    pub(crate) below: f64,
    /// The width of the labels at the left of the data; zero for no axis at all.
    pub(crate) beside: f64,
    pub(crate) x: &'a Span,
    pub(crate) y: &'a Span,
    pub(crate) x_label: &'a str,
    pub(crate) y_label: &'a str,
}

impl Frame<'_> {
    /// The width of tick labels at the left, with the label of the axis.
    pub(crate) fn beside(y: &Span, label: &str) -> f64 {
        let ticks = y.labels();
        widest(ticks.iter().map(String::as_str)) + 10.0 + if label.is_empty() { 0.0 } else { 20.0 }
    }

    /// The height of tick labels below, with the label of the axis.
    pub(crate) fn below(label: &str) -> f64 {
        24.0 + if label.is_empty() { 0.0 } else { 20.0 }
    }

    /// Draws the axes.
    pub(crate) fn draw<'b>(&self, area: &Area<'b>) -> Drawn<Chart<'b>> {
        let [left, right, top, bottom] = self.margins;
        let mut chart = ChartBuilder::on(area)
            .margin_left(units(left))
            .margin_right(units(right))
            .margin_top(units(top))
            .margin_bottom(units(bottom))
            .x_label_area_size(units(self.below))
            .y_label_area_size(units(self.beside))
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let (wide, high) = chart.plotting_area().dim_in_pixel();
        let x_label = shortened(&clean(self.x_label), f64::from(wide) / UNITS);
        let y_label = shortened(&clean(self.y_label), f64::from(high) / UNITS);
        chart
            .configure_mesh()
            .bold_line_style(Ink::Grid.stroke(0.8))
            .light_line_style(Ink::Grid.stroke(0.3))
            .axis_style(Ink::Text.stroke(0.8))
            .label_style(style(Ink::Text, HPos::Left, VPos::Top))
            .set_all_tick_mark_size(units(4.0))
            .x_label_formatter(&|tick| self.x.label(*tick))
            .y_label_formatter(&|tick| self.y.label(*tick))
            .x_desc(x_label)
            .y_desc(y_label)
            .draw()?;
        Ok(chart)
    }
}

/// The position of a point of the chart.
pub(crate) fn place(chart: &Chart<'_>, x: f64, y: f64) -> (f64, f64) {
    let (x, y) = chart.backend_coord(&(x, y));
    (f64::from(x) / UNITS, f64::from(y) / UNITS)
}

/// Says in the middle of the chart that there is nothing to see.
pub(crate) fn nothing(area: &Area<'_>, chart: &Chart<'_>) -> Drawn {
    let (x, y) = chart.plotting_area().get_pixel_range();
    let middle = |range: std::ops::Range<i32>| f64::from(range.start + range.end) / 2.0 / UNITS;
    text(area, "no data", (middle(x), middle(y)), Ink::Text, HPos::Center, VPos::Center)
}

fn style<'a>(ink: Ink, across: HPos, down: VPos) -> TextStyle<'a> {
    // The backend divides sizes by this number.
    let font = FontDesc::new(FontFamily::SansSerif, SIZE * UNITS * 1.24, FontStyle::Normal);
    font.color(&ink.rgb()).pos(Pos::new(across, down))
}

fn point((x, y): (f64, f64)) -> (i32, i32) {
    (units(x), units(y))
}

/// One line of text.
pub(crate) fn text(
    area: &Area<'_>,
    line: &str,
    at: (f64, f64),
    ink: Ink,
    across: HPos,
    down: VPos,
) -> Drawn {
    if line.trim().is_empty() {
        return Ok(());
    }
    area.draw(&Text::new(clean(line), point(at), style(ink, across, down)))
}

/// One line of text in a fixed colour.
pub(crate) fn text_in(area: &Area<'_>, line: &str, at: (f64, f64), colour: RGBColor) -> Drawn {
    let style = style(Ink::Text, HPos::Center, VPos::Center).color(&colour);
    area.draw(&Text::new(clean(line), point(at), style))
}

/// Lines of text around the height `at.1`.
pub(crate) fn lines(area: &Area<'_>, lines: &[String], at: (f64, f64), across: HPos) -> Drawn {
    let first = at.1 - (lines.len() as f64 - 1.0) * LINE / 2.0;
    for (row, line) in lines.iter().enumerate() {
        let at = (at.0, first + row as f64 * LINE);
        text(area, line, at, Ink::Text, across, VPos::Center)?;
    }
    Ok(())
}

/// The turn that stands for a slant, rising to the right.
pub(crate) const SLANT: FontTransform = FontTransform::Rotate90;
pub(crate) const UPRIGHT: FontTransform = FontTransform::Rotate270;

/// A turned line of text that ends (`HPos::Right`) or starts at a point.
pub(crate) fn turned(
    area: &Area<'_>,
    line: &str,
    at: (f64, f64),
    across: HPos,
    turn: FontTransform,
) -> Drawn {
    let style = style(Ink::Text, across, VPos::Center).transform(turn);
    area.draw(&Text::new(clean(line), point(at), style))
}

/// How far a slanted text of some width reaches: across and down.
pub(crate) fn slant(width: f64) -> (f64, f64) {
    let (sine, cosine) = 40f64.to_radians().sin_cos();
    (width * cosine, width * sine + SIZE / 2.0)
}

pub(crate) fn path(area: &Area<'_>, points: &[(f64, f64)], style: ShapeStyle) -> Drawn {
    let points: Vec<_> = points.iter().map(|&at| point(at)).collect();
    area.draw(&PathElement::new(points, style))
}

pub(crate) fn rectangle(
    area: &Area<'_>,
    from: (f64, f64),
    to: (f64, f64),
    style: ShapeStyle,
) -> Drawn {
    area.draw(&Rectangle::new([point(from), point(to)], style))
}

/// The marker of a series: eight shapes.
pub(crate) fn marker(area: &Area<'_>, series: usize, (x, y): (f64, f64)) -> Drawn {
    const CIRCLE: &[(f64, f64)] = &[];
    const SQUARE: &[(f64, f64)] = &[(-3.2, -3.2), (3.2, -3.2), (3.2, 3.2), (-3.2, 3.2)];
    const UP: &[(f64, f64)] = &[(0.0, -4.6), (4.2, 3.2), (-4.2, 3.2)];
    const DIAMOND: &[(f64, f64)] = &[(0.0, -4.8), (4.8, 0.0), (0.0, 4.8), (-4.8, 0.0)];
    let (shape, full) = match series % 8 {
        0 => (CIRCLE, true),
        1 => (SQUARE, false),
        2 => (UP, true),
        3 => (DIAMOND, false),
        4 => (SQUARE, true),
        5 => (CIRCLE, false),
        6 => (DIAMOND, true),
        _ => (UP, false),
    };
    let ink = Ink::Series(series);
    // An empty marker covers the line behind it where the page tells the colour of its paper.
    let fill = if full { ink.fill() } else { Ink::Paper.fill() };
    let mut outline: Vec<_> = shape.iter().map(|&(dx, dy)| point((x + dx, y + dy))).collect();
    if outline.is_empty() {
        area.draw(&Circle::new(point((x, y)), units(3.6), fill))?;
        return area.draw(&Circle::new(point((x, y)), units(3.6), ink.stroke(1.4)));
    }
    area.draw(&Polygon::new(outline.clone(), fill))?;
    outline.extend_from_within(..2);
    area.draw(&PathElement::new(outline, ink.stroke(1.4)))
}

/// What stands before a name in a legend.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    /// The line and the marker of a series.
    Marked(usize),
    /// The line of a series.
    Line(usize),
    /// A part of a whole.
    Part(usize),
}

/// A legend above the data.
pub(crate) struct Legend {
    entries: Vec<(Key, String, (f64, f64))>,
    pub(crate) height: f64,
}

impl Legend {
    /// The names in order, in as many rows as are needed. A single series without a name needs no
    /// legend.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>, key: fn(usize) -> Key) -> Self {
        let names: Vec<_> = names.map(|name| clean(name).trim().to_owned()).collect();
        if names.iter().all(String::is_empty) && names.len() < 2 {
            return Self { entries: Vec::new(), height: 6.0 };
        }
        let (mut x, mut y) = (4.0, 10.0);
        let mut entries = Vec::new();
        for (index, name) in names.into_iter().enumerate() {
            let name = shortened(if name.is_empty() { "–" } else { &name }, WIDTH - 60.0);
            let long = 40.0 + width(&name);
            if x + long > WIDTH && x > 4.0 {
                (x, y) = (4.0, y + 19.0);
            }
            entries.push((key(index), name, (x, y)));
            x += long + 18.0;
        }
        Self { entries, height: y + 18.0 }
    }

    pub(crate) fn draw(&self, area: &Area<'_>) -> Drawn {
        for (key, name, (x, y)) in &self.entries {
            let (x, y) = (*x, *y);
            match *key {
                Key::Marked(index) | Key::Line(index) => {
                    path(area, &[(x, y), (x + 32.0, y)], Ink::Line(index).stroke(1.6))?;
                }
                Key::Part(index) => {
                    let (from, to) = ((x + 12.0, y - 6.0), (x + 32.0, y + 6.0));
                    rectangle(area, from, to, Ink::Part(index).fill())?;
                    outline(area, from, to, Ink::Text.stroke(0.5))?;
                }
            }
            if let Key::Marked(index) = *key {
                marker(area, index, (x + 16.0, y))?;
            }
            text(area, name, (x + 38.0, y), Ink::Text, HPos::Left, VPos::Center)?;
        }
        Ok(())
    }
}

/// The edge of a rectangle; plotters' own has a fixed width.
pub(crate) fn outline(
    area: &Area<'_>,
    from: (f64, f64),
    to: (f64, f64),
    style: ShapeStyle,
) -> Drawn {
    let corners = [from, (to.0, from.1), to, (from.0, to.1), from];
    path(area, &corners, style)
}

/// An error bar from `low` to `high`, each a position and whether the end is outside of the chart,
/// where it ends in an arrow. plotters' own draws a disc at the value, which would hide the shape
/// of the marker.
pub(crate) fn whisker(
    area: &Area<'_>,
    low: ((f64, f64), bool),
    high: ((f64, f64), bool),
    style: ShapeStyle,
) -> Drawn {
    path(area, &[low.0, high.0], style)?;
    let upright = low.0.0 == high.0.0;
    for ((x, y), cut, inward) in [(low.0, low.1, 1.0), (high.0, high.1, -1.0)] {
        let back = if cut { 5.0 * inward } else { 0.0 };
        let cap = match upright {
            true => [(x - 3.5, y - back), (x, y), (x + 3.5, y - back)],
            false => [(x + back, y - 3.5), (x, y), (x + back, y + 3.5)],
        };
        path(area, &cap, style)?;
    }
    Ok(())
}
