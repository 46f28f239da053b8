//! Simulated tournaments of known strength: do intervals and tests keep their promises?
//!
//! The environment variable `AGON_SOAK` multiplies the number of tournaments. The measured figures
//! are shown with `--nocapture`.

mod intervals;
mod sequential;

use agon_core::{PerSeat, Rng};

use super::{ELO_PER_NAT, GameResult};
use crate::estimate::expected_score;

/// How many trials to run.
fn trials(base: usize) -> usize {
    let soak = std::env::var("AGON_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    base * soak
}

/// A source of random numbers between 0 and 1.
struct Random(Rng);

impl Random {
    fn new(seed: u64) -> Random {
        Random(Rng::new(seed))
    }

    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() as f64 + 0.5) / 2f64.powi(64)
    }
}

/// How draws come about.
#[derive(Clone, Copy)]
enum DrawModel {
    /// This share of the weaker side's score comes from draws, so that the expected score stays
    /// that of Elo.
    Share(f64),
    /// Davidson's ν.
    Nu(f64),
}

/// Two-player games with known probabilities.
#[derive(Clone, Copy)]
struct Duel {
    draws: DrawModel,
    /// The first seat's advantage, in Elo.
    first_seat: f64,
    /// How often the second game of a pair ends like the first for the *seats*: the opening favours
    /// one of them.
    shared: f64,
}

impl Duel {
    /// The first player's score (0, 1 or 2 halves), given its advantage and a uniform random number
    /// from 0 to 1, where larger is better.
    fn halves(&self, advantage: f64, luck: f64) -> u8 {
        let (win, draw) = match self.draws {
            DrawModel::Share(share) => {
                let score = expected_score(advantage);
                let draw = 2.0 * share * score.min(1.0 - score);
                (score - draw / 2.0, draw)
            }
            DrawModel::Nu(nu) => {
                let half = (advantage / ELO_PER_NAT / 2.0).exp();
                let total = half + nu + 1.0 / half;
                (half / total, nu / total)
            }
        };
        if luck > 1.0 - win {
            2
        } else if luck > 1.0 - win - draw {
            1
        } else {
            0
        }
    }

    /// The scores of two agents in both games of a pair, in halves: the first one opens the first
    /// game.
    fn pair(&self, random: &mut Random, difference: f64) -> [u8; 2] {
        let luck = random.uniform();
        let again = if random.uniform() < self.shared { luck } else { random.uniform() };
        let opened = self.halves(self.first_seat + difference, luck);
        // In the second game the other agent opens.
        [opened, 2 - self.halves(self.first_seat - difference, again)]
    }

    /// The two games of a pair.
    fn games(
        &self,
        random: &mut Random,
        strengths: &[f64],
        [one, other]: [usize; 2],
        group: u64,
    ) -> [GameResult; 2] {
        let halves = self.pair(random, strengths[one] - strengths[other]);
        let game = |seating: [usize; 2], halves: u8| GameResult {
            seating: PerSeat::from_slice(&seating.map(|agent| agent as u32)),
            points: PerSeat::from_slice(&[50 * halves, 100 - 50 * halves]),
            group: Some(group),
        };
        [game([one, other], halves[0]), game([other, one], 2 - halves[1])]
    }

    /// A round robin with this many pairs of games between every two.
    fn round_robin(&self, random: &mut Random, strengths: &[f64], pairs: usize) -> Vec<GameResult> {
        let mut games = Vec::new();
        for other in 0..strengths.len() {
            for one in 0..other {
                for _ in 0..pairs {
                    let group = games.len() as u64;
                    games.extend(self.games(random, strengths, [one, other], group));
                }
            }
        }
        games
    }
}
