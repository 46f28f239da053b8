//! External programs: started, limited, monitored, talked to by lines, and killed.
//!
//! A [`Program`] is assumed to be hostile. It runs in a session of its own with a clean
//! environment; the system limits its files and its processor time; a thread monitors the memory
//! and the number of all its processes. Whatever it does is reported to its owner as [`Trouble`],
//! never as a hang, a panic or growing memory. When the owner drops it, nothing of it is left.
//!
//! A request and its answer cost one `write`, one `poll` and one `read`; no thread is in between.
//!
//! On Linux this process adopts the orphans of its programs. It therefore takes any child of its
//! own that was not started here and is in another process group for such an orphan, and kills it.
//! Processes started elsewhere have to stay in our group, as with `std::process`.
//!
//! ```
//! use std::time::{Duration, Instant};
//! use agon_wire::process::{Launch, Program};
//!
//! let mut program = Program::start(&Launch::new("cat"))?;
//! let deadline = Instant::now() + Duration::from_secs(5);
//! program.send("hello\n", deadline)?;
//! let line = program.read_line(deadline)?.expect("an answer in time");
//! assert_eq!(line.text, "hello");
//! program.close("", Duration::from_secs(1))?;
//! # Ok::<(), agon_wire::process::Trouble>(())
//! ```

mod cells;
mod child;
mod freezer;
mod judge;
mod lines;
mod pipes;
#[cfg_attr(not(target_os = "linux"), path = "no_proc.rs")]
mod proc;
mod program;
mod shares;
mod tail;
mod trees;
mod trouble;
mod warden;

use std::ffi::OsString;
use std::path::PathBuf;

use agon_arena::conversation_log::ConversationLog;
use agon_arena::remote::Limits;
use agon_isolation::Level;

pub use program::{Line, Parting, Program};
pub use tail::{Said, Stream};
pub use trouble::{Trouble, TroubleKind};

/// What to start, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// A name that is looked up in `PATH`, or a path, relative to our own folder.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its working directory; ours by default.
    pub folder: Option<PathBuf>,
    /// Variables besides `PATH`, `HOME`, `USER`, `TMPDIR`, `LANG` and `LC_*`, which are inherited.
    pub environment: Vec<(OsString, OsString)>,
    /// Its resource limits.
    pub limits: Limits,
    /// The log of the conversation, if any.
    pub log: Option<ConversationLog>,
    /// How far it is isolated.
    pub isolation: Level,
    /// Whether whoever starts it has chosen the program itself, as an interpreter in `PATH`: then what
    /// belongs to it is found through links, too.
    pub trusted: bool,
    /// Files that its command names, which it may read with the folders that they are in.
    pub files: Vec<PathBuf>,
    /// What else it may read.
    pub readable: Vec<PathBuf>,
    /// Folders that it must not see, besides the user's home.
    pub private: Vec<PathBuf>,
    /// How many cores it may use.
    pub threads: usize,
    /// Whether it is reached through a port of its own.
    pub network: bool,
    /// Whether it may run while nothing is asked of it.
    pub pondering: bool,
}

impl Launch {
    /// A program without arguments, with the default limits.
    pub fn new(program: impl Into<OsString>) -> Launch {
        Launch {
            program: program.into(),
            arguments: Vec::new(),
            folder: None,
            environment: Vec::new(),
            limits: Limits::default(),
            log: None,
            isolation: Level::None,
            trusted: true,
            files: Vec::new(),
            readable: Vec::new(),
            private: Vec::new(),
            threads: 1,
            network: false,
            pondering: false,
        }
    }
}
