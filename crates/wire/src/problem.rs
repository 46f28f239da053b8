//! Errors about a line, in a line.

use std::fmt;

use agon_core::TextError;
use agon_search::AgentError;

/// What is wrong and what would be right. Always a single line of readable length, whatever the
/// input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineProblem(String);

impl LineProblem {
    /// The maximum length of the text, in characters.
    const LONGEST: usize = 500;

    /// A problem with this text.
    pub fn new(text: impl AsRef<str>) -> LineProblem {
        LineProblem(single_line(text.as_ref(), LineProblem::LONGEST))
    }

    /// The same problem, prefixed with what it is about.
    pub fn about(&self, what: impl fmt::Display) -> LineProblem {
        LineProblem::new(format!("{what}: {}", self.0))
    }
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LineProblem {}

impl From<TextError> for LineProblem {
    /// Without the marks below the text: the position is given as a number.
    fn from(error: TextError) -> LineProblem {
        let shown = error.to_string();
        let mut lines = shown.lines();
        let (what, text) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let place = match error.at().start {
            0 => String::new(),
            start => format!(" at byte {}", start + 1),
        };
        LineProblem::new(format!("{what}{place}, found {:?}", text.trim()))
    }
}

impl From<AgentError> for LineProblem {
    fn from(error: AgentError) -> LineProblem {
        LineProblem::new(error.to_string())
    }
}

/// A part of the input in quotes, short enough for an error.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    format!("{:?}", single_line(text, LONGEST))
}

/// The beginning of a text, without characters that would break the line.
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
            LineProblem::from(error).about("move 3").to_string(),
            "move 3: congo: bad move: expected a square a1 to g7 at byte 3, found \"d2d9\""
        );
    }

    #[test]
    fn a_problem_stays_short_and_in_one_line() {
        let problem = LineProblem::new(format!("a\nb\r{}", "x".repeat(9999))).to_string();
        assert!(problem.starts_with("a b x") && problem.chars().count() == 501, "{problem}");
        assert!(quoted(&"ä".repeat(1000)).chars().count() < 70);
    }
}
