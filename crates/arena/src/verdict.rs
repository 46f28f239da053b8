//! How a game ended, and whose fault it was.

use std::borrow::Cow;
use std::fmt;

use agon_core::outcome::WIN;
use agon_core::{Ending, Outcome, PerSeat, Seat};

/// The faults a player can commit. Each loses the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// A move that the rules do not allow.
    IllegalMove,
    /// An answer without a move.
    Garbled,
    /// The clock for the whole game ran out.
    ClockOver,
    /// One move took too long.
    MoveTooSlow,
    /// No answer, long after the deadline.
    Stalled,
    /// The player crashed.
    Crash,
    /// The program ended without an answer.
    Disconnected,
    /// The program runs on, but its pipe is closed.
    ClosedPipe,
    /// The program could not be started, or ended at once.
    NoStart,
    /// The program was started, but never reported ready.
    NotReady,
    /// Too much output.
    Flood,
    /// A line longer than any answer.
    LongLine,
    /// More memory than it may use.
    Memory,
    /// More processes than it may have.
    Processes,
    /// More processor time than it may use.
    CpuTime,
    /// A file larger than it may write.
    FileSize,
    /// Processes that it started and abandoned.
    Children,
    /// Nobody was at the seat when it was its turn.
    Absent,
    /// Withdrawn from the tournament, after faults in several games in a row.
    Withdrawn,
}

impl Fault {
    /// All of them.
    pub const ALL: &[Fault] = &[
        Fault::IllegalMove,
        Fault::Garbled,
        Fault::ClockOver,
        Fault::MoveTooSlow,
        Fault::Stalled,
        Fault::Crash,
        Fault::Disconnected,
        Fault::ClosedPipe,
        Fault::NoStart,
        Fault::NotReady,
        Fault::Flood,
        Fault::LongLine,
        Fault::Memory,
        Fault::Processes,
        Fault::CpuTime,
        Fault::FileSize,
        Fault::Children,
        Fault::Absent,
        Fault::Withdrawn,
    ];

    /// The fault in words.
    pub fn reason(self) -> &'static str {
        match self {
            Fault::IllegalMove => "illegal move",
            Fault::Garbled => "garbled answer",
            Fault::ClockOver => "clock over",
            Fault::MoveTooSlow => "too slow for one move",
            Fault::Stalled => "stalled",
            Fault::Crash => "crash",
            Fault::Disconnected => "disconnected",
            Fault::ClosedPipe => "closed its pipe",
            Fault::NoStart => "could not be started",
            Fault::NotReady => "never got ready",
            Fault::Flood => "too much output",
            Fault::LongLine => "a line without end",
            Fault::Memory => "too much memory",
            Fault::Processes => "too many processes",
            Fault::CpuTime => "too much processor time",
            Fault::FileSize => "a file too large",
            Fault::Children => "left children behind",
            Fault::Absent => "nobody at the seat",
            Fault::Withdrawn => "withdrawn",
        }
    }

    /// The fault as one word, for files.
    pub fn code(self) -> &'static str {
        match self {
            Fault::IllegalMove => "illegal-move",
            Fault::Garbled => "garbled",
            Fault::ClockOver => "clock-over",
            Fault::MoveTooSlow => "too-slow",
            Fault::Stalled => "stalled",
            Fault::Crash => "crash",
            Fault::Disconnected => "disconnected",
            Fault::ClosedPipe => "closed-pipe",
            Fault::NoStart => "no-start",
            Fault::NotReady => "not-ready",
            Fault::Flood => "flood",
            Fault::LongLine => "long-line",
            Fault::Memory => "memory",
            Fault::Processes => "processes",
            Fault::CpuTime => "cpu-time",
            Fault::FileSize => "file-size",
            Fault::Children => "children",
            Fault::Absent => "absent",
            Fault::Withdrawn => "withdrawn",
        }
    }

    /// The fault with this code.
    pub(crate) fn from_code(code: &str) -> Option<Fault> {
        Fault::ALL.iter().copied().find(|fault| fault.code() == code)
    }
}

/// Which rule ended the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// The position on the board.
    Board,
    /// The player to move had no move left.
    NoMove,
    /// A rule of history: repetition, or a limit on plies.
    History,
    /// This player resigned.
    Resignation(Seat),
    /// All agreed to a draw.
    Agreement,
    /// It reached the length limit.
    TooLong,
    /// This player committed a fault.
    Fault(Seat, Fault),
}

impl From<Ending> for End {
    fn from(ending: Ending) -> End {
        match ending {
            Ending::Board => End::Board,
            Ending::NoMove => End::NoMove,
            Ending::History => End::History,
        }
    }
}

/// The referee's verdict: points for every seat, which rule ended the game, and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Points and places.
    pub outcome: Outcome,
    /// The reason in words.
    pub reason: Cow<'static, str>,
    /// Which rule ended the game.
    pub end: End,
    /// The evidence of a fault.
    pub evidence: Option<String>,
}

impl Verdict {
    /// A game that ended without a fault.
    pub fn by_rules(outcome: Outcome, reason: Cow<'static, str>, end: End) -> Verdict {
        Verdict { outcome, reason, end, evidence: None }
    }

    /// A game that a player resigned.
    pub fn resignation(seats: usize, loser: Seat) -> Verdict {
        let outcome = Outcome::with_points(all_but(seats, loser), "resignation");
        Verdict::by_rules(outcome, outcome.reason().text(), End::Resignation(loser))
    }

    /// A game that all agreed to draw.
    pub fn agreed(seats: usize) -> Verdict {
        let outcome = Outcome::draw(seats, "draw agreed");
        Verdict::by_rules(outcome, outcome.reason().text(), End::Agreement)
    }

    /// A game that reached the length limit.
    pub(crate) fn too_long(seats: usize) -> Verdict {
        let outcome = Outcome::draw(seats, "too many moves");
        Verdict::by_rules(outcome, outcome.reason().text(), End::TooLong)
    }

    /// A game that ended with a player's fault.
    pub fn fault(seats: usize, offender: Seat, fault: Fault, evidence: String) -> Verdict {
        let outcome = Outcome::with_points(all_but(seats, offender), fault.reason());
        let (reason, end) = (fault.reason().into(), End::Fault(offender, fault));
        Verdict { outcome, reason, end, evidence: Some(evidence) }
    }

    /// A game that is not played because these players have been withdrawn. They get nothing, the
    /// others share as after a fault; if nobody is left, nobody gets anything.
    pub(crate) fn withdrawn(seats: usize, gone: &[Seat]) -> Verdict {
        let offender = gone.first().copied().unwrap_or(Seat::FIRST);
        let mut points = all_but(seats, offender);
        let others = seats.saturating_sub(gone.len());
        let share = (usize::from(WIN) / 2 * seats).checked_div(others).unwrap_or(0);
        for seat in Seat::all(seats) {
            let share = share.min(usize::from(WIN)) as u8;
            points[seat] = if gone.contains(&seat) { 0 } else { share };
        }
        let outcome = Outcome::with_points(points, Fault::Withdrawn.reason());
        let evidence = Some("not played".to_string());
        let (reason, end) = (outcome.reason().text(), End::Fault(offender, Fault::Withdrawn));
        Verdict { outcome, reason, end, evidence }
    }

    /// Whether the rules of the game ended it, not its players.
    pub(crate) fn is_by_rules(&self) -> bool {
        matches!(self.end, End::Board | End::NoMove | End::History)
    }

    /// Why it ended, as people would say it, with the names of the seats.
    pub fn in_words(&self, name: &dyn Fn(Seat) -> String) -> String {
        let evidence = self.evidence.as_deref().unwrap_or_default();
        match self.end {
            End::Resignation(seat) => format!("{} resigned", name(seat)),
            End::Fault(seat, Fault::ClockOver | Fault::MoveTooSlow) => {
                format!("{} ran out of time", name(seat))
            }
            End::Fault(seat, Fault::IllegalMove) => {
                format!("{} played an illegal move, {evidence}", name(seat))
            }
            End::Fault(seat, fault) => {
                format!("{} failed ({}: {evidence})", name(seat), fault.reason())
            }
            _ => self.reason.to_string(),
        }
    }

    /// Who committed a fault, and which, if that ended the game.
    pub fn offence(&self) -> Option<(Seat, Fault)> {
        match self.end {
            End::Fault(seat, fault) => Some((seat, fault)),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        match &self.evidence {
            Some(evidence) => write!(f, ": {evidence}"),
            None => Ok(()),
        }
    }
}

/// Nothing for one seat; the others share equally what a draw would have given to all: 100 in a
/// two-player game, 75 each in a three-player game.
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
    fn the_withdrawn_get_nothing() {
        let points = |seats, gone: &[Seat]| {
            Verdict::withdrawn(seats, gone).outcome.points().as_slice().to_vec()
        };
        assert_eq!(points(2, &[Seat::SECOND]), [100, 0]);
        assert_eq!(points(2, &[Seat::FIRST, Seat::SECOND]), [0, 0]);
        assert_eq!(points(3, &[Seat::SECOND]), [75, 0, 75]);
        assert_eq!(points(3, &[Seat::FIRST, Seat::THIRD]), [0, 100, 0]);
    }

    #[test]
    fn faults_have_codes_of_their_own() {
        for fault in Fault::ALL {
            assert_eq!(Fault::from_code(fault.code()), Some(*fault));
        }
        assert_eq!(Fault::from_code("none"), None);
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
