//! Files of endgame tables: one for each material.

use std::fs;
use std::sync::OnceLock;

use agon_core::{TableBytes, Tables};
use agon_games::TableWatcher;
use agon_games::endgame::{self, EndgameFamily};

use super::{MappedTable, NotBuilt, TableFolder, TableId, Unusable};

/// What the files hold, and how their names end.
const KIND: &str = "endgame";

impl TableFolder {
    /// Calls `then` with what identifies an endgame table.
    fn with_endgame<T>(
        &self,
        game: &str,
        family: &dyn EndgameFamily,
        number: usize,
        then: impl FnOnce(&TableId<'_>) -> T,
    ) -> T {
        let (name, entries) = (family.name(number), family.entries(number));
        then(&TableId { game, name: &name, kind: KIND, entries })
    }

    /// The file of an endgame table.
    pub fn endgame_file(
        &self,
        game: &str,
        family: &dyn EndgameFamily,
        number: usize,
    ) -> std::path::PathBuf {
        self.with_endgame(game, family, number, |table| self.file(table))
    }

    /// Opens an endgame table and verifies all of it.
    pub fn open_endgame(
        &self,
        game: &str,
        family: &dyn EndgameFamily,
        number: usize,
    ) -> Result<MappedTable, Unusable> {
        self.with_endgame(game, family, number, |table| self.open(table))
    }

    /// The checksum that the header of an endgame table states.
    pub(super) fn endgame_checksum(
        &self,
        game: &str,
        family: &dyn EndgameFamily,
        number: usize,
    ) -> Option<u32> {
        self.with_endgame(game, family, number, |table| self.stated_checksum(table))
    }

    /// Builds an endgame table, given those that it needs, and writes its file.
    pub fn build_endgame(
        &self,
        game: &str,
        family: &dyn EndgameFamily,
        number: usize,
        tables: &Tables,
        threads: usize,
        report: TableWatcher<'_>,
    ) -> Result<(), NotBuilt> {
        let built = family.build(number, tables, threads, report);
        let bytes = built.map_err(|problem| match problem {
            endgame::NotBuilt::Stopped => NotBuilt::Stopped,
            endgame::NotBuilt::Incomplete => NotBuilt::Incomplete,
            endgame::NotBuilt::TooLong => NotBuilt::TooLong,
        })?;
        let written = self.with_endgame(game, family, number, |table| self.write(table, &bytes));
        written.map_err(NotBuilt::Unwritten)
    }

    /// The numbers of the endgame tables that have a file, in order.
    pub fn endgame_files(&self, game: &str, family: &dyn EndgameFamily) -> Vec<usize> {
        let names = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let number = |entry: fs::DirEntry| {
            let name = entry.file_name();
            let material =
                name.to_str()?.strip_prefix(game)?.strip_prefix('-')?.strip_suffix(".endgame")?;
            family.read(material).filter(|&number| family.name(number) == material)
        };
        let mut numbers: Vec<usize> = names.filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// A table that is opened and verified when it is first used: there may be hundreds, and a game uses
/// few of them. One that cannot be used is empty.
pub(super) struct Lazy {
    folder: TableFolder,
    game: String,
    name: String,
    entries: usize,
    opened: OnceLock<Option<MappedTable>>,
}

impl Lazy {
    pub(super) fn new(
        folder: &TableFolder,
        game: &str,
        family: &dyn EndgameFamily,
        number: usize,
    ) -> Lazy {
        Lazy {
            folder: folder.clone(),
            game: game.to_string(),
            name: family.name(number),
            entries: family.entries(number),
            opened: OnceLock::new(),
        }
    }
}

impl AsRef<[u8]> for Lazy {
    fn as_ref(&self) -> &[u8] {
        let open = || {
            let Lazy { game, name, entries, .. } = self;
            self.folder.open_or_warn(&TableId { game, name, kind: KIND, entries: *entries })
        };
        self.opened.get_or_init(open).as_deref().unwrap_or_default()
    }
}

/// The endgame tables of a game in memory or in files, as they are found or built one by one.
pub struct EndgameShelf {
    family: &'static dyn EndgameFamily,
    tables: Vec<Option<TableBytes>>,
}

impl EndgameShelf {
    /// The tables that are part of the program.
    pub fn new(family: &'static dyn EndgameFamily) -> EndgameShelf {
        EndgameShelf { family, tables: endgame::embedded_tables(family) }
    }

    /// Adds a table.
    pub fn add(&mut self, number: usize, table: MappedTable) {
        self.tables[number] = Some(std::sync::Arc::new(table));
    }

    /// The table with this number, if it is here.
    pub fn get(&self, number: usize) -> Option<&[u8]> {
        self.tables.get(number)?.as_ref().map(|table| (**table).as_ref())
    }

    /// All of them, for a build or a check.
    pub fn tables(&self) -> Tables {
        let most = (0..self.family.count()).map(|number| self.family.men(number)).max();
        Tables::default().with_endgames(self.tables.clone(), most.unwrap_or(0) as u32)
    }
}
