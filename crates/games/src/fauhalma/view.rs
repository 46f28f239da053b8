//! The game as its players see it: everyone is A in its own view, at the bottom of the board.

use agon_core::{Seat, Square};

use super::board::{Set, turned_square};
use super::{Fauhalma, Move};

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// This position as `seat` sees it: the board turned and the players renamed so that `seat`
    /// is A. Moves are read and written in that player's own coordinates there.
    pub(crate) fn seen_by(&self, seat: Seat) -> Self {
        let from = |index: usize| (index + seat.index()) % SEATS;
        let view = |square| turn(square, SEATS - seat.index(), SEATS);
        let seen = Fauhalma {
            pegs: std::array::from_fn(|i| {
                self.pegs[from(i)].into_iter().map(view).collect::<Set>()
            }),
            moves_made: std::array::from_fn(|i| self.moves_made[from(i)]),
            standings: std::array::from_fn(|i| self.standings[from(i)]),
            turn: Seat::new((self.turn.index() + SEATS - seat.index()) % SEATS),
            ..*self
        };
        seen.with_key()
    }

    /// What the course's server sends to `seat`: all pegs as it sees them, as JSON.
    pub(super) fn seen_as_json(&self, seat: Seat) -> String {
        format!("{{{}}}", self.seen_by(seat).peg_fields().join(","))
    }

    /// A move as `seat` sees it.
    #[cfg(test)]
    pub(crate) fn move_seen_by(seat: Seat, mv: Move) -> Move {
        turn_move(mv, SEATS - seat.index(), SEATS)
    }

    /// The move that `seat` sees as `seen`.
    pub(crate) fn move_meant_by(seat: Seat, seen: Move) -> Move {
        turn_move(seen, seat.index(), SEATS)
    }
}

fn turn_move(mv: Move, times: usize, seats: usize) -> Move {
    Move { from: turn(mv.from, times, seats), to: turn(mv.to, times, seats) }
}

/// A cell rotated `times` times from one seat's corner to the next one's.
fn turn(square: Square, times: usize, seats: usize) -> Square {
    (0..times).fold(square, |square, _| turned_square(square, seats))
}
