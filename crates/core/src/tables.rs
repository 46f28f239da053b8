//! Tables of exact values that a game can use where they are at hand.
//!
//! A game works without them. It declares which there can be; whoever starts a search hands in
//! those that exist.

use std::fmt;
use std::sync::Arc;

/// The bytes of a table: in memory, or a mapped file.
pub type TableBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// The tables of a game that are at hand.
#[derive(Clone, Default)]
pub struct Tables {
    /// In the order in which the game declares them.
    named: Arc<[Option<TableBytes>]>,
    endgames: Arc<Endgames>,
}

/// Endgame tables by their numbers.
#[derive(Default)]
struct Endgames {
    tables: Box<[Option<TableBytes>]>,
    /// The most men of any of them.
    most_men: u32,
}

impl Tables {
    /// These tables, `None` for each that is missing.
    pub fn new(tables: impl IntoIterator<Item = Option<TableBytes>>) -> Tables {
        Tables { named: tables.into_iter().collect(), endgames: Arc::default() }
    }

    /// The same with these endgame tables for positions of up to `most_men`, `None` for each that
    /// is missing.
    pub fn with_endgames(
        self,
        tables: impl IntoIterator<Item = Option<TableBytes>>,
        most_men: u32,
    ) -> Tables {
        let endgames = Arc::new(Endgames { tables: tables.into_iter().collect(), most_men });
        Tables { endgames, ..self }
    }

    /// The same with the endgame tables of others.
    pub fn with_endgames_of(self, others: &Tables) -> Tables {
        Tables { endgames: others.endgames.clone(), ..self }
    }

    /// The table with this number, if it is at hand.
    pub fn get(&self, number: usize) -> Option<&TableBytes> {
        self.named.get(number)?.as_ref()
    }

    /// The endgame table with this number, if it is at hand.
    #[inline]
    pub fn endgame(&self, number: usize) -> Option<&[u8]> {
        let table = self.endgames.tables.get(number)?.as_ref()?;
        Some((**table).as_ref())
    }

    /// With more men than this, a position is in none of the endgame tables.
    #[inline]
    pub fn most_men(&self) -> u32 {
        self.endgames.most_men
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = |table: &Option<TableBytes>| table.as_ref().map(|t| (**t).as_ref().len());
        f.debug_list().entries(self.named.iter().map(length)).finish()
    }
}
