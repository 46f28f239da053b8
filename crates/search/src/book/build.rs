//! Building a book: a tree from the start of a variant, expanded where it is most likely to be
//! needed.
//!
//! A position is expanded by a search of its own, which finds several best moves with their values.
//! The values of positions farther on replace those of the moves that lead there, so the book knows
//! more about a position than the search of it did. What is expanded next is the move that costs
//! the least: each ply costs a little, and each move as much as it is worse than the best one, and
//! a little for each move that is better or came first. So the best lines of both sides are longest,
//! and other lines are known as far as somebody may play them. A line in which both sides go astray
//! is of little use, as whoever plays by the book does not: it costs extra.
//!
//! Positions are expanded in batches of a fixed size, each by a new engine with a fixed number of
//! nodes, and what is expanded next depends on nothing but what is in the book. So the book is the
//! same on any number of threads, and whether or not the build was interrupted in between.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use agon_core::rng::mix;
use agon_games::Table;

use super::file::Book;
use super::tree::{Move, Position, Tree};
use super::{BookError, Recipe, Worth};
use crate::adviser::adviser;
use crate::budget::{Budget, StopFlag};
use crate::report::Iteration;
use crate::spec::{AgentError, AgentSpec};
use crate::threads;

/// How many positions are expanded before the next ones are chosen.
pub const BATCH: usize = 16;
/// A move that is worse than the best one by more than this share of the game's scale is not kept.
const KEPT: f64 = 0.75;
/// What a ply costs. A move that is worse than the best one by the game's scale costs 1000.
const COST_OF_PLY: u64 = 30;
/// What it costs to be the second best move, and again for each place below. Without it, a book of
/// a game with many equally good moves would have all of them, and be shallow.
const COST_OF_RANK: u64 = 40;
/// How much more it costs if both sides make worse moves: this many times the costs of the side
/// with the smaller ones.
const BOTH_ASTRAY: u64 = 2;

/// A book that is being built.
pub struct Builder {
    tree: Tree,
}

/// What became of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The book has grown.
    Grown,
    /// Nothing is left to expand.
    Complete,
    /// It was stopped. The book is as it was before.
    Stopped,
}

/// How far a build has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The positions in the book.
    pub positions: usize,
    /// The longest distance of one from the start.
    pub plies: usize,
}

impl Builder {
    /// Begins a book for the variant on this table.
    pub fn new(start: &dyn Table, recipe: Recipe) -> Result<Builder, BookError> {
        Ok(Builder { tree: Tree::new(start, recipe)? })
    }

    /// Continues a book, which must have been built in the same way.
    pub fn resume(start: &dyn Table, book: &Book, recipe: Recipe) -> Result<Builder, BookError> {
        let tree = Tree::grow(start, book)?;
        if tree.recipe() != recipe {
            return Err(BookError::OtherRecipe(tree.recipe(), recipe));
        }
        Ok(Builder { tree })
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        let positions = self.tree.positions();
        Progress { positions: positions.len(), plies: positions.last().map_or(0, |last| last.ply) }
    }

    /// The book so far.
    pub fn encode(&self) -> Vec<u8> {
        self.tree.encode()
    }

    /// Expands the next batch on so many threads.
    pub fn step(&mut self, threads: usize, stop: &StopFlag) -> Result<Step, BookError> {
        let tables = self.next_batch();
        if tables.is_empty() {
            return Ok(Step::Complete);
        }
        let recipe = self.tree.recipe();
        let found = in_parallel(&tables, threads, |table| expand(&**table, recipe, stop));
        if stop.is_set() {
            return Ok(Step::Stopped);
        }
        let found = found.into_iter().collect::<Result<Vec<Position>, AgentError>>()?;
        self.tree.add(found);
        Ok(Step::Grown)
    }

    /// The positions to expand next, the most important first.
    fn next_batch(&self) -> Vec<Box<dyn Table>> {
        if self.tree.positions().is_empty() {
            return vec![self.tree.start().fork()];
        }
        let mut batch = Vec::with_capacity(BATCH);
        for Candidate { place, index, .. } in self.candidates() {
            let mut table = self.tree.table(place);
            let played = table.play(&self.tree.positions()[place].moves[index].text);
            // Where the game is over there is nothing to search.
            if played.is_ok() && table.turn().is_ok() {
                batch.push(table);
            }
            if batch.len() == BATCH {
                break;
            }
        }
        batch
    }

    /// All moves to positions that are not in the book, the cheapest first.
    fn candidates(&self) -> Vec<Candidate> {
        let (positions, scale) = (self.tree.positions(), self.tree.start().scale());
        let mut costs = vec![None; positions.len()];
        costs[0] = Some(Cost::default());
        let mut found: HashMap<u64, Candidate> = HashMap::new();
        for (place, position) in positions.iter().enumerate() {
            let (Some(cost), best) = (costs[place], position.best()) else { continue };
            // There is nothing to learn where the result is known.
            if best.is_forced() {
                continue;
            }
            for (index, mv) in position.moves.iter().enumerate() {
                let lost = loss(position, index, best, scale);
                let cost: Cost = cost.after(position.ply, lost);
                if let Some(next) = self.tree.onward(place, mv) {
                    let known = costs[next].get_or_insert(cost);
                    *known = (*known).min(cost);
                } else if self.tree.position(mv.to).is_none() {
                    let tie = mix(self.tree.recipe().seed ^ mv.to);
                    let candidate = Candidate { cost, tie, place, index };
                    let known = found.entry(mv.to).or_insert(candidate);
                    *known = (*known).min(candidate);
                }
            }
        }
        let mut all: Vec<Candidate> = found.into_values().collect();
        all.sort_unstable();
        all
    }
}

/// A move that could be expanded, ordered by what it costs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    cost: Cost,
    /// Decides between equal costs.
    tie: u64,
    place: usize,
    index: usize,
}

/// What a line costs.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// All together, by which it is compared.
    total: u64,
    plies: u64,
    /// What the moves of each side lose.
    lost: [u64; 2],
}

impl Cost {
    /// The same after one more move that loses so much.
    fn after(self, ply: usize, by_move: u64) -> Cost {
        let (plies, mut lost) = (self.plies + 1, self.lost);
        lost[ply % 2] += by_move;
        let both = lost[0].min(lost[1]);
        let total = COST_OF_PLY * plies + lost[0] + lost[1] + BOTH_ASTRAY * both;
        Cost { total, plies, lost }
    }
}

/// What a move loses against the best one of its position.
fn loss(position: &Position, index: usize, best: Worth, scale: i32) -> u64 {
    let scale = u64::from(scale.unsigned_abs().max(1));
    let worth = position.moves[index].worth;
    let is_better =
        |(other, mv): (usize, &Move)| mv.worth > worth || (mv.worth == worth && other < index);
    let rank = position.moves.iter().enumerate().filter(|&it| is_better(it)).count() as u64;
    u64::from(worth.below(best)) * 1000 / scale + COST_OF_RANK * rank
}

/// Searches the position on a table.
fn expand(table: &dyn Table, recipe: Recipe, stop: &StopFlag) -> Result<Position, AgentError> {
    let spec: AgentSpec = format!("engine:book=off,lines={}", recipe.lines.max(1)).parse()?;
    // Without tables of exact values: a book does not depend on what else has been built here.
    let bare = bare_copy(table);
    let mut engine = adviser(&*bare, &spec, recipe.seed)?;
    let budget = Budget { stop: stop.clone(), ..Budget::nodes(recipe.nodes) };
    let mut last: Vec<Iteration<String>> = Vec::new();
    engine.choose(&*bare, &budget, &mut |iteration| {
        if iteration.rank == 0 {
            last.clear();
        }
        last.push(iteration.clone());
    });
    let legal = table.keyed_moves();
    let mut moves: Vec<Move> = Vec::new();
    for Iteration { depth, score, pv, .. } in last {
        let Some(first) = pv.first() else { continue };
        let Some(&(_, to)) = legal.iter().find(|(text, _)| text == first) else { continue };
        let (worth, depth) = (Worth::of(score), depth.min(u8::MAX.into()) as u8);
        // Of moves that are symmetric to each other, one is enough.
        if moves.iter().all(|known| known.to != to) && is_kept(&moves, worth, table.scale()) {
            let text = legal.iter().find(|(_, key)| *key == to).map_or(first, |(text, _)| text);
            moves.push(Move { text: text.clone(), to, worth, depth });
        }
    }
    Ok(Position::searched(table.canonical_key(), moves))
}

/// Whether a move is good enough, beside the best one found before it.
fn is_kept(better: &[Move], worth: Worth, scale: i32) -> bool {
    let is_close = |best: Worth| f64::from(worth.below(best)) <= KEPT * f64::from(scale);
    better.first().is_none_or(|best| !best.worth.is_forced() && is_close(best.worth))
}

/// The same game with nothing at hand but what is compiled in.
fn bare_copy(table: &dyn Table) -> Box<dyn Table> {
    let bare = agon_games::open_at(table.variant(), None, table.played());
    bare.unwrap_or_else(|_| table.fork())
}

/// Does the same with all of them on some threads; the results are in the same order.
pub(super) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let worker = || {
        while let Some((index, item)) =
            Some(next.fetch_add(1, Relaxed)).and_then(|index| Some((index, items.get(index)?)))
        {
            let result = work(item);
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    std::thread::scope(|scope| {
        // If the system refuses threads, this one does all the work.
        let others = threads.min(items.len()).saturating_sub(1);
        let helpers: Vec<_> = (0..others).map(|_| threads::helper(scope, worker)).collect();
        worker();
        drop(helpers);
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
