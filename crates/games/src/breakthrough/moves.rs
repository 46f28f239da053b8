//! Move generation: three sets of target squares hold all moves of a position.

use agon_core::sink::GO_ON;
use agon_core::{Bitboard, Flow, Rng, Sink, Square, Which};

use super::board::{Board, Cells};
use super::{Breakthrough, Move, RuleSet};

/// The squares that can be entered, apart for each direction.
#[derive(Clone, Copy)]
pub(super) struct Targets<W: Cells> {
    straight: Bitboard<W>,
    to_left: Bitboard<W>,
    to_right: Bitboard<W>,
}

/// Moves a set of squares one row ahead and `side` columns to the right; `UP` is white's way.
#[inline]
fn ahead<W: Cells, const UP: bool>(set: Bitboard<W>, width: usize, side: i32) -> Bitboard<W> {
    if UP { set << (width as i32 + side) as u32 } else { set >> (width as i32 - side) as u32 }
}

impl<W: Cells, R: RuleSet> Breakthrough<W, R> {
    /// The targets of the side to move; `UP` must say whether that is white.
    #[inline]
    pub(super) fn targets<const UP: bool>(&self) -> Targets<W> {
        let board = self.board;
        let (mine, theirs) = (self.pawns[usize::from(!UP)], self.pawns[usize::from(UP)]);
        // Nothing leaves the board: on the far row the game is over.
        let diagonal = if R::DIAGONAL_STEPS { !mine } else { theirs };
        Targets {
            straight: ahead::<W, UP>(mine, board.width, 0) - (mine | theirs),
            to_left: ahead::<W, UP>(mine & board.not_left, board.width, -1) & diagonal,
            to_right: ahead::<W, UP>(mine & board.not_right, board.width, 1) & diagonal,
        }
    }
}

impl<W: Cells> Targets<W> {
    /// Only what `which` asks for: captures and steps onto the far row are noisy.
    #[inline]
    pub(super) fn restrict<R: RuleSet>(self, position: &Breakthrough<W, R>, which: Which) -> Self {
        if which == Which::All {
            return self;
        }
        let (me, them) = (position.turn().index(), position.turn().opponent().index());
        let noisy = position.pawns[them] | position.board.goal[me];
        Targets {
            straight: self.straight & noisy,
            to_left: self.to_left & noisy,
            to_right: self.to_right & noisy,
        }
    }

    /// All squares that can be entered.
    #[inline]
    pub(super) fn union(self) -> Bitboard<W> {
        self.straight | self.to_left | self.to_right
    }

    #[inline]
    pub(super) fn count(self) -> u64 {
        u64::from(self.straight.len() + self.to_left.len() + self.to_right.len())
    }

    #[inline]
    pub(super) fn emit<const UP: bool, S: Sink<Move>>(
        self,
        board: &Board<W>,
        into: &mut S,
    ) -> Flow {
        for to in self.to_left {
            into.push(arriving::<W, UP>(board, to, -1))?;
        }
        for to in self.to_right {
            into.push(arriving::<W, UP>(board, to, 1))?;
        }
        for to in self.straight {
            into.push(arriving::<W, UP>(board, to, 0))?;
        }
        GO_ON
    }

    /// One of the moves, each equally likely.
    #[inline]
    pub(super) fn sample<const UP: bool>(self, board: &Board<W>, rng: &mut Rng) -> Option<Move> {
        let (straight, to_left) = (self.straight.len(), self.to_left.len());
        let all = straight + to_left + self.to_right.len();
        if all == 0 {
            return None;
        }
        let chosen = rng.below(u64::from(all)) as u32;
        let (to, side) = if chosen < straight {
            (self.straight.nth(chosen), 0)
        } else if chosen - straight < to_left {
            (self.to_left.nth(chosen - straight), -1)
        } else {
            (self.to_right.nth(chosen - straight - to_left), 1)
        };
        Some(arriving::<W, UP>(board, to, side))
    }
}

/// The move that arrives on `to` after going `side` columns to the right.
#[inline]
fn arriving<W: Cells, const UP: bool>(board: &Board<W>, to: Square, side: i32) -> Move {
    let step = board.width as i32 * if UP { 1 } else { -1 } + side;
    Move { from: Square::new((to.index() as i32 - step) as usize), to }
}
