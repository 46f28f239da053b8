//! Only one process at a time plays a series.

use std::path::{Path, PathBuf};

use super::Store;
use super::error::{StoreError, StoreProblem};
use super::series::SeriesId;
use crate::gallery::NowPlaying;
use crate::lock_file::{LockError, LockFile};

/// Held by the process that plays the series. Released when it is dropped, or by the system if the
/// process is killed.
#[derive(Debug)]
pub struct SeriesLock(LockFile);

impl SeriesLock {
    /// The file that is locked.
    pub fn file(&self) -> &Path {
        self.0.path()
    }
}

impl Store {
    /// Locks a series for this process, to play its games. Does not wait: if another process holds
    /// the lock, that is an error with its process id.
    pub(crate) fn lock_series(&self, series: SeriesId) -> Result<SeriesLock, StoreError> {
        self.series(series)?;
        let name = format!("series-{series}.lock");
        self.at(lock(self.file.with_file_name(name), series))
    }
}

impl Store {
    /// Where the process that plays a series shows its games in progress.
    pub(crate) fn live_file(&self, series: SeriesId) -> PathBuf {
        self.file.with_file_name(format!("series-{series}.live"))
    }

    /// Where it is remembered who was playing when a process that played a series died.
    pub(crate) fn deaths_file(&self, series: SeriesId) -> PathBuf {
        self.file.with_file_name(format!("series-{series}.deaths"))
    }

    /// What is played in a series right now, in whatever process; `None` if nothing is.
    pub fn now_playing(&self, series: SeriesId) -> Option<NowPlaying> {
        NowPlaying::read(&self.live_file(series))
    }
}

fn lock(path: PathBuf, series: SeriesId) -> Result<SeriesLock, StoreProblem> {
    let mut held = LockFile::take(&path).map_err(|error| match error {
        LockError::Held(note) => {
            let process = note.trim().parse().ok();
            StoreProblem::Running { series, process, lock: path.clone() }
        }
        LockError::Unsupported(error) | LockError::Io(error) => StoreProblem::Lock(error),
    })?;
    // This only improves others' messages, so it may fail.
    let _ = held.leave_note(&std::process::id().to_string());
    Ok(SeriesLock(held))
}
