//! A finished game in numbers, and as it is passed on.

use std::borrow::Cow;
use std::ops::AddAssign;
use std::time::Duration;

use agon_core::{PerSeat, Seat, Variant};

use crate::clock::Pace;
use crate::fixture::group_size;
use crate::session::Ply;
use crate::store::{StoredGame, now};
use crate::verdict::{End, Fault, Verdict};

/// The prefix of the code of an end that was a fault.
pub const FAULT: &str = "fault:";

/// The cost of playing: of one player in one game, or in many.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Moves made after the opening.
    pub moves: u64,
    /// The time they took.
    pub time: Duration,
    /// The nodes that were searched for them.
    pub nodes: u64,
    /// The sum of the depths of those moves for which one is known.
    pub depth: u64,
    /// For how many moves a depth is known.
    pub with_depth: u64,
}

impl Effort {
    /// The effort of each seat, from the seat, time, nodes and depth of every move; depth 0 is
    /// unknown.
    pub(crate) fn of_seats(
        seats: usize,
        moves: impl Iterator<Item = (Seat, Duration, u64, u32)>,
    ) -> PerSeat<Effort> {
        let mut effort = PerSeat::filled(seats, Effort::default());
        for (seat, time, nodes, depth) in moves {
            let (depth, with_depth) = (u64::from(depth), u64::from(depth > 0));
            effort[seat] += Effort { moves: 1, time, nodes, depth, with_depth };
        }
        effort
    }

    /// The mean depth of a search in plies, where any is known.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.with_depth > 0).then(|| self.depth as f64 / self.with_depth as f64)
    }

    /// Nodes a second over the whole time of its moves; `None` if no nodes were reported.
    pub fn nodes_per_second(&self) -> Option<u64> {
        let seconds = self.time.as_secs_f64();
        (self.nodes > 0 && seconds > 0.0).then(|| (self.nodes as f64 / seconds).round() as u64)
    }

    /// The mean time of a move.
    pub fn seconds_per_move(&self) -> f64 {
        self.time.as_secs_f64() / self.moves.max(1) as f64
    }

    /// The mean number of nodes per move.
    pub fn nodes_per_move(&self) -> f64 {
        self.nodes as f64 / self.moves.max(1) as f64
    }
}

impl AddAssign for Effort {
    fn add_assign(&mut self, Effort { moves, time, nodes, depth, with_depth }: Effort) {
        self.moves += moves;
        self.time = self.time.saturating_add(time);
        self.nodes = self.nodes.saturating_add(nodes);
        self.depth = self.depth.saturating_add(depth);
        self.with_depth += with_depth;
    }
}

/// A finished game in numbers: all that a [`Ledger`](crate::tournament::ledger::Ledger) needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// Its place in the schedule, from 0.
    pub number: u64,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// Who sat where: the agents' numbers.
    pub seating: PerSeat<u16>,
    /// How many moves were made, those of the opening included.
    pub plies: u32,
    /// The effort of each seat.
    pub effort: PerSeat<Effort>,
    /// The points of every seat.
    pub points: PerSeat<u8>,
    /// Why it ended, in words.
    pub reason: Cow<'static, str>,
    /// Which rule ended it.
    pub end: End,
    /// The evidence of a fault.
    pub evidence: Option<String>,
    /// A hash of all positions: games with the same hash had the same moves.
    pub signature: u64,
    /// Whether a player had to wait too long for a processor: see [`crate::disturbance`].
    pub disturbed: bool,
}

impl GameSummary {
    /// A stored game in numbers.
    pub fn of(game: &StoredGame) -> GameSummary {
        let agent = |agent: &u32| u16::try_from(*agent).unwrap_or(u16::MAX);
        let agents: Vec<u16> = game.seats.as_slice().iter().map(agent).collect();
        GameSummary {
            number: game.number,
            round: game.round,
            seating: PerSeat::from_slice(&agents),
            plies: game.plies() as u32,
            effort: game.effort(),
            points: game.points,
            reason: Cow::Owned(game.reason.clone()),
            end: read_end(&game.end, game.offender),
            evidence: game.evidence.clone(),
            signature: game.signature,
            disturbed: game.disturbed,
        }
    }

    /// The same for games of one opening with other seatings, and for no others.
    pub fn group(&self) -> u64 {
        self.number / group_size(self.seating.seats())
    }

    /// Who committed a fault, and which, if that ended the game.
    pub fn offence(&self) -> Option<(Seat, Fault)> {
        match self.end {
            End::Fault(seat, fault) => Some((seat, fault)),
            _ => None,
        }
    }

    /// Whether it was not played because an agent had been withdrawn.
    pub(crate) fn is_forfeit(&self) -> bool {
        matches!(self.end, End::Fault(_, Fault::Withdrawn))
    }

    /// The reason, with the evidence of a fault.
    pub fn ending(&self) -> String {
        match &self.evidence {
            Some(evidence) => format!("{}: {evidence}", self.reason),
            None => self.reason.to_string(),
        }
    }
}

/// A finished game as it is passed on: in numbers, and with its moves where games are stored.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    /// The game in numbers.
    pub summary: GameSummary,
    /// The game with its moves; only if it is to be stored.
    pub stored: Option<Box<StoredGame>>,
}

impl FinishedGame {
    /// A game from the store.
    pub(crate) fn from_store(game: StoredGame) -> FinishedGame {
        FinishedGame { summary: GameSummary::of(&game), stored: Some(Box::new(game)) }
    }

    /// Replaces the referee's verdict by another, and says so.
    pub(crate) fn overrule(&mut self, verdict: &Verdict) {
        let summary = &mut self.summary;
        summary.evidence = Some(format!("played, but not counted; it ended: {}", summary.reason));
        summary.points = verdict.outcome.points();
        summary.reason = verdict.reason.clone();
        summary.end = verdict.end;
        if let Some(game) = &mut self.stored {
            game.points = summary.points;
            game.reason = summary.reason.to_string();
            game.end = end_code(summary.end);
            game.offender = offender(summary.end);
            game.evidence = summary.evidence.clone();
        }
    }
}

/// A game as it is stored, as far as its moves and its verdict determine it; the moves' texts, the
/// start and the players are still to be filled in.
pub(crate) fn written<M>(
    variant: &Variant,
    pace: &Pace,
    plies: &[Ply<M>],
    verdict: &Verdict,
) -> StoredGame {
    StoredGame {
        number: 0,
        round: 0,
        pairing: 0,
        leg: 0,
        variant: variant.to_string(),
        pace: pace.to_string(),
        seats: PerSeat::filled(verdict.outcome.points().seats(), 0),
        start: None,
        opening: String::new(),
        moves: String::new(),
        movers: plies.iter().map(|ply| ply.seat).collect(),
        times: plies.iter().map(|ply| ply.time).collect(),
        nodes: plies.iter().map(|ply| ply.nodes).collect(),
        latencies: plies.iter().map(|ply| ply.latency).collect(),
        depths: plies.iter().map(|ply| ply.depth).collect(),
        scores: plies.iter().map(|ply| ply.score).collect(),
        points: verdict.outcome.points(),
        reason: verdict.reason.to_string(),
        end: end_code(verdict.end),
        offender: offender(verdict.end),
        evidence: verdict.evidence.clone(),
        signature: 0,
        rated: true,
        disturbed: false,
        resources: None,
        played_by: None,
        finished_at: now(),
    }
}

/// The end of a game as one word.
pub(crate) fn end_code(end: End) -> String {
    match end {
        End::Board => "board".into(),
        End::NoMove => "no-move".into(),
        End::History => "history".into(),
        End::Resignation(_) => "resignation".into(),
        End::Agreement => "agreement".into(),
        End::TooLong => "too-long".into(),
        End::Fault(_, fault) => format!("{FAULT}{}", fault.code()),
    }
}

/// Who committed a fault, or resigned.
pub fn offender(end: End) -> Option<Seat> {
    match end {
        End::Resignation(seat) | End::Fault(seat, _) => Some(seat),
        _ => None,
    }
}

/// The end that a code stands for; `Board` for an unknown code.
pub(crate) fn read_end(code: &str, offender: Option<Seat>) -> End {
    let fault = code.strip_prefix(FAULT).and_then(Fault::from_code);
    match (code, offender, fault) {
        (_, Some(seat), Some(fault)) => End::Fault(seat, fault),
        ("resignation", Some(seat), _) => End::Resignation(seat),
        ("no-move", ..) => End::NoMove,
        ("history", ..) => End::History,
        ("agreement", ..) => End::Agreement,
        ("too-long", ..) => End::TooLong,
        _ => End::Board,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A saved game may claim them.
    #[test]
    fn the_longest_times_have_a_sum() {
        let longest = Duration::from_millis(u64::MAX);
        let moves = std::iter::repeat_n((Seat::FIRST, longest, u64::MAX, u32::MAX), 1001);
        let effort = Effort::of_seats(2, moves)[Seat::FIRST];
        assert_eq!((effort.moves, effort.time, effort.nodes), (1001, Duration::MAX, u64::MAX));
    }

    #[test]
    fn ends_have_codes_of_their_own() {
        let seat = Seat::SECOND;
        let others = [End::Board, End::NoMove, End::History, End::Resignation(seat)];
        let others = others.into_iter().chain([End::Agreement, End::TooLong]);
        let faults = Fault::ALL.iter().map(|fault| End::Fault(seat, *fault));
        for end in others.chain(faults) {
            assert_eq!(read_end(&end_code(end), offender(end)), end);
        }
        assert_eq!(read_end("fault:unheard-of", Some(seat)), End::Board);
    }
}
