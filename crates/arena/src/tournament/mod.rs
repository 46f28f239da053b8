//! Tournaments: who plays, what, in which format; planned from one file, played with everything
//! stored, and gone on with after any kind of death.
//!
//! A [`Tournament`] is read from a TOML [`file`](read). Its [`schedule`] says which games there
//! are: in batches, since a round of a Swiss tournament depends on the one before. The
//! [`ledger`] counts games in the order of the schedule, whichever ended first, and so the same
//! games always give the same next round. [`run`] plays what is missing, a
//! [match](crate::Match) just as well as a tournament: a match is a tournament of one pairing.

mod document;
mod file;
pub mod forecast;
pub mod ledger;
pub mod pairing;
pub mod pairs;
pub mod plan;
pub mod run;
pub mod schedule;
pub mod summary;

use crate::agent::Agent;
use crate::fixture::Terms;
use crate::statistics::Sprt;

pub use document::FileError;
pub use file::read;

/// Somebody who takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// What it is called here; all names are different.
    pub name: String,
    /// Who it is.
    pub agent: Agent,
    /// What is set beside its text, for the record.
    pub options: Vec<(String, String)>,
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Format {
    /// All sit down together, once a round: a match.
    Match {
        /// How many rounds, with an opening each.
        rounds: u64,
    },
    /// Everybody meets everybody.
    RoundRobin,
    /// The first so many meet all others.
    Gauntlet {
        /// How many.
        champions: u16,
    },
    /// So many rounds in which agents with equal points meet, never twice if that can be.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
    /// Everyone starts with the same rating; in every round agents of similar rating meet that
    /// have not just met; until the ratings have settled or the rounds are over.
    Contest {
        /// The most rounds.
        rounds: u32,
        /// Settled: when no rating has moved by more than this in [`SETTLED_ROUNDS`] rounds.
        settled: f64,
        /// Into how many groups the leaderboard is cut.
        groups: u16,
    },
}

/// For how many rounds in a row ratings must not have moved much.
pub const SETTLED_ROUNDS: usize = 3;
/// After how many faults in a row an agent is withdrawn.
pub const MOST_FAULTS: u32 = 3;

impl Format {
    /// Its name in files.
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
    /// Its name in the store.
    pub name: String,
    /// Who meets whom.
    pub format: Format,
    /// Who takes part.
    pub entrants: Vec<Entrant>,
    /// What is played: every meeting on all of these.
    pub terms: Vec<Terms>,
    /// How many sit at a table.
    pub seats: usize,
    /// Games of a meeting on each of the terms, a whole number of groups.
    pub games: u64,
    /// What all chance comes from.
    pub seed: u64,
    /// How many games at a time, if the file says so.
    pub concurrency: Option<usize>,
    /// Whether that may be more than there are processors.
    pub oversubscribe: bool,
    /// Of two agents: a test that ends it as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// Whether games that were [disturbed](crate::disturbance) are played again.
    pub replay_disturbed: bool,
}

impl Tournament {
    /// The agents of all entrants.
    pub fn agents(&self) -> Vec<Agent> {
        self.entrants.iter().map(|entrant| entrant.agent.clone()).collect()
    }

    /// How many games can be played at a time on this many processors: in a game one agent thinks
    /// at a time, with as many threads as it has.
    pub fn concurrency_on(&self, processors: usize, wanted: Option<usize>) -> usize {
        let wanted = wanted.or(self.concurrency);
        fitting(processors, &self.agents(), wanted, self.oversubscribe)
    }
}

/// How many games at a time fit on the processors, with as many threads as the agents have. More
/// only if that is forced, and never if one of them can play but one game.
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
