//! The engine for three and more players: the search that measured best there; a pure race, which
//! nobody can disturb any more, is played out without a search.

use agon_core::{Evaluator, Hints, Rng};

use crate::budget::Budget;
use crate::engine::level::Handicap;
use crate::report::Choice;
use crate::strategy::{Reporter, Root, Strategy, race_move};

/// The default search; see `docs/benchmarks.md` for the games that decided it.
pub(crate) const BEST_METHOD: &str = "mcts";

/// The available searches.
pub(crate) const METHODS: &[&str] = &["paranoid", "maxn", "brs", "brs+", "mcts"];

/// A search with the common parts: races and levels.
pub(crate) struct Strongest<G: Hints> {
    /// The search.
    pub search: Box<dyn Strategy<G>>,
    /// Its text.
    pub method: String,
    /// The evaluation that scores a race.
    pub evaluation: Evaluator<G>,
    /// The playing strength, from 1 to 10, the strongest.
    pub level: u32,
    /// Used by levels below the highest.
    pub rng: Rng,
}

/// A lower level overlooks the best move about once in this many moves times its level.
const SLIP: u64 = 3;

impl<G: Hints> Strongest<G> {
    /// Now and then a weaker level plays any move that does not look bad.
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
    fn prepare(&mut self, budget: &Budget) {
        let weaker = Handicap::of(self.level);
        let budget = weaker.map_or_else(|| budget.clone(), |weaker| weaker.limit(budget));
        self.search.prepare(&budget);
    }

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
