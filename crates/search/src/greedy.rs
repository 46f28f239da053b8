//! Greedy: the move with the best evaluation one ply ahead.

use std::time::Instant;

use agon_core::{Evaluate, Evaluator, Rng};

use crate::budget::Budget;
use crate::report::{Choice, Iteration};
use crate::score::Score;
use crate::strategy::{Reporter, Root, Strategy};
use crate::tree::Tree;

/// Looks one ply ahead, for any number of players; among equals it chooses at random.
#[derive(Clone, Debug)]
pub struct Greedy<G: Evaluate> {
    evaluation: Evaluator<G>,
    rng: Rng,
}

impl<G: Evaluate> Greedy<G> {
    /// Evaluates with `evaluation`; the same seed plays the same moves.
    pub fn new(evaluation: Evaluator<G>, seed: u64) -> Self {
        Greedy { evaluation, rng: Rng::new(seed) }
    }
}

impl<G: Evaluate> Strategy<G> for Greedy<G> {
    fn choose(
        &mut self,
        root: Root<'_, G>,
        _: &Budget,
        report: Reporter<'_, G::Move>,
    ) -> Choice<G::Move> {
        let started = Instant::now();
        let me = root.position.to_move().expect("a root is not over");
        // One ply is too quick to need a budget.
        let mut tree = Tree::new(root, &Budget::default());
        let mut best: (Score, Vec<G::Move>) = (Score::LOWEST, Vec::new());
        for mv in root.position.moves() {
            let Ok(child) = tree.play(root.position, mv) else { break };
            let score = match tree.outcome(&child) {
                Some(outcome) => Score::of(&outcome, me, 1),
                None => tree.evaluate(&child, &self.evaluation, me),
            };
            tree.undo();
            if score > best.0 {
                best = (score, Vec::new());
            }
            if score == best.0 {
                best.1.push(mv);
            }
        }
        let (score, moves) = best;
        let mv = *self.rng.choose(&moves).expect("a root has a legal move");
        let mut statistics = tree.statistics;
        (statistics.last_nodes, statistics.depth, statistics.time) =
            (statistics.nodes, 1, started.elapsed());
        report(&Iteration {
            depth: 1,
            rank: 0,
            score,
            pv: vec![mv],
            nodes: statistics.nodes,
            expanded: statistics.expanded,
            time: statistics.time,
        });
        Choice { mv, score: Some(score), pv: vec![mv], statistics }
    }
}
