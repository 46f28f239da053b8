//! Games that people are playing or watching: stored after every move, so that they survive a crash
//! of the process.
//!
//! The store does not interpret them. A sitting is a document with a name; its contents are up to
//! the caller. When its game is over, the game is recorded in the same transaction, in the series
//! of the web pages: a sitting in progress has no record, one whose game has ended has one, and it
//! keeps its number however often its end is taken back. The record stays when the sitting is
//! deleted, and does not say which sitting it was.

use agon_core::PerSeat;
use rusqlite::{Connection, Row, params};

use super::error::{StoreError, StoreProblem};
use super::series::{Entrant, entrant_number};
use super::{Store, StoredGame};

/// A game that is being played, or was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sitting {
    /// Its unguessable name.
    pub id: String,
    /// The whole sitting, as JSON.
    pub document: String,
    /// Whether it is still in progress.
    pub open: bool,
    /// Whether everybody may see it: a game without people.
    pub public: bool,
    /// When it last changed, in milliseconds since 1970.
    pub updated_at: i64,
}

/// The game of a sitting that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct PageGame {
    /// Who sat where, by seat.
    pub players: Vec<Entrant>,
    /// The game. The store assigns its `number` and its `seats`; the values here are ignored.
    pub game: StoredGame,
}

/// A change to the sittings.
#[derive(Clone, PartialEq, Debug)]
pub enum SittingChange {
    /// It begins like this, for the client with this name.
    Begin(Sitting, String),
    /// It is now like this. If it is in progress, the game that it may have ended with is no longer
    /// recorded.
    Put(Sitting),
    /// It is now like this, and over. The game is recorded unless that was already done; it is not
    /// rated if it had ended before and was reopened.
    Finish(Sitting, Box<PageGame>),
    /// The one with this name is deleted.
    Delete(String),
}

/// Sittings that can go when room is needed, the first to go first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spare {
    /// Those that are over, of the client that has the most of these; the oldest first.
    Over,
    /// Those in progress in which nothing has happened since they began before this time.
    Unmoved(i64),
    /// Those in progress that have not changed since this time.
    Abandoned(i64),
    /// Those in progress of the client that has the most of these: first those in which nothing has
    /// happened, then the oldest.
    OfTheLargest,
    /// The same, of this client.
    Of(String),
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
    /// Makes changes atomically. When this returns, they are stored, whatever happens to this
    /// process.
    pub fn change_sittings(&self, changes: &[SittingChange]) -> Result<(), StoreError> {
        self.at(self.together(|connection| {
            changes.iter().try_for_each(|change| self.make(connection, change))
        }))
    }

    fn make(&self, connection: &Connection, change: &SittingChange) -> Result<(), StoreProblem> {
        match change {
            SittingChange::Begin(sitting, client) => {
                put(connection, sitting)?;
                let sql = "UPDATE sittings SET client = ?2, begun = updated WHERE id = ?1";
                connection.prepare_cached(sql)?.execute((&sitting.id, client))?;
                Ok(())
            }
            SittingChange::Put(sitting) => {
                if sitting.open {
                    forget_record(connection, &sitting.id)?;
                }
                put(connection, sitting)
            }
            SittingChange::Finish(sitting, page) => {
                let sql = "SELECT open, record IS NULL FROM sittings WHERE id = ?1";
                let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
                let (open, is_first) = self.row(sql, [&sitting.id], read)?.unwrap_or((true, true));
                put(connection, sitting)?;
                // Changing a game that is over does not end it again.
                if open { self.record(connection, &sitting.id, page, is_first) } else { Ok(()) }
            }
            SittingChange::Delete(id) => {
                connection.prepare_cached("DELETE FROM sittings WHERE id = ?1")?.execute([id])?;
                Ok(())
            }
        }
    }

    /// Stores the game of a sitting that has just ended. If that is not the first time, it keeps
    /// its number and is not rated.
    fn record(
        &self,
        connection: &Connection,
        id: &str,
        page: &PageGame,
        is_first: bool,
    ) -> Result<(), StoreProblem> {
        let series = self.begun_pages(connection)?;
        let sql = "UPDATE sittings SET record = coalesce(record, 1 + max( \
                ifnull((SELECT max(number) FROM games WHERE series = ?2), -1), \
                ifnull((SELECT max(record) FROM sittings WHERE record IS NOT NULL), -1))) \
            WHERE id = ?1 RETURNING record";
        let mut update = connection.prepare_cached(sql)?;
        let number: i64 = update.query_row((id, series.0), |row| row.get(0))?;
        let numbers: Result<Vec<u32>, StoreProblem> =
            page.players.iter().map(|who| entrant_number(connection, series, who)).collect();
        let seats = PerSeat::from_slice(&numbers?);
        let rated = page.game.rated && is_first;
        let game = StoredGame { number: number as u64, seats, rated, ..page.game.clone() };
        game.check().map_err(StoreProblem::Refused)?;
        self.insert_with_words(connection, "INSERT OR REPLACE", series, &game)
    }

    /// The sitting with this name, if there is one.
    pub fn sitting(&self, id: &str) -> Result<Option<Sitting>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM sittings WHERE id = ?1");
        self.at(self.row(&sql, [id], read_sitting))
    }

    /// Some sittings: those requested by name first, then those in progress, then the latest.
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
        self.at(self.rows(&sql, rusqlite::params_from_iter(names), read_sitting))
    }

    /// The names of sittings that can go when room is needed, the first to go first.
    pub fn spare_sittings(&self, spare: &Spare, limit: usize) -> Result<Vec<String>, StoreError> {
        let largest = |open: u8| {
            format!(
                "open = {open} AND client IS (SELECT client FROM sittings WHERE open = {open} \
                 GROUP BY client ORDER BY count(*) DESC LIMIT 1)"
            )
        };
        let (which, client) = match spare {
            Spare::Over => (largest(0), None),
            Spare::Unmoved(before) => {
                (format!("open = 1 AND updated = begun AND updated < {before}"), None)
            }
            Spare::Abandoned(since) => (format!("open = 1 AND updated < {since}"), None),
            Spare::OfTheLargest => (largest(1), None),
            Spare::Of(client) => ("open = 1 AND client = ?1".to_string(), Some(client)),
        };
        let unmoved_first = if *spare == Spare::Over { "" } else { "updated IS begun DESC, " };
        let sql = format!(
            "SELECT id FROM sittings WHERE {which} ORDER BY {unmoved_first}updated LIMIT {limit}"
        );
        self.at(self.rows(&sql, rusqlite::params_from_iter(client), |row| row.get(0)))
    }

    /// How many sittings of a client are in progress.
    pub fn count_open_sittings_of(&self, client: &str) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM sittings WHERE open = 1 AND client = ?1";
        let counted = self.connection.query_row(sql, [client], |row| row.get(0));
        self.at(counted.map_err(StoreProblem::from))
    }

    /// How many sittings there are.
    pub fn count_sittings(&self) -> Result<u64, StoreError> {
        let counted =
            self.connection.query_row("SELECT count(*) FROM sittings", [], |row| row.get(0));
        self.at(counted.map_err(StoreProblem::from))
    }
}

fn put(connection: &Connection, sitting: &Sitting) -> Result<(), StoreProblem> {
    let Sitting { id, document, open, public, updated_at } = sitting;
    let sql = "INSERT INTO sittings (id, document, open, public, updated) VALUES (?, ?, ?, ?, ?) \
        ON CONFLICT (id) DO UPDATE SET document = excluded.document, open = excluded.open, \
        public = excluded.public, updated = excluded.updated";
    connection.prepare_cached(sql)?.execute(params![id, document, open, public, updated_at])?;
    Ok(())
}

/// Deletes the game of a sitting from the series of the web pages; its number stays reserved.
fn forget_record(connection: &Connection, id: &str) -> Result<(), StoreProblem> {
    let sql = "DELETE FROM games WHERE series = (SELECT id FROM series WHERE kind = 'pages') \
        AND number = (SELECT record FROM sittings WHERE id = ?1)";
    connection.prepare_cached(sql)?.execute([id])?;
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
        assert_eq!(store.spare_sittings(&Spare::Over, 9).unwrap(), ["over"]);
    }

    #[test]
    fn whoever_has_the_most_makes_room_first() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let begin = |id: &str, client: &str, at| {
            SittingChange::Begin(sitting(id, true, false, at), client.into())
        };
        let put = |id: &str, open, at| SittingChange::Put(sitting(id, open, false, at));
        let changes = [
            begin("a1", "ann", 1),
            put("a1", true, 2),
            begin("b1", "bob", 3),
            put("b1", true, 9),
            begin("b2", "bob", 5),
            begin("b3", "bob", 4),
            put("old", true, 6),
            begin("a2", "ann", 3),
            put("a2", false, 8),
            put("gone", false, 7),
        ];
        store.change_sittings(&changes).unwrap();
        let spare = |spare| store.spare_sittings(&spare, 9).unwrap();
        assert_eq!(spare(Spare::OfTheLargest), ["b3", "b2", "b1"], "unmoved ones first");
        assert_eq!(spare(Spare::Of("ann".into())), ["a1"]);
        assert!(spare(Spare::Of("x' OR 1".into())).is_empty());
        assert_eq!(spare(Spare::Unmoved(5)), ["b3"]);
        assert_eq!(spare(Spare::Abandoned(7)), ["b3", "b2", "a1", "old"]);
        assert_eq!(spare(Spare::Over).len(), 1, "of one client");
        assert_eq!(store.count_open_sittings_of("bob").unwrap(), 3);
        assert_eq!(store.count_open_sittings_of("ann").unwrap(), 1);
        assert_eq!(store.spare_sittings(&Spare::OfTheLargest, 1).unwrap(), ["b3"]);
    }
}
