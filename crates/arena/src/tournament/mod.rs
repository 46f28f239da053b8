//! Tournaments: who plays, what, in which format; planned from one file, every game stored, and
//! resumed after any crash.
//!
//! A [`Tournament`] is read from a TOML [`file`](read). Its [`schedule`] lists the games in
//! batches, since a round of a Swiss tournament depends on the one before. The [`ledger`] counts
//! games in the order of the schedule, whichever ended first, so the same games always lead to the
//! same next round. [`run`] plays what is missing, of a [match](crate::Match) as well as of a
//! tournament: a match is a tournament of one pairing.

pub mod changes;
pub mod course;
pub mod deaths;
pub mod entries;
mod entry;
mod file;
pub mod forecast;
pub mod ledger;
mod members;
pub mod outline;
pub mod pairing;
pub mod pairs;
pub mod plan;
pub mod roster;
pub mod run;
pub mod schedule;
pub mod summary;
pub mod tables;
pub mod tally;

use crate::agent::Agent;
use crate::fixture::Terms;
use crate::statistics::Sprt;
use crate::store::SeriesKind;

pub use changes::{Changed, Changes};
pub use entry::changes;
pub use file::{names_files, read, read_text};

/// A participant.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// Its name, which is unique here.
    pub name: String,
    /// The agent.
    pub agent: Agent,
    /// The settings besides its text, for the record.
    pub options: Vec<(String, String)>,
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Format {
    /// All agents play together, once a round: a match.
    Match {
        /// How many rounds, each with its own opening.
        rounds: u64,
    },
    /// Everybody meets everybody.
    RoundRobin,
    /// The first agents meet all others.
    Gauntlet {
        /// How many of them.
        champions: u16,
    },
    /// Rounds in which agents with equal points meet, never twice if possible.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
    /// Everyone starts with the same rating; in every round agents of similar rating meet that have
    /// not just met, until the ratings have settled or the rounds are over.
    Contest {
        /// The maximum number of rounds.
        rounds: u32,
        /// Settled means that no rating has moved by more than this in `SETTLED_ROUNDS` rounds.
        settled: f64,
        /// Into how many groups the leaderboard is cut.
        groups: u16,
    },
}

/// For how many rounds in a row ratings must not have moved much.
pub(crate) const SETTLED_ROUNDS: usize = 3;
/// After how many faults in a row an agent is withdrawn.
pub const MOST_FAULTS: u32 = 3;

impl Format {
    /// Whether all meetings are known from the start, so that no game depends on another's result.
    pub fn is_fixed(self) -> bool {
        !matches!(self, Format::Swiss { .. } | Format::Contest { .. })
    }

    /// Its name in tournament files.
    pub fn name(self) -> &'static str {
        match self {
            Format::Match { .. } => "match",
            Format::RoundRobin => "round-robin",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Swiss { .. } => "swiss",
            Format::Contest { .. } => "contest",
        }
    }
}

/// A tournament to be played.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// Its name in the store. A match without one is never resumed; one with a name is part of an
    /// experiment.
    pub name: String,
    /// Who meets whom.
    pub format: Format,
    /// The participants.
    pub entrants: Vec<Entrant>,
    /// What is played: every meeting on all of these terms.
    pub terms: Vec<Terms>,
    /// The number of players at a table.
    pub seats: usize,
    /// Games of a meeting on each of the terms, in complete groups.
    pub games: u64,
    /// The random seed.
    pub seed: u64,
    /// How many games are played at a time, if the file says so.
    pub concurrency: Option<usize>,
    /// Whether that may be more than there are processors.
    pub oversubscribe: bool,
    /// For two agents: a test that ends it as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// Whether games that were [disturbed](crate::disturbance) are played again.
    pub replay_disturbed: bool,
    /// The nodes a second of the bench to which clocks are scaled, if they are: a machine that is half
    /// as fast gives twice the time.
    pub reference_speed: Option<u64>,
    /// The text of the file that it was read from, which the store keeps.
    pub source: Option<String>,
    /// What to do if agents are no longer the ones that played their games.
    pub changed: Changed,
}

impl Tournament {
    /// What it is in the store.
    pub(crate) fn kind(&self) -> SeriesKind {
        match self.format {
            Format::Match { .. } if self.name.is_empty() => SeriesKind::Match,
            Format::Match { .. } => SeriesKind::Experiment,
            _ => SeriesKind::Tournament,
        }
    }

    /// The decisions about agents that have changed since they played that are possible here. Where
    /// later rounds follow from the results, games cannot be played again.
    pub fn decisions(&self) -> Vec<Changed> {
        let fits = |decision: &Changed| *decision != Changed::Replay || self.format.is_fixed();
        Changed::DECISIONS.into_iter().filter(fits).collect()
    }

    /// The agents of all entrants.
    pub fn agents(&self) -> Vec<Agent> {
        self.entrants.iter().map(|entrant| entrant.agent.clone()).collect()
    }

    /// How many games can be played at a time on this many processors: in a game one agent thinks
    /// at a time, with all its threads.
    pub fn concurrency_on(&self, processors: usize, wanted: Option<usize>) -> usize {
        let wanted = wanted.or(self.concurrency);
        fitting(processors, &self.agents(), wanted, self.oversubscribe)
    }
}

/// How many games at a time fit on the processors, given the agents' threads. More only if that is
/// forced, and just one if one of the agents can only play one game at a time.
pub fn fitting(processors: usize, agents: &[Agent], wanted: Option<usize>, forced: bool) -> usize {
    if agents.iter().any(Agent::plays_one_game) {
        return 1;
    }
    let threads = agents.iter().map(Agent::threads).max().unwrap_or(1);
    let most = (processors / threads.max(1)).max(1);
    match wanted {
        Some(wanted) if forced => wanted.max(1),
        Some(wanted) => wanted.clamp(1, most),
        None => most,
    }
}
