//! Events of a player, for display.

use std::net::SocketAddr;
use std::time::Duration;

use agon_arena::session::TableSession;
use agon_core::{Outcome, Variant};
use agon_search::Iteration;

/// An event.
#[non_exhaustive]
pub enum Event<'a> {
    /// A match begins.
    Started {
        /// Its name.
        id: &'a str,
        /// The variant.
        variant: &'a Variant,
        /// The player's role.
        role: &'a str,
        /// The time to get ready, in seconds.
        start_clock: u64,
        /// The time for each move, in seconds.
        play_clock: u64,
        /// Doubts about the rules text.
        doubt: Option<&'a str>,
    },
    /// The board changed.
    Board {
        /// The game.
        session: &'a TableSession,
        /// The player's role.
        role: &'a str,
    },
    /// The player answered with a move.
    Moved(&'a Moved),
    /// A match is over.
    Ended(&'a Summary),
    /// A note; nothing was lost.
    Note {
        /// The text, on one line.
        text: &'a str,
    },
    /// A request was invalid.
    Problem {
        /// The sender.
        peer: SocketAddr,
        /// The problem, on one line.
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
    /// The deepest completed one.
    pub depth: u32,
    /// Positions expanded, over all depths.
    pub expanded: u64,
    /// The nodes searched.
    pub nodes: u64,
    /// How long the search took.
    pub time: Duration,
    /// From accepting the connection to the answer.
    pub answered_after: Duration,
    /// The time then left on the clock.
    pub spare: Duration,
    /// Whether the search was cut short, so that the best move reported so far was taken.
    pub cut_short: bool,
}

/// A match that is over, from the player's side.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Its name.
    pub id: String,
    /// The variant.
    pub variant: Variant,
    /// The player's role.
    pub role: String,
    /// How it ended by the rules; `None` if it was aborted.
    pub outcome: Option<Outcome>,
    /// Points of white and black, if it was finished.
    pub points: Option<Vec<u8>>,
    /// Why it ended.
    pub reason: String,
    /// Moves of both sides.
    pub plies: usize,
    /// The player's own moves.
    pub moves: usize,
    /// Positions expanded in all of them.
    pub expanded: u64,
    /// The nodes of all searches.
    pub nodes: u64,
    /// The time of all searches.
    pub time: Duration,
    /// The deepest complete iteration.
    pub deepest: u32,
    /// The least time left on the clock at an answer.
    pub least_spare: Option<Duration>,
    /// How often the controller played another move than the answer.
    pub overruled: usize,
}

/// Receives the events. Called from several threads.
pub type Listener = Box<dyn Fn(&Event<'_>) + Send + Sync>;
