//! The one trait that everything that picks moves implements.

use agon_core::{Evaluation, Game, Hints, History};

use crate::budget::Budget;
use crate::report::{Choice, Iteration, Statistics};
use crate::score::Score;

/// Where a search begins: a position and how it came about.
#[derive(Debug)]
pub struct Root<'a, G> {
    /// The position to move in. It is not over and has a legal move.
    pub position: &'a G,
    /// What happened before.
    pub history: &'a History,
}

impl<G> Clone for Root<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Root<'_, G> {}

/// Receives iterations as they are finished.
pub type Reporter<'a, M> = &'a mut dyn FnMut(&Iteration<M>);

/// A move that is known to be right without a search: a race that nobody can disturb any more is
/// run to its end.
pub fn race_move<G: Hints>(
    root: Root<'_, G>,
    evaluation: &Evaluation<G>,
    report: Reporter<'_, G::Move>,
) -> Option<Choice<G::Move>> {
    let (mv, seat) = (root.position.race_move()?, root.position.to_move()?);
    let score = Score::units((evaluation.judge)(root.position, seat));
    let (pv, statistics) = (vec![mv], Statistics::default());
    let Statistics { nodes, expanded, time, .. } = statistics;
    report(&Iteration { depth: 1, rank: 0, score, pv, nodes, expanded, time });
    Some(Choice { mv, score: Some(score), pv: vec![mv], statistics })
}

/// Somebody who picks a move. May keep what it learned from one move to the next.
pub trait Strategy<G: Game>: Send {
    /// Picks a legal move within the budget.
    fn choose(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        report: Reporter<'_, G::Move>,
    ) -> Choice<G::Move>;

    /// What it uses, as an agent's text, where that is not plain from its own.
    fn method(&self) -> Option<String> {
        None
    }
}
