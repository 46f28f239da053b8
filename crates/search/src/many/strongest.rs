//! The engine at tables of three and more: the search that was measured to be the best there, and
//! a race that nobody can disturb any more is run to its end without one.

use agon_core::{Evaluation, Hints, Rng};

use crate::budget::Budget;
use crate::engine::level::Handicap;
use crate::report::Choice;
use crate::strategy::{Reporter, Root, Strategy, race_move};

/// What the engine uses if nobody says; see `docs/benchmarks.md` for the games that decided it.
pub const BEST_METHOD: &str = "mcts";

/// The searches that can be asked for.
pub const METHODS: &[&str] = &["paranoid", "maxn", "brs", "brs+", "mcts"];

/// A search, with what goes for all of them.
pub struct Strongest<G: Hints> {
    /// What searches.
    pub search: Box<dyn Strategy<G>>,
    /// Its text.
    pub method: String,
    /// What tells how good a run is.
    pub evaluation: Evaluation<G>,
    /// From 1 to 10, which is as well as it can.
    pub level: u32,
    /// For levels below the highest.
    pub rng: Rng,
}

/// A lower level overlooks the best move once in so many moves, times its level.
const SLIP: u64 = 3;

impl<G: Hints> Strongest<G> {
    /// A weaker level now and then takes any move that does not look bad.
    fn slip(&mut self, root: Root<'_, G>) -> Option<G::Move> {
        if self.rng.below(SLIP * u64::from(self.level)) > 0 {
            return None;
        }
        let position = root.position;
        let mut moves = position.moves();
        moves.sort_by_key(|&mv| -position.urgency(mv).unwrap_or_else(|| position.bias(mv)));
        let likely = &moves[..moves.len().div_ceil(3)];
        self.rng.choose(likely).copied()
    }
}

impl<G: Hints> Strategy<G> for Strongest<G> {
    fn choose(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        report: Reporter<'_, G::Move>,
    ) -> Choice<G::Move> {
        let weaker = Handicap::of(self.level);
        if weaker.is_none()
            && let Some(choice) = race_move(root, &self.evaluation, report)
        {
            return choice;
        }
        let budget = weaker.map_or_else(|| budget.clone(), |weaker| weaker.limit(budget));
        let mut choice = self.search.choose(root, &budget, report);
        if weaker.is_some()
            && let Some(mv) = self.slip(root)
        {
            choice = Choice { mv, score: None, pv: vec![mv], ..choice };
        }
        choice
    }

    fn method(&self) -> Option<String> {
        Some(self.method.clone())
    }
}
