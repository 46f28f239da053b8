//! Figures of reports as SVG text: lines, bars, parts of wholes, histograms and tables in colour.
//!
//! Each figure is a plain structure, and its method `svg` returns an element for an HTML page. It is
//! as wide as its container but no wider than its natural width, has no identifiers that could
//! collide with those of other figures, and describes its data in words for those who cannot see
//! it. No figure depends on colour alone.
//!
//! The page decides the colours by CSS variables. Without them, figures are for print on white
//! paper.
//!
//! | Variable | For |
//! |---|---|
//! | `--plot-ink` | text and axes |
//! | `--plot-grid` | grid lines |
//! | `--plot-paper` | the inside of empty markers; the colour of the page |
//! | `--plot-1` to `--plot-8` | series |
//! | `--plot-part-1` to `--plot-part-6` | parts of a whole |
//! | `--plot-on-part-1` to `--plot-on-part-6` | text on these parts |
//!
//! The font is the page's. Other programs than browsers need a figure to be [`standalone`].
//!
//! ```
//! use agon_plot::{Axis, LinePlot, Point, Series};
//!
//! let plot = LinePlot {
//!     title: "Strength by time".to_owned(),
//!     x: Axis::log("Time per move (s)"),
//!     y: Axis::linear("Elo"),
//!     series: vec![Series {
//!         name: "alpha-beta".to_owned(),
//!         points: vec![Point::new(0.1, 0.0), Point::new(1.0, 120.0).between(95.0, 145.0)],
//!     }],
//!     ..Default::default()
//! };
//! assert!(plot.svg().starts_with("<svg"));
//! ```

mod bar;
mod canvas;
mod heat;
mod histogram;
mod line;
mod rows;
mod scale;
mod stacked;
mod text;
mod theme;

#[cfg(test)]
mod tests;

pub use bar::{Bar, BarPlot};
pub use heat::{Cell, HeatMap};
pub use histogram::{Distribution, Histogram, Sample};
pub use line::{LinePlot, Point, Reference, Series};
pub use scale::{Axis, Scale};
pub use stacked::{StackedBar, StackedBars};
pub use theme::standalone;
