//! Boards of hexagons: each row is a line, shifted by half a cell against its neighbours.

use std::collections::BTreeMap;

use agon_core::Scene;

use super::palette::{Colours, DIM, mark};
use super::styled;

/// Two characters per cell: as characters are twice as high as wide, the angles come out right.
const WIDTH: f32 = 2.0;

/// The distance between rows if neighbouring cells have distance 1.
const ROW_HEIGHT: f32 = 0.866_025_4;

/// Draws the board from the top row down, each row with its `y` on the left and its range of `x`
/// on the right.
pub(super) fn draw(scene: &Scene, colours: &Colours) -> String {
    let left = scene.cells.iter().map(|cell| cell.x).fold(f32::INFINITY, f32::min);
    let mut rows: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    for (id, cell) in scene.cells.iter().enumerate() {
        rows.entry(-(cell.y / ROW_HEIGHT).round() as i32).or_default().push(id);
    }
    let column = |id: usize| ((scene.cells[id].x - left) * WIDTH).round() as usize;
    let width = 1 + (0..scene.cells.len()).map(column).max().unwrap_or(0);
    let mut text = styled(DIM, &format!("{:>4}\n", "y"));
    for row in rows.values_mut() {
        row.sort_by_key(|&id| column(id));
        let (mut line, mut at) = (String::new(), 0);
        for &id in row.iter() {
            let gap = " ".repeat(column(id) - at);
            line += &if at > 0 { styled(colours.cell(None, false), &gap) } else { gap };
            line += &cell(scene, colours, id);
            at = column(id) + 1;
        }
        let name = |id: &usize| scene.cells[*id].name.split_once(',').unwrap_or(("", ""));
        let (first, last) = (name(&row[0]), name(&row[row.len() - 1]));
        let padding = " ".repeat(width + 2 - at);
        let range = if first.0 == last.0 {
            first.0.to_string()
        } else {
            format!("{} to {}", first.0, last.0)
        };
        text += &styled(DIM, &format!("{:>4}  ", first.1));
        text += &line;
        text += &styled(DIM, &format!("{padding}x {range}\n"));
    }
    text
}

fn cell(scene: &Scene, colours: &Colours, id: usize) -> String {
    let piece = scene.pieces.iter().find(|piece| piece.cell == id);
    let region = scene
        .regions
        .iter()
        .find(|region| region.cells.contains(&id))
        .map(|region| (region.kind, region.owner));
    match piece {
        Some(piece) => styled(colours.man(piece.owner), &piece.letter.to_string()),
        None => {
            let mark = region.and_then(|(kind, owner)| mark(kind, owner)).unwrap_or('.');
            styled(colours.cell(region, false), &mark.to_string())
        }
    }
}
