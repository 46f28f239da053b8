//! Bounds and estimates for the solo race without its table.
//!
//! The small tables below hold the minimum number of moves over all placements on the star that
//! share a feature. A placement never needs fewer, nor does one on the rhombus, where there is less
//! room.

use super::super::PEGS;
use super::super::board::{INDICES, SPACES, Set, Space};
use super::super::evaluation::steps_to_nearest;
use super::HOME;

/// The rows of the star, counted from the outermost space of the home.
const ROWS: usize = 13;
/// The number of different distances from the middle.
const SIDES: usize = 5;
/// The sums of six pegs' rows: one peg in the last row, two in the one before, three in the next.
const ROW_SUMS: usize = 12 + 2 * 11 + 3 * 10 + 1;

/// No placement has this feature.
const NONE: u8 = 0;

/// The minimum number of moves by the row of the last peg and the number of pegs outside the home.
#[rustfmt::skip]
const BY_REAR: [[u8; PEGS + 1]; ROWS] = [
    [NONE; PEGS + 1],
    [NONE; PEGS + 1],
    [0, NONE, NONE, NONE, NONE, NONE, NONE],
    [NONE, 1, 2, 3, 4, 5, 7],
    [NONE, 2, 2, 3, 4, 5, 6],
    [NONE, 3, 3, 3, 4, 5, 6],
    [NONE, 4, 4, 4, 4, 5, 6],
    [NONE, 4, 3, 3, 4, 5, 6],
    [NONE, 5, 4, 4, 5, 6, 7],
    [NONE, 6, 5, 5, 6, 6, 7],
    [NONE, 7, 6, 6, 7, 7, 8],
    [NONE, 8, 7, 7, 7, 8, 9],
    [NONE, 9, 8, 8, 8, 9, 10],
];

/// The minimum number of moves by the sum of all pegs' rows.
#[rustfmt::skip]
const BY_ROW_SUM: [u8; ROW_SUMS] = [
    NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
    0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 5, 6, 6, 6, 7, 6, 7, 7,
    7, 8, 8, 9, 8, 9, 9, 9, 10, 9, 10, 10, 11, 11, 11, 12, 11, 12, 12, 12, 12, 13, 14, 14,
    14, 14, 15, 16,
];

/// The minimum number of moves with a peg in this row at this distance from the middle.
#[rustfmt::skip]
const BY_PLACE: [[u8; SIDES]; ROWS] = [
    [0; SIDES],
    [0; SIDES],
    [0; SIDES],
    [1, 1, 2, 3, 4],
    [2, 2, 2, 3, 4],
    [3, 3, 3, 4, NONE],
    [NONE, 4, 4, 4, NONE],
    [3, 4, 5, 5, NONE],
    [4, 4, 5, 6, 6],
    [5, 5, 6, 7, 7],
    [6, 6, NONE, NONE, NONE],
    [7, NONE, NONE, NONE, NONE],
    [8, NONE, NONE, NONE, NONE],
];

/// A lower bound on the moves of a placement, from the first seat's point of view.
#[cfg(test)]
pub(super) fn bound(pegs: Set) -> u8 {
    Look::at(pegs).bound()
}

/// The row of the last peg, from the first seat's point of view.
pub(super) fn last_row(pegs: Set) -> i32 {
    let rows = pegs.into_iter().map(|peg| i32::from(PLACES[peg.index()].0));
    rows.max().unwrap_or(0)
}

/// An estimate of the moves, in hundredths, from the first seat's point of view: linear, fitted to
/// the exact moves of placements in games on the star, with a mean error of half a move. Never
/// below the bound.
pub(super) fn estimate(pegs: Set) -> i32 {
    if pegs == HOME {
        return 0;
    }
    let look = Look::at(pegs);
    let to_gaps = steps_to_nearest(pegs - HOME, HOME - pegs);
    let guess = ESTIMATE_BASE
        + ESTIMATE_OUTSIDE * look.outside as i32
        + ESTIMATE_STEP_TO_GAP * to_gaps
        + ESTIMATE_REAR * look.rear as i32
        + look.aside;
    guess.max(MOVE * i32::from(look.bound()))
}

/// A move.
pub(in super::super) const MOVE: i32 = 100;

const ESTIMATE_BASE: i32 = -157;
/// For a peg outside the home.
const ESTIMATE_OUTSIDE: i32 = 40;
/// For a step of a peg outside to the nearest gap of the home.
const ESTIMATE_STEP_TO_GAP: i32 = 13;
/// For a row of the last peg.
const ESTIMATE_REAR: i32 = 67;
/// For a peg at this distance from the middle.
const ESTIMATE_ASIDE: [i32; SIDES] = [0, 26, 81, 144, 144];

/// The features the tables are indexed by.
struct Look {
    /// The row of the last peg.
    rear: usize,
    /// The pegs outside the home.
    outside: usize,
    row_sum: usize,
    /// The largest bound by any peg's place.
    by_place: u8,
    /// What the pegs' distances from the middle add to the estimate.
    aside: i32,
}

impl Look {
    #[inline]
    fn at(pegs: Set) -> Look {
        let outside = (pegs - HOME).len() as usize;
        let mut look = Look { rear: 0, outside, row_sum: 0, by_place: 0, aside: 0 };
        for peg in pegs {
            let (row, side) = PLACES[peg.index()];
            let (row, side) = (usize::from(row), usize::from(side));
            look.rear = look.rear.max(row);
            look.row_sum += row;
            look.by_place = look.by_place.max(BY_PLACE[row][side]);
            look.aside += ESTIMATE_ASIDE[side];
        }
        look
    }

    fn bound(&self) -> u8 {
        let by_rear = BY_REAR[self.rear][self.outside];
        by_rear.max(BY_ROW_SUM[self.row_sum]).max(self.by_place)
    }
}

/// The row of every cell and its distance from the middle, in whole spaces rounded down.
static PLACES: [(u8, u8); INDICES] = places();

const fn places() -> [(u8, u8); INDICES] {
    let mut places = [(0, 0); INDICES];
    let mut index = 0;
    while index < INDICES {
        let Space { x, y } = SPACES[index];
        places[index] = ((6 - y) as u8, (2 * x + y).unsigned_abs() / 2);
        index += 1;
    }
    places
}
