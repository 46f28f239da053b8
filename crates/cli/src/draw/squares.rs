//! Boards of squares: one line per row, files below and ranks on both sides.

use agon_core::Scene;
use agon_core::scene::{CellShape, RegionKind};

use super::palette::{Colours, DIM, mark};
use super::styled;

/// Draws the board from the top row down.
pub(super) fn draw(scene: &Scene, colours: &Colours) -> String {
    let columns = 1 + scene.cells.iter().map(|cell| cell.x as usize).max().unwrap_or(0);
    let rows = 1 + scene.cells.iter().map(|cell| cell.y as usize).max().unwrap_or(0);
    let mut grid = vec![vec![None; columns]; rows];
    for (id, cell) in scene.cells.iter().enumerate() {
        grid[cell.y as usize][cell.x as usize] = Some(id);
    }
    let name = |x: usize, y: usize| grid[y][x].map_or(("", ""), |id| labels(&scene.cells[id].name));
    let header: String = (0..columns).map(|x| format!("{:^3}", name(x, 0).0)).collect();
    let header = styled(DIM, &format!("    {header}"));
    let mut text = format!("{header}\n");
    for y in (0..rows).rev() {
        let rank = name(0, y).1;
        text += &styled(DIM, &format!("{rank:>3} "));
        for (x, id) in grid[y].iter().enumerate() {
            match id {
                Some(id) => text += &cell(scene, colours, *id, (x + y) % 2 == 0),
                None => text += "   ",
            }
        }
        text += &styled(DIM, &format!(" {rank}\n"));
    }
    text + &header + "\n"
}

fn cell(scene: &Scene, colours: &Colours, id: usize, dark: bool) -> String {
    let piece = scene.pieces.iter().find(|piece| piece.cell == id);
    let region = scene
        .regions
        .iter()
        .find(|region| region.kind != RegionKind::Goal && region.cells.contains(&id))
        .map(|region| (region.kind, region.owner));
    let ground = match scene.shape {
        CellShape::Hole => Colours::plate(),
        _ => colours.cell(region, dark),
    };
    match piece {
        Some(piece) => {
            let man = styled(colours.man(piece.owner), &piece.letter.to_string());
            format!("{ground} {ground:#}{man}{ground} {ground:#}")
        }
        None => {
            let mark = region.and_then(|(kind, owner)| mark(kind, owner)).unwrap_or('.');
            styled(ground, &format!(" {mark} "))
        }
    }
}

/// The parts of a cell's name that its column and its row share: `b` and `3` of `b3`, or column
/// 2 and row 3 of `3,2`.
pub(crate) fn labels(name: &str) -> (&str, &str) {
    match name.split_once(',') {
        Some((row, column)) => (column, row),
        None => name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len())),
    }
}
