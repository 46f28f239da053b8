//! The solo race: how many moves a player needs to fill its home when alone on the board.
//!
//! There are few enough placements of six pegs to compute it for all of them: a table of one byte
//! each for either board. Everything is in the frame of the first seat; the others' pegs are
//! rotated.

mod bound;
mod build;
mod rank;
mod run;
#[cfg(test)]
mod tests;

use agon_core::Variant;

use super::board::{Board, RHOMBUS, STAR, Set, homes};
use super::notation::read_setup;
use crate::tables::TableInfo;

pub(super) use bound::MOVE;
use build::build;
pub(super) use rank::Ranking;

/// The home in the frame of the tables.
const HOME: Set = homes::<2>()[0];

/// What the tables hold.
const KIND: &str = "race";

/// The tables, in the order of [`Board::table`].
pub(super) const TABLES: &[TableInfo] = &[
    TableInfo {
        name: "rhombus",
        kind: KIND,
        entries: || RHOMBUS.ranking.count(),
        serves: |variant| is_on(variant, &RHOMBUS),
        build: |threads, report| build(&RHOMBUS, threads, report),
    },
    TableInfo {
        name: "star",
        kind: KIND,
        entries: || STAR.ranking.count(),
        serves: |variant| is_on(variant, &STAR),
        build: |threads, report| build(&STAR, threads, report),
    },
];

/// Whether a variant is played on this board.
fn is_on(variant: &Variant, board: &Board) -> bool {
    read_setup(variant).is_ok_and(|setup| setup.board == board)
}
