//! Playing a tournament, or what is missing of it.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use agon_search::{AgentError, StopFlag};
use serde_json::Value;

use super::Tournament;
use super::ledger::Ledger;
use super::plan::differences;
use super::schedule::Schedule;
use crate::fixture::{Fixture, group_size};
use crate::hall::{Hall, InOrder, Lounges};
use crate::record::AnyRecord;
use crate::store::{
    Entrant as StoredEntrant, Kind, NewSeries, Series, SeriesId, Store, StoreError, StoredGame,
};
use crate::stored::{score_of, stored};
use crate::venue::{self, Venue, VenueError};
use crate::verdict::{Fault, Verdict};

/// Why a tournament cannot go on. What was played is in the store.
#[derive(Debug)]
pub enum RunError {
    /// A tournament with this name was begun with another plan.
    Changed {
        /// Its name.
        name: String,
        /// What is different.
        differences: Vec<String>,
    },
    /// The store does not work.
    Store(StoreError),
    /// The terms mean nothing.
    Venue(VenueError),
    /// An agent cannot play.
    Agent(AgentError),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Changed { name, differences } => write!(
                f,
                "a tournament called {name:?} was begun with another plan ({}); give this one \
                 another name, or bring the file back to what it was",
                differences.join("; ")
            ),
            RunError::Store(error) => error.fmt(f),
            RunError::Venue(error) => error.fmt(f),
            RunError::Agent(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> Self {
        RunError::Store(error)
    }
}

impl From<AgentError> for RunError {
    fn from(error: AgentError) -> Self {
        RunError::Agent(error)
    }
}

/// What happens in a tournament.
pub enum News<'a> {
    /// The games begin, or go on.
    Begins {
        /// How many games there are at most.
        games: u64,
        /// How many of them were played before.
        done: u64,
    },
    /// A game was played, stored and counted. They come in the order of the schedule.
    Game {
        /// The game.
        game: &'a StoredGame,
        /// The results with it.
        ledger: &'a Ledger,
    },
    /// An agent is withdrawn.
    Withdrawn {
        /// Its number.
        agent: u16,
    },
}

/// Is told what happens.
pub type Listener<'a> = &'a mut dyn FnMut(News<'_>);

/// Plays what is missing of a tournament. `true` if it is over, `false` if it was stopped.
pub fn run(
    tournament: &Tournament,
    store: &Store,
    concurrency: usize,
    stop: &StopFlag,
    news: Listener<'_>,
) -> Result<bool, RunError> {
    let series = begin(tournament, store)?;
    let _held = store.lock_series(series)?;
    let venues = tournament.terms.iter().enumerate();
    let venues = venues.map(|(number, terms)| venue::open(terms, tournament.seed, number as u16));
    let venues: Vec<Box<dyn Venue>> = venues.collect::<Result<_, _>>().map_err(RunError::Venue)?;
    let agents = tournament.agents();
    let withdrawn: Vec<AtomicBool> = agents.iter().map(|_| AtomicBool::new(false)).collect();
    let mut director = Director {
        tournament,
        store,
        series,
        ledger: Ledger::new(agents.len(), tournament.seats),
        withdrawn: &withdrawn,
        done: played_before(store, series)?,
        news,
        failed: None,
    };
    let (games, done) = (Schedule::games(tournament), director.done.len() as u64);
    (director.news)(News::Begins { games, done });
    let hall = Hall {
        venues: &venues,
        agents: &agents,
        withdrawn: &withdrawn,
        concurrency,
        stop,
        lounges: Lounges::default(),
    };
    let mut schedule = Schedule::new(tournament);
    while let Some(fixtures) = schedule.next(&director.ledger) {
        director.play(&hall, &fixtures)?;
        if stop.is_set() {
            return Ok(false);
        }
    }
    store.finish_series(series)?;
    Ok(true)
}

/// Finds the tournament in the store, or begins it.
fn begin(tournament: &Tournament, store: &Store) -> Result<SeriesId, RunError> {
    let plan = tournament.plan();
    if let Some(Series { id, plan: before, .. }) = store.find_tournament(&tournament.name)? {
        let before: Value = serde_json::from_str(&before).unwrap_or(Value::Null);
        let differences = differences(&before, &plan);
        if !differences.is_empty() {
            return Err(RunError::Changed { name: tournament.name.clone(), differences });
        }
        return Ok(id);
    }
    let entrant = |entrant: &super::Entrant| StoredEntrant {
        name: entrant.name.clone(),
        agent: entrant.agent.text().to_string(),
    };
    Ok(store.begin_series(&NewSeries {
        kind: Kind::Tournament,
        name: Some(tournament.name.clone()),
        plan: plan.to_string(),
        seed: tournament.seed,
        entrants: tournament.entrants.iter().map(entrant).collect(),
    })?)
}

/// The games that are in the store.
fn played_before(store: &Store, series: SeriesId) -> Result<BTreeMap<u64, StoredGame>, StoreError> {
    let mut done = BTreeMap::new();
    for game in store.games(&crate::store::Filter::of(series))? {
        let (_, game) = game?;
        done.insert(game.number, game);
    }
    Ok(done)
}

/// Stores and counts the games of a tournament.
struct Director<'a> {
    tournament: &'a Tournament,
    store: &'a Store,
    series: SeriesId,
    ledger: Ledger,
    withdrawn: &'a [AtomicBool],
    /// What was played before and has not been counted yet.
    done: BTreeMap<u64, StoredGame>,
    news: Listener<'a>,
    /// What went wrong on the way.
    failed: Option<RunError>,
}

impl Director<'_> {
    /// Plays what is missing of these games.
    fn play(&mut self, hall: &Hall<'_>, fixtures: &[Fixture]) -> Result<(), RunError> {
        let Some(first) = fixtures.first() else { return Ok(()) };
        let mut order = InOrder::new(first.number);
        let mut missing = Vec::new();
        for fixture in fixtures {
            match self.done.remove(&fixture.number) {
                Some(game) => {
                    order.take(fixture.number, (*fixture, game), &mut |it| self.count(it));
                }
                None => missing.push(*fixture),
            }
        }
        let paces: Vec<String> =
            self.tournament.terms.iter().map(|terms| terms.pace.to_string()).collect();
        hall.play(&|index| missing.get(index as usize).copied(), &mut |record| {
            let fixture = *record.fixture();
            if let Some(game) = self.keep(&*record, &paces) {
                order.take(fixture.number, (fixture, game), &mut |it| self.count(it));
            }
            if self.failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Stores a game: before it is counted.
    fn keep(&mut self, record: &dyn AnyRecord, paces: &[String]) -> Option<StoredGame> {
        let pace = paces.get(usize::from(record.fixture().terms)).map_or("", String::as_str);
        let game = stored(record, pace);
        match self.store.put(self.series, &game) {
            Ok(()) => Some(game),
            Err(error) => {
                self.failed.get_or_insert(error.into());
                None
            }
        }
    }

    /// Counts a game whose turn it is in the schedule.
    fn count(&mut self, (fixture, mut game): (Fixture, StoredGame)) {
        let mut score = score_of(&game);
        let gone = self.ledger.gone(&score);
        // It was being played when an agent of it was withdrawn.
        if !gone.is_empty() && !matches!(score.offence, Some((_, Fault::Withdrawn))) {
            game = overruled(game, &Verdict::withdrawn(score.seating.seats(), &gone));
            score = score_of(&game);
            if let Err(error) = self.store.replace(self.series, &game) {
                self.failed.get_or_insert(error.into());
            }
        }
        let group = fixture.number / group_size(score.seating.seats());
        let withdrawn = self.ledger.count(&score, group);
        (self.news)(News::Game { game: &game, ledger: &self.ledger });
        if let Some(agent) = withdrawn {
            if let Some(flag) = self.withdrawn.get(usize::from(agent)) {
                flag.store(true, Relaxed);
            }
            (self.news)(News::Withdrawn { agent });
        }
    }
}

/// A game that was played and does not count as it was.
fn overruled(mut game: StoredGame, verdict: &Verdict) -> StoredGame {
    let was = format!("played, but not counted; it ended: {}", game.reason);
    game.points = verdict.outcome.points();
    game.reason = verdict.outcome.reason().to_string();
    game.end = crate::stored::end_code(verdict);
    game.offender = verdict.offence().map(|(seat, _)| seat);
    game.evidence = Some(was);
    game
}

#[cfg(test)]
mod tests;
