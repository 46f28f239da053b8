//! Output that several commands share.

use std::io::{self, Write};

pub(crate) use agon_arena::words::thousands;
use agon_core::Outcome;
use serde::Serialize;

/// How a game ended.
#[derive(Serialize)]
pub(crate) struct OutcomeJson {
    points: Vec<u8>,
    places: Vec<u8>,
    reason: &'static str,
}

impl From<Outcome> for OutcomeJson {
    fn from(outcome: Outcome) -> Self {
        OutcomeJson {
            points: outcome.points().as_slice().to_vec(),
            places: outcome.places().as_slice().to_vec(),
            reason: outcome.reason(),
        }
    }
}

/// Prints a value as one line of JSON.
pub(crate) fn print_json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)
}

/// A number with its noun, such as "1 game" or "1,200 games".
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}
