//! What happens while a client plays, for whoever shows it.

use std::time::Duration;

use agon_core::Variant;

use crate::aisysproj::protocol::v1::MessageKind;

/// Something that happened. No text in here holds the password.
#[non_exhaustive]
#[derive(Debug)]
pub enum Event<'a> {
    /// The server has answered for the first time, or speaks another version than before.
    Connected {
        /// The version it is spoken to in.
        version: u8,
    },
    /// A request goes out.
    Sent {
        /// The body, the password replaced.
        body: &'a str,
        /// How many answers are in it.
        answers: usize,
        /// How often the same was sent before.
        retries: u32,
    },
    /// It was answered.
    Answered {
        /// The status.
        status: u16,
        /// The body, in a line.
        body: &'a str,
        /// How long that took.
        took: Duration,
    },
    /// A run is taken up.
    Taken {
        /// Its id.
        run: &'a str,
        /// How many moves were made in it before: 0 for a new one.
        number: u64,
        /// What is played.
        variant: &'a Variant,
    },
    /// A move was chosen; it goes out with the next request.
    Moved(&'a Moved),
    /// A run is over.
    Finished(&'a Finished),
    /// The server says something.
    Message {
        /// How bad it is.
        kind: MessageKind,
        /// About which run, if that is known.
        run: Option<&'a str>,
        /// What, in a line.
        text: &'a str,
        /// Whether it is no surprise, as answers were sent twice.
        expected: bool,
    },
    /// The server refused a move.
    Refused {
        /// In this run.
        run: &'a str,
        /// At this number.
        number: u64,
        /// The move.
        mv: &'a str,
        /// What is done about it.
        consequence: &'a str,
    },
    /// Something is worth knowing.
    Note {
        /// What, in a line.
        text: &'a str,
    },
    /// The client waits.
    Waiting {
        /// Why, in a line.
        why: &'a str,
        /// For how long.
        pause: Duration,
        /// Whether something is wrong; otherwise there is nothing to do.
        trouble: bool,
    },
    /// How it stands, after every response.
    Standing {
        /// In numbers.
        totals: &'a Totals,
        /// The runs that go on, and how many moves were made in each.
        runs: &'a [(String, u64)],
    },
}

/// A move, and what it cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Moved {
    /// In which run.
    pub run: String,
    /// How many moves were made in it before.
    pub number: u64,
    /// The spaces, as it is sent.
    pub mv: String,
    /// The depth of the last complete iteration.
    pub depth: u32,
    /// Moves played by the search.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// A run that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Its id.
    pub run: String,
    /// What it is worth, where that was told.
    pub outcome: Option<f64>,
    /// The agent's moves in it, as far as they are known.
    pub moves: u64,
    /// How it stands now.
    pub totals: Totals,
}

/// How it stands.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Totals {
    /// Finished runs.
    pub finished: u64,
    /// Of these, how many have a known outcome.
    pub rated: u64,
    /// The mean outcome of the last 50 of those, or of all if there are fewer.
    pub mean: Option<f64>,
    /// Of how many it is the mean.
    pub window: u64,
    /// The best mean of 50 in a row, once there were 50.
    pub best: Option<f64>,
    /// Moves that were sent and not refused.
    pub moves: u64,
    /// Moves that were refused.
    pub refused: u64,
    /// Requests that were sent.
    pub requests: u64,
    /// Requests that failed, and errors the server told.
    pub errors: u64,
}

/// Whoever wants to know what happens.
pub type Listener<'a> = &'a mut dyn FnMut(&Event<'_>);
