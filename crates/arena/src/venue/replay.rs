//! Games that somebody else claims to have played, checked by the rules.

use std::time::Duration;

use agon_core::Seat;
use agon_games::Playable;

use super::{TypedVenue, play_as_text};
use crate::clock::{Pace, TimeControl};
use crate::fixture::Fixture;
use crate::game_summary::{FinishedGame, end_code, offender, read_end};
use crate::session::{NoMove, Session, TypedBoard};
use crate::store::{StoredGame, now};
use crate::verdict::{End, Fault, Verdict};

/// The longest evidence and the longest list of resources, in bytes.
const LONGEST_EVIDENCE: usize = 64 << 10;
const LONGEST_RESOURCES: usize = 4 << 10;
/// How long ago a game may have ended, in milliseconds.
const OLDEST: i64 = 30 * 24 * 3600 * 1000;

impl<G: Playable> TypedVenue<G> {
    /// Checks a game that somebody claims to have played, and returns it as it counts. The error says
    /// what does not fit.
    pub(super) fn replayed(
        &self,
        fixture: &Fixture,
        claimed: &StoredGame,
    ) -> Result<FinishedGame, String> {
        self.check_place(fixture, claimed)?;
        let board = self.play_moves(fixture, claimed)?;
        let verdict = self.judged(&board, claimed)?;
        let signature = board.board().signature();
        check(signature == claimed.signature, "its signature is not that of its moves")?;
        let stored = StoredGame {
            points: verdict.outcome.points(),
            reason: verdict.reason.to_string(),
            end: end_code(verdict.end),
            offender: offender(verdict.end),
            evidence: verdict.evidence,
            rated: true,
            finished_at: believable(claimed.finished_at),
            ..claimed.clone()
        };
        Ok(FinishedGame::from_store(stored))
    }

    /// Whether it is this game: the same players, pace and opening.
    fn check_place(&self, fixture: &Fixture, claimed: &StoredGame) -> Result<(), String> {
        let Fixture { number, round, pairing, leg, seating, .. } = fixture;
        let place = (claimed.number, claimed.round, claimed.pairing, claimed.leg);
        check(place == (*number, *round, *pairing, *leg), "it is another game")?;
        let agents: Vec<u32> = seating.as_slice().iter().copied().map(u32::from).collect();
        check(claimed.seats.as_slice() == agents, "others sat at the table")?;
        check(claimed.variant == self.variant.to_string(), "it is of another variant")?;
        check(claimed.pace == self.pace.to_string(), "it is of another pace")?;
        claimed.check()?;
        let opening = self.book.opening(fixture.group);
        let mut position = opening.start().clone();
        let moves = play_as_text(&mut position, opening.moves().iter().copied());
        let same = claimed.start == opening.custom_start() && claimed.opening == moves;
        check(same, "it has another opening")?;
        let length = claimed.evidence.as_ref().map_or(0, String::len);
        check(length <= LONGEST_EVIDENCE, "its evidence is too long")?;
        let length = claimed.resources.as_ref().map_or(0, String::len);
        check(length <= LONGEST_RESOURCES, "its list of resources is too long")
    }

    /// Plays the moves. Clocks do not decide here: whoever measured the time has judged it.
    fn play_moves(
        &self,
        fixture: &Fixture,
        claimed: &StoredGame,
    ) -> Result<Session<TypedBoard<G>>, String> {
        let pace = Pace { time: TimeControl::default(), ..self.pace };
        let mut session = Session::new(TypedBoard::new(self.book.opening(fixture.group)), pace);
        for (ply, (text, mover)) in claimed.played_moves().zip(&claimed.movers).enumerate() {
            let ply = ply + 1;
            if session.to_move() != Some(*mover) {
                return Err(format!("move {ply} was not that player's turn"));
            }
            let position = session.board().position();
            let mv = position.read_move(text);
            let mv = mv.map_err(|error| format!("move {ply}: {error}"))?;
            check(position.move_text(mv) == text, "a move is not in its usual form")?;
            session.play(mv, Duration::ZERO).map_err(|error| match error {
                NoMove::Over => format!("move {ply} comes after the end"),
                NoMove::Illegal(problem) => format!("move {ply} is not legal: {problem}"),
            })?;
        }
        let single = claimed.played_moves().map(str::len).sum::<usize>()
            + claimed.played_moves().count().saturating_sub(1);
        check(single == claimed.moves.len(), "its moves are not separated by single spaces")?;
        Ok(session)
    }

    /// The verdict: that of the rules, or a resignation or fault where the rules let the game go on.
    fn judged(
        &self,
        session: &Session<TypedBoard<G>>,
        claimed: &StoredGame,
    ) -> Result<Verdict, String> {
        let seats = claimed.seats.seats();
        let end = read_end(&claimed.end, claimed.offender);
        check(end_code(end) == claimed.end, "nothing ends in this way")?;
        let verdict = match (session.state(), end) {
            (Err(verdict), End::Board | End::NoMove | End::History) => verdict.clone(),
            (Err(_), _) => return Err("it was over by the rules".into()),
            (Ok(_), End::Resignation(seat)) => Verdict::resignation(seats, seat),
            (Ok(turn), End::Fault(seat, fault)) => {
                self.check_fault(session, (turn, seat), fault)?;
                let evidence = claimed.evidence.clone().unwrap_or_default();
                Verdict::fault(seats, seat, fault, evidence)
            }
            (Ok(_), _) => return Err("the game goes on by the rules".into()),
        };
        let same = verdict.end == end
            && verdict.outcome.points() == claimed.points
            && verdict.reason == claimed.reason
            && verdict.evidence.is_some() == claimed.evidence.is_some();
        check(same, "the rules say something else about its end")?;
        Ok(verdict)
    }

    /// Whether a fault can have happened there: to the player to move, or to the one who moved too
    /// late.
    fn check_fault(
        &self,
        session: &Session<TypedBoard<G>>,
        (turn, offender): (Seat, Seat),
        fault: Fault,
    ) -> Result<(), String> {
        let by_clock = matches!(fault, Fault::ClockOver | Fault::MoveTooSlow);
        let last = session.plies().last().map(|ply| ply.seat);
        let timed = self.pace.time != TimeControl::default();
        check(fault != Fault::Withdrawn, "only the arena withdraws agents")?;
        check(!by_clock || timed, "it has no clocks")?;
        let fits =
            if by_clock { Some(offender) == last || offender == turn } else { offender == turn };
        check(fits, "it was not the offender's turn")
    }
}

fn check(fits: bool, problem: &str) -> Result<(), String> {
    if fits { Ok(()) } else { Err(problem.to_string()) }
}

/// When a game ended, if that can be; now, otherwise.
fn believable(finished: i64) -> i64 {
    let now = now();
    if (now - OLDEST..=now).contains(&finished) { finished } else { now }
}

#[cfg(test)]
mod tests;
