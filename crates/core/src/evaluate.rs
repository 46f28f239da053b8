//! Judging a position without searching.

use crate::game::Game;
use crate::seat::Seat;

/// No evaluation is this far from zero: beyond it are forced results.
pub const EVALUATION_LIMIT: i32 = 100_000;

/// A named way to judge a position.
#[derive(Debug)]
pub struct Evaluation<G> {
    /// The name in agents' texts, as in `eval=simple`.
    pub name: &'static str,
    /// What it sees, in a sentence.
    pub about: &'static str,
    /// How good the position is for a seat, in hundredths of the game's unit. The position is
    /// not over. In a game of two, what is good for one is as bad for the other.
    pub judge: fn(&G, Seat) -> i32,
}

impl<G> Clone for Evaluation<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Evaluation<G> {}

/// Games whose positions can be judged.
pub trait Evaluate: Game {
    /// The evaluations of this game; the first is `simple`.
    fn evaluations() -> &'static [Evaluation<Self>];

    /// How deep a search of fixed depth goes in this game if nobody says.
    fn default_depth(&self) -> u32 {
        4
    }

    /// The evaluation with this name.
    fn evaluation(name: &str) -> Option<Evaluation<Self>> {
        Self::evaluations().iter().find(|evaluation| evaluation.name == name).copied()
    }
}
