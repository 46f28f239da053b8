//! What the threads of one search share.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::table::{Pass, SolverTable};
use crate::budget::{Budget, Limits, StopFlag};

/// Why a search came back without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// The budget is used up, or another thread has the answer.
    Budget,
    /// A position may recur, which this search cannot handle.
    Cycle,
}

/// Why the value of a position stayed unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// All nodes were used up.
    Nodes,
    /// The time was up.
    Time,
    /// There were more positions than memory for them.
    Memory,
    /// Somebody stopped the search.
    Stopped,
    /// A rule on repetition or length may end the game before the result that was found.
    Rules,
}

impl Unknown {
    /// One word for programs.
    pub fn code(self) -> &'static str {
        match self {
            Unknown::Nodes => "nodes",
            Unknown::Time => "time",
            Unknown::Memory => "memory",
            Unknown::Stopped => "stopped",
            Unknown::Rules => "rules",
        }
    }
}

/// How far a search has got.
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
    stop: StopFlag,
    most: u64,
    nodes: AtomicU64,
    done: AtomicBool,
    /// What ran out first, if anything did.
    ran_out: OnceLock<Unknown>,
    pub(super) started: Instant,
}

impl Books {
    pub(super) fn new(budget: &Budget) -> Books {
        Books {
            limits: Limits::start(budget),
            stop: budget.stop.clone(),
            most: budget.nodes.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
            done: AtomicBool::new(false),
            ran_out: OnceLock::new(),
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

    /// Why there is no value.
    pub(super) fn unknown(&self) -> Unknown {
        self.ran_out.get().copied().unwrap_or(Unknown::Rules)
    }

    /// Takes note of what ran out.
    pub(super) fn run_out(&self, what: Unknown) -> Halt {
        let _ = self.ran_out.set(what);
        Halt::Budget
    }

    /// Whether the budget is used up by so many nodes, the time or somebody who wants to stop.
    fn check(&self) -> Result<u64, Halt> {
        let left = self.most.saturating_sub(self.nodes());
        match () {
            () if self.done.load(Relaxed) => Err(Halt::Budget),
            () if left == 0 => Err(self.run_out(Unknown::Nodes)),
            () if self.stop.is_set() => Err(self.run_out(Unknown::Stopped)),
            () if self.limits.is_over() => Err(self.run_out(Unknown::Time)),
            () => Ok(left),
        }
    }

    /// Moves played, as far as the threads have told.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

/// Counts one thread's nodes and watches the budget, and gives the table room to grow.
pub(super) struct Watch<'a> {
    books: &'a Books,
    /// Leave to use the table, if that is done.
    pass: Option<Pass<'a>>,
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

/// The clock and the flags are looked at once in so many nodes, and more often at first.
const INTERVAL: u64 = 1 << 12;
const FIRST_INTERVAL: u64 = 1 << 6;

impl<'a> Watch<'a> {
    pub(super) fn new(books: &'a Books) -> Watch<'a> {
        Watch { books, pass: None, nodes: 0, untold: 0, patience: 0, observe: None }
    }

    /// The same for a search that uses a table and tells of its progress.
    pub(super) fn with_table(
        books: &'a Books,
        table: &'a SolverTable,
        observe: Option<&'a mut dyn FnMut()>,
    ) -> Watch<'a> {
        let pass = Some(table.pass());
        Watch { books, pass, nodes: 0, untold: 0, patience: 0, observe }
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
        if let Some(pass) = &mut self.pass {
            pass.renew();
        }
        if let Some(observe) = &mut self.observe {
            observe();
        }
        let left = self.books.check()?;
        self.patience = left.min(self.nodes.clamp(FIRST_INTERVAL, INTERVAL));
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
