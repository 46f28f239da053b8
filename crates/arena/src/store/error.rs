//! Errors of the store, and what to do about them.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Error as SqlError, ErrorCode};

use super::game::GameId;
use super::series::SeriesId;
use crate::files::shown;

/// What went wrong with which file.
#[derive(thiserror::Error, Debug)]
#[error("{}: {problem}", shown(.file))]
pub struct StoreError {
    file: PathBuf,
    #[source]
    problem: StoreProblem,
}

impl StoreError {
    pub(super) fn new(file: &Path, problem: StoreProblem) -> StoreError {
        StoreError { file: file.to_path_buf(), problem }
    }

    /// What went wrong.
    pub fn problem(&self) -> &StoreProblem {
        &self.problem
    }
}

/// What went wrong.
#[derive(thiserror::Error, Debug)]
pub enum StoreProblem {
    /// There is no store to read.
    #[error("no games are stored here yet")]
    Missing,
    /// The data folder cannot be created.
    #[error("the data folder cannot be created: {0}")]
    Folder(#[source] io::Error),
    /// The file has a version that this program does not support yet.
    #[error(
        "the file has version {found}, and this program supports versions up to {known}: use a \
         newer program or another data folder"
    )]
    Newer {
        /// The version of the file.
        found: u32,
        /// The newest that this program supports.
        known: u32,
    },
    /// The file was opened read-only, and has an old version.
    #[error("the file has an old version: open it once with write permission")]
    Older,
    /// The file belongs to another program.
    #[error("this is a file of another program: move it away or use another data folder")]
    Foreign,
    /// The file is corrupt; how that was noticed.
    #[error(
        "the file is damaged ({0}) and was left as it is: move it away to begin a new one; \
         `sqlite3 {file} .recover` may save what is in it", file = super::FILE
    )]
    Damaged(String),
    /// The disk is full.
    #[error("there is no space left: free some and resume; what was stored is safe")]
    Full,
    /// The file cannot be opened; SQLite's message.
    #[error(
        "the file cannot be opened ({0}): check its permissions, and that its folder can be written"
    )]
    Unopened(#[source] SqlError),
    /// The system could not read or write the file; SQLite's message.
    #[error(
        "the file cannot be read or written ({0}): is the disk sound, and is there a limit on the \
         size of files? What was stored before is safe"
    )]
    Io(#[source] SqlError),
    /// The file was opened read-only, but its last changes are still in the log.
    #[error(
        "the file was not closed properly, and its folder is read-only, so it cannot be \
         repaired: copy the folder to a writable place, or open it once with write permission"
    )]
    Unmended,
    /// The file no longer exists, or was replaced by another one.
    #[error(
        "the file was deleted or replaced while it was in use: what was stored in it is lost unless \
         it was moved elsewhere. The file that is there now was left alone"
    )]
    Gone,
    /// The file or its folder cannot be written.
    #[error("the file cannot be written: check its permissions and those of its folder")]
    ReadOnly,
    /// Another process has been writing for too long.
    #[error("another program keeps the file busy: try again later")]
    Busy,
    /// The file system has no shared memory, as on some network drives.
    #[error("this drive cannot share a file between processes: use a data folder on a local disk")]
    NoLog,
    /// A tournament with this name already exists.
    #[error("tournament {0:?} already exists: resume it or use another name")]
    NameTaken(String),
    /// What was to be stored is invalid; why.
    #[error("{0}")]
    Refused(String),
    /// There is no such series.
    #[error("there is no series {0}")]
    NoSeries(SeriesId),
    /// There is no such game.
    #[error("there is no game {0}")]
    NoGame(GameId),
    /// This game is already stored.
    #[error("game {0} is already stored")]
    Stored(GameId),
    /// Another process is playing this series.
    #[error("series {series} is already being played{}; it holds {}", by(*.process), .lock.display())]
    Running {
        /// The series.
        series: SeriesId,
        /// The id of the process, if known.
        process: Option<u32>,
        /// The lock file that it holds.
        lock: PathBuf,
    },
    /// The lock file of a series cannot be used.
    #[error("the lock file cannot be used: {0}")]
    Lock(#[source] io::Error),
    /// Another error of SQLite.
    #[error(transparent)]
    Other(SqlError),
}

impl StoreProblem {
    /// Whether a file that cannot be opened for writing may still be readable.
    pub fn may_be_readable(&self) -> bool {
        matches!(self, StoreProblem::ReadOnly | StoreProblem::Unopened(_))
    }
}

fn by(process: Option<u32>) -> String {
    process.map_or_else(String::new, |process| format!(", by process {process}"))
}

impl From<SqlError> for StoreProblem {
    fn from(error: SqlError) -> StoreProblem {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreProblem::Full,
            Some(ErrorCode::CannotOpen) => StoreProblem::Unopened(error),
            Some(ErrorCode::SystemIoFailure) => StoreProblem::Io(error),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreProblem::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreProblem::Busy,
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                StoreProblem::Damaged(error.to_string())
            }
            _ if is_odd_value(&error) => StoreProblem::Damaged(error.to_string()),
            _ => StoreProblem::Other(error),
        }
    }
}

/// Whether a column holds a value that was never written there.
fn is_odd_value(error: &SqlError) -> bool {
    matches!(
        error,
        SqlError::FromSqlConversionFailure(..)
            | SqlError::IntegralValueOutOfRange(..)
            | SqlError::InvalidColumnType(..)
            | SqlError::Utf8Error(..)
    )
}
