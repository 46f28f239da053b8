//! Plays a tournament or a match, or what is missing of it.

mod in_order;

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use agon_search::{AgentError, StopFlag};

use super::changes::{Changed, ChangedAgent, Changes, list_decisions};
use super::deaths::Deaths;
use super::entry::{Begun, Entry};
use super::ledger::Ledger;
use super::outline::Outline;
use super::schedule::{Batch, Schedule};
use super::{Format, MOST_FAULTS, Tournament};
use crate::agent::AgentKind;
use crate::cores::Cores;
use crate::gallery::{Gallery, Herald};
use crate::game_summary::{FinishedGame, GameSummary};
use crate::player::SystemTrouble;
use crate::statistics::pentanomial::Counts;
use crate::statistics::sprt::{SprtState, SprtVerdict};
use crate::store::{Filter, SeriesId, SeriesKind, Store, StoreError, StoredGame};
use crate::venue::VenueError;
use crate::verdict::{Fault, Verdict};
use crate::workers::{Jobs, LocalWorkers, Workers};
use in_order::InOrder;

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
    /// Its agents cannot change in this way.
    #[error("the tournament {name:?} has begun: {problem}")]
    Refused {
        /// Its name.
        name: String,
        /// Why, and what would be right.
        problem: String,
    },
    /// Agents are no longer the ones that played their games. Nothing has been changed or played:
    /// run it again with a decision in [`Tournament::changed`].
    #[error(
        "agents of the tournament {name:?} have changed since they played: {}; say what to do:{}",
        .agents.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        list_decisions(.agents, .possible)
    )]
    ProgramChanged {
        /// The tournament's name.
        name: String,
        /// The agents.
        agents: Vec<ChangedAgent>,
        /// The decisions that are possible in its format.
        possible: Vec<Changed>,
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
    /// Its file has changed since the last run: agents join, leave or are replaced.
    Changed(&'a Changes),
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
    /// Earlier runs were cut off again and again while these programs were playing.
    KeepsDying {
        /// How many times.
        times: u32,
        /// The agents, by their numbers.
        agents: &'a [u16],
    },
    /// An agent is withdrawn.
    Withdrawn {
        /// Its number.
        agent: u16,
        /// Its name.
        name: &'a str,
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
///
/// Agents that are new in the file join a stored tournament, and those that are no longer in it
/// retire. [`Tournament::changed`] says what happens to those that are no longer the same.
pub fn run(
    tournament: &Tournament,
    store: Option<&Store>,
    concurrency: usize,
    stop: &StopFlag,
    news: Listener<'_>,
) -> Result<Run, RunError> {
    let workers = |tournament: &Tournament| -> Result<Box<dyn Workers>, RunError> {
        Ok(Box::new(LocalWorkers::open(tournament, concurrency)?))
    };
    run_on(&workers, tournament, store, stop, news)
}

/// The same, on cores that are shared with others: every game waits for its own.
pub fn run_sharing(
    cores: &Cores,
    tournament: &Tournament,
    store: &Store,
    concurrency: usize,
    stop: &StopFlag,
    news: Listener<'_>,
) -> Result<Run, RunError> {
    let workers = |tournament: &Tournament| -> Result<Box<dyn Workers>, RunError> {
        Ok(Box::new(LocalWorkers::open(tournament, concurrency)?.sharing(cores)))
    };
    run_on(&workers, tournament, Some(store), stop, news)
}

/// Enters a tournament in the store, or brings it in line with its file, without playing yet.
pub fn enroll(tournament: &Tournament, store: &Store) -> Result<SeriesId, RunError> {
    let begun = Entry::prepare(tournament, Some(store))?.begin()?;
    let missing = || RunError::Refused {
        name: tournament.name.clone(),
        problem: "it is not kept in a store".into(),
    };
    begun.book.map(|(_, series)| series).ok_or_else(missing)
}

/// Makes the workers for a tournament as it is stored: games name its agents by their places in it.
pub type Hire<'a> = &'a dyn Fn(&Tournament) -> Result<Box<dyn Workers>, RunError>;

/// The same, with games played by these workers.
pub fn run_on(
    hire: Hire<'_>,
    tournament: &Tournament,
    store: Option<&Store>,
    stop: &StopFlag,
    news: Listener<'_>,
) -> Result<Run, RunError> {
    let entry = Entry::prepare(tournament, store)?;
    let workers = hire(&entry.tournament)?;
    let (tournament, outline) = (&entry.tournament.clone(), entry.outline.clone());
    let changes = entry.changes().cloned();
    let begun = entry.begin()?;
    if let Some(changes) = &changes {
        news(News::Changed(changes));
    }
    play_on(&*workers, tournament, outline, &begun, stop, news)
}

/// Plays what is missing of a tournament that has begun.
fn play_on(
    workers: &dyn Workers,
    tournament: &Tournament,
    outline: Outline,
    begun: &Begun<'_>,
    stop: &StopFlag,
    news: Listener<'_>,
) -> Result<Run, RunError> {
    let is_match = matches!(tournament.format, Format::Match { .. });
    let is_resumed = tournament.kind() != SeriesKind::Match;
    let (agents, seats, book) = (tournament.entrants.len(), tournament.seats, begun.book);
    let mut ledger = match tournament.format {
        Format::Contest { .. } => Ledger::for_ratings(agents, seats),
        _ => Ledger::new(agents, seats),
    };
    if is_match {
        ledger.stop_judging();
    }
    let roster = &outline.roster;
    // Who retires in the middle of a round loses the rest of it, like one who is withdrawn. Where
    // there are no rounds to complete, the games are left out.
    let lost = roster.retired().map(|retired| retired && !tournament.format.is_fixed());
    let withdrawn: Vec<AtomicBool> = lost.map(AtomicBool::new).collect();
    let left_out = tournament.format.is_fixed() && roster.active() < roster.agents();
    let retired: Vec<bool> = if left_out { roster.retired().collect() } else { Vec::new() };
    let mut done = book.map_or(Ok(BTreeMap::new()), played_before)?;
    if tournament.replay_disturbed && can_replay(tournament, &done) {
        let can_play = |agent: &u32| retired.get(*agent as usize) != Some(&true);
        done.retain(|_, game| !game.disturbed || !game.seats.as_slice().iter().all(can_play));
    }
    let mut director = Director {
        tournament,
        outline: &outline,
        book,
        ledger,
        withdrawn: &withdrawn,
        retired: &retired,
        done,
        stop,
        news,
        failed: None,
        decided: None,
        failed_starts: vec![(0, String::new()); agents],
        given_up: None,
        gaps: false,
    };
    let (games, done) = (begun.planned, director.done.len() as u64);
    let herald = |(gallery, (store, series)): (&Arc<Gallery>, (&Store, SeriesId))| {
        Herald::begin(gallery.clone(), store.live_file(series), done)
    };
    if let Some((times, agents)) = book.and_then(|book| suspects(tournament, book)) {
        (director.news)(News::KeepsDying { times, agents: &agents });
    }
    let _herald = workers.gallery().zip(book).map(herald);
    (director.news)(News::Begins { games, done });
    let played = director.play_all(workers);
    if is_match && matches!(played, Ok(true)) {
        director.look_for_games();
    }
    let closed = director.close(!is_resumed || matches!(played, Ok(true)));
    let is_over = played.map_err(|error| with_advice(error, is_resumed, book.is_some()))?;
    closed?;
    let (sprt, given_up) = (director.test(), director.given_up);
    Ok(Run { sprt, ledger: director.ledger, is_over, given_up })
}

/// How often earlier runs were cut off, and the programs that were playing every time, if there are
/// any. The lock on the series is held: what says that it is being played was left by a process that
/// died.
fn suspects(
    tournament: &Tournament,
    (store, series): (&Store, SeriesId),
) -> Option<(u32, Vec<u16>)> {
    let deaths = Deaths::notice(&store.live_file(series), &store.deaths_file(series));
    let is_program = |agent: &u16| {
        let entrant = tournament.entrants.get(usize::from(*agent));
        entrant.is_some_and(|it| matches!(it.agent.kind(), AgentKind::Outside(_)))
    };
    let programs: Vec<u16> = deaths.suspects().into_iter().filter(is_program).collect();
    (!programs.is_empty()).then_some((deaths.times, programs))
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
    outline: &'a Outline,
    /// The store and the series, if games are stored.
    book: Option<(&'a Store, SeriesId)>,
    ledger: Ledger,
    withdrawn: &'a [AtomicBool],
    /// Whose games are left out, if there are such agents.
    retired: &'a [bool],
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
        let mut schedule = Schedule::new(self.outline.clone());
        while let Some(batch) = schedule.next(&self.ledger) {
            let is_whole = self.play(workers, &batch)?;
            if self.given_up.is_some() {
                return Ok(false);
            }
            if self.decided.is_some() {
                break;
            }
            let is_match = matches!(self.tournament.format, Format::Match { .. });
            // A tournament that was stopped is finished when it is run again and nothing is
            // missing.
            if !is_whole || (self.stop.is_set() && !is_match) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Plays what is missing of a batch. `false` if games are still missing.
    fn play(&mut self, workers: &dyn Workers, batch: &Batch) -> Result<bool, RunError> {
        let later = self.done.split_off(&(batch.first() + batch.games()));
        let before = mem::replace(&mut self.done, later);
        let done: BTreeSet<u64> = before.keys().copied().collect();
        let (withdrawn, retired, written) = (self.withdrawn, self.retired, self.book.is_some());
        let next = AtomicU64::new(0);
        let jobs = Jobs { batch, done: &done, withdrawn, retired, written, next };
        let mut order = InOrder::new(&jobs);
        for game in before.into_values() {
            order.take(FinishedGame::from_store(game), &mut |game| self.count(game));
        }
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
        if order.has_gaps() {
            self.ledger.stop_judging();
        }
        let is_whole = order.is_over();
        order.into_waiting().for_each(|game| self.count(game));
        self.gaps = false;
        self.failed.take().map_or(Ok(()), Err)?;
        played?;
        Ok(is_whole)
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
            let entrant = self.tournament.entrants.get(usize::from(agent));
            let name = entrant.map_or("", |entrant| entrant.name.as_str());
            (self.news)(News::Withdrawn { agent, name });
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

#[cfg(test)]
mod tests;
