//! Games that somebody else claims to have played, checked by the rules.

use std::time::Duration;

use agon_core::{PerSeat, Seat};
use agon_games::Playable;

use super::{TypedVenue, Venue};
use crate::clock::{LONGEST, Pace, TimeControl};
use crate::fixture::Fixture;
use crate::game_summary::{FinishedGame, end_code, offender, read_end};
use crate::player::{Action, Answer, Breach};
use crate::session::{Session, TypedBoard};
use crate::store::{StoredGame, now};
use crate::verdict::{End, Fault, Verdict};

/// The size limit of the evidence of a fault, in bytes.
const LARGEST_EVIDENCE: usize = 64 << 10;

/// The size limit of the text on resources, in bytes.
const LARGEST_RESOURCES: usize = 4 << 10;

/// The longest text of one move, in bytes.
const LONGEST_MOVE: usize = 1 << 10;

/// How old a claimed game may be, in milliseconds.
const OLDEST: i64 = 30 * 24 * 3600 * 1000;

type TypedSession<G> = Session<TypedBoard<G>>;

impl<G: Playable> TypedVenue<G> {
    /// The claimed game as the rules confirm it: see [`Venue::replay`].
    pub(super) fn replayed(
        &self,
        fixture: &Fixture,
        claimed: &StoredGame,
    ) -> Result<FinishedGame, String> {
        self.check_frame(fixture, claimed)?;
        check_sizes(claimed)?;
        claimed.check()?;
        // Only those who waited for a move know whether it was late.
        let pace = Pace { time: TimeControl::default(), ..self.pace };
        let board = TypedBoard::new(self.book.opening(fixture.group));
        let mut session = Session::new(board, pace);
        make_moves(&mut session, claimed)?;
        if session.to_move().is_some() {
            end(&mut session, claimed, self.pace.time)?;
        }
        let mut played = session.into_played().ok_or("the game goes on")?;
        check_verdict(&played.verdict, claimed)?;
        same("the signature", &claimed.signature, &played.signature)?;
        played.disturbed = claimed.disturbed;
        let mut game = self.finished(fixture, played, true, claimed.resources.clone());
        if let Some(stored) = &mut game.stored {
            same("the text of the moves", &claimed.moves, &stored.moves)?;
            stored.finished_at = credible(claimed.finished_at, now());
            stored.played_by = claimed.played_by.clone();
        }
        Ok(game)
    }

    /// Whether it is the game of this fixture, on the terms of this venue.
    fn check_frame(&self, fixture: &Fixture, claimed: &StoredGame) -> Result<(), String> {
        same("the number of seats", &fixture.seating.seats(), &self.start.seats())?;
        let agents: Vec<u32> = fixture.seating.as_slice().iter().copied().map(u32::from).collect();
        let (start, opening) = Venue::opening(self, fixture.group);
        same("the number", &claimed.number, &fixture.number)?;
        same("the round", &claimed.round, &fixture.round)?;
        same("the pairing", &claimed.pairing, &fixture.pairing)?;
        same("the leg", &claimed.leg, &fixture.leg)?;
        same("the seating", &claimed.seats, &PerSeat::from_slice(&agents))?;
        same("the variant", &claimed.variant, &self.variant.to_string())?;
        same("the limits", &claimed.pace, &self.pace.to_string())?;
        same("the start", &claimed.start, &start)?;
        same("the opening", &claimed.opening, &opening)?;
        same("whether it is rated", &claimed.rated, &true)
    }
}

/// Whether a part of the claim is what it has to be.
fn same<T: PartialEq>(what: &str, claimed: &T, expected: &T) -> Result<(), String> {
    if claimed == expected { Ok(()) } else { Err(format!("{what} is another one")) }
}

/// Whether nothing in it is larger than any game needs.
fn check_sizes(claimed: &StoredGame) -> Result<(), String> {
    let size = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let mut times = claimed.times.iter().chain(&claimed.latencies);
    let problem = match () {
        () if size(&claimed.evidence) > LARGEST_EVIDENCE => "the evidence is too long",
        () if size(&claimed.resources) > LARGEST_RESOURCES => "the text on resources is too long",
        () if times.any(|time| *time > LONGEST) => "a move took more than 30 days",
        () => return Ok(()),
    };
    Err(problem.to_string())
}

/// Makes the claimed moves, whose lists have equal lengths.
fn make_moves<G: Playable>(
    session: &mut TypedSession<G>,
    claimed: &StoredGame,
) -> Result<(), String> {
    for (at, text) in claimed.played_moves().enumerate() {
        let here = |problem: &dyn std::fmt::Display| format!("move {}: {problem}", at + 1);
        let seat = session.to_move().ok_or_else(|| here(&"the game is over before it"))?;
        if claimed.movers[at] != seat {
            return Err(here(&"another player is to move"));
        }
        if text.len() > LONGEST_MOVE {
            return Err(here(&"it is too long"));
        }
        let position = session.board().position();
        let mv = position.read_move(text).map_err(|error| here(&error))?;
        if position.move_text(mv) != text {
            return Err(here(&"it is not written as usual"));
        }
        let answer = Answer {
            depth: claimed.depths[at],
            time: Some(claimed.times[at]),
            latency: claimed.latencies[at],
            score: claimed.scores[at],
            ..Answer::new(Action::Play(mv), claimed.nodes[at])
        };
        session.hear(Ok(answer), Duration::ZERO).map_err(|trouble| here(&trouble))?;
    }
    Ok(())
}

/// Ends a game that goes on by the rules, in the claimed way.
fn end<G: Playable>(
    session: &mut TypedSession<G>,
    claimed: &StoredGame,
    time: TimeControl,
) -> Result<(), String> {
    match read_end(&claimed.end, claimed.offender) {
        End::Resignation(seat) if session.to_move() == Some(seat) => {
            session.resign(seat).map_err(String::from)
        }
        End::Resignation(_) => Err("who resigned was not to move".into()),
        End::Fault(seat, fault) => {
            check_fault(session, seat, fault, time)?;
            let evidence = claimed.evidence.clone().ok_or("a fault needs evidence")?;
            session.fault(seat, Breach::new(fault, evidence));
            Ok(())
        }
        _ => Err(format!("the game goes on after move {}", session.plies().len())),
    }
}

/// Whether this player may have committed this fault now. Most faults are those of the player to
/// move; a late move is that of the player who has just moved.
fn check_fault<G: Playable>(
    session: &TypedSession<G>,
    seat: Seat,
    fault: Fault,
    time: TimeControl,
) -> Result<(), String> {
    let limited = match fault {
        Fault::Withdrawn => return Err("whoever plays a game withdraws nobody".into()),
        Fault::ClockOver => Some(time.game.is_some()),
        Fault::MoveTooSlow => Some(time.per_move.is_some()),
        _ => None,
    };
    let by = match limited {
        Some(false) => return Err(format!("{}, but there is no such limit", fault.reason())),
        Some(true) => session.plies().last().map(|ply| ply.seat),
        None => session.to_move(),
    };
    if by == Some(seat) { Ok(()) } else { Err(format!("{}: not this player", fault.reason())) }
}

/// Whether the game ended as it is claimed.
fn check_verdict(verdict: &Verdict, claimed: &StoredGame) -> Result<(), String> {
    same("the end", &claimed.end, &end_code(verdict.end))?;
    same("the offender", &claimed.offender, &offender(verdict.end))?;
    same("the points", &claimed.points, &verdict.outcome.points())?;
    same("the reason", &claimed.reason.as_str(), &&*verdict.reason)?;
    same("the evidence", &claimed.evidence, &verdict.evidence)
}

/// When a game ended: as claimed, if that can be.
fn credible(claimed: i64, now: i64) -> i64 {
    let oldest = now.saturating_sub(OLDEST);
    if (oldest..=now).contains(&claimed) { claimed } else { now }
}

#[cfg(test)]
mod tests;
