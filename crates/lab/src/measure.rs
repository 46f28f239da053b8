//! What is measured without games: searches of fixed positions, and solutions.

use std::collections::BTreeSet;
use std::time::Duration;

use agon_arena::fixture::Terms;
use agon_arena::venue::{self, VenueError};
use agon_core::text::split_moves;
use agon_games::Table;
use agon_search::report::Statistics;
use agon_search::solver::text::{Question, SolveError, solve as solve_text};
use agon_search::solver::{Options, Unknown};
use agon_search::{AgentError, AgentSpec, Budget, StopFlag, Time, adviser};
use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

/// Why something cannot be measured.
#[derive(thiserror::Error, Debug)]
pub enum MeasureError {
    /// The terms are invalid.
    #[error(transparent)]
    Venue(#[from] VenueError),
    /// The agent cannot search there.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The position cannot be solved.
    #[error("{0}")]
    Solve(String),
}

/// The searches of an agent, position by position.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Searches {
    /// The searches, in the order of the positions.
    pub searches: Vec<Searched>,
}

/// The search of one position.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Searched {
    /// The position, as the moves that lead to it, after the start if it is not the variant's.
    pub position: String,
    /// The move it chose.
    pub best: String,
    /// The depth of the last complete iteration.
    pub depth: u32,
    /// Moves played by the search.
    pub nodes: u64,
    /// Positions whose moves were generated.
    pub expanded: u64,
    /// How long it took.
    pub seconds: f64,
    /// How much processor time that was, of all threads together.
    pub processor_seconds: f64,
    /// The branching factor of a uniform tree of the size of the last iteration.
    pub branching: f64,
    /// Positions where the remaining moves were cut off, and those where the first move did it.
    pub cutoffs: u64,
    /// Those where the first move was enough.
    pub first_move_cutoffs: u64,
    /// The iterations.
    pub iterations: Vec<Deepened>,
}

/// An iteration, with what all until then have cost.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
pub struct Deepened {
    /// Its depth.
    pub depth: u32,
    /// Moves played so far.
    pub nodes: u64,
    /// Positions whose moves were generated so far.
    pub expanded: u64,
    /// The time so far.
    pub seconds: f64,
}

/// An exact value.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Solved {
    /// `win`, `draw` or `loss` for the player to move; `unknown` if it was not found.
    pub value: String,
    /// A move that keeps it.
    pub best: Option<String>,
    /// The plies to the end with best play, if known.
    pub distance: Option<u32>,
    /// Moves played by the search.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// How much processor time that was.
    pub processor_seconds: f64,
    /// Why the value is unknown, if it is.
    pub unknown: Option<String>,
}

/// Searches the positions of these terms; `None` if it was stopped.
pub fn search(
    terms: &Terms,
    seed: u64,
    positions: u64,
    agent: &AgentSpec,
    stop: &StopFlag,
) -> Result<Option<Searches>, MeasureError> {
    let mut searches = Vec::new();
    for (text, table) in fixed_positions(terms, seed, positions)? {
        // A new one for every position: what it learned in another would help it here.
        let mut adviser = adviser(&*table, agent, seed)?;
        let budget = terms.pace.budget(stop);
        let mut iterations: Vec<Deepened> = Vec::new();
        let begun = ProcessTime::now();
        let choice = adviser.choose(&*table, &budget, &mut |iteration| {
            let (depth, nodes, expanded) = (iteration.depth, iteration.nodes, iteration.expanded);
            let seconds = iteration.time.as_secs_f64();
            if iteration.rank == 0 {
                iterations.retain(|earlier| earlier.depth != depth);
                iterations.push(Deepened { depth, nodes, expanded, seconds });
            }
        });
        let processor_seconds = begun.elapsed().as_secs_f64();
        if stop.is_set() {
            return Ok(None);
        }
        // A position in which the game is over has no move to find.
        let Some(choice) = choice else { continue };
        searches.push(searched(text, choice.mv, &choice.statistics, processor_seconds, iterations));
    }
    Ok(Some(Searches { searches }))
}

fn searched(
    position: String,
    best: String,
    statistics: &Statistics,
    processor_seconds: f64,
    iterations: Vec<Deepened>,
) -> Searched {
    Searched {
        position,
        best,
        depth: statistics.depth,
        nodes: statistics.nodes,
        expanded: statistics.expanded,
        seconds: statistics.time.as_secs_f64(),
        processor_seconds,
        branching: statistics.effective_branching_factor(),
        cutoffs: statistics.cutoffs,
        first_move_cutoffs: statistics.first_move_cutoffs,
        iterations,
    }
}

/// A position as text, and on a table.
type Placed = (String, Box<dyn Table>);

/// The positions that the openings of the terms lead to, the same for every agent.
fn fixed_positions(terms: &Terms, seed: u64, positions: u64) -> Result<Vec<Placed>, MeasureError> {
    let venue = venue::open(terms, seed, 0)?;
    let mut tables = Vec::new();
    let mut positions_seen = BTreeSet::new();
    for number in 0..positions {
        let (start, moves) = venue.opening(number);
        let played = split_moves(&moves);
        let table = terms.catalog.open_at(&terms.variant, start.as_deref(), &played);
        let table = table.map_err(VenueError::from)?;
        let text = [start.unwrap_or_default(), moves].join(" ").trim().to_string();
        // Another way to the same position is no other position.
        if positions_seen.insert(table.position()) {
            tables.push((text, table));
        }
    }
    Ok(tables)
}

/// Solves the start of a variant, within the time of its budget if there is one; `None` if it was
/// stopped.
pub fn solve(terms: &Terms, stop: &StopFlag) -> Result<Option<Solved>, MeasureError> {
    let table = terms.catalog.open(&terms.variant).map_err(VenueError::from)?;
    let time = terms.pace.time.per_move.map(Time::PerMove);
    let budget = Budget { time, nodes: terms.pace.nodes, stop: stop.clone(), ..Budget::default() };
    let begun = ProcessTime::now();
    let question = Question { all_moves: false, proof: None, games: 0 };
    let answer = solve_text(&*table, &budget, &Options::default(), question, &mut |_| {});
    let processor_seconds = begun.elapsed().as_secs_f64();
    if stop.is_set() {
        return Ok(None);
    }
    let solution = match answer {
        Ok(answer) => answer.solution,
        Err(SolveError::Input(problem) | SolveError::Memory(problem)) => {
            return Err(MeasureError::Solve(problem.to_string()));
        }
    };
    Ok(Some(Solved {
        value: solution.value.map_or("unknown".into(), |value| value.to_string()),
        best: solution.best,
        distance: solution.distance,
        nodes: solution.nodes,
        seconds: solution.time.as_secs_f64(),
        processor_seconds,
        unknown: solution.unknown.map(|why| Unknown::code(why).to_string()),
    }))
}

/// A guess at how long a measurement takes, before anything is known.
pub(crate) fn guess(terms: &Terms, positions: u64) -> Duration {
    let pace = &terms.pace;
    let each = match (pace.time.per_move, pace.nodes) {
        (Some(time), _) => time,
        (None, Some(nodes)) => Duration::from_micros(nodes),
        (None, None) => Duration::from_secs(1),
    };
    each.saturating_mul(u32::try_from(positions).unwrap_or(u32::MAX))
}
