//! What the store has of an experiment, counted.

use std::collections::BTreeSet;

use agon_arena::Ledger;
use agon_arena::fixture::group_size;
use agon_arena::game_summary::GameSummary;
use agon_arena::statistics::Counts;
use agon_arena::statistics::sprt::{SprtState, SprtVerdict};
use agon_arena::store::{Filter, GameId, SeriesId, Store, StoreError, StoredGame};
use agon_arena::words::thousands;

use crate::experiment::{Comparison, Experiment};
use crate::measure::{Searches, Solved};
use crate::run::{Machine, machine_name};
use crate::showcase::{self, Shown};
use crate::unit::{Build, Unit, Work, units};

/// The results of an experiment.
#[derive(Clone, Debug)]
pub struct Results {
    /// The pieces of work, each with what was found.
    pub units: Vec<(Unit, Found)>,
    /// The machine that made them, where that is known.
    pub machine: Option<Machine>,
    /// Some games, for the report.
    pub shown: Vec<Shown>,
}

/// What the store has of a piece of work.
#[derive(Clone, Debug)]
pub enum Found {
    /// Nothing yet.
    Nothing,
    /// Games.
    Games(Box<Played>),
    /// Searches, and the build that made them.
    Searches(Searches, Build),
    /// A solution, and the build that made it.
    Solved(Solved, Build),
}

/// The games of a meeting. Agent 0 is the one that is judged.
#[derive(Clone, Debug)]
pub struct Played {
    /// Where they are stored.
    pub series: SeriesId,
    /// The build that played them.
    pub build: Build,
    /// The results, in the order of the schedule.
    pub ledger: Ledger,
    /// The state of the test, if there is one.
    pub sprt: Option<SprtState>,
    /// How many games there should be.
    pub planned: u64,
    /// The games, one by one.
    pub games: Vec<Game>,
}

/// A game in numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Its id in the store.
    pub id: GameId,
    /// The number of its opening.
    pub group: u64,
    /// Who sat where: 0 for the agent that is judged, any other number for its opponent.
    pub seating: Vec<u16>,
    /// The points by seat.
    pub points: Vec<u8>,
    /// How many plies it had, those of the opening included.
    pub plies: u32,
    /// The moves, the time and the nodes of each seat.
    pub effort: Vec<(u64, f64, u64)>,
    /// Which rule ended it.
    pub end: String,
    /// Why it ended, in words.
    pub reason: String,
    /// Whether a busy machine limited the thinking.
    pub disturbed: bool,
    /// A hash of all positions: games with the same hash had the same moves.
    pub signature: u64,
}

impl Game {
    /// How far the result of an agent is from an even one: for every other 1 if it was better, -1 if
    /// it was worse.
    pub fn deviation(&self, agent: u16) -> i64 {
        let Some(seat) = self.seating.iter().position(|it| *it == agent) else { return 0 };
        let mine = self.points.get(seat).copied().unwrap_or(0);
        self.points.iter().map(|other| mine.cmp(other) as i64).sum()
    }
}

impl Played {
    /// How many games are missing; none if a test is decided.
    pub fn missing(&self) -> u64 {
        if self.is_decided() { 0 } else { self.planned.saturating_sub(self.ledger.games()) }
    }

    fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|state| state.verdict != SprtVerdict::Continue)
    }
}

impl Results {
    /// The results of the games of a comparison: the unit's index, the terms' index, and the games.
    pub fn of_comparison(&self, index: usize) -> impl Iterator<Item = (usize, &Unit, &Found)> {
        let units = self.units.iter().enumerate();
        let units = units.map(|(number, (unit, found))| (number, unit, found));
        units.filter(move |(_, unit, _)| {
            matches!(unit.work, Work::Games { comparison, .. } if comparison == index)
        })
    }

    /// The results of a measurement.
    pub fn of_measure(&self, index: usize) -> impl Iterator<Item = (&Unit, &Found)> {
        self.units.iter().map(|(unit, found)| (unit, found)).filter(move |(unit, _)| {
            match unit.work {
                Work::Games { .. } => false,
                Work::Search { measure, .. } | Work::Solve { measure, .. } => measure == index,
            }
        })
    }

    /// What is missing, in words; nothing if the experiment is complete.
    pub fn missing(&self) -> Option<String> {
        let (mut games, mut meetings, mut measurements) = (0, 0, 0);
        let mut seen = BTreeSet::new();
        // What two comparisons share is missing once, unless they want different numbers of games.
        let plan = |found: &Found| match found {
            Found::Games(played) => played.missing(),
            _ => 0,
        };
        for (unit, found) in self.units.iter().filter(|it| seen.insert((&it.0.key, plan(&it.1)))) {
            match (&unit.work, found) {
                (Work::Games { .. }, Found::Nothing) => meetings += 1,
                (_, Found::Nothing) => measurements += 1,
                (_, Found::Games(played)) => games += played.missing(),
                _ => {}
            }
        }
        let part = |count: u64, one: &str, many: &str| {
            (count > 0)
                .then(|| format!("{} {}", thousands(count), if count == 1 { one } else { many }))
        };
        let parts = [
            part(games, "game of meetings that have begun", "games of meetings that have begun"),
            part(meetings, "whole meeting", "whole meetings"),
            part(measurements, "measurement", "measurements"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The builds that made the results, by game, in the order of appearance.
    pub fn builds(&self, experiment: &Experiment) -> Vec<(String, Build)> {
        let mut builds: Vec<(String, Build)> = Vec::new();
        for (unit, found) in &self.units {
            let build = match found {
                Found::Nothing => continue,
                Found::Games(played) => &played.build,
                Found::Searches(_, build) | Found::Solved(_, build) => build,
            };
            let game = unit.terms(experiment).variant.game().to_string();
            if !builds.iter().any(|(known, other)| (known, other) == (&game, build)) {
                builds.push((game, build.clone()));
            }
        }
        builds
    }
}

/// Reads the results of an experiment. Of several builds, the one that has got farthest counts for
/// each piece of work, the newest of equals.
pub fn read(experiment: &Experiment, store: &Store) -> Result<Results, StoreError> {
    let mut found = Vec::new();
    for unit in units(experiment) {
        let result = match unit.work {
            Work::Games { comparison, .. } => {
                read_games(&experiment.comparisons[comparison], &unit, store)?
            }
            Work::Search { .. } => measured(&unit, store, Found::Searches)?,
            Work::Solve { .. } => measured(&unit, store, Found::Solved)?,
        };
        found.push((unit, result));
    }
    // Names of other experiments may begin like this one.
    let name = machine_name(&experiment.name);
    let machine = store.measurements(&name)?.into_iter().find(|it| it.name == name);
    let machine = machine.and_then(|it| serde_json::from_str(&it.document).ok());
    let shown = showcase::choose(experiment, &found, store)?;
    Ok(Results { units: found, machine, shown })
}

fn measured<T: serde::de::DeserializeOwned>(
    unit: &Unit,
    store: &Store,
    found: impl Fn(T, Build) -> Found,
) -> Result<Found, StoreError> {
    let stored = store.measurements(&unit.key)?;
    let read = |it: &agon_arena::store::Measurement| {
        Some(found(serde_json::from_str(&it.document).ok()?, Build::of(&it.name)?))
    };
    Ok(stored.iter().find_map(read).unwrap_or(Found::Nothing))
}

fn read_games(comparison: &Comparison, unit: &Unit, store: &Store) -> Result<Found, StoreError> {
    let stored = store.comparisons(&unit.key)?;
    let mut found: Option<Played> = None;
    // The newest come first.
    for (series, _) in stored.iter().filter(|(_, games)| *games > 0) {
        let Some(build) = Build::of(&series.name) else { continue };
        let played = read_series(comparison, series.id, build, store)?;
        let farther = |before: &Played| {
            let state = |it: &Played| (it.missing() == 0, it.ledger.games());
            state(&played) > state(before)
        };
        if found.as_ref().is_none_or(farther) {
            found = Some(played);
        }
    }
    Ok(found.map_or(Found::Nothing, |played| Found::Games(Box::new(played))))
}

fn read_series(
    comparison: &Comparison,
    series: SeriesId,
    build: Build,
    store: &Store,
) -> Result<Played, StoreError> {
    let mut played = Played {
        series,
        build,
        ledger: Ledger::new(comparison.seats, comparison.seats),
        sprt: None,
        planned: comparison.games,
        games: Vec::new(),
    };
    played.ledger.stop_judging();
    for game in store.games(&Filter::of(series))? {
        let (_, game) = game?;
        if game.number >= comparison.games || played.is_decided() {
            break;
        }
        let summary = GameSummary::of(&game);
        played.count(comparison, &game, &summary);
    }
    Ok(played)
}

impl Played {
    fn count(&mut self, comparison: &Comparison, game: &StoredGame, summary: &GameSummary) {
        self.ledger.count(summary);
        // The test looks at complete pairs, in order; after a gap it has not seen all.
        let whole = self.ledger.games() == game.number + 1 && self.ledger.games().is_multiple_of(2);
        if let Some(sprt) = comparison.sprt.filter(|_| whole) {
            self.sprt = Some(sprt.test(&Counts::Pairs(self.ledger.pairs)));
        }
        let effort = summary.effort.as_slice().iter();
        self.games.push(Game {
            id: GameId { series: self.series, number: game.number },
            group: game.number / group_size(comparison.seats),
            seating: summary.seating.as_slice().to_vec(),
            points: summary.points.as_slice().to_vec(),
            plies: summary.plies,
            effort: effort.map(|it| (it.moves, it.time.as_secs_f64(), it.nodes)).collect(),
            end: game.end.clone(),
            reason: game.reason.clone(),
            disturbed: game.disturbed,
            signature: game.signature,
        });
    }
}
