//! Workers that play games: threads of this process, or anything else.

use std::collections::BTreeSet;
use std::iter;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_core::Seat;
use agon_search::memory::keep_tables;
use agon_search::{AgentError, StopFlag};
use serde::{Deserialize, Serialize};

use crate::agent::Agent;
use crate::cores::Cores;
use crate::fixture::Fixture;
use crate::gallery::Gallery;
use crate::game_summary::FinishedGame;
use crate::guests::Guests;
use crate::player::SystemTrouble;
use crate::speed;
use crate::store::PlayedBy;
use crate::tournament::Tournament;
use crate::tournament::schedule::Batch;
use crate::venue::{self, Venue, VenueError};

/// Plays the games of one tournament. All an implementation needs is its [plan](Tournament::plan)
/// and one [`Job`] for every game, both plain text, and it returns plain games; positions and
/// players stay inside.
pub trait Workers {
    /// Takes jobs until there are none, and passes the games to `desk` as they end, in any order,
    /// those together that ended while it was busy. A job that is taken is played, unless `stop` is
    /// set, `desk` wants no more, or an error is returned: then no other game is started.
    fn play(&self, jobs: &Jobs<'_>, stop: &StopFlag, desk: Desk<'_>) -> Result<(), VenueError>;

    /// Where its games can be seen while they are played, if anywhere.
    fn gallery(&self) -> Option<&Arc<Gallery>> {
        None
    }
}

/// Receives games and says whether to continue.
pub type Desk<'a> = &'a mut dyn FnMut(Vec<FinishedGame>) -> ControlFlow<()>;

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// Which game.
    pub fixture: Fixture,
    /// Those of its agents that have been withdrawn. If there are any, it is not played.
    pub withdrawn: Vec<u16>,
    /// Whether the game's moves are recorded, to be stored.
    pub written: bool,
}

/// The games of a batch that are to be played. An idle worker takes the next one.
pub struct Jobs<'a> {
    /// The games.
    pub batch: &'a Batch,
    /// The numbers of those that have been played before.
    pub done: &'a BTreeSet<u64>,
    /// Which agents have been withdrawn, by number: they lose the games that they do not play.
    pub withdrawn: &'a [AtomicBool],
    /// Which agents have retired, by number: nobody loses the games that are not played.
    pub retired: &'a [bool],
    /// Whether the games' moves are recorded.
    pub written: bool,
    /// How much of the batch has been handed out.
    pub next: AtomicU64,
}

impl Jobs<'_> {
    /// The next job, which no other worker gets.
    pub fn take(&self) -> Option<Job> {
        loop {
            let fixture = self.batch.fixture(self.next.fetch_add(1, Relaxed))?;
            if !self.done.contains(&fixture.number) && !self.has_retired(&fixture) {
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

    /// Whether the game at this number is never played, because one of its agents has retired.
    pub(crate) fn is_left_out(&self, number: u64) -> bool {
        // Most tournaments have no such games, and some have very many games.
        if !self.retired.contains(&true) || self.done.contains(&number) {
            return false;
        }
        let index = number.checked_sub(self.batch.first());
        let fixture = index.and_then(|index| self.batch.fixture(index));
        fixture.is_some_and(|fixture| self.has_retired(&fixture))
    }

    fn has_retired(&self, fixture: &Fixture) -> bool {
        let retired = |agent: &u16| self.retired.get(usize::from(*agent)) == Some(&true);
        fixture.seating.as_slice().iter().any(retired)
    }

    fn is_withdrawn(&self, agent: u16) -> bool {
        self.withdrawn.get(usize::from(agent)).is_some_and(|flag| flag.load(Relaxed))
    }
}

/// Threads of this process. They are [`Workers`]; others who are given [`Job`]s from elsewhere play
/// them one by one with [`LocalWorkers::play_one`].
pub struct LocalWorkers {
    /// The venue of each of the terms.
    venues: Vec<Box<dyn Venue>>,
    agents: Vec<Agent>,
    /// How many games are played at a time.
    concurrency: usize,
    /// How often a disturbed game is replayed.
    replays: u32,
    /// The cores on which games are played, if they are shared with others.
    cores: Option<Cores>,
    gallery: Arc<Gallery>,
    /// The agents and idle programs, kept from one batch to the next.
    guests: Mutex<Vec<Guests>>,
}

type Finished = Result<FinishedGame, VenueError>;

/// The maximum number of games that are passed on together, and stored in one transaction. Very
/// short games accumulate; longer ones come one by one.
const MOST_TOGETHER: usize = 64;

/// How long to wait before retrying a game for which the system refused a resource.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_millis(500), Duration::from_secs(2)];

/// How many games threads of this process are playing.
static GAMES: AtomicUsize = AtomicUsize::new(0);

/// How many games are being played at a time in this process.
pub fn games_at_a_time() -> usize {
    GAMES.load(Relaxed)
}

/// Counts a thread that plays games, until it is dropped.
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

/// How often a disturbed game is replayed, if that is wanted. If the machine is still busy then,
/// the last one counts.
const REPLAYS: u32 = 3;

impl LocalWorkers {
    /// Prepares to play a tournament, `concurrency` games at a time. Its variants, openings and
    /// number of seats are valid afterwards; see [`LocalWorkers::check`] for its agents.
    ///
    /// If clocks are scaled to a reference speed, that of this machine is measured, which takes a
    /// second.
    pub fn open(tournament: &Tournament, concurrency: usize) -> Result<LocalWorkers, VenueError> {
        let measured =
            |_| PlayedBy { worker: "local".to_string(), speed: speed::measure().speed, scale: 1.0 };
        let place = tournament.reference_speed.map(measured);
        LocalWorkers::open_at(tournament, concurrency, place)
    }

    /// The same at a place whose speed is known. Its clocks are scaled if the tournament has a
    /// reference speed.
    pub fn open_at(
        tournament: &Tournament,
        concurrency: usize,
        place: Option<PlayedBy>,
    ) -> Result<LocalWorkers, VenueError> {
        let place = place.map(|place| scaled(place, tournament.reference_speed));
        let terms = (0..).zip(&tournament.terms);
        let venues = terms.map(|(number, terms)| {
            let venue = venue::open_at(terms, tournament.seed, number, place.as_ref())?;
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
            cores: None,
            gallery: Arc::default(),
            guests: Mutex::default(),
        })
    }

    /// Games wait for their cores here.
    pub fn sharing(self, cores: &Cores) -> LocalWorkers {
        LocalWorkers { cores: Some(cores.clone()), ..self }
    }

    /// Whether every agent can play everything, as far as that is known before a game.
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

    /// The venue of the terms with this number.
    pub fn venue(&self, terms: u16) -> Option<&dyn Venue> {
        self.venues.get(usize::from(terms)).map(|venue| &**venue)
    }

    /// The agents of the tournament, without a running program: for one thread, and for all games
    /// that it plays.
    pub fn new_guests(&self) -> Guests {
        Guests::new(&self.agents)
    }

    /// Plays the game of a job in this thread, or decides it without playing if agents have been
    /// withdrawn; `None` if `stop` was set before it ended. A game for which the system refused a
    /// resource is retried a few times, and a disturbed one is replayed if the tournament wants
    /// that. Terms and agents that the tournament does not have are an error. Threads that play
    /// many games keep the memory of their searches with [`keep_tables`].
    pub fn play_one(
        &self,
        job: &Job,
        guests: &mut Guests,
        stop: &StopFlag,
    ) -> Result<Option<FinishedGame>, VenueError> {
        self.best_played(job, guests, Ends { stop, failed: &AtomicBool::new(false) })
    }

    /// Plays one game after another until none is left.
    fn work(&self, jobs: &Jobs<'_>, ends: Ends<'_>, results: &SyncSender<Finished>) {
        let waiting = || self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = waiting().pop();
        let mut guests = waited.unwrap_or_else(|| self.new_guests());
        // The next game's searches reuse the memory of this one's.
        let _tables = keep_tables();
        while !ends.now() {
            let Some(job) = jobs.take() else { break };
            let Some(game) = self.best_played(&job, &mut guests, ends).transpose() else { break };
            if results.send(game).is_err() {
                break;
            }
        }
        waiting().push(guests);
    }

    /// Plays a game, without a disturbance if that is wanted.
    fn best_played(
        &self,
        job: &Job,
        guests: &mut Guests,
        ends: Ends<'_>,
    ) -> Result<Option<FinishedGame>, VenueError> {
        undisturbed(self.replays, || self.until_played(job, guests, ends))
    }

    /// Plays a game. If the system refuses a resource, the game is void and retried.
    fn until_played(
        &self,
        job: &Job,
        guests: &mut Guests,
        ends: Ends<'_>,
    ) -> Result<Option<FinishedGame>, VenueError> {
        for pause in PAUSES {
            match self.game(job, guests, ends.stop) {
                Err(VenueError::System(_)) => {
                    // Idle programs may hold what this game lacks.
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
        let venue = self.venue(fixture.terms).ok_or_else(absent)?;
        if withdrawn.is_empty() {
            let threads = |agent: &u16| self.agents.get(usize::from(*agent)).map(Agent::threads);
            let threads = fixture.seating.as_slice().iter().filter_map(threads).max();
            let cores = self.cores.as_ref();
            let _held = match cores.map(|cores| cores.take_for_game(threads.unwrap_or(1), stop)) {
                Some(None) => return Ok(None),
                held => held,
            };
            let frame = written.then(|| self.gallery.hang(fixture, venue.variant()));
            return venue.play(fixture, guests, *written, frame, stop);
        }
        let gone = fixture.seating.iter().filter(|(_, agent)| withdrawn.contains(agent));
        let gone: Vec<Seat> = gone.map(|(seat, _)| seat).collect();
        Ok(Some(venue.forfeit(fixture, &gone, *written)))
    }
}

/// The range of the factors by which clocks are scaled. A machine that is further from the reference
/// is not one to play on, but what it measured may be wrong, and then nothing gets out of hand.
const SCALES: RangeInclusive<f64> = 0.1..=10.0;

/// A place with clocks for a reference speed: on a machine that is half as fast, twice the time.
fn scaled(place: PlayedBy, reference: Option<u64>) -> PlayedBy {
    let factor = |reference: u64| reference as f64 / place.speed.max(1) as f64;
    let scale = reference.map_or(1.0, factor).clamp(*SCALES.start(), *SCALES.end());
    PlayedBy { scale, ..place }
}

/// Plays a game, and replays it while it is disturbed, up to a limit. If a replay is stopped, the
/// game before it counts.
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

/// When no other game is to be started.
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
    fn gallery(&self) -> Option<&Arc<Gallery>> {
        Some(&self.gallery)
    }

    fn play(&self, jobs: &Jobs<'_>, stop: &StopFlag, desk: Desk<'_>) -> Result<(), VenueError> {
        let failed = AtomicBool::new(false);
        let ends = Ends { stop, failed: &failed };
        let most = usize::try_from(jobs.most()).unwrap_or(usize::MAX);
        // Workers with quick games wait here for a slow desk.
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
                    // Fewer threads will do.
                    Err(_) => break,
                }
            }
            drop(sender);
            let mut trouble = Ok(());
            // Leaving drops the receiver, which ends the threads. After an error, games in progress
            // are still accepted.
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
