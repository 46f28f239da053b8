//! Hints for searches.

use agon_core::hints::Slot;
use agon_core::{Bitboard, Foreseen, Hints};

use super::board::Cells;
use super::{Breakthrough, Move, RuleSet};

/// A step onto the far row.
const WIN: i32 = 10_000;
/// A step from which the next one wins.
const NEARLY_WON: i32 = 5_000;
/// A capture; it comes before anything that does not win.
const CAPTURE: i32 = 100;
/// The bonus per row that the captured pawn has advanced.
const ROW: i32 = 10;

/// The directions of a pawn: left, straight ahead and right.
const SIDES: usize = 3;

impl<W: Cells, R: RuleSet> Hints for Breakthrough<W, R> {
    const SCALE: i32 = R::SCALE;
    const WAYS: usize = 2 * SIDES * W::BITS as usize;
    const PLACES: usize = 2 * W::BITS as usize;

    #[inline]
    fn slot(&self, mv: Move) -> Slot {
        let (seat, width) = (self.turn().index(), self.board.width);
        let (from, to) = (mv.from.index(), mv.to.index());
        // One more than the columns to the right, without a division to get the column.
        let side = if seat == 0 { to + 1 - (from + width) } else { to + width + 1 - from };
        let bits = W::BITS as usize;
        Slot { way: (SIDES * seat + side) * bits + from, place: seat * bits + to }
    }

    #[inline]
    fn urgency(&self, mv: Move) -> Option<i32> {
        let (me, them) = (self.turn().index(), self.turn().opponent().index());
        let to = Bitboard::from(mv.to);
        let [last, before_last, ..] = self.board.rows_to_go[me];
        if to.meets(last) {
            Some(WIN)
        } else if to.meets(before_last) && to.meets(self.thresholds()) {
            Some(NEARLY_WON)
        } else if to.meets(self.pawns[them]) {
            // In 32 bits, which divide faster than 64.
            let (width, height) = (self.board.width as u32, self.board.height as u32);
            let row = mv.to.index() as u32 / width;
            let gone = if them == 0 { row } else { height - 1 - row };
            Some(CAPTURE + ROW * gone as i32)
        } else {
            None
        }
    }

    /// Where each side's pawns stand.
    #[inline]
    fn structures(&self) -> [u64; 2] {
        self.pawns.map(Bitboard::hashed)
    }

    #[inline]
    fn foreseen(&self) -> Option<Foreseen> {
        self.race()
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        self.image_key()
    }

    fn effort(&self) -> Option<u64> {
        self.solving_effort()
    }
}
