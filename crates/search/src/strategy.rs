//! The one trait that everything that picks moves implements.

use agon_core::{Evaluator, Game, Hints, History};

use crate::budget::Budget;
use crate::report::{Choice, Iteration, Source, Statistics};
use crate::score::Score;

/// The root of a search: a position and its history.
#[derive(Debug)]
pub struct Root<'a, G> {
    /// The position to move in. It is not over and has a legal move.
    pub position: &'a G,
    /// The game so far.
    pub history: &'a History,
}

impl<G> Clone for Root<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Root<'_, G> {}

/// Receives iterations as they are finished.
pub(crate) type Reporter<'a, M> = &'a mut dyn FnMut(&Iteration<M>);

/// An optimal move known without a search: in a pure race, which nobody can disturb any more.
pub fn race_move<G: Hints>(
    root: Root<'_, G>,
    evaluation: &Evaluator<G>,
    report: Reporter<'_, G::Move>,
) -> Option<Choice<G::Move>> {
    let (mv, seat) = (root.position.race_move(evaluation.tables())?, root.position.to_move()?);
    let score = Score::units(evaluation.judge(root.position, seat));
    let statistics = Statistics { source: Source::Race, ..Statistics::default() };
    let pv = vec![mv];
    let Statistics { nodes, expanded, time, .. } = statistics;
    report(&Iteration { depth: 1, rank: 0, score, pv, nodes, expanded, time });
    Some(Choice { mv, score: Some(score), pv: vec![mv], statistics })
}

/// Picks moves. May keep its state from one move to the next.
pub trait Strategy<G: Game>: Send {
    /// Makes memory ready for searches with such a budget, before a clock runs. Nothing that is
    /// played depends on it.
    fn prepare(&mut self, _budget: &Budget) {}

    /// Picks a legal move within the budget.
    fn choose(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        report: Reporter<'_, G::Move>,
    ) -> Choice<G::Move>;

    /// The search it delegates to, as an agent's text, where its own text does not say.
    fn method(&self) -> Option<String> {
        None
    }
}
