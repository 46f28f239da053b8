//! Monte Carlo tree search, for two players and more.
//!
//! Each iteration descends a growing tree: at every position it selects the move that promises most
//! or is least explored, until it leaves the tree. There it adds a node, estimates its value, and
//! backs that up along the path. The most visited move is played.
//!
//! `plain=on` is the textbook version: UCT with random play-outs to the end of the game. Everything
//! else has a switch ([`options::Switches`]):
//!
//! - `cutoff`: play-outs are cut off after a few plies, or at once, and evaluated.
//! - `quiet`: exchanges are resolved before a position is evaluated.
//! - `minimax`: all children of a new node are evaluated, and the best value is backed up as in
//!   max^n, alongside the mean of the visits (implicit minimax).
//! - `priors`: moves favoured by the evaluation and the hints are explored first and longer.
//! - `history`: moves that did well elsewhere in the tree are explored longer.
//! - `solver`: proven results are backed up as bounds for every seat, so that proofs also work for
//!   three players, and nothing is explored that cannot matter any more.
//! - `reuse`: the subtree of the actual position is kept for the next move.
//!
//! Every seat maximises its own points, so nothing here depends on the number of players. Threads
//! share one tree of atomic words. Each has a plot of its own for new nodes; only for a new plot do
//! they need a lock, and when there is none left, all stop searching and recycle memory together. A
//! visit in progress counts as lost until its value is known (virtual loss), which spreads the
//! threads. Memory is bounded: `arena` recycles the least visited nodes.
//!
//! - [`options`]: the options.
//! - `worker`: descent, expansion and backup.
//! - `selection`: which move to explore, which one to play.
//! - `quiet`: quiescence.
//! - `node`, `arena`, `gaps`: the tree and its memory.
//! - `history`: moves that did well elsewhere.

mod arena;
mod gaps;
mod history;
mod node;
pub mod options;
mod quiet;
mod selection;
mod worker;

#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use agon_core::{Evaluator, Hints, History, Rng, Seat};

use crate::budget::{Budget, Limits};
use crate::expected::lead;
use crate::report::{Choice, Iteration, Statistics};
use crate::score::Score;
use crate::strategy::{Reporter, Root, Strategy};
use crate::threads;
use arena::{Arena, ROOT};
use history::MoveHistory;
use node::{Index, Node};
use options::Options;
use selection::Crossroads;
use worker::{Shared, Worker};

/// The number of iterations if nothing limits the search.
const DEFAULT_ITERATIONS: u64 = 20_000;
/// With only one legal move, this is enough to estimate its value.
const ENOUGH_FOR_ONE_MOVE: u64 = 100;
/// The old tree is reused if at most this many moves were made since.
const MOST_MOVES_SINCE: usize = 3;

/// A Monte Carlo search, with the tree it keeps from move to move.
pub struct Mcts<G: Hints> {
    options: Options,
    evaluation: Evaluator<G>,
    tree: Arena<G::Move>,
    history: MoveHistory,
    /// The position at the root of the tree, and its history.
    planted: Option<(G, History)>,
    rng: Rng,
}

/// The state shared by the threads.
struct Board {
    started: Instant,
    limits: Limits,
    most_iterations: u64,
    most_nodes: u64,
    counters: Counters,
    done: AtomicBool,
    /// Who is to move.
    mover: Seat,
}

/// What all threads count together. It has its own cache lines (two, as processors fetch the next
/// one as well): nothing that is only read should have to be fetched again after every change.
#[derive(Default)]
#[repr(align(128))]
struct Counters {
    iterations: AtomicU64,
    nodes: AtomicU64,
}

impl<G: Hints> Mcts<G> {
    /// A search with an empty tree.
    pub fn new(options: Options, evaluation: Evaluator<G>, seed: u64) -> Mcts<G> {
        let tree = Arena::new((options.memory as usize) << 20, options.threads);
        let history = MoveHistory::new::<G>(agon_core::MAX_SEATS, options.switches.history);
        Mcts { options, evaluation, tree, history, planted: None, rng: Rng::new(seed) }
    }

    /// Roots the tree at this position: reuses its subtree of the old tree, or starts a new one.
    fn plant(&mut self, root: Root<'_, G>) {
        self.history.clear();
        let kept = if self.options.switches.reuse { self.find(root) } else { None };
        match kept {
            Some(ROOT) => {}
            Some(index) => self.tree.replant(index),
            None => self.tree.clear(),
        }
        self.planted = Some((root.position.clone(), root.history.clone()));
    }

    /// The node of a position in the old tree, if it was reached from its root.
    fn find(&self, root: Root<'_, G>) -> Option<Index> {
        let (position, history) = self.planted.as_ref()?;
        let since = root.history.plies().checked_sub(history.plies())?;
        if since > MOST_MOVES_SINCE {
            return None;
        }
        self.find_below(ROOT, position, &mut history.clone(), root, since)
    }

    fn find_below(
        &self,
        at: Index,
        position: &G,
        history: &mut History,
        root: Root<'_, G>,
        plies: usize,
    ) -> Option<Index> {
        if plies == 0 {
            let is_it = position == root.position && history.digest() == root.history.digest();
            return is_it.then_some(at);
        }
        let (first, children) = self.tree.children(self.tree.node(at));
        // Unvisited nodes hold nothing worth keeping.
        for (index, child) in (first..).zip(children).filter(|(_, child)| child.visits() > 0) {
            let mut after = position.clone();
            let progress = after.play(child.mv()?);
            history.push(&after, progress);
            let found = self.find_below(index, &after, history, root, plies - 1);
            history.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Searches on all threads; the first one reports.
    fn search(
        &mut self,
        root: Root<'_, G>,
        board: &Board,
        report: Reporter<'_, G::Move>,
    ) -> Statistics {
        let shared = Shared::new(root, &self.options, self.evaluation.clone(), &self.history);
        let tree = RwLock::new(&mut self.tree);
        let seeds: Vec<u64> = (0..self.options.threads).map(|_| self.rng.next_u64()).collect();
        let (shared, tree) = (&shared, &tree);
        std::thread::scope(|scope| {
            let helpers: Vec<_> = seeds[1..]
                .iter()
                .filter_map(|&seed| {
                    let mine = move || work(Worker::new(shared, seed), tree, board, &mut |_, _| {});
                    threads::helper(scope, mine)
                })
                .collect();
            let mut tell = |tree: &Arena<G::Move>, expanded| {
                tell(shared, tree, board, expanded, &mut *report);
            };
            let mut statistics = work(Worker::new(shared, seeds[0]), tree, board, &mut tell);
            board.done.store(true, Relaxed);
            for helper in helpers.into_iter().filter_map(|helper| helper.join().ok()) {
                statistics.depth = statistics.depth.max(helper.depth);
                statistics.add(&helper);
            }
            statistics
        })
    }
}

/// Iterates as long as the budget allows. `tell` is called whenever the number of iterations has
/// doubled.
fn work<G: Hints>(
    mut worker: Worker<'_, G>,
    tree: &RwLock<&mut Arena<G::Move>>,
    board: &Board,
    tell: &mut dyn FnMut(&Arena<G::Move>, u64),
) -> Statistics {
    let mut next_report = 1;
    loop {
        let growing = tree.read().unwrap_or_else(PoisonError::into_inner);
        while !growing.is_short() {
            if board.is_over(&growing) {
                return worker.retire(&growing);
            }
            let nodes_before = worker.nodes;
            worker.iterate(&growing);
            let iterations = board.count(worker.nodes - nodes_before);
            if iterations >= next_report {
                tell(&growing, worker.expanded);
                next_report = iterations.next_power_of_two() * 2;
            }
        }
        drop(growing);
        tree.write().unwrap_or_else(PoisonError::into_inner).relieve();
    }
}

impl Board {
    /// Counts an iteration and its nodes; returns the number of iterations so far.
    fn count(&self, nodes: u64) -> u64 {
        self.counters.nodes.fetch_add(nodes, Relaxed);
        self.counters.iterations.fetch_add(1, Relaxed) + 1
    }

    fn iterations(&self) -> u64 {
        self.counters.iterations.load(Relaxed)
    }

    fn nodes(&self) -> u64 {
        self.counters.nodes.load(Relaxed)
    }

    /// Whether to stop: out of budget, or the result is settled.
    fn is_over<M: Copy + Send + Sync>(&self, tree: &Arena<M>) -> bool {
        let iterations = self.iterations();
        if self.done.load(Relaxed) || iterations >= self.most_iterations {
            return true;
        }
        if iterations == 0 {
            return false;
        }
        let root = tree.node(ROOT);
        let is_forced = iterations >= ENOUGH_FOR_ONE_MOVE && tree.children(root).1.len() == 1;
        let is_settled = is_forced || root.bounds().settle(self.mover);
        is_settled || self.nodes() >= self.most_nodes || self.limits.is_over()
    }
}

/// Reports the current state, the best lines in order.
fn tell<G: Hints>(
    shared: &Shared<'_, G>,
    tree: &Arena<G::Move>,
    board: &Board,
    expanded: u64,
    report: Reporter<'_, G::Move>,
) {
    for (rank, (score, pv)) in lines(shared, tree).into_iter().enumerate() {
        report(&Iteration {
            depth: pv.len() as u32,
            rank,
            score,
            pv,
            nodes: board.nodes(),
            expanded,
            time: board.started.elapsed(),
        });
    }
}

/// The values of the best moves for the side to move, as many as are wanted, each with its most
/// visited line. There is at least one, unless nothing has been expanded.
fn lines<G: Hints>(shared: &Shared<'_, G>, tree: &Arena<G::Move>) -> Vec<(Score, Vec<G::Move>)> {
    let (position, root) = (shared.root.position, tree.node(ROOT));
    let Some(here) = crossroads(shared, tree, position, root) else { return Vec::new() };
    let known = |&index: &usize| here.children[index].visits() > 0;
    let others = here.ranking().into_iter().skip(1).filter(known);
    let wanted = std::iter::once(here.best()).chain(others).take(shared.options.lines);
    let line_of = |index: usize| {
        let child = &here.children[index];
        let value = here.value(child).unwrap_or(0.5);
        // Of the position, only the best move's value is the one that bounds prove.
        let node = if index == here.best() { root } else { child };
        let score = score_of(node, child, here.mover, value, shared.scale);
        Some((score, line(shared, tree, child)?))
    };
    wanted.filter_map(line_of).collect()
}

/// A move of the root and the most visited line after it.
fn line<G: Hints>(
    shared: &Shared<'_, G>,
    tree: &Arena<G::Move>,
    first: &Node<G::Move>,
) -> Option<Vec<G::Move>> {
    let (mut position, mut node) = (shared.root.position.clone(), first);
    let mut line = vec![node.mv()?];
    position.play(line[0]);
    while let Some(best) = crossroads(shared, tree, &position, node).map(|here| here.best()) {
        let child = &tree.children(node).1[best];
        let Some(mv) = child.mv().filter(|_| child.visits() > 0) else { break };
        line.push(mv);
        position.play(mv);
        node = child;
    }
    Some(line)
}

/// A node with the position that belongs to it, if it goes on from there.
fn crossroads<'a, G: Hints>(
    shared: &'a Shared<'_, G>,
    tree: &'a Arena<G::Move>,
    position: &'a G,
    node: &'a Node<G::Move>,
) -> Option<Crossroads<'a, G>> {
    let children = tree.children(node).1;
    let mover = position.to_move().filter(|_| !children.is_empty())?;
    let Shared { options, history, .. } = *shared;
    Some(Crossroads { position, mover, node, children, options, history })
}

/// A value as a score, with the distance if it is proven.
fn score_of<M: Copy>(
    node: &Node<M>,
    child: &Node<M>,
    mover: Seat,
    value: f32,
    scale: i32,
) -> Score {
    let (bounds, plies) = (node.bounds(), u32::from(child.distance()) + 1);
    match (bounds.low_share(mover), bounds.high_share(mover)) {
        (1.0, _) => Score::win_in(plies),
        (_, 0.0) => Score::loss_in(plies),
        (low, high) if low == high => Score::units(((low - 0.5) * 10_000.0) as i32),
        _ => Score::units(lead(value, scale)),
    }
}

impl<G: Hints> Strategy<G> for Mcts<G> {
    fn choose(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        report: Reporter<'_, G::Move>,
    ) -> Choice<G::Move> {
        let unlimited = !budget.is_open_ended() && self.options.iterations.is_none();
        let default = if unlimited { DEFAULT_ITERATIONS } else { u64::MAX };
        let board = Board {
            started: Instant::now(),
            limits: Limits::start(budget),
            most_iterations: self.options.iterations.unwrap_or(default),
            most_nodes: budget.nodes.unwrap_or(u64::MAX),
            counters: Counters::default(),
            done: AtomicBool::new(false),
            mover: root.position.to_move().unwrap_or(Seat::FIRST),
        };
        self.plant(root);
        let mut statistics = self.search(root, &board, report);
        let shared = Shared::new(root, &self.options, self.evaluation.clone(), &self.history);
        let best = lines(&shared, &self.tree).into_iter().next();
        let (score, pv) = best.unwrap_or((Score::DRAW, Vec::new()));
        statistics.time = board.started.elapsed();
        statistics.last_nodes = statistics.nodes;
        statistics.iterations = board.iterations();
        let mv = pv.first().copied().or_else(|| root.position.moves().first().copied());
        let mv = mv.expect("a root has a legal move");
        Choice { mv, score: Some(score), pv, statistics }
    }
}
