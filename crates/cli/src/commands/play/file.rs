//! Saved games.

use std::io::ErrorKind;
use std::path::Path;

use agon_arena::files::{read_whole, shown};
use agon_arena::game_file;
use agon_arena::session::TableSession;

use agon_games::Catalog;

use crate::failure::bad_input;
use crate::files::write_whole;

/// Writes the game, completely or not at all.
pub(super) fn write(session: &TableSession, file: &Path) -> anyhow::Result<()> {
    write_whole(file, &game_file::write(session)?)
}

/// Opens a saved game where it was left.
pub(super) fn read(catalog: &Catalog, file: &Path) -> anyhow::Result<TableSession> {
    const LARGEST: u64 = 16 << 20;
    let bytes = read_whole(file, LARGEST).map_err(|error| match error.kind() {
        ErrorKind::NotFound => bad_input(format!("there is no file {}", shown(file))),
        ErrorKind::FileTooLarge => {
            bad_input(format!("{} is too large to be a saved game", shown(file)))
        }
        ErrorKind::InvalidInput => bad_input(format!("cannot read {}: {error}", shown(file))),
        _ => anyhow::Error::new(error).context(format!("cannot read {}", shown(file))),
    })?;
    game_file::read(catalog, &String::from_utf8_lossy(&bytes))
        .map_err(|problem| bad_input(format!("{} is not a saved game: {problem}", shown(file))))
}
