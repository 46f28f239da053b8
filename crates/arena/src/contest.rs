//! A match: many games between the same agents, everybody from every seat.

use std::fmt;
use std::ops::ControlFlow;

use agon_core::Variant;
use agon_search::{AgentError, StopFlag};
use serde_json::json;

use crate::agent::Agent;
use crate::clock::Pace;
use crate::fixture::{Fixture, Terms, group_size, seating, whole_groups};
use crate::hall::{Hall, InOrder, Lounges};
use crate::openings::Openings;
use crate::record::AnyRecord;
use crate::standings::Standings;
use crate::statistics::pentanomial::Counts;
use crate::statistics::sprt::{Sprt, SprtState, SprtVerdict};
use crate::store::{Entrant, Kind, NewSeries, SeriesId, Store, StoreError};
use crate::stored::stored;
use crate::tournament::plan::terms_json;
use crate::venue::{self, Venue, VenueError};

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
    pub agents: Vec<Agent>,
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
    /// Of two agents: a test that ends the match as soon as it is decided.
    pub sprt: Option<Sprt>,
}

/// A match that was played.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Who stands where.
    pub standings: Standings,
    /// How the test stands, if there was one.
    pub sprt: Option<SprtState>,
}

/// Why a match cannot be played.
#[derive(Debug)]
pub enum ContestError {
    /// The variant or the openings mean nothing.
    Venue(VenueError),
    /// An agent means nothing or cannot play this game.
    Agent(AgentError),
    /// There are too many or too few agents.
    Agents(String),
    /// The games cannot be stored.
    Store(StoreError),
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContestError::Venue(error) => error.fmt(f),
            ContestError::Agent(error) => error.fmt(f),
            ContestError::Agents(problem) => f.write_str(problem),
            ContestError::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ContestError {}

impl From<AgentError> for ContestError {
    fn from(error: AgentError) -> Self {
        ContestError::Agent(error)
    }
}

impl From<StoreError> for ContestError {
    fn from(error: StoreError) -> Self {
        ContestError::Store(error)
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
    pub fn play(&self, stop: &StopFlag, watch: Watcher<'_>) -> Result<Standings, ContestError> {
        self.play_into(None, stop, watch).map(|finished| finished.standings)
    }

    /// The same, with every game stored before it is counted. A test that is decided sets `stop`.
    pub fn play_into(
        &self,
        store: Option<&Store>,
        stop: &StopFlag,
        watch: Watcher<'_>,
    ) -> Result<Finished, ContestError> {
        let venue = self.venue()?;
        let games = self.games();
        let keeper = store.map(|store| Keeper::begin(self, store)).transpose()?;
        watch(Event::Begins { games, seat_names: venue.seat_names() });
        let hall = Hall {
            venues: &[venue],
            agents: &self.agents,
            withdrawn: &[],
            concurrency: self.concurrency.min(usize::try_from(games).unwrap_or(usize::MAX)),
            stop,
            lounges: Lounges::default(),
        };
        let mut tally = Tally {
            contest: self,
            standings: Standings::new(self.agents.len()),
            watch,
            decided: None,
            gaps: false,
        };
        let mut order = InOrder::new(0);
        let mut failed = None;
        let played = hall.play(&|number| self.fixture(number), &mut |record| {
            if let Some(Err(error)) = keeper.as_ref().map(|keeper| keeper.keep(&*record)) {
                failed = Some(error);
                stop.stop();
                return ControlFlow::Break(());
            }
            order.take(record.summary().game, record, &mut |record| tally.count(&*record));
            if tally.decided.is_some() {
                stop.stop();
            }
            ControlFlow::Continue(())
        });
        // After a stop there are gaps: what lies behind them is counted, but decides nothing.
        tally.gaps = true;
        order.rest().for_each(|record| tally.count(&*record));
        if let Some(keeper) = &keeper {
            keeper.end(tally.decided)?;
        }
        played?;
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(tally.finished()),
        }
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        whole_groups(self.games, self.agents.len())
    }

    /// Where the games are played, if agents and openings fit.
    fn venue(&self) -> Result<Box<dyn Venue>, ContestError> {
        let Contest { variant, pace, openings, .. } = self.clone();
        let terms = Terms { variant, pace, openings };
        let venue = venue::open(&terms, self.seed, 0).map_err(ContestError::Venue)?;
        let (seats, agents) = (venue.seat_names().len(), self.agents.len());
        if agents != seats {
            let problem = format!("{} is for {seats} agents, not {agents}", venue.variant());
            return Err(ContestError::Agents(problem));
        }
        self.agents.iter().try_for_each(|agent| venue.check(agent))?;
        Ok(venue)
    }

    /// The game with this number, if there is one.
    fn fixture(&self, number: u64) -> Option<Fixture> {
        if number >= self.games() {
            return None;
        }
        let agents: Vec<u16> = (0..self.agents.len() as u16).collect();
        let (group, leg) = (number / group_size(agents.len()), number % group_size(agents.len()));
        let seating = seating(&agents, leg);
        let (round, pairing) = (u32::try_from(group).unwrap_or(u32::MAX), 0);
        Some(Fixture { number, round, pairing, leg: leg as u32, terms: 0, group, seating })
    }
}

/// Counts the games of a match in their order.
struct Tally<'a> {
    contest: &'a Contest,
    standings: Standings,
    watch: Watcher<'a>,
    /// How many games had been counted when the test was decided: later ones do not count.
    decided: Option<u64>,
    /// Whether games are missing before the next one.
    gaps: bool,
}

impl Tally<'_> {
    fn count(&mut self, record: &dyn AnyRecord) {
        if self.decided.is_some() {
            return;
        }
        self.standings.add(record.summary());
        (self.watch)(Event::Game { record, standings: &self.standings });
        // The test is made for whole pairs.
        let whole = !self.gaps && self.standings.games.is_multiple_of(2);
        if whole && self.test().is_some_and(|state| state.verdict != SprtVerdict::Continue) {
            self.decided = Some(self.standings.games);
        }
    }

    fn test(&self) -> Option<SprtState> {
        let sprt = self.contest.sprt.filter(|_| self.contest.agents.len() == 2)?;
        Some(sprt.test(&Counts::Pairs(self.standings.pairs)))
    }

    fn finished(self) -> Finished {
        Finished { sprt: self.test(), standings: self.standings }
    }
}

/// Keeps the games of a match.
struct Keeper<'a> {
    store: &'a Store,
    series: SeriesId,
    pace: String,
}

impl<'a> Keeper<'a> {
    fn begin(contest: &Contest, store: &'a Store) -> Result<Keeper<'a>, StoreError> {
        let Contest { variant, pace, openings, .. } = contest.clone();
        let terms = terms_json(&Terms { variant, pace, openings });
        let entrant = |agent: &Agent| Entrant { name: agent.to_string(), agent: agent.to_string() };
        let series = store.begin_series(&NewSeries {
            kind: Kind::Match,
            name: None,
            plan: json!({ "terms": [terms], "games": contest.games() }).to_string(),
            seed: contest.seed,
            entrants: contest.agents.iter().map(entrant).collect(),
        })?;
        Ok(Keeper { store, series, pace: contest.pace.to_string() })
    }

    fn keep(&self, record: &dyn AnyRecord) -> Result<(), StoreError> {
        self.store.put(self.series, &stored(record, &self.pace))
    }

    /// Ends the series, without the games after the one that decided.
    fn end(&self, decided: Option<u64>) -> Result<(), StoreError> {
        if let Some(games) = decided {
            self.store.delete_from(self.series, games)?;
        }
        self.store.finish_series(self.series)
    }
}

#[cfg(test)]
mod tests;
