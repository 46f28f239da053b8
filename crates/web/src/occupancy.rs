//! One server at a time has the games of a data folder: two would overwrite each other's moves.
//! Matches, tournaments and other tools go on sharing the store.

use std::fmt;
use std::net::SocketAddr;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::lock_file::{LockError, LockFile};

use crate::server::StartError;

/// The name of the lock file in the data folder.
const FILE: &str = "server.lock";
/// How long a server may take from having the folder to knowing its address.
const PATIENCE: Duration = Duration::from_secs(2);

/// The server that has a data folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherServer {
    /// Its process.
    pub process: u32,
    /// Where it listens.
    pub address: SocketAddr,
}

impl OtherServer {
    fn read(note: &str) -> Option<OtherServer> {
        let (process, address) = note.trim_end().split_once(' ')?;
        Some(OtherServer { process: process.parse().ok()?, address: address.parse().ok()? })
    }
}

impl fmt::Display for OtherServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at {}, by process {}", page_address(self.address), self.process)
    }
}

/// What to open in a browser on this machine.
pub fn page_address(address: SocketAddr) -> String {
    match address.ip().is_unspecified() {
        true => format!("http://localhost:{}", address.port()),
        false => format!("http://{address}"),
    }
}

/// The right to the games of a data folder, until it is dropped or the process ends.
pub(crate) struct Occupancy(Option<LockFile>);

impl Occupancy {
    /// Nothing can be written, so there is nothing to have alone.
    pub(crate) fn of_nothing() -> Occupancy {
        Occupancy(None)
    }

    /// Takes a data folder, unless another server has it.
    pub(crate) fn take(folder: &Path) -> Result<Occupancy, StartError> {
        let path = folder.join(FILE);
        let begun = Instant::now();
        loop {
            match LockFile::take(&path) {
                Ok(held) => return Ok(Occupancy(Some(held))),
                Err(LockError::Held(note)) => {
                    let by = OtherServer::read(&note);
                    if by.is_some() || begun.elapsed() >= PATIENCE {
                        return Err(StartError::Taken { folder: folder.to_path_buf(), by });
                    }
                    // It has just begun and has no address yet, or is about to end.
                    thread::sleep(Duration::from_millis(20));
                }
                Err(LockError::Unsupported(_)) => {
                    tracing::warn!(
                        "there are no locks in this data folder: if two servers use it at a time, \
                         moves are lost"
                    );
                    return Ok(Occupancy(None));
                }
                Err(LockError::Io(source)) => return Err(StartError::Lock { file: path, source }),
            }
        }
    }

    /// Tells others where the server is that has the folder.
    pub(crate) fn announce(&mut self, address: SocketAddr) {
        if let Some(held) = &mut self.0 {
            // Only others' messages are the better for it, so it may fail.
            let _ = held.leave_note(&format!("{} {address}\n", std::process::id()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_had_once_and_the_other_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let address: SocketAddr = "[::1]:7300".parse().unwrap();
        let mut first = Occupancy::take(folder.path()).unwrap();
        first.announce(address);
        let Err(StartError::Taken { by, .. }) = Occupancy::take(folder.path()) else {
            panic!("two servers have one folder");
        };
        assert_eq!(by, Some(OtherServer { process: std::process::id(), address }));
        drop(first);
        assert!(Occupancy::take(folder.path()).is_ok());
    }

    #[test]
    fn notes_of_others_are_read_with_care() {
        let expected = OtherServer { process: 12, address: "0.0.0.0:80".parse().unwrap() };
        assert_eq!(OtherServer::read("12 0.0.0.0:80\n"), Some(expected));
        assert_eq!(expected.to_string(), "at http://localhost:80, by process 12");
        for note in ["", "12", "12 nowhere", "-1 0.0.0.0:80", "12 0.0.0.0:80 \u{1b}[2J"] {
            assert_eq!(OtherServer::read(note), None, "{note:?}");
        }
    }
}
