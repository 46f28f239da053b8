//! Where discs can fall, and which cells make four in a row.

use agon_core::{Bitboard, Which};

use super::Connect4;
use super::board::{Board, Cells};

/// Whether a set has four in a row.
#[inline]
pub(super) fn has_four<W: Cells>(board: &Board<W>, set: Bitboard<W>) -> bool {
    let fours = |step: u32| {
        let pairs = set & set >> step;
        pairs & pairs >> (2 * step)
    };
    let [up, right, down_right, up_right] = board.steps;
    (fours(up) | fours(right) | fours(down_right) | fours(up_right)).any()
}

/// The cells that make four in a row with three of a set; occupied ones, too.
#[inline]
pub(super) fn completions<W: Cells>(board: &Board<W>, set: Bitboard<W>) -> Bitboard<W> {
    let [up, rest @ ..] = board.steps;
    let mut found = set << up & set << (2 * up) & set << (3 * up);
    for step in rest {
        let (once, back) = (set << step, set >> step);
        let after_two = once & set << (2 * step);
        let before_two = back & set >> (2 * step);
        found |= after_two & (set << (3 * step) | back);
        found |= before_two & (set >> (3 * step) | once);
    }
    found & board.cells
}

/// How many lines of four lie within a set.
pub(super) fn lines_within<W: Cells>(board: &Board<W>, set: Bitboard<W>) -> u32 {
    let fours = |step: u32| {
        let pairs = set & set >> step;
        (pairs & pairs >> (2 * step)).len()
    };
    board.steps.into_iter().map(fours).sum()
}

impl<W: Cells> Connect4<W> {
    /// The discs of the side that is not to move.
    #[inline]
    pub(super) fn theirs(&self) -> Bitboard<W> {
        self.all ^ self.mine
    }

    /// The lowest empty cell of every column that has one.
    #[inline]
    pub(super) fn playable(&self) -> Bitboard<W> {
        Bitboard(self.all.0 + self.board.bottom.0) & self.board.cells
    }

    /// The cells where a disc can fall, or of these only the noisy ones: those that win, and those
    /// that keep the opponent from it.
    #[inline]
    pub(super) fn targets(&self, which: Which) -> Bitboard<W> {
        let playable = self.playable();
        if which == Which::All {
            return playable;
        }
        let wins = completions(self.board, self.mine) | completions(self.board, self.theirs());
        playable & wins
    }
}
