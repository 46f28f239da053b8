//! What a search reports while it runs and when it is done.

use std::time::Duration;

use crate::score::Score;

/// The result of one iteration, or an intermediate state of a search without depths.
#[derive(Clone, Debug)]
pub struct Iteration<M> {
    /// The depth in plies.
    pub depth: u32,
    /// The place of the line among those asked for, from 0: the best.
    pub rank: usize,
    /// The value for the side to move.
    pub score: Score,
    /// The best line, its first move first.
    pub pv: Vec<M>,
    /// Moves played by the search so far, all iterations together.
    pub nodes: u64,
    /// Positions whose moves were generated so far.
    pub expanded: u64,
    /// The time so far.
    pub time: Duration,
}

/// Where a move comes from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Source {
    /// A search, or whatever else the agent does.
    #[default]
    Search,
    /// An opening book.
    Book,
    /// Endgame tables: the score is exact.
    Table,
    /// A pure race, which nobody can disturb any more: its length is exact.
    Race,
    /// A solver: the score is proven.
    Proof,
}

impl Source {
    /// Whether the score is exact, and not an estimate.
    pub fn is_exact(self) -> bool {
        matches!(self, Source::Table | Source::Race | Source::Proof)
    }

    /// Its name, if there is something to tell: `book`, `known exactly`, `exact race`,
    /// `proven`.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Source::Search => None,
            Source::Book => Some("book"),
            Source::Table => Some("known exactly"),
            Source::Race => Some("exact race"),
            Source::Proof => Some("proven"),
        }
    }
}

/// The cost of a search and the quality of its cut-offs.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Moves played by the search.
    pub nodes: u64,
    /// Of these, in the last complete iteration.
    pub last_nodes: u64,
    /// Positions whose moves were generated.
    pub expanded: u64,
    /// The depth of the last complete iteration.
    pub depth: u32,
    /// The time it took.
    pub time: Duration,
    /// Positions where the remaining moves were cut off.
    pub cutoffs: u64,
    /// Of these, where the first move was enough.
    pub first_move_cutoffs: u64,
    /// Positions that were judged by an evaluation.
    pub evaluations: u64,
    /// The number of iterations of a Monte Carlo search; 0 for other searches.
    pub iterations: u64,
    /// Where the move comes from.
    pub source: Source,
}

impl Statistics {
    /// Adds what another thread counted.
    pub fn add(&mut self, other: &Statistics) {
        self.nodes += other.nodes;
        self.expanded += other.expanded;
        self.cutoffs += other.cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.evaluations += other.evaluations;
        self.iterations += other.iterations;
    }

    /// Nodes per second.
    pub fn nodes_per_second(&self) -> u64 {
        per_second(self.nodes, self.time)
    }

    /// The branching factor of a uniform tree with as many nodes and plies as the last iteration. 0
    /// if there was none.
    pub fn effective_branching_factor(&self) -> f64 {
        let nodes_of =
            |factor: f64| (1..=self.depth).map(|ply| factor.powi(ply as i32)).sum::<f64>();
        let wanted = self.last_nodes as f64;
        if self.depth == 0 || wanted == 0.0 {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, wanted);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if nodes_of(middle) < wanted { low = middle } else { high = middle }
        }
        high
    }

    /// The share of cut-offs caused by the first move, from 0 to 1.
    pub fn first_move_share(&self) -> f64 {
        if self.cutoffs == 0 { 0.0 } else { self.first_move_cutoffs as f64 / self.cutoffs as f64 }
    }
}

/// The rate per second.
pub fn per_second(count: u64, time: Duration) -> u64 {
    (count as f64 / time.as_secs_f64().max(1e-9)) as u64
}

/// A search's answer.
#[derive(Clone, Debug)]
pub struct Choice<M> {
    /// The move to play.
    pub mv: M,
    /// The value of the position for the side to move, if the strategy has one.
    pub score: Option<Score>,
    /// The best line, beginning with the move.
    pub pv: Vec<M>,
    /// What it cost.
    pub statistics: Statistics,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_branching_factor_of_an_even_tree_is_found() {
        let statistics =
            |last_nodes, depth| Statistics { last_nodes, depth, ..Statistics::default() };
        let close =
            |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        close(statistics(3 + 9 + 27, 3).effective_branching_factor(), 3.0);
        close(statistics(7, 1).effective_branching_factor(), 7.0);
        close(statistics(5, 5).effective_branching_factor(), 1.0);
        close(statistics(0, 0).effective_branching_factor(), 0.0);
    }
}
