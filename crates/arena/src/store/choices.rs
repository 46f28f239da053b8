//! What is stored, counted: what a filter can choose from.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use agon_core::{MAX_SEATS, Seat};
use rusqlite::Row;

use super::error::{StoreError, StoreProblem};
use super::filter::{GameResult, winner};
use super::series::{SeriesId, SeriesKind};
use super::{Entrant, Store};
use crate::game_summary::FAULT;

/// What is stored, with the number of games of each.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Choices {
    /// All games.
    pub games: u64,
    /// When the first and the last of them ended, in milliseconds since 1970.
    pub finished: Option<(i64, i64)>,
    /// The variants, by name.
    pub variants: Vec<(String, u64)>,
    /// The agents by their texts, and by their names in a series where these differ.
    pub agents: Vec<(String, u64)>,
    /// The series that have games, the newest first.
    pub series: Vec<CountedSeries>,
    /// The results.
    pub results: Vec<(GameResult, u64)>,
    /// The codes of the faults that ended games, without their prefix.
    pub faults: Vec<(String, u64)>,
}

/// A series with the number of its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedSeries {
    /// Its number.
    pub id: SeriesId,
    /// Its kind.
    pub kind: SeriesKind,
    /// Its name.
    pub name: String,
    /// How many of its games are stored.
    pub games: u64,
}

/// Games that have everything in common that is counted.
struct Alike {
    series: SeriesId,
    variant: i64,
    ended: i64,
    seats: [Option<i64>; MAX_SEATS],
    winner: Option<usize>,
    games: u64,
    first: i64,
    last: i64,
}

impl Alike {
    fn read(row: &Row<'_>) -> rusqlite::Result<Alike> {
        Ok(Alike {
            series: SeriesId(row.get(0)?),
            variant: row.get(1)?,
            ended: row.get(2)?,
            seats: [row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?],
            winner: row.get(7)?,
            games: row.get(8)?,
            first: row.get(9)?,
            last: row.get(10)?,
        })
    }
}

/// Numbers by their keys.
type Counts<K> = BTreeMap<K, u64>;

impl Store {
    /// What is stored, counted. Every game is looked at once.
    pub fn choices(&self) -> Result<Choices, StoreError> {
        self.at(self.count_choices())
    }

    fn count_choices(&self) -> Result<Choices, StoreProblem> {
        let winner = winner();
        let sql = format!(
            "SELECT series, variant, ended, seat_1, seat_2, seat_3, seat_4, {winner}, count(*), \
             min(finished), max(finished) FROM games GROUP BY 1, 2, 3, 4, 5, 6, 7, 8"
        );
        let all = self.rows(&sql, [], Alike::read)?;
        let word = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let words: HashMap<i64, String> =
            self.rows("SELECT id, text FROM words", [], word)?.into_iter().collect();
        let entrants = self.all_entrants()?;
        let mut choices = Choices::default();
        let (mut variants, mut agents, mut faults) = (Counts::new(), Counts::new(), Counts::new());
        let (mut results, mut series) = (Counts::new(), Counts::new());
        for it in &all {
            choices.games += it.games;
            let (first, last) = choices.finished.unwrap_or((it.first, it.last));
            choices.finished = Some((first.min(it.first), last.max(it.last)));
            *series.entry(it.series).or_default() += it.games;
            let result =
                it.winner.map_or(GameResult::Draw, |seat| GameResult::Win(Seat::new(seat)));
            *results.entry(result).or_default() += it.games;
            if let Some(variant) = words.get(&it.variant) {
                *variants.entry(variant.clone()).or_default() += it.games;
            }
            if let Some(fault) = words.get(&it.ended).and_then(|end| end.strip_prefix(FAULT)) {
                *faults.entry(fault.to_string()).or_default() += it.games;
            }
            // Who sits at two seats still plays one game.
            let seated = it.seats.iter().flatten();
            let seated = seated.filter_map(|&number| entrants.get(&(it.series, number)));
            let called: BTreeSet<&str> =
                seated.flat_map(|it| [it.agent.as_str(), it.name.as_str()]).collect();
            for agent in called {
                *agents.entry(agent.to_string()).or_default() += it.games;
            }
        }
        choices.variants = variants.into_iter().collect();
        choices.agents = agents.into_iter().collect();
        choices.results = results.into_iter().collect();
        choices.faults = faults.into_iter().collect();
        choices.series = self.counted_series(&series)?;
        Ok(choices)
    }

    fn all_entrants(&self) -> Result<HashMap<(SeriesId, i64), Entrant>, StoreProblem> {
        let read = |row: &Row<'_>| {
            let entrant = Entrant { name: row.get(2)?, agent: row.get(3)? };
            Ok(((SeriesId(row.get(0)?), row.get(1)?), entrant))
        };
        let sql = "SELECT series, number, name, agent FROM entrants";
        Ok(self.rows(sql, [], read)?.into_iter().collect())
    }

    fn counted_series(&self, games: &Counts<SeriesId>) -> Result<Vec<CountedSeries>, StoreProblem> {
        let read = |row: &Row<'_>| {
            Ok(CountedSeries {
                id: SeriesId(row.get(0)?),
                kind: row.get(1)?,
                name: row.get(2)?,
                games: 0,
            })
        };
        let all = self.rows("SELECT id, kind, name FROM series ORDER BY id DESC", [], read)?;
        let counted = |it: CountedSeries| Some(CountedSeries { games: *games.get(&it.id)?, ..it });
        Ok(all.into_iter().filter_map(counted).collect())
    }
}
