//! Playing a move.

use agon_core::{Bitboard, Progress, Seat};

use super::board::Set;
use super::moves::can_step;
use super::{Fauhalma, Move, PEG_KEYS, TURN_KEYS};

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// The position after a move of the seat to move, which has the index `ME`.
    ///
    /// The seat is a constant, and all but what is rare is inlined: so the new position is in registers
    /// until it is complete.
    #[inline(always)]
    pub(super) fn advanced<const ME: usize>(&self, mv: Move) -> (Self, Progress) {
        // No other seat has the turn, but the compiler does not know.
        let (me, next) = (ME % SEATS, (ME + 1) % SEATS);
        let ends = ends(mv);
        let (occupied, pegs) = (self.occupied(), self.pegs[me] ^ ends);
        let made = self.moves_made[me] + 1;
        debug_assert!(self.pegs[me].contains(mv.from) && !self.pegs[me].contains(mv.to));
        // The common case: nobody gets home, and the next player can step.
        let is_simple = !occupied.contains(mv.to)
            && pegs != Self::HOMES[me]
            && made < self.limit
            && self.is_playing(Seat::new(next))
            && can_step(self.pegs[next], self.board.spaces - (occupied ^ ends));
        if !is_simple {
            let after = self.after_rare(mv);
            // Everything else can be reversed, step by step; being home or out is final.
            let is_final = after.standings != self.standings;
            let progress = if is_final { Progress::Irreversible } else { Progress::Reversible };
            return (after, progress);
        }
        let (mut all_pegs, mut moves_made) = (self.pegs, self.moves_made);
        (all_pegs[me], moves_made[me]) = (pegs, made);
        let key = self.key ^ keys(me, mv) ^ TURN_KEYS[0][me] ^ TURN_KEYS[0][next];
        let after = Fauhalma { pegs: all_pegs, key, moves_made, turn: Seat::new(next), ..*self };
        (after, Progress::Reversible)
    }

    /// The position after any move.
    #[cold]
    #[inline(never)]
    fn after_rare(&self, mv: Move) -> Self {
        let (mover, mut after) = (self.turn, *self);
        if self.occupied().contains(mv.to) {
            after.swap_back(mv);
        }
        after.shift_peg(mover, mv);
        after.moves_made[mover.index()] += 1;
        after.note_finished(mover);
        after.find_mover(mover.next(SEATS));
        after
    }

    /// Moves a peg of `seat` from one end of a move to the other.
    fn shift_peg(&mut self, seat: Seat, mv: Move) {
        self.pegs[seat.index()] ^= ends(mv);
        self.key ^= keys(seat.index(), mv);
    }

    /// Moves the peg at the end of a move to its beginning.
    fn swap_back(&mut self, mv: Move) {
        let owner = Seat::all(SEATS).find(|seat| self.pegs[seat.index()].contains(mv.to));
        if let Some(owner) = owner {
            self.shift_peg(owner, mv);
        }
    }
}

/// Where a move begins and ends.
#[inline]
fn ends(mv: Move) -> Set {
    Bitboard::from(mv.from) | Bitboard::from(mv.to)
}

/// The keys of a peg of this seat at both ends of a move.
#[inline]
fn keys(seat: usize, mv: Move) -> u64 {
    PEG_KEYS[seat][mv.from.index()] ^ PEG_KEYS[seat][mv.to.index()]
}
