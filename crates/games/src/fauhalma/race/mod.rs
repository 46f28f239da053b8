//! The solo race: how many moves a player needs to fill its home when alone on the board.
//!
//! There are few enough placements of six pegs to compute it for all of them: a table of one byte
//! each, made by [`build`] and registered by [`install`]. Everything is in the frame of the first
//! seat; the others' pegs are rotated.

mod bound;
mod build;
mod rank;
mod run;
#[cfg(test)]
mod tests;

use agon_core::Variant;

use super::board::{Board, RHOMBUS, STAR, Set, homes};
use super::notation::{NAME, read_setup};

pub(super) use bound::MOVE;
pub use build::{Progress, Stopped, build};
pub(super) use rank::Ranking;

/// Why a table was rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It does not have a byte for every placement.
    Length,
    /// There is one already.
    Installed,
}

/// Registers the exact moves of all placements on a board, as made by [`build`]. From then on all
/// positions on that board use them; this can be done only once.
pub fn install(shape: Shape, table: &'static [u8]) -> Result<(), Refused> {
    shape.board().install(table)
}

impl Board {
    fn install(&self, table: &'static [u8]) -> Result<(), Refused> {
        if table.len() != self.ranking.count() {
            return Err(Refused::Length);
        }
        self.solo.set(table).map_err(|_| Refused::Installed)
    }
}

/// The home in the frame of the tables.
const HOME: Set = homes::<2>()[0];

/// The boards that have tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// All 72 spaces.
    Star,
    /// The 48 spaces without the side corners.
    Rhombus,
}

impl Shape {
    /// Both shapes, the smaller first.
    pub const ALL: [Shape; 2] = [Shape::Rhombus, Shape::Star];

    /// The board of a variant, if it is one of this game.
    pub fn of(variant: &Variant) -> Option<Shape> {
        if variant.game() != NAME {
            return None;
        }
        let setup = read_setup(variant).ok()?;
        Shape::ALL.into_iter().find(|shape| shape.board() == setup.board)
    }

    /// The name, as in the variants' texts.
    pub fn name(self) -> &'static str {
        self.board().name
    }

    /// How many placements there are, and bytes in the table.
    pub fn placements(self) -> usize {
        self.board().ranking.count()
    }

    fn board(self) -> &'static Board {
        match self {
            Shape::Star => &STAR,
            Shape::Rhombus => &RHOMBUS,
        }
    }
}
