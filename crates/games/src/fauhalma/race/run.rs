//! Running home undisturbed.

use agon_core::{Bitboard, Seat};

use super::super::board::{CENTRE, HEX_AXES, Set, in_first_frame};
use super::super::moves::Ground;
use super::super::{Fauhalma, Move};
use super::{HOME, MOVE, bound};

/// A search for a path home gives up after this many placements: it usually finds one at once or
/// not at all.
const MOST_PLACEMENTS: u32 = 5_000;

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// The moves a seat would need alone on the board, by the table.
    #[inline]
    pub(crate) fn exact_moves_to_go(&self, seat: Seat, table: &[u8]) -> u8 {
        table[self.board.ranking.rank(self.framed(seat))]
    }

    /// A lower bound on the moves a seat needs, even alone on the board.
    #[cfg(test)]
    pub(crate) fn least_moves_to_go(&self, seat: Seat) -> u8 {
        bound::bound(self.framed(seat))
    }

    /// The moves a seat would need alone, in hundredths: exact, or else an estimate.
    #[inline]
    pub(in super::super) fn moves_to_go(&self, seat: Seat, table: Option<&[u8]>) -> i32 {
        match table {
            Some(table) => MOVE * i32::from(self.exact_moves_to_go(seat, table)),
            None => bound::estimate(self.framed(seat)),
        }
    }

    /// Whether a seat runs undisturbed. Its field is everything between its pegs and its home: the
    /// smallest hexagon around both. This means that
    /// - no other peg stands in the field, so that every move within it that the seat could make
    ///   alone on the board is legal now, with the same effect;
    /// - no other player, as the others' pegs stand, can end a move there or be carried into it,
    ///   whatever the seat does in its field first.
    ///
    /// It does not mean that nobody could come back in several moves: ask again before every move.
    pub(crate) fn runs_alone(&self, seat: Seat) -> bool {
        let field = self.field(seat);
        let others = || Seat::all(SEATS).filter(move |&other| other != seat);
        let pegs = |other: Seat| in_first_frame::<SEATS>(self.pegs[other.index()], seat);
        let outside = others().fold(Bitboard::EMPTY, |all, other| all | pegs(other));
        // The seat's pegs may be anywhere in the field, so others may land or hop over any of it.
        let landing = (self.board.spaces - outside) | field;
        let ground = Ground::new(landing, outside | field | CENTRE, Bitboard::EMPTY);
        let enters = |other| pegs(other).into_iter().any(|peg| ground.targets(peg).meets(field));
        !outside.meets(field) && !others().filter(|&o| self.is_playing(o)).any(enters)
    }

    /// The first move of a shortest path home for the seat to move, through its field (see
    /// [`runs_alone`](Self::runs_alone)), if it runs undisturbed and there is such a path.
    pub(crate) fn run_home(&self, table: &[u8]) -> Option<Move> {
        let seat = self.turn;
        if self.over || !self.runs_alone(seat) {
            return None;
        }
        let ranking = &self.board.ranking;
        let mut search = Search {
            field: self.field(seat),
            moves: |pegs| table[ranking.rank(pegs)],
            left: MOST_PLACEMENTS,
        };
        let first = search.first_move(self.framed(seat))?;
        Some(Self::move_meant_by(seat, first))
    }

    /// Whether the seat to move would be home no later than anybody else if everybody were alone on
    /// the board.
    pub(in super::super) fn leads_race(&self, table: &[u8]) -> bool {
        let mine = self.exact_moves_to_go(self.turn, table);
        let mut others = Seat::all(SEATS).filter(|&o| o != self.turn && self.is_playing(o));
        others.all(|other| self.exact_moves_to_go(other, table) >= mine)
    }

    /// The row of a seat's last peg, from the outermost space of its home.
    pub(in super::super) fn last_row(&self, seat: Seat) -> i32 {
        bound::last_row(self.framed(seat))
    }

    /// A seat's pegs, rotated into the first seat's frame.
    #[inline]
    pub(super) fn framed(&self, seat: Seat) -> Set {
        in_first_frame::<SEATS>(self.pegs[seat.index()], seat)
    }

    /// The spaces between a seat's pegs and its home, in its own frame.
    pub(super) fn field(&self, seat: Seat) -> Set {
        let ends = self.framed(seat) | HOME;
        let mut field = self.board.spaces;
        for axis in HEX_AXES {
            let along = || ends.into_iter().map(axis);
            let (Some(low), Some(high)) = (along().min(), along().max()) else { continue };
            field = field.into_iter().filter(|&s| (low..=high).contains(&axis(s))).collect();
        }
        field
    }
}

/// A search for a shortest path home that stays within a field.
struct Search<F> {
    field: Set,
    /// The number of moves that a placement needs.
    moves: F,
    /// How many placements may still be visited.
    left: u32,
}

impl<F: Fn(Set) -> u8> Search<F> {
    /// The first move of such a path.
    fn first_move(&mut self, pegs: Set) -> Option<Move> {
        let nearer = (self.moves)(pegs).checked_sub(1)?;
        let ground = Ground::alone(self.field, pegs);
        for from in pegs {
            for to in ground.targets(from) {
                self.left = self.left.checked_sub(1)?;
                let after = pegs ^ (Bitboard::from(from) | Bitboard::from(to));
                if (self.moves)(after) == nearer
                    && (nearer == 0 || self.first_move(after).is_some())
                {
                    return Some(Move { from, to });
                }
            }
        }
        None
    }
}
