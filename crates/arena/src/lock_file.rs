//! A file that at most one process holds at a time, with a note saying who does.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Notes are short. Anything longer is not read.
const LONGEST_NOTE: u64 = 256;

/// A lock file that this process holds until it is dropped. If the process is killed, the system
/// releases the lock: a dead process never blocks others.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    file: File,
}

/// Why a lock was not taken.
#[derive(thiserror::Error, Debug)]
pub enum LockError {
    /// Another process holds it; its note.
    #[error("another process holds the lock file")]
    Held(String),
    /// The file system does not support locks.
    #[error("this file system does not support locks: {0}")]
    Unsupported(#[source] io::Error),
    /// The file cannot be used.
    #[error("the lock file cannot be used: {0}")]
    Io(#[source] io::Error),
}

impl LockFile {
    /// Takes the lock, or says at once who holds it.
    pub fn take(path: &Path) -> Result<LockFile, LockError> {
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let mut file = options.open(path).map_err(LockError::Io)?;
        match file.try_lock() {
            Ok(()) => Ok(LockFile { path: path.to_path_buf(), file }),
            Err(TryLockError::WouldBlock) => {
                let mut note = Vec::new();
                let _ = (&mut file).take(LONGEST_NOTE).read_to_end(&mut note);
                Err(LockError::Held(String::from_utf8_lossy(&note).into_owned()))
            }
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
                Err(LockError::Unsupported(error))
            }
            Err(TryLockError::Error(error)) => Err(LockError::Io(error)),
        }
    }

    /// Leaves a note for others who want the lock, replacing the previous one.
    pub fn leave_note(&mut self, note: &str) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(note.as_bytes())
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // The file stays: another process may be about to lock it.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_it_and_the_other_reads_who() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.lock");
        // The note of a killed process means nothing.
        std::fs::write(&path, "4711, long dead").unwrap();
        let mut held = LockFile::take(&path).unwrap();
        for note in ["a longer note", "a note"] {
            held.leave_note(note).unwrap();
            let refused = LockFile::take(&path).unwrap_err();
            assert!(matches!(&refused, LockError::Held(read) if read == note), "{refused:?}");
        }
        drop(held);
        LockFile::take(&path).unwrap();
        let nowhere = folder.path().join("no such folder").join("some.lock");
        assert!(matches!(LockFile::take(&nowhere), Err(LockError::Io(_))));
    }
}
