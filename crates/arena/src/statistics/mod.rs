//! Statistics of game results: how strong the agents are and how certain that is.
//!
//! - [`fit`]: one Elo for each of any number of agents from all their games at once, with errors;
//! - [`pentanomial`]: a match of two in pairs, its Elo and normalised Elo;
//! - [`sprt`]: a test that plays no more games than needed to decide between two hypotheses;
//! - [`normal`]: the normal distribution;
//! - [`round_ratings`]: ratings that change round by round during a contest.
//!
//! All of it returns values and prints nothing.

pub mod fit;
mod matrix;
pub mod normal;
pub mod pentanomial;
pub mod round_ratings;
pub mod sprt;

#[cfg(test)]
mod simulation;

use std::cmp::Ordering;

use agon_core::{PerSeat, Seat};

pub use fit::{Draws, Fit};
pub use pentanomial::Counts;
pub use round_ratings::RoundRatings;
pub use sprt::{Sprt, SprtVerdict};

/// Elo for one unit of natural logarithm: a factor of ten in the odds is 400.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The result of one game, as the statistics need it.
///
/// ```
/// use agon_arena::statistics::GameResult;
/// use agon_core::PerSeat;
///
/// // Agent 7 opened the game and beat agent 3. The game with swapped seats has the same group.
/// let game = GameResult {
///     seating: PerSeat::from_slice(&[7, 3]),
///     points: PerSeat::from_slice(&[100, 0]),
///     group: Some(1),
/// };
/// assert_eq!(game.score_of(7), Some(1.0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Which agent sat where. The numbers are the caller's and need not be dense.
    pub seating: PerSeat<u32>,
    /// The points of every seat. Only their order matters: more points are better.
    pub points: PerSeat<u8>,
    /// Shared by the games of one opening with other seatings, which are not independent, and by no
    /// other games. `None` for a single game.
    pub group: Option<u64>,
}

/// Two players of one game and which of them was better.
#[derive(Clone, Copy, Debug)]
struct Comparison {
    agents: [u32; 2],
    seats: [Seat; 2],
    /// The first against the second.
    result: Ordering,
}

impl GameResult {
    /// Every two players of the game. A seat without an agent or without points is left out.
    fn comparisons(&self) -> impl Iterator<Item = Comparison> {
        let players: Vec<(Seat, u32, u8)> = self
            .seating
            .iter()
            .zip(self.points.as_slice())
            .map(|((seat, agent), points)| (seat, *agent, *points))
            .collect();
        let pairs = (0..players.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        pairs.map(move |(a, b)| {
            let ((first, agent, points), (second, other, theirs)) = (players[a], players[b]);
            Comparison {
                agents: [agent, other],
                seats: [first, second],
                result: points.cmp(&theirs),
            }
        })
    }

    /// This agent's score in a game of two different agents: 1, ½ or 0.
    pub fn score_of(&self, agent: u32) -> Option<f64> {
        let mut comparisons = self.comparisons();
        let Comparison { agents: [first, second], result, .. } = comparisons.next()?;
        let only_one_is = (first == agent) != (second == agent);
        if !only_one_is || comparisons.next().is_some() {
            return None;
        }
        Some(score(if first == agent { result } else { result.reverse() }))
    }
}

/// 1 for a win, ½ for a draw, 0 for a loss.
fn score(result: Ordering) -> f64 {
    match result {
        Ordering::Greater => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Less => 0.0,
    }
}
