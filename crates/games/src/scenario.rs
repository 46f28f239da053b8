//! Positions with a task: what an agent must know about the rules of a game, and what it must see.
//!
//! The tests prove every claim made here, so that if an agent fails a scenario, the agent is wrong
//! and not the scenario.

use agon_core::{TextError, Variant};

use crate::catalog::Catalog;
use crate::table::Table;

/// A position with a task, for checking agents.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// The name in a list: `a win in one`.
    pub name: &'static str,
    /// What the agent must know or see here, in a sentence.
    pub about: &'static str,
    /// The variants it is for, in canonical text; the same is true in all of them.
    pub variants: &'static [&'static str],
    /// The position to begin with, or `None` for the variant's start.
    pub position: Option<&'static str>,
    /// Moves to play from there first, so that there is a history.
    pub moves: &'static [&'static str],
    /// How many moves are legal then.
    pub legal: usize,
    /// What to do.
    pub task: Task,
}

/// What an agent has to do in a [`Scenario`]. Moves are in canonical text.
///
/// `plies` is the depth at which the difference shows: a full search to that depth proves that the
/// good moves lead to a better result than all others. A win is better than an unfinished game, and
/// that is better than a draw or a loss.
#[derive(Clone, Copy, Debug)]
pub enum Task {
    /// Any legal move will do: the point is that it is legal here.
    Legal {
        /// Moves that look legal and are not.
        illegal: &'static [&'static str],
    },
    /// One of these moves.
    Find {
        /// The good moves, all of them.
        moves: &'static [&'static str],
        /// The depth at which the difference shows.
        plies: u32,
    },
    /// A legal move that is none of these.
    Avoid {
        /// The bad moves, all of them.
        moves: &'static [&'static str],
        /// The depth at which the difference shows.
        plies: u32,
    },
}

impl Task {
    /// Whether a legal move, in canonical text, does what is asked.
    pub fn accepts(&self, mv: &str) -> bool {
        match self {
            Task::Legal { .. } => true,
            Task::Find { moves, .. } => moves.contains(&mv),
            Task::Avoid { moves, .. } => !moves.contains(&mv),
        }
    }
}

impl Scenario {
    /// Opens the scenario in one of its variants, with its moves played.
    ///
    /// ```
    /// let catalog = agon_games::Catalog::built_in();
    /// let variant = "breakthrough:8x8".parse().unwrap();
    /// for scenario in catalog.scenarios(&variant).unwrap() {
    ///     let table = scenario.open(&catalog, &variant).unwrap();
    ///     assert_eq!(table.moves().len(), scenario.legal, "{}", scenario.name);
    ///     assert!(table.moves().iter().any(|mv| scenario.task.accepts(mv)));
    /// }
    /// ```
    pub fn open(&self, catalog: &Catalog, variant: &Variant) -> Result<Box<dyn Table>, TextError> {
        catalog.open_at(variant, self.position, self.moves)
    }
}
