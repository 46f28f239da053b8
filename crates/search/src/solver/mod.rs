//! The exact value of a position, and the moves that keep it.
//!
//! There are two methods. Where no position can recur, as in Breakthrough, `forward` searches to
//! the end of the game with a large table. Where positions can recur, `retrograde` collects all
//! reachable positions and works back from the ends; endless play is a draw there. Counters and
//! repetition are left out of that analysis: a win or a loss is verified once more under all rules,
//! and reported as unknown if it does not hold; a draw always holds, as those rules only lead to
//! draws.
//!
//! A position that is too large for the budget is unknown.

pub mod agent;
mod forward;
mod prove;
mod retrograde;
mod shared;
pub mod table;
pub mod text;
mod walk;

use std::fmt;
use std::ops::Neg;
use std::time::{Duration, Instant};

use agon_core::{
    Foreseen, Game, Hints, Outcome, Progress as Irreversibility, Seat, Status, Tables,
};

use crate::budget::Budget;
use crate::memory::OutOfMemory;
use crate::strategy::Root;
use crate::tabled;
use crate::threads;

use forward::{Forward, foreseen, key_of};
use retrograde::Graph;
use shared::{Books, Halt, Watch};
pub use shared::{Observer, Progress, Unknown};
use table::{Bounds, SolverTable};

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Value {
    /// The other side can force a win.
    Loss,
    /// Neither can.
    Draw,
    /// The side to move can force a win.
    Win,
}

impl Value {
    /// What an outcome is worth to a seat of two.
    pub fn of(outcome: &Outcome, seat: Seat) -> Value {
        match outcome.winner() {
            None => Value::Draw,
            Some(winner) if winner == seat => Value::Win,
            Some(_) => Value::Loss,
        }
    }

    /// The value from the two bits of its discriminant.
    #[inline]
    fn from_bits(bits: u64) -> Value {
        match bits & 3 {
            0 => Value::Loss,
            1 => Value::Draw,
            _ => Value::Win,
        }
    }

    /// What the opponent must reach to refute this value: the least that is better than its
    /// negation.
    #[inline]
    fn denied(self) -> Value {
        if self == Value::Win { Value::Draw } else { Value::Win }
    }

    /// The next lower value.
    #[inline]
    fn one_less(self) -> Value {
        if self == Value::Win { Value::Draw } else { Value::Loss }
    }
}

impl Neg for Value {
    type Output = Value;
    #[inline]
    fn neg(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        })
    }
}

/// The resources of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Memory for what is proven, in MiB, taken as it is needed.
    pub hash_mib: usize,
    /// Threads that share the work of a `forward` search.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { hash_mib: 256, threads: 1 }
    }
}

/// What a solver found.
#[derive(Clone, Debug)]
pub struct Solution<M> {
    /// The value for the side to move; `None` if it is unknown.
    pub value: Option<Value>,
    /// Why the value stayed unknown, if it did.
    pub unknown: Option<Unknown>,
    /// A move that keeps the value, or the one that looked best if that is unknown. `None` when
    /// there is no move.
    pub best: Option<M>,
    /// The number of plies to a win or a loss with best play by both sides, if known.
    pub distance: Option<u32>,
    /// A line of optimal play.
    pub line: Vec<M>,
    /// Moves played by the search.
    pub nodes: u64,
    /// The number of positions collected, by the retrograde method.
    pub states: Option<u64>,
    /// The time it took.
    pub time: Duration,
}

/// Solves a position with its own memory.
///
/// For the game on a table see [`text::solve`].
pub fn solve<G: Hints>(
    root: Root<'_, G>,
    budget: &Budget,
    options: &Options,
    observe: Observer<'_>,
) -> Result<Solution<G::Move>, OutOfMemory> {
    Ok(Solver::new(options)?.solve(root, budget, observe))
}

/// A solver that keeps its proven positions from one call to the next.
#[derive(Debug)]
pub struct Solver<G: Game> {
    table: SolverTable,
    options: Options,
    /// All positions reachable from an earlier one, with their values.
    graph: Option<Graph<G>>,
    tables: Tables,
}

/// The bytes per position while all are collected, including its moves.
const BYTES_PER_STATE: usize = 160;

impl<G: Hints> Solver<G> {
    /// A solver with an empty table.
    pub fn new(options: &Options) -> Result<Self, OutOfMemory> {
        let (table, tables) = (SolverTable::new(options.hash_mib)?, Tables::default());
        Ok(Solver { table, options: *options, graph: None, tables })
    }

    /// The same with endgame tables.
    #[must_use]
    pub fn with_tables(self, tables: &Tables) -> Self {
        Solver { tables: tables.clone(), ..self }
    }

    /// Solves a position of a game of two, if the budget allows.
    pub fn solve(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        observe: Observer<'_>,
    ) -> Solution<G::Move> {
        let books = Books::new(budget);
        let mut solution = self.search(root, &books, observe);
        solution.nodes = books.nodes();
        solution.time = books.started.elapsed();
        solution.unknown = solution.value.is_none().then(|| books.unknown());
        solution
    }

    /// The same with at most this many nodes, on this thread: for use within a search.
    pub fn attempt(&mut self, root: Root<'_, G>, nodes: u64) -> Solution<G::Move> {
        let threads = std::mem::replace(&mut self.options.threads, 1);
        let solution = self.solve(root, &Budget::nodes(nodes), &mut |_| {});
        self.options.threads = threads;
        solution
    }

    /// The value of every legal move for the side to move, in the order of generation; moves
    /// whose value stayed unknown have none. The time is for all of them together.
    pub fn solve_moves(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        observe: Observer<'_>,
    ) -> Vec<(G::Move, Solution<G::Move>)> {
        let Status::ToMove(me) = root.history.status(root.position) else { return Vec::new() };
        let started = Instant::now();
        let mut answer = |mv: G::Move| {
            let mut position = root.position.clone();
            let mut history = root.history.clone();
            let progress = position.play(mv);
            history.push(&position, progress);
            let after = Root { position: &position, history: &history };
            let mut solution = self.solve(after, &budget.less(started.elapsed()), observe);
            match history.status(&position) {
                Status::ToMove(next) if next == me => {}
                Status::ToMove(_) => solution.value = solution.value.map(|value| -value),
                Status::Over(outcome) => {
                    solution.value = Some(Value::of(&outcome, me));
                    solution.unknown = None;
                    solution.distance = outcome.winner().map(|_| 0);
                }
            }
            solution.distance = solution.distance.map(|plies| plies + 1);
            solution.line.insert(0, mv);
            (mv, solution)
        };
        root.position.moves().into_iter().map(&mut answer).collect()
    }

    fn search(
        &mut self,
        root: Root<'_, G>,
        books: &Books,
        observe: Observer<'_>,
    ) -> Solution<G::Move> {
        let position = root.position;
        let Status::ToMove(me) = root.history.status(position) else { return unknown() };
        let moves = position.moves();
        if moves.is_empty() {
            return settled(Value::of(&position.when_stuck(), me));
        }
        if position.seats() != 2 {
            return Solution { best: moves.first().copied(), ..unknown() };
        }
        if let Some(solution) = self.look_up(root) {
            return solution;
        }
        let is_reversible =
            moves.iter().any(|&mv| position.clone().play(mv) == Irreversibility::Reversible);
        if !is_reversible && position.history_rules().plies.is_none() {
            match self.search_forward(position, books, observe) {
                Err(Halt::Cycle) => {}
                Ok(solution) if solution.best.is_some() => return solution,
                // The value was found, but the budget ran out before the line was.
                Ok(solution) => {
                    return Solution { value: solution.value, ..self.give_up(position, me) };
                }
                Err(Halt::Budget) => return self.give_up(position, me),
            }
        }
        self.search_back(root, books, observe).unwrap_or_else(|_| self.give_up(position, me))
    }

    /// The solution from endgame tables. Where positions have recurred already, a win might have to
    /// lead through them once too often: this is left to the other methods.
    fn look_up(&self, root: Root<'_, G>) -> Option<Solution<G::Move>> {
        let known = tabled::known(root, &self.tables)?;
        let (value, distance) = match known.verdict? {
            Foreseen::Win(plies) => (Value::Win, Some(plies)),
            Foreseen::Loss(plies) => (Value::Loss, Some(plies)),
            _ => (Value::Draw, None),
        };
        if distance.is_some() && root.history.has_repetition() {
            return None;
        }
        let best = known.moves.first().copied();
        let line = match (best, distance) {
            (Some(best), Some(_)) => tabled::line(root, best, &self.tables),
            _ => best.into_iter().collect(),
        };
        Some(Solution { value: Some(value), best, distance, line, ..unknown() })
    }

    /// Searches to the end of the game, on all threads.
    fn search_forward(
        &self,
        position: &G,
        books: &Books,
        observe: Observer<'_>,
    ) -> Result<Solution<G::Move>, Halt> {
        let mut tell = || {
            let (nodes, time) = (books.nodes(), books.started.elapsed());
            observe(&Progress { nodes, time, states: None, table: self.table.fullness() });
        };
        let table = &self.table;
        let value = std::thread::scope(|scope| {
            let other = |thread| {
                threads::helper(scope, move || {
                    work(position, table, books, Watch::with_table(books, table, None), thread)
                })
            };
            let others: Vec<_> = (1..self.options.threads).filter_map(other).collect();
            let watch = Watch::with_table(books, table, Some(&mut tell));
            let mine = work(position, table, books, watch, 0);
            let others = others.into_iter().filter_map(|other| other.join().ok());
            others.fold(mine, |found, other| if found == Err(Halt::Budget) { other } else { found })
        })?;
        books.reopen();
        let mut search = Forward::new(table, Watch::with_table(books, table, Some(&mut tell)), 0);
        let line = walk::line(&mut search, position, value);
        let best = line.first().copied();
        let wins_now = position.foreseen() == Some(Foreseen::Win(1));
        let distance = wins_now.then_some(1);
        Ok(Solution { value: Some(value), best, distance, line, ..unknown() })
    }

    /// Collects all reachable positions, or reuses those already collected.
    fn search_back(
        &mut self,
        root: Root<'_, G>,
        books: &Books,
        observe: Observer<'_>,
    ) -> Result<Solution<G::Move>, Halt> {
        let known = self.graph.take().filter(|graph| graph.contains(root.position));
        let graph = match known {
            Some(graph) => graph,
            None => {
                let most = self.options.hash_mib.saturating_mul(1 << 20) / BYTES_PER_STATE;
                Graph::explore(root.position, most, books, observe)?
            }
        };
        let solution = graph.solution(root, books);
        self.graph = Some(graph);
        solution
    }

    /// The move that looks best, where the value stayed unknown: nothing that is known to be
    /// worse than another, then what the game's first evaluation likes.
    fn give_up(&self, position: &G, me: Seat) -> Solution<G::Move> {
        let merit = |mv: &G::Move| {
            let mut child = position.clone();
            child.play(*mv);
            let known = match child.status() {
                Status::Over(outcome) => Bounds::exactly(Value::of(&outcome, me)),
                Status::ToMove(_) => foreseen(&child).and(self.table.get(key_of(&child))).flipped(),
            };
            let judged = child.to_move().map_or(0, |_| (G::evaluations()[0].judge)(&child, me));
            (known.lower, known.upper, judged)
        };
        let best = position.moves().into_iter().max_by_key(merit);
        Solution { best, line: best.into_iter().collect(), ..unknown() }
    }
}

/// One thread's part of a search; the first to have the answer stops the others.
fn work<'a, G: Hints>(
    position: &G,
    table: &'a SolverTable,
    books: &'a Books,
    watch: Watch<'a>,
    thread: usize,
) -> Result<Value, Halt> {
    let value = Forward::new(table, watch, thread).value(position);
    if value != Err(Halt::Budget) {
        books.finish();
    }
    value
}

/// Nothing is known.
fn unknown<M>() -> Solution<M> {
    Solution {
        value: None,
        unknown: None,
        best: None,
        distance: None,
        line: Vec::new(),
        nodes: 0,
        states: None,
        time: Duration::ZERO,
    }
}

/// The game is over.
fn settled<M>(value: Value) -> Solution<M> {
    let distance = (value != Value::Draw).then_some(0);
    Solution { value: Some(value), distance, ..unknown() }
}
