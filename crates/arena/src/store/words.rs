//! Texts that occur in game after game, stored once and referred to by number.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};

/// The numbers of the words used so far.
#[derive(Default, Debug)]
pub(super) struct Words {
    known: HashMap<String, i64>,
}

impl Words {
    /// The number of a word, if it was used before.
    pub fn known(&self, word: &str) -> Option<i64> {
        self.known.get(word).copied()
    }

    /// Looks a word up and stores it if it is new. To be called inside a transaction; if that
    /// fails, [`forget`](Words::forget).
    pub fn learn(&mut self, connection: &Connection, word: &str) -> rusqlite::Result<i64> {
        if let Some(id) = self.known(word) {
            return Ok(id);
        }
        let mut find = connection.prepare_cached("SELECT id FROM words WHERE text = ?1")?;
        let found: Option<i64> = find.query_row([word], |row| row.get(0)).optional()?;
        let id = match found {
            Some(id) => id,
            None => {
                connection.execute("INSERT INTO words (text) VALUES (?1)", [word])?;
                connection.last_insert_rowid()
            }
        };
        self.known.insert(word.to_string(), id);
        Ok(id)
    }

    /// Forgets all words, because some of them may not have been stored.
    pub fn forget(&mut self) {
        self.known.clear();
    }
}
