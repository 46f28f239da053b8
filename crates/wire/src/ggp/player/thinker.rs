//! Somebody who thinks in a thread of its own, and what is known of a thought at any time.

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

/// How often whoever waits for a thought looks at the clock, to find out how late that happens.
const BEAT: Duration = Duration::from_millis(10);

/// A search that was begun.
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
    /// It panicked, or there was nothing to choose.
    Failed,
}

/// What came out of a thought, as far as it went.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// The move, if it got that far.
    pub(super) mv: Option<String>,
    /// What it reported on the way.
    pub(super) iterations: Vec<Iteration<String>>,
    /// What it cost; as far as it was reported, where it did not come to its end.
    pub(super) statistics: Statistics,
    /// Whether the search had ended by itself.
    pub(super) ended: bool,
}

impl Thought {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// It is not needed any more.
    pub(super) fn stop(&self) {
        self.stop.stop();
    }

    /// Waits until the search has ended, but no longer than until then.
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

    /// What is known now.
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

/// What to think about.
struct Job {
    table: Box<dyn Table>,
    budget: Budget,
    thought: Arc<Thought>,
}

/// A thread that thinks about one thing after the other. It ends soon after this is dropped.
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

    /// Begins to think, and stops what it was thinking before.
    pub(super) fn think(&mut self, table: Box<dyn Table>, mut budget: Budget) -> Arc<Thought> {
        self.current.stop();
        let thought = Arc::<Thought>::default();
        budget.stop = thought.stop.clone();
        // Nobody is there to take it only if the thread has panicked outside a search.
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
