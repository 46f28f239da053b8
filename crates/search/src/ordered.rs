//! Alpha-beta with heuristic ordering: the Wumpus course's Algorithm 1.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use agon_core::{Evaluate, Evaluator, Game, Progress, Seat};

use crate::budget::Stopped;
use crate::deepening::FixedDepth;
use crate::score::Score;
use crate::tree::Tree;

/// Alpha-beta that puts the children of every position into a priority queue by a heuristic, and
/// searches the most promising first: the highest value of `heuristic` for the player to move,
/// which for MIN is the lowest for MAX. The queue costs playing every move, searched or not: each
/// is a node, and what the order saves must outweigh that.
#[derive(Clone, Debug)]
pub(crate) struct Ordered<G: Evaluate> {
    /// The evaluation that orders the children.
    pub heuristic: Evaluator<G>,
    /// The evaluation at the leaves.
    pub evaluation: Evaluator<G>,
}

/// The children of a position by number, and their priority queue: the most promising on top,
/// equals in generation order.
struct Children<G: Game> {
    all: Vec<(G::Move, G, Progress)>,
    queue: BinaryHeap<(i32, Reverse<usize>)>,
}

impl<G: Evaluate> Ordered<G> {
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
        let Children { all, mut queue } = self.children(tree, position, me)?;
        if queue.is_empty() {
            return Ok(tree.stuck(position, me));
        }
        let (mut best, mut looked_at) = (Score::LOWEST, 0);
        while let Some((_, Reverse(number))) = queue.pop() {
            let (mv, child, progress) = &all[number];
            tree.enter(child, *progress);
            let value = -self.value(tree, child, me.opponent(), depth - 1, (-beta, -alpha))?;
            tree.undo();
            if value > best {
                best = value;
                tree.improve(*mv);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                tree.cut(looked_at);
                break;
            }
            looked_at += 1;
        }
        Ok(best)
    }

    /// Plays every move and puts the children into the queue by the heuristic's value for `me`.
    fn children(&self, tree: &mut Tree<G>, position: &G, me: Seat) -> Result<Children<G>, Stopped> {
        let moves = tree.moves(position);
        let mut children =
            Children { all: Vec::with_capacity(moves.len()), queue: BinaryHeap::new() };
        for (number, &mv) in moves.iter().enumerate() {
            let (child, progress) = tree.look(position, mv)?;
            let promise = match child.status().outcome() {
                Some(outcome) => Score::of(&outcome, me, 0).value(),
                None => self.heuristic.judge(&child, me),
            };
            children.queue.push((promise, Reverse(number)));
            children.all.push((mv, child, progress));
        }
        tree.recycle(moves);
        Ok(children)
    }
}

impl<G: Evaluate> FixedDepth<G> for Ordered<G> {
    fn search(&self, tree: &mut Tree<G>, position: &G, depth: u32) -> Result<Score, Stopped> {
        let me = position.to_move().unwrap_or(Seat::FIRST);
        self.value(tree, position, me, depth, (Score::LOWEST, Score::HIGHEST))
    }
}
