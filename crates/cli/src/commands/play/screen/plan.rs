//! The layout of a board in characters.

use agon_core::Scene;
use agon_core::scene::{CellId, CellShape};
use ratatui::layout::{Position, Rect, Size};

use crate::draw::squares::labels;

/// The sizes of a square, the largest first: about twice as wide as high.
const SQUARES: [Size; 5] =
    [Size::new(11, 5), Size::new(9, 4), Size::new(7, 3), Size::new(5, 2), Size::new(3, 1)];

/// The sizes of a hexagon. The widths are even: rows are shifted by half a cell.
const HEXAGONS: [Size; 4] = [Size::new(8, 4), Size::new(6, 3), Size::new(4, 2), Size::new(4, 1)];

/// The distance between rows of hexagons if neighbours have distance 1.
const HEXAGON_ROW: f32 = 0.866_025_4;

/// A text beside the cells.
pub(super) struct Label {
    pub(super) place: Position,
    pub(super) text: String,
}

/// The positions of the cells of a board and their names, relative to the board's corner.
pub(super) struct Plan {
    /// The size of the whole board, names included.
    pub(super) size: Size,
    pub(super) labels: Vec<Label>,
    pub(super) shape: CellShape,
    cell: Size,
    /// Each cell's corner.
    corners: Vec<Position>,
}

/// The position of a cell on the board: half cells to the right, rows down.
type Place = (u16, u16);

impl Plan {
    /// The largest plan that fits, if any. The board is turned this many times.
    pub(super) fn largest(scene: &Scene, turns: usize, room: Size) -> Option<Plan> {
        let fits = |plan: &Plan| plan.size.width <= room.width && plan.size.height <= room.height;
        sizes(scene.shape).iter().map(|&cell| Plan::new(scene, turns, cell)).find(fits)
    }

    /// The smallest plan.
    pub(super) fn smallest(scene: &Scene, turns: usize) -> Plan {
        let sizes = sizes(scene.shape);
        Plan::new(scene, turns, sizes[sizes.len() - 1])
    }

    fn new(scene: &Scene, turns: usize, cell: Size) -> Plan {
        let places = places(scene, turns);
        let corner =
            |&(halves, row): &Place| Position::new(halves * cell.width / 2, row * cell.height);
        let corners: Vec<Position> = places.iter().map(corner).collect();
        let names = match scene.shape {
            CellShape::Square | CellShape::Hole => square_names(scene, &places, &corners, cell),
            CellShape::Hexagon => hexagon_names(scene, &places, &corners, cell),
        };
        let right = corners.iter().map(|corner| i32::from(corner.x + cell.width));
        let end = |(x, _, text): &(i32, u16, String)| x + text.chars().count() as i32;
        let right = right.chain(names.iter().map(end)).max().unwrap_or(0);
        let below = corners.iter().map(|corner| corner.y + cell.height);
        let below = below.chain(names.iter().map(|(_, y, _)| y + 1)).max().unwrap_or(0);
        // Names on the left push the cells to the right.
        let margin = -names.iter().map(|(x, _, _)| *x).min().unwrap_or(0).min(0);
        let shifted = |corner: Position| Position::new(corner.x + margin as u16, corner.y);
        let label = |(x, y, text)| Label { place: Position::new((x + margin) as u16, y), text };
        Plan {
            size: Size::new((right + margin) as u16, below),
            labels: names.into_iter().map(label).collect(),
            shape: scene.shape,
            cell,
            corners: corners.into_iter().map(shifted).collect(),
        }
    }

    /// Where a cell is.
    pub(super) fn area(&self, cell: CellId) -> Option<Rect> {
        let corner = self.corners.get(cell)?;
        Some(Rect::from((*corner, self.cell)))
    }

    /// The cell at this position.
    pub(super) fn cell_at(&self, place: Position) -> Option<CellId> {
        (0..self.corners.len()).find(|&id| self.area(id).is_some_and(|it| it.contains(place)))
    }

    /// The next cell in the same row, to the left or to the right.
    pub(super) fn beside(&self, cell: CellId, right: bool) -> Option<CellId> {
        let here = self.corners.get(cell)?;
        let ahead = |id: &CellId| {
            let there = self.corners[*id];
            there.y == here.y && if right { there.x > here.x } else { there.x < here.x }
        };
        let cells = (0..self.corners.len()).filter(ahead);
        cells.min_by_key(|&id| self.corners[id].x.abs_diff(here.x))
    }

    /// The cell in the next row up or down that is nearest to a column.
    pub(super) fn across(&self, cell: CellId, down: bool, column: u16) -> Option<CellId> {
        let here = self.corners.get(cell)?;
        let ahead = |id: &CellId| {
            let there = self.corners[*id].y;
            if down { there > here.y } else { there < here.y }
        };
        let cells = (0..self.corners.len()).filter(ahead);
        cells.min_by_key(|&id| {
            (self.corners[id].y.abs_diff(here.y), self.corners[id].x.abs_diff(column))
        })
    }

    /// The column of a cell.
    pub(super) fn column(&self, cell: CellId) -> u16 {
        self.corners.get(cell).map_or(0, |corner| corner.x)
    }
}

fn sizes(shape: CellShape) -> &'static [Size] {
    match shape {
        CellShape::Square | CellShape::Hole => &SQUARES,
        CellShape::Hexagon => &HEXAGONS,
    }
}

/// A point after turning the board clockwise, as on the pages.
fn turned(shape: CellShape, turns: usize, (x, y): (f32, f32)) -> (f32, f32) {
    let angle = std::f32::consts::TAU * turns as f32 / shape.full_circle() as f32;
    (x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin())
}

fn places(scene: &Scene, turns: usize) -> Vec<Place> {
    let row = match scene.shape {
        CellShape::Square | CellShape::Hole => 1.0,
        CellShape::Hexagon => HEXAGON_ROW,
    };
    let points = scene.cells.iter().map(|cell| turned(scene.shape, turns, (cell.x, cell.y)));
    let points: Vec<(f32, f32)> = points.collect();
    let left = points.iter().map(|point| point.0).fold(f32::INFINITY, f32::min);
    let top = points.iter().map(|point| point.1).fold(f32::NEG_INFINITY, f32::max);
    let place =
        |(x, y): (f32, f32)| (((x - left) * 2.0).round() as u16, ((top - y) / row).round() as u16);
    points.into_iter().map(place).collect()
}

/// The row in a cell where its letter is.
pub(super) fn letter_row(height: u16) -> u16 {
    (height - 1) / 2
}

/// Ranks on the left, files below.
fn square_names(
    scene: &Scene,
    places: &[Place],
    corners: &[Position],
    cell: Size,
) -> Vec<(i32, u16, String)> {
    let below = corners.iter().map(|corner| corner.y + cell.height).max().unwrap_or(0);
    let mut names = Vec::new();
    for ((it, place), corner) in scene.cells.iter().zip(places).zip(corners) {
        let (file, rank) = labels(&it.name);
        if place.0 == 0 {
            let x = -(rank.chars().count() as i32) - 1;
            names.push((x, corner.y + letter_row(cell.height), rank.to_string()));
        }
        if corner.y + cell.height == below {
            let middle = (cell.width - file.chars().count() as u16).div_ceil(2);
            names.push((i32::from(corner.x + middle), below, file.to_string()));
        }
    }
    names
}

/// The names of the first and the last cell of every row, beside them.
fn hexagon_names(
    scene: &Scene,
    places: &[Place],
    corners: &[Position],
    cell: Size,
) -> Vec<(i32, u16, String)> {
    let rows = 1 + places.iter().map(|place| place.1).max().unwrap_or(0);
    let mut names = Vec::new();
    for row in 0..rows {
        let cells = || (0..places.len()).filter(|&id| places[id].1 == row);
        let (first, last) =
            (cells().min_by_key(|&id| places[id].0), cells().max_by_key(|&id| places[id].0));
        let y = row * cell.height + letter_row(cell.height);
        if let Some(id) = first {
            let name = &scene.cells[id].name;
            names.push((i32::from(corners[id].x) - name.len() as i32 - 1, y, name.clone()));
        }
        if let Some(id) = last {
            let x = i32::from(corners[id].x + cell.width);
            names.push((x, y, scene.cells[id].name.clone()));
        }
    }
    names
}
