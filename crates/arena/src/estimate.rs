//! From results to strength: means, Elo, and their errors.
//!
//! The games of one opening are not independent: if white wins the first game of a pair, it tends
//! to win the second too, with the seats swapped. So the unit here is the *group*, all games of one
//! opening: a pair between two agents (with a sum of 0, ½, 1, 1½ or 2: the pentanomial count), the
//! six seatings of three. The variance is that of the group means.
//!
//! A few groups can all be equal by chance, and winning everything gives an infinite Elo. Two
//! conventions keep the numbers finite and honest; their effect fades with the number of groups:
//!
//! - for the error, a won and a lost game are added to the variance (not to the mean): half a
//!   pair each, a sixth of a group of six;
//! - a mean, and the ends of its interval, are kept within ½/(n+1) and (n+½)/(n+1) before they
//!   become Elo, with n the number of games.
//!
//! An incomplete group counts as a group with the mean of the games it has.

/// Half the width of a 95 % interval of the normal distribution, in standard errors.
pub const Z95: f64 = 1.959_963_985;

/// Results between 0 and 1, game by game, in groups.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Sample {
    games: u64,
    total: f64,
    groups: u64,
    sum_of_means: f64,
    sum_of_squares: f64,
    open_games: u64,
    open_total: f64,
}

/// A value with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Sample {
    /// Adds the result of a game to the current group.
    pub fn add(&mut self, result: f64) {
        self.games += 1;
        self.total += result;
        self.open_games += 1;
        self.open_total += result;
    }

    /// Ends the current group and returns the sum of its results.
    pub fn close_group(&mut self) -> f64 {
        let total = self.open_total;
        if self.open_games > 0 {
            let mean = total / self.open_games as f64;
            self.groups += 1;
            self.sum_of_means += mean;
            self.sum_of_squares += mean * mean;
        }
        (self.open_games, self.open_total) = (0, 0.0);
        total
    }

    /// The mean result of a game with its interval; `None` without games.
    pub fn mean(&self) -> Option<Estimate> {
        if self.games == 0 {
            return None;
        }
        let mut closed = *self;
        closed.close_group();
        let (groups, mean) = (closed.groups as f64, closed.total / closed.games as f64);
        let around_mean =
            closed.sum_of_squares - 2.0 * mean * closed.sum_of_means + groups * mean * mean;
        Some(with_interval(mean, around_mean, groups, closed.games as f64))
    }

    /// The mean as points between 0 and 100, with its interval; `None` without games.
    pub fn mean_points(&self) -> Option<Estimate> {
        let Estimate { value, low, high } = self.mean()?;
        let [value, low, high] = [value, low, high].map(|share| (100.0 * share).clamp(0.0, 100.0));
        Some(Estimate { value, low, high })
    }

    /// The mean as a difference in Elo, with its interval; `None` without games.
    pub fn elo(&self) -> Option<Estimate> {
        Some(elo_with_interval(self.mean()?, self.games as f64))
    }
}

impl Estimate {
    /// The interval as one number: how far its end towards zero is from the value. If this is
    /// smaller than the value itself, zero is outside the interval.
    ///
    /// In Elo the other end is farther away when results are lopsided, and unknown when everything
    /// was won.
    pub fn error(&self) -> f64 {
        if self.value >= 0.0 { self.value - self.low } else { self.high - self.value }
    }

    /// The same score from the opponent's side.
    pub(crate) fn reversed(&self) -> Estimate {
        Estimate { value: 1.0 - self.value, low: 1.0 - self.high, high: 1.0 - self.low }
    }

    /// The interval as one number: how far its farther end is from the value.
    pub fn half_width(&self) -> f64 {
        (self.high - self.value).max(self.value - self.low)
    }
}

/// The variance of a group mean, from the squared distances of the groups to the mean of all games,
/// with a won and a lost game added.
pub(crate) fn variance_of_groups(mean: f64, around_mean: f64, groups: f64, games: f64) -> f64 {
    // A won and a lost game, in groups, and how far they are from the mean.
    let added = 2.0 * groups / games;
    let added_around_mean = added / 2.0 * (mean * mean + (1.0 - mean) * (1.0 - mean));
    // One degree of freedom is lost to the mean.
    (around_mean.max(0.0) + added_around_mean) / (groups + added - 1.0)
}

/// A mean over groups with its interval.
pub(crate) fn with_interval(mean: f64, around_mean: f64, groups: f64, games: f64) -> Estimate {
    let error = Z95 * (variance_of_groups(mean, around_mean, groups, games) / groups).sqrt();
    Estimate { value: mean, low: mean - error, high: mean + error }
}

/// The mean of this many games as a difference in Elo.
pub(crate) fn elo_with_interval(mean: Estimate, games: f64) -> Estimate {
    let (least, most) = (0.5 / (games + 1.0), (games + 0.5) / (games + 1.0));
    let elo = |score: f64| elo(score.clamp(least, most));
    Estimate { value: elo(mean.value), low: elo(mean.low), high: elo(mean.high) }
}

/// The difference in Elo at which this score is expected.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score at this difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use agon_core::Rng;

    use super::*;

    fn sample(groups: &[&[f64]]) -> Sample {
        let mut sample = Sample::default();
        for group in groups {
            group.iter().for_each(|result| sample.add(*result));
            sample.close_group();
        }
        sample
    }

    #[track_caller]
    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 0.01, "{found} is not {wanted}");
    }

    #[test]
    fn elo_and_score_are_each_others_inverse() {
        close(elo(0.5), 0.0);
        close(elo(0.75), 190.85);
        close(elo(10.0 / 11.0), 400.0);
        close(expected_score(-400.0), 1.0 / 11.0);
        close(expected_score(elo(0.3)), 0.3);
    }

    #[test]
    fn the_error_comes_from_pairs() {
        // By hand: pair means 1, ½, ½, ¾, ¼; their mean 0.6; squared distances 0.16, 0.01, 0.01,
        // 0.0225, 0.1225, sum 0.325; and 0.18 + 0.08 for the two half pairs; variance
        // 0.585 / 5 = 0.117; standard error √(0.117 / 5) = 0.152971; times 1.96: 0.299817.
        let five = sample(&[&[1.0, 1.0], &[1.0, 0.0], &[0.5, 0.5], &[1.0, 0.5], &[0.0, 0.5]]);
        let mean = five.mean().unwrap();
        close(mean.value, 0.6);
        assert!((mean.high - 0.6 - 0.299_817).abs() < 1e-5, "{mean:?}");
        let estimate = five.elo().unwrap();
        close(estimate.value, 400.0 * 1.5_f64.log10());
        close(estimate.low, 400.0 * (0.300_183_f64 / 0.699_817).log10());
        close(estimate.error(), estimate.value - estimate.low);
    }

    #[test]
    fn pairs_that_cancel_out_say_more_than_games_that_do() {
        let pairs = sample(&[&[1.0, 0.0][..]; 20]).elo().unwrap();
        let games = sample(&[&[1.0][..], &[0.0]].repeat(20)).elo().unwrap();
        close(pairs.value, 0.0);
        assert!(pairs.error() < games.error() / 2.0);
        assert!(pairs.error() > 0.0, "equal pairs are no certainty");
    }

    #[test]
    fn everything_won_is_finite_and_beyond_doubt() {
        for pairs in [1, 2, 5, 50, 5000] {
            let all_won = sample(&vec![&[1.0, 1.0][..]; pairs]).elo().unwrap();
            let games = 2.0 * pairs as f64;
            close(all_won.value, 400.0 * ((games + 0.5) / 0.5).log10());
            assert!(all_won.error().is_finite());
            assert_eq!(all_won.low > 0.0, pairs >= 4, "{pairs}: {all_won:?}");
            let all_lost = sample(&vec![&[0.0, 0.0][..]; pairs]).elo().unwrap();
            close(all_lost.value, -all_won.value);
            close(all_lost.error(), all_won.error());
        }
    }

    #[test]
    fn six_games_of_one_opening_are_one_group() {
        // By hand: two groups with the means 1 and ½; mean 0.75; squared distances 0.125; added
        // a third of a group: 1/6 × (0.5625 + 0.0625) = 0.104167; variance 0.229167 / 1⅓ =
        // 0.171875; standard error √(0.171875 / 2) = 0.293151; times 1.96: 0.574565.
        let six = sample(&[&[1.0; 6], &[0.5; 6]]).mean().unwrap();
        close(six.value, 0.75);
        assert!((six.half_width() - 0.574_565).abs() < 1e-5, "{six:?}");
    }

    #[test]
    fn an_unfinished_group_counts_with_what_it_has() {
        let mut open = sample(&[&[1.0, 0.0]]);
        open.add(1.0);
        assert_eq!(open.mean(), sample(&[&[1.0, 0.0], &[1.0]]).mean());
        assert_eq!(Sample::default().mean(), None);
        assert_eq!(Sample::default().elo(), None);
    }

    #[test]
    fn the_interval_holds_the_truth_as_often_as_it_says() {
        // Pairs whose games share an opening that favours one seat, as real ones do.
        let mut rng = Rng::new(1);
        let mut uniform = move || rng.next_u64() as f64 / 2f64.powi(64);
        for (pairs, strength, favour) in
            [(25, 0.5, 0.3), (50, 0.6, 0.2), (100, 0.7, 0.0), (200, 0.9, 0.05)]
        {
            let truth = elo(strength);
            const TRIALS: usize = 2000;
            let mut held = 0;
            for _ in 0..TRIALS {
                let mut sample = Sample::default();
                for _ in 0..pairs {
                    let favour = if uniform() < 0.5 { favour } else { -favour };
                    for sign in [1.0, -1.0] {
                        sample.add(f64::from(uniform() < strength + sign * favour));
                    }
                    sample.close_group();
                }
                let estimate = sample.elo().unwrap();
                held += usize::from(estimate.low <= truth && truth <= estimate.high);
            }
            let share = held as f64 / TRIALS as f64;
            assert!((0.93..=0.98).contains(&share), "{pairs} {strength} {favour}: {share}");
        }
    }
}
