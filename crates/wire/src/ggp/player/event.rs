//! What happens at a player, for whoever shows it.

use std::net::SocketAddr;
use std::time::Duration;

use agon_arena::session::TableSession;
use agon_core::{Outcome, Variant};
use agon_search::Iteration;

/// Something that happened.
#[non_exhaustive]
pub enum Event<'a> {
    /// A match begins.
    Started {
        /// Its name.
        id: &'a str,
        /// What is played.
        variant: &'a Variant,
        /// Whom the player plays.
        role: &'a str,
        /// The time to get ready, in seconds.
        start_clock: u64,
        /// The time for each move, in seconds.
        play_clock: u64,
        /// What is odd about the rules text.
        doubt: Option<&'a str>,
    },
    /// The board changed.
    Board {
        /// The game.
        session: &'a TableSession,
        /// Whom the player plays.
        role: &'a str,
    },
    /// The player answered with a move.
    Moved(&'a Moved),
    /// A match is over.
    Ended(&'a Summary),
    /// Something is worth knowing, and nothing was lost by it.
    Note {
        /// What, in a line.
        text: &'a str,
    },
    /// A request made no sense.
    Problem {
        /// Who sent it.
        peer: SocketAddr,
        /// What was wrong, in a line.
        text: &'a str,
    },
}

/// A move of the player, and what it cost.
#[derive(Clone, Debug)]
pub struct Moved {
    /// How many moves had been made before.
    pub ply: usize,
    /// The move, in the notation of the game.
    pub mv: String,
    /// The move, as it was sent.
    pub sent: String,
    /// Every depth that was searched.
    pub iterations: Vec<Iteration<String>>,
    /// The depth of the last complete one.
    pub depth: u32,
    /// Positions expanded, all depths together.
    pub expanded: u64,
    /// Moves played by the search.
    pub nodes: u64,
    /// How long the search took.
    pub time: Duration,
    /// From the accepted connection to the answer.
    pub answered_after: Duration,
    /// What of the clock was left then.
    pub spare: Duration,
    /// Whether the search was cut short, and the best it had reported was taken.
    pub cut_short: bool,
}

/// A match that is over, from the player's side.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Its name.
    pub id: String,
    /// What was played.
    pub variant: Variant,
    /// Whom the player played.
    pub role: String,
    /// How it ended by the rules; `None` if it was broken off.
    pub outcome: Option<Outcome>,
    /// Points of white and black, if it came to its end.
    pub points: Option<Vec<u8>>,
    /// Why it ended.
    pub reason: String,
    /// Moves of both sides.
    pub plies: usize,
    /// The player's own moves.
    pub moves: usize,
    /// Positions expanded in all of them.
    pub expanded: u64,
    /// Moves played by all searches.
    pub nodes: u64,
    /// How long all searches took.
    pub time: Duration,
    /// The deepest complete iteration.
    pub deepest: u32,
    /// The least that was left of the clock at an answer.
    pub least_spare: Option<Duration>,
    /// How often the controller played something else than was answered.
    pub overruled: usize,
}

/// Whoever wants to know what happens. Called from several threads.
pub type Listener = Box<dyn Fn(&Event<'_>) + Send + Sync>;
