//! The results of a match, and their form as JSON.

use std::time::Duration;

use agon_arena::statistics::sprt::SprtState;
use agon_arena::statistics::{Counts, SprtVerdict};
use agon_arena::tournament::ledger::AgentTotals;
use agon_arena::tournament::run::Run;
use agon_arena::{Conclusion, Match};
use serde::Serialize;

use super::Notes;
use crate::output::print_json;

/// A match that was played.
pub(crate) struct Report<'a> {
    pub(crate) setup: &'a Match,
    pub(crate) run: &'a Run,
    /// The duration of the match.
    pub(crate) time: Duration,
    pub(crate) notes: Notes,
}

/// A fault of an agent, with the evidence.
#[derive(Serialize)]
pub(crate) struct Offence {
    pub(crate) game: u64,
    pub(crate) agent: String,
    /// The index of the agent in the order given.
    pub(crate) entry: usize,
    pub(crate) seat: String,
    pub(crate) what: String,
}

#[derive(Serialize)]
struct MatchJson<'a> {
    variant: String,
    games: u64,
    agents: Vec<AgentJson<'a>>,
    /// For two agents: pairs in which the first scored 0, ½, 1, 1½ and 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<[u64; 5]>,
    seats: Vec<SeatJson<'a>>,
    reasons: Vec<ReasonJson<'a>>,
    offences: &'a [Offence],
    mean_plies: f64,
    min_plies: u32,
    max_plies: u32,
    openings: String,
    seed: u64,
    concurrency: usize,
    /// Games in which a built-in agent waited too long for a core.
    disturbed: u64,
    stopped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtJson>,
    /// For two agents: the likelihood that the first is stronger.
    #[serde(skip_serializing_if = "Option::is_none")]
    superiority: Option<f64>,
    /// The verdict, in a sentence.
    verdict: Option<String>,
    signature: String,
    seconds: f64,
    games_per_second: f64,
}

#[derive(Serialize)]
struct AgentJson<'a> {
    agent: &'a str,
    wins: u64,
    draws: u64,
    losses: u64,
    points: u64,
    elo: Option<f64>,
    error: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    faults: u64,
    /// The mean points per game, 0 to 100, with their 95 % interval.
    mean_points: Option<f64>,
    mean_points_low: Option<f64>,
    mean_points_high: Option<f64>,
    places: Vec<u64>,
    /// The mean points on the scale of the FAUhalma course.
    course_points: Option<f64>,
    course_points_error: Option<f64>,
    rating: RatingJson,
    moves: u64,
    nodes: u64,
    seconds: f64,
    /// The mean depth of its searches in plies, if it reports them.
    mean_depth: Option<f64>,
    nodes_per_second: Option<u64>,
}

/// The rating of the FAUhalma course.
#[derive(Serialize)]
struct RatingJson {
    last_50: Option<f64>,
    /// The number of games in the mean: 50, or all if there are fewer.
    games: u64,
    best: Option<f64>,
}

/// A sequential test.
#[derive(Serialize)]
struct SprtJson {
    log_ratio: f64,
    lower: f64,
    upper: f64,
    /// "accept elo0", "accept elo1" or "undecided".
    verdict: &'static str,
}

impl From<SprtState> for SprtJson {
    fn from(state: SprtState) -> SprtJson {
        let SprtState { log_ratio, lower, upper, verdict } = state;
        SprtJson { log_ratio, lower, upper, verdict: verdict_text(verdict) }
    }
}

/// The verdict of a test.
pub(crate) fn verdict_text(verdict: SprtVerdict) -> &'static str {
    match verdict {
        SprtVerdict::Accept0 => "accept elo0",
        SprtVerdict::Accept1 => "accept elo1",
        SprtVerdict::Continue => "undecided",
    }
}

#[derive(Serialize)]
struct SeatJson<'a> {
    seat: &'a str,
    points: u64,
}

#[derive(Serialize)]
struct ReasonJson<'a> {
    reason: &'a str,
    games: u64,
}

impl Report<'_> {
    /// Prints one JSON object.
    pub(crate) fn print_json(&self) -> anyhow::Result<()> {
        let (setup, ledger) = (self.setup, &self.run.ledger);
        let (games, seconds) = (ledger.games(), self.time.as_secs_f64());
        let agents = self.notes.agents.iter().zip(ledger.agents());
        let seats = self.notes.seat_names.iter().zip(ledger.seat_points);
        let reasons = ledger.reasons().into_iter();
        print_json(&MatchJson {
            variant: setup.variant.to_string(),
            games,
            agents: agents
                .map(|(agent, totals)| agent_json(agent, totals, setup.agents.len()))
                .collect(),
            pairs: (setup.agents.len() == 2).then_some(ledger.pairs),
            seats: seats.map(|(seat, points)| SeatJson { seat, points }).collect(),
            reasons: reasons.map(|(reason, games)| ReasonJson { reason, games }).collect(),
            offences: &self.notes.offences,
            mean_plies: ledger.mean_plies(),
            min_plies: ledger.lengths.least,
            max_plies: ledger.lengths.most,
            openings: setup.openings.to_string(),
            seed: setup.seed,
            concurrency: setup.concurrency,
            disturbed: ledger.disturbed,
            stopped: !self.run.is_over,
            sprt: self.run.sprt.map(SprtJson::from),
            superiority: self.superiority(),
            verdict: self.conclusion().map(|it| it.sentence(&self.notes.names)),
            signature: format!("{:016x}", ledger.signature),
            seconds,
            games_per_second: games as f64 / seconds.max(1e-9),
        })?;
        Ok(())
    }

    /// The verdict on who is stronger.
    pub(crate) fn conclusion(&self) -> Option<Conclusion> {
        // Games that were never played do not show who is better.
        if self.run.given_up.is_some() {
            return None;
        }
        Conclusion::of(&self.run.ledger, self.setup.sprt.zip(self.run.sprt))
    }

    /// The likelihood that the first of two agents is stronger, from the pairs.
    fn superiority(&self) -> Option<f64> {
        let two = self.setup.agents.len() == 2;
        two.then(|| Counts::Pairs(self.run.ledger.pairs).likelihood_of_superiority()).flatten()
    }
}

fn agent_json<'a>(agent: &'a str, totals: &AgentTotals, players: usize) -> AgentJson<'a> {
    let (elo, points, results) = (totals.elo(), totals.mean_points(), totals.results);
    let (course, rating) = (totals.mean_course_points(), &totals.rating);
    // Avoids -0.
    let tenths = |value: f64| (value * 10.0).round() / 10.0 + 0.0;
    AgentJson {
        agent,
        wins: results.wins,
        draws: results.draws,
        losses: results.losses,
        points: results.points,
        elo: elo.map(|elo| tenths(elo.value)),
        error: elo.map(|elo| tenths(elo.error())),
        elo_low: elo.map(|elo| tenths(elo.low)),
        elo_high: elo.map(|elo| tenths(elo.high)),
        faults: results.faults,
        mean_points: points.map(|points| points.value),
        mean_points_low: points.map(|points| points.low),
        mean_points_high: points.map(|points| points.high),
        places: totals.places[..players].to_vec(),
        course_points: course.map(|points| points.value),
        course_points_error: course.map(|points| points.half_width()),
        rating: RatingJson {
            last_50: rating.current(),
            games: rating.games(),
            best: rating.best(),
        },
        moves: totals.effort.moves,
        nodes: totals.effort.nodes,
        seconds: totals.effort.time.as_secs_f64(),
        mean_depth: totals.effort.mean_depth(),
        nodes_per_second: totals.effort.nodes_per_second(),
    }
}
