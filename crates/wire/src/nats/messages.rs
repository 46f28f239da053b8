//! What travels over the broker: units of work, and what workers return. Both sides take every
//! message for hostile: sizes and shapes are checked here, meanings where they are used.

use std::time::Duration;

use agon_arena::fixture::Fixture;
use agon_arena::score_json::ScoreJson;
use agon_arena::store::{PlayedBy, StoredGame};
use agon_core::{MAX_SEATS, PerSeat, Seat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::names::{LARGEST_MESSAGE, MOST_GAMES, is_token};

/// The version of the messages. Others are refused.
pub(crate) const PROTOCOL: u32 = 1;

/// Games for one worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Unit {
    pub protocol: u32,
    /// The run it belongs to.
    pub run: String,
    /// Its number in the run, by the coordinator's count.
    pub unit: u64,
    /// Which coordinator counts: numbers begin again with the next one.
    pub epoch: String,
    /// The name of the tournament, for people.
    pub name: String,
    /// The checksum of the brief, which has agents and terms.
    pub brief: String,
    pub fixtures: Vec<Fixture>,
}

/// What a worker returns: all games of a unit, or some of them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Results {
    pub protocol: u32,
    pub run: String,
    pub unit: u64,
    /// Which coordinator counted the unit.
    pub epoch: String,
    /// What was played: the checksum of the brief.
    pub brief: String,
    /// The worker's id, and its name for people.
    pub worker: String,
    pub name: String,
    /// Its build: version and signature.
    pub build: String,
    /// How often the unit has been delivered, this time included.
    pub deliveries: i64,
    pub games: Vec<WireGame>,
    /// The numbers of games that it took and will not play.
    pub unfinished: Vec<u64>,
    /// Why not, in words, if that is worth saying.
    pub problem: Option<String>,
    /// How long the games took, in milliseconds.
    pub millis: u64,
}

/// That a worker has begun a unit which others did not finish.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    pub protocol: u32,
    pub run: String,
    pub unit: u64,
    pub worker: String,
    pub name: String,
    pub deliveries: i64,
}

/// What arrives where results are published.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Returned {
    Results(Results),
    Claim(Claim),
}

/// A finished game in a message.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WireGame {
    number: u64,
    round: u32,
    pairing: u32,
    leg: u32,
    variant: String,
    pace: String,
    seats: Vec<u32>,
    start: Option<String>,
    opening: String,
    moves: String,
    movers: Vec<u8>,
    times_us: Vec<u64>,
    nodes: Vec<u64>,
    latencies_us: Vec<u64>,
    depths: Vec<u32>,
    scores: Vec<Option<ScoreJson>>,
    points: Vec<u8>,
    reason: String,
    end: String,
    offender: Option<u8>,
    evidence: Option<String>,
    signature: u64,
    disturbed: bool,
    resources: Option<String>,
    finished_at: i64,
    speed: u64,
    scale: f64,
}

impl WireGame {
    /// The number of the game in the schedule.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// About how much memory it takes, in bytes.
    pub fn weight(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let texts = text(&self.evidence) + text(&self.resources) + text(&self.start);
        let lists = self.movers.len() + 8 * (self.times_us.len() + self.latencies_us.len());
        let searched = 8 * (self.nodes.len() + self.depths.len()) + 24 * self.scores.len();
        512 + texts + lists + searched + self.moves.len() + self.opening.len() + self.reason.len()
    }

    /// A game as it is sent.
    pub fn of(game: &StoredGame) -> WireGame {
        let micros = |time: &Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let (speed, scale) = game.played_by.as_ref().map_or((0, 1.0), |it| (it.speed, it.scale));
        WireGame {
            number: game.number,
            round: game.round,
            pairing: game.pairing,
            leg: game.leg,
            variant: game.variant.clone(),
            pace: game.pace.clone(),
            seats: game.seats.as_slice().to_vec(),
            start: game.start.clone(),
            opening: game.opening.clone(),
            moves: game.moves.clone(),
            movers: game.movers.iter().map(|seat| seat.index() as u8).collect(),
            times_us: game.times.iter().map(micros).collect(),
            nodes: game.nodes.clone(),
            latencies_us: game.latencies.iter().map(micros).collect(),
            depths: game.depths.clone(),
            scores: game.scores.iter().map(|score| score.map(ScoreJson::from)).collect(),
            points: game.points.as_slice().to_vec(),
            reason: game.reason.clone(),
            end: game.end.clone(),
            offender: game.offender.map(|seat| seat.index() as u8),
            evidence: game.evidence.clone(),
            signature: game.signature,
            disturbed: game.disturbed,
            resources: game.resources.clone(),
            finished_at: game.finished_at,
            speed,
            scale,
        }
    }

    /// The game that a worker claims to have played; what it says is still to be checked by the
    /// rules.
    pub fn claimed(self, worker: &str) -> Result<StoredGame, String> {
        let seat = |index: u8| {
            let found = Seat::all(MAX_SEATS).nth(usize::from(index));
            found.ok_or_else(|| format!("there is no seat {index}"))
        };
        if self.seats.len() > MAX_SEATS || self.points.len() > MAX_SEATS {
            return Err(format!("more than {MAX_SEATS} seats"));
        }
        if !(self.scale.is_finite() && (0.001..=1000.0).contains(&self.scale)) {
            return Err("a scale of clocks that cannot be".into());
        }
        Ok(StoredGame {
            number: self.number,
            round: self.round,
            pairing: self.pairing,
            leg: self.leg,
            variant: self.variant,
            pace: self.pace,
            seats: PerSeat::from_slice(&self.seats),
            start: self.start,
            opening: self.opening,
            moves: self.moves,
            movers: self.movers.into_iter().map(seat).collect::<Result<_, _>>()?,
            times: self.times_us.into_iter().map(Duration::from_micros).collect(),
            nodes: self.nodes,
            latencies: self.latencies_us.into_iter().map(Duration::from_micros).collect(),
            depths: self.depths,
            scores: self.scores.into_iter().map(|score| score.map(Into::into)).collect(),
            points: PerSeat::from_slice(&self.points),
            reason: self.reason,
            end: self.end,
            offender: self.offender.map(seat).transpose()?,
            evidence: self.evidence,
            signature: self.signature,
            finished_at: self.finished_at,
            rated: true,
            disturbed: self.disturbed,
            resources: self.resources,
            played_by: Some(PlayedBy {
                worker: worker.to_string(),
                speed: self.speed,
                scale: self.scale,
            }),
        })
    }
}

#[cfg(test)]
impl WireGame {
    /// A game of this number without anything in it.
    pub fn blank(number: u64) -> WireGame {
        let game = serde_json::json!({
            "number": number, "round": 0, "pairing": 0, "leg": 0, "variant": "", "pace": "",
            "seats": [], "start": null, "opening": "", "moves": "", "movers": [], "times_us": [],
            "nodes": [], "latencies_us": [], "depths": [], "scores": [], "points": [],
            "reason": "", "end": "", "offender": null, "evidence": null, "signature": 0,
            "disturbed": false, "resources": null, "finished_at": 0, "speed": 0, "scale": 1.0,
        });
        serde_json::from_value(game).unwrap()
    }
}

/// A message that was refused, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refused(pub String);

/// Reads a message of any kind.
fn read<T: DeserializeOwned>(payload: &[u8]) -> Result<T, Refused> {
    if payload.len() > LARGEST_MESSAGE {
        return Err(Refused(format!("{} bytes in one message", payload.len())));
    }
    serde_json::from_slice(payload).map_err(|error| Refused(format!("it cannot be read: {error}")))
}

fn check(fits: bool, problem: &str) -> Result<(), Refused> {
    if fits { Ok(()) } else { Err(Refused(problem.into())) }
}

impl Unit {
    /// Reads a unit.
    pub fn read(payload: &[u8]) -> Result<Unit, Refused> {
        let unit: Unit = read(payload)?;
        check(unit.protocol == PROTOCOL, "it is of another version of the protocol")?;
        check(is_token(&unit.run), "the name of its run is not one")?;
        check(is_token(&unit.epoch), "the name of its coordinator is not one")?;
        check(is_checksum(&unit.brief), "it names no brief")?;
        check(unit.name.len() <= 400, "its name is too long")?;
        let games = unit.fixtures.len();
        check((1..=MOST_GAMES).contains(&games), "it has no games, or too many")?;
        Ok(unit)
    }

    /// The number of its first game.
    pub fn first(&self) -> u64 {
        self.fixtures.first().map_or(0, |fixture| fixture.number)
    }
}

impl Returned {
    /// Reads what was returned for a run.
    pub fn read(payload: &[u8], run: &str) -> Result<Returned, Refused> {
        let returned: Returned = read(payload)?;
        let (protocol, of_run, worker, name) = match &returned {
            Returned::Results(it) => (it.protocol, &it.run, &it.worker, &it.name),
            Returned::Claim(it) => (it.protocol, &it.run, &it.worker, &it.name),
        };
        check(protocol == PROTOCOL, "it is of another version of the protocol")?;
        check(of_run == run, "it belongs to another run")?;
        check(is_token(worker), "the name of its worker is not one")?;
        check(name.len() <= 400, "the name of its worker is too long")?;
        if let Returned::Results(it) = &returned {
            let fits = it.games.len() <= MOST_GAMES && it.unfinished.len() <= MOST_GAMES;
            check(fits, "it has too many games")?;
            check(it.build.len() <= 100, "its build is too long")?;
            check(is_token(&it.epoch), "the name of its coordinator is not one")?;
            check(is_checksum(&it.brief), "it names no brief")?;
        }
        Ok(returned)
    }
}

/// Whether this is a SHA-256 checksum in hexadecimal digits.
pub(crate) fn is_checksum(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c))
}
