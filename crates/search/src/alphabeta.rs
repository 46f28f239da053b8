//! Alpha-beta: minimax that prunes what cannot matter.

use agon_core::{Evaluate, Evaluator, Seat};

use crate::budget::Stopped;
use crate::deepening::FixedDepth;
use crate::score::Score;
use crate::tree::Tree;

/// Minimax with a window. `alpha` is what the player to move is sure of elsewhere in the tree,
/// `beta` what the opponent is sure of. The opponent will not allow a move worth `beta` or more, so
/// the moves after it need not be searched. The value at the root is the same as minimax's.
#[derive(Clone, Debug)]
pub struct AlphaBeta<G: Evaluate> {
    /// The evaluation at the leaves.
    pub evaluation: Evaluator<G>,
}

impl<G: Evaluate> AlphaBeta<G> {
    fn value(
        &self,
        tree: &mut Tree<G>,
        position: &G,
        me: Seat,
        depth: u32,
        (mut alpha, beta): (Score, Score),
    ) -> Result<Score, Stopped> {
        if let Some(result) = tree.settled(position, me) {
            return Ok(result);
        }
        if depth == 0 {
            return Ok(tree.evaluate(position, &self.evaluation, me));
        }
        let moves = tree.moves(position);
        let mut best = Score::LOWEST;
        for (number, &mv) in moves.iter().enumerate() {
            let child = tree.play(position, mv)?;
            let value = -self.value(tree, &child, me.opponent(), depth - 1, (-beta, -alpha))?;
            tree.undo();
            if value > best {
                best = value;
                tree.improve(mv);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                tree.cut(number);
                break;
            }
        }
        let result = if moves.is_empty() { tree.stuck(position, me) } else { best };
        tree.recycle(moves);
        Ok(result)
    }
}

impl<G: Evaluate> FixedDepth<G> for AlphaBeta<G> {
    fn search(&self, tree: &mut Tree<G>, position: &G, depth: u32) -> Result<Score, Stopped> {
        let me = position.to_move().unwrap_or(Seat::FIRST);
        self.value(tree, position, me, depth, (Score::LOWEST, Score::HIGHEST))
    }
}
