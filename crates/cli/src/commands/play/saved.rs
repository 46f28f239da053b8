//! Games in files.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use agon_core::Variant;
use agon_games::Table;
use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::failure::bad_input;
use crate::files::write_whole;
use crate::setup;

const FORMAT: &str = "agon-game";
const VERSION: u32 = 1;

/// A game as it stands in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved {
    format: String,
    version: u32,
    variant: String,
    /// Where the game began, if not at the variant's own start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    moves: Vec<String>,
}

impl Saved {
    /// The game on the table.
    pub(super) fn of(table: &dyn Table) -> Saved {
        Saved {
            format: FORMAT.into(),
            version: VERSION,
            variant: table.variant().to_string(),
            position: table.custom_start().map(str::to_string),
            moves: table.played().to_vec(),
        }
    }

    /// Writes the game, whole or not at all.
    pub(super) fn write(&self, file: &Path) -> anyhow::Result<()> {
        write_whole(file, &(serde_json::to_string_pretty(self)? + "\n"))
    }

    /// Reads a game that was saved.
    pub(super) fn read(file: &Path) -> anyhow::Result<Saved> {
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
        let saved: Saved = serde_json::from_slice(&bytes).map_err(|error| {
            bad_input(format!("{} is not a saved game: {error}", file.display()))
        })?;
        if saved.format != FORMAT || saved.version != VERSION {
            let found = format!("{} {}", saved.format, saved.version);
            return Err(bad_input(format!(
                "{}: expected {FORMAT} {VERSION}, found {found}",
                file.display()
            )));
        }
        Ok(saved)
    }

    /// Plays the game again up to where it was saved.
    pub(super) fn open(&self, file: &Path) -> anyhow::Result<Box<dyn Table>> {
        let describe = || format!("in {}", file.display());
        let variant: Variant = self.variant.parse().with_context(describe)?;
        let mut table =
            setup::opened(&variant, self.position.as_deref(), None).with_context(describe)?;
        for mv in &self.moves {
            table.play(mv).with_context(describe)?;
        }
        Ok(table)
    }
}
