//! Files of tables of exact values: where they are, what is in them, and whether they are intact.
//!
//! So far there is one kind, the solo races of FAUhalma ([`agon_games::fauhalma::race`]), with a
//! file for each of its boards. A file is a header of 64 bytes and the table's bytes, so that it
//! can be used in place. Numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | `AGONRACE` |
//! | 8–11 | the version of the format, 1 |
//! | 12–27 | the board's name, `star` or `rhombus`, filled up with zeros |
//! | 28–35 | how many bytes the table has |
//! | 36–39 | the CRC-32 of the table |
//! | 40–59 | zeros |
//! | 60–63 | the CRC-32 of the 60 bytes before |

use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use agon_core::Flow;
use agon_games::fauhalma::race::{self, Progress, Shape};
use agon_search::memory::{MappedFile, map_file};

use crate::files::write_whole_and_tidy;

const MAGIC: &[u8; 8] = b"AGONRACE";
const VERSION: u32 = 1;
const HEADER: usize = 64;
/// The end of the part of the header that its own checksum covers.
const SUMMED: usize = HEADER - size_of::<u32>();
/// The longest name of a board.
const NAME: usize = 16;

/// The folder of all tables.
#[derive(Clone, Debug)]
pub struct TableFolder {
    folder: PathBuf,
}

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
    /// It could not be written.
    #[error("cannot be written: {0}")]
    Unwritten(#[source] io::Error),
}

/// A table in a file that was found to be intact.
#[derive(Debug)]
pub struct MappedTable(MappedFile);

impl Deref for MappedTable {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0[HEADER..]
    }
}

impl TableFolder {
    /// The tables in this data folder.
    pub fn new(data: &Path) -> TableFolder {
        TableFolder { folder: data.join("tables") }
    }

    /// The file of a board's table.
    pub fn file(&self, shape: Shape) -> PathBuf {
        self.folder.join(format!("fauhalma-{}.race", shape.name()))
    }

    /// Opens a board's table and verifies all of it.
    #[allow(
        unsafe_code,
        reason = "files in the folder are written under another name and then renamed"
    )]
    pub fn open(&self, shape: Shape) -> Result<MappedTable, Unusable> {
        // SAFETY: tables are written under another name and renamed, by us and by anybody else who
        // makes them; a file with its final name never changes.
        let map = File::open(self.file(shape)).and_then(|file| unsafe { map_file(&file) });
        let map = map.map_err(|error| match error.kind() {
            ErrorKind::NotFound => Unusable::Missing,
            _ => Unusable::Unreadable(error),
        })?;
        check(&map, shape).map_err(Unusable::Damaged)?;
        Ok(MappedTable(map))
    }

    /// Builds a board's table and writes its file, replacing an existing one.
    pub fn build(
        &self,
        shape: Shape,
        threads: usize,
        report: &mut dyn FnMut(Progress) -> Flow,
    ) -> Result<(), NotBuilt> {
        let table = race::build(shape, threads, report).map_err(|_| NotBuilt::Stopped)?;
        self.write(shape, &table).map_err(NotBuilt::Unwritten)
    }

    /// Writes a board's table atomically.
    pub fn write(&self, shape: Shape, table: &[u8]) -> io::Result<()> {
        write_whole_and_tidy(&self.file(shape), &[&header(shape, table), table])
    }

    /// Gives a board's table to the game for the rest of the program's life. If it already has one,
    /// that stays.
    pub fn install(&self, shape: Shape) -> Result<(), Unusable> {
        let table: &'static MappedTable = Box::leak(Box::new(self.open(shape)?));
        match race::install(shape, table) {
            Ok(()) | Err(race::Refused::Installed) => Ok(()),
            Err(race::Refused::Length) => Err(Unusable::Damaged("it has the wrong length")),
        }
    }
}

fn header(shape: Shape, table: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    let name = shape.name().as_bytes();
    let length = (table.len() as u64).to_le_bytes();
    let sum = crc32fast::hash(table).to_le_bytes();
    let mut at = 0;
    for (piece, room) in [
        (&MAGIC[..], MAGIC.len()),
        (&VERSION.to_le_bytes()[..], size_of_val(&VERSION)),
        (name, NAME),
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
fn check(file: &[u8], shape: Shape) -> Result<(), &'static str> {
    let Some((found, table)) = file.split_at_checked(HEADER) else {
        return Err("it is too short");
    };
    if !found.starts_with(MAGIC) {
        return Err("it is not a table of this kind");
    }
    if found[SUMMED..] != crc32fast::hash(&found[..SUMMED]).to_le_bytes() {
        return Err("its header has changed");
    }
    if table.len() != shape.placements() {
        return Err("it has the wrong length");
    }
    let expected = header(shape, table);
    let version = MAGIC.len()..MAGIC.len() + size_of_val(&VERSION);
    let sum = version.end + NAME + size_of::<u64>()..SUMMED;
    if found[version.clone()] != expected[version.clone()] {
        return Err("it is of another version");
    }
    if found[version.end..sum.start] != expected[version.end..sum.start] {
        return Err("it is for another board");
    }
    if found[sum.clone()] != expected[sum] {
        return Err("its contents have changed");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
