//! Output that several commands share.

use std::borrow::Cow;
use std::io::{self, Write};

pub(crate) use agon_arena::words::thousands;
use agon_games::Table;
use serde::Serialize;

/// How a game ended.
#[derive(Serialize)]
pub(crate) struct OutcomeJson {
    points: Vec<u8>,
    places: Vec<u8>,
    reason: Cow<'static, str>,
}

impl OutcomeJson {
    /// How the game on the table ended, if it has.
    pub(crate) fn of(table: &dyn Table) -> Option<OutcomeJson> {
        let outcome = table.outcome()?;
        Some(OutcomeJson {
            points: outcome.points().as_slice().to_vec(),
            places: outcome.places().as_slice().to_vec(),
            reason: table.reason_text(&outcome),
        })
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
