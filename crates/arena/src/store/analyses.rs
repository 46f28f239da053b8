//! Analyses that people made of positions and games, and reviews of whole games. Like a sitting, each is
//! a document that the store does not interpret.

use rusqlite::{Connection, Row};

use super::error::{StoreError, StoreProblem};
use super::{Store, now};

/// An analysis: moves tried, with variations and comments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredAnalysis {
    /// Its unguessable name.
    pub id: String,
    /// The whole analysis, as JSON.
    pub document: String,
    /// How often it has been changed.
    pub version: u64,
    /// The hash of the token with which it can be changed.
    pub owner: String,
    /// The client that began it.
    pub client: String,
    /// When it last changed, in milliseconds since 1970.
    pub updated_at: i64,
}

/// A change to the analyses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnalysisChange {
    /// It begins, or is now, like this.
    Put(StoredAnalysis),
    /// The one with this name is deleted.
    Delete(String),
    /// A game has been reviewed: the name of the review, and the review as JSON.
    Review(String, String),
}

/// How many analyses are kept. Beyond that, whoever has the most loses the oldest.
const KEPT_ANALYSES: u64 = 20_000;
/// How many reviews are kept: they can be made again.
const KEPT_REVIEWS: u64 = 5_000;

impl Store {
    /// Makes changes atomically. When this returns, they are stored, whatever happens to this
    /// process.
    pub fn change_analyses(&self, changes: &[AnalysisChange]) -> Result<(), StoreError> {
        self.change_analyses_within(changes, KEPT_ANALYSES, KEPT_REVIEWS)
    }

    fn change_analyses_within(
        &self,
        changes: &[AnalysisChange],
        analyses: u64,
        reviews: u64,
    ) -> Result<(), StoreError> {
        self.at(self.together(|connection| {
            changes.iter().try_for_each(|change| make(connection, change))?;
            make_room(connection, analyses, reviews)
        }))
    }

    /// The analysis with this name, if there is one.
    pub fn analysis(&self, id: &str) -> Result<Option<StoredAnalysis>, StoreError> {
        let sql =
            "SELECT id, document, version, owner, client, updated FROM analyses WHERE id = ?1";
        let read = |row: &Row<'_>| {
            Ok(StoredAnalysis {
                id: row.get(0)?,
                document: row.get(1)?,
                version: row.get::<_, i64>(2)?.unsigned_abs(),
                owner: row.get(3)?,
                client: row.get(4)?,
                updated_at: row.get(5)?,
            })
        };
        self.at(self.row(sql, [id], read))
    }

    /// The review with this name, if it was made.
    pub fn review(&self, id: &str) -> Result<Option<String>, StoreError> {
        self.at(self.row("SELECT document FROM reviews WHERE id = ?1", [id], |row| row.get(0)))
    }
}

fn make(connection: &Connection, change: &AnalysisChange) -> Result<(), StoreProblem> {
    match change {
        AnalysisChange::Put(analysis) => {
            let StoredAnalysis { id, document, version, owner, client, updated_at } = analysis;
            let sql = "INSERT INTO analyses (id, document, version, owner, client, updated) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO UPDATE SET \
                document = excluded.document, version = excluded.version, updated = excluded.updated";
            let version = i64::try_from(*version).unwrap_or(i64::MAX);
            let values = (id, document, version, owner, client, updated_at);
            connection.prepare_cached(sql)?.execute(values)?;
        }
        AnalysisChange::Delete(id) => {
            connection.prepare_cached("DELETE FROM analyses WHERE id = ?1")?.execute([id])?;
        }
        AnalysisChange::Review(id, document) => {
            let sql = "INSERT OR REPLACE INTO reviews (id, document, made) VALUES (?1, ?2, ?3)";
            connection.prepare_cached(sql)?.execute((id, document, now()))?;
        }
    }
    Ok(())
}

fn make_room(connection: &Connection, analyses: u64, reviews: u64) -> Result<(), StoreProblem> {
    let too_many = |table: &str, kept: u64| -> Result<u64, StoreProblem> {
        let sql = format!("SELECT count(*) FROM {table}");
        let count: i64 = connection.prepare_cached(&sql)?.query_row([], |row| row.get(0))?;
        Ok(count.unsigned_abs().saturating_sub(kept))
    };
    for _ in 0..too_many("analyses", analyses)? {
        let sql = "DELETE FROM analyses WHERE id = (SELECT id FROM analyses WHERE client = \
            (SELECT client FROM analyses GROUP BY client ORDER BY count(*) DESC LIMIT 1) \
            ORDER BY updated LIMIT 1)";
        connection.prepare_cached(sql)?.execute([])?;
    }
    let oldest = too_many("reviews", reviews)?;
    if oldest > 0 {
        let sql = "DELETE FROM reviews WHERE id IN (SELECT id FROM reviews ORDER BY made LIMIT ?1)";
        connection.prepare_cached(sql)?.execute([oldest as i64])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn analysis(id: &str, client: &str, version: u64, updated_at: i64) -> StoredAnalysis {
        let (id, client) = (id.to_string(), client.to_string());
        let (document, owner) = (format!("[{version}]"), "hash".to_string());
        StoredAnalysis { id, document, version, owner, client, updated_at }
    }

    fn put(id: &str, client: &str, updated_at: i64) -> AnalysisChange {
        AnalysisChange::Put(analysis(id, client, 1, updated_at))
    }

    #[test]
    fn analyses_and_reviews_come_back_as_they_were_put() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let review = AnalysisChange::Review("r".into(), "{}".into());
        store.change_analyses(&[put("a", "ann", 1), put("b", "bob", 2), review]).unwrap();
        drop(store);
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.analysis("a").unwrap(), Some(analysis("a", "ann", 1, 1)));
        assert_eq!(store.review("r").unwrap().as_deref(), Some("{}"));
        assert_eq!((store.analysis("r").unwrap(), store.review("a").unwrap()), (None, None));
        let newer = analysis("a", "ann", 2, 9);
        let changes = [AnalysisChange::Put(newer.clone()), AnalysisChange::Delete("b".into())];
        store.change_analyses(&changes).unwrap();
        assert_eq!(store.analysis("a").unwrap(), Some(newer));
        assert_eq!(store.analysis("b").unwrap(), None);
    }

    #[test]
    fn whoever_has_the_most_makes_room() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let review = |id: &str| AnalysisChange::Review(id.into(), "{}".into());
        let changes = [put("a1", "ann", 1), put("b2", "bob", 3), put("b1", "bob", 2), review("r")];
        store.change_analyses_within(&changes, 2, 1).unwrap();
        let kept = |id| store.analysis(id).unwrap().is_some();
        assert_eq!([kept("a1"), kept("b1"), kept("b2")], [true, false, true]);
        store.change_analyses_within(&[review("s")], 2, 1).unwrap();
        let reviews = ["r", "s"].map(|id| store.review(id).unwrap().is_some());
        assert_eq!(reviews.iter().filter(|&&it| it).count(), 1);
    }
}
