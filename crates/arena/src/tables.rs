//! Files of tables of exact values: where they are, what is in them, and whether they are intact.
//!
//! Games declare which tables they can use ([`TableInfo`]); here they are files, handed to a
//! [catalog](agon_games::Catalog) as its [`TableSource`]. A file is a header of 64 bytes and the
//! table's bytes, so that it can be used in place. Numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | `AGON` and the kind of table in four capital letters, `AGONRACE` |
//! | 8–11 | the version of the format, 1 |
//! | 12–27 | the table's name within its game, filled up with zeros |
//! | 28–35 | how many bytes the table has |
//! | 36–39 | the CRC-32 of the table |
//! | 40–59 | zeros |
//! | 60–63 | the CRC-32 of the 60 bytes before |

mod endgames;

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_core::TableBytes;
use agon_games::endgame::EndgameFamily;
use agon_games::{TableInfo, TableSource, TableWatcher};
use agon_search::memory::{MappedFile, map_file};

use crate::files::write_whole_and_tidy;

pub use endgames::EndgameShelf;

/// What every file begins with.
const MAGIC: &[u8] = b"AGON";
/// The length of the kind after that.
const KIND: usize = 4;
const VERSION: u32 = 1;
const HEADER: usize = 64;
/// The end of the part of the header that its own checksum covers.
const SUMMED: usize = HEADER - size_of::<u32>();
/// Where the checksum of the table is in the header.
const CHECKSUM: usize = 36;
/// The longest name of a table.
const NAME: usize = 16;

/// The folder of all tables.
#[derive(Clone)]
pub struct TableFolder {
    folder: PathBuf,
    warn: Option<Warn>,
}

/// What is to be done with a table that cannot be used.
type Warn = fn(game: &str, file: &Path, problem: &Unusable);

/// Why a table cannot be used.
#[derive(thiserror::Error, Debug)]
pub enum Unusable {
    /// There is no file.
    #[error("missing")]
    Missing,
    /// The file is damaged; the reason.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
}

/// Why no table was built.
#[derive(thiserror::Error, Debug)]
pub enum NotBuilt {
    /// It was stopped; nothing was written.
    #[error("stopped; nothing was written")]
    Stopped,
    /// A table that it depends on is missing.
    #[error("a table that it depends on is missing")]
    Incomplete,
    /// A game takes longer than the format can say.
    #[error("its longest game takes more plies than the format can store")]
    TooLong,
    /// It could not be written.
    #[error("cannot be written: {0}")]
    Unwritten(#[source] io::Error),
}

/// A table in a file that was found to be intact.
#[derive(Debug)]
pub struct MappedTable(MappedFile);

impl AsRef<[u8]> for MappedTable {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Deref for MappedTable {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0[HEADER..]
    }
}

impl TableFolder {
    /// The tables in this data folder.
    pub fn new(data: &Path) -> TableFolder {
        TableFolder { folder: data.join("tables"), warn: None }
    }

    /// The same, with a function that is told of tables that are there but cannot be used.
    /// Everything works without them, so nothing else happens.
    pub fn warning(self, warn: Warn) -> TableFolder {
        TableFolder { warn: Some(warn), ..self }
    }

    /// The file of a game's table.
    pub fn file(&self, table: &TableId<'_>) -> PathBuf {
        self.folder.join(format!("{}-{}.{}", table.game, table.name, table.kind))
    }

    /// Opens a table and verifies all of it.
    #[allow(
        unsafe_code,
        reason = "files in the folder are written under another name and then renamed"
    )]
    pub fn open(&self, table: &TableId<'_>) -> Result<MappedTable, Unusable> {
        let file = File::open(self.file(table));
        // SAFETY: tables are written under another name and renamed, by us and by anybody else who
        // makes them; a file with its final name never changes.
        let map = file.and_then(|file| unsafe { map_file(&file) });
        let map = map.map_err(|error| match error.kind() {
            ErrorKind::NotFound => Unusable::Missing,
            _ => Unusable::Unreadable(error),
        })?;
        check(&map, table).map_err(Unusable::Damaged)?;
        Ok(MappedTable(map))
    }

    /// Builds a table and writes its file, replacing an existing one.
    pub fn build(
        &self,
        game: &str,
        table: &TableInfo,
        threads: usize,
        report: TableWatcher<'_>,
    ) -> Result<(), NotBuilt> {
        let bytes = (table.build)(threads, report).map_err(|_| NotBuilt::Stopped)?;
        self.write(&TableId::of(game, table), &bytes).map_err(NotBuilt::Unwritten)
    }

    /// Writes a table atomically.
    pub fn write(&self, table: &TableId<'_>, bytes: &[u8]) -> io::Result<()> {
        write_whole_and_tidy(&self.file(table), &[&header(table, bytes), bytes])
    }

    /// The checksum of the table that its header states. Only the header is read.
    fn stated_checksum(&self, table: &TableId<'_>) -> Option<u32> {
        let mut header = [0; HEADER];
        File::open(self.file(table)).ok()?.read_exact(&mut header).ok()?;
        let stated = header[CHECKSUM..CHECKSUM + size_of::<u32>()].try_into().ok()?;
        let intact = header[SUMMED..] == crc32fast::hash(&header[..SUMMED]).to_le_bytes();
        intact.then_some(u32::from_le_bytes(stated))
    }

    /// Opens a table; says so if there is one that cannot be used.
    fn open_or_warn(&self, table: &TableId<'_>) -> Option<MappedTable> {
        let problem = match self.open(table) {
            Ok(mapped) => return Some(mapped),
            Err(problem) => problem,
        };
        let warn = self.warn.filter(|_| !matches!(problem, Unusable::Missing));
        warn.inspect(|warn| warn(table.game, &self.file(table), &problem));
        None
    }
}

/// Which table it is: what its file and its header say.
#[derive(Clone, Copy, Debug)]
pub struct TableId<'a> {
    /// The game.
    pub game: &'a str,
    /// Its name among the tables of the game.
    pub name: &'a str,
    /// What it holds.
    pub kind: &'a str,
    /// How many bytes it has.
    pub entries: usize,
}

impl<'a> TableId<'a> {
    /// A table that a game declares.
    pub fn of(game: &'a str, table: &'a TableInfo) -> TableId<'a> {
        TableId { game, name: table.name, kind: table.kind, entries: (table.entries)() }
    }
}

impl TableSource for TableFolder {
    fn find(&self, game: &str, table: &TableInfo) -> Option<TableBytes> {
        Some(Arc::new(self.open_or_warn(&TableId::of(game, table))?))
    }

    fn checksum(&self, game: &str, table: &TableInfo) -> Option<u32> {
        self.stated_checksum(&TableId::of(game, table))
    }

    fn endgame_checksums(&self, game: &str, family: &dyn EndgameFamily) -> Vec<(usize, u32)> {
        let stated = |number| Some((number, self.endgame_checksum(game, family, number)?));
        self.endgame_files(game, family).into_iter().filter_map(stated).collect()
    }

    fn find_endgames(&self, game: &str, family: &dyn EndgameFamily) -> Vec<(usize, TableBytes)> {
        let found = self.endgame_files(game, family).into_iter();
        let lazy = |number| endgames::Lazy::new(self, game, family, number);
        found.map(|number| (number, Arc::new(lazy(number)) as TableBytes)).collect()
    }
}

impl fmt::Debug for TableFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TableFolder").field(&self.folder).finish()
    }
}

/// The first bytes of the files of a kind of table.
fn magic(kind: &str) -> [u8; MAGIC.len() + KIND] {
    let mut magic = [b' '; MAGIC.len() + KIND];
    for (byte, letter) in magic.iter_mut().zip(MAGIC.iter().copied().chain(kind.bytes())) {
        *byte = letter.to_ascii_uppercase();
    }
    magic
}

fn header(info: &TableId<'_>, table: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    let (magic, name) = (magic(info.kind), info.name.as_bytes());
    let length = (table.len() as u64).to_le_bytes();
    let sum = crc32fast::hash(table).to_le_bytes();
    let mut at = 0;
    for (piece, room) in [
        (&magic[..], magic.len()),
        (&VERSION.to_le_bytes()[..], size_of_val(&VERSION)),
        (&name[..name.len().min(NAME)], NAME),
        (&length[..], length.len()),
        (&sum[..], sum.len()),
    ] {
        header[at..at + piece.len()].copy_from_slice(piece);
        at += room;
    }
    let own = crc32fast::hash(&header[..SUMMED]);
    header[SUMMED..].copy_from_slice(&own.to_le_bytes());
    header
}

/// What is wrong with a file.
fn check(file: &[u8], info: &TableId<'_>) -> Result<(), &'static str> {
    let Some((found, table)) = file.split_at_checked(HEADER) else {
        return Err("it is too short");
    };
    let magic = magic(info.kind);
    if !found.starts_with(&magic) {
        return Err("it is not a table of this kind");
    }
    if found[SUMMED..] != crc32fast::hash(&found[..SUMMED]).to_le_bytes() {
        return Err("its header has changed");
    }
    if table.len() != info.entries {
        return Err("it has the wrong length");
    }
    let expected = header(info, table);
    let version = magic.len()..magic.len() + size_of_val(&VERSION);
    let sum = version.end + NAME + size_of::<u64>()..SUMMED;
    if found[version.clone()] != expected[version.clone()] {
        return Err("it is of another version");
    }
    if found[version.end..sum.start] != expected[version.end..sum.start] {
        return Err("it is another table");
    }
    if found[sum.clone()] != expected[sum] {
        return Err("its contents have changed");
    }
    Ok(())
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
