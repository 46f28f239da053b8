//! How a game ended, and whose fault it was.

use std::fmt;

use agon_core::outcome::WIN;
use agon_core::{Outcome, PerSeat, Seat};

/// What a player can do wrong. Each costs the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// A move that the rules do not allow.
    IllegalMove,
    /// The clock for the whole game ran out.
    ClockOver,
    /// One move took too long.
    MoveTooSlow,
    /// The player broke down while thinking.
    Crash,
    /// Nobody sat there when it was that seat's turn.
    Absent,
}

impl Fault {
    /// The fault in words.
    pub fn reason(self) -> &'static str {
        match self {
            Fault::IllegalMove => "illegal move",
            Fault::ClockOver => "clock over",
            Fault::MoveTooSlow => "too slow for one move",
            Fault::Crash => "crash",
            Fault::Absent => "nobody at the seat",
        }
    }
}

/// Which rule ended the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// The position on the board says so.
    Board,
    /// The player to move had no move left.
    NoMove,
    /// A rule of history: repetition, or a limit on plies.
    History,
    /// This player gave up.
    Resignation(Seat),
    /// This player did something wrong.
    Fault(Seat, Fault),
}

/// The referee's word: points for every seat, which rule ended the game, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Points, places and the reason in words.
    pub outcome: Outcome,
    /// Which rule ended the game.
    pub end: End,
    /// What exactly was done wrong, after a fault.
    pub evidence: Option<String>,
}

impl Verdict {
    /// A game that the rules of the game ended.
    pub(crate) fn by_rules(outcome: Outcome, end: End) -> Verdict {
        Verdict { outcome, end, evidence: None }
    }

    /// A game that a player gave up.
    pub(crate) fn resignation(seats: usize, loser: Seat) -> Verdict {
        let outcome = Outcome::with_points(all_but(seats, loser), "resignation");
        Verdict { outcome, end: End::Resignation(loser), evidence: None }
    }

    /// A game that ended with a player's fault.
    pub(crate) fn fault(seats: usize, offender: Seat, fault: Fault, evidence: String) -> Verdict {
        let outcome = Outcome::with_points(all_but(seats, offender), fault.reason());
        Verdict { outcome, end: End::Fault(offender, fault), evidence: Some(evidence) }
    }

    /// Who did something wrong, and what, if that ended the game.
    pub fn offence(&self) -> Option<(Seat, Fault)> {
        match self.end {
            End::Fault(seat, fault) => Some((seat, fault)),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.outcome.reason())?;
        match &self.evidence {
            Some(evidence) => write!(f, ": {evidence}"),
            None => Ok(()),
        }
    }
}

/// Nothing for one seat; the others share equally what a draw would have given to all: 100 in a
/// game of two, 75 each in a game of three.
fn all_but(seats: usize, loser: Seat) -> PerSeat<u8> {
    let others = seats.saturating_sub(1).max(1);
    let share = (usize::from(WIN) / 2 * seats / others).min(usize::from(WIN));
    let mut points = PerSeat::filled(seats, share as u8);
    points[loser] = 0;
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_others_share_what_the_offender_loses() {
        let points = |seats| all_but(seats, Seat::SECOND).as_slice().to_vec();
        assert_eq!(points(2), [100, 0]);
        assert_eq!(points(3), [75, 0, 75]);
        assert_eq!(points(4), [66, 0, 66, 66]);
    }

    #[test]
    fn a_verdict_tells_what_was_done() {
        let evidence = "the move 7".to_string();
        let verdict = Verdict::fault(2, Seat::FIRST, Fault::IllegalMove, evidence);
        assert_eq!(verdict.to_string(), "illegal move: the move 7");
        assert_eq!(verdict.offence(), Some((Seat::FIRST, Fault::IllegalMove)));
        assert_eq!(Verdict::resignation(2, Seat::FIRST).offence(), None);
    }
}
