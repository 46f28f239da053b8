//! Random openings that lead to even positions.

use std::collections::HashSet;

use agon_core::Rng;
use agon_core::rng::mix;
use agon_games::Table;

use super::build::in_parallel;
use super::lines::{Line, even_margin};
use super::{BookError, Worth};
use crate::adviser::adviser;
use crate::budget::{Budget, StopFlag};
use crate::spec::{AgentError, AgentSpec};

/// Which openings to look for. The same plan gives the same openings on any number of threads.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How many.
    pub count: usize,
    /// The number of random plies.
    pub plies: usize,
    /// How far the value may be from 0, in hundredths; by default [`even_margin`].
    pub margin: Option<u32>,
    /// The nodes of the search of each position.
    pub nodes: u64,
    /// The random seed.
    pub seed: u64,
    /// The number of searches at a time.
    pub threads: usize,
}

/// How many positions are searched before the next ones are drawn.
const BATCH: usize = 64;
/// After so many positions in a row that are not even, or were there before, the search ends.
const MOST_MISSES: usize = 5_000;

/// Looks for random lines to different positions that a search values as even; tells `watch` how
/// many there are. `None` if it was stopped.
pub fn balanced(
    start: &dyn Table,
    plan: &Plan,
    stop: &StopFlag,
    watch: &mut dyn FnMut(usize),
) -> Result<Option<Vec<Line>>, BookError> {
    if start.seats() != 2 {
        return Err(BookError::Players(start.variant().to_string(), start.seats()));
    }
    let margin = plan.margin.unwrap_or_else(|| even_margin(start));
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let (mut trial, mut misses) = (0u64, 0);
    while found.len() < plan.count && misses < MOST_MISSES {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH && misses < MOST_MISSES {
            let mut rng = Rng::new(mix(mix(plan.seed) ^ trial));
            trial += 1;
            match random_line(start, plan.plies, &mut rng) {
                Some(table) if seen.insert(table.canonical_key()) => batch.push(table),
                _ => misses += 1,
            }
        }
        let values = in_parallel(&batch, plan.threads, |table| value(&**table, plan, stop));
        if stop.is_set() {
            return Ok(None);
        }
        for (table, worth) in batch.iter().zip(values) {
            let worth = worth?;
            if worth.imbalance() > margin || worth.is_forced() {
                misses += 1;
                continue;
            }
            misses = 0;
            found.push(Line { moves: table.played().to_vec(), worth });
        }
        watch(found.len().min(plan.count));
    }
    found.truncate(plan.count);
    if found.len() < plan.count {
        return Err(BookError::NoLines(format!(
            "only {} even positions found after {} plies of {}; try another --plies, a larger \
             --margin or a smaller --count",
            found.len(),
            plan.plies,
            start.variant()
        )));
    }
    Ok(Some(found))
}

/// The table after so many random plies, if the game goes on there.
fn random_line(start: &dyn Table, plies: usize, rng: &mut Rng) -> Option<Box<dyn Table>> {
    let mut table = start.fork();
    for _ in 0..plies {
        let mv = table.random_move(rng)?;
        table.play(&mv).ok()?;
    }
    table.turn().is_ok().then_some(table)
}

/// The value of the position on a table by a search.
fn value(table: &dyn Table, plan: &Plan, stop: &StopFlag) -> Result<Worth, AgentError> {
    let spec: AgentSpec = "engine:book=off".parse()?;
    let mut engine = adviser(table, &spec, plan.seed)?;
    let budget = Budget { stop: stop.clone(), ..Budget::nodes(plan.nodes) };
    let choice = engine.choose(table, &budget, &mut |_| {});
    let score = choice.and_then(|choice| choice.score);
    Ok(score.map_or(Worth::of(crate::score::Score::LOWEST), Worth::of))
}
