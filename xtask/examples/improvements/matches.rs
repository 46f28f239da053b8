//! Matches of a search with a switch on against the same search with it off.

use std::time::Duration;

use agon_arena::clock::{Pace, TimeControl};
use agon_arena::estimate::Estimate;
use agon_arena::fixture::whole_groups;
use agon_arena::{Agent, Match, News, words};
use agon_core::Variant;
use agon_search::{AgentSpec, StopFlag};

use super::Failure;
use super::subject::Subject;

const GAMES_A_LOOK: u64 = 40;
const PER_MOVE: Duration = Duration::from_millis(20);

/// How many standard errors from one half stop a match, with ten interim looks (Pocock's boundary).
const BOUNDARY: f64 = 2.555;
/// The half-width of the arena's intervals in standard errors.
const Z95: f64 = 1.96;
/// The points of three players together in a game: 2, 1 and 0.
const POINTS_OF_THREE: f64 = 3.0;

/// A measurement, as text.
pub(crate) struct Row {
    pub(crate) games: u64,
    pub(crate) points: String,
    pub(crate) elo: String,
    pub(crate) verdict: &'static str,
}

fn a_match(variant: &Variant, agents: Vec<AgentSpec>, games: u64) -> Result<Match, Failure> {
    Ok(Match {
        catalog: agon_games::Catalog::built_in(),
        variant: variant.clone(),
        agents: agents.into_iter().map(Agent::built_in).collect(),
        games,
        pace: Pace {
            time: TimeControl { per_move: Some(PER_MOVE), ..TimeControl::default() },
            ..Pace::default()
        },
        openings: "random:4".parse()?,
        seed: 2026,
        concurrency: std::thread::available_parallelism().map_or(1, usize::from),
        sprt: None,
        replay_disturbed: false,
    })
}

/// Plays a match of on against off until the answer is clear.
pub(crate) fn two_players(
    variant: &Variant,
    subject: Subject,
    name: &str,
    games: u64,
) -> Result<Row, Failure> {
    let agents = vec![subject.with(name, true)?, subject.with(name, false)?];
    let stop = StopFlag::default();
    let run = a_match(variant, agents, games)?.play(None, &stop, &mut |news| {
        if let News::Game { ledger, .. } = news {
            let is_look = ledger.games().is_multiple_of(GAMES_A_LOOK);
            let points = ledger.agent(0).mean_points();
            if is_look && points.is_some_and(|points| errors_from_half(points) > BOUNDARY) {
                stop.stop();
            }
        }
    })?;
    let first = run.ledger.agent(0);
    let points = first.mean_points().ok_or("no games were played")?;
    let elo = first.elo().ok_or("no games were played")?;
    Ok(Row {
        games: run.ledger.games(),
        points: words::score(points),
        elo: words::elo(elo),
        verdict: verdict(points.value - 50.0, errors_from_half(points) > BOUNDARY),
    })
}

/// Plays both mixes of three. In each, one agent is alone in having the switch on or off; the
/// points of a game always have the same sum, so its points determine those of the other two.
pub(crate) fn three_players(
    variant: &Variant,
    subject: Subject,
    name: &str,
    games: u64,
) -> Result<Row, Failure> {
    let mut played = 0;
    let mut points_alone = |on: bool| -> Result<Estimate, Failure> {
        let (alone, other) = (subject.with(name, on)?, subject.with(name, !on)?);
        let agents = vec![alone, other.clone(), other];
        let both = a_match(variant, agents, whole_groups(games / 2, 3))?;
        let ledger = both.play(None, &StopFlag::default(), &mut |_| {})?.ledger;
        played += ledger.games();
        Ok(ledger.agent(0).mean_course_points().ok_or("no games were played")?)
    };
    let (with, without) = (points_alone(true)?, points_alone(false)?);
    let both = Mixes::new(with, without);
    Ok(Row {
        games: played,
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
