//! Files that are written whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

/// Writes a file under another name first and renames it then, so that a full disk, a crash or
/// Ctrl-C costs nothing that was there before.
pub(crate) fn write_whole(file: &Path, text: &str) -> anyhow::Result<()> {
    let mut name =
        file.file_name().with_context(|| format!("{} is no file name", file.display()))?.to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = file.with_file_name(name);
    let written = write_synced(&part, text).and_then(|()| fs::rename(&part, file));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written.with_context(|| format!("cannot write {}", file.display()))
}

fn write_synced(file: &Path, text: &str) -> io::Result<()> {
    let mut out = fs::File::create(file)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()
}
