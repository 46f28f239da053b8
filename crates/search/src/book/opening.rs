//! Playing by a book.

use std::sync::Arc;

use agon_core::{Game, Hints, Rng};

use super::file::{Book, BookMove, mark};
use crate::budget::{Budget, Time};
use crate::report::{Choice, Iteration, Source, Statistics};
use crate::strategy::{Reporter, Root, Strategy};

/// A move is played if it is worse than the best one by at most this share of the game's scale.
const MARGIN: f64 = 0.05;

/// The nodes that an engine searches in a second, roughly: to compare the work behind a book with
/// that of a search.
const NODES_PER_SECOND: f64 = 2e6;

/// When a book is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// Wherever it knows the position.
    Always,
    /// Where more work went into it than a search on this budget could do.
    IfDeeper,
}

/// An agent that plays by a book as long as it can, and then as another agent does.
pub struct ByTheBook<G: Game> {
    pub(super) book: Arc<Book>,
    pub(super) trust: Trust,
    pub(super) otherwise: Box<dyn Strategy<G>>,
    pub(super) rng: Rng,
}

impl<G: Hints> ByTheBook<G> {
    /// A move of the book: one of the best, at random by their weights.
    fn pick(&mut self, root: Root<'_, G>, budget: &Budget) -> Option<(G::Move, BookMove)> {
        let known: Vec<BookMove> = self.book.at(root.position.canonical_key()).collect();
        if known.is_empty() || !self.is_trusted(&known, budget) {
            return None;
        }
        let mut moves: Vec<(G::Move, BookMove)> = Vec::with_capacity(known.len());
        for mv in root.position.moves() {
            let mut after = root.position.clone();
            let progress = after.play(mv);
            let to = mark(after.canonical_key());
            let is_new = moves.iter().all(|(_, other)| other.to != to);
            let Some(&found) = known.iter().find(|known| known.to == to).filter(|_| is_new) else {
                continue;
            };
            // A book knows nothing of the game so far: what repeats it needs a search.
            let mut history = root.history.clone();
            history.push(&after, progress);
            if history.occurrences() > 1 || history.is_too_long() {
                return None;
            }
            moves.push((mv, found));
        }
        let best = moves.iter().map(|(_, known)| known.worth).max()?;
        let margin = if best.is_forced() { 0.0 } else { MARGIN * f64::from(G::SCALE) };
        moves.retain(|(_, known)| f64::from(known.worth.below(best)) <= margin);
        let total: u64 = moves.iter().map(|(_, known)| u64::from(known.weight.max(1))).sum();
        let mut left = self.rng.below(total);
        moves.into_iter().find(|(_, known)| {
            let weight = u64::from(known.weight.max(1));
            let is_chosen = left < weight;
            left = left.saturating_sub(weight);
            is_chosen
        })
    }

    /// Whether the book is to be used in a position with these moves.
    fn is_trusted(&self, known: &[BookMove], budget: &Budget) -> bool {
        if self.trust == Trust::Always {
            return true;
        }
        let below: u64 = known.iter().map(|known| u64::from(known.weight.saturating_sub(1))).sum();
        let work = (1 + below).saturating_mul(self.book.recipe().nodes);
        affordable(budget).is_some_and(|nodes| nodes <= work)
    }
}

/// The nodes of a search on this budget, roughly; `None` if it is unlimited.
fn affordable(budget: &Budget) -> Option<u64> {
    let by_time =
        budget.time.map(|time: Time| (time.allotment().as_secs_f64() * NODES_PER_SECOND) as u64);
    let by_depth = budget.depth.map(|_| 0);
    [by_time, budget.nodes.filter(|&nodes| nodes < u64::MAX), by_depth].into_iter().flatten().min()
}

impl<G: Hints> Strategy<G> for ByTheBook<G> {
    fn prepare(&mut self, budget: &Budget) {
        self.otherwise.prepare(budget);
    }

    fn choose(
        &mut self,
        root: Root<'_, G>,
        budget: &Budget,
        report: Reporter<'_, G::Move>,
    ) -> Choice<G::Move> {
        let Some((mv, BookMove { worth, depth, .. })) = self.pick(root, budget) else {
            return self.otherwise.choose(root, budget, report);
        };
        let (score, depth) = (worth.score(), u32::from(depth));
        let statistics = Statistics { depth, source: Source::Book, ..Statistics::default() };
        let Statistics { nodes, expanded, time, .. } = statistics;
        report(&Iteration { depth, rank: 0, score, pv: vec![mv], nodes, expanded, time });
        Choice { mv, score: Some(score), pv: vec![mv], statistics }
    }

    fn method(&self) -> Option<String> {
        self.otherwise.method()
    }
}
