//! An agent's results over many games.

use agon_core::{PerSeat, Seat};

/// An agent's results. If it sat at two seats of one table, that counts twice.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Results {
    /// How often it sat at a table.
    pub games: u64,
    /// How often it was alone in first place.
    pub wins: u64,
    /// How often it shared the first place.
    pub draws: u64,
    /// How often somebody else was better.
    pub losses: u64,
    /// The sum of its points, 0 to 100 a game.
    pub points: u64,
    /// How often it lost through a fault of its own.
    pub faults: u64,
}

impl Results {
    /// Counts a game in which it sat at this seat.
    pub fn add(&mut self, points: &PerSeat<u8>, seat: Seat, at_fault: bool) {
        let mine = points[seat];
        let others = points.iter().filter(|(other, _)| *other != seat);
        match others.map(|(_, points)| *points).max() {
            Some(best) if best > mine => self.losses += 1,
            Some(best) if best == mine => self.draws += 1,
            _ => self.wins += 1,
        }
        self.games += 1;
        self.points += u64::from(mine);
        self.faults += u64::from(at_fault);
    }

    /// Points as a share of the maximum, 0 to 1.
    pub fn score(&self) -> f64 {
        self.points as f64 / (100 * self.games.max(1)) as f64
    }
}
