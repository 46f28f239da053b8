//! The board without pieces: cells, regions and the names on its edges.

use std::fmt::Write;

use agon_core::Scene;
use agon_core::scene::{CellId, CellShape, Region, RegionKind, Trace};

use crate::colours::{self, Tone, tone_of};
use crate::escaped;
use crate::geometry::{Layout, Point, Rect, UNIT, edge_names, pairs};

pub struct Board<'a> {
    scene: &'a Scene,
    layout: &'a Layout,
    seats: &'a [&'a str],
}

/// A path with its paint attributes.
fn path(out: &mut String, d: &str, paint: &str) {
    let _ = write!(out, "<path d=\"{d}\" {paint}/>");
}

fn fill(colour: &str) -> String {
    format!("fill=\"{colour}\"")
}

fn stroke(colour: &str, width: f64) -> String {
    format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"")
}

impl<'a> Board<'a> {
    pub fn new(scene: &'a Scene, layout: &'a Layout, seats: &'a [&'a str]) -> Board<'a> {
        Board { scene, layout, seats }
    }

    /// The bounding box of the whole picture, with room for the frame and the edge labels.
    pub fn frame(&self) -> Rect {
        let Rect { x, y, width, height } = self.layout.board;
        let (pad, names) = match self.layout.shape {
            CellShape::Hexagon => (24.0, 0.0),
            CellShape::Square | CellShape::Hole => (16.0, 36.0),
        };
        Rect {
            x: x - pad - names,
            y: y - pad,
            width: width + 2.0 * pad + names,
            height: height + 2.0 * pad + names,
        }
    }

    pub fn draw(&self, out: &mut String) {
        match self.layout.shape {
            CellShape::Square => self.checkers(out),
            CellShape::Hexagon => self.plate(out),
            CellShape::Hole => path(out, &self.circles(0.0), &fill(colours::WELL)),
        }
        for region in &self.scene.regions {
            self.region(region, out);
        }
        match self.layout.shape {
            CellShape::Square => self.names(colours::NAME, out),
            CellShape::Hexagon => self.holes(out),
            CellShape::Hole => {}
        }
    }

    /// What stands before the pieces: an upright plate with holes, and where the last move placed
    /// a piece.
    pub fn draw_front(&self, last: Option<&Trace>, out: &mut String) {
        let Rect { x, y, width, height } = self.frame();
        let (right, below) = (x + width, y + height);
        let edge = format!(
            "M{} {y}H{}a24 24 0 0 1 24 24V{}a24 24 0 0 1 -24 24H{}a24 24 0 0 1 -24 -24V{}\
             a24 24 0 0 1 24 -24Z",
            x + 24.0,
            right - 24.0,
            below - 24.0,
            x + 24.0,
            y + 24.0
        );
        let plate = edge + &self.circles(0.0);
        path(out, &plate, &(fill(colours::PANEL) + " fill-rule=\"evenodd\""));
        let shine = stroke(colours::PANEL_SHINE, 3.0) + " transform=\"translate(0 2)\"";
        path(out, &self.circles(3.0), &shine);
        path(out, &self.circles(1.5), &stroke(colours::PANEL_RIM, 3.0));
        self.names(colours::PANEL_NAME, out);
        for &cell in last.and_then(|last| last.routes.first()).into_iter().flatten() {
            let Point { x, y } = self.layout.points[cell];
            let paint = stroke(colours::RING, 6.0);
            let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"42\" {paint}/>");
        }
    }

    /// The holes of an upright plate, or wider circles around them.
    fn circles(&self, more: f64) -> String {
        let r = HOLE + more;
        let ring = format!("a{r} {r} 0 1 0 {0} 0a{r} {r} 0 1 0 -{0} 0z", 2.0 * r);
        let circle = |point: &Point| format!("M{} {}{ring}", point.x - r, point.y);
        self.layout.points.iter().map(circle).collect()
    }

    /// Marks a move: its cells and its route, or where it placed a piece.
    pub fn mark(&self, last: &Trace, out: &mut String) {
        let Some(route) = last.routes.first() else { return };
        if let (Some(&from), Some(&to)) = (route.first(), route.last()) {
            let ends = if from == to { vec![from] } else { vec![from, to] };
            path(out, &self.layout.cells_path(ends), &fill(colours::LAST));
        }
        if route.len() > 2 {
            let points: Vec<Point> = route.iter().map(|&cell| self.layout.points[cell]).collect();
            let paint = stroke(colours::LAST, 10.0) + ROUND;
            path(out, &format!("M{}", pairs(&points)), &paint);
        }
    }

    /// A checkerboard in a frame.
    fn checkers(&self, out: &mut String) {
        let Rect { x, y, width, height } = self.frame();
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"18\" fill=\"{}\"/>",
            colours::FRAME
        );
        let cells = self.scene.cells.iter().enumerate();
        let is_light = |x: f32, y: f32| (x + y).round() as i64 % 2 != 0;
        let (light, dark): (Vec<_>, Vec<_>) = cells.partition(|(_, cell)| is_light(cell.x, cell.y));
        for (cells, colour) in [(dark, colours::DARK), (light, colours::LIGHT)] {
            let cells = cells.into_iter().map(|(index, _)| index);
            path(out, &self.layout.cells_path(cells), &fill(colour));
        }
        let Rect { x, y, width, height } = self.layout.board;
        let _ = write!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {}/>",
            stroke(colours::LINE, 2.0)
        );
    }

    /// A plate of hexagons, with lines from hole to hole.
    fn plate(&self, out: &mut String) {
        let plate = self.layout.cells_path(0..self.scene.cells.len());
        path(out, &plate, &(stroke(colours::FRAME, 44.0) + ROUND));
        let body = format!("fill=\"{0}\" stroke=\"{0}\" stroke-width=\"32\"", colours::PLATE);
        path(out, &plate, &(body + ROUND));
        let lines = stroke(colours::HOLE_EDGE, 3.0) + " opacity=\"0.55\"";
        path(out, &self.layout.neighbour_lines(), &lines);
    }

    fn holes(&self, out: &mut String) {
        let blocked = |cell: CellId| {
            let regions = &self.scene.regions;
            regions.iter().any(|it| it.kind == RegionKind::Blocked && it.cells.contains(&cell))
        };
        for (_, Point { x, y }) in
            self.layout.points.iter().enumerate().filter(|(at, _)| !blocked(*at))
        {
            let _ = write!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"37\" fill=\"{}\" stroke=\"{}\" stroke-width=\"3\"/>",
                colours::HOLE,
                colours::HOLE_EDGE
            );
        }
    }

    fn region(&self, region: &Region, out: &mut String) {
        let tone = tone_of(self.seats, region.owner);
        match region.kind {
            RegionKind::River => self.river(&region.cells, out),
            RegionKind::Castle => self.castle(&region.cells, tone, out),
            RegionKind::Goal => self.goal(&region.cells, tone, out),
            RegionKind::Pit => self.pits(&region.cells, out),
            RegionKind::Blocked => self.stones(&region.cells, out),
        }
    }

    /// Water with waves.
    fn river(&self, cells: &[CellId], out: &mut String) {
        path(out, &self.layout.cells_path(cells.iter().copied()), &fill(colours::WATER));
        path(out, &self.layout.outline_path(cells), &stroke(colours::BANK, 5.0));
        for (below, opacity) in [(-26.0, 0.75), (26.0, 0.75), (0.0, 0.4)] {
            let wave = |&cell: &CellId| {
                let Point { x, y } = self.layout.points[cell];
                format!("M{} {}{WAVE}", x - UNIT / 2.0, y + below)
            };
            let paint = stroke(colours::WAVE, 4.0) + &format!(" opacity=\"{opacity}\"");
            path(out, &cells.iter().map(wave).collect::<String>(), &paint);
        }
    }

    /// Walls with battlements, and a tower at every corner.
    fn castle(&self, cells: &[CellId], tone: Tone, out: &mut String) {
        let area = fill(tone.area) + " opacity=\"0.42\"";
        path(out, &self.layout.cells_path(cells.iter().copied()), &area);
        let walls = self.layout.outline_path(cells);
        path(out, &walls, &stroke(colours::WALL, 11.0));
        path(out, &walls, &(stroke(colours::WALL_JOINT, 5.0) + " stroke-dasharray=\"13 7\""));
        let corners = self.layout.outline(cells).concat();
        let tower = |corner: &Point| format!("M{} {}h22v22h-22z", corner.x - 11.0, corner.y - 11.0);
        let paint = format!(
            "fill=\"{}\" stroke=\"{}\" stroke-width=\"3\"",
            colours::WALL,
            colours::WALL_JOINT
        );
        path(out, &corners.iter().map(tower).collect::<String>(), &paint);
    }

    /// A dashed border, and on squares a small flag on every cell.
    fn goal(&self, cells: &[CellId], tone: Tone, out: &mut String) {
        let area = fill(tone.area) + " opacity=\"0.3\"";
        path(out, &self.layout.cells_path(cells.iter().copied()), &area);
        let border = stroke(tone.edge, 4.0) + " stroke-dasharray=\"12 9\" opacity=\"0.65\"";
        path(out, &self.layout.outline_path(cells), &border);
        if self.layout.shape == CellShape::Square {
            let flag = |&cell: &CellId| {
                let Point { x, y } = self.layout.points[cell];
                format!("M{} {}{FLAG}", x - 12.0, y + 24.0)
            };
            let paint = format!(
                "fill=\"{}\" stroke=\"{}\" stroke-width=\"2.5\" opacity=\"0.6\"{ROUND}",
                tone.body, tone.edge
            );
            path(out, &cells.iter().map(flag).collect::<String>(), &paint);
        }
    }

    /// A hole in the ground: the rim, the lit wall and the dark inside.
    fn pits(&self, cells: &[CellId], out: &mut String) {
        let ellipses = [
            (0.0, 43, 41, colours::STONE_DARK),
            (1.0, 38, 36, colours::PIT_WALL),
            (7.0, 34, 29, colours::PIT_DARK),
            (12.0, 25, 19, colours::PIT_DEEP),
        ];
        for &cell in cells {
            let Point { x, y } = self.layout.points[cell];
            for (below, rx, ry, colour) in ellipses {
                let cy = y + below;
                let _ = write!(
                    out,
                    "<ellipse cx=\"{x}\" cy=\"{cy}\" rx=\"{rx}\" ry=\"{ry}\" fill=\"{colour}\"/>"
                );
            }
        }
    }

    /// A block of stone with facets.
    fn stones(&self, cells: &[CellId], out: &mut String) {
        for &cell in cells {
            let Point { x, y } = self.layout.points[cell];
            let _ = write!(out, "<g transform=\"translate({x} {y})\">");
            let body = format!(
                "fill=\"{}\" stroke=\"{}\" stroke-width=\"3\"{ROUND}",
                colours::STONE,
                colours::STONE_DARK
            );
            path(out, STONE, &body);
            path(out, STONE_LIGHT, &fill(colours::STONE_LIGHT));
            path(out, STONE_DARK, &fill(colours::STONE_DARK));
            out.push_str("</g>");
        }
    }

    /// The labels along the edges of a square board.
    fn names(&self, colour: &str, out: &mut String) {
        let Some([columns, rows]) = edge_names(self.scene, self.layout) else { return };
        let (board, frame) = (self.layout.board, self.frame());
        let left = f64::midpoint(frame.x, board.x);
        let below = f64::midpoint(board.y + board.height, frame.y + frame.height);
        let columns = columns.into_iter().map(|(name, at)| (name, at, below));
        let rows = rows.into_iter().map(|(name, at)| (name, left, at));
        for (name, x, y) in columns.chain(rows) {
            let _ = write!(
                out,
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"26\" \
                 font-weight=\"600\" fill=\"{}\">{}</text>",
                y + 9.0,
                colour,
                escaped(&name)
            );
        }
    }
}

/// The radius of a hole in an upright plate: a piece behind it fills it.
const HOLE: f64 = 39.0;
const ROUND: &str = " stroke-linecap=\"round\" stroke-linejoin=\"round\"";
pub(crate) const WAVE: &str = "q12.500-11 25 0t25 0t25 0t25 0";
pub(crate) const FLAG: &str = "v-48h4v3l26 10l-26 10v25z";
pub(crate) const STONE: &str = "M-36 6l8-30l24-14l28 9l14 25l-7 27l-25 15l-30-6z";
pub(crate) const STONE_LIGHT: &str = "M-28-24l24-14l28 9l-17 14l-27 1z";
pub(crate) const STONE_DARK: &str = "M-24 32l30 6l25-15l-17-4l-31 2z";
