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
    /// What it takes into account, in a sentence.
    pub about: &'static str,
    /// How good the position is for a seat, in hundredths of the game's unit. The position is
    /// not over. Two-player evaluations are zero-sum: one side's value is the other's, negated.
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

    /// The default depth of a fixed-depth search in this game.
    fn default_depth(&self) -> u32 {
        4
    }

    /// The evaluation with this name.
    fn evaluation(name: &str) -> Option<Evaluation<Self>> {
        Self::evaluations().iter().find(|evaluation| evaluation.name == name).copied()
    }
}
