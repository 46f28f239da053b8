//! The rules of a game for people: short texts, pictures, and positions to try them on.
//!
//! The tests open every position and check every move named here.

use agon_core::TextError;

use crate::catalog::Catalog;
use crate::table::Table;

/// How a game is explained to somebody new to it.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// The rules, in the order to read them.
    pub sections: &'a [Section<'a>],
    /// Positions to try them on, the easiest first.
    pub practice: &'a [Practice<'a>],
}

/// One point of the rules.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// What it is about, in a few words.
    pub heading: &'a str,
    /// Its paragraphs.
    pub text: &'a [&'a str],
    /// Its pictures.
    pub examples: &'a [Example<'a>],
}

/// A picture: a position with some of its moves.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// What the picture shows.
    pub caption: &'a str,
    /// The variant.
    pub variant: &'a str,
    /// The position to begin with, or `None` for the variant's start.
    pub position: Option<&'a str>,
    /// Moves to play from there first.
    pub moves: &'a [&'a str],
    /// Legal moves there, to be drawn as arrows.
    pub shown: &'a [&'a str],
}

/// A position with something to do.
#[derive(Clone, Copy, Debug)]
pub struct Practice<'a> {
    /// What to do, in a sentence: "Take three at once."
    pub task: &'a str,
    /// The variant.
    pub variant: &'a str,
    /// The position to begin with, or `None` for the variant's start.
    pub position: Option<&'a str>,
    /// Moves to play from there first.
    pub moves: &'a [&'a str],
    /// The moves that do it, all of them; if there are none, any legal move will do.
    pub goal: &'a [&'a str],
}

impl Rules<'_> {
    /// Nothing is explained.
    pub const NONE: Rules<'static> = Rules { sections: &[], practice: &[] };
}

impl<'a> Example<'a> {
    /// A picture of a position with some of its moves.
    pub(crate) const fn new(
        caption: &'a str,
        variant: &'a str,
        position: &'a str,
        shown: &'a [&'a str],
    ) -> Example<'a> {
        Example { caption, variant, position: Some(position), moves: &[], shown }
    }

    /// A picture of a variant's start.
    pub(crate) const fn start(
        caption: &'a str,
        variant: &'a str,
        shown: &'a [&'a str],
    ) -> Example<'a> {
        Example { caption, variant, position: None, moves: &[], shown }
    }

    /// The same picture with some moves played first.
    pub(crate) const fn after(self, moves: &'a [&'a str]) -> Example<'a> {
        Example { moves, ..self }
    }

    /// Opens the position of the picture.
    pub fn open(&self, catalog: &Catalog) -> Result<Box<dyn Table>, TextError> {
        catalog.open_at(&self.variant.parse()?, self.position, self.moves)
    }
}

impl<'a> Practice<'a> {
    /// A position and the moves that do what is asked.
    pub(crate) const fn new(
        task: &'a str,
        variant: &'a str,
        position: &'a str,
        goal: &'a [&'a str],
    ) -> Practice<'a> {
        Practice { task, variant, position: Some(position), moves: &[], goal }
    }

    /// The same task with some moves played first.
    pub(crate) const fn after(self, moves: &'a [&'a str]) -> Practice<'a> {
        Practice { moves, ..self }
    }

    /// Opens the position to practise on.
    pub fn open(&self, catalog: &Catalog) -> Result<Box<dyn Table>, TextError> {
        catalog.open_at(&self.variant.parse()?, self.position, self.moves)
    }

    /// Whether a legal move, in canonical text, does what is asked.
    pub fn accepts(&self, mv: &str) -> bool {
        self.goal.is_empty() || self.goal.contains(&mv)
    }
}
