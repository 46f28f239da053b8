//! Tables of exact values: what a game can have, and where they come from.

use std::fmt;

use agon_core::{Flow, TableBytes, Variant};

use crate::endgame::EndgameFamily;

/// A table that a game can use, with a byte for every entry.
#[derive(Clone, Copy, Debug)]
pub struct TableInfo {
    /// Its name among the tables of the game.
    pub name: &'static str,
    /// What it holds, in a word: `race`.
    pub kind: &'static str,
    /// How many entries it has.
    pub entries: fn() -> usize,
    /// Whether positions of this variant of the game can use it.
    pub serves: fn(&Variant) -> bool,
    /// Computes it on this many threads.
    pub build: fn(usize, TableWatcher<'_>) -> Result<Vec<u8>, Stopped>,
}

/// Called with the progress of a build now and then; it can stop it.
pub type TableWatcher<'a> = &'a mut dyn FnMut(TableProgress) -> Flow;

/// The progress of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableProgress {
    /// The entries that are known.
    pub settled: u64,
    /// The number of all entries.
    pub of: u64,
}

/// The build was stopped before it was complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Where a catalog finds tables.
pub trait TableSource: fmt::Debug + Send + Sync {
    /// The table of this game, if there is one and it is intact.
    fn find(&self, game: &str, table: &TableInfo) -> Option<TableBytes>;

    /// The checksum of a table that is there.
    fn checksum(&self, game: &str, table: &TableInfo) -> Option<u32> {
        let _ = (game, table);
        None
    }

    /// The checksums of the endgame tables that are there, by number.
    fn endgame_checksums(&self, game: &str, family: &dyn EndgameFamily) -> Vec<(usize, u32)> {
        let _ = (game, family);
        Vec::new()
    }

    /// The endgame tables of this game that are there, by number. One that turns out to be damaged
    /// when it is first used is empty.
    fn find_endgames(&self, game: &str, family: &dyn EndgameFamily) -> Vec<(usize, TableBytes)> {
        let _ = (game, family);
        Vec::new()
    }
}
