//! The standings of accounts: what web pages show of many agents and their runs at once.
//!
//! Nothing here reads the documents of runs or the hashes of passwords.

use rusqlite::{Row, params};

use super::Store;
use super::error::StoreError;

/// An agent's standing in its environment.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// How many runs it has finished.
    pub finished: u64,
    /// The best rating it has had, once it was fully evaluated.
    pub best: Option<f64>,
    /// The mean of its last runs, if it has finished any.
    pub current: Option<f64>,
    /// How many runs it has open.
    pub open: u64,
    /// When one of its runs last changed, in milliseconds since 1970.
    pub active_at: Option<i64>,
}

/// The activity in an environment.
#[derive(Clone, PartialEq, Debug)]
pub struct Traffic {
    /// Its id.
    pub environment: String,
    /// How many accounts there are.
    pub agents: u64,
    /// How many runs are finished.
    pub finished: u64,
    /// How many runs are open.
    pub open: u64,
    /// The best rating of any account.
    pub best: Option<f64>,
}

/// A run without its document.
#[derive(Clone, PartialEq, Debug)]
pub struct RunEntry {
    /// Its number.
    pub id: u64,
    /// How many actions its agent has made.
    pub acts: u64,
    /// Its outcome, once it is over.
    pub outcome: Option<f64>,
    /// When it last changed, in milliseconds since 1970.
    pub updated_at: i64,
}

impl Store {
    /// The standings of an environment's agents, by name; their current rating is the mean over
    /// `window` runs.
    pub fn standings(&self, environment: &str, window: usize) -> Result<Vec<Standing>, StoreError> {
        let sql = "SELECT name, finished, best, \
                 (SELECT avg(outcome) FROM runs INDEXED BY runs_results \
                  WHERE environment = ?1 AND agent = name AND place > finished - ?2), \
                 ifnull(going.runs, 0), \
                 max(ifnull(going.changed, 0), ifnull((SELECT updated FROM runs \
                  INDEXED BY runs_results \
                  WHERE environment = ?1 AND agent = name AND place = finished), 0)) \
             FROM accounts LEFT JOIN \
                 (SELECT agent, count(*) AS runs, max(updated) AS changed FROM runs \
                  WHERE environment = ?1 AND place IS NULL GROUP BY agent) AS going \
                 ON going.agent = name \
             WHERE accounts.environment = ?1 ORDER BY name";
        let read = |row: &Row<'_>| {
            let active_at: i64 = row.get(5)?;
            Ok(Standing {
                name: row.get(0)?,
                finished: row.get(1)?,
                best: row.get(2)?,
                current: row.get(3)?,
                open: row.get(4)?,
                active_at: (active_at > 0).then_some(active_at),
            })
        };
        self.at(self.rows(sql, params![environment, window as i64], read))
    }

    /// The activity in the environments that have accounts.
    pub fn traffic(&self) -> Result<Vec<Traffic>, StoreError> {
        let sql = "SELECT environment, count(*), sum(finished), max(best), \
                 (SELECT count(*) FROM runs WHERE runs.environment = accounts.environment \
                  AND place IS NULL) \
             FROM accounts GROUP BY environment";
        let read = |row: &Row<'_>| {
            Ok(Traffic {
                environment: row.get(0)?,
                agents: row.get(1)?,
                finished: row.get(2)?,
                best: row.get(3)?,
                open: row.get(4)?,
            })
        };
        self.at(self.rows(sql, [], read))
    }

    /// The open runs of an agent, the lowest number first.
    pub fn list_open_runs(
        &self,
        environment: &str,
        agent: &str,
    ) -> Result<Vec<RunEntry>, StoreError> {
        let sql = "SELECT id, acts, outcome, updated FROM runs \
                   WHERE environment = ?1 AND agent = ?2 AND place IS NULL ORDER BY id";
        self.at(self.rows(sql, [environment, agent], read_entry))
    }

    /// The last runs that an agent has finished, the latest first.
    pub fn list_finished_runs(
        &self,
        environment: &str,
        agent: &str,
        limit: usize,
    ) -> Result<Vec<RunEntry>, StoreError> {
        let sql = "SELECT id, acts, outcome, updated FROM runs INDEXED BY runs_results \
                   WHERE environment = ?1 AND agent = ?2 AND place > 0 \
                   ORDER BY place DESC LIMIT ?3";
        self.at(self.rows(sql, params![environment, agent, limit as i64], read_entry))
    }
}

fn read_entry(row: &Row<'_>) -> rusqlite::Result<RunEntry> {
    Ok(RunEntry {
        id: row.get(0)?,
        acts: row.get(1)?,
        outcome: row.get(2)?,
        updated_at: row.get(3)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{RunChange, StoredRun};

    fn run(id: u64, agent: &str, outcome: Option<f64>) -> StoredRun {
        StoredRun {
            id,
            environment: "e".into(),
            agent: agent.into(),
            acts: id,
            asked: false,
            document: "{}".into(),
            outcome,
            updated_at: 1000 + id as i64,
        }
    }

    #[test]
    fn agents_stand_by_their_last_runs() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        for (environment, name) in [("e", "ann"), ("e", "bob"), ("e", "eve"), ("other", "ann")] {
            store.add_account(environment, name, &[7; 32]).unwrap();
        }
        let finish = |id, agent, outcome| {
            let run = run(id, agent, Some(outcome));
            store.change_runs(&[RunChange::Finish { run, best: Some(0.5) }]).unwrap();
        };
        finish(1, "ann", 0.0);
        finish(2, "ann", 1.0);
        finish(3, "ann", 1.0);
        store.change_runs(&[RunChange::Put(run(4, "ann", None))]).unwrap();
        store.change_runs(&[RunChange::Put(run(5, "bob", None))]).unwrap();
        let standings = store.standings("e", 2).unwrap();
        let seen: Vec<_> = standings
            .iter()
            .map(|it| (it.name.as_str(), it.finished, it.current, it.open, it.active_at))
            .collect();
        assert_eq!(
            seen,
            [
                ("ann", 3, Some(1.0), 1, Some(1004)),
                ("bob", 0, None, 1, Some(1005)),
                ("eve", 0, None, 0, None),
            ]
        );
        assert_eq!(store.standings("other", 2).unwrap().len(), 1);
        let traffic = store.traffic().unwrap();
        assert_eq!(
            (traffic[0].agents, traffic[0].finished, traffic[0].open, traffic[0].best),
            (3, 3, 2, Some(0.5))
        );
        assert_eq!((traffic[1].agents, traffic[1].open), (1, 0));
        let ids = |runs: Vec<RunEntry>| runs.iter().map(|run| run.id).collect::<Vec<_>>();
        assert_eq!(ids(store.list_finished_runs("e", "ann", 2).unwrap()), [3, 2]);
        assert_eq!(ids(store.list_open_runs("e", "ann").unwrap()), [4]);
    }
}
