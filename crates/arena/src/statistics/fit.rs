//! One Elo for every agent, from all games at once.
//!
//! # The model
//! Every two players of a game are compared by their points. With d = (strength + seat) of the one
//! − (strength + seat) of the other, there are two ways to treat a draw, [`Draws`]:
//!
//! - as half a win for each: the expected score is 1/(1 + 10^(−d/400));
//! - as a result of its own, after Davidson: win, draw and loss are as likely as 10^(d/800) to ν
//!   to 10^(−d/800).
//!
//! Strengths, seats and ν maximise the likelihood of all comparisons together (Newton's method;
//! there is only one maximum). A two-player game has one comparison. A three-player game has three
//! that are not independent, as the two games of a pair are not; so the errors come from the
//! variance over *groups* (the "sandwich" of the inverse information and the groups' squared
//! scores) and hold whatever games of one group have in common.
//!
//! # Conventions
//! - Each agent has one virtual game against the average of those it can be compared with, half won
//!   and half lost. So has each seat against the average seat; and ν one virtual game of equals,
//!   half drawn and half decided. Thus an agent that won all of n games gets a finite Elo, about
//!   400·log₁₀(2n) over the opponent. Otherwise differences shrink by about 1/(2n), which offsets
//!   some of the bias that estimates of odds have.
//! - The errors include the virtual games: a few equal results are no certainty. With k free
//!   parameters and g groups, including virtual ones, the variance is scaled by g/(g − k), but at
//!   most by 2.
//! - Agents that are not connected by a chain of games cannot be compared. They are different
//!   [components](Fit::components), each with its own mean of 0.

mod layout;
mod likelihood;
#[cfg(test)]
mod tests;

use agon_core::Seat;

use super::matrix::Matrix;
use super::{ELO_PER_NAT, GameResult, normal};
use crate::estimate::{Estimate, Z95};
use layout::Layout;
use likelihood::FitData;

/// How a draw counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draws {
    /// Half a win for each. 400 Elo are an expected score of 10 : 1, as everywhere in Agon: the
    /// difference of two agents with balanced seats is the Elo of their score.
    HalfWins,
    /// A result of its own with Davidson's parameter ν. 400 Elo are ten wins for each loss,
    /// however many draws there are: with many draws, differences are larger than the score's Elo.
    Davidson,
}

/// Strengths, seat advantages and their errors, fitted to games.
///
/// ```
/// use agon_arena::statistics::{Draws, Fit, GameResult};
/// use agon_core::PerSeat;
///
/// // 300 of 400 for agent 0, half of the games in each seat.
/// let games: Vec<GameResult> = (0..400)
///     .map(|game| {
///         let first_wins = (game % 4 != 0) as u8 * 100;
///         let (seating, points) = if game < 200 {
///             ([0, 1], [first_wins, 100 - first_wins])
///         } else {
///             ([1, 0], [100 - first_wins, first_wins])
///         };
///         GameResult {
///             seating: PerSeat::from_slice(&seating),
///             points: PerSeat::from_slice(&points),
///             group: None,
///         }
///     })
///     .collect();
/// let fit = Fit::of(&games, Draws::HalfWins);
/// let difference = fit.difference(0, 1).unwrap();
/// assert_eq!(difference.value.round(), 191.0);
/// assert!(difference.low > 150.0 && difference.high < 231.0);
/// assert!(fit.likelihood_of_superiority(0, 1).unwrap() > 0.999);
/// assert_eq!(fit.difference(0, 2), None);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    layout: Layout,
    /// Strengths, seats and ln ν, in natural logarithms of odds.
    values: Vec<f64>,
    covariance: Matrix,
}

impl Fit {
    /// Fits all games. The agents' numbers and the order of the games do not matter.
    pub fn of(games: &[GameResult], draws: Draws) -> Fit {
        let layout = Layout::of(games, draws);
        let problem = FitData::new(games, &layout);
        let values = problem.maximise();
        let covariance = problem.covariance(&values);
        Fit { layout, values, covariance }
    }

    /// All agents with a game, by their numbers.
    pub fn agents(&self) -> &[u32] {
        self.layout.agents()
    }

    /// The components: agents that can be compared with each other, the largest first. With more
    /// than one, some games are still missing.
    pub fn components(&self) -> Vec<Vec<u32>> {
        self.layout.components()
    }

    /// The Elo of an agent over the mean of its component. `None` for an agent without an opponent.
    pub fn elo(&self, agent: u32) -> Option<Estimate> {
        let index = self.layout.agent(agent).filter(|&index| self.layout.has_opponents(index))?;
        Some(self.contrast(&[(index, 1.0)]))
    }

    /// How much stronger one agent is than another. `None` if no chain of games connects them.
    pub fn difference(&self, agent: u32, other: u32) -> Option<Estimate> {
        let (index, other) = (self.layout.agent(agent)?, self.layout.agent(other)?);
        let comparable = index != other && self.layout.same_component(index, other);
        comparable.then(|| self.contrast(&[(index, 1.0), (other, -1.0)]))
    }

    /// The likelihood that the agent is the stronger of the two, from 0 to 1, given these games.
    pub fn likelihood_of_superiority(&self, agent: u32, other: u32) -> Option<f64> {
        self.difference(agent, other).map(|difference| superiority(&difference))
    }

    /// The advantage of one seat over another in Elo, at a table of this size. `None` if no such
    /// game was played.
    pub fn seat_advantage(&self, players: usize, seat: Seat, over: Seat) -> Option<Estimate> {
        let (index, over) = (self.layout.seat(players, seat)?, self.layout.seat(players, over)?);
        Some(self.contrast(&[(index, 1.0), (over, -1.0)]))
    }

    /// Davidson's ν: equals draw ν/(2 + ν) of their games. `None` if draws are half wins, or
    /// without games.
    pub fn draw_parameter(&self) -> Option<Estimate> {
        let index = self.layout.draw()?;
        let error = Z95 * self.variance(&[(index, 1.0)]).sqrt();
        let [value, low, high] = [0.0, -error, error].map(|by| (self.values[index] + by).exp());
        Some(Estimate { value, low, high })
    }

    /// A sum of parameters in Elo.
    fn contrast(&self, weights: &[(usize, f64)]) -> Estimate {
        let value: f64 = weights.iter().map(|&(index, weight)| weight * self.values[index]).sum();
        let error = Z95 * self.variance(weights).sqrt();
        let [value, low, high] = [value, value - error, value + error].map(|x| x * ELO_PER_NAT);
        Estimate { value, low, high }
    }

    fn variance(&self, weights: &[(usize, f64)]) -> f64 {
        let terms = weights.iter().flat_map(|&(row, a)| {
            weights.iter().map(move |&(column, b)| a * b * self.covariance[(row, column)])
        });
        // Rounding can leave a tiny negative number.
        terms.sum::<f64>().max(0.0)
    }
}

/// The likelihood that the true value is above zero, if the error is normal.
pub(crate) fn superiority(difference: &Estimate) -> f64 {
    let deviation = (difference.high - difference.value) / Z95;
    if difference.value == 0.0 { 0.5 } else { normal::cumulative(difference.value / deviation) }
}
