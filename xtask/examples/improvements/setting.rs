//! Where and how a switch is measured.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_arena::Openings;
use agon_arena::books::BookFolder;
use agon_arena::tables::TableFolder;
use agon_core::Variant;
use agon_games::endgame::EndgameFamily;
use agon_games::{Catalog, endgames_of};
use agon_search::book::shelf;
use tempfile::NamedTempFile;

use super::Failure;
use super::endings::endings;
use super::subject::{BOOK, Subject, TABLEBASE};

const PER_MOVE: Duration = Duration::from_millis(20);
/// Endings are measured with more time: they are about knowing what is far away.
const PER_MOVE_IN_ENDINGS: Duration = Duration::from_millis(50);

/// The games with the tables and books of a data folder, if there is one.
pub(crate) struct Home {
    pub(crate) catalog: Catalog,
    folder: Option<PathBuf>,
}

impl Home {
    pub(crate) fn new(folder: Option<PathBuf>) -> Home {
        let mut catalog = Catalog::built_in();
        if let Some(folder) = &folder {
            catalog = catalog
                .with_tables(Arc::new(TableFolder::new(folder)))
                .with_books(Arc::new(BookFolder::new(folder)));
        }
        Home { catalog, folder }
    }

    /// The endgame tables of a game that are used, in words.
    fn endgames(&self, game: &str, family: &dyn EndgameFamily) -> String {
        let files = |folder: &Path| TableFolder::new(folder).endgame_files(game, family);
        let built = self.folder.as_deref().map(files).unwrap_or_default();
        let embedded = (0..family.count()).filter(|&n| family.embedded_table(n).is_some());
        let (count, kind) = match built.is_empty() {
            true => (embedded.clone().count(), "endgame tables inside the program"),
            false => (built.len(), "endgame tables of the data folder"),
        };
        let most = built.into_iter().chain(embedded).map(|number| family.men(number)).max();
        let advice = match &self.folder {
            None => "; data=DIR or AGON_DATA names a folder with more",
            Some(_) => "",
        };
        format!("{count} {kind}, up to {} men{advice}", most.unwrap_or(0))
    }
}

/// Where and how a switch is measured.
pub(crate) struct Setting {
    pub(crate) catalog: Catalog,
    pub(crate) variant: Variant,
    pub(crate) openings: Openings,
    pub(crate) per_move: Duration,
    /// Whether all games begin alike, so that some may be the same.
    pub(crate) repeats: bool,
    /// What else is to be known about it.
    pub(crate) note: Option<String>,
    /// The openings, if they are in a file; it is removed in the end.
    _file: Option<NamedTempFile>,
}

impl Setting {
    /// The setting for at most so many games; `None` if the switch has no effect in this game.
    pub(crate) fn of(
        home: &Home,
        variant: &Variant,
        (subject, name): (Subject, &str),
        games: u64,
    ) -> Result<Option<Setting>, Failure> {
        let setting = Setting {
            catalog: home.catalog.clone(),
            variant: variant.clone(),
            openings: Openings::Random(4),
            per_move: PER_MOVE,
            repeats: false,
            note: None,
            _file: None,
        };
        match (subject, name) {
            (Subject::Engine, BOOK) => Ok(setting.for_books()),
            (Subject::Engine, TABLEBASE) => setting.for_tables(home, games),
            _ => Ok((!subject.ignores(variant, name)?).then_some(setting)),
        }
    }

    /// From the start, where books begin.
    fn for_books(self) -> Option<Setting> {
        let book = shelf::find(&self.catalog, &self.variant)?;
        let (positions, checksum) = (book.positions(), book.checksum());
        let note = format!("a book of {positions} positions, checksum {checksum:08x}");
        Some(Setting { openings: Openings::Start, repeats: true, note: Some(note), ..self })
    }

    /// From endings, two games each.
    fn for_tables(self, home: &Home, games: u64) -> Result<Option<Setting>, Failure> {
        let game = self.variant.game();
        let Some(family) = endgames_of(game) else { return Ok(None) };
        let mut file = NamedTempFile::new()?;
        let count = write_endings(home, &self.variant, games, &mut file)?;
        let note = format!("from {count} endings; {}", home.endgames(game, family));
        Ok(Some(Setting {
            openings: Openings::File(file.path().to_path_buf()),
            per_move: PER_MOVE_IN_ENDINGS,
            note: Some(note),
            _file: Some(file),
            ..self
        }))
    }
}

/// Writes the endings for so many games, one a line, and returns how many there are.
pub(crate) fn write_endings(
    home: &Home,
    variant: &Variant,
    games: u64,
    file: &mut impl Write,
) -> Result<usize, Failure> {
    let table = home.catalog.open(variant)?;
    let found = endings(&*table, games.div_ceil(2).max(1) as usize)?;
    for ending in &found {
        writeln!(file, "{ending}")?;
    }
    file.flush()?;
    Ok(found.len())
}
