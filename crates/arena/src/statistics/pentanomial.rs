//! A match of two agents as counts.
//!
//! A pair is an opening played twice with swapped seats. For one agent it brings 0, ½, 1, 1½ or 2:
//! five counts. Only complete pairs count. Games without pairs have three: lost, drawn and won.
//!
//! The conventions for few results are those of [`estimate`](crate::estimate): a won and a lost
//! game are added to the variance.

use std::collections::BTreeMap;

use super::GameResult;
use super::fit::superiority;
use crate::estimate::{Estimate, Z95, elo_with_interval, variance_of_groups, with_interval};

/// Normalised Elo per standard deviation of a game's score over one half. At equal strength and
/// without draws it is the same as Elo.
const NORMALISED_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// How often an agent had each result against another.
///
/// ```
/// use agon_arena::statistics::Counts;
///
/// let pairs = Counts::Pairs([10, 20, 40, 50, 30]);
/// assert_eq!(pairs.games(), 300);
/// assert_eq!(pairs.mean().unwrap().value, (0.5 * 20.0 + 40.0 + 1.5 * 50.0 + 2.0 * 30.0) / 300.0);
/// assert_eq!(pairs.elo().unwrap().value.round(), 83.0);
/// assert!(pairs.likelihood_of_superiority().unwrap() > 0.999);
/// assert_eq!(Counts::Games([0, 0, 0]).elo(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Complete pairs with 0, ½, 1, 1½ and 2.
    Pairs([u64; 5]),
    /// Single games: lost, drawn and won.
    Games([u64; 3]),
}

/// Mean, variance and the moments that determine the error of their quotient.
struct Shape {
    mean: f64,
    variance: f64,
    skewness: f64,
    kurtosis: f64,
}

impl Counts {
    /// The results of one agent against another: if any of their games belongs to a group, the
    /// complete pairs, which are groups with one game in either seat; otherwise all games.
    pub fn between(games: &[GameResult], agent: u32, opponent: u32) -> Counts {
        let mut pairs: BTreeMap<u64, Vec<(bool, f64)>> = BTreeMap::new();
        let mut singles = [0; 3];
        for game in games.iter().filter(|_| agent != opponent) {
            let (Some(score), Some(_)) = (game.score_of(agent), game.score_of(opponent)) else {
                continue;
            };
            let opens = game.seating.as_slice().first() == Some(&agent);
            match game.group {
                Some(group) => pairs.entry(group).or_default().push((opens, score)),
                None => singles[(2.0 * score) as usize] += 1,
            }
        }
        if pairs.is_empty() {
            return Counts::Games(singles);
        }
        let mut counts = [0; 5];
        for pair in pairs.values() {
            if let [(seat, first), (other, second)] = pair[..]
                && seat != other
            {
                counts[(2.0 * (first + second)) as usize] += 1;
            }
        }
        Counts::Pairs(counts)
    }

    /// How many games were counted.
    pub fn games(&self) -> u64 {
        self.units() * self.unit_size()
    }

    /// How many pairs, or single games, there are.
    pub fn units(&self) -> u64 {
        self.raw().iter().sum()
    }

    fn raw(&self) -> &[u64] {
        match self {
            Counts::Pairs(counts) => counts,
            Counts::Games(counts) => counts,
        }
    }

    /// How many games a unit has.
    fn unit_size(&self) -> u64 {
        match self {
            Counts::Pairs(_) => 2,
            Counts::Games(_) => 1,
        }
    }

    /// Every possible mean of a unit, from 0 to 1, with its count.
    pub(super) fn cells(&self) -> impl Iterator<Item = (f64, f64)> {
        let top = self.raw().len() as f64 - 1.0;
        let cell = move |(step, count): (usize, &u64)| (step as f64 / top, *count as f64);
        self.raw().iter().enumerate().map(cell)
    }

    /// The sum of a power of the units' distances to the mean.
    fn around(&self, mean: f64, power: i32) -> f64 {
        self.cells().map(|(score, count)| count * (score - mean).powi(power)).sum()
    }

    fn raw_mean(&self) -> Option<f64> {
        let total: f64 = self.cells().map(|(score, count)| score * count).sum();
        (self.units() > 0).then(|| total / self.units() as f64)
    }

    /// The mean score of a game with its interval; `None` without results.
    pub fn mean(&self) -> Option<Estimate> {
        let mean = self.raw_mean()?;
        let (units, games) = (self.units() as f64, self.games() as f64);
        Some(with_interval(mean, self.around(mean, 2), units, games))
    }

    /// The variance of a game's score: for pairs, twice that of a pair's mean, so that the
    /// correlation within a pair is included. `None` without results.
    #[cfg(test)]
    pub(super) fn variance(&self) -> Option<f64> {
        self.shape().map(|shape| shape.variance * self.unit_size() as f64)
    }

    /// The difference in Elo with its interval; `None` without results.
    pub fn elo(&self) -> Option<Estimate> {
        Some(elo_with_interval(self.mean()?, self.games() as f64))
    }

    /// Normalised Elo: how far the mean is over one half, in standard deviations of a game. It says
    /// how many games it takes to detect a difference, however many draws there are.
    pub fn normalised_elo(&self) -> Option<Estimate> {
        let Shape { mean, variance, skewness, kurtosis } = self.shape()?;
        let ratio = (mean - 0.5) / variance.sqrt();
        // The deviation is an estimate too, and its error depends on that of the mean.
        let ratio_variance = 1.0 - skewness * ratio + (kurtosis - 1.0) * ratio * ratio / 4.0;
        let error = Z95 * (ratio_variance.max(0.0) / self.units() as f64).sqrt();
        let scale = NORMALISED_PER_DEVIATION / (self.unit_size() as f64).sqrt();
        let [value, low, high] = [ratio, ratio - error, ratio + error].map(|x| x * scale);
        Some(Estimate { value, low, high })
    }

    /// The likelihood that the agent is the stronger one, from 0 to 1, given these results. `None`
    /// without results.
    pub fn likelihood_of_superiority(&self) -> Option<f64> {
        let mean = self.mean()?;
        let over_half = |score: f64| score - 0.5;
        Some(superiority(&Estimate {
            value: over_half(mean.value),
            low: over_half(mean.low),
            high: over_half(mean.high),
        }))
    }

    fn shape(&self) -> Option<Shape> {
        let mean = self.raw_mean()?;
        let (units, games) = (self.units() as f64, self.games() as f64);
        let variance = variance_of_groups(mean, self.around(mean, 2), units, games);
        // With the same added games as in the variance.
        let added = units / games;
        let moment = |power| {
            let ends = added * ((1.0 - mean).powi(power) + (-mean).powi(power));
            (self.around(mean, power) + ends) / (units + 2.0 * added)
        };
        let spread: f64 = moment(2);
        Some(Shape {
            mean,
            variance,
            skewness: moment(3) / spread.powf(1.5),
            kurtosis: moment(4) / (spread * spread),
        })
    }
}

#[cfg(test)]
mod tests {
    use agon_core::PerSeat;

    use super::*;
    use crate::estimate::Sample;

    fn game(seating: [u32; 2], points: [u8; 2], group: Option<u64>) -> GameResult {
        let (seating, points) = (PerSeat::from_slice(&seating), PerSeat::from_slice(&points));
        GameResult { seating, points, group }
    }

    #[track_caller]
    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-3, "{found} is not {wanted}");
    }

    #[test]
    fn only_complete_pairs_of_the_two_agents_count() {
        let games = [
            game([1, 2], [100, 0], Some(5)),
            game([2, 1], [50, 50], Some(5)),
            // Incomplete, not swapped, and not of these two.
            game([1, 2], [100, 0], Some(6)),
            game([1, 2], [100, 0], Some(7)),
            game([1, 2], [0, 100], Some(7)),
            game([1, 3], [100, 0], Some(8)),
            game([3, 1], [100, 0], Some(8)),
            game([1, 2], [0, 100], None),
        ];
        assert_eq!(Counts::between(&games, 1, 2), Counts::Pairs([0, 0, 0, 1, 0]));
        assert_eq!(Counts::between(&games, 2, 1), Counts::Pairs([0, 1, 0, 0, 0]));
        assert_eq!(Counts::between(&games, 1, 1), Counts::Games([0; 3]));
        assert_eq!(Counts::between(&games[7..], 1, 2), Counts::Games([1, 0, 0]));
        assert_eq!(Counts::between(&[], 1, 2), Counts::Games([0; 3]));
    }

    #[test]
    fn three_at_a_table_are_no_match_of_two() {
        let three = GameResult {
            seating: PerSeat::from_slice(&[1, 2, 3]),
            points: PerSeat::from_slice(&[100, 50, 0]),
            group: None,
        };
        assert_eq!(Counts::between(&[three], 1, 2), Counts::Games([0; 3]));
    }

    #[test]
    fn counts_say_what_the_games_in_groups_say() {
        let counts = Counts::Pairs([3, 1, 4, 1, 5]);
        let mut sample = Sample::default();
        let pairs = [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 0.5], [1.0, 1.0]];
        for (pair, count) in pairs.iter().zip(counts.raw()) {
            for _ in 0..*count {
                pair.iter().for_each(|score| sample.add(*score));
                sample.close_group();
            }
        }
        for (counted, grouped) in [
            (counts.mean().unwrap(), sample.mean().unwrap()),
            (counts.elo().unwrap(), sample.elo().unwrap()),
        ] {
            close(counted.value, grouped.value);
            close(counted.low, grouped.low);
            close(counted.high, grouped.high);
        }
    }

    #[test]
    fn three_quarters_are_191_elo() {
        close(Counts::Games([25, 0, 75]).elo().unwrap().value, 190.848);
        close(Counts::Pairs([0, 0, 50, 0, 50]).elo().unwrap().value, 190.848);
        assert_eq!(Counts::Pairs([7, 3, 90, 3, 7]).elo().unwrap().value, 0.0);
        assert_eq!(Counts::Pairs([7, 3, 90, 3, 7]).normalised_elo().unwrap().value, 0.0);
        assert_eq!(Counts::Pairs([7, 3, 90, 3, 7]).likelihood_of_superiority(), Some(0.5));
    }

    #[test]
    fn normalised_elo_counts_in_deviations_of_a_game() {
        // By hand: 6000 lost and 6400 won, mean 0.516129. With a won and a lost game the squares
        // sum to 3097.275, the variance is 3097.275 / 12401 = 0.249760; over one half by 0.032274
        // deviations, times 347.4356.
        let games = Counts::Games([6000, 0, 6400]).normalised_elo().unwrap();
        close(games.value, 11.213);
        // Without draws, near equality, it is nearly the same as Elo.
        let elo = Counts::Games([6000, 0, 6400]).elo().unwrap();
        assert!((games.value - elo.value).abs() < 0.02);
        assert!((games.high - elo.high).abs() < 0.1);
        // Pairs that are independent games (0.48², 2·0.48·0.52 and 0.52² of 6250) say the same.
        let pairs = Counts::Pairs([1440, 0, 3120, 0, 1690]).normalised_elo().unwrap();
        let same = Counts::Games([6000, 0, 6500]).normalised_elo().unwrap();
        assert!((pairs.value - same.value).abs() < 0.01, "{pairs:?} {same:?}");
        assert!((pairs.half_width() - same.half_width()).abs() < 0.01, "{pairs:?} {same:?}");
    }

    #[test]
    fn the_shape_has_a_won_and_a_lost_game_added() {
        // Two lost and four won about the mean of 0.75: the moments are 1.375 / 6, −0.78125 / 6
        // and 0.6484375 / 6.
        let shape = Counts::Games([1, 0, 3]).shape().unwrap();
        close(shape.mean, 0.75);
        close(shape.variance, 0.275);
        close(shape.skewness, -1.1869);
        close(shape.kurtosis, 2.0579);
        // A game is half a pair: the moments are 0.75 / 5, 0 and 0.1875 / 5.
        let shape = Counts::Pairs([1, 0, 2, 0, 1]).shape().unwrap();
        close(shape.variance, 0.1875);
        close(shape.skewness, 0.0);
        close(shape.kurtosis, 1.6667);
    }

    #[test]
    fn superiority_is_that_of_the_normal_distribution() {
        // The variance of many games with a score of ½ is ¼: 0.51 of 10000 is two errors above.
        let superior = Counts::Games([4900, 0, 5100]).likelihood_of_superiority().unwrap();
        assert!((superior - 0.977_25).abs() < 1e-3, "{superior}");
        let inferior = Counts::Games([5100, 0, 4900]).likelihood_of_superiority().unwrap();
        assert!((superior + inferior - 1.0).abs() < 1e-12);
    }

    #[test]
    fn all_won_and_one_result_are_finite() {
        for counts in [
            Counts::Pairs([0, 0, 0, 0, 1]),
            Counts::Pairs([0, 0, 0, 0, 500]),
            Counts::Pairs([0, 0, 9, 0, 0]),
            Counts::Games([0, 0, 1]),
            Counts::Games([0, 40, 0]),
        ] {
            for estimate in [counts.mean(), counts.elo(), counts.normalised_elo()] {
                let Estimate { value, low, high } = estimate.unwrap();
                assert!(value.is_finite() && low.is_finite() && high.is_finite(), "{counts:?}");
                assert!(low < high, "{counts:?}: never certain");
            }
            assert!(counts.likelihood_of_superiority().unwrap() < 1.0 || counts.units() == 500);
        }
    }
}
