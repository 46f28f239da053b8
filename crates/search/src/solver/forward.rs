//! Alpha-beta to the end of the game, for games in which positions never recur.
//!
//! A position is asked one question at a time: is it worth at least a draw, or at least a win? All
//! children are checked before one is searched: finished games, foreseen results and the table
//! answer most questions at once. The rest is searched in the order that the game's hints give, or
//! else captures first, then moves that leave the opponent few captures and few moves.

use std::hash::{Hash, Hasher};

use agon_core::rng::mix;
use agon_core::sink::Counter;
use agon_core::{Foreseen, Game, Hints, MoveList, Progress, Status, Which};

use super::Value;
use super::shared::{Halt, Watch};
use super::table::{Bounds, SolverTable};

/// A move that has to be searched.
#[derive(Clone, Copy, Debug)]
struct Candidate<M> {
    mv: M,
    key: u64,
    /// Larger is searched first.
    promise: i32,
}

/// One thread's search.
#[derive(Debug)]
pub(super) struct Forward<'a, G: Game> {
    table: &'a SolverTable,
    pub(super) watch: Watch<'a>,
    /// Distinguishes threads: each but the first orders equal moves differently.
    salt: u64,
    /// One list of moves for the whole line being searched.
    moves: MoveList<G::Move>,
    candidates: Vec<Candidate<G::Move>>,
    /// The noisy moves of the position being expanded.
    noisy: MoveList<G::Move>,
    /// The history of moves, per question.
    history: [Box<[i32; HISTORY]>; 2],
}

/// The number of history slots over which moves are hashed.
const HISTORY: usize = 1 << 12;

/// The bound of every history counter.
const MOST: i32 = 1 << 14;

/// A step of a game's own [promise](Hints::promise), in units of history.
const PROMISE: i32 = MOST;

/// The bonus of a noisy move, in units of history: it comes before all others.
const NOISY: i32 = 200_000;
/// The penalty for each noisy reply, and for each reply of any kind. Tuned on small boards.
const NOISY_REPLY: i32 = 16_000;
const REPLY: i32 = 1000;

/// How fast history learns from a success, and from a failure.
const GAIN: i32 = 64;
const DECLINE: i32 = GAIN / 4;

impl<'a, G: Hints> Forward<'a, G> {
    pub(super) fn new(table: &'a SolverTable, watch: Watch<'a>, thread: usize) -> Self {
        Forward {
            table,
            watch,
            salt: if thread == 0 { 0 } else { mix(thread as u64) },
            moves: MoveList::new(),
            candidates: Vec::new(),
            noisy: MoveList::new(),
            history: [Box::new([0; HISTORY]), Box::new([0; HISTORY])],
        }
    }

    /// The value of a position that is not over.
    pub(super) fn value(&mut self, position: &G) -> Result<Value, Halt> {
        let (key, known) = (key_of(position), self.known(position));
        if let Some(value) = known.value() {
            return Ok(value);
        }
        if known.lower < Value::Draw && !self.reaches(position, key, Value::Draw)? {
            return Ok(Value::Loss);
        }
        let wins = known.upper > Value::Draw && self.reaches(position, key, Value::Win)?;
        Ok(if wins { Value::Win } else { Value::Draw })
    }

    /// What is known about a position that is not over without a search.
    pub(super) fn known(&self, position: &G) -> Bounds {
        let seen = foreseen(position);
        if seen.value().is_some() { seen } else { seen.and(self.table.get(key_of(position))) }
    }

    /// Whether a position that is not over is worth no more than this to the side to move.
    pub(super) fn is_at_most(&mut self, position: &G, value: Value) -> Result<bool, Halt> {
        let known = self.known(position);
        if known.upper <= value || known.lower > value {
            return Ok(known.upper <= value);
        }
        Ok(!self.reaches(position, key_of(position), (-value).denied())?)
    }

    /// Whether a position that is not over is worth at least `goal` to the side to move.
    fn reaches(&mut self, position: &G, key: u64, goal: Value) -> Result<bool, Halt> {
        let before = self.watch.nodes();
        let (first_move, first) = (self.moves.len(), self.candidates.len());
        let best = self.best(position, goal);
        self.moves.truncate(first_move);
        self.candidates.truncate(first);
        let best = best?;
        let bounds = if best >= goal {
            Bounds { lower: best, upper: Value::Win }
        } else {
            Bounds { lower: Value::Loss, upper: best }
        };
        self.table.put(key, bounds, self.watch.nodes() - before);
        Ok(best >= goal)
    }

    /// A lower bound of the value if it reaches the goal, else an upper bound.
    fn best(&mut self, position: &G, goal: Value) -> Result<Value, Halt> {
        let first = self.candidates.len();
        let mut best = self.glance(position, goal)?;
        if best >= goal {
            return Ok(best);
        }
        self.candidates[first..].sort_unstable_by_key(|candidate| -candidate.promise);
        for index in first..self.candidates.len() {
            let Candidate { mv, key, .. } = self.candidates[index];
            // The searches in the meantime may have reached this position too.
            let known = self.table.get(key).flipped();
            let mut upper = known.upper;
            if known.lower < goal && known.upper >= goal {
                let mut child = position.clone();
                child.play(mv);
                let refuted = self.reaches(&child, key, goal.denied())?;
                if !refuted {
                    self.reward(goal, first, index);
                    return Ok(goal);
                }
                upper = goal.one_less();
            } else if known.lower >= goal {
                return Ok(known.lower);
            }
            best = best.max(upper);
        }
        Ok(best)
    }

    /// Checks every child. Returns the best value already known, and leaves the children that may
    /// reach the goal among the candidates.
    fn glance(&mut self, position: &G, goal: Value) -> Result<Value, Halt> {
        let Status::ToMove(me) = position.status() else { return Err(Halt::Cycle) };
        let (first_move, first) = (self.moves.len(), self.candidates.len());
        let _ = position.contenders(&mut self.moves);
        if self.moves.len() == first_move {
            return Ok(Value::of(&position.when_stuck(), me));
        }
        let mut is_noise_listed = false;
        let mut best = Value::Loss;
        for index in first_move..self.moves.len() {
            let mv = self.moves[index];
            self.watch.count()?;
            let mut child = position.clone();
            if child.play(mv) == Progress::Reversible {
                return Err(Halt::Cycle);
            }
            let seen = match child.status() {
                Status::Over(outcome) => Bounds::exactly(Value::of(&outcome, me)),
                Status::ToMove(_) => foreseen(&child).flipped(),
            };
            if seen.lower >= goal {
                return Ok(seen.lower);
            }
            if seen.upper < goal {
                best = best.max(seen.upper);
                continue;
            }
            let key = key_of(&child);
            self.table.prefetch(key);
            let promise = match position.promise(mv, &child) {
                Some(steps) => steps * PROMISE,
                None => {
                    if !is_noise_listed {
                        self.noisy.clear();
                        let _ = position.generate(Which::Noisy, &mut self.noisy);
                        is_noise_listed = true;
                    }
                    self.usual_promise(&child, mv)
                }
            };
            let promise = promise + self.experience(mv, key, goal);
            self.candidates.push(Candidate { mv, key, promise });
        }
        for candidate in &self.candidates[first..] {
            let known = self.table.get(candidate.key).flipped();
            if known.lower >= goal {
                return Ok(known.lower);
            }
        }
        Ok(best)
    }

    /// How soon to search a move, by what it is and what it leaves to the opponent.
    #[inline]
    fn usual_promise(&self, child: &G, mv: G::Move) -> i32 {
        let mut noisy_replies = Counter::default();
        let _ = child.generate(Which::Noisy, &mut noisy_replies);
        let noisy = if self.noisy.contains(&mv) { NOISY } else { 0 };
        noisy - NOISY_REPLY * noisy_replies.count() as i32 - REPLY * child.count_moves() as i32
    }

    /// What was learned about a move, and a little that differs from thread to thread.
    #[inline]
    fn experience(&self, mv: G::Move, key: u64, goal: Value) -> i32 {
        let noise = if self.salt == 0 { 0 } else { (mix(key ^ self.salt) >> 54) as i32 };
        self.history[question(goal)][slot(mv)] + noise
    }

    /// Updates the history: rewards the candidate that answered the question, and penalises those
    /// before it.
    fn reward(&mut self, goal: Value, first: usize, answer: usize) {
        let history = &mut self.history[question(goal)];
        let entry = &mut history[slot(self.candidates[answer].mv)];
        *entry += GAIN - *entry * GAIN / MOST;
        for failed in &self.candidates[first..answer] {
            let entry = &mut history[slot(failed.mv)];
            *entry -= DECLINE + *entry * DECLINE / MOST;
        }
    }
}

/// The index of a question.
#[inline]
fn question(goal: Value) -> usize {
    usize::from(goal == Value::Win)
}

/// What game knowledge proves about the value of a position.
#[inline]
pub(super) fn foreseen<G: Hints>(position: &G) -> Bounds {
    match position.foreseen() {
        None => Bounds::UNKNOWN,
        Some(Foreseen::Win(_)) => Bounds::exactly(Value::Win),
        Some(Foreseen::Loss(_)) => Bounds::exactly(Value::Loss),
        Some(Foreseen::Draw) => Bounds::exactly(Value::Draw),
        Some(Foreseen::AtLeastDraw) => Bounds { lower: Value::Draw, upper: Value::Win },
        Some(Foreseen::AtMostDraw) => Bounds { lower: Value::Loss, upper: Value::Draw },
    }
}

/// The key under which the value of a position is stored.
#[inline]
pub(super) fn key_of<G: Hints>(position: &G) -> u64 {
    match position.counters() {
        0 => position.canonical_key(),
        counters => position.canonical_key() ^ mix(counters),
    }
}

/// The history slot of a move.
#[inline]
fn slot<M: Hash>(mv: M) -> usize {
    let mut hasher = Quick(0);
    mv.hash(&mut hasher);
    (mix(hasher.0) % HISTORY as u64) as usize
}

/// A hasher for moves, which are a few bytes.
struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 ^ self.0 >> 56 ^ u64::from(byte);
        }
    }
}
