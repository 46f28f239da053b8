//! The identity of the file at a path, to notice when it is replaced.

use std::fs::Metadata;
use std::io;
use std::path::Path;

/// A file, whatever its name: another file at the same path has another identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileIdentity(u64, u64);

impl FileIdentity {
    /// The file that is there now.
    pub(super) fn at(path: &Path) -> io::Result<FileIdentity> {
        Ok(FileIdentity::of(&std::fs::metadata(path)?))
    }

    #[cfg(unix)]
    fn of(file: &Metadata) -> FileIdentity {
        use std::os::unix::fs::MetadataExt;
        FileIdentity(file.dev(), file.ino())
    }

    /// On other systems, only a missing file is noticed.
    #[cfg(not(unix))]
    fn of(_: &Metadata) -> FileIdentity {
        FileIdentity(0, 0)
    }
}
