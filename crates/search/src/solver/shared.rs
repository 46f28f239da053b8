//! What the threads of one search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::budget::{Budget, Limits};

/// Why a search came back without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// The budget is used up, or another thread has the answer.
    Budget,
    /// A position may recur, which this search cannot handle.
    Cycle,
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Moves played so far, by all threads.
    pub nodes: u64,
    /// The time so far.
    pub time: Duration,
    /// Positions found so far, where all of them are collected.
    pub states: Option<u64>,
    /// How full the table is, from 0 to 1.
    pub table: f64,
}

/// Receives progress.
pub type Observer<'a> = &'a mut dyn FnMut(&Progress);

/// The shared counters and flags of one search.
#[derive(Debug)]
pub(super) struct Books {
    limits: Limits,
    most: u64,
    nodes: AtomicU64,
    done: AtomicBool,
    pub(super) started: Instant,
}

impl Books {
    pub(super) fn new(budget: &Budget) -> Books {
        Books {
            limits: Limits::start(budget),
            most: budget.nodes.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
            done: AtomicBool::new(false),
            started: Instant::now(),
        }
    }

    /// Tells all threads that the answer has been found.
    pub(super) fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    /// Lets threads start again.
    pub(super) fn reopen(&self) {
        self.done.store(false, Relaxed);
    }

    /// Moves played, as far as the threads have reported.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// Counts one thread's nodes and watches the budget.
pub(super) struct Watch<'a> {
    books: &'a Books,
    nodes: u64,
    /// Of these, the ones not reported yet.
    untold: u64,
    /// The number of nodes until the next check.
    patience: u64,
    observe: Option<&'a mut dyn FnMut()>,
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

/// The clock and the flags are checked once every this many nodes.
const INTERVAL: u64 = 1 << 12;

impl<'a> Watch<'a> {
    pub(super) fn new(books: &'a Books, observe: Option<&'a mut dyn FnMut()>) -> Watch<'a> {
        Watch { books, nodes: 0, untold: 0, patience: 0, observe }
    }

    /// The nodes of this thread.
    #[inline]
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts a node, unless the budget is used up.
    #[inline]
    pub(super) fn count(&mut self) -> Result<(), Halt> {
        if self.untold >= self.patience {
            self.tell()?;
        }
        self.nodes += 1;
        self.untold += 1;
        Ok(())
    }

    #[cold]
    fn tell(&mut self) -> Result<(), Halt> {
        self.flush();
        if let Some(observe) = &mut self.observe {
            observe();
        }
        let left = self.books.most.saturating_sub(self.books.nodes());
        if left == 0 || self.books.done.load(Relaxed) || self.books.limits.is_over() {
            return Err(Halt::Budget);
        }
        self.patience = left.min(INTERVAL);
        Ok(())
    }

    /// Adds the nodes to the shared counter.
    pub(super) fn flush(&mut self) {
        self.books.nodes.fetch_add(self.untold, Relaxed);
        self.untold = 0;
        self.patience = 0;
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}
