//! Minimax: search all moves, assuming optimal play by both sides.

use agon_core::{Evaluate, Evaluator, Seat};

use crate::budget::Stopped;
use crate::deepening::FixedDepth;
use crate::score::Score;
use crate::tree::Tree;

/// Plain minimax for two players, written in its negamax form: a position is worth to one player
/// what it costs the other, so the best value is the largest of the children's values negated.
#[derive(Clone, Debug)]
pub struct Minimax<G: Evaluate> {
    /// The evaluation at the leaves.
    pub evaluation: Evaluator<G>,
}

impl<G: Evaluate> Minimax<G> {
    /// The value of a position for `me`, the player to move in it.
    fn value(
        &self,
        tree: &mut Tree<G>,
        position: &G,
        me: Seat,
        depth: u32,
    ) -> Result<Score, Stopped> {
        if let Some(result) = tree.settled(position, me) {
            return Ok(result);
        }
        if depth == 0 {
            return Ok(tree.evaluate(position, &self.evaluation, me));
        }
        let moves = tree.moves(position);
        let mut best = Score::LOWEST;
        for &mv in moves.iter() {
            let child = tree.play(position, mv)?;
            let value = -self.value(tree, &child, me.opponent(), depth - 1)?;
            tree.undo();
            if value > best {
                best = value;
                tree.improve(mv);
            }
        }
        let result = if moves.is_empty() { tree.stuck(position, me) } else { best };
        tree.recycle(moves);
        Ok(result)
    }
}

impl<G: Evaluate> FixedDepth<G> for Minimax<G> {
    fn search(&self, tree: &mut Tree<G>, position: &G, depth: u32) -> Result<Score, Stopped> {
        let me = position.to_move().unwrap_or(Seat::FIRST);
        self.value(tree, position, me, depth)
    }
}
