//! Matches and tournaments: who plays, by which plan.

use std::fmt;
use std::fs;
use std::str::FromStr;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row};

use super::error::{Problem, StoreError};
use super::filter::FAULTS;
use super::{Store, now};

/// The number of a series. It is never used again, even if the series is deleted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SeriesId(pub i64);

impl fmt::Display for SeriesId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for SeriesId {
    type Err = String;

    fn from_str(text: &str) -> Result<SeriesId, String> {
        let number = text.parse::<u32>().map(i64::from);
        number.map(SeriesId).map_err(|_| format!("bad series {text:?}: expected a number"))
    }
}

/// Matches and tournaments differ in how their games are found, not in how they are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Some games between the same agents.
    Match,
    /// A schedule of its own, run by name and resumed.
    Tournament,
}

impl Kind {
    /// The kind in one word.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Match => "match",
            Kind::Tournament => "tournament",
        }
    }
}

impl ToSql for Kind {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl FromSql for Kind {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Kind> {
        let name = value.as_str()?;
        let kinds = [Kind::Match, Kind::Tournament];
        kinds.into_iter().find(|kind| kind.name() == name).ok_or(FromSqlError::InvalidType)
    }
}

/// Somebody who plays in a series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// What it is called in this series.
    pub name: String,
    /// The agent's text.
    pub agent: String,
}

/// A series that begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSeries {
    /// Match or tournament.
    pub kind: Kind,
    /// Its name, or none for one made from its number. No two tournaments have the same.
    pub name: Option<String>,
    /// All that decides which games are played, as JSON. The store does not look into it.
    pub plan: String,
    /// What all chance comes from.
    pub seed: u64,
    /// Who plays; games mean them by their number here.
    pub entrants: Vec<Entrant>,
}

/// A stored series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Series {
    /// Its number.
    pub id: SeriesId,
    /// Match or tournament.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// All that decides which games are played, as JSON.
    pub plan: String,
    /// What all chance comes from.
    pub seed: u64,
    /// Who plays.
    pub entrants: Vec<Entrant>,
    /// When it began, in milliseconds since 1970.
    pub started_at: i64,
    /// When its last game was over, if all are.
    pub finished_at: Option<i64>,
}

/// A series in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedSeries {
    /// The series.
    pub series: Series,
    /// How many of its games are stored.
    pub games: u64,
    /// How many of them ended with somebody's fault.
    pub faults: u64,
}

const SERIES: &str = "SELECT id, kind, name, plan, seed, started, finished FROM series";

impl Store {
    /// Begins a series.
    pub fn begin_series(&self, new: &NewSeries) -> Result<SeriesId, StoreError> {
        let begin = || {
            if new.entrants.is_empty() {
                return Err(Problem::Refused("a series needs entrants".into()));
            }
            let transaction = self.writing()?;
            let id = insert_series(&transaction, new)?;
            let sql = "INSERT INTO entrants (series, number, name, agent) VALUES (?1, ?2, ?3, ?4)";
            let mut insert = transaction.prepare_cached(sql)?;
            for (number, Entrant { name, agent }) in new.entrants.iter().enumerate() {
                insert.execute((id.0, number, name, agent))?;
            }
            drop(insert);
            transaction.commit()?;
            Ok(id)
        };
        self.at(begin())
    }

    /// A series.
    pub fn series(&self, id: SeriesId) -> Result<Series, StoreError> {
        let found = self.find_series(id);
        self.at(found.and_then(|series| series.ok_or(Problem::NoSeries(id))))
    }

    pub(super) fn find_series(&self, id: SeriesId) -> Result<Option<Series>, Problem> {
        let sql = format!("{SERIES} WHERE id = ?1");
        let row = self.connection.query_row(&sql, [id.0], read_series).optional()?;
        row.map(|series| with_entrants(&self.connection, series)).transpose()
    }

    /// The tournament with this name, if there is one.
    pub fn find_tournament(&self, name: &str) -> Result<Option<Series>, StoreError> {
        let find = || {
            let sql = format!("{SERIES} WHERE kind = 'tournament' AND name = ?1");
            let row = self.connection.query_row(&sql, [name], read_series).optional()?;
            row.map(|series| with_entrants(&self.connection, series)).transpose()
        };
        self.at(find())
    }

    /// All series, the newest first, with the numbers of their games.
    pub fn list_series(&self) -> Result<Vec<ListedSeries>, StoreError> {
        let list = || {
            // Games and series are counted as they were at one moment.
            let transaction = self.connection.unchecked_transaction()?;
            let counts = format!(
                "SELECT count(*), count(*) FILTER (WHERE {FAULTS}) FROM games WHERE series = ?1"
            );
            let mut counts = transaction.prepare(&counts)?;
            let mut statement = transaction.prepare(&format!("{SERIES} ORDER BY id DESC"))?;
            let rows = statement.query_map([], read_series)?.collect::<Result<Vec<_>, _>>()?;
            let listed = rows.into_iter().map(|row| {
                let series = with_entrants(&transaction, row)?;
                let counted = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
                let (games, faults) = counts.query_row([series.id.0], counted)?;
                Ok(ListedSeries { series, games, faults })
            });
            listed.collect()
        };
        self.at(list())
    }

    /// Writes down that all games of a series are over.
    pub fn finish_series(&self, id: SeriesId) -> Result<(), StoreError> {
        let sql = "UPDATE series SET finished = COALESCE(finished, ?2) WHERE id = ?1";
        let finished = self.connection.execute(sql, (id.0, now()));
        self.at(match finished.map_err(Problem::from) {
            Ok(0) => Err(Problem::NoSeries(id)),
            other => other.map(|_| ()),
        })
    }

    /// Deletes a series with all its games, unless it is being played.
    pub fn delete_series(&self, id: SeriesId) -> Result<(), StoreError> {
        let lock = self.lock_series(id)?;
        let delete = || {
            let transaction = self.writing()?;
            transaction.execute("DELETE FROM games WHERE series = ?1", [id.0])?;
            transaction.execute("DELETE FROM entrants WHERE series = ?1", [id.0])?;
            transaction.execute("DELETE FROM series WHERE id = ?1", [id.0])?;
            Ok(transaction.commit()?)
        };
        self.at(delete())?;
        // Nobody needs it any more, as the number never comes again.
        let _ = fs::remove_file(lock.file());
        Ok(())
    }
}

fn insert_series(connection: &Connection, new: &NewSeries) -> Result<SeriesId, Problem> {
    let sql = "INSERT INTO series (kind, name, plan, seed, started) VALUES (?1, ?2, ?3, ?4, ?5)";
    let name = new.name.as_deref().unwrap_or_default();
    let inserted = connection.execute(sql, (new.kind, name, &new.plan, new.seed as i64, now()));
    if let Err(error) = inserted {
        return Err(match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => Problem::NameTaken(name.to_string()),
            _ => error.into(),
        });
    }
    let id = connection.last_insert_rowid();
    if new.name.is_none() {
        let name = format!("{}-{id}", new.kind.name());
        connection.execute("UPDATE series SET name = ?2 WHERE id = ?1", (id, name))?;
    }
    Ok(SeriesId(id))
}

/// A series whose entrants are still to be read.
fn read_series(row: &Row<'_>) -> rusqlite::Result<Series> {
    Ok(Series {
        id: SeriesId(row.get("id")?),
        kind: row.get("kind")?,
        name: row.get("name")?,
        plan: row.get("plan")?,
        seed: row.get::<_, i64>("seed")? as u64,
        entrants: Vec::new(),
        started_at: row.get("started")?,
        finished_at: row.get("finished")?,
    })
}

fn with_entrants(connection: &Connection, series: Series) -> Result<Series, Problem> {
    let sql = "SELECT name, agent FROM entrants WHERE series = ?1 ORDER BY number";
    let mut statement = connection.prepare_cached(sql)?;
    let read = |row: &Row<'_>| Ok(Entrant { name: row.get(0)?, agent: row.get(1)? });
    let entrants = statement.query_map([series.id.0], read)?.collect::<Result<_, _>>()?;
    Ok(Series { entrants, ..series })
}
