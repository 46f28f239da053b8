//! Alpha-beta with heuristic ordering: the Wumpus course's Algorithm 1.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use agon_core::{Evaluation, Game, Seat};

use crate::budget::Stopped;
use crate::deepening::FixedDepth;
use crate::score::Score;
use crate::tree::Tree;

/// Alpha-beta that puts the children of every position into a priority queue by a heuristic, and
/// looks at the most promising first: the highest value of `heuristic` for the player to move,
/// which for MIN is the lowest for MAX. The queue costs a look at every child, searched or not;
/// what the order saves must outweigh that.
#[derive(Clone, Debug)]
pub struct Ordered<G> {
    /// What orders the children.
    pub heuristic: Evaluation<G>,
    /// What judges the positions at the bottom.
    pub evaluation: Evaluation<G>,
}

/// A child in the queue. Equals leave in the order they were generated.
struct Child<M> {
    promise: i32,
    number: usize,
    mv: M,
}

impl<M> Ord for Child<M> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.promise.cmp(&other.promise).then(other.number.cmp(&self.number))
    }
}

impl<M> PartialOrd for Child<M> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<M> PartialEq for Child<M> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<M> Eq for Child<M> {}

impl<G: Game> Ordered<G> {
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
        let mut queue = self.queue(tree, position, me);
        if queue.is_empty() {
            return Ok(tree.stuck(position, me));
        }
        let (mut best, mut looked_at) = (Score::LOWEST, 0);
        while let Some(Child { mv, .. }) = queue.pop() {
            let child = tree.play(position, mv)?;
            let value = -self.value(tree, &child, me.opponent(), depth - 1, (-beta, -alpha))?;
            tree.undo();
            if value > best {
                best = value;
                tree.improve(mv);
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

    /// The children, the most promising on top.
    fn queue(&self, tree: &mut Tree<G>, position: &G, me: Seat) -> BinaryHeap<Child<G::Move>> {
        let moves = tree.moves(position);
        let mut queue = BinaryHeap::with_capacity(moves.len());
        for (number, &mv) in moves.iter().enumerate() {
            let mut child = position.clone();
            child.play(mv);
            let promise = match child.status().outcome() {
                Some(outcome) => Score::of(&outcome, me, 0).value(),
                None => (self.heuristic.judge)(&child, me),
            };
            queue.push(Child { promise, number, mv });
        }
        tree.recycle(moves);
        queue
    }
}

impl<G: Game> FixedDepth<G> for Ordered<G> {
    fn search(&self, tree: &mut Tree<G>, position: &G, depth: u32) -> Result<Score, Stopped> {
        let me = position.to_move().unwrap_or(Seat::FIRST);
        self.value(tree, position, me, depth, (Score::LOWEST, Score::HIGHEST))
    }
}
