//! What can go wrong with a store, and what to do then.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Error as SqlError, ErrorCode};

use super::game::GameId;
use super::series::SeriesId;

/// What went wrong with which file.
#[derive(Debug)]
pub struct StoreError {
    file: PathBuf,
    problem: Problem,
}

impl StoreError {
    pub(super) fn new(file: &Path, problem: Problem) -> StoreError {
        StoreError { file: file.to_path_buf(), problem }
    }

    /// What went wrong.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.problem)
    }
}

impl std::error::Error for StoreError {}

/// What went wrong.
#[derive(Debug)]
pub enum Problem {
    /// There is no store to read.
    Missing,
    /// The data folder cannot be made.
    Folder(io::Error),
    /// The file has a version that this program does not know yet.
    Newer {
        /// The version of the file.
        found: u32,
        /// The newest that this program knows.
        known: u32,
    },
    /// The file was opened to read only, and has an old version.
    Older,
    /// The file belongs to another program.
    Foreign,
    /// The file is not what was once written: how that was noticed.
    Damaged(String),
    /// There is no room for more.
    Full,
    /// The file cannot be opened: what SQLite says.
    Unopened(String),
    /// The file or its folder cannot be written.
    ReadOnly,
    /// Others have been writing for too long.
    Busy,
    /// The file system has no shared memory, as some network drives.
    NoLog,
    /// A tournament with this name is there already.
    NameTaken(String),
    /// What was to be stored makes no sense: why.
    Refused(String),
    /// There is no such series.
    NoSeries(SeriesId),
    /// There is no such game.
    NoGame(GameId),
    /// This game is stored already.
    Stored(GameId),
    /// A process plays this series already.
    Running {
        /// The series.
        series: SeriesId,
        /// The id of the process, if it could be found out.
        process: Option<u32>,
    },
    /// The lock file of a series cannot be used.
    Lock(io::Error),
    /// Something else that SQLite has found.
    Other(SqlError),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Missing => f.write_str("no games are stored here yet"),
            Problem::Folder(error) => write!(f, "the data folder cannot be made: {error}"),
            Problem::Newer { found, known } => write!(
                f,
                "the file has version {found}, and this program knows versions up to {known}: \
                 use a newer program or another data folder"
            ),
            Problem::Older => f.write_str("the file has an old version: open it once to write"),
            Problem::Foreign => f.write_str(
                "this is a file of another program: move it away or use another data folder",
            ),
            Problem::Damaged(how) => write!(
                f,
                "the file is damaged ({how}) and was left as it is: move it away to begin a new \
                 one; `sqlite3 {} .recover` may save what is in it",
                super::FILE
            ),
            Problem::Full => f.write_str(
                "there is no room for more: free some and go on; what was stored is safe",
            ),
            Problem::Unopened(error) => write!(
                f,
                "the file cannot be opened ({error}): check its permissions, and that its folder \
                 can be written"
            ),
            Problem::ReadOnly => f.write_str(
                "the file cannot be written: check its permissions and those of its folder",
            ),
            Problem::Busy => f.write_str("another program keeps the file busy: try again later"),
            Problem::NoLog => f.write_str(
                "this drive cannot share a file between processes: use a data folder on a local \
                 disk",
            ),
            Problem::NameTaken(name) => {
                write!(f, "there is a tournament {name:?} already: resume it or use another name")
            }
            Problem::Refused(why) => f.write_str(why),
            Problem::NoSeries(series) => write!(f, "there is no series {series}"),
            Problem::NoGame(game) => write!(f, "there is no game {game}"),
            Problem::Stored(game) => write!(f, "game {game} is stored already"),
            Problem::Running { series, process } => {
                write!(f, "series {series} is being played already")?;
                match process {
                    Some(process) => write!(f, ", by process {process}"),
                    None => Ok(()),
                }
            }
            Problem::Lock(error) => write!(f, "the lock file cannot be used: {error}"),
            Problem::Other(error) => error.fmt(f),
        }
    }
}

impl From<SqlError> for Problem {
    fn from(error: SqlError) -> Problem {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Problem::Full,
            Some(ErrorCode::CannotOpen) => Problem::Unopened(error.to_string()),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Problem::ReadOnly,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Problem::Busy,
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                Problem::Damaged(error.to_string())
            }
            _ if is_odd_value(&error) => Problem::Damaged(error.to_string()),
            _ => Problem::Other(error),
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
