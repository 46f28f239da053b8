//! Environments: games against fixed opponents, in which accounts play run after run over the
//! network and are rated by their results, as in the FAUhalma course.
//!
//! An [`Environment`] comes from a file. A [`Run`] is one game of one account: its agent is shown
//! percepts and answers with actions; the opponents move in between, so that it is always the
//! agent's turn. The opponents' moves follow from the run's seed and its moves alone, so a run that
//! is resumed after a crash goes on as it would have without one.

mod desk;
mod environment;
mod rating;
mod run;

#[cfg(test)]
mod tests;

pub use desk::{Acted, ActionRequest, Desk};
pub use environment::{Begins, Environment, Environments, Opponent, Threshold, Ties};
pub use rating::Rating;
pub use run::{Refused, Run};
