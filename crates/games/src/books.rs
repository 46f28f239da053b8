//! Opening books: where a catalog finds them. What is in them is the search's business.

use std::fmt;

use agon_core::{TableBytes, Variant};

/// Openings of a variant that are part of the program. `agon book` made them; `docs/books.md` has the
/// commands.
#[derive(Clone, Copy, Debug)]
pub struct ShippedOpenings {
    /// The variant in its canonical text.
    pub variant: &'static str,
    /// Its book.
    pub book: Option<&'static [u8]>,
    /// Whether a match has shown that the book makes the engine stronger. If not, it is used only by
    /// those who ask for it.
    pub book_helps: bool,
    /// Openings that lead to even positions, one a line.
    pub balanced: Option<&'static str>,
}

/// Where a catalog finds opening books.
pub trait BookSource: fmt::Debug + Send + Sync {
    /// The book that was built for this variant, if there is one and it is intact.
    fn find(&self, variant: &Variant) -> Option<TableBytes>;

    /// The book in the file with this name, or what is wrong with it.
    fn read(&self, file: &str) -> Result<TableBytes, String>;
}
