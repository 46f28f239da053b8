//! The data folder, and the tables and books that agents find there.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use agon_arena::books::{self, BookFolder};
use agon_arena::files::shown;
use agon_arena::store::Store as Games;
use agon_arena::tables::{TableFolder, Unusable};
use agon_arena::weights::WeightFiles;
use agon_core::Variant;
use agon_games::Catalog;
use anyhow::anyhow;

/// The data folder, as the command line names it; looked up when it is needed.
#[derive(Debug)]
pub(crate) struct Data {
    given: Option<PathBuf>,
    /// Whether engines open by the book unless told otherwise.
    by_the_book: bool,
    catalog: OnceLock<Catalog>,
}

impl Data {
    /// The folder of the arguments, if there is one; and whether engines open by the book unless
    /// told otherwise.
    pub(crate) fn new(given: Option<PathBuf>, by_the_book: bool) -> Data {
        Data { given, by_the_book, catalog: OnceLock::new() }
    }

    /// The folder: as given, as in the environment, or the platform's data directory.
    pub(crate) fn folder(&self) -> anyhow::Result<PathBuf> {
        let found = self.given.clone().or_else(agon_arena::data::folder);
        found.ok_or_else(|| anyhow!("no data folder: use --data DIR or set AGON_DATA"))
    }

    /// The folder to pass on to programs, if it is not the one they would use by default.
    pub(crate) fn for_programs(&self) -> Option<PathBuf> {
        let named =
            std::env::var_os("AGON_DATA").filter(|text| !text.is_empty()).map(PathBuf::from);
        let folder = self.given.clone().or(named)?;
        // Programs run in working directories of their own.
        Some(std::path::absolute(&folder).unwrap_or(folder))
    }

    /// The tables in the folder.
    pub(crate) fn tables(&self) -> anyhow::Result<TableFolder> {
        Ok(TableFolder::new(&self.folder()?))
    }

    /// The opening books in the folder.
    pub(crate) fn books(&self) -> anyhow::Result<BookFolder> {
        Ok(BookFolder::new(&self.folder()?))
    }

    /// The games in the folder; a new store if there is none yet.
    pub(crate) fn games(&self) -> anyhow::Result<Games> {
        Ok(Games::open(&self.folder()?)?)
    }

    /// The games in the folder, read-only.
    pub(crate) fn games_to_read(&self) -> anyhow::Result<Games> {
        Ok(Games::open_read_only(&self.folder()?)?)
    }

    /// The games that can be played, with the tables and books of the folder. A damaged one only
    /// causes a warning: everything works without it.
    pub(crate) fn catalog(&self) -> &Catalog {
        self.catalog.get_or_init(|| {
            let mut catalog = Catalog::built_in();
            if self.by_the_book {
                catalog = catalog.opening_by_the_book();
            }
            if let Ok(folder) = self.tables() {
                catalog = catalog.with_tables(Arc::new(folder.warning(warn)));
            }
            if let Ok(folder) = self.books() {
                catalog = catalog.with_books(Arc::new(folder.warning(warn_of_book)));
            }
            catalog.with_weights(Arc::new(WeightFiles))
        })
    }
}

fn warn(game: &str, file: &Path, problem: &Unusable) {
    anstream::eprintln!(
        "warning: {} is not used, it is {problem}; agon tables build {game} rebuilds it",
        shown(file)
    );
}

fn warn_of_book(variant: &Variant, file: &Path, problem: &books::Unusable) {
    anstream::eprintln!(
        "warning: {} is not used, {problem}; agon book build {variant} --force rebuilds it",
        shown(file)
    );
}
