//! What the arena and a cell tell each other.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Level;

/// What a cell is for: the program, what it may see, and its limits.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Order {
    /// How far it is isolated; never [`Level::None`].
    pub level: Level,
    /// The program. `None` tries everything up to the point where it would be started.
    pub program: Option<PathBuf>,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// All its environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Its working directory.
    pub folder: PathBuf,
    /// Files and folders that it may read, at the same paths as outside, besides the system's.
    pub readable: Vec<PathBuf>,
    /// Files that it may read if everybody may.
    pub linked: Vec<PathBuf>,
    /// The folder for its own files at level `weak`; at level `sandbox` it is in memory.
    pub scratch: Option<PathBuf>,
    /// Its limits.
    pub limits: CellLimits,
    /// Whether it is reached through a port of its own, which no other program has.
    pub network: bool,
    /// The cores that it may use; all if empty.
    pub cores: Vec<usize>,
    /// The newest version of Landlock to be used.
    pub landlock: u8,
}

/// The limits that the system enforces.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct CellLimits {
    /// Processes and threads together.
    pub tasks: u64,
    /// Seconds of processor time of each process.
    pub cpu_seconds: Option<u64>,
    /// Bytes of each file.
    pub file_size: u64,
    /// Open files of each process.
    pub open_files: u64,
    /// Bytes of all its files together, at level `sandbox`.
    pub scratch: u64,
}

/// What a cell reports.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub enum Report {
    /// The program runs, or could be started if one had been named.
    Started,
    /// The program cannot be started: its own fault.
    NoProgram {
        /// The number of the system's error.
        errno: i32,
    },
    /// The cell cannot be made: not the program's fault.
    NoCell(Refusal),
    /// The program has ended.
    Ended {
        /// Its exit status or the number of the signal that ended it.
        end: End,
        /// The names of processes that it left behind, which ended with the cell.
        left: Vec<String>,
    },
}

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub enum End {
    /// With this exit status.
    Status(i32),
    /// By this signal.
    Signal(i32),
}

/// A step that the system refused.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Refusal {
    /// What was to be done, as in "cannot …".
    pub step: String,
    /// The number of the system's error; 0 if it was not the system's.
    pub errno: i32,
}

impl Refusal {
    /// A step that failed with this error.
    pub fn new(step: impl Into<String>, error: &io::Error) -> Refusal {
        Refusal { step: step.into(), errno: error.raw_os_error().unwrap_or(0) }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Refusal { step, errno } = self;
        match errno {
            0 => write!(f, "cannot {step}"),
            _ => write!(f, "cannot {step}: {}", io::Error::from_raw_os_error(*errno)),
        }
    }
}

/// A failed step, for `map_err`.
pub(crate) fn at<E: Into<io::Error>>(step: &'static str) -> impl Fn(E) -> Refusal {
    move |error| Refusal::new(step, &error.into())
}

/// The longest order, and the longest report.
pub(crate) const LONGEST: usize = 128 * 1024;
pub(crate) const LONGEST_REPORT: usize = 8 * 1024;

/// A command to the first process of a cell, one byte each.
pub(crate) mod command {
    /// Stop all processes.
    pub const FREEZE: u8 = b'F';
    /// They have been stopped: look whether they still are.
    pub const LOOK: u8 = b'L';
    /// Let them go on.
    pub const THAW: u8 = b'T';
    /// Hand out a socket of the network inside. It is for the arena to connect it: whoever listens
    /// may keep it waiting, and must not keep the first process from freezing.
    pub const SOCKET: u8 = b'S';
}
