//! What is wrong with an analysis, and where.

use std::fmt;
use std::ops::Range;

use agon_core::TextError;

/// Where something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At the move with this number.
    Node(usize),
    /// In a text.
    Text {
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
    },
}

/// What is wrong with an analysis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalysisError {
    place: Option<Place>,
    problem: String,
}

impl AnalysisError {
    /// Where it is wrong, unless it is as a whole.
    pub fn place(&self) -> Option<Place> {
        self.place
    }

    pub(super) fn whole(problem: impl fmt::Display) -> AnalysisError {
        AnalysisError { place: None, problem: problem.to_string() }
    }

    pub(super) fn at_node(node: usize, problem: impl fmt::Display) -> AnalysisError {
        AnalysisError { place: Some(Place::Node(node)), problem: problem.to_string() }
    }

    /// At a byte of a text.
    pub(super) fn at(text: &str, at: usize, problem: impl fmt::Display) -> AnalysisError {
        let before = &text[..text.floor_char_boundary(at)];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[start..].chars().count() + 1;
        let place = Place::Text { line, column };
        AnalysisError { place: Some(place), problem: problem.to_string() }
    }

    /// At these bytes of a text, which are quoted and marked.
    pub(super) fn expected(text: &str, at: Range<usize>, expected: &str) -> AnalysisError {
        let start = text[..at.start].rfind('\n').map_or(0, |end| end + 1);
        let end = text[at.start..].find('\n').map_or(text.len(), |length| at.start + length);
        let marked = at.start - start..at.end.min(end) - start;
        // The words of a text error, and its quotation.
        let quoted = TextError::new("", "", &text[start..end], marked, "").to_string();
        let quotation = quoted.split_once('\n').map_or("", |(_, quotation)| quotation);
        AnalysisError::at(text, at.start, format!("expected {expected}\n{quotation}"))
    }

    /// The same mistake in a text that holds the move.
    pub(super) fn moved_to(mut self, text: &str, at: impl Fn(usize) -> Option<usize>) -> Self {
        if let Some(Place::Node(node)) = self.place
            && let Some(at) = at(node)
        {
            self = AnalysisError::at(text, at, self.problem);
        }
        self
    }
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            None => f.write_str(&self.problem),
            Some(Place::Node(node)) => write!(f, "move {node}: {}", self.problem),
            Some(Place::Text { line, column }) => {
                write!(f, "line {line}, column {column}: {}", self.problem)
            }
        }
    }
}

impl std::error::Error for AnalysisError {}
