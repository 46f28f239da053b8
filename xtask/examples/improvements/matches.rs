//! Matches of a search with a switch on against the same search with it off.

use std::collections::HashSet;

use agon_arena::clock::{Pace, TimeControl};
use agon_arena::estimate::{Estimate, Sample};
use agon_arena::fixture::whole_groups;
use agon_arena::{Agent, GameSummary, Match, News, words};
use agon_core::PerSeat;
use agon_search::{AgentSpec, StopFlag};

use super::Failure;
use super::setting::Setting;
use super::subject::Subject;

const GAMES_A_LOOK: u64 = 40;

/// How many standard errors from one half stop a match, with ten interim looks (Pocock's boundary).
const BOUNDARY: f64 = 2.555;
/// The half-width of the arena's intervals in standard errors.
const Z95: f64 = 1.96;
/// The points of three players together in a game: 2, 1 and 0.
const POINTS_OF_THREE: f64 = 3.0;

/// A measurement, as text.
pub(crate) struct Row {
    /// How many games were counted, and how many were played.
    pub(crate) games: u64,
    pub(crate) played: u64,
    pub(crate) points: String,
    pub(crate) elo: String,
    pub(crate) verdict: &'static str,
}

fn a_match(setting: &Setting, agents: Vec<AgentSpec>, games: u64) -> Match {
    Match {
        catalog: setting.catalog.clone(),
        variant: setting.variant.clone(),
        agents: agents.into_iter().map(Agent::built_in).collect(),
        games,
        pace: Pace {
            time: TimeControl { per_move: Some(setting.per_move), ..TimeControl::default() },
            ..Pace::default()
        },
        openings: setting.openings.clone(),
        seed: 2026,
        concurrency: std::thread::available_parallelism().map_or(1, usize::from),
        sprt: None,
        replay_disturbed: false,
        reference_speed: None,
    }
}

/// The games of a match that differ from each other. Those that begin alike may be the same to the
/// end, and one that was played again says nothing new.
#[derive(Default)]
struct Different {
    seen: HashSet<(u64, PerSeat<u16>)>,
    scores: Sample,
}

impl Different {
    fn count(&mut self, game: &GameSummary) {
        if self.seen.insert((game.signature, game.seating)) {
            let first = game.seating.iter().find(|(_, agent)| **agent == 0);
            let points = first.map_or(0, |(seat, _)| game.points[seat]);
            self.scores.add(f64::from(points) / 100.0);
            // All begin with the same opening, so no two of them belong together.
            self.scores.close_group();
        }
    }
}

/// Plays a match of on against off until the answer is clear.
pub(crate) fn two_players(
    setting: &Setting,
    subject: Subject,
    name: &str,
    games: u64,
) -> Result<Row, Failure> {
    let agents = vec![subject.with(name, true)?, subject.with(name, false)?];
    let stop = StopFlag::default();
    let mut different = Different::default();
    let run = a_match(setting, agents, games).play(None, &stop, &mut |news| {
        if let News::Game { game, ledger } = news {
            different.count(&game.summary);
            let is_look = ledger.games().is_multiple_of(GAMES_A_LOOK);
            let points = match setting.repeats {
                true => different.scores.mean_points(),
                false => ledger.agent(0).mean_points(),
            };
            if is_look && points.is_some_and(|points| errors_from_half(points) > BOUNDARY) {
                stop.stop();
            }
        }
    })?;
    let first = run.ledger.agent(0);
    let (games, points, elo) = match setting.repeats {
        true => {
            let Different { seen, scores } = &different;
            (seen.len() as u64, scores.mean_points(), scores.elo())
        }
        false => (run.ledger.games(), first.mean_points(), first.elo()),
    };
    let points = points.ok_or("no games were played")?;
    Ok(Row {
        games,
        played: run.ledger.games(),
        points: words::score(points),
        elo: words::elo(elo.ok_or("no games were played")?),
        verdict: verdict(points.value - 50.0, errors_from_half(points) > BOUNDARY),
    })
}

/// Plays both mixes of three. In each, one agent is alone in having the switch on or off; the
/// points of a game always have the same sum, so its points determine those of the other two.
pub(crate) fn three_players(
    setting: &Setting,
    subject: Subject,
    name: &str,
    games: u64,
) -> Result<Row, Failure> {
    let mut played = 0;
    let mut points_alone = |on: bool| -> Result<Estimate, Failure> {
        let (alone, other) = (subject.with(name, on)?, subject.with(name, !on)?);
        let agents = vec![alone, other.clone(), other];
        let both = a_match(setting, agents, whole_groups(games / 2, 3));
        let ledger = both.play(None, &StopFlag::default(), &mut |_| {})?.ledger;
        played += ledger.games();
        Ok(ledger.agent(0).mean_course_points().ok_or("no games were played")?)
    };
    let (with, without) = (points_alone(true)?, points_alone(false)?);
    let both = Mixes::new(with, without);
    Ok(Row {
        games: played,
        played,
        points: format!(
            "{:.2} to {:.2} of 2: {:+.2} ± {:.2}",
            both.with, both.without, both.difference, both.error
        ),
        elo: String::new(),
        verdict: verdict(both.difference, both.difference.abs() > both.error),
    })
}

/// The mean points of all agents with the switch and of all without, over both mixes.
struct Mixes {
    with: f64,
    without: f64,
    difference: f64,
    error: f64,
}

impl Mixes {
    /// From the points of the only agent with the switch on and of the only one with it off.
    fn new(alone_with: Estimate, alone_without: Estimate) -> Mixes {
        let others = |alone: f64| (POINTS_OF_THREE - alone) / 2.0;
        let with = (alone_with.value + others(alone_without.value)) / 2.0;
        let without = (alone_without.value + others(alone_with.value)) / 2.0;
        // One more point for the single agent is half a point less for each of the others: a
        // difference of one and a half, of which the mean of two mixes takes half.
        let errors = alone_with.half_width().hypot(alone_without.half_width());
        Mixes { with, without, difference: with - without, error: 1.5 * errors / 2.0 }
    }
}

fn verdict(gain: f64, is_clear: bool) -> &'static str {
    match is_clear {
        true if gain > 0.0 => "helps",
        true => "hurts",
        false => "undecided",
    }
}

/// How many standard errors the points are away from one half.
fn errors_from_half(points: Estimate) -> f64 {
    (points.value - 50.0).abs() / (points.half_width() / Z95).max(1e-9)
}
