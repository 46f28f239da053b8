//! Thinks about several games at once.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread;

use agon_games::Table;
use agon_search::{Adviser, Budget, Choice};

/// A game in which a move is due.
pub(super) struct Job {
    pub(super) run: String,
    pub(super) number: u64,
    pub(super) table: Box<dyn Table>,
    pub(super) adviser: Box<dyn Adviser>,
}

/// The result.
pub(super) struct Thought {
    pub(super) run: String,
    pub(super) number: u64,
    pub(super) table: Box<dyn Table>,
    /// `None` if its search panicked.
    pub(super) adviser: Option<Box<dyn Adviser>>,
    /// `None` if there is no choice, or the search was interrupted.
    pub(super) choice: Option<Choice<String>>,
}

/// Thinks about all of them, on `threads` threads; each gets the whole budget. Jobs that are not
/// done when the budget's flag is set have no choice.
pub(super) fn think(jobs: Vec<Job>, threads: usize, budget: &Budget) -> Vec<Thought> {
    let helpers = threads.min(jobs.len()).saturating_sub(1);
    let todo = Mutex::new(VecDeque::from(jobs));
    let done = Mutex::new(Vec::new());
    let work = || {
        loop {
            let job = todo.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(job) = job else { return };
            let thought = think_about(job, budget);
            done.lock().unwrap_or_else(PoisonError::into_inner).push(thought);
        }
    };
    thread::scope(|scope| {
        for _ in 0..helpers {
            // If the system refuses a thread, the others do its work.
            let _ = thread::Builder::new().name("thinker".into()).spawn_scoped(scope, work);
        }
        work();
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn think_about(job: Job, budget: &Budget) -> Thought {
    let Job { run, number, table, mut adviser } = job;
    if budget.stop.is_set() {
        return Thought { run, number, table, adviser: Some(adviser), choice: None };
    }
    let search = || adviser.choose(&*table, budget, &mut |_| {});
    match catch_unwind(AssertUnwindSafe(search)) {
        Ok(choice) => {
            let choice = choice.filter(|_| !budget.stop.is_set());
            Thought { run, number, table, adviser: Some(adviser), choice }
        }
        Err(_) => Thought { run, number, table, adviser: None, choice: None },
    }
}
