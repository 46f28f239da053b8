//! Files that are written whole or not at all.

use std::path::Path;

use agon_arena::files;
use agon_arena::files::shown;
use anyhow::Context;

/// Writes a text to a file, in the place of what was there before or not at all.
pub(crate) fn write_whole(file: &Path, text: &str) -> anyhow::Result<()> {
    files::write_whole(file, &[text.as_bytes()])
        .with_context(|| format!("cannot write {}", shown(file)))
}
