//! Tables of exact values that a game can use where they are at hand.
//!
//! A game works without them. It declares which there can be; whoever starts a search hands in
//! those that exist.

use std::fmt;
use std::sync::Arc;

/// The bytes of a table: in memory, or a mapped file.
pub type TableBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The tables of a game that are at hand, in the order in which the game declares them.
#[derive(Clone, Default)]
pub struct Tables(Arc<[Option<TableBytes>]>);

impl Tables {
    /// These tables, `None` for each that is missing.
    pub fn new(tables: impl IntoIterator<Item = Option<TableBytes>>) -> Tables {
        Tables(tables.into_iter().collect())
    }

    /// The table with this number, if it is at hand.
    pub fn get(&self, number: usize) -> Option<&TableBytes> {
        self.0.get(number)?.as_ref()
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = |table: &Option<TableBytes>| table.as_ref().map(|t| (**t).as_ref().len());
        f.debug_list().entries(self.0.iter().map(length)).finish()
    }
}
