//! Stands in for `proc` where there is no `/proc`. Programs are started, limited by the system and
//! killed with their process group there, but not monitored.

use rustix::process::{Pid, Signal};

/// A process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Process {
    /// Its process id.
    pub pid: Pid,
}

/// What is known about a process.
pub(super) struct Stat {
    /// The process itself.
    pub process: Process,
    /// The name of its program.
    pub name: String,
    /// Whether it has ended and waits to be reaped.
    pub zombie: bool,
    /// Its session.
    pub session: i32,
    /// Processor time it used, in ticks.
    pub ticks: u64,
    /// The same of its children that have ended and were reaped.
    pub ticks_of_children: u64,
    /// How many threads it has.
    pub threads: usize,
}

/// How many ticks there are in a second.
pub(super) fn ticks_per_second() -> f64 {
    1.0
}

/// Nothing is known.
pub(super) fn sockets(_: Pid) -> u64 {
    0
}

/// Nothing is known.
pub(super) fn killed_for_memory() -> u64 {
    0
}

/// Nothing is known.
pub(super) fn stat(_: Pid) -> Option<Stat> {
    None
}

/// Nothing is known.
pub(super) fn cpu_seconds(_: Pid) -> Option<f64> {
    None
}

/// Parents and children: unknown here.
pub(super) struct Kinship;

impl Kinship {
    /// The current state.
    pub fn now() -> Kinship {
        Kinship
    }

    /// No children.
    pub fn children(&self, _: Pid) -> Vec<Pid> {
        Vec::new()
    }
}

/// Nothing is known.
pub(super) fn resident(_: Pid) -> u64 {
    0
}

/// Nothing is known.
pub(super) fn proportional(_: Pid) -> u64 {
    0
}

/// Nothing is known.
pub(super) fn has_variable(_: Pid, _: &str) -> bool {
    false
}

/// No process is identified well enough to be sent a signal.
pub(super) fn signal(_: Process, _: Signal) {}
