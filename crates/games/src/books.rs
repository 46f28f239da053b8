//! Opening books: where a catalog finds them. What is in them is the search's business.

use std::fmt;

use agon_core::{TableBytes, Variant};

/// Where a catalog finds opening books.
pub trait BookSource: fmt::Debug + Send + Sync {
    /// The book that was built for this variant, if there is one and it is intact.
    fn find(&self, variant: &Variant) -> Option<TableBytes>;

    /// The book in the file with this name, or what is wrong with it.
    fn read(&self, file: &str) -> Result<TableBytes, String>;
}
