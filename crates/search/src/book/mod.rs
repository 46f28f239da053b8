//! Opening books: what a long search found out beforehand about the first moves of a variant.
//!
//! A [`Book`] holds positions with their best moves, each with its value, the depth of the search
//! behind it, and a weight. `agon book build` makes it.
//!
//! - `file`: a book as bytes, and looking up positions in it.
//! - `worth`: values in two bytes.
//! - `tree`: a book grown from the start of its variant again, with its moves as text: for
//!   everything that is more than looking up a position.
//! - `build`: the expansion of that tree, best lines first.
//! - `lines`: openings for matches from a book.
//! - `balanced`: random openings for matches that a search finds even.
//! - `opening`: an agent that plays by a book as long as it can.
//! - `shelf`: which book an agent's text asks for, and those inside this program.

pub mod balanced;
pub mod build;
mod file;
pub mod lines;
pub(crate) mod opening;
pub mod shelf;
pub mod tree;
mod worth;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::spec::AgentError;

pub use file::{Book, BookMove, mark};
pub use worth::Worth;

/// What a book was built with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The random seed.
    pub seed: u64,
    /// The nodes of the search of each position; 0 if that differs among them.
    pub nodes: u64,
    /// How many best moves each search found.
    pub lines: u32,
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recipe { seed, nodes, lines } = self;
        match nodes {
            0 => f.write_str("several books, merged"),
            nodes => write!(f, "--nodes {nodes} --lines {lines} --seed {seed}"),
        }
    }
}

/// Why a book cannot be used or built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BookError {
    /// The bytes are not an intact book.
    Damaged(&'static str),
    /// It is of another version of the format.
    OtherVersion(u32),
    /// A position of the book does not have one of its moves; the moves that lead to the position.
    NoSuchMove(String),
    /// The start of the variant is not in it.
    NoStart,
    /// So many of its positions cannot be reached from the start.
    Unreachable(usize),
    /// Its values and weights are not those that follow from its positions.
    Inconsistent,
    /// It is for another variant: its own, and the wanted one.
    OtherVariant(String, String),
    /// It was built in another way: its own, and the wanted one.
    OtherRecipe(Recipe, Recipe),
    /// The variant has more than two players.
    Players(String, usize),
    /// There are no such openings.
    NoLines(String),
    /// The searching agent cannot be used.
    Agent(AgentError),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Damaged(problem) => f.write_str(problem),
            BookError::OtherVersion(version) => {
                write!(f, "it is of version {version} of the format, not 1")
            }
            BookError::NoSuchMove(line) if line.is_empty() => {
                f.write_str("it has a move at the start that is not legal")
            }
            BookError::NoSuchMove(line) => {
                write!(f, "it has a move after {line} that is not legal")
            }
            BookError::NoStart => f.write_str("the start of the variant is not in it"),
            BookError::Unreachable(positions) => {
                write!(f, "{positions} of its positions cannot be reached from the start")
            }
            BookError::Inconsistent => {
                f.write_str("its values are not those that follow from its last positions")
            }
            BookError::OtherVariant(own, wanted) => write!(f, "it is for {own}, not for {wanted}"),
            BookError::OtherRecipe(own, wanted) => {
                write!(f, "it was built with {own}, not with {wanted}")
            }
            BookError::Players(variant, seats) => {
                write!(f, "{variant} has {seats} players; books are for two")
            }
            BookError::NoLines(problem) => f.write_str(problem),
            BookError::Agent(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BookError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BookError::Agent(error) => Some(error),
            _ => None,
        }
    }
}

impl From<AgentError> for BookError {
    fn from(error: AgentError) -> Self {
        BookError::Agent(error)
    }
}
