//! The JSON words that are the same everywhere.

use std::io::{self, Write};

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

/// A whole number with its thousands set apart: 1,234,567.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, in words.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
