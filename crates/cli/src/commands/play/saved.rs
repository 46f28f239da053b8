//! Games in files.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use agon_arena::saved::SavedGame;
use agon_games::Table;
use anyhow::Context;

use crate::failure::bad_input;
use crate::files::write_whole;

/// Writes the game on the table, whole or not at all.
pub(super) fn write(table: &dyn Table, file: &Path) -> anyhow::Result<()> {
    write_whole(file, &SavedGame::of(table).text())
}

/// Opens a game that was saved, up to where it was.
pub(super) fn read(file: &Path) -> anyhow::Result<Box<dyn Table>> {
    const LARGEST: u64 = 16 << 20;
    let describe = || format!("cannot read {}", file.display());
    let size = fs::metadata(file).map_err(|error| match error.kind() {
        ErrorKind::NotFound => bad_input(format!("there is no file {}", file.display())),
        _ => anyhow::Error::new(error).context(describe()),
    })?;
    if size.len() > LARGEST {
        return Err(bad_input(format!("{} is too large to be a saved game", file.display())));
    }
    let bytes = fs::read(file).with_context(describe)?;
    let saved = SavedGame::read(&String::from_utf8_lossy(&bytes)).map_err(|problem| {
        bad_input(format!("{} is not a saved game: {problem}", file.display()))
    })?;
    saved.open().with_context(|| format!("in {}", file.display()))
}
