//! How many games go into a unit, and how many units are out at a time.

use super::super::names::MOST_GAMES;

/// How long a unit should keep a worker busy: long beside the cost of a message, and short beside
/// what is lost when a worker dies.
const SECONDS: f64 = 1.0;
/// How many units there are for every slot, so that nobody waits for the next one.
const UNITS_PER_SLOT: usize = 3;
/// The fewest and the most units that are out at a time.
const WINDOW: std::ops::RangeInclusive<usize> = 16..=8192;

/// What has been learnt about the length of games.
#[derive(Clone, Debug, Default)]
pub(super) struct Packing {
    seconds_per_game: Option<f64>,
}

impl Packing {
    /// These games took a worker this long.
    pub fn learn(&mut self, games: usize, millis: u64) {
        if games == 0 {
            return;
        }
        // A worker can claim anything: no more than a day a game.
        let seconds = (millis as f64 / 1000.0 / games as f64).clamp(1e-6, 86_400.0);
        let mean = self.seconds_per_game.map_or(seconds, |mean| 0.8 * mean + 0.2 * seconds);
        self.seconds_per_game = Some(mean);
    }

    /// How many games the next unit has: whole groups, and few enough that all slots get some of the
    /// games that are left.
    pub fn games(&self, group: u64, left: u64, slots: usize) -> usize {
        let group = usize::try_from(group).unwrap_or(1).max(1);
        let wanted = self.seconds_per_game.map_or(1.0, |seconds| SECONDS / seconds);
        let fair = left / (4 * slots.max(1) as u64);
        let wanted = (wanted as usize).min(usize::try_from(fair).unwrap_or(usize::MAX));
        let most = (MOST_GAMES / group).max(1);
        (wanted / group).clamp(1, most) * group
    }

    /// How many units may be out at a time.
    pub fn window(slots: usize) -> usize {
        (slots * UNITS_PER_SLOT).clamp(*WINDOW.start(), *WINDOW.end())
    }

    /// How many seconds this many games take on these slots.
    pub fn seconds(&self, games: u64, slots: usize) -> Option<u64> {
        let each = self.seconds_per_game?;
        (slots > 0).then(|| (games as f64 * each / slots as f64).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_games_are_packed_together_and_long_ones_are_not() {
        let mut packing = Packing::default();
        assert_eq!(packing.games(2, 1_000_000, 4), 2, "nothing is known yet");
        packing.learn(2, 60_000);
        assert_eq!(packing.games(2, 1_000_000, 4), 2);
        for _ in 0..100 {
            packing.learn(100, 10);
        }
        assert_eq!(packing.games(2, 1_000_000, 4), MOST_GAMES);
        assert_eq!(packing.games(6, 1_000_000, 4), 510, "whole groups");
        assert_eq!(packing.games(2, 100, 4), 6, "everybody gets some of the last games");
        assert_eq!(packing.games(2, 3, 4), 2);
        packing.learn(1, u64::MAX);
        assert!(packing.games(2, u64::MAX, 0) >= 2);
    }
}
