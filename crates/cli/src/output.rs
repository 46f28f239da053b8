//! Output that several commands share.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

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

/// A time rounded to one unit.
pub(crate) fn rough_time(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        s if s < 90.0 => format!("{} s", s.ceil()),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rough() {
        for (seconds, text) in [
            (0.2, "1 s"),
            (60.0, "60 s"),
            (600.0, "10 min"),
            (7200.0, "2.0 h"),
            (864e3, "10.0 days"),
        ] {
            assert_eq!(rough_time(Duration::from_secs_f64(seconds)), text);
        }
    }
}
