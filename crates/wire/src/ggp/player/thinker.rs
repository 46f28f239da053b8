//! An agent that thinks in a thread of its own, and the state of a search at any time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_games::Table;
use agon_search::{
    Adviser, AgentError, AgentSpec, Budget, Choice, Iteration, Statistics, StopFlag, adviser,
};

use super::punctuality::Punctuality;

/// How often a waiting thread checks the clock, to measure how late that happens.
const BEAT: Duration = Duration::from_millis(10);

/// A search that was started.
#[derive(Debug, Default)]
pub(super) struct Thought {
    state: Mutex<State>,
    changed: Condvar,
    stop: StopFlag,
}

#[derive(Debug, Default)]
struct State {
    iterations: Vec<Iteration<String>>,
    end: Option<End>,
}

/// How a search ended.
#[derive(Clone, Debug)]
enum End {
    /// With a choice.
    Chosen(Box<Choice<String>>),
    /// It panicked, or there was no move.
    Failed,
}

/// The result of a search so far.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// The move, if there is one yet.
    pub(super) mv: Option<String>,
    /// The iterations it reported.
    pub(super) iterations: Vec<Iteration<String>>,
    /// Its cost; only what was reported, if it was interrupted.
    pub(super) statistics: Statistics,
    /// Whether the search had ended by itself.
    pub(super) ended: bool,
}

impl Thought {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the search.
    pub(super) fn stop(&self) {
        self.stop.stop();
    }

    /// Waits until the search has ended, or until this time.
    pub(super) fn wait(&self, until: Instant, punctuality: &Punctuality) {
        let mut state = self.state();
        while state.end.is_none() {
            let now = Instant::now();
            let Some(left) = until.checked_duration_since(now).filter(|left| !left.is_zero())
            else {
                break;
            };
            let beat = left.min(BEAT);
            let (next, waited) =
                self.changed.wait_timeout(state, beat).unwrap_or_else(PoisonError::into_inner);
            state = next;
            if waited.timed_out() {
                punctuality.note(now.elapsed().saturating_sub(beat));
            }
        }
    }

    /// The result so far.
    pub(super) fn outcome(&self) -> Outcome {
        let state = self.state();
        let iterations = state.iterations.clone();
        let last = iterations.last();
        let mut statistics = Statistics::default();
        if let Some(last) = last {
            (statistics.nodes, statistics.expanded) = (last.nodes, last.expanded);
            (statistics.depth, statistics.time) = (last.depth, last.time);
        }
        let mut mv = last.and_then(|last| last.pv.first().cloned());
        if let Some(End::Chosen(choice)) = &state.end {
            mv = Some(choice.mv.clone());
            statistics = choice.statistics.clone();
        }
        Outcome { mv, iterations, statistics, ended: state.end.is_some() }
    }
}

/// A position to think about.
struct Job {
    table: Box<dyn Table>,
    budget: Budget,
    thought: Arc<Thought>,
}

/// A thread that thinks about one position after another. It ends soon after this is dropped.
pub(super) struct Thinker {
    jobs: Sender<Job>,
    current: Arc<Thought>,
}

impl Thinker {
    /// Makes an agent for the game on this table and gives it a thread.
    pub(super) fn start(
        spec: &AgentSpec,
        table: &dyn Table,
        seed: u64,
    ) -> Result<Thinker, AgentError> {
        let adviser = adviser(table, spec, seed)?;
        let (jobs, todo) = channel();
        let thread = thread::Builder::new().name("thinker".into());
        let started = thread.spawn(move || work(adviser, &todo));
        started
            .map_err(|error| AgentError::new(spec, format!("cannot start a thread: {error}")))?;
        Ok(Thinker { jobs, current: Arc::default() })
    }

    /// Starts to think, and stops the previous search.
    pub(super) fn think(&mut self, table: Box<dyn Table>, mut budget: Budget) -> Arc<Thought> {
        self.current.stop();
        let thought = Arc::<Thought>::default();
        budget.stop = thought.stop.clone();
        // Sending fails only if the thread has panicked outside a search.
        if self.jobs.send(Job { table, budget, thought: thought.clone() }).is_err() {
            thought.state().end = Some(End::Failed);
        }
        self.current = thought.clone();
        thought
    }

    /// Stops thinking.
    pub(super) fn rest(&self) {
        self.current.stop();
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.rest();
    }
}

fn work(mut adviser: Box<dyn Adviser>, todo: &Receiver<Job>) {
    while let Ok(Job { table, budget, thought }) = todo.recv() {
        let mut report = |iteration: &Iteration<String>| {
            if iteration.rank == 0 {
                thought.state().iterations.push(iteration.clone());
            }
        };
        let search = || adviser.choose(&*table, &budget, &mut report);
        let chosen = match budget.stop.is_set() {
            true => None,
            false => catch_unwind(AssertUnwindSafe(search)).ok().flatten(),
        };
        let end = chosen.map_or(End::Failed, |choice| End::Chosen(Box::new(choice)));
        thought.state().end = Some(end);
        thought.changed.notify_all();
    }
}
