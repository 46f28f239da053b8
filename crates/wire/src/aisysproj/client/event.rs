//! Events while a client plays, for display.

use std::time::Duration;

use agon_core::Variant;

use crate::aisysproj::protocol::v1::MessageKind;

/// An event. None of its texts contains the password.
#[non_exhaustive]
#[derive(Debug)]
pub enum Event<'a> {
    /// The server has answered for the first time, or in another version than before.
    Connected {
        /// The version in use.
        version: u8,
    },
    /// A request is sent.
    Sent {
        /// The body, with the password replaced.
        body: &'a str,
        /// How many answers it contains.
        answers: usize,
        /// How often the same request was sent before.
        retries: u32,
    },
    /// A response arrived.
    Answered {
        /// The status.
        status: u16,
        /// The body, on one line.
        body: &'a str,
        /// How long that took.
        took: Duration,
    },
    /// The first move in a run is due.
    Taken {
        /// Its id.
        run: &'a str,
        /// How many moves had been made in it before: 0 for a new one.
        number: u64,
        /// The variant.
        variant: &'a Variant,
    },
    /// A move was chosen; it is sent with the next request.
    Moved(&'a Moved),
    /// A run is over.
    Finished(&'a Finished),
    /// A message from the server.
    Message {
        /// Its severity.
        kind: MessageKind,
        /// The run, if known.
        run: Option<&'a str>,
        /// The text, on one line.
        text: &'a str,
        /// Whether it is expected, because answers were sent twice.
        expected: bool,
    },
    /// The server refused a move.
    Refused {
        /// The run.
        run: &'a str,
        /// The number of the move.
        number: u64,
        /// The move.
        mv: &'a str,
        /// What is done about it.
        consequence: &'a str,
    },
    /// A note.
    Note {
        /// The text, on one line.
        text: &'a str,
    },
    /// The client waits.
    Waiting {
        /// Why, on one line.
        why: &'a str,
        /// For how long.
        pause: Duration,
        /// Whether something is wrong; otherwise there is just nothing to do.
        trouble: bool,
    },
    /// The totals, after every response.
    Standing {
        /// The numbers.
        totals: &'a Totals,
        /// The open runs, and how many moves were made in each.
        runs: &'a [(String, u64)],
    },
}

/// A move, and what it cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Moved {
    /// The run.
    pub run: String,
    /// How many moves were made in it before.
    pub number: u64,
    /// The move, as it is sent.
    pub mv: String,
    /// The depth of the last complete iteration.
    pub depth: u32,
    /// The nodes searched.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// A run that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Its id.
    pub run: String,
    /// Its outcome, if known.
    pub outcome: Option<f64>,
    /// The agent's moves in it, as far as known.
    pub moves: u64,
    /// The totals so far.
    pub totals: Totals,
}

/// The totals.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Totals {
    /// Finished runs.
    pub finished: u64,
    /// How many of these have a known outcome.
    pub rated: u64,
    /// The mean outcome of the last 50 of those, or of all if there are fewer.
    pub mean: Option<f64>,
    /// How many outcomes that mean includes.
    pub window: u64,
    /// The best mean of 50 in a row, once there were 50.
    pub best: Option<f64>,
    /// Moves sent and not refused.
    pub moves: u64,
    /// Moves refused.
    pub refused: u64,
    /// Requests sent.
    pub requests: u64,
    /// Failed requests, and errors reported by the server.
    pub errors: u64,
}

/// Receives the events.
pub type Listener<'a> = &'a mut dyn FnMut(&Event<'_>);
