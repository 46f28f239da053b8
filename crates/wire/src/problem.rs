//! What is wrong with a line, in a line.

use std::fmt;

use agon_core::TextError;
use agon_search::AgentError;

/// What is wrong and what would be right. Always a single line of readable length, whatever stood
/// in the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem(String);

impl Problem {
    /// The longest text, in characters.
    const LONGEST: usize = 500;

    /// A problem in these words.
    pub fn new(text: impl AsRef<str>) -> Problem {
        Problem(single_line(text.as_ref(), Problem::LONGEST))
    }

    /// The same problem, with what it is about before it.
    pub fn about(&self, what: impl fmt::Display) -> Problem {
        Problem::new(format!("{what}: {}", self.0))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Problem {}

impl From<TextError> for Problem {
    /// Without the marks below the text: the place is told as a number.
    fn from(error: TextError) -> Problem {
        let shown = error.to_string();
        let mut lines = shown.lines();
        let (what, text) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let place = match error.at().start {
            0 => String::new(),
            start => format!(" at byte {}", start + 1),
        };
        Problem::new(format!("{what}{place}, found {:?}", text.trim()))
    }
}

impl From<AgentError> for Problem {
    fn from(error: AgentError) -> Problem {
        Problem::new(error.to_string())
    }
}

/// A part of the input in quotes, not too long for an error.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    format!("{:?}", single_line(text, LONGEST))
}

/// The beginning of a text, without what would break or disturb a line.
pub(crate) fn single_line(text: &str, longest: usize) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut line: String = text.chars().take(longest).map(clean).collect();
    if text.chars().nth(longest).is_some() {
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marked_error_becomes_one_line() {
        let error = TextError::new("congo", "move", "d2d9", 2..4, "a square a1 to g7");
        assert_eq!(
            Problem::from(error).about("move 3").to_string(),
            "move 3: congo: bad move: expected a square a1 to g7 at byte 3, found \"d2d9\""
        );
    }

    #[test]
    fn a_problem_stays_short_and_in_one_line() {
        let problem = Problem::new(format!("a\nb\r{}", "x".repeat(9999))).to_string();
        assert!(problem.starts_with("a b x") && problem.chars().count() == 501, "{problem}");
        assert!(quoted(&"ä".repeat(1000)).chars().count() < 70);
    }
}
