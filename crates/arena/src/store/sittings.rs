//! Games that people are playing or watching: kept after every move, so that they go on whatever
//! happens to the process.
//!
//! The store does not look into them. A sitting is a document with a name; what is in it is the
//! business of who plays it.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Store;
use super::error::{Problem, StoreError};

/// A game that is being played, or was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sitting {
    /// Its name, which nobody can guess.
    pub id: String,
    /// All of it, as JSON.
    pub document: String,
    /// Whether it still goes on.
    pub open: bool,
    /// Whether everybody may see it: a game without people.
    pub public: bool,
    /// When it last changed, in milliseconds since 1970.
    pub updated_at: i64,
}

/// A change to the sittings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SittingChange {
    /// It is now like this.
    Put(Sitting),
    /// The one with this name is gone.
    Delete(String),
}

/// Which sittings to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed<'a> {
    /// All of them.
    All,
    /// Those that everybody may see, and those with these names.
    PublicAnd(&'a [String]),
}

const COLUMNS: &str = "id, document, open, public, updated";

impl Store {
    /// Makes some changes, all or none. When this returns, they are made, whatever happens to this
    /// process.
    pub fn change_sittings(&self, changes: &[SittingChange]) -> Result<(), StoreError> {
        let change = || {
            let transaction = self.writing()?;
            for change in changes {
                make(&transaction, change)?;
            }
            Ok(transaction.commit()?)
        };
        self.at(change())
    }

    /// The sitting with this name, if there is one.
    pub fn sitting(&self, id: &str) -> Result<Option<Sitting>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM sittings WHERE id = ?1");
        let read = || {
            let mut statement = self.connection.prepare_cached(&sql)?;
            Ok(statement.query_row([id], read_sitting).optional()?)
        };
        self.at(read())
    }

    /// Some sittings: those that were asked for by name first, then those that go on, then the
    /// latest.
    pub fn list_sittings(
        &self,
        listed: Listed<'_>,
        limit: usize,
    ) -> Result<Vec<Sitting>, StoreError> {
        let (all, names) = match listed {
            Listed::All => (true, &[][..]),
            Listed::PublicAnd(names) => (false, names),
        };
        let places = vec!["?"; names.len()].join(", ");
        let sql = format!(
            "SELECT {COLUMNS} FROM sittings WHERE {all} OR public OR id IN ({places}) \
             ORDER BY {all} OR NOT public DESC, open DESC, updated DESC LIMIT {limit}"
        );
        let read = || {
            let mut statement = self.connection.prepare(&sql)?;
            let found = statement.query_map(rusqlite::params_from_iter(names), read_sitting)?;
            Ok(found.collect::<rusqlite::Result<_>>()?)
        };
        self.at(read())
    }

    /// The names of the oldest sittings that are over.
    pub fn oldest_closed_sittings(&self, limit: usize) -> Result<Vec<String>, StoreError> {
        let sql = format!(
            "SELECT id FROM sittings WHERE NOT open ORDER BY open DESC, updated LIMIT {limit}"
        );
        let read = || {
            let mut statement = self.connection.prepare_cached(&sql)?;
            let found = statement.query_map([], |row| row.get(0))?;
            Ok(found.collect::<rusqlite::Result<_>>()?)
        };
        self.at(read())
    }

    /// How many sittings there are.
    pub fn count_sittings(&self) -> Result<u64, StoreError> {
        let counted =
            self.connection.query_row("SELECT count(*) FROM sittings", [], |row| row.get(0));
        self.at(counted.map_err(Problem::from))
    }
}

fn make(connection: &Connection, change: &SittingChange) -> rusqlite::Result<()> {
    match change {
        SittingChange::Put(Sitting { id, document, open, public, updated_at }) => {
            let sql = format!("INSERT OR REPLACE INTO sittings ({COLUMNS}) VALUES (?, ?, ?, ?, ?)");
            let mut statement = connection.prepare_cached(&sql)?;
            statement.execute(params![id, document, open, public, updated_at])?;
        }
        SittingChange::Delete(id) => {
            connection.prepare_cached("DELETE FROM sittings WHERE id = ?1")?.execute([id])?;
        }
    }
    Ok(())
}

fn read_sitting(row: &Row<'_>) -> rusqlite::Result<Sitting> {
    Ok(Sitting {
        id: row.get(0)?,
        document: row.get(1)?,
        open: row.get(2)?,
        public: row.get(3)?,
        updated_at: row.get(4)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sitting(id: &str, open: bool, public: bool, updated_at: i64) -> Sitting {
        Sitting { id: id.into(), document: format!("[{updated_at}]"), open, public, updated_at }
    }

    fn names(sittings: Vec<Sitting>) -> Vec<String> {
        sittings.into_iter().map(|sitting| sitting.id).collect()
    }

    #[test]
    fn sittings_come_back_as_they_were_put() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let (first, second) = (sitting("a", true, false, 1), sitting("b", false, true, 2));
        let changes = [first.clone(), second.clone()].map(SittingChange::Put);
        store.change_sittings(&changes).unwrap();
        drop(store);
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.sitting("a").unwrap(), Some(first));
        assert_eq!(store.sitting("b").unwrap(), Some(second));
        assert_eq!(store.sitting("c").unwrap(), None);
        let newer = sitting("a", false, false, 7);
        let changes = [SittingChange::Put(newer.clone()), SittingChange::Delete("b".into())];
        store.change_sittings(&changes).unwrap();
        assert_eq!(store.list_sittings(Listed::All, 9).unwrap(), [newer]);
        assert_eq!(store.count_sittings().unwrap(), 1);
    }

    #[test]
    fn games_of_people_are_listed_to_those_who_know_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let games = [("old", true, false, 1), ("over", false, false, 9), ("seen", true, true, 5)];
        let put = |(id, open, public, at)| SittingChange::Put(sitting(id, open, public, at));
        store.change_sittings(&games.map(put)).unwrap();
        let list = |listed, limit| names(store.list_sittings(listed, limit).unwrap());
        assert_eq!(list(Listed::All, 9), ["seen", "old", "over"]);
        assert_eq!(list(Listed::All, 1), ["seen"]);
        assert_eq!(list(Listed::PublicAnd(&[]), 9), ["seen"]);
        let known = ["over".to_string(), "x' OR 1".to_string()];
        assert_eq!(list(Listed::PublicAnd(&known), 9), ["over", "seen"]);
        assert_eq!(store.oldest_closed_sittings(9).unwrap(), ["over"]);
    }
}
