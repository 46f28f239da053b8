//! Where games are played: threads of this process, or whatever else can play them.

use std::collections::BTreeSet;
use std::iter;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_core::Seat;
use agon_search::memory::keep_tables;
use agon_search::{AgentError, StopFlag};
use serde::{Deserialize, Serialize};

use crate::agent::Agent;
use crate::fixture::Fixture;
use crate::game_summary::FinishedGame;
use crate::guests::Guests;
use crate::player::SystemTrouble;
use crate::tournament::Tournament;
use crate::tournament::schedule::Batch;
use crate::venue::{self, Venue, VenueError};

/// Plays the games of one tournament. Whoever does needs its [plan](Tournament::plan) and one
/// [`Job`] for every game, both of which are plain text, and gives back plain games; positions and
/// players stay where they are.
pub trait Workers {
    /// Takes jobs until there are none, and hands the games to `desk` as they end, in any order, those
    /// together that ended while it was busy.
    /// A job that is taken is played, unless `stop` is set, `desk` wants no more, or an error is
    /// the answer: then no other game is begun.
    fn play(&self, jobs: &Jobs<'_>, stop: &StopFlag, desk: Desk<'_>) -> Result<(), VenueError>;
}

/// Receives games and says whether to go on.
pub type Desk<'a> = &'a mut dyn FnMut(Vec<FinishedGame>) -> ControlFlow<()>;

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// Which game.
    pub fixture: Fixture,
    /// Those of its agents that have been withdrawn. If there are any, it is not played.
    pub withdrawn: Vec<u16>,
    /// Whether the game is to be written down, to be stored.
    pub written: bool,
}

/// What is to be played of a batch. Whoever has time takes the next.
pub struct Jobs<'a> {
    /// The games.
    pub batch: &'a Batch,
    /// The numbers of those that have been played before.
    pub done: &'a BTreeSet<u64>,
    /// Who has been withdrawn, by the number of the agent.
    pub withdrawn: &'a [AtomicBool],
    /// Whether games are to be written down.
    pub written: bool,
    /// How far the batch has been given out.
    pub next: AtomicU64,
}

impl Jobs<'_> {
    /// The next job, which nobody else gets.
    pub fn take(&self) -> Option<Job> {
        loop {
            let fixture = self.batch.fixture(self.next.fetch_add(1, Relaxed))?;
            if !self.done.contains(&fixture.number) {
                let agents = fixture.seating.as_slice().iter().copied();
                let withdrawn = agents.filter(|agent| self.is_withdrawn(*agent)).collect();
                return Some(Job { fixture, withdrawn, written: self.written });
            }
        }
    }

    /// How many jobs there are at most.
    pub fn most(&self) -> u64 {
        self.batch.games().saturating_sub(self.next.load(Relaxed))
    }

    fn is_withdrawn(&self, agent: u16) -> bool {
        self.withdrawn.get(usize::from(agent)).is_some_and(|flag| flag.load(Relaxed))
    }
}

/// Threads of this process.
pub struct LocalWorkers {
    /// Where each of the terms is played.
    venues: Vec<Box<dyn Venue>>,
    agents: Vec<Agent>,
    /// How many games are played at a time.
    concurrency: usize,
    /// How often a game is played again that was disturbed.
    replays: u32,
    /// Those who wait from one batch to the next.
    guests: Mutex<Vec<Guests>>,
}

type Finished = Result<FinishedGame, VenueError>;

/// How many games are handed on together at most, and stored in one transaction. Games of a moment
/// wait; longer ones come one by one.
const MOST_TOGETHER: usize = 64;

/// How long to wait before a game is tried again that the system did not let us play.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_millis(500), Duration::from_secs(2)];

/// How many games threads of this process play now.
static GAMES: AtomicUsize = AtomicUsize::new(0);

/// How many games are played at a time in this process.
pub fn games_at_a_time() -> usize {
    GAMES.load(Relaxed)
}

/// Counts a thread that plays games as long as it lives.
struct Counted;

impl Counted {
    fn new() -> Counted {
        GAMES.fetch_add(1, Relaxed);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        GAMES.fetch_sub(1, Relaxed);
    }
}

/// How often a game that was disturbed is played again, where that is wanted. If the machine is
/// still busy then, the last one counts as it is.
const REPLAYS: u32 = 3;

impl LocalWorkers {
    /// Prepares to play a tournament, so many games at a time.
    pub fn open(tournament: &Tournament, concurrency: usize) -> Result<LocalWorkers, VenueError> {
        let terms = (0..).zip(&tournament.terms);
        let venues = terms.map(|(number, terms)| {
            let venue = venue::open(terms, tournament.seed, number)?;
            let seats = venue.seat_names().len();
            match seats == tournament.seats {
                true => Ok(venue),
                false => Err(VenueError::Seats {
                    variant: venue.variant().clone(),
                    seats,
                    agents: tournament.seats,
                }),
            }
        });
        let agents = tournament.agents();
        let concurrency = if agents.iter().any(Agent::plays_one_game) { 1 } else { concurrency };
        Ok(LocalWorkers {
            venues: venues.collect::<Result<_, _>>()?,
            agents,
            concurrency,
            replays: if tournament.replay_disturbed { REPLAYS } else { 0 },
            guests: Mutex::default(),
        })
    }

    /// Whether every agent can play everything, as far as that can be known without a game.
    pub fn check(&self) -> Result<(), AgentError> {
        let mut seen = BTreeSet::new();
        for agent in self.agents.iter().filter(|agent| agent.plays_one_game()) {
            if !seen.insert(agent.text()) {
                let problem = "it plays one game at a time, and cannot sit at two seats";
                return Err(AgentError::new(agent.text(), problem));
            }
        }
        let mut pairs = self.venues.iter().flat_map(|it| self.agents.iter().map(move |a| (it, a)));
        pairs.try_for_each(|(venue, agent)| venue.check(agent))
    }

    /// Plays one game after the other until none is left.
    fn work(&self, jobs: &Jobs<'_>, ends: Ends<'_>, results: &SyncSender<Finished>) {
        let waiting = || self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = waiting().pop();
        let mut guests = waited.unwrap_or_else(|| Guests::new(&self.agents));
        // The next game's searches find the memory of this one's ready.
        let _tables = keep_tables();
        while !ends.now() {
            let Some(job) = jobs.take() else { break };
            let game = undisturbed(self.replays, || self.until_played(&job, &mut guests, ends));
            let Some(game) = game.transpose() else { break };
            if results.send(game).is_err() {
                break;
            }
        }
        waiting().push(guests);
    }

    /// Plays a game. Where the system refuses what it takes, the game is void and tried again.
    fn until_played(
        &self,
        job: &Job,
        guests: &mut Guests,
        ends: Ends<'_>,
    ) -> Result<Option<FinishedGame>, VenueError> {
        for pause in PAUSES {
            match self.game(job, guests, ends.stop) {
                Err(VenueError::System(_)) => {
                    // Programs that wait for their next game take what this one lacks.
                    guests.dismiss_all();
                    let until = Instant::now() + pause;
                    while Instant::now() < until {
                        if ends.now() {
                            return Ok(None);
                        }
                        thread::sleep(Duration::from_millis(10));
                    }
                }
                played => return played,
            }
        }
        self.game(job, guests, ends.stop)
    }

    fn game(
        &self,
        job: &Job,
        guests: &mut Guests,
        stop: &StopFlag,
    ) -> Result<Option<FinishedGame>, VenueError> {
        let Job { fixture, withdrawn, written } = job;
        let absent = || AgentError::new(fixture.terms, "there are no terms with this number");
        let venue = self.venues.get(usize::from(fixture.terms)).ok_or_else(absent)?;
        if withdrawn.is_empty() {
            return venue.play(fixture, guests, *written, stop);
        }
        let gone = fixture.seating.iter().filter(|(_, agent)| withdrawn.contains(agent));
        let gone: Vec<Seat> = gone.map(|(seat, _)| seat).collect();
        Ok(Some(venue.forfeit(fixture, &gone, *written)))
    }
}

/// Plays a game, and again as often as it was disturbed, but only so many times. One that is stopped
/// on the way leaves the one before it.
fn undisturbed<E>(
    replays: u32,
    mut play: impl FnMut() -> Result<Option<FinishedGame>, E>,
) -> Result<Option<FinishedGame>, E> {
    let mut game = play()?;
    for _ in 0..replays {
        if !game.as_ref().is_some_and(|game| game.summary.disturbed) {
            break;
        }
        let Some(again) = play()? else { break };
        game = Some(again);
    }
    Ok(game)
}

/// When no other game is to begin.
#[derive(Clone, Copy)]
struct Ends<'a> {
    stop: &'a StopFlag,
    failed: &'a AtomicBool,
}

impl Ends<'_> {
    fn now(self) -> bool {
        self.stop.is_set() || self.failed.load(Relaxed)
    }
}

impl Workers for LocalWorkers {
    fn play(&self, jobs: &Jobs<'_>, stop: &StopFlag, desk: Desk<'_>) -> Result<(), VenueError> {
        let failed = AtomicBool::new(false);
        let ends = Ends { stop, failed: &failed };
        let most = usize::try_from(jobs.most()).unwrap_or(usize::MAX);
        // Players of quick games wait here for a slow desk.
        let (sender, receiver) = sync_channel(1024);
        thread::scope(|scope| {
            for worker in 0..self.concurrency.clamp(1, most.max(1)) {
                let (sender, counted) = (sender.clone(), Counted::new());
                let work = move || {
                    let _counted = counted;
                    self.work(jobs, ends, &sender);
                };
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => {}
                    Err(error) if worker == 0 => {
                        let trouble = format!("cannot start a thread: {error}");
                        return Err(SystemTrouble(trouble).into());
                    }
                    // Fewer do it as well.
                    Err(_) => break,
                }
            }
            drop(sender);
            let mut trouble = Ok(());
            // Leaving drops the receiver, which is what ends the threads. After an error, games
            // that are being played are still taken.
            while let Ok(first) = receiver.recv() {
                let waiting = receiver.try_iter().take(MOST_TOGETHER - 1);
                let mut games = Vec::new();
                for finished in iter::once(first).chain(waiting) {
                    match finished {
                        Ok(game) => games.push(game),
                        Err(error) => {
                            failed.store(true, Relaxed);
                            trouble = trouble.and(Err(error));
                        }
                    }
                }
                if desk(games).is_break() {
                    break;
                }
            }
            drop(receiver);
            trouble
        })
    }
}

#[cfg(test)]
mod tests;
