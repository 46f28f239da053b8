//! Files of opening books: where they are, and whether they are intact.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_core::{TableBytes, Variant};
use agon_games::BookSource;
use agon_search::book::{Book, BookError};

use crate::files::{read_whole, shown, write_whole_and_tidy};

/// The size limit of files, in bytes.
const LARGEST_FILE: u64 = 256 << 20;
/// The maximum length of a file name without its ending.
const LONGEST_NAME: usize = 100;

/// The folder of all books, one for each variant.
#[derive(Clone)]
pub struct BookFolder {
    folder: PathBuf,
    warn: Option<Warn>,
}

/// What is to be done with a book that cannot be used.
type Warn = fn(variant: &Variant, file: &Path, problem: &Unusable);

/// Why a book cannot be used.
#[derive(thiserror::Error, Debug)]
pub enum Unusable {
    /// There is no file.
    #[error("missing")]
    Missing,
    /// The file is not an intact book of the variant.
    #[error("{0}")]
    Damaged(#[source] BookError),
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[source] io::Error),
}

impl BookFolder {
    /// The books in this data folder.
    pub fn new(data: &Path) -> BookFolder {
        BookFolder { folder: data.join("books"), warn: None }
    }

    /// The same, with a function that is told of books that are there but cannot be used.
    /// Everything works without them, so nothing else happens.
    pub fn warning(self, warn: Warn) -> BookFolder {
        BookFolder { warn: Some(warn), ..self }
    }

    /// The file of a variant's book, given in its canonical text.
    pub fn file(&self, variant: &Variant) -> PathBuf {
        self.folder.join(format!("{}.book", file_name(&variant.to_string())))
    }

    /// Opens the book of a variant and verifies all of it.
    pub fn open(&self, variant: &Variant) -> Result<Book, Unusable> {
        let book = open(&self.file(variant))?;
        let wanted = variant.to_string();
        if book.variant() != wanted {
            let other = BookError::OtherVariant(book.variant().to_string(), wanted);
            return Err(Unusable::Damaged(other));
        }
        Ok(book)
    }

    /// Writes the book of a variant atomically.
    pub fn write(&self, variant: &Variant, bytes: &[u8]) -> io::Result<()> {
        write_whole_and_tidy(&self.file(variant), &[bytes])
    }
}

/// Opens the book in a file and verifies all of it.
pub fn open(file: &Path) -> Result<Book, Unusable> {
    Book::decode(read(file)?).map_err(Unusable::Damaged)
}

fn read(file: &Path) -> Result<TableBytes, Unusable> {
    let bytes = read_whole(file, LARGEST_FILE).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Unusable::Missing,
        _ => Unusable::Unreadable(error),
    })?;
    Ok(Arc::new(bytes))
}

impl BookSource for BookFolder {
    fn find(&self, variant: &Variant) -> Option<TableBytes> {
        match self.open(variant) {
            Ok(_) => read(&self.file(variant)).ok(),
            Err(problem) => {
                let warn = self.warn.filter(|_| !matches!(problem, Unusable::Missing));
                warn.inspect(|warn| warn(variant, &self.file(variant), &problem));
                None
            }
        }
    }

    fn read(&self, file: &str) -> Result<TableBytes, String> {
        let path = Path::new(file);
        let checked = read(path).and_then(|bytes| {
            Book::decode(bytes.clone()).map(|_| bytes).map_err(Unusable::Damaged)
        });
        checked.map_err(|problem| {
            let expected = "expected on, off or the file of a book";
            format!("book {} cannot be used: {problem} ({expected})", shown(path))
        })
    }
}

impl fmt::Debug for BookFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BookFolder").field(&self.folder).finish()
    }
}

/// A file name for a variant: its text, with a checksum where something had to be left out.
fn file_name(variant: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || ".,=+-".contains(c);
    let plain = variant.replacen(':', "-", 1);
    if plain.chars().all(is_safe) && plain.len() <= LONGEST_NAME {
        return plain;
    }
    let safe: String =
        plain.chars().map(|c| if is_safe(c) { c } else { '_' }).take(LONGEST_NAME).collect();
    format!("{safe}-{:08x}", crc32fast::hash(variant.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_a_file_name_of_its_own() {
        assert_eq!(file_name("congo"), "congo");
        assert_eq!(file_name("breakthrough:8x8"), "breakthrough-8x8");
        assert_eq!(file_name("wumpus:6,seed=3"), "wumpus-6,seed=3");
        let outside = file_name("gdl:../../x");
        assert!(outside.starts_with("gdl-.._.._x-"), "{outside}");
        assert_ne!(file_name("gdl:a/b"), file_name("gdl:a_b"));
        assert!(file_name(&format!("wumpus:{}", "9".repeat(500))).len() < 120);
    }

    #[test]
    fn a_damaged_or_foreign_book_is_not_found() {
        let data = tempfile::tempdir().unwrap();
        let folder = BookFolder::new(data.path());
        let variant: Variant = "congo".parse().unwrap();
        assert!(matches!(folder.open(&variant), Err(Unusable::Missing)));
        folder.write(&variant, b"AGONBOOK, or so it says").unwrap();
        assert!(matches!(folder.open(&variant), Err(Unusable::Damaged(_))));
        assert!(folder.find(&variant).is_none());
        let file = folder.file(&variant);
        let Err(told) = folder.read(file.to_str().unwrap()) else { panic!("a damaged book") };
        assert!(told.contains("congo.book") && told.contains("expected on"), "{told}");
    }
}
