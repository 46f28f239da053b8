//! Coordinates in the picture. In a scene y points up and a cell has size 1; in the picture y
//! points down and a cell has size [`UNIT`].

use agon_core::Scene;
use agon_core::scene::{CellId, CellShape};

/// The side of a square, or the distance between two neighbours.
pub const UNIT: f64 = 100.0;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// The centres of all cells, and their bounding box.
pub struct Layout {
    pub shape: CellShape,
    pub points: Vec<Point>,
    pub board: Rect,
}

impl Layout {
    pub fn new(scene: &Scene) -> Layout {
        let at =
            |x: f32, y: f32| Point { x: tidy(f64::from(x) * UNIT), y: tidy(f64::from(-y) * UNIT) };
        let points: Vec<Point> = scene.cells.iter().map(|cell| at(cell.x, cell.y)).collect();
        let half = match scene.shape {
            CellShape::Hexagon => UNIT / 3f64.sqrt(),
            CellShape::Square | CellShape::Hole => UNIT / 2.0,
        };
        let least = |of: fn(&Point) -> f64| points.iter().map(of).fold(0.0, f64::min) - half;
        let most = |of: fn(&Point) -> f64| points.iter().map(of).fold(0.0, f64::max) + half;
        let (x, y) = (least(|point| point.x), least(|point| point.y));
        let (right, below) = (most(|point| point.x), most(|point| point.y));
        let board =
            Rect { x: tidy(x), y: tidy(y), width: tidy(right - x), height: tidy(below - y) };
        Layout { shape: scene.shape, points, board }
    }

    /// The corners of a cell, clockwise from the top left, or from the top for a hexagon.
    fn corners(&self, cell: CellId) -> Vec<Point> {
        let (count, first, radius) = match self.shape {
            CellShape::Hexagon => (6, -90.0, UNIT / 3f64.sqrt()),
            CellShape::Square | CellShape::Hole => (4, -135.0, UNIT / 2f64.sqrt()),
        };
        let Point { x, y } = self.points[cell];
        let corner = |index: u32| {
            let angle = (first + f64::from(index) * 360.0 / f64::from(count)).to_radians();
            Point { x: tidy(x + radius * angle.cos()), y: tidy(y + radius * angle.sin()) }
        };
        (0..count).map(corner).collect()
    }

    /// A path around every one of these cells.
    pub(crate) fn cells_path(&self, cells: impl IntoIterator<Item = CellId>) -> String {
        cells.into_iter().map(|cell| closed(&self.corners(cell))).collect()
    }

    /// The closed lines around a set of cells as a whole; straight runs are one line.
    pub(crate) fn outline(&self, cells: &[CellId]) -> Vec<Vec<Point>> {
        let mut edges: Vec<(Point, Point)> = Vec::new();
        for &cell in cells {
            let ring = self.corners(cell);
            for (index, &from) in ring.iter().enumerate() {
                let to = ring[(index + 1) % ring.len()];
                // An edge that occurs in both directions lies inside.
                match edges.iter().position(|edge| near(edge.0, to) && near(edge.1, from)) {
                    Some(met) => drop(edges.remove(met)),
                    None => edges.push((from, to)),
                }
            }
        }
        let mut loops = Vec::new();
        while !edges.is_empty() {
            loops.push(without_straight(&take_loop(&mut edges)));
        }
        loops
    }

    /// The same as a path.
    pub(crate) fn outline_path(&self, cells: &[CellId]) -> String {
        self.outline(cells).iter().map(|ring| closed(ring)).collect()
    }

    /// Lines between the centres of all neighbours.
    pub(crate) fn neighbour_lines(&self) -> String {
        let mut lines = String::new();
        for (index, one) in self.points.iter().enumerate() {
            for other in &self.points[index + 1..] {
                if (one.x - other.x).hypot(one.y - other.y) <= UNIT * 1.1 {
                    lines.push_str(&format!("M{} {}L{} {}", one.x, one.y, other.x, other.y));
                }
            }
        }
        lines
    }
}

fn take_loop(edges: &mut Vec<(Point, Point)>) -> Vec<Point> {
    let mut ring = Vec::new();
    let mut next = (!edges.is_empty()).then_some(0);
    while let Some(index) = next {
        let (from, to) = edges.remove(index);
        ring.push(from);
        next = edges.iter().position(|edge| near(edge.0, to));
    }
    ring
}

fn without_straight(ring: &[Point]) -> Vec<Point> {
    let bends = |index: usize| {
        let before = ring[(index + ring.len() - 1) % ring.len()];
        let (point, after) = (ring[index], ring[(index + 1) % ring.len()]);
        let bend =
            (point.x - before.x) * (after.y - point.y) - (point.y - before.y) * (after.x - point.x);
        bend.abs() > 1.0
    };
    (0..ring.len()).filter(|&index| bends(index)).map(|index| ring[index]).collect()
}

/// A closed path through these points.
fn closed(ring: &[Point]) -> String {
    format!("M{}Z", pairs(ring))
}

/// Points as the coordinates of lines.
pub fn pairs(points: &[Point]) -> String {
    let pairs: Vec<String> =
        points.iter().map(|point| format!("{} {}", point.x, point.y)).collect();
    pairs.join("L")
}

fn near(one: Point, other: Point) -> bool {
    (one.x - other.x).hypot(one.y - other.y) <= 1.0
}

/// Rounds, so that rounding errors do not show and zero has no sign.
fn tidy(value: f64) -> f64 {
    (value * 10.0).round() / 10.0 + 0.0
}

/// The parts of the cells' names shared by a column and by a row, with their coordinates:
/// `c` and `4` of `c4`, or the two numbers of `2,3`.
pub(crate) fn edge_names(scene: &Scene, layout: &Layout) -> Option<[Vec<(String, f64)>; 2]> {
    let named: Vec<([&str; 2], Point)> = scene
        .cells
        .iter()
        .zip(&layout.points)
        .map(|(cell, point)| Some((name_parts(&cell.name)?, *point)))
        .collect::<Option<_>>()?;
    let first = named.first()?;
    let mut column = named.iter().filter(|(_, point)| point.x == first.1.x);
    let part = usize::from(!column.all(|(parts, _)| parts[0] == first.0[0]));
    let (mut columns, mut rows) = (Vec::new(), Vec::new());
    for (parts, point) in &named {
        for (names, part, at) in [(&mut columns, part, point.x), (&mut rows, 1 - part, point.y)] {
            if !names.iter().any(|(_, known): &(String, f64)| *known == at) {
                names.push((parts[part].to_string(), at));
            }
        }
    }
    Some([columns, rows])
}

fn name_parts(name: &str) -> Option<[&str; 2]> {
    let is_number = |text: &str| text.parse::<i32>().is_ok();
    if let Some((one, other)) = name.split_once(',') {
        return (is_number(one) && is_number(other)).then_some([one, other]);
    }
    let (letters, digits) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
    let is_word = !letters.is_empty() && letters.chars().all(|c| c.is_ascii_lowercase());
    (is_word && is_number(digits)).then_some([letters, digits])
}
