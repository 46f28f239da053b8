//! One process at a time plays a series.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::Store;
use super::error::{StoreError, StoreProblem};
use super::series::SeriesId;

/// Who has this plays the series. It is given back when it is dropped, and by the system if the
/// process is killed.
#[derive(Debug)]
pub struct SeriesLock {
    path: PathBuf,
    file: File,
}

impl SeriesLock {
    /// The file that is locked.
    pub fn file(&self) -> &Path {
        &self.path
    }
}

impl Drop for SeriesLock {
    fn drop(&mut self) {
        // The file stays: another process may be about to lock this very one.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

impl Store {
    /// Takes a series for this process, to play its games. Does not wait: if somebody else has
    /// it, that is an error with the number of the process.
    pub fn lock_series(&self, series: SeriesId) -> Result<SeriesLock, StoreError> {
        self.series(series)?;
        let name = format!("series-{series}.lock");
        self.at(lock(self.file.with_file_name(name), series))
    }
}

fn lock(path: PathBuf, series: SeriesId) -> Result<SeriesLock, StoreProblem> {
    let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = open.map_err(StoreProblem::Lock)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(StoreProblem::Running { series, process: holder(&mut file), lock: path });
        }
        Err(TryLockError::Error(error)) => return Err(StoreProblem::Lock(error)),
    }
    // Only others' messages are the better for it, so it may fail.
    let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
    let _ = file.rewind();
    Ok(SeriesLock { path, file })
}

/// The process that wrote its number there.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
