//! Hints for searches.

use agon_core::hints::Slot;
use agon_core::{Bitboard, Hints, Tunable};

use super::board::Cells;
use super::moves::completions;
use super::{Connect4, Move};

/// A disc that makes four in a row.
const WIN: i32 = 10_000;
/// A disc that keeps the opponent from it.
const BLOCK: i32 = 5_000;

impl<W: Cells> Tunable for Connect4<W> {}

impl<W: Cells> Hints for Connect4<W> {
    const WAYS: usize = 2 * W::BITS as usize;
    const PLACES: usize = 2 * W::BITS as usize;

    #[inline]
    fn slot(&self, mv: Move) -> Slot {
        let index = self.turn.index() * W::BITS as usize + mv.to.index();
        Slot { way: index, place: index }
    }

    #[inline]
    fn urgency(&self, mv: Move) -> Option<i32> {
        let to = Bitboard::from(mv.to);
        if completions(self.board, self.mine).meets(to) {
            Some(WIN)
        } else {
            completions(self.board, self.theirs()).meets(to).then_some(BLOCK)
        }
    }

    #[inline]
    fn is_tense(&self) -> bool {
        self.playable().meets(completions(self.board, self.theirs()))
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        self.image_key()
    }
}
