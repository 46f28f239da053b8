//! The rules of a game for people: short texts, pictures, and positions to try them on.
//!
//! The tests open every position and check every move named here.

use agon_core::TextError;

use crate::table::{Table, open_at};

/// How a game is explained to somebody new to it.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The rules, in the order to read them.
    pub sections: &'static [Section],
    /// Positions to try them on, the easiest first.
    pub practice: &'static [Practice],
}

/// One point of the rules.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// What it is about, in a few words.
    pub heading: &'static str,
    /// Its paragraphs.
    pub text: &'static [&'static str],
    /// Its pictures.
    pub examples: &'static [Example],
}

/// A picture: a position with some of its moves.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What the picture shows.
    pub caption: &'static str,
    /// The variant.
    pub variant: &'static str,
    /// The position to begin with, or `None` for the variant's start.
    pub position: Option<&'static str>,
    /// Moves to play from there first.
    pub moves: &'static [&'static str],
    /// Legal moves there, to be drawn as arrows.
    pub shown: &'static [&'static str],
}

/// A position with something to do.
#[derive(Clone, Copy, Debug)]
pub struct Practice {
    /// What to do, in a sentence: "Take three at once."
    pub task: &'static str,
    /// The variant.
    pub variant: &'static str,
    /// The position to begin with, or `None` for the variant's start.
    pub position: Option<&'static str>,
    /// Moves to play from there first.
    pub moves: &'static [&'static str],
    /// The moves that do it, all of them; if there are none, any legal move will do.
    pub goal: &'static [&'static str],
}

impl Example {
    /// A picture of a position with some of its moves.
    pub(crate) const fn new(
        caption: &'static str,
        variant: &'static str,
        position: &'static str,
        shown: &'static [&'static str],
    ) -> Example {
        Example { caption, variant, position: Some(position), moves: &[], shown }
    }

    /// A picture of a variant's start.
    pub(crate) const fn start(
        caption: &'static str,
        variant: &'static str,
        shown: &'static [&'static str],
    ) -> Example {
        Example { caption, variant, position: None, moves: &[], shown }
    }

    /// The same picture with some moves played first.
    pub(crate) const fn after(self, moves: &'static [&'static str]) -> Example {
        Example { moves, ..self }
    }

    /// Opens the position of the picture.
    pub fn open(&self) -> Result<Box<dyn Table>, TextError> {
        open_at(&self.variant.parse()?, self.position, self.moves)
    }
}

impl Practice {
    /// A position and the moves that do what is asked.
    pub(crate) const fn new(
        task: &'static str,
        variant: &'static str,
        position: &'static str,
        goal: &'static [&'static str],
    ) -> Practice {
        Practice { task, variant, position: Some(position), moves: &[], goal }
    }

    /// The same task with some moves played first.
    pub(crate) const fn after(self, moves: &'static [&'static str]) -> Practice {
        Practice { moves, ..self }
    }

    /// Opens the position to practise on.
    pub fn open(&self) -> Result<Box<dyn Table>, TextError> {
        open_at(&self.variant.parse()?, self.position, self.moves)
    }

    /// Whether a legal move, in canonical text, does what is asked.
    pub fn accepts(&self, mv: &str) -> bool {
        self.goal.is_empty() || self.goal.contains(&mv)
    }
}
