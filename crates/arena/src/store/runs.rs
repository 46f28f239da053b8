//! Runs: the games of accounts, stored after every action, so that they survive a crash of the
//! process. Like a sitting, a run is a document that the store does not interpret.

use rusqlite::{Connection, Row, params};

use super::Store;
use super::error::{StoreError, StoreProblem};

/// A game of an account.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredRun {
    /// Its number, counted over all environments.
    pub id: u64,
    /// Its environment.
    pub environment: String,
    /// Its account.
    pub agent: String,
    /// How many actions its agent has made.
    pub acts: u64,
    /// Whether its agent was asked for the next one and has not answered.
    pub asked: bool,
    /// The whole run, as JSON; empty if it ended so long ago that its moves are no longer kept.
    pub document: String,
    /// Its outcome, once it is over.
    pub outcome: Option<f64>,
    /// When it last changed, in milliseconds since 1970.
    pub updated_at: i64,
}

/// A change to the runs.
#[derive(Clone, PartialEq, Debug)]
pub enum RunChange {
    /// An open run has changed, or has started.
    Put(StoredRun),
    /// A run has just ended: it counts as finished for its agent, whose best rating is now this. A
    /// run that had ended before is left as it is.
    Finish {
        /// The run, with its outcome.
        run: StoredRun,
        /// The best rating of its agent from now on.
        best: Option<f64>,
    },
}

/// For how many finished runs of an agent the moves are kept. The outcomes of all are kept.
const KEPT_GAMES: i64 = 1000;

const COLUMNS: &str = "id, environment, agent, acts, asked, document, outcome, updated";

impl Store {
    /// Makes changes atomically. When this returns, they are stored, whatever happens to this
    /// process.
    pub fn change_runs(&self, changes: &[RunChange]) -> Result<(), StoreError> {
        self.at(self.together(|connection| changes.iter().try_for_each(|it| make(connection, it))))
    }

    /// The number of the next run.
    pub fn next_run(&self) -> Result<u64, StoreError> {
        let sql = "SELECT 1 + ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'runs'), 0)";
        let next = self.row(sql, [], |row| row.get(0));
        self.at(next.map(|next| next.unwrap_or(1)))
    }

    /// The run with this number.
    pub fn run(&self, id: u64) -> Result<Option<StoredRun>, StoreError> {
        // Numbers of runs never get that large, but anybody may ask for one.
        let Ok(id) = i64::try_from(id) else { return Ok(None) };
        let sql = format!("SELECT {COLUMNS} FROM runs WHERE id = ?1");
        self.at(self.row(&sql, [id], read_run))
    }

    /// The open runs of an agent, the lowest number first.
    pub fn open_runs(&self, environment: &str, agent: &str) -> Result<Vec<StoredRun>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM runs \
             WHERE environment = ?1 AND agent = ?2 AND place IS NULL ORDER BY id"
        );
        self.at(self.rows(&sql, [environment, agent], read_run))
    }

    /// The last runs that an agent has finished, the latest first.
    pub fn finished_runs(
        &self,
        environment: &str,
        agent: &str,
        limit: usize,
    ) -> Result<Vec<StoredRun>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM runs WHERE environment = ?1 AND agent = ?2 AND place > 0 \
             ORDER BY place DESC LIMIT ?3"
        );
        self.at(self.rows(&sql, params![environment, agent, limit as i64], read_run))
    }

    /// The outcomes of an agent's last runs, in the order in which they ended.
    pub fn outcomes(
        &self,
        environment: &str,
        agent: &str,
        limit: usize,
    ) -> Result<Vec<f64>, StoreError> {
        let sql = "SELECT outcome FROM runs INDEXED BY runs_results \
                   WHERE environment = ?1 AND agent = ?2 AND place > 0 \
                   ORDER BY place DESC LIMIT ?3";
        let read = |row: &Row<'_>| row.get(0);
        let mut last = self.at(self.rows(sql, params![environment, agent, limit as i64], read))?;
        last.reverse();
        Ok(last)
    }
}

fn make(connection: &Connection, change: &RunChange) -> Result<(), StoreProblem> {
    let (run, best) = match change {
        RunChange::Put(run) => (run, None),
        RunChange::Finish { run, best } => (run, Some(*best)),
    };
    let sql = "INSERT INTO runs (id, environment, agent, acts, asked, document, outcome, updated) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, NULL, ?7) ON CONFLICT (id) DO UPDATE SET \
               acts = ?4, asked = ?5, document = ?6, updated = ?7 \
               WHERE place IS NULL AND environment = ?2 AND agent = ?3";
    let StoredRun { id, environment, agent, acts, asked, document, outcome, updated_at } = run;
    let values = params![id, environment, agent, acts, asked, document, updated_at];
    if connection.prepare_cached(sql)?.execute(values)? == 0 {
        let why = format!("run {id} is over, or somebody else's");
        return Err(StoreProblem::Refused(why));
    }
    let Some(best) = best else { return Ok(()) };
    let sql = "UPDATE accounts SET finished = finished + 1, best = ?3 \
               WHERE environment = ?1 AND name = ?2 RETURNING finished";
    let mut count = connection.prepare_cached(sql)?;
    let place: i64 = count.query_row(params![environment, agent, best], |row| row.get(0))?;
    let sql = "UPDATE runs SET outcome = ?2, place = ?3, asked = 0 WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![id, outcome.unwrap_or(0.0), place])?;
    let sql = "UPDATE runs SET document = '' WHERE environment = ?1 AND agent = ?2 AND place = ?3";
    let forgotten = place - KEPT_GAMES;
    if forgotten > 0 {
        connection.prepare_cached(sql)?.execute(params![environment, agent, forgotten])?;
    }
    Ok(())
}

fn read_run(row: &Row<'_>) -> rusqlite::Result<StoredRun> {
    Ok(StoredRun {
        id: row.get(0)?,
        environment: row.get(1)?,
        agent: row.get(2)?,
        acts: row.get(3)?,
        asked: row.get(4)?,
        document: row.get(5)?,
        outcome: row.get(6)?,
        updated_at: row.get(7)?,
    })
}
