//! Iterative deepening.

use std::time::{Duration, Instant};

use agon_core::{Game, Hints};

use crate::budget::{Budget, Stopped, Time};
use crate::report::{Choice, Iteration, Statistics};
use crate::score::Score;
use crate::strategy::{Reporter, Root, Strategy};
use crate::tree::Tree;

/// A fixed-depth search that keeps its tables between calls.
pub(super) trait Search<G: Game>: Send {
    /// Makes memory ready for searches with such a budget.
    fn prepare(&mut self, budget: &Budget);

    /// Another move is to be chosen, within this budget.
    fn begin(&mut self, root: &Root<'_, G>, budget: &Budget);

    /// The value of the root for the side to move, to this depth, with `first` searched before all
    /// other moves; the principal variation is left in the tree. If the search is stopped, that
    /// line is the best so far, if there is one yet.
    fn search(
        &mut self,
        tree: &mut Tree<G>,
        position: &G,
        depth: u32,
        first: Option<G::Move>,
    ) -> Result<Score, Stopped>;

    /// Whether searching deeper cannot change anything after an iteration with this value.
    fn is_done(&self, score: Score) -> bool;
}

/// Deepens a search iteratively and plays the best move found when it has to stop.
pub(super) struct Driver<S> {
    pub(super) depth: Option<u32>,
    pub(super) search: S,
}

/// The maximum depth.
const DEEPEST: u32 = 200;

/// The part of a move's share of the clock after which no iteration is started: each takes several
/// times as long as the one before.
const LAST_BEGIN: f64 = 0.5;

impl<S> Driver<S> {
    fn deepest<G: Hints>(&self, position: &G, budget: &Budget) -> u32 {
        match [self.depth, budget.depth].into_iter().flatten().min() {
            Some(depth) => depth.clamp(1, DEEPEST),
            None if budget.is_open_ended() => DEEPEST,
            None => position.default_depth(),
        }
    }
}

/// Whether to stop before another iteration. A time per move is used in full, as unused time is
/// lost anyway.
fn is_late(budget: &Budget, elapsed: Duration) -> bool {
    match budget.time {
        Some(time @ Time::Clock { .. }) => elapsed >= time.allotment().mul_f64(LAST_BEGIN),
        _ => false,
    }
}

/// The playable beginning of a line. Searches in which players pass find lines that cannot be
/// played.
fn playable<G: Game>(position: &G, line: &[G::Move]) -> Vec<G::Move> {
    let mut position = position.clone();
    line.iter().copied().take_while(|&mv| position.try_play(mv).is_some()).collect()
}

impl<G: Hints, S: Search<G>> Strategy<G> for Driver<S> {
    fn prepare(&mut self, budget: &Budget) {
        self.search.prepare(budget);
    }

    fn choose(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        report: Reporter<'_, G::Move>,
    ) -> Choice<G::Move> {
        let started = Instant::now();
        let mut tree = Tree::new(root, budget);
        let (mut score, mut line): (Option<Score>, Vec<G::Move>) = (None, Vec::new());
        self.search.begin(&root, budget);
        for depth in 1..=self.deepest(root.position, budget) {
            let nodes_before = tree.statistics.nodes;
            let first = line.first().copied();
            let found = self.search.search(&mut tree, root.position, depth, first);
            tree.rewind();
            let best = playable(root.position, tree.line());
            // The best move so far was searched first, so whatever an interrupted search has found
            // is better, or that same move.
            if !best.is_empty() {
                line = best;
            }
            let Ok(value) = found else { break };
            score = Some(value);
            tree.statistics.last_nodes = tree.statistics.nodes - nodes_before;
            tree.statistics.depth = depth;
            let Statistics { nodes, expanded, .. } = tree.statistics;
            let (time, pv) = (started.elapsed(), line.clone());
            report(&Iteration { depth, rank: 0, score: value, pv, nodes, expanded, time });
            if self.search.is_done(value) || tree.is_out_of_time() || is_late(budget, time) {
                break;
            }
        }
        tree.statistics.time = started.elapsed();
        let mv = line.first().copied().or_else(|| root.position.moves().first().copied());
        let mv = mv.expect("a root has a legal move");
        Choice { mv, score, pv: line, statistics: tree.statistics }
    }
}
