//! A match: many games between the same agents, each of them from every seat.

use agon_core::Variant;
use agon_games::Catalog;
use agon_search::StopFlag;

use crate::agent::Agent;
use crate::clock::Pace;
use crate::fixture::{Terms, group_size, whole_groups};
use crate::openings::Openings;
use crate::statistics::Sprt;
use crate::store::Store;
use crate::tournament::run::{Hire, Listener, Run, RunError, run_on};
use crate::tournament::{Changed, Entrant, Format, Tournament};
use crate::workers::{LocalWorkers, Workers};

/// A match to be played: a tournament of one pairing, in which nobody is withdrawn.
///
/// The opening of a game and the seeds of its players depend only on the number of the game and the
/// seed of the match. So with agents that are limited by depth or nodes, the same match is the same
/// move by move, on any number of threads.
#[derive(Clone, Debug)]
pub struct Match {
    /// Where the game comes from.
    pub catalog: Catalog,
    /// The variant.
    pub variant: Variant,
    /// The agents, one for every seat.
    pub agents: Vec<Agent>,
    /// How many games, rounded up by [`whole_groups`].
    pub games: u64,
    /// The limits of the players.
    pub pace: Pace,
    /// How games begin.
    pub openings: Openings,
    /// The random seed.
    pub seed: u64,
    /// How many games are played at a time.
    pub concurrency: usize,
    /// For two agents: a test that ends the match as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// Whether games that were [disturbed](crate::disturbance) are played again.
    pub replay_disturbed: bool,
    /// The nodes a second of the bench to which clocks are scaled, if they are.
    pub reference_speed: Option<u64>,
}

impl Match {
    /// Plays the match and reports to `news`; with a store, every game is stored before it is
    /// counted. When `stop` is set, unfinished games are abandoned and the results are those of the
    /// others; a test that is decided sets it. Everything that can be wrong with the match is found
    /// before the first game.
    pub fn play(
        &self,
        store: Option<&Store>,
        stop: &StopFlag,
        news: Listener<'_>,
    ) -> Result<Run, RunError> {
        let workers = |tournament: &Tournament| -> Result<Box<dyn Workers>, RunError> {
            let workers = LocalWorkers::open(tournament, self.concurrency)?;
            workers.check()?;
            Ok(Box::new(workers))
        };
        self.play_on(&workers, store, stop, news)
    }

    /// The same, with games played by these workers. What they do not check is not found before the
    /// first game.
    pub fn play_on(
        &self,
        hire: Hire<'_>,
        store: Option<&Store>,
        stop: &StopFlag,
        news: Listener<'_>,
    ) -> Result<Run, RunError> {
        run_on(hire, &self.tournament(), store, stop, news)
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        whole_groups(self.games, self.agents.len())
    }

    /// The match as the runner sees it.
    fn tournament(&self) -> Tournament {
        let Match { catalog, variant, pace, openings, .. } = self.clone();
        let entrant = |agent: &Agent| Entrant {
            name: agent.to_string(),
            agent: agent.clone(),
            options: Vec::new(),
        };
        let size = group_size(self.agents.len());
        Tournament {
            name: String::new(),
            format: Format::Match { rounds: self.games() / size },
            entrants: self.agents.iter().map(entrant).collect(),
            terms: vec![Terms { catalog, variant, pace, openings }],
            seats: self.agents.len(),
            games: size,
            seed: self.seed,
            concurrency: Some(self.concurrency),
            oversubscribe: false,
            sprt: self.sprt,
            replay_disturbed: self.replay_disturbed,
            reference_speed: self.reference_speed,
            source: None,
            changed: Changed::default(),
        }
    }
}

#[cfg(test)]
mod tests;
