//! Games on disk: one SQLite file in the data folder.
//!
//! A match or a tournament is a [`Series`] with its entrants; each of its games has a number, its
//! place in the schedule. The games of the web pages are a series too, which never ends. A game is
//! written when it is over, in a transaction of its own, so a process that is killed loses only the
//! games in progress. Texts and numbers go in and come out; the store knows nothing about games and
//! agents.
//!
//! Several processes may use one store at the same time. No transaction takes long, and a process
//! that finds the file locked waits.

mod accounts;
mod analyses;
mod choices;
mod enrolment;
mod error;
mod experiments;
pub mod export;
mod filter;
mod game;
mod games;
mod identity;
mod lock;
mod packed;
mod runs;
mod schema;
mod series;
mod sittings;
mod standings;
mod words;

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Params, Row, Transaction, TransactionBehavior,
};

pub use accounts::Account;
pub use analyses::{AnalysisChange, StoredAnalysis};
pub use choices::{Choices, CountedSeries};
pub use enrolment::{Enrolment, Progress};
pub use error::{StoreError, StoreProblem};
pub use experiments::{Measurement, StoredExperiment};
pub use filter::{FaultKind, Filter, GameResult};
pub use game::{GameId, PlayedBy, StoredGame};
pub use games::Games;
pub(crate) use games::Stamp;
pub use lock::SeriesLock;
pub use runs::{RunChange, StoredRun};
pub use series::{
    Entrant, Hosting, ListedSeries, Membership, NewSeries, Series, SeriesId, SeriesKind,
};
pub use sittings::{Listed, PageGame, Sitting, SittingChange, Spare};
pub use standings::{RunEntry, Standing, Traffic};

use identity::FileIdentity;
use words::Words;

/// The name of the file in the data folder.
pub const FILE: &str = "games.db";

/// How long to wait for other writers.
const PATIENCE: Duration = Duration::from_secs(30);

/// After how many pages the log is checkpointed. Rarely is faster, as each checkpoint waits for the
/// disk; this is 32 MiB.
const LOG_PAGES: u32 = 8192;

/// An open store.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    file: PathBuf,
    /// The file that is open; `None` if read-only.
    identity: Option<FileIdentity>,
    words: RefCell<Words>,
}

impl Store {
    /// Opens the store of a data folder, creating both if necessary. A file that is damaged, or of
    /// another program or a newer version, is left as it is.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        Store::open_with(folder, schema::MIGRATIONS)
    }

    fn open_with(folder: &Path, migrations: &[&str]) -> Result<Store, StoreError> {
        let file = folder.join(FILE);
        let opened = fs::create_dir_all(folder).map_err(StoreProblem::Folder).and_then(|()| {
            let mut connection = connect(&file, OpenFlags::SQLITE_OPEN_CREATE)?;
            schema::check(&connection, migrations)?;
            schema::use_log(&connection, PATIENCE)?;
            connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
            schema::migrate(&mut connection, migrations)?;
            let identity = FileIdentity::at(&file).map_err(|_| StoreProblem::Gone)?;
            Ok((connection, Some(identity)))
        });
        Store::named(file, opened)
    }

    /// Opens an existing store read-only; nothing has to be writable for that. A file of an old
    /// version is upgraded first.
    pub fn open_read_only(folder: &Path) -> Result<Store, StoreError> {
        let file = folder.join(FILE);
        let mut opened =
            if file.exists() { connect_to_read(&file) } else { Err(StoreProblem::Missing) };
        if matches!(opened, Err(StoreProblem::Older)) && Store::open(folder).is_ok() {
            opened = connect_to_read(&file);
        }
        Store::named(file, opened.map(|connection| (connection, None)))
    }

    fn named(
        file: PathBuf,
        opened: Result<(Connection, Option<FileIdentity>), StoreProblem>,
    ) -> Result<Store, StoreError> {
        match opened {
            Ok((connection, identity)) => {
                Ok(Store { connection, file, identity, words: RefCell::default() })
            }
            Err(problem) => Err(StoreError::new(&file, problem)),
        }
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Waits no longer than this for other writers.
    pub fn set_patience(&self, patience: Duration) -> Result<(), StoreError> {
        self.at(self.connection.busy_timeout(patience).map_err(StoreProblem::from))
    }

    /// Reads the whole file and checks its integrity. Takes a second per few hundred thousand
    /// games.
    pub fn check(&self) -> Result<(), StoreError> {
        self.at(schema::check_integrity(&self.connection))
    }

    /// Errors say which file they are about.
    fn at<T>(&self, result: Result<T, StoreProblem>) -> Result<T, StoreError> {
        result.map_err(|problem| StoreError::new(&self.file, problem))
    }

    /// Makes changes atomically. It waits for the lock at the start, where waiting is harmless.
    fn together<T>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, StoreProblem>,
    ) -> Result<T, StoreProblem> {
        let changing = || {
            let immediate = TransactionBehavior::Immediate;
            let transaction = Transaction::new_unchecked(&self.connection, immediate)?;
            let done = change(&transaction)?;
            transaction.commit()?;
            self.is_still_there()?;
            Ok(done)
        };
        // Some of the words may not have been stored.
        changing().inspect_err(|_| self.words.borrow_mut().forget())
    }

    /// A write counts only if others can find it: in the file that has the name now. SQLite itself
    /// keeps writing to a deleted file.
    fn is_still_there(&self) -> Result<(), StoreProblem> {
        let Some(identity) = self.identity else { return Ok(()) };
        let found = FileIdentity::at(&self.file);
        if found.is_ok_and(|found| found == identity) { Ok(()) } else { Err(StoreProblem::Gone) }
    }

    /// All rows of a query.
    fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreProblem> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(values, read)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The first row of a query, if any.
    fn row<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreProblem> {
        Ok(self.connection.prepare_cached(sql)?.query_row(values, read).optional()?)
    }
}

/// A connection with the usual settings.
fn connect(file: &Path, create: OpenFlags) -> Result<Connection, StoreProblem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | create;
    let connection = Connection::open_with_flags(file, flags)?;
    // SQLite would open it read-only and fail at the first game.
    if connection.is_readonly("main")? {
        return Err(StoreProblem::ReadOnly);
    }
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok(connection)
}

fn connect_to_read(file: &Path) -> Result<Connection, StoreProblem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = |file: &Path, flags| -> Result<Connection, StoreProblem> {
        let connection = Connection::open_with_flags(file, flags)?;
        connection.busy_timeout(PATIENCE)?;
        schema::check_to_read(&connection, schema::MIGRATIONS)?;
        Ok(connection)
    };
    match connect(file, flags) {
        // Even for reading, SQLite wants to write beside the file, unless it is told that nobody
        // changes it. Whoever could change it would have its log open.
        Err(problem) if problem.may_be_readable() => match has_log(file) {
            true => Err(StoreProblem::Unmended),
            false => connect(&unchanging(file), flags | OpenFlags::SQLITE_OPEN_URI),
        },
        connected => connected,
    }
}

/// Whether there is a log with changes that have not been checkpointed.
fn has_log(file: &Path) -> bool {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    fs::metadata(log).is_ok_and(|log| log.len() > 0)
}

/// The URI that tells SQLite that nobody changes the file.
fn unchanging(file: &Path) -> PathBuf {
    let byte = |&byte: &u8| match byte {
        b'/' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    let path: String = file.as_os_str().as_encoded_bytes().iter().map(byte).collect();
    PathBuf::from(format!("file:{path}?immutable=1"))
}

/// The time in milliseconds since 1970: how the store writes times of day.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
