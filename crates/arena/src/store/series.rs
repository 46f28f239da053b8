//! Matches, tournaments and the games of the web pages: entrants and plans.

use std::fmt;
use std::fs;
use std::str::FromStr;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row};

use super::error::{StoreError, StoreProblem};
use super::filter::FAULTS;
use super::{Store, now};

/// The number of a series. It is never reused, even if the series is deleted.
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

/// The kind of a series. They differ in how their games are planned, not in how they are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SeriesKind {
    /// Games between the same agents.
    Match,
    /// A tournament with its own schedule, which is run by name and can be resumed.
    Tournament,
    /// One comparison of an experiment, which has a name made from its contents and can be resumed.
    Experiment,
    /// The games of the web pages: a single series, to which entrants are added as they come.
    Pages,
}

impl SeriesKind {
    /// The kind in one word.
    pub fn name(self) -> &'static str {
        match self {
            SeriesKind::Match => "match",
            SeriesKind::Tournament => "tournament",
            SeriesKind::Experiment => "experiment",
            SeriesKind::Pages => "pages",
        }
    }
}

impl ToSql for SeriesKind {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl FromSql for SeriesKind {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<SeriesKind> {
        let name = value.as_str()?;
        use SeriesKind::{Experiment, Match, Pages, Tournament};
        [Match, Tournament, Experiment, Pages]
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or(FromSqlError::InvalidType)
    }
}

/// What a server does with a tournament that it plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Hosting {
    /// It plays its games, and continues after a restart.
    Running,
    /// It waits to be continued.
    Paused,
}

impl Hosting {
    /// The state in one word.
    pub fn name(self) -> &'static str {
        match self {
            Hosting::Running => "running",
            Hosting::Paused => "paused",
        }
    }
}

impl ToSql for Hosting {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

impl FromSql for Hosting {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Hosting> {
        let name = value.as_str()?;
        let mut all = [Hosting::Running, Hosting::Paused].into_iter();
        all.find(|state| state.name() == name).ok_or(FromSqlError::InvalidType)
    }
}

/// A participant of a series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Its name in this series.
    pub name: String,
    /// The agent's text; `human` for a person at a web page.
    pub agent: String,
}

impl Entrant {
    /// A person at a web page. All people are one entrant, as their names are not known.
    pub fn person() -> Entrant {
        Entrant { name: "person".into(), agent: "human".into() }
    }

    /// An agent named by its text.
    pub fn agent(text: &str) -> Entrant {
        Entrant { name: text.into(), agent: text.into() }
    }
}

/// What a tournament knows of an entrant besides its name and its agent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Membership {
    /// The round from which it takes part; in a round robin and a gauntlet the wave it came with.
    pub joined: u32,
    /// The round or wave from which it does not any more, if it has retired.
    pub retired: Option<u32>,
    /// The checksum of the files that its program is made of.
    pub fingerprint: Option<String>,
}

/// A new series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSeries {
    /// Its kind.
    pub kind: SeriesKind,
    /// Its name, or none for one derived from its number. Names of tournaments are unique, and so
    /// are those of experiments.
    pub name: Option<String>,
    /// Everything that determines which games are played, as JSON. The store does not interpret it.
    pub plan: String,
    /// The random seed.
    pub seed: u64,
    /// The entrants; games refer to them by their index here.
    pub entrants: Vec<Entrant>,
}

/// A stored series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Series {
    /// Its number.
    pub id: SeriesId,
    /// Its kind.
    pub kind: SeriesKind,
    /// Its name.
    pub name: String,
    /// Everything that determines which games are played, as JSON.
    pub plan: String,
    /// The random seed.
    pub seed: u64,
    /// The entrants.
    pub entrants: Vec<Entrant>,
    /// What a tournament knows of each of them.
    pub members: Vec<Membership>,
    /// When it began, in milliseconds since 1970.
    pub started_at: i64,
    /// When its last game ended, if all are finished.
    pub finished_at: Option<i64>,
    /// The text of the file from which it was last run, if it was run from one.
    pub file: Option<String>,
    /// What a server does with it; `None` if no server plays it.
    pub hosting: Option<Hosting>,
}

/// A series in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedSeries {
    /// The series.
    pub series: Series,
    /// How many of its games are stored.
    pub games: u64,
    /// How many of them ended with a fault.
    pub faults: u64,
}

/// The columns that [`read_series`] reads.
pub(super) const COLUMNS: &str = "id, kind, name, plan, seed, started, finished, file, hosting";

impl Store {
    /// Starts a series.
    pub fn begin_series(&self, new: &NewSeries) -> Result<SeriesId, StoreError> {
        self.at(self.together(|connection| {
            if new.entrants.is_empty() {
                return Err(StoreProblem::Refused("a series needs entrants".into()));
            }
            let id = insert_series(connection, new)?;
            for entrant in &new.entrants {
                add_entrant(connection, id, entrant)?;
            }
            Ok(id)
        }))
    }

    /// A series.
    pub fn series(&self, id: SeriesId) -> Result<Series, StoreError> {
        let found = self.find_series(id);
        self.at(found.and_then(|series| series.ok_or(StoreProblem::NoSeries(id))))
    }

    pub(super) fn find_series(&self, id: SeriesId) -> Result<Option<Series>, StoreProblem> {
        let row =
            self.row(&format!("SELECT {COLUMNS} FROM series WHERE id = ?1"), [id.0], read_series)?;
        row.map(|series| with_entrants(&self.connection, series)).transpose()
    }

    /// The tournament with this name, if there is one.
    pub fn find_tournament(&self, name: &str) -> Result<Option<Series>, StoreError> {
        self.find_named(SeriesKind::Tournament, name)
    }

    /// The series of this kind with this name, if there is one.
    pub fn find_named(&self, kind: SeriesKind, name: &str) -> Result<Option<Series>, StoreError> {
        let find = || {
            let sql = format!("SELECT {COLUMNS} FROM series WHERE kind = ?1 AND name = ?2");
            let row = self.row(&sql, (kind, name), read_series)?;
            row.map(|series| with_entrants(&self.connection, series)).transpose()
        };
        self.at(find())
    }

    /// The series that a text stands for: its number, the name of a tournament, or `pages`.
    pub fn find_by_text(&self, text: &str) -> Result<Option<Series>, StoreError> {
        if let Ok(id) = text.parse::<SeriesId>() {
            return self.at(self.find_series(id));
        }
        if let Some(tournament) = self.find_tournament(text)? {
            return Ok(Some(tournament));
        }
        let pages = self.pages()?.filter(|_| text == SeriesKind::Pages.name());
        pages.map(|id| self.series(id)).transpose()
    }

    /// The series of the web pages' games, once one of them is over.
    pub fn pages(&self) -> Result<Option<SeriesId>, StoreError> {
        self.at(self.find_pages())
    }

    pub(super) fn find_pages(&self) -> Result<Option<SeriesId>, StoreProblem> {
        let sql = "SELECT id FROM series WHERE kind = 'pages'";
        self.row(sql, [], |row| row.get(0).map(SeriesId))
    }

    /// The series of the web pages' games, created if necessary. To be called inside a transaction.
    pub(super) fn begun_pages(&self, connection: &Connection) -> Result<SeriesId, StoreProblem> {
        if let Some(id) = self.find_pages()? {
            return Ok(id);
        }
        let (kind, name, plan) =
            (SeriesKind::Pages, Some(SeriesKind::Pages.name().into()), "{}".into());
        insert_series(connection, &NewSeries { kind, name, plan, seed: 0, entrants: Vec::new() })
    }

    /// All series, the newest first, with the numbers of their games.
    pub fn list_series(&self) -> Result<Vec<ListedSeries>, StoreError> {
        let list = || {
            // Games and series are counted in one snapshot.
            let transaction = self.connection.unchecked_transaction()?;
            let counts = format!(
                "SELECT count(*), count(*) FILTER (WHERE {FAULTS}) FROM games WHERE series = ?1"
            );
            let mut counts = transaction.prepare(&counts)?;
            let sql = format!("SELECT {COLUMNS} FROM series ORDER BY id DESC");
            let mut statement = transaction.prepare(&sql)?;
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

    /// Marks a series as finished.
    pub(crate) fn finish_series(&self, id: SeriesId) -> Result<(), StoreError> {
        let sql = "UPDATE series SET finished = COALESCE(finished, ?2) WHERE id = ?1";
        self.update_series(sql, id, now())
    }

    /// Notes what a server does with a tournament; `None` if none plays it any more.
    pub fn set_hosting(&self, id: SeriesId, hosting: Option<Hosting>) -> Result<(), StoreError> {
        self.update_series("UPDATE series SET hosting = ?2 WHERE id = ?1", id, hosting)
    }

    /// Sets something of a series.
    fn update_series(&self, sql: &str, id: SeriesId, value: impl ToSql) -> Result<(), StoreError> {
        self.at(self.together(|connection| match connection.execute(sql, (id.0, value))? {
            0 => Err(StoreProblem::NoSeries(id)),
            _ => Ok(()),
        }))
    }

    /// Deletes a series with all its games, unless it is being played.
    pub fn delete_series(&self, id: SeriesId) -> Result<(), StoreError> {
        let lock = self.lock_series(id)?;
        self.at(self.together(|connection| {
            if self.find_pages()? == Some(id) {
                connection.execute("UPDATE sittings SET record = NULL", [])?;
            }
            connection.execute("DELETE FROM games WHERE series = ?1", [id.0])?;
            connection.execute("DELETE FROM entrants WHERE series = ?1", [id.0])?;
            connection.execute("DELETE FROM series WHERE id = ?1", [id.0])?;
            Ok(())
        }))?;
        // The lock file is no longer needed, as the number is never reused.
        let _ = fs::remove_file(lock.file());
        let _ = fs::remove_file(self.live_file(id));
        let _ = fs::remove_file(self.deaths_file(id));
        Ok(())
    }
}

fn insert_series(connection: &Connection, new: &NewSeries) -> Result<SeriesId, StoreProblem> {
    let sql = "INSERT INTO series (kind, name, plan, seed, started) VALUES (?1, ?2, ?3, ?4, ?5)";
    let name = new.name.as_deref().unwrap_or_default();
    let inserted = connection.execute(sql, (new.kind, name, &new.plan, new.seed as i64, now()));
    if let Err(error) = inserted {
        return Err(match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => StoreProblem::NameTaken(name.to_string()),
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

/// Adds an entrant to a series and returns its number.
fn add_entrant(
    connection: &Connection,
    series: SeriesId,
    who: &Entrant,
) -> Result<u32, StoreProblem> {
    let sql = "INSERT INTO entrants (series, number, name, agent) \
        SELECT ?1, count(*), ?2, ?3 FROM entrants WHERE series = ?1 RETURNING number";
    let mut insert = connection.prepare_cached(sql)?;
    Ok(insert.query_row((series.0, &who.name, &who.agent), |row| row.get(0))?)
}

/// The number of an entrant, which is added if necessary.
pub(super) fn entrant_number(
    connection: &Connection,
    series: SeriesId,
    who: &Entrant,
) -> Result<u32, StoreProblem> {
    let sql = "SELECT number FROM entrants WHERE series = ?1 AND (name, agent) = (?2, ?3)";
    let mut find = connection.prepare_cached(sql)?;
    let found = find.query_row((series.0, &who.name, &who.agent), |row| row.get(0)).optional()?;
    found.map_or_else(|| add_entrant(connection, series, who), Ok)
}

/// A series whose entrants are still to be read.
pub(super) fn read_series(row: &Row<'_>) -> rusqlite::Result<Series> {
    Ok(Series {
        id: SeriesId(row.get("id")?),
        kind: row.get("kind")?,
        name: row.get("name")?,
        plan: row.get("plan")?,
        seed: row.get::<_, i64>("seed")? as u64,
        entrants: Vec::new(),
        members: Vec::new(),
        started_at: row.get("started")?,
        finished_at: row.get("finished")?,
        file: row.get("file")?,
        hosting: row.get("hosting")?,
    })
}

pub(super) fn with_entrants(
    connection: &Connection,
    series: Series,
) -> Result<Series, StoreProblem> {
    let sql = "SELECT name, agent, joined, retired, fingerprint FROM entrants \
        WHERE series = ?1 ORDER BY number";
    let mut statement = connection.prepare_cached(sql)?;
    let read = |row: &Row<'_>| {
        let entrant = Entrant { name: row.get(0)?, agent: row.get(1)? };
        let (joined, retired, fingerprint) = (row.get(2)?, row.get(3)?, row.get(4)?);
        Ok((entrant, Membership { joined, retired, fingerprint }))
    };
    let rows = statement.query_map([series.id.0], read)?;
    let (entrants, members) = rows.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    Ok(Series { entrants, members, ..series })
}
