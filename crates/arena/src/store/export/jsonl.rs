//! One JSON object per game.

use std::io;
use std::time::Duration;

use agon_core::Seat;
use serde::Serialize;

use super::ExportedGame;
use crate::score_json::ScoreJson;
use crate::store::PlayedBy;

#[derive(Serialize)]
struct Object<'a> {
    id: String,
    series: &'a str,
    number: u64,
    round: u32,
    pairing: u32,
    leg: u32,
    variant: &'a str,
    pace: &'a str,
    seats: Vec<String>,
    entrants: Vec<&'a str>,
    agents: Vec<&'a str>,
    start: Option<&'a str>,
    opening: Vec<&'a str>,
    moves: Vec<&'a str>,
    movers: Vec<String>,
    times_ms: Vec<f64>,
    nodes: &'a [u64],
    /// None where the player reports none.
    depths: Vec<Option<u32>>,
    /// For the mover.
    scores: Vec<Option<ScoreJson>>,
    latencies_ms: Vec<f64>,
    outcome: Outcome<'a>,
    end: &'a str,
    offender: Option<String>,
    evidence: Option<&'a str>,
    /// In hexadecimal digits: many JSON parsers round 64-bit numbers.
    signature: String,
    finished: i64,
    rated: bool,
    disturbed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    resources: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    played_by: Option<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    worker: &'a str,
    speed: u64,
    scale: f64,
}

#[derive(Serialize)]
struct Outcome<'a> {
    points: &'a [u8],
    places: &'a [u8],
    reason: &'a str,
}

/// A game on one line, without the line break.
pub(super) fn object(entry: &ExportedGame<'_>) -> io::Result<String> {
    let game = entry.game;
    let table = entry.table();
    let places = game.places();
    let outcome =
        Outcome { points: game.points.as_slice(), places: places.as_slice(), reason: &game.reason };
    let name = |seat: &Seat| entry.seat_name(*seat);
    let object = Object {
        id: entry.id().to_string(),
        series: &entry.series.name,
        number: game.number,
        round: game.round,
        pairing: game.pairing,
        leg: game.leg,
        variant: &game.variant,
        pace: &game.pace,
        seats: table.iter().map(|(seat, _)| seat.clone()).collect(),
        entrants: table.iter().map(|(_, entrant)| entrant.name.as_str()).collect(),
        agents: table.iter().map(|(_, entrant)| entrant.agent.as_str()).collect(),
        start: game.start.as_deref(),
        opening: game.opening_moves().collect(),
        moves: game.played_moves().collect(),
        movers: game.movers.iter().map(name).collect(),
        times_ms: game.times.iter().map(millis).collect(),
        latencies_ms: game.latencies.iter().map(millis).collect(),
        nodes: &game.nodes,
        depths: game.depths.iter().map(|&depth| (depth > 0).then_some(depth)).collect(),
        scores: game.scores.iter().map(|score| score.map(ScoreJson::from)).collect(),
        outcome,
        end: &game.end,
        offender: entry.offender(),
        evidence: game.evidence.as_deref(),
        signature: format!("{:016x}", game.signature),
        finished: game.finished_at,
        rated: game.rated,
        disturbed: game.disturbed,
        resources: game.resources.as_deref(),
        played_by: game.played_by.as_ref().map(|PlayedBy { worker, speed, scale }| Place {
            worker,
            speed: *speed,
            scale: *scale,
        }),
    };
    Ok(serde_json::to_string(&object)?)
}

/// Milliseconds with the stored fraction.
fn millis(time: &Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
