//! Programs of strangers, kept away from everything that is not their game.
//!
//! A [`Cell`] is where one program and all its children run. [`Level::Sandbox`] gives it namespaces
//! of its own (users, processes, mounts, network, memory segments, host name), a read-only view of
//! the system, a small writable folder in memory, a filter of system calls and limits; our own first
//! process inside freezes it while others think. [`Level::Weak`] is what remains where namespaces
//! cannot be had: Landlock and the filter.
//!
//! A cell is this very program, started again under another name: a fresh process with one thread,
//! which holds nothing of the arena's. So the first thing a program does is to call
//! [`enter_if_asked`].
//!
//! Everything is Linux's own; elsewhere no level but `none` is available.

#[cfg(target_os = "linux")]
mod cell;
#[cfg(target_os = "linux")]
mod cgroup;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod fences;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod handle;
pub mod leftover;
mod level;
mod limit;
#[cfg(target_os = "linux")]
mod loner;
#[cfg(target_os = "linux")]
mod machine;
mod order;
#[cfg(target_os = "linux")]
mod prompt;
mod view;

#[cfg(target_os = "linux")]
pub use cgroup::use_cgroups;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::*;
#[cfg(target_os = "linux")]
pub use handle::{Cell, KeptOpen, set_launcher};
pub use level::{Level, UnknownLevel};
pub use limit::restrict;
#[cfg(target_os = "linux")]
pub use machine::{cgroup_powers, newest_landlock, try_level, usable_cores, use_landlock};
pub use order::{CellLimits, End, Order, Refusal, Report};
#[cfg(target_os = "linux")]
pub use prompt::be_prompt;
pub use view::{Named, Private, Shown, readable};

/// The name by which this program knows that it is to become a cell.
#[cfg(target_os = "linux")]
const NAME: &str = "agon-cell";

/// How many tasks of our own there are in a cell at level `sandbox`.
pub const OWN_TASKS: u64 = 2;

/// What control groups can do for cells on this machine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CgroupPowers {
    /// Cells are frozen by the system itself.
    pub freezes: bool,
    /// The memory of a whole cell is limited exactly.
    pub memory: bool,
    /// So is the number of its processes and threads.
    pub tasks: bool,
}

/// Which want of memory a process was killed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// It was not.
    None,
    /// It used up what it was allowed.
    OfItsOwn,
    /// The machine had no more.
    OfTheMachine,
}

/// Why a level is not available here, and what would help.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{reason}{}", .remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default())]
pub struct Unavailable {
    /// What was refused.
    pub reason: String,
    /// What to do to get it.
    pub remedy: Option<String>,
}

/// Becomes a cell if this program was started as one, and then does not return; to be called first
/// of all, before there is a second thread. Afterwards this program can start cells.
pub fn enter_if_asked() {
    #[cfg(target_os = "linux")]
    {
        cell::enter_if_asked();
        set_launcher("/proc/self/exe");
    }
}
