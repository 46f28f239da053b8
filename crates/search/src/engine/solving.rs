//! Solving small positions before searching them.
//!
//! Where the solver succeeds within its share of the budget, only the moves that keep the result
//! are searched. Among several winning moves, the search finds the shortest win; among drawing
//! moves, the most difficult one for the opponent; and if all moves lose, the longest resistance.

use std::time::Instant;

use agon_core::Hints;

use super::Engine;
use super::parameters as p;
use super::root::RootMove;
use crate::budget::{Budget, Time};
use crate::score::{Forced, Score};
use crate::solver::{self, Solution, Solver, Value};
use crate::strategy::Root;
use crate::tabled::Known;

/// What is proven about a position.
#[derive(Clone, Debug)]
pub(super) struct Knowledge<M> {
    /// `None` if the moves are the best ones, but a rule on the length of the game may prevail.
    value: Option<Value>,
    /// The number of plies to the end, if known.
    distance: Option<u32>,
    /// The length of one line to the end.
    line: usize,
    /// The moves that keep the value.
    pub(super) moves: Vec<M>,
    /// The nodes it took.
    pub(super) nodes: u64,
}

impl<M> Knowledge<M> {
    /// What endgame tables know about a position in which there is still something to search for: a
    /// draw, or a win that may take too long.
    pub(super) fn tabled(known: Known<M>) -> Knowledge<M> {
        let value = known.verdict.map(|_| Value::Draw);
        Knowledge { value, distance: None, line: 0, moves: known.moves, nodes: 0 }
    }

    /// Whether the value is proven.
    pub(super) fn is_proven(&self) -> bool {
        self.value.is_some()
    }
}

impl<G: Hints> Engine<G> {
    /// Solves the position, if that is likely to fit into its share of the budget.
    pub(super) fn solve(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
    ) -> Option<Knowledge<G::Move>> {
        if !self.options.switches.solving || self.options.lines > 1 {
            return None;
        }
        let nodes = affordable(budget);
        root.position.effort().filter(|&effort| effort <= nodes)?;
        let options = solver::Options { hash_mib: p::SOLVING_HASH, threads: 1 };
        if self.solver.is_none() {
            self.solver = Solver::new(&options).ok();
        }
        let solver = self.solver.as_mut()?;
        // A node limit to be reproducible, and a time limit for busy machines.
        let started = Instant::now();
        let share = budget.time.map(|time| time.allotment().mul_f64(p::SOLVING_SHARE));
        let limit = |spent: u64| Budget {
            nodes: Some(nodes.saturating_sub(spent)),
            time: share.map(|share| Time::PerMove(share.saturating_sub(started.elapsed()))),
            stop: budget.stop.clone(),
            ..Budget::default()
        };
        let solution = solver.solve(root, &limit(0), &mut |_| {});
        let Solution { value: Some(value), best: Some(best), .. } = solution else { return None };
        let (mut moves, mut spent) = (vec![best], solution.nodes);
        for (mv, after) in values_of_moves(solver, root, &limit, &mut spent) {
            if mv != best && (after == Some(value) || value == Value::Loss) {
                moves.push(mv);
            }
        }
        let (distance, line) = (solution.distance, solution.line.len());
        Some(Knowledge { value: Some(value), distance, line, moves, nodes: spent })
    }
}

/// The value of every move, as far as it can be found.
fn values_of_moves<G: Hints>(
    solver: &mut Solver<G>,
    root: Root<'_, G>,
    limit: &dyn Fn(u64) -> Budget,
    spent: &mut u64,
) -> Vec<(G::Move, Option<Value>)> {
    let mut answer = |mv: G::Move| {
        let (mut position, mut history) = (root.position.clone(), root.history.clone());
        let progress = position.play(mv);
        history.push(&position, progress);
        let value = match history.status(&position) {
            agon_core::Status::Over(outcome) => {
                root.position.to_move().map(|me| Value::of(&outcome, me))
            }
            agon_core::Status::ToMove(_) => {
                let root = Root { position: &position, history: &history };
                let solution = solver.solve(root, &limit(*spent), &mut |_| {});
                *spent += solution.nodes;
                solution.value.map(|value| -value)
            }
        };
        (mv, value)
    };
    root.position.moves().into_iter().map(&mut answer).collect()
}

/// How many nodes may go into solving.
fn affordable(budget: &Budget) -> u64 {
    let seconds = budget.time.map(Time::allotment).map(|time| time.as_secs_f64());
    let by_time = seconds.map(|seconds| (seconds * p::SOLVING_SHARE * p::SOLVING_SPEED) as u64);
    // Callers pass the maximum to force iterative deepening: it means no limit at all.
    let limited = budget.nodes.filter(|&nodes| nodes < u64::MAX);
    let by_nodes = limited.map(|nodes| (nodes as f64 * p::SOLVING_SHARE) as u64);
    by_time.into_iter().chain(by_nodes).min().unwrap_or(p::SOLVING_NODES)
}

/// The score of a move at the root: the search's, unless the solver knows better.
pub(super) fn score<M>(best: &RootMove<M>, known: Option<&Knowledge<M>>) -> Score {
    let found = Score::from_value(best.value);
    let Some(known) = known else { return found };
    let plies = known.distance.unwrap_or(known.line as u32);
    let Some(value) = known.value else { return found };
    match (value, found.forced()) {
        (Value::Draw, _) => Score::DRAW,
        // Without a distance, the search's result is the better estimate.
        (Value::Win, Some(Forced::WinIn(_))) if known.distance.is_none() => found,
        (Value::Loss, Some(Forced::LossIn(_))) if known.distance.is_none() => found,
        (Value::Win, _) => Score::win_in(plies),
        (Value::Loss, _) => Score::loss_in(plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solving_in_passing_is_always_limited() {
        assert_eq!(affordable(&Budget::depth(3)), p::SOLVING_NODES);
        assert_eq!(affordable(&Budget::nodes(u64::MAX)), p::SOLVING_NODES);
        assert_eq!(affordable(&Budget::nodes(1000)), 400);
        let second = Budget::per_move(std::time::Duration::from_secs(1));
        assert!((100_000..1_000_000).contains(&affordable(&second)));
    }
}
