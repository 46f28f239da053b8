//! Random: uniformly random legal moves. Everything must beat it.

use agon_core::{Game, MoveList, Rng};

use crate::budget::Budget;
use crate::report::{Choice, Statistics};
use crate::strategy::{Reporter, Root, Strategy};

/// Plays at random from a seed.
#[derive(Clone, Debug)]
pub struct Random<G: Game> {
    rng: Rng,
    scratch: MoveList<G::Move>,
}

impl<G: Game> Random<G> {
    /// The same seed plays the same moves.
    pub fn new(seed: u64) -> Self {
        Random { rng: Rng::new(seed), scratch: MoveList::new() }
    }
}

impl<G: Game> Strategy<G> for Random<G> {
    fn choose(
        &mut self,
        root: Root<'_, G>,
        _: &Budget,
        _: Reporter<'_, G::Move>,
    ) -> Choice<G::Move> {
        let mv = root.position.sample(&mut self.rng, &mut self.scratch);
        let mv = mv.expect("a root has a legal move");
        Choice { mv, score: None, pv: Vec::new(), statistics: Statistics::default() }
    }
}
