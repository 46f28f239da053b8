//! What can go wrong with a store, and what to do then.

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
    /// The data folder cannot be made.
    #[error("the data folder cannot be made: {0}")]
    Folder(#[source] io::Error),
    /// The file has a version that this program does not know yet.
    #[error(
        "the file has version {found}, and this program knows versions up to {known}: use a newer \
         program or another data folder"
    )]
    Newer {
        /// The version of the file.
        found: u32,
        /// The newest that this program knows.
        known: u32,
    },
    /// The file was opened to read only, and has an old version.
    #[error("the file has an old version: open it once to write")]
    Older,
    /// The file belongs to another program.
    #[error("this is a file of another program: move it away or use another data folder")]
    Foreign,
    /// The file is not what was once written: how that was noticed.
    #[error(
        "the file is damaged ({0}) and was left as it is: move it away to begin a new one; \
         `sqlite3 {file} .recover` may save what is in it", file = super::FILE
    )]
    Damaged(String),
    /// There is no room for more.
    #[error("there is no room for more: free some and go on; what was stored is safe")]
    Full,
    /// The file cannot be opened: what SQLite says.
    #[error(
        "the file cannot be opened ({0}): check its permissions, and that its folder can be written"
    )]
    Unopened(#[source] SqlError),
    /// The system could not read or write the file: what SQLite says.
    #[error(
        "the file cannot be read or written ({0}): is the disk sound, and is there a limit on the \
         size of files? What was stored before is safe"
    )]
    Io(#[source] SqlError),
    /// The file was opened to read only, and what was last written is still in its log.
    #[error(
        "the file was not closed properly, and its folder cannot be written to mend that: copy the \
         folder to where it can, or open it once with permission to write"
    )]
    Unmended,
    /// The file is not there any more, or another one has taken its place.
    #[error(
        "the file was deleted or replaced while it was in use: what was stored in it is lost unless \
         it was moved elsewhere. What lies in its place now was left alone"
    )]
    Gone,
    /// The file or its folder cannot be written.
    #[error("the file cannot be written: check its permissions and those of its folder")]
    ReadOnly,
    /// Others have been writing for too long.
    #[error("another program keeps the file busy: try again later")]
    Busy,
    /// The file system has no shared memory, as some network drives.
    #[error("this drive cannot share a file between processes: use a data folder on a local disk")]
    NoLog,
    /// A tournament with this name is there already.
    #[error("there is a tournament {0:?} already: resume it or use another name")]
    NameTaken(String),
    /// What was to be stored makes no sense: why.
    #[error("{0}")]
    Refused(String),
    /// There is no such series.
    #[error("there is no series {0}")]
    NoSeries(SeriesId),
    /// There is no such game.
    #[error("there is no game {0}")]
    NoGame(GameId),
    /// This game is stored already.
    #[error("game {0} is stored already")]
    Stored(GameId),
    /// A process plays this series already.
    #[error("series {series} is being played already{}; it holds {}", by(*.process), .lock.display())]
    Running {
        /// The series.
        series: SeriesId,
        /// The id of the process, if it could be found out.
        process: Option<u32>,
        /// The file by which it holds the series.
        lock: PathBuf,
    },
    /// The lock file of a series cannot be used.
    #[error("the lock file cannot be used: {0}")]
    Lock(#[source] io::Error),
    /// Something else that SQLite has found.
    #[error(transparent)]
    Other(SqlError),
}

impl StoreProblem {
    /// Whether a file that cannot be opened to write may still be read.
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

/// Whether a column holds what was never written there.
fn is_odd_value(error: &SqlError) -> bool {
    matches!(
        error,
        SqlError::FromSqlConversionFailure(..)
            | SqlError::IntegralValueOutOfRange(..)
            | SqlError::InvalidColumnType(..)
            | SqlError::Utf8Error(..)
    )
}
