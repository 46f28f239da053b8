//! Other people's programs: started, limited, watched, talked to by lines, and ended.
//!
//! A [`Program`] is taken for hostile until it has proved otherwise. It runs in a session of its
//! own with a clean environment; the system bounds its files and its processor time; a thread looks
//! at the memory and the number of all its processes. Whatever it does comes to its owner as
//! [`Trouble`], never as a hang, a panic or memory that grows. When the owner lets go of it,
//! nothing of it is left.
//!
//! A request and its answer cost one `write`, one `poll` and one `read`; no thread stands between.
//!
//! On Linux this process adopts the orphans of its programs. It therefore takes a child of its own
//! that it did not start here and that is in another process group for such an orphan, and ends it.
//! Who starts processes elsewhere leaves them in our group, as `std::process` does.
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

mod child;
mod lines;
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

pub use program::{Line, Parting, Program};
pub use tail::{Said, Stream};
pub use trouble::{Trouble, TroubleKind};

/// What to start, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// A name that is looked up in `PATH`, or a path, which counts from our own folder.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Where it runs; where we are, if not given.
    pub folder: Option<PathBuf>,
    /// Variables besides `PATH`, `HOME`, `USER`, `TMPDIR`, `LANG` and `LC_*`, which are handed on.
    pub environment: Vec<(OsString, OsString)>,
    /// What it may use.
    pub limits: Limits,
    /// Where all that is said is written, if anywhere.
    pub log: Option<ConversationLog>,
}

impl Launch {
    /// A program without arguments, with the usual limits.
    pub fn new(program: impl Into<OsString>) -> Launch {
        Launch {
            program: program.into(),
            arguments: Vec::new(),
            folder: None,
            environment: Vec::new(),
            limits: Limits::default(),
            log: None,
        }
    }
}
