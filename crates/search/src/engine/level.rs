//! Playing weaker on purpose, in a way that looks natural.
//!
//! A weak level searches few positions, as a beginner does, and then does not always play the best
//! move it found: the smaller the difference, the likelier another one. Forced wins that it finds
//! are never missed.

use agon_core::{Hints, Rng};

use super::parameters::scaled;
use super::root::RootMove;
use super::searcher::is_forced;
use crate::budget::Budget;

/// The limits of a level below the highest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Handicap {
    /// The nodes it may search.
    nodes: u64,
    /// A move that is worse by this much is chosen less often by a factor of *e*.
    temperature: f64,
}

/// The levels from 1 to 9.
const HANDICAPS: [Handicap; 9] = [
    Handicap { nodes: 40, temperature: 120.0 },
    Handicap { nodes: 100, temperature: 80.0 },
    Handicap { nodes: 250, temperature: 55.0 },
    Handicap { nodes: 700, temperature: 40.0 },
    Handicap { nodes: 2_000, temperature: 28.0 },
    Handicap { nodes: 6_000, temperature: 18.0 },
    Handicap { nodes: 20_000, temperature: 11.0 },
    Handicap { nodes: 70_000, temperature: 6.0 },
    Handicap { nodes: 300_000, temperature: 3.0 },
];

/// The resolution of random choices.
const STEPS: u64 = 1 << 32;

/// The number of moves a weaker level chooses from.
const CHOICES: usize = 6;

impl Handicap {
    /// The handicap of a level; none for the highest.
    pub(crate) fn of(level: u32) -> Option<Handicap> {
        HANDICAPS.get((level as usize).checked_sub(1)?).copied()
    }

    /// The budget, limited to its nodes.
    pub(crate) fn limit(self, budget: &Budget) -> Budget {
        let nodes = budget.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes));
        Budget { nodes: Some(nodes), ..budget.clone() }
    }

    /// How many moves it compares.
    pub(super) fn lines(self) -> usize {
        CHOICES
    }

    /// The index of the move it plays.
    pub(super) fn pick<G: Hints>(self, moves: &[RootMove<G::Move>], rng: &mut Rng) -> usize {
        let Some(best) = moves.first().map(|best| best.value) else { return 0 };
        if is_forced(best) {
            return 0;
        }
        let temperature = self.temperature * f64::from(scaled::<G>(100)) / 100.0;
        let compared = &moves[..moves.len().min(CHOICES)];
        let weight = |value: i32| match is_forced(value) {
            true => 0.0,
            false => (f64::from(value.saturating_sub(best)) / temperature).exp(),
        };
        let total: f64 = compared.iter().map(|root_move| weight(root_move.value)).sum();
        let mut left = rng.below(STEPS) as f64 / STEPS as f64 * total;
        for (place, root_move) in compared.iter().enumerate() {
            left -= weight(root_move.value);
            if left <= 0.0 {
                return place;
            }
        }
        0
    }
}
