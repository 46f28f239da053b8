//! Iterative deepening.

use std::time::Instant;

use agon_core::{Evaluate, Game};

use crate::budget::{Budget, Stopped};
use crate::report::{Choice, Iteration, Statistics};
use crate::score::Score;
use crate::strategy::{Reporter, Root, Strategy};
use crate::tree::Tree;

/// A search that goes to a given depth.
pub trait FixedDepth<G: Game>: Send {
    /// The value of the root for the side to move, to this depth; the principal variation is left
    /// in the tree.
    fn search(&self, tree: &mut Tree<G>, position: &G, depth: u32) -> Result<Score, Stopped>;
}

/// A search with its depth. With a budget of time or nodes it deepens iteratively, up to its own
/// depth if it has one, and plays the move of its last complete iteration. With neither it searches
/// to its depth, or the game's default, directly.
#[derive(Clone, Debug)]
pub(crate) struct Deepening<S> {
    /// The depth; `None` for as deep as the budget allows.
    pub depth: Option<u32>,
    /// The search.
    pub search: S,
}

/// The maximum depth.
const DEEPEST: u32 = 1000;

impl<G: Evaluate, S: FixedDepth<G>> Strategy<G> for Deepening<S> {
    fn choose(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        report: Reporter<'_, G::Move>,
    ) -> Choice<G::Move> {
        let started = Instant::now();
        let limit = [self.depth, budget.depth].into_iter().flatten().min();
        let deepest = match limit {
            Some(depth) => depth.clamp(1, DEEPEST),
            None if budget.is_open_ended() => DEEPEST,
            None => root.position.default_depth(),
        };
        let first = if budget.is_open_ended() { 1 } else { deepest };
        let mut tree = Tree::new(root, budget);
        let mut best: Option<Iteration<G::Move>> = None;
        for depth in first..=deepest {
            let (nodes_before, judged_before) =
                (tree.statistics.nodes, tree.statistics.evaluations);
            let Ok(score) = self.search.search(&mut tree, root.position, depth) else {
                tree.rewind();
                break;
            };
            tree.statistics.last_nodes = tree.statistics.nodes - nodes_before;
            tree.statistics.depth = depth;
            let Statistics { nodes, expanded, .. } = tree.statistics;
            let (pv, time) = (tree.line().to_vec(), started.elapsed());
            let iteration = Iteration { depth, rank: 0, score, pv, nodes, expanded, time };
            report(&iteration);
            best = Some(iteration);
            // Where nothing had to be evaluated, the whole game was searched to its end.
            let seen_to_the_end = tree.statistics.evaluations == judged_before;
            if seen_to_the_end || score.forced().is_some() || tree.is_out_of_time() {
                break;
            }
        }
        tree.statistics.time = started.elapsed();
        let (score, pv) = match best {
            Some(iteration) => (Some(iteration.score), iteration.pv),
            // Not even one ply was completed: the best move of the stopped search so far, or any.
            None => (None, tree.line().to_vec()),
        };
        let mv = pv.first().copied().or_else(|| root.position.moves().first().copied());
        let mv = mv.expect("a root has a legal move");
        Choice { mv, score, pv, statistics: tree.statistics }
    }
}
