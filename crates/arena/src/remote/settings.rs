//! How a program is run.

use std::path::PathBuf;
use std::time::Duration;

use agon_isolation::Level;

use crate::conversation_log::ConversationLog;

/// How long a program may think if nothing else limits it.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// How long a program may take to get ready.
pub const START: Duration = Duration::from_secs(10);

/// The resource limits of a program. Those that the system enforces never exceed our own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of memory for all its processes together. Checked ten times a second and more often
    /// near the limit, so a fast program can exceed it a little.
    pub memory: u64,
    /// Processes at once, not counting threads. Checked like the memory.
    pub processes: usize,
    /// Processes and threads at once. Enforced by the system at level `sandbox`, and checked like
    /// the memory elsewhere.
    pub tasks: usize,
    /// Processor time: of each process in whole seconds, enforced by the system, and of all
    /// together, checked like the memory. Unlimited by default.
    pub cpu: Option<Duration>,
    /// Bytes of each file that it writes, enforced by the system.
    pub file_size: u64,
    /// Bytes of all its files together, at level `sandbox`: they are in memory, and vanish with it.
    pub scratch: u64,
    /// Open files of each process, enforced by the system.
    pub open_files: u64,
    /// Bytes of the longest line it may print, without the line break. The arena may have to hold
    /// that much.
    pub line: usize,
    /// Bytes that it may print between two requests, on both streams.
    pub output: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 2 << 30,
            processes: 64,
            tasks: 512,
            cpu: None,
            file_size: 256 << 20,
            scratch: 64 << 20,
            open_files: 1024,
            line: 1 << 20,
            output: 64 << 20,
        }
    }
}

/// The settings of an agent besides its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Options to set, if its protocol has options.
    pub options: Vec<(String, String)>,
    /// How many threads it uses.
    pub threads: Option<usize>,
    /// The resource limits of the program and its children.
    pub limits: Limits,
    /// How long it may think if nothing else limits it.
    pub patience: Duration,
    /// How long it may take to get ready.
    pub start: Duration,
    /// The program's working directory; the current one by default.
    pub folder: Option<PathBuf>,
    /// The data folder, if not the default. A program that is Agon itself finds its tables there.
    pub data: Option<PathBuf>,
    /// The log of the conversation.
    pub log: Option<ConversationLog>,
    /// How far it is isolated; by default as far as the [registry](crate::Registry) says.
    pub isolation: Option<Level>,
    /// Absolute paths that it may read when it is isolated, besides its own folder.
    pub readable: Vec<PathBuf>,
    /// Whether it may think while it is not its turn: otherwise it is frozen then, at level
    /// `sandbox`.
    pub pondering: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            options: Vec::new(),
            threads: None,
            limits: Limits::default(),
            patience: PATIENCE,
            start: START,
            folder: None,
            data: None,
            log: None,
            isolation: None,
            readable: Vec::new(),
            pondering: false,
        }
    }
}
