//! The solver as an agent.

use std::time::Duration;

use agon_core::{Hints, Tables};

use crate::budget::{Budget, Time};
use crate::memory::OutOfMemory;
use crate::report::{Choice, Iteration, Source, Statistics};
use crate::score::Score;
use crate::strategy::{Reporter, Root, Strategy};

use super::{Options, Solution, Solver, Value};

/// Plays perfectly where it can solve the position within its budget, and the most promising move
/// elsewhere.
#[derive(Debug)]
pub struct Exact<G: Hints> {
    solver: Solver<G>,
}

/// The default thinking time.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

impl<G: Hints> Exact<G> {
    /// An agent that has proven nothing yet, with these endgame tables.
    pub fn new(options: &Options, tables: &Tables) -> Result<Self, OutOfMemory> {
        Ok(Exact { solver: Solver::new(options)?.with_tables(tables) })
    }
}

impl<G: Hints> Strategy<G> for Exact<G> {
    fn choose(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        report: Reporter<'_, G::Move>,
    ) -> Choice<G::Move> {
        let mut budget = budget.clone();
        if !budget.is_open_ended() {
            budget.time = Some(Time::PerMove(DEFAULT_TIME));
        }
        let solution = self.solver.solve(root, &budget, &mut |_| {});
        let Solution { nodes, time, ref line, .. } = solution;
        let score = score(&solution);
        let depth = solution.distance.unwrap_or(line.len() as u32).max(1);
        if let Some(score) = score {
            let (pv, expanded) = (line.clone(), 0);
            report(&Iteration { depth, rank: 0, score, pv, nodes, expanded, time });
        }
        let mv = solution.best.or_else(|| root.position.moves().first().copied());
        let source = if score.is_some() { Source::Proof } else { Source::Search };
        let statistics =
            Statistics { nodes, time, depth, last_nodes: nodes, source, ..Statistics::default() };
        Choice { mv: mv.expect("a root has a legal move"), score, pv: solution.line, statistics }
    }
}

/// The value as a score. Where the distance is unknown, the length of the line is used instead.
fn score<M>(solution: &Solution<M>) -> Option<Score> {
    let plies = solution.distance.unwrap_or(solution.line.len() as u32);
    Some(match solution.value? {
        Value::Win => Score::win_in(plies),
        Value::Draw => Score::DRAW,
        Value::Loss => Score::loss_in(plies),
    })
}
