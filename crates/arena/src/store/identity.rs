//! Which file lies at a path, to notice when another one does.

use std::fs::Metadata;
use std::io;
use std::path::Path;

/// A file, whatever it is called: another file at the same path is another identity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileIdentity(u64, u64);

impl FileIdentity {
    /// The file that lies there now.
    pub(super) fn at(path: &Path) -> io::Result<FileIdentity> {
        Ok(FileIdentity::of(&std::fs::metadata(path)?))
    }

    #[cfg(unix)]
    fn of(file: &Metadata) -> FileIdentity {
        use std::os::unix::fs::MetadataExt;
        FileIdentity(file.dev(), file.ino())
    }

    /// Elsewhere, only a file that is missing is noticed.
    #[cfg(not(unix))]
    fn of(_: &Metadata) -> FileIdentity {
        FileIdentity(0, 0)
    }
}
