//! The status of a game and its result.

use std::borrow::Cow;

use crate::seat::{PerSeat, Seat};

/// The points of a full win. A course's own scale (2/1/0, 1/−1) is a matter of display.
pub const WIN: u8 = 100;

/// Why a game ended. Small, as searches pass outcomes around; [`Game::reason_text`] has the words.
///
/// [`Game::reason_text`]: crate::Game::reason_text
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// In words that a person can read.
    Text(&'static str),
    /// The number of a text that only the game knows: its rules were loaded at run time.
    Numbered(u16),
}

impl Reason {
    /// The words; where only the game knows them, that the game is over.
    pub fn text(self) -> Cow<'static, str> {
        match self {
            Reason::Text(text) => text.into(),
            Reason::Numbered(_) => "the game is over".into(),
        }
    }
}

impl From<&'static str> for Reason {
    fn from(text: &'static str) -> Reason {
        Reason::Text(text)
    }
}

impl PartialEq<&str> for Reason {
    fn eq(&self, other: &&str) -> bool {
        matches!(self, Reason::Text(text) if text == other)
    }
}

/// The result of a finished game: points for every seat and the reason.
///
/// ```
/// use agon_core::{Outcome, Seat};
/// let outcome = Outcome::win(Seat::SECOND, "white has no lion left");
/// assert_eq!(outcome.points().as_slice(), [0, 100]);
/// assert_eq!(outcome.places().as_slice(), [2, 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    points: PerSeat<u8>,
    reason: Reason,
}

impl Outcome {
    /// A win for `winner` in a two-player game.
    pub fn win(winner: Seat, reason: impl Into<Reason>) -> Outcome {
        let mut points = PerSeat::filled(2, 0);
        points[winner] = WIN;
        Outcome { points, reason: reason.into() }
    }

    /// A loss for `loser` in a two-player game.
    pub fn loss(loser: Seat, reason: impl Into<Reason>) -> Outcome {
        Outcome::win(loser.opponent(), reason)
    }

    /// Equal points for all of `seats` seats.
    pub fn draw(seats: usize, reason: impl Into<Reason>) -> Outcome {
        Outcome { points: PerSeat::filled(seats, WIN / 2), reason: reason.into() }
    }

    /// Any other distribution of points, each 0 to 100.
    pub fn with_points(points: PerSeat<u8>, reason: impl Into<Reason>) -> Outcome {
        debug_assert!(points.as_slice().iter().all(|&p| p <= WIN));
        Outcome { points, reason: reason.into() }
    }

    /// The points of every seat, 0 to 100.
    #[inline]
    pub fn points(&self) -> PerSeat<u8> {
        self.points
    }

    /// The places by points, from 1; equal points share the better place.
    pub fn places(&self) -> PerSeat<u8> {
        let all = self.points.as_slice();
        let place = |mine: &u8| 1 + all.iter().filter(|other| *other > mine).count() as u8;
        PerSeat::from_slice(&all.iter().map(place).collect::<Vec<u8>>())
    }

    /// The only seat in first place, if there is one.
    pub fn winner(&self) -> Option<Seat> {
        let best = *self.points.as_slice().iter().max()?;
        let mut leaders = self.points.iter().filter(|(_, points)| **points == best);
        let (seat, _) = leaders.next()?;
        leaders.next().is_none().then_some(seat)
    }

    /// Why the game ended.
    #[inline]
    pub fn reason(&self) -> Reason {
        self.reason
    }
}

/// The status of a position: a seat's turn, or over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// This seat has to move (and may turn out to be stuck).
    ToMove(Seat),
    /// The game has ended.
    Over(Outcome),
}

impl Status {
    /// The seat to move, if the game goes on.
    #[inline]
    pub fn to_move(self) -> Option<Seat> {
        match self {
            Status::ToMove(seat) => Some(seat),
            Status::Over(_) => None,
        }
    }

    /// The outcome, if the game is over.
    #[inline]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Status::ToMove(_) => None,
            Status::Over(outcome) => Some(outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_share_on_equal_points() {
        let outcome = Outcome::with_points(PerSeat::from_slice(&[25, 100, 25]), "second home");
        assert_eq!(outcome.places().as_slice(), [2, 1, 2]);
        assert_eq!(outcome.winner(), Some(Seat::SECOND));
        let draw = Outcome::draw(3, "limit");
        assert_eq!(draw.places().as_slice(), [1, 1, 1]);
        assert_eq!(draw.winner(), None);
    }
}
