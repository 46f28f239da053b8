//! A match: many games between the same agents, everybody from every seat.

use std::fmt;
use std::ops::ControlFlow;

use agon_core::Variant;
use agon_search::{AgentError, StopFlag};

use crate::agent::Agent;
use crate::clock::Pace;
use crate::fixture::{Fixture, Terms, group_size, seating, whole_groups};
use crate::hall::{Hall, InOrder};
use crate::openings::Openings;
use crate::record::AnyRecord;
use crate::standings::Standings;
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
}

/// Why a match cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ContestError {
    /// The variant or the openings mean nothing.
    Venue(VenueError),
    /// An agent means nothing or cannot play this game.
    Agent(AgentError),
    /// There are too many or too few agents.
    Agents(String),
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContestError::Venue(error) => error.fmt(f),
            ContestError::Agent(error) => error.fmt(f),
            ContestError::Agents(problem) => f.write_str(problem),
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
    pub fn play(&self, stop: &StopFlag, watch: Watcher<'_>) -> Result<Standings, ContestError> {
        let venue = self.venue()?;
        let games = self.games();
        watch(Event::Begins { games, seat_names: venue.seat_names() });
        let hall = Hall {
            venues: &[venue],
            agents: &self.agents,
            withdrawn: &[],
            concurrency: self.concurrency.min(usize::try_from(games).unwrap_or(usize::MAX)),
            stop,
        };
        let mut standings = Standings::new(self.agents.len());
        let mut order = InOrder::new(0);
        let mut count = |record: Box<dyn AnyRecord>| {
            standings.add(record.summary());
            watch(Event::Game { record: &*record, standings: &standings });
        };
        hall.play(&|number| self.fixture(number), &mut |record| {
            order.take(record.summary().game, record, &mut count);
            ControlFlow::Continue(())
        })?;
        // After a stop there are gaps.
        order.rest().for_each(count);
        Ok(standings)
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

#[cfg(test)]
mod tests;
