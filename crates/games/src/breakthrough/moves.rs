//! Move generation: three sets of target squares hold all moves of a position.

use agon_core::sink::GO_ON;
use agon_core::{Bitboard, Flow, Rng, Sink, Square, Which};

use super::board::{Board, Cells};
use super::{Breakthrough, Move, RuleSet, WHITE};

/// The squares that can be entered, separately for each direction.
#[derive(Clone, Copy)]
pub(super) struct Targets<W: Cells> {
    straight: Bitboard<W>,
    to_left: Bitboard<W>,
    to_right: Bitboard<W>,
}

/// Moves a set of squares one row ahead and `side` columns to the right; `UP` is white's way.
#[inline]
pub(super) fn ahead<W: Cells, const UP: bool>(
    set: Bitboard<W>,
    width: usize,
    side: i32,
) -> Bitboard<W> {
    if UP { set << (width as i32 + side) as u32 } else { set >> (width as i32 - side) as u32 }
}

impl<W: Cells, R: RuleSet> Breakthrough<W, R> {
    /// The targets of the side to move; `UP` must be whether that is white.
    #[inline]
    pub(super) fn targets<const UP: bool>(&self) -> Targets<W> {
        let board = self.board;
        let (mine, theirs) = (self.pawns[usize::from(!UP)], self.pawns[usize::from(UP)]);
        // No pawn leaves the board: on the far row the game is over.
        let diagonal = if R::DIAGONAL_STEPS { !mine } else { theirs };
        Targets {
            straight: ahead::<W, UP>(mine, board.width, 0) - (mine | theirs),
            to_left: ahead::<W, UP>(mine & board.not_left, board.width, -1) & diagonal,
            to_right: ahead::<W, UP>(mine & board.not_right, board.width, 1) & diagonal,
        }
    }
}

impl<W: Cells, R: RuleSet> Breakthrough<W, R> {
    /// The squares one row before the goal of the side to move from which the next move wins: no
    /// pawn can capture there, and none blocks the way for good.
    #[inline]
    pub(super) fn thresholds(&self) -> Bitboard<W> {
        match self.turn() {
            WHITE => self.thresholds_of::<true>(),
            _ => self.thresholds_of::<false>(),
        }
    }

    #[inline]
    fn thresholds_of<const UP: bool>(&self) -> Bitboard<W> {
        let (board, me) = (self.board, usize::from(!UP));
        let guards = self.pawns[1 - me] & board.goal[me];
        let by = board.width as u32;
        let right_below = if UP { guards >> by } else { guards << by };
        let attacked = ahead_of_guards::<W, UP>(guards, board);
        // With diagonal steps a pawn gets past a single guard.
        let stopped = if R::DIAGONAL_STEPS { attacked } else { attacked | right_below };
        board.rows_to_go[me][1] - stopped
    }
}

/// What the pawns on the far row attack; `UP` is the direction of the side that wants to get there.
#[inline]
fn ahead_of_guards<W: Cells, const UP: bool>(guards: Bitboard<W>, board: &Board<W>) -> Bitboard<W> {
    if UP {
        Attacks::of::<false>(guards, board).once
    } else {
        Attacks::of::<true>(guards, board).once
    }
}

/// The squares that a set of pawns attacks.
#[derive(Clone, Copy)]
pub(super) struct Attacks<W: Cells> {
    /// Attacked at least once.
    pub(super) once: Bitboard<W>,
    /// Attacked from both sides.
    pub(super) twice: Bitboard<W>,
}

impl<W: Cells> Attacks<W> {
    /// The attacks of pawns that move up, or down; none of them is on its far row.
    #[inline]
    pub(super) fn of<const UP: bool>(pawns: Bitboard<W>, board: &Board<W>) -> Self {
        let left = ahead::<W, UP>(pawns & board.not_left, board.width, -1);
        let right = ahead::<W, UP>(pawns & board.not_right, board.width, 1);
        Attacks { once: left | right, twice: left & right }
    }

    /// The squares that these attack more often than `others` do: there, this side wins a pawn.
    #[inline]
    pub(super) fn outnumber(self, others: Self) -> Bitboard<W> {
        (self.once - others.once) | (self.twice - others.twice)
    }
}

impl<W: Cells> Targets<W> {
    /// Only what `which` asks for. Captures and steps onto the far row are noisy, and so are steps
    /// to the row before it that win with the next move.
    #[inline]
    pub(super) fn restrict<R: RuleSet>(self, position: &Breakthrough<W, R>, which: Which) -> Self {
        if which == Which::All {
            return self;
        }
        let (me, them) = (position.turn().index(), position.turn().opponent().index());
        let noisy = position.pawns[them] | position.board.goal[me] | position.thresholds();
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

    /// One of the moves, chosen uniformly.
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
