//! A match: many games between the same agents, everybody from every seat.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use agon_core::rng::mix;
use agon_core::{MAX_SEATS, PerSeat, Seat, TextError, Variant};
use agon_games::{Playable, Visitor, with_game};
use agon_search::{AgentError, AgentSpec, StopFlag};

use crate::clock::Pace;
use crate::openings::{Book, OpeningError, Openings};
use crate::player::Player;
use crate::record::{AnyRecord, Record};
use crate::referee::play_game;
use crate::registry::Registry;
use crate::standings::{Standings, group_size};

/// A match to be played.
///
/// The opening of a game and the seeds of its players depend on the number of the game and the
/// seed of the match alone. So with agents that are limited by depth or nodes, the same match is
/// the same move by move, on however many threads it runs.
#[derive(Clone, Debug)]
pub struct Contest {
    /// What is played.
    pub variant: Variant,
    /// Who plays: one agent for every seat.
    pub agents: Vec<AgentSpec>,
    /// How many games, rounded up by [`whole_groups`].
    pub games: u64,
    /// What limits the players.
    pub pace: Pace,
    /// How games begin.
    pub openings: Openings,
    /// What all chance comes from.
    pub seed: u64,
    /// How many games are played at a time.
    pub concurrency: usize,
}

/// The number of games rounded up so that every opening is played from every seat: a multiple of
/// 2 with two agents, of 6 with three.
pub fn whole_groups(games: u64, agents: usize) -> u64 {
    games.max(1).checked_next_multiple_of(group_size(agents)).unwrap_or(games)
}

/// Why a match cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ContestError {
    /// The variant means nothing.
    Variant(TextError),
    /// An agent means nothing or cannot play this game.
    Agent(AgentError),
    /// There are too many or too few agents.
    Agents(String),
    /// The openings cannot be used.
    Openings(OpeningError),
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContestError::Variant(error) => error.fmt(f),
            ContestError::Agent(error) => error.fmt(f),
            ContestError::Agents(problem) => f.write_str(problem),
            ContestError::Openings(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ContestError {}

impl From<AgentError> for ContestError {
    fn from(error: AgentError) -> Self {
        ContestError::Agent(error)
    }
}

/// What happens in a match.
pub enum Event<'a> {
    /// Nothing is wrong with it, and the first games begin.
    Begins {
        /// How many games there will be.
        games: u64,
        /// The names of the seats.
        seat_names: Vec<&'static str>,
    },
    /// A game is over, and this is its turn: they come in the order of their numbers.
    Game {
        /// The game.
        record: &'a dyn AnyRecord,
        /// The standings with it.
        standings: &'a Standings,
    },
}

/// Is told what happens.
pub type Watcher<'a> = &'a mut dyn FnMut(Event<'_>);

impl Contest {
    /// Plays the match and tells `watch` about it. When `stop` is set, games that are not over are
    /// given up, and the standings are those of the others. All that can be wrong with the match
    /// is found before the first game.
    pub fn play(
        &self,
        registry: &Registry,
        stop: &StopFlag,
        watch: Watcher<'_>,
    ) -> Result<Standings, ContestError> {
        let opened = with_game(&self.variant, Opened { contest: self, registry, stop, watch });
        opened.map_err(ContestError::Variant)?
    }
}

/// A match on its way to the type of its game.
struct Opened<'a> {
    contest: &'a Contest,
    registry: &'a Registry,
    stop: &'a StopFlag,
    watch: Watcher<'a>,
}

impl Visitor for Opened<'_> {
    type Output = Result<Standings, ContestError>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        let Opened { contest, registry, stop, watch } = self;
        let (seats, agents) = (start.seats(), contest.agents.len());
        if agents != seats {
            let problem = format!("{variant} is for {seats} agents, not {agents}");
            return Err(ContestError::Agents(problem));
        }
        for spec in &contest.agents {
            registry.player::<G>(&variant, spec, 0)?;
        }
        let seed = derived(contest.seed, 0, 0);
        let book = Book::new(&contest.openings, &start, seed).map_err(ContestError::Openings)?;
        let games = whole_groups(contest.games, agents);
        let variant = Arc::new(variant);
        let seat_names = Seat::all(seats).map(|seat| start.seat_name(seat)).collect();
        watch(Event::Begins { games, seat_names });
        Ok(Hall { contest, registry, stop, variant, start, book, games }.play(watch)?)
    }
}

/// Where the games of a match are played.
struct Hall<'a, G: Playable> {
    contest: &'a Contest,
    registry: &'a Registry,
    stop: &'a StopFlag,
    variant: Arc<Variant>,
    start: G,
    book: Book<G>,
    games: u64,
}

/// The number of a game, and how it went if it was not given up.
type Finished<G> = (u64, Result<Option<Record<G>>, AgentError>);

impl<G: Playable> Hall<'_, G> {
    fn play(&self, watch: Watcher<'_>) -> Result<Standings, AgentError> {
        let next = AtomicU64::new(0);
        let threads = (self.contest.concurrency.max(1) as u64).min(self.games);
        // Players of quick games wait here for a slow watcher.
        let (sender, receiver) = sync_channel(1024);
        thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(next, &sender));
            }
            drop(sender);
            self.collect(receiver, watch)
        })
    }

    /// Plays one game after the other until none is left.
    fn work(&self, next: &AtomicU64, results: &SyncSender<Finished<G>>) {
        while !self.stop.is_set() {
            let game = next.fetch_add(1, Relaxed);
            if game >= self.games || results.send((game, self.game(game))).is_err() {
                return;
            }
        }
    }

    /// Plays one game. `None` if it was stopped.
    fn game(&self, game: u64) -> Result<Option<Record<G>>, AgentError> {
        let group_size = group_size(self.contest.agents.len());
        let seating = seating(self.contest.agents.len(), game % group_size);
        let opening = self.book.opening(game / group_size);
        let mut players: Vec<Box<dyn Player<G>>> = Vec::with_capacity(seating.seats());
        for &agent in seating.as_slice() {
            let spec = &self.contest.agents[usize::from(agent)];
            let seed = derived(self.contest.seed, 1 + u64::from(agent), game);
            players.push(self.registry.player(&self.variant, spec, seed)?);
        }
        let played = play_game(&opening, &mut players, &self.contest.pace, self.stop);
        let record = |played| {
            Record::new(self.variant.clone(), &self.start, (game, seating), opening, played)
        };
        Ok(played.map(record))
    }

    /// Receives games in any order, and shows and counts them in theirs. Leaving drops the
    /// receiver, which is what ends the threads if something went wrong.
    fn collect(
        &self,
        results: Receiver<Finished<G>>,
        watch: Watcher<'_>,
    ) -> Result<Standings, AgentError> {
        let mut standings = Standings::new(self.contest.agents.len());
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        let mut take = |record: Option<Record<G>>| {
            if let Some(record) = record {
                standings.add(record.summary());
                watch(Event::Game { record: &record, standings: &standings });
            }
        };
        for (game, result) in results {
            waiting.insert(game, result?);
            while let Some(record) = waiting.remove(&due) {
                take(record);
                due += 1;
            }
        }
        // Nothing is left here unless a thread died.
        waiting.into_values().for_each(take);
        Ok(standings)
    }
}

/// Who sits where in the game of this number within its group: the orders of the agents, one
/// after the other.
fn seating(agents: usize, mut number: u64) -> PerSeat<u8> {
    let mut free: Vec<u8> = (0..agents.min(MAX_SEATS) as u8).collect();
    let mut order = PerSeat::filled(free.len(), 0);
    for seat in Seat::all(free.len()) {
        let orders_of_rest = group_size(free.len() - 1);
        order[seat] = free.remove((number / orders_of_rest) as usize % free.len());
        number %= orders_of_rest;
    }
    order
}

/// A seed of its own for everything that is drawn by lot.
fn derived(seed: u64, purpose: u64, number: u64) -> u64 {
    mix(mix(mix(seed) ^ mix(purpose + 1)) ^ mix(!number))
}

#[cfg(test)]
mod tests;
