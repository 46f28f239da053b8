//! The searches and agents that pick moves.
//!
//! A [`Strategy`] gets a position with its history and a [`Budget`], reports its iterations, and
//! returns a move with its score and statistics. [`engine`] is the strongest for two players,
//! [`solver`] finds exact values. The textbook agents are meant to be read, each in a
//! self-contained file: [`random`], [`greedy`], [`minimax`], [`alphabeta`] and [`ordered`]. What
//! they share is in [`tree`] (bookkeeping of a search) and [`deepening`] (iterative deepening).
//! [`agents`] builds them from texts such as `alphabeta:depth=4,eval=simple`, [`mod@adviser`] is
//! their text interface, [`mod@bench`] measures them, and [`tune`] fits the weights of evaluations
//! to games they play.

pub mod adviser;
pub mod agents;
pub mod alphabeta;
pub mod at_hand;
pub mod bench;
pub mod book;
pub mod budget;
pub mod deepening;
pub mod engine;
pub mod expected;
pub mod greedy;
pub mod many;
pub mod mcts;
pub mod memory;
pub mod minimax;
pub mod ordered;
pub mod proof;
pub mod random;
pub mod report;
pub mod score;
pub mod solver;
pub mod spec;
pub mod strategy;
mod switches;
mod tabled;
mod threads;
pub mod tree;
pub mod tune;
pub mod values;

#[cfg(test)]
mod dummy;
#[cfg(test)]
#[path = "../../core/tests/noise/mod.rs"]
mod noise;
#[cfg(test)]
mod tests;

pub use adviser::{Adviser, adviser};
pub use budget::{Budget, StopFlag, Time};
pub use report::{Choice, Iteration, Source, Statistics};
pub use score::{Forced, Score};
pub use spec::{AgentError, AgentSpec};
pub use strategy::{Root, Strategy};
