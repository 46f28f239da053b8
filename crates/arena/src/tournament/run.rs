//! Plays a tournament or a match, or what is missing of it.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use agon_search::{AgentError, StopFlag};
use serde_json::Value;

use super::ledger::Ledger;
use super::plan::differences;
use super::schedule::{Batch, Schedule};
use super::{Format, MOST_FAULTS, Tournament};
use crate::game_summary::{FinishedGame, GameSummary};
use crate::player::SystemTrouble;
use crate::statistics::pentanomial::Counts;
use crate::statistics::sprt::{SprtState, SprtVerdict};
use crate::store::{
    Entrant as StoredEntrant, Filter, NewSeries, Series, SeriesId, SeriesKind, Store, StoreError,
    StoredGame,
};
use crate::venue::VenueError;
use crate::verdict::{Fault, Verdict};
use crate::workers::{Jobs, LocalWorkers, Workers};

/// Why a tournament cannot be played or resumed. The games played so far are in the store.
#[derive(thiserror::Error, Debug)]
pub enum RunError {
    /// A tournament with this name was started with another plan.
    #[error(
        "a tournament called {name:?} was started with another plan ({}); give this one another \
         name, or restore the file", .differences.join("; ")
    )]
    Changed {
        /// Its name.
        name: String,
        /// The differences.
        differences: Vec<String>,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The terms are invalid, or an agent cannot play on them.
    #[error(transparent)]
    Venue(#[from] VenueError),
    /// The system repeatedly refused a resource that a game needs.
    #[error("{trouble}; {advice}")]
    System {
        /// The resource it refused.
        #[source]
        trouble: SystemTrouble,
        /// What to do about it.
        advice: &'static str,
    },
}

impl From<AgentError> for RunError {
    fn from(error: AgentError) -> Self {
        RunError::Venue(error.into())
    }
}

/// News of a tournament or a match.
pub enum News<'a> {
    /// It is valid, and games start or resume.
    Begins {
        /// How many games there are at most.
        games: u64,
        /// How many of them were played before.
        done: u64,
    },
    /// A game was played, stored if there is a store, and counted, in the order of the schedule.
    Game {
        /// The game.
        game: &'a FinishedGame,
        /// The results including it.
        ledger: &'a Ledger,
    },
    /// An agent is withdrawn.
    Withdrawn {
        /// Its number.
        agent: u16,
    },
}

/// Receives the news.
pub type Listener<'a> = &'a mut dyn FnMut(News<'_>);

/// The outcome.
#[derive(Clone, Debug)]
pub struct Run {
    /// The results.
    pub ledger: Ledger,
    /// The state of the test, if there was one.
    pub sprt: Option<SprtState>,
    /// Whether all games were played, or the test was decided. If not, it was stopped.
    pub is_over: bool,
    /// Why a match failed, if it did.
    pub given_up: Option<NeverStarts>,
}

/// An agent of a match that could not be started, three times in a row or in all games of a shorter
/// match: games that were never played say nothing about its opponent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NeverStarts {
    /// The number of the agent.
    pub agent: u16,
    /// The last failure, in words.
    pub evidence: String,
}

/// Plays what is missing of a tournament, `concurrency` games at a time, and reports to `news`.
/// With a store, every game is stored before it is counted. When `stop` is set, unfinished games
/// are abandoned; a test that is decided sets it.
pub fn run(
    tournament: &Tournament,
    store: Option<&Store>,
    concurrency: usize,
    stop: &StopFlag,
    news: Listener<'_>,
) -> Result<Run, RunError> {
    run_on(&LocalWorkers::open(tournament, concurrency)?, tournament, store, stop, news)
}

/// The same, with games played by these workers.
pub fn run_on(
    workers: &dyn Workers,
    tournament: &Tournament,
    store: Option<&Store>,
    stop: &StopFlag,
    news: Listener<'_>,
) -> Result<Run, RunError> {
    let is_match = matches!(tournament.format, Format::Match { .. });
    let is_resumed = tournament.kind() != SeriesKind::Match;
    let series = store.map(|store| begin(tournament, store)).transpose()?;
    let book = store.zip(series);
    // What is never resumed needs no lock against another process.
    let lock = |(store, series): (&Store, SeriesId)| store.lock_series(series);
    let _held = book.filter(|_| is_resumed).map(lock).transpose()?;
    let (agents, seats) = (tournament.entrants.len(), tournament.seats);
    let mut ledger = match tournament.format {
        Format::Contest { .. } => Ledger::for_ratings(agents, seats),
        _ => Ledger::new(agents, seats),
    };
    if is_match {
        ledger.stop_judging();
    }
    let withdrawn: Vec<AtomicBool> = (0..agents).map(|_| AtomicBool::new(false)).collect();
    let mut done = book.map_or(Ok(BTreeMap::new()), played_before)?;
    if tournament.replay_disturbed && can_replay(tournament, &done) {
        done.retain(|_, game| !game.disturbed);
    }
    let mut director = Director {
        tournament,
        book,
        ledger,
        withdrawn: &withdrawn,
        done,
        stop,
        news,
        failed: None,
        decided: None,
        failed_starts: vec![(0, String::new()); agents],
        given_up: None,
        gaps: false,
    };
    let (games, done) = (Schedule::games(tournament), director.done.len() as u64);
    (director.news)(News::Begins { games, done });
    let played = director.play_all(workers);
    if is_match && matches!(played, Ok(true)) {
        director.look_for_games();
    }
    let closed = director.close(!is_resumed || matches!(played, Ok(true)));
    let is_over = played.map_err(|error| with_advice(error, is_resumed, store.is_some()))?;
    closed?;
    let (sprt, given_up) = (director.test(), director.given_up);
    Ok(Run { sprt, ledger: director.ledger, is_over, given_up })
}

/// Finds the tournament in the store, or starts it. A match without a name always starts anew.
fn begin(tournament: &Tournament, store: &Store) -> Result<SeriesId, RunError> {
    let (plan, kind) = (tournament.plan(), tournament.kind());
    let name = (kind != SeriesKind::Match).then(|| tournament.name.clone());
    let known = name.as_ref().map(|name| store.find_named(kind, name)).transpose()?.flatten();
    if let Some(Series { id, plan: before, name, .. }) = known {
        let before: Value = serde_json::from_str(&before).unwrap_or(Value::Null);
        let differences = differences(&before, &plan);
        return match differences.is_empty() {
            true => Ok(id),
            false => Err(RunError::Changed { name, differences }),
        };
    }
    let entrant = |entrant: &super::Entrant| StoredEntrant {
        name: entrant.name.clone(),
        agent: entrant.agent.text().to_string(),
    };
    Ok(store.begin_series(&NewSeries {
        kind,
        name,
        plan: plan.to_string(),
        seed: tournament.seed,
        entrants: tournament.entrants.iter().map(entrant).collect(),
    })?)
}

/// The games that are in the store.
fn played_before(
    (store, series): (&Store, SeriesId),
) -> Result<BTreeMap<u64, StoredGame>, StoreError> {
    let games = store.games(&Filter::of(series))?;
    games.map(|game| game.map(|(_, game)| (game.number, game))).collect()
}

/// Whether stored games may be replayed: only if no later game depends on their results.
fn can_replay(tournament: &Tournament, done: &BTreeMap<u64, StoredGame>) -> bool {
    let fixed = matches!(tournament.format, Format::RoundRobin | Format::Gauntlet { .. });
    fixed && !done.values().any(|game| GameSummary::of(game).is_forfeit())
}

/// A system error is nobody's fault and may be gone the next time.
fn with_advice(error: RunError, is_resumed: bool, stored: bool) -> RunError {
    let RunError::Venue(VenueError::System(trouble)) = error else { return error };
    let advice = match (is_resumed, stored) {
        (true, true) => {
            "the games so far are stored: run it again to resume, for example with a smaller \
             --concurrency"
        }
        (false, true) => {
            "the games so far are stored; try again, for example with a smaller --concurrency"
        }
        (_, false) => "try again, for example with a smaller --concurrency",
    };
    RunError::System { trouble, advice }
}

/// Stores and counts the games.
struct Director<'a> {
    tournament: &'a Tournament,
    /// The store and the series, if games are stored.
    book: Option<(&'a Store, SeriesId)>,
    ledger: Ledger,
    withdrawn: &'a [AtomicBool],
    /// Games played before that have not been counted yet.
    done: BTreeMap<u64, StoredGame>,
    stop: &'a StopFlag,
    news: Listener<'a>,
    /// The first error.
    failed: Option<RunError>,
    /// How many games had been counted when the test was decided: later ones do not count.
    decided: Option<u64>,
    /// For how many of the games since somebody last played one each agent could not be started.
    failed_starts: Vec<(u32, String)>,
    /// Why the match ends early, if it does.
    given_up: Option<NeverStarts>,
    /// Whether games are missing before the next one.
    gaps: bool,
}

impl Director<'_> {
    /// Plays everything that is missing. `false` if it was stopped.
    fn play_all(&mut self, workers: &dyn Workers) -> Result<bool, RunError> {
        let mut schedule = Schedule::new(self.tournament);
        while let Some(batch) = schedule.next(&self.ledger) {
            self.play(workers, &batch)?;
            if self.given_up.is_some() {
                return Ok(false);
            }
            if self.decided.is_some() {
                break;
            }
            let missing = self.ledger.games() < batch.first() + batch.games();
            let is_match = matches!(self.tournament.format, Format::Match { .. });
            // A tournament that was stopped is finished when it is run again and nothing is
            // missing.
            if missing || (self.stop.is_set() && !is_match) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn play(&mut self, workers: &dyn Workers, batch: &Batch) -> Result<(), RunError> {
        let later = self.done.split_off(&(batch.first() + batch.games()));
        let before = mem::replace(&mut self.done, later);
        let done: BTreeSet<u64> = before.keys().copied().collect();
        let mut order = InOrder { due: batch.first(), waiting: BTreeMap::new() };
        for game in before.into_values() {
            order.take(FinishedGame::from_store(game), &mut |game| self.count(game));
        }
        let (withdrawn, written) = (self.withdrawn, self.book.is_some());
        let jobs = Jobs { batch, done: &done, withdrawn, written, next: AtomicU64::new(0) };
        let played = workers.play(&jobs, self.stop, &mut |games| {
            self.keep(&games);
            for game in games {
                if self.failed.is_none() {
                    order.take(game, &mut |game| self.count(game));
                }
            }
            match self.failed {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        // After a stop there are gaps: games after them are counted, but decide nothing.
        self.gaps = true;
        if !order.waiting.is_empty() {
            self.ledger.stop_judging();
        }
        order.waiting.into_values().for_each(|game| self.count(game));
        self.gaps = false;
        self.failed.take().map_or(Ok(()), Err)?;
        Ok(played?)
    }

    /// Stores games, before they are counted.
    fn keep(&mut self, games: &[FinishedGame]) {
        let Some((store, series)) = self.book else { return };
        let games: Vec<&StoredGame> =
            games.iter().filter_map(|game| game.stored.as_deref()).collect();
        // A replayed game replaces the disturbed one.
        let stored = match self.tournament.replay_disturbed {
            true => games.into_iter().try_for_each(|game| store.replace(series, game)),
            false => store.put_all(series, &games),
        };
        self.note(stored);
    }

    /// If the store fails, the run ends.
    fn note(&mut self, stored: Result<(), StoreError>) {
        if let Err(error) = stored {
            self.failed.get_or_insert(error.into());
            self.stop.stop();
        }
    }

    /// Counts the next game of the schedule.
    fn count(&mut self, mut game: FinishedGame) {
        if self.decided.is_some() {
            return;
        }
        let seating = game.summary.seating;
        let gone = self.ledger.gone(&seating);
        // It was in progress when one of its agents was withdrawn.
        if !gone.is_empty() && !game.summary.is_forfeit() {
            game.overrule(&Verdict::withdrawn(seating.seats(), &gone));
            if let (Some((store, series)), Some(game)) = (self.book, &game.stored) {
                self.note(store.replace(series, game));
            }
        }
        let withdrawn = self.ledger.count(&game.summary);
        (self.news)(News::Game { game: &game, ledger: &self.ledger });
        if let Some(agent) = withdrawn {
            if let Some(flag) = self.withdrawn.get(usize::from(agent)) {
                flag.store(true, Relaxed);
            }
            (self.news)(News::Withdrawn { agent });
        }
        self.count_starts(&game.summary);
        // The test is for complete pairs.
        let whole = !self.gaps && self.ledger.games().is_multiple_of(2);
        if whole && self.test().is_some_and(|state| state.verdict != SprtVerdict::Continue) {
            self.decided = Some(self.ledger.games());
            self.stop.stop();
        }
    }

    /// In a match, an agent that cannot be started three times in a row ends the match. Tournaments
    /// go on without such an agent.
    fn count_starts(&mut self, game: &GameSummary) {
        if self.gaps || !matches!(self.tournament.format, Format::Match { .. }) {
            return;
        }
        let Some((seat, Fault::NoStart)) = game.offence() else {
            self.failed_starts.iter_mut().for_each(|(failed, _)| *failed = 0);
            return;
        };
        // The others were not asked, or not for long: they may not be able to start either.
        let agent = game.seating[seat];
        let Some((failed, evidence)) = self.failed_starts.get_mut(usize::from(agent)) else {
            return;
        };
        *failed += 1;
        *evidence = game.evidence.clone().unwrap_or_default();
        if *failed >= MOST_FAULTS && self.given_up.is_none() {
            self.given_up = Some(NeverStarts { agent, evidence: evidence.clone() });
            self.decided = Some(self.ledger.games());
            self.stop.stop();
        }
    }

    /// A match that is too short for three failures has failed, too, if none of its games was
    /// played.
    fn look_for_games(&mut self) {
        let failed: u32 = self.failed_starts.iter().map(|(failed, _)| failed).sum();
        if u64::from(failed) < self.ledger.games() {
            return;
        }
        let mut agents = (0..).zip(&self.failed_starts);
        if let Some((agent, (_, evidence))) = agents.find(|(_, (failed, _))| *failed > 0) {
            self.given_up = Some(NeverStarts { agent, evidence: evidence.clone() });
        }
    }

    /// The state of the test, if there is one.
    fn test(&self) -> Option<SprtState> {
        let sprt = self.tournament.sprt.filter(|_| self.tournament.entrants.len() == 2)?;
        Some(sprt.test(&Counts::Pairs(self.ledger.pairs)))
    }

    /// Deletes the games that do not count, and marks the series as finished if it is.
    fn close(&self, is_all: bool) -> Result<(), StoreError> {
        let Some((store, series)) = self.book else { return Ok(()) };
        if let Some(number) = self.first_to_delete() {
            store.delete_from(series, number)?;
        }
        if is_all { store.finish_series(series) } else { Ok(()) }
    }
}

impl Director<'_> {
    /// The first game that does not count: that after the deciding one. What an experiment has played
    /// may serve another one without this test; there, only games that an agent could not start go, so
    /// that it can be resumed once the agent starts.
    fn first_to_delete(&self) -> Option<u64> {
        if self.tournament.kind() != SeriesKind::Experiment {
            return self.decided;
        }
        let failed: u32 = self.failed_starts.iter().map(|(failed, _)| failed).sum();
        let first = self.ledger.games().saturating_sub(failed.into());
        self.given_up.as_ref().map(|_| first)
    }
}

/// Puts games that arrive in any order into the order of their numbers.
struct InOrder {
    due: u64,
    waiting: BTreeMap<u64, FinishedGame>,
}

impl InOrder {
    /// Takes a game, and passes on all that are due now.
    fn take(&mut self, game: FinishedGame, turn: &mut dyn FnMut(FinishedGame)) {
        if game.summary.number != self.due {
            self.waiting.insert(game.summary.number, game);
            return;
        }
        turn(game);
        self.due += 1;
        while let Some(game) = self.waiting.remove(&self.due) {
            turn(game);
            self.due += 1;
        }
    }
}

#[cfg(test)]
mod tests;
