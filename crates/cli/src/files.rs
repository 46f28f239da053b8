//! Files that are written completely or not at all.

use std::path::Path;

use agon_arena::files;
use agon_arena::files::shown;
use anyhow::Context;

/// Writes a text to a file: either all of it replaces the old contents, or nothing changes.
pub(crate) fn write_whole(file: &Path, text: &str) -> anyhow::Result<()> {
    files::write_whole(file, &[text.as_bytes()])
        .with_context(|| format!("cannot write {}", shown(file)))
}
