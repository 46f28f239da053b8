//! Who takes part in a stored tournament: agents join, leave and are replaced between two runs.

use std::collections::BTreeMap;

use rusqlite::Row;

use super::Store;
use super::error::{StoreError, StoreProblem};
use super::series::{Entrant, Membership, SeriesId};

/// How far a series is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// How many rounds have begun: games of them are stored.
    pub rounds: u32,
    /// How many games the entrants have played, by their numbers.
    games: BTreeMap<u32, u64>,
}

impl Progress {
    /// How many games an entrant has played.
    pub fn games_of(&self, number: usize) -> u64 {
        let number = u32::try_from(number).ok();
        number.and_then(|number| self.games.get(&number)).copied().unwrap_or(0)
    }
}

/// The participants of a tournament and what follows from them, as of a new run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enrolment {
    /// Everything that determines which games are played, as JSON.
    pub plan: String,
    /// The text of the file that it is run from, if it is.
    pub file: Option<String>,
    /// All entrants by their numbers: known ones are updated, the others are added after them.
    pub entrants: Vec<(Entrant, Membership)>,
    /// Whose games are deleted, to be played again. Games that were not played because somebody had
    /// been withdrawn are deleted as well: whether he is follows from all games.
    pub replayed: Vec<u32>,
    /// Whether there may be games to play again in a series that was finished.
    pub reopened: bool,
}

/// Games of one entrant, and games that were not played.
const TO_REPLAY: &str = "DELETE FROM games WHERE series = ?1 AND (?2 IN (seat_1, seat_2, seat_3, \
    seat_4) OR ended IN (SELECT id FROM words WHERE text = 'fault:withdrawn'))";

const ENTER: &str = "INSERT INTO entrants (series, number, name, agent, joined, retired, \
    fingerprint) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (series, number) DO UPDATE SET \
    (name, agent, joined, retired, fingerprint) = (?3, ?4, ?5, ?6, ?7)";

const UPDATE: &str = "UPDATE series SET plan = ?2, file = COALESCE(?3, file), \
    finished = CASE WHEN ?4 THEN NULL ELSE finished END WHERE id = ?1";

impl Store {
    /// Changes who takes part, all at once or not at all.
    pub(crate) fn enrol(&self, id: SeriesId, new: &Enrolment) -> Result<(), StoreError> {
        self.at(self.together(|connection| {
            let values = (id.0, &new.plan, &new.file, new.reopened);
            if connection.execute(UPDATE, values)? == 0 {
                return Err(StoreProblem::NoSeries(id));
            }
            let mut enter = connection.prepare_cached(ENTER)?;
            for (number, (entrant, member)) in (0_u32..).zip(&new.entrants) {
                let Membership { joined, retired, fingerprint } = member;
                let Entrant { name, agent } = entrant;
                enter.execute((id.0, number, name, agent, joined, retired, fingerprint))?;
            }
            for number in &new.replayed {
                connection.execute(TO_REPLAY, (id.0, number))?;
            }
            Ok(())
        }))
    }

    /// How far a series is.
    pub fn progress(&self, id: SeriesId) -> Result<Progress, StoreError> {
        let count = || {
            let sql = "SELECT ifnull(max(round) + 1, 0) FROM games WHERE series = ?1";
            let rounds = self.row(sql, [id.0], |row| row.get(0))?.unwrap_or(0);
            let mut games = BTreeMap::new();
            for seat in ["seat_1", "seat_2", "seat_3", "seat_4"] {
                let sql = format!(
                    "SELECT {seat}, count(*) FROM games WHERE series = ?1 AND {seat} IS NOT NULL \
                    GROUP BY {seat}"
                );
                let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
                let counted: Vec<(u32, u64)> = self.rows(&sql, [id.0], read)?;
                for (number, count) in counted {
                    *games.entry(number).or_insert(0) += count;
                }
            }
            Ok(Progress { rounds, games })
        };
        self.at(count())
    }
}
