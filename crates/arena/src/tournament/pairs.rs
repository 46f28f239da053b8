//! The results of every two agents against each other.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::game_summary::GameSummary;

/// Two agents, the smaller number first.
pub type Pair = (u16, u16);

/// The results of all games in which both agents took part, seen from the first. At tables of more
/// than two, the one with more points has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairTotals {
    /// Games in which the first did better.
    pub wins: u64,
    /// Games in which both did equally well.
    pub draws: u64,
    /// Games in which the second did better.
    pub losses: u64,
    /// The points of both.
    pub points: [u64; 2],
    /// The plies of these games, in total.
    pub plies: u64,
    /// The thinking time of both.
    pub time: [Duration; 2],
    /// Games that ended with a fault of either.
    pub faults: [u64; 2],
}

impl PairTotals {
    /// How many games there were.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The mean length of a game in plies.
    pub fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games().max(1) as f64
    }
}

/// All pairs that have met.
#[derive(Clone, Debug, Default)]
pub struct Pairs(BTreeMap<Pair, PairTotals>);

impl Pairs {
    /// Counts a game for every two of its players.
    pub fn add(&mut self, game: &GameSummary) {
        for (seat, &agent) in game.seating.iter() {
            for (other_seat, &other) in game.seating.iter() {
                if agent >= other {
                    continue;
                }
                let pair = self.0.entry((agent, other)).or_default();
                let points = [game.points[seat], game.points[other_seat]];
                match points[0].cmp(&points[1]) {
                    std::cmp::Ordering::Greater => pair.wins += 1,
                    std::cmp::Ordering::Equal => pair.draws += 1,
                    std::cmp::Ordering::Less => pair.losses += 1,
                }
                pair.plies += u64::from(game.plies);
                for (index, seat) in [seat, other_seat].into_iter().enumerate() {
                    let at_fault = game.offence().is_some_and(|(offender, _)| offender == seat);
                    pair.points[index] += u64::from(points[index]);
                    pair.time[index] += game.effort[seat].time;
                    pair.faults[index] += u64::from(at_fault);
                }
            }
        }
    }

    /// All pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = (Pair, &PairTotals)> {
        self.0.iter().map(|(pair, totals)| (*pair, totals))
    }
}
