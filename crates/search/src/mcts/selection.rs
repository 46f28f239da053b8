//! Which move to explore next, and which one to play.

use agon_core::{Hints, Seat};

use super::history::MoveHistory;
use super::node::{Bounds, Node};
use super::options::Options;

/// The weight of evaluations relative to the mean of the visits.
const MINIMAX_WEIGHT: f32 = 0.35;
/// The weight of a move's history.
const HISTORY_WEIGHT: f32 = 0.15;
/// First-play urgency: an unvisited move is assumed to be this much worse than its position.
const FIRST_VISIT_DISCOUNT: f32 = 0.1;

/// A position on the way down, from the mover's point of view.
pub(super) struct Crossroads<'a, G: Hints> {
    pub(super) position: &'a G,
    pub(super) mover: Seat,
    pub(super) node: &'a Node<G::Move>,
    pub(super) children: &'a [Node<G::Move>],
    pub(super) options: &'a Options,
    pub(super) history: &'a MoveHistory,
}

impl<G: Hints> Crossroads<'_, G> {
    /// The child to descend to. `offset` is where to start, so that ties are broken fairly.
    pub(super) fn select(&self, offset: usize) -> usize {
        let switches = &self.options.switches;
        let bounds = self.node.bounds();
        let visits = self.node.visits().max(1) as f32;
        let scale = Scale {
            root: if switches.priors { visits.sqrt() } else { visits.ln().max(0.0).sqrt() },
            unvisited: self.value_of_unvisited(),
        };
        let (mut best, mut best_value) = (None, f32::NEG_INFINITY);
        let count = self.children.len();
        for step in 0..count {
            let index = if offset + step < count { offset + step } else { offset + step - count };
            let child = &self.children[index];
            if switches.solver && !self.is_worth_a_look(&bounds, child) {
                continue;
            }
            let value = self.urgency(child, &scale);
            if value > best_value {
                (best, best_value) = (Some(index), value);
            }
        }
        best.unwrap_or_else(|| self.surest())
    }

    /// Whether exploring a child can change what is known about this position.
    fn is_worth_a_look(&self, here: &Bounds, child: &Node<G::Move>) -> bool {
        let (me, seats) = (self.mover.index(), self.position.seats());
        let bounds = child.bounds();
        let is_better = bounds.high[me] > here.low[me];
        // The mover's result may be settled while the others' are not.
        let as_good = bounds.high[me] == here.low[me] && here.settle(self.mover);
        (is_better || as_good) && !bounds.settle_all(seats)
    }

    /// The selection score of a child: its value plus an exploration term.
    #[inline]
    fn urgency(&self, child: &Node<G::Move>, scale: &Scale) -> f32 {
        let switches = &self.options.switches;
        let visits = child.visits() as f32;
        let mut value = self.value(child).unwrap_or(scale.unvisited);
        if switches.history
            && let Some(mv) = child.mv()
        {
            let good_elsewhere = self.history.mean(self.mover, self.position.slot(mv).way);
            // The more often a move was visited and did badly, the less this counts.
            value += HISTORY_WEIGHT * good_elsewhere / ((1.0 - value) * visits + 1.0);
        }
        if switches.priors {
            value + self.options.explore * child.prior() * scale.root / (1.0 + visits)
        } else if visits == 0.0 {
            f32::MAX
        } else {
            value + self.options.explore * scale.root / visits.sqrt()
        }
    }

    /// The value of a child to the mover: the mean of its visits, mixed with evaluations, within
    /// its proven bounds. `None` if nothing at all is known.
    #[inline]
    pub(super) fn value(&self, child: &Node<G::Move>) -> Option<f32> {
        let switches = &self.options.switches;
        let value = match child.mean() {
            Some(mean) if switches.minimax => {
                let guess = child.guess().of(self.mover);
                (1.0 - MINIMAX_WEIGHT) * mean + MINIMAX_WEIGHT * guess
            }
            Some(mean) => mean,
            None if switches.minimax => child.guess().of(self.mover),
            None => return None,
        };
        let bounds = child.bounds();
        Some(value.max(bounds.low_share(self.mover)).min(bounds.high_share(self.mover)))
    }

    /// The assumed value of an unvisited child: a little less than the others so far.
    fn value_of_unvisited(&self) -> f32 {
        if self.options.switches.minimax || !self.options.switches.priors {
            return 0.0;
        }
        let (mut sum, mut visits) = (0.0, 0.0);
        for child in self.children {
            if let Some(mean) = child.mean() {
                sum += mean * child.visits() as f32;
                visits += child.visits() as f32;
            }
        }
        if visits > 0.0 { sum / visits - FIRST_VISIT_DISCOUNT } else { 0.5 }
    }

    /// The child with the best proven bound; the shortest win, the longest loss.
    fn surest(&self) -> usize {
        let me = self.mover.index();
        let rank = |&index: &usize| {
            let child = &self.children[index];
            let (bounds, distance) = (child.bounds(), i32::from(child.distance()));
            let distance = if bounds.low_share(self.mover) > 0.5 { -distance } else { distance };
            (bounds.low[me], bounds.high[me], distance)
        };
        (0..self.children.len()).max_by_key(rank).unwrap_or(0)
    }

    /// The move to play: the most visited one, unless another is proven to be better.
    pub(super) fn best(&self) -> usize {
        let me = self.mover.index();
        let surest = self.surest();
        let sure = self.children[surest].bounds();
        let candidates = (0..self.children.len()).filter(|&index| {
            !self.options.switches.solver || self.children[index].bounds().high[me] > sure.low[me]
        });
        let rank = |&index: &usize| {
            let child = &self.children[index];
            (child.visits(), (self.value(child).unwrap_or(0.0) * 1e6) as u32)
        };
        match candidates.max_by_key(rank) {
            Some(most) if self.options.switches.solver => {
                let value = self.value(&self.children[most]).unwrap_or(0.0);
                let is_known = sure.low[me] > 0 && value <= sure.low_share(self.mover);
                if is_known { surest } else { most }
            }
            Some(most) => most,
            None => surest,
        }
    }

    /// The move to play, then those that come next: by visits.
    pub(super) fn ranking(&self) -> Vec<usize> {
        let best = self.best();
        let mut others: Vec<usize> = (0..self.children.len()).filter(|&it| it != best).collect();
        others.sort_by_key(|&it| std::cmp::Reverse(self.children[it].visits()));
        std::iter::once(best).chain(others).collect()
    }
}

/// The terms shared by all children.
struct Scale {
    /// The part of the exploration term that depends on the visits of the position.
    root: f32,
    /// The value of a child without visits.
    unvisited: f32,
}
