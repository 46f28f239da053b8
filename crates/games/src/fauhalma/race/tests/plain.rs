//! The same numbers from a search that shares nothing with the table: coordinates, loops and sets.

use std::collections::HashSet;

use agon_core::Rng;

use super::*;
use crate::fauhalma::board::{Space, space};

type Cell = (i8, i8);
type Pegs = [Cell; 6];

const DIRECTIONS: [Cell; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
const HOME_CELLS: Pegs = [(-3, 4), (-3, 5), (-3, 6), (-2, 4), (-2, 5), (-1, 4)];

fn is_space(is_rhombus: bool, (x, y): Cell) -> bool {
    let z = -x - y;
    let in_star = x.max(y).max(z) <= 3 || x.min(y).min(z) >= -3;
    in_star && (x, y) != (0, 0) && (!is_rhombus || (x.abs() <= 3 && z.abs() <= 3))
}

/// All placements one move away.
fn neighbours(is_rhombus: bool, pegs: &Pegs) -> Vec<Pegs> {
    let free = |cell: Cell| is_space(is_rhombus, cell) && !pegs.contains(&cell);
    let mut found = Vec::new();
    for (moving, &from) in pegs.iter().enumerate() {
        let is_hurdle = |cell| cell == (0, 0) || (cell != from && pegs.contains(&cell));
        let mut ends: Vec<Cell> = vec![from];
        let mut next = 0;
        while next < ends.len() {
            let (x, y) = ends[next];
            next += 1;
            for (dx, dy) in DIRECTIONS {
                let (over, to) = ((x + dx, y + dy), (x + 2 * dx, y + 2 * dy));
                if is_hurdle(over) && free(to) && !ends.contains(&to) {
                    ends.push(to);
                }
            }
        }
        let steps = DIRECTIONS.map(|(dx, dy)| (from.0 + dx, from.1 + dy));
        for to in steps.into_iter().filter(|&to| free(to)).chain(ends.into_iter().skip(1)) {
            let mut after = *pegs;
            after[moving] = to;
            after.sort();
            found.push(after);
        }
    }
    found
}

/// The placements exactly 0, 1, 2 … moves away, up to `most`.
fn levels(is_rhombus: bool, from: Pegs, most: usize) -> Vec<HashSet<Pegs>> {
    let mut levels: Vec<HashSet<Pegs>> = vec![HashSet::from([from])];
    while levels.len() <= most {
        let last = levels.len() - 1;
        let next = levels[last].iter().flat_map(|pegs| neighbours(is_rhombus, pegs));
        let is_new =
            |pegs: &Pegs| levels[last.saturating_sub(1)..].iter().all(|l| !l.contains(pegs));
        levels.push(next.filter(is_new).collect());
    }
    levels
}

fn cells(pegs: Set) -> Pegs {
    let mut cells = [(0, 0); 6];
    for (cell, peg) in cells.iter_mut().zip(pegs) {
        let Space { x, y } = space(peg);
        *cell = (x, y);
    }
    cells.sort();
    cells
}

/// Compares the table with random placements at most `farthest` moves from home.
pub(super) fn compare(known: &Known, farthest: usize, placements: usize) {
    const NEAR: usize = 6;
    let board = known.board;
    let is_rhombus = board.name == "rhombus";
    let near = levels(is_rhombus, HOME_CELLS, NEAR);
    let mut rng = Rng::new(7);
    let (mut compared, mut beyond) = (0, 0);
    while compared < placements {
        let pegs = random_placement(board, &mut rng);
        let moves = usize::from(known.moves_of(pegs));
        if moves > farthest {
            continue;
        }
        let around = levels(is_rhombus, cells(pegs), moves.saturating_sub(NEAR));
        let sum = around.iter().enumerate().flat_map(|(away, level)| {
            let meets =
                |(_, near): &(usize, &HashSet<Pegs>)| level.iter().any(|pegs| near.contains(pegs));
            near.iter().enumerate().find(meets).map(|(moves, _)| away + moves)
        });
        assert_eq!(sum.min(), Some(moves), "{pegs:?}");
        compared += 1;
        beyond += usize::from(moves > NEAR);
    }
    assert!(beyond > placements / 2, "{beyond}");
}

/// Whether a placement of one set is also in the other, rotated by half a turn: distances from the
/// start are distances from the home, seen from the other side.
fn meets(from_home: &HashSet<Pegs>, from_start: &HashSet<Pegs>) -> bool {
    from_home.iter().any(|pegs| {
        let mut turned = pegs.map(|(x, y)| (-x, -y));
        turned.sort();
        from_start.contains(&turned)
    })
}

#[test]
fn the_whole_way_takes_sixteen_moves() {
    // The star takes a long time.
    let boards = if std::env::var_os("AGON_SOAK").is_some() { 2 } else { 1 };
    let known = [(true, &RHOMBUS_LEVELS[..9]), (false, &STAR_LEVELS[..9])];
    for (is_rhombus, known) in known.into_iter().take(boards) {
        let levels = levels(is_rhombus, HOME_CELLS, 8);
        assert!(!meets(&levels[8], &levels[7]), "15 moves");
        assert!(meets(&levels[8], &levels[8]), "16 moves");
        assert!(levels.iter().zip(known).all(|(level, known)| level.len() as u64 == *known));
    }
}

#[test]
fn the_star_begins_as_it_should() {
    let levels = levels(false, HOME_CELLS, 6);
    assert!(levels.iter().zip(STAR_LEVELS).all(|(level, known)| level.len() as u64 == known));
}
