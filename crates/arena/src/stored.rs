//! Records on their way into the store, and back as scores.

use agon_core::PerSeat;

use crate::record::{AnyRecord, MoveText, Summary};
use crate::store::{StoredGame, now};
use crate::tournament::Score;
use crate::verdict::{End, Fault, Verdict};

/// How the code of an end begins that was somebody's fault.
const FAULT: &str = "fault:";

/// A game as it is stored.
pub fn stored(record: &dyn AnyRecord, pace: &str) -> StoredGame {
    let (fixture, summary) = (record.fixture(), record.summary());
    let Summary { verdict, signature, .. } = summary;
    let made = record.moves();
    let seats: Vec<u32> = fixture.seating.as_slice().iter().copied().map(u32::from).collect();
    StoredGame {
        number: fixture.number,
        round: fixture.round,
        pairing: fixture.pairing,
        leg: fixture.leg,
        variant: record.variant().to_string(),
        pace: pace.to_string(),
        seats: PerSeat::from_slice(&seats),
        start: record.start(),
        opening: record.opening_moves().join(" "),
        moves: joined(&made),
        movers: made.iter().map(|mv| mv.seat).collect(),
        times: made.iter().map(|mv| mv.time).collect(),
        nodes: made.iter().map(|mv| mv.nodes).collect(),
        latencies: made.iter().map(|mv| mv.latency).collect(),
        points: verdict.outcome.points(),
        reason: verdict.outcome.reason().to_string(),
        end: end_code(verdict),
        offender: offender(verdict),
        evidence: verdict.evidence.clone(),
        signature: *signature,
        finished_at: now(),
    }
}

fn joined(moves: &[MoveText]) -> String {
    let mut text = String::with_capacity(moves.len() * 6);
    for (index, mv) in moves.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        text.push_str(&mv.text);
    }
    text
}

fn offender(verdict: &Verdict) -> Option<agon_core::Seat> {
    match verdict.end {
        End::Resignation(seat) | End::Fault(seat, _) => Some(seat),
        _ => None,
    }
}

/// The end of a game as one word.
pub fn end_code(verdict: &Verdict) -> String {
    match verdict.end {
        End::Board => "board".into(),
        End::NoMove => "no-move".into(),
        End::History => "history".into(),
        End::Resignation(_) => "resignation".into(),
        End::Agreement => "agreement".into(),
        End::TooLong => "too-long".into(),
        End::Fault(_, fault) => format!("{FAULT}{}", fault.code()),
    }
}

/// A stored game as a result in numbers.
pub fn score_of(game: &StoredGame) -> Score {
    let agents: Vec<u16> = game
        .seats
        .as_slice()
        .iter()
        .map(|agent| u16::try_from(*agent).unwrap_or(u16::MAX))
        .collect();
    let fault = game.end.strip_prefix(FAULT).and_then(Fault::from_code);
    Score {
        seating: PerSeat::from_slice(&agents),
        points: game.points,
        offence: game.offender.zip(fault),
    }
}
