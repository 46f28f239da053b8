//! Experiments: the files they were run from, and their measurements without games. Their games are
//! series of the kind [`SeriesKind::Experiment`](super::SeriesKind::Experiment).

use rusqlite::Row;

use super::error::StoreError;
use super::series::{COLUMNS, read_series, with_entrants};
use super::{Series, Store, now};

/// An experiment that was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredExperiment {
    /// Its name.
    pub name: String,
    /// The folder of its file, to which paths in it are relative.
    pub folder: String,
    /// The text of its file when it was last run.
    pub text: String,
    /// When it was first run, in milliseconds since 1970.
    pub started_at: i64,
    /// When it was last run.
    pub updated_at: i64,
}

/// Something that was measured without games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measurement {
    /// Its name, made from its contents.
    pub name: String,
    /// The result, as JSON. The store does not interpret it.
    pub document: String,
    /// When it was made, in milliseconds since 1970.
    pub made_at: i64,
}

impl Store {
    /// Notes that an experiment is run, with the text of its file.
    pub fn note_experiment(&self, name: &str, folder: &str, text: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO experiments (name, folder, text, started, updated) \
            VALUES (?1, ?2, ?3, ?4, ?4) ON CONFLICT (name) DO UPDATE SET \
            folder = excluded.folder, text = excluded.text, updated = excluded.updated";
        self.at(self.together(|connection| {
            connection.execute(sql, (name, folder, text, now()))?;
            Ok(())
        }))
    }

    /// All experiments, the one that was run last first.
    pub fn experiments(&self) -> Result<Vec<StoredExperiment>, StoreError> {
        let sql = "SELECT name, folder, text, started, updated FROM experiments \
            ORDER BY updated DESC, name";
        let read = |row: &Row<'_>| {
            Ok(StoredExperiment {
                name: row.get(0)?,
                folder: row.get(1)?,
                text: row.get(2)?,
                started_at: row.get(3)?,
                updated_at: row.get(4)?,
            })
        };
        self.at(self.rows(sql, [], read))
    }

    /// Stores a measurement, replacing the one with its name, if there is one.
    pub fn put_measurement(&self, name: &str, document: &str) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO measurements (name, document, made) VALUES (?1, ?2, ?3)";
        self.at(self.together(|connection| {
            connection.execute(sql, (name, document, now()))?;
            Ok(())
        }))
    }

    /// The measurements whose names begin like this, the newest first.
    pub fn measurements(&self, prefix: &str) -> Result<Vec<Measurement>, StoreError> {
        let sql = "SELECT name, document, made FROM measurements \
            WHERE name >= ?1 AND name < ?1 || char(0x10ffff) ORDER BY made DESC, name";
        let read = |row: &Row<'_>| {
            Ok(Measurement { name: row.get(0)?, document: row.get(1)?, made_at: row.get(2)? })
        };
        self.at(self.rows(sql, [prefix], read))
    }

    /// The comparisons of experiments whose names begin like this, the newest first, each with the
    /// number of its games.
    pub fn comparisons(&self, prefix: &str) -> Result<Vec<(Series, u64)>, StoreError> {
        let list = || {
            let sql = format!(
                "SELECT {COLUMNS}, \
                (SELECT count(*) FROM games WHERE games.series = series.id) AS games \
                FROM series WHERE kind = 'experiment' AND name >= ?1 \
                AND name < ?1 || char(0x10ffff) \
                ORDER BY id DESC"
            );
            let read = |row: &Row<'_>| Ok((read_series(row)?, row.get("games")?));
            let found: Vec<(Series, u64)> = self.rows(&sql, [prefix], read)?;
            let complete = |(series, games)| Ok((with_entrants(&self.connection, series)?, games));
            found.into_iter().map(complete).collect()
        };
        self.at(list())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Entrant, NewSeries, SeriesKind};
    use super::*;

    #[test]
    fn experiments_are_noted_with_their_latest_text() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        assert!(store.experiments().unwrap().is_empty());
        store.note_experiment("one", "there", "games = 1").unwrap();
        store.note_experiment("two", "there", "games = 2").unwrap();
        store.note_experiment("one", "here", "games = 3").unwrap();
        let mut found = store.experiments().unwrap();
        found.sort_by(|one, other| one.name.cmp(&other.name));
        let texts: Vec<_> = found.iter().map(|it| (&*it.name, &*it.folder, &*it.text)).collect();
        assert_eq!(texts, [("one", "here", "games = 3"), ("two", "there", "games = 2")]);
        assert!(found[0].started_at <= found[0].updated_at);
    }

    #[test]
    fn measurements_and_comparisons_are_found_by_the_beginning_of_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        for (name, document) in [("a_b-1", "1"), ("a_b-2", "2"), ("axb-1", "3"), ("a_b-1", "4")] {
            store.put_measurement(name, document).unwrap();
        }
        let mut found = store.measurements("a_b-").unwrap();
        found.sort_by(|one, other| one.name.cmp(&other.name));
        assert_eq!(found.iter().map(|it| &*it.document).collect::<Vec<_>>(), ["4", "2"]);
        for (kind, name) in [
            (SeriesKind::Experiment, "a_b-1"),
            (SeriesKind::Tournament, "a_b-1"),
            (SeriesKind::Experiment, "axb"),
        ] {
            let entrants = vec![Entrant::agent("random"), Entrant::agent("greedy")];
            let (name, plan) = (Some(name.to_string()), "{}".to_string());
            store.begin_series(&NewSeries { kind, name, plan, seed: 1, entrants }).unwrap();
        }
        let found = store.comparisons("a_b-").unwrap();
        assert_eq!(found.len(), 1);
        let (series, games) = &found[0];
        assert_eq!((series.kind, series.entrants.len(), *games), (SeriesKind::Experiment, 2, 0));
    }
}
