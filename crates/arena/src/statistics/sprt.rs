//! A sequential test (SPRT): play until it is clear which of two hypotheses is right.
//!
//! The hypotheses are differences in Elo, that is, expected scores. After every pair of games the
//! likelihoods of the counts under both are compared. How often pairs score 0, ½, 1, 1½ and 2 is
//! not known; so each hypothesis takes those frequencies, of all with its mean, that maximise the
//! likelihood of the counts (the generalised test). The test ends when the log-likelihood ratio
//! leaves Wald's bounds: below ln(β/(1−α)) for the first hypothesis, above ln((1−β)/α) for the
//! second. Then the first is wrongly rejected with a probability of about α, the second with β.

use std::fmt;
use std::str::FromStr;

use super::Counts;
use crate::estimate::expected_score;

/// A result that never happened counts as this much of one, so that it is not impossible.
const ALMOST_NEVER: f64 = 1e-3;

/// The default error probability.
const USUAL_ERROR: f64 = 0.05;

/// Hypotheses farther from zero are hardly different from certainty.
const MOST_ELO: f64 = 1000.0;

/// More iterations than any root needs.
const MOST_STEPS: usize = 100;

/// A sequential probability ratio test between two differences in Elo.
///
/// ```
/// use agon_arena::statistics::{Counts, Sprt, SprtVerdict};
///
/// let sprt: Sprt = "0,10".parse().unwrap();
/// let state = sprt.test(&Counts::Pairs([100, 400, 900, 500, 160]));
/// assert_eq!(state.verdict, SprtVerdict::Accept1);
/// assert!(state.log_ratio > state.upper);
/// assert!("10,0".parse::<Sprt>().unwrap_err().to_string().contains("smaller"));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtState {
    /// The log-likelihood ratio: how much likelier the results are under the second hypothesis.
    pub log_ratio: f64,
    /// At or below this the first hypothesis is accepted.
    pub lower: f64,
    /// At or above this the second hypothesis is accepted.
    pub upper: f64,
    /// The decision.
    pub verdict: SprtVerdict,
}

/// The decision of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    /// Undecided: play on.
    Continue,
    /// The first hypothesis, `elo0`, is accepted.
    Accept0,
    /// The second hypothesis, `elo1`, is accepted.
    Accept1,
}

/// A text or numbers that are not a valid test, and what would be right.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("bad test {text:?}: {problem}")]
pub struct SprtError {
    text: String,
    problem: &'static str,
}

impl Sprt {
    /// A test of `elo0` against the larger `elo1`, with these probabilities of wrongly rejecting
    /// the first and the second.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let sprt = Sprt { elo0, elo1, alpha, beta };
        match sprt.problem() {
            Some(problem) => Err(SprtError { text: sprt.to_string(), problem }),
            None => Ok(sprt),
        }
    }

    fn problem(&self) -> Option<&'static str> {
        let elo_is_good = |elo: f64| elo.abs() <= MOST_ELO;
        let error_is_good = |error: f64| error > 0.0 && error < 0.5;
        if !elo_is_good(self.elo0) || !elo_is_good(self.elo1) {
            Some("the differences in Elo have to be between -1000 and 1000")
        } else if self.elo0 >= self.elo1 {
            Some("the first difference in Elo has to be smaller than the second, such as 0,10")
        } else if !error_is_good(self.alpha) || !error_is_good(self.beta) {
            Some("the error probabilities have to be above 0 and below 0.5, such as 0.05")
        } else {
            None
        }
    }

    /// The two hypotheses, in Elo.
    pub fn hypotheses(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The probabilities of wrongly rejecting the first and the second hypothesis.
    pub fn errors(&self) -> [f64; 2] {
        [self.alpha, self.beta]
    }

    /// The bounds of the log-likelihood ratio between which the test goes on.
    pub fn bounds(&self) -> [f64; 2] {
        let Sprt { alpha, beta, .. } = *self;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The state of the test with these results.
    pub fn test(&self, counts: &Counts) -> SprtState {
        let [lower, upper] = self.bounds();
        let log_ratio = if counts.units() > 0 { self.log_ratio(counts) } else { 0.0 };
        let verdict = if log_ratio >= upper {
            SprtVerdict::Accept1
        } else if log_ratio <= lower {
            SprtVerdict::Accept0
        } else {
            SprtVerdict::Continue
        };
        SprtState { log_ratio, lower, upper, verdict }
    }

    fn log_ratio(&self, counts: &Counts) -> f64 {
        let cells: Vec<(f64, f64)> =
            counts.cells().map(|(score, count)| (score, count.max(ALMOST_NEVER))).collect();
        let [first, second] = self.hypotheses().map(|elo| log_penalty(&cells, expected_score(elo)));
        first - second
    }
}

/// The loss of log-likelihood of the counts if the frequencies must have this mean, compared with
/// any frequencies.
///
/// With a multiplier t for the mean, the likeliest frequency of a score a is proportional to
/// count / (1 + t·(a − mean)), and t is the root of Σ count·(a − mean)/(1 + t·(a − mean)).
fn log_penalty(cells: &[(f64, f64)], mean: f64) -> f64 {
    let factor = |score: f64, t: f64| 1.0 + t * (score - mean);
    // Beyond these bounds a factor would be negative.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let mut t = 0.0;
    for _ in 0..MOST_STEPS {
        let (mut value, mut slope) = (0.0, 0.0);
        for &(score, count) in cells {
            let share = (score - mean) / factor(score, t);
            value += count * share;
            slope -= count * share * share;
        }
        // The sum decreases with t.
        if value > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let newton = t - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let step = (next - t).abs();
        t = next;
        if step < 1e-12 {
            break;
        }
    }
    cells.iter().map(|&(score, count)| count * factor(score, t).ln()).sum()
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0,elo1` or `elo0,elo1,alpha,beta`.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let error = |problem| SprtError { text: text.to_string(), problem };
        let numbers: Result<Vec<f64>, _> =
            text.split(',').map(|part| part.trim().parse()).collect();
        let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
            Ok(&[elo0, elo1]) => (elo0, elo1, USUAL_ERROR, USUAL_ERROR),
            Ok(&[elo0, elo1, alpha, beta]) => (elo0, elo1, alpha, beta),
            _ => {
                return Err(error(
                    "expected two differences in Elo, such as 0,10, \
                     or these and the error probabilities, such as 0,10,0.05,0.05",
                ));
            }
        };
        Sprt::new(elo0, elo1, alpha, beta).map_err(|bad| error(bad.problem))
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_ratio(text: &str, counts: Counts) -> f64 {
        text.parse::<Sprt>().unwrap().test(&counts).log_ratio
    }

    #[test]
    fn tests_are_read_and_written() {
        let sprt: Sprt = "0,10".parse().unwrap();
        assert_eq!(sprt, Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap());
        assert_eq!(sprt.to_string(), "0,10,0.05,0.05");
        assert_eq!(sprt.to_string().parse::<Sprt>().unwrap(), sprt);
        let [lower, upper] = sprt.bounds();
        assert!((upper - 19.0_f64.ln()).abs() < 1e-12 && (lower + upper).abs() < 1e-12);
        let uneven: Sprt = " -3.5, 1e0, 0.01, 0.1".parse().unwrap();
        assert_eq!(uneven, Sprt::new(-3.5, 1.0, 0.01, 0.1).unwrap());
        let [lower, upper] = uneven.bounds();
        assert!((upper - 90.0_f64.ln()).abs() < 1e-12);
        assert!((lower - (0.1_f64 / 0.99).ln()).abs() < 1e-12);
    }

    #[test]
    fn a_bad_test_is_told_what_would_be_right() {
        for (text, word) in [
            ("", "such as 0,10"),
            ("0", "such as 0,10"),
            ("0,ten", "such as 0,10"),
            ("0,10,0.05", "such as 0,10,0.05,0.05"),
            ("0,10,0.05,0.05,1", "such as 0,10,0.05,0.05"),
            ("10,0", "smaller than the second"),
            ("5,5", "smaller than the second"),
            ("0,inf", "between -1000 and 1000"),
            ("NaN,5", "between -1000 and 1000"),
            ("0,10,0,0.05", "above 0 and below 0.5"),
            ("0,10,0.05,0.5", "above 0 and below 0.5"),
            ("0,10,NaN,0.5", "above 0 and below 0.5"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.contains(word) && error.contains(&format!("{text:?}")), "{error}");
        }
        assert!(Sprt::new(1.0, 0.0, 0.05, 0.05).unwrap_err().to_string().contains("1,0,0.05"));
    }

    #[test]
    fn without_draws_it_is_the_test_of_a_coin() {
        // With only two cells the mean determines the frequencies: the ratio is Wald's.
        let (won, lost): (f64, f64) = (700.0, 600.0);
        let [s0, s1] = [0.0, 20.0].map(expected_score);
        let wanted = won * (s1 / s0).ln() + lost * ((1.0 - s1) / (1.0 - s0)).ln();
        let found = log_ratio("0,20", Counts::Games([600, 0, 700]));
        assert!((found - wanted).abs() < 1e-3, "{found} {wanted}");
    }

    #[test]
    fn likeliest_frequencies_are_found_by_another_way_too() {
        // Five cells with a given mean: two frequencies follow from the other three, which are
        // improved one by one.
        let counts = [12.0, 30.0, 55.0, 41.0, 9.0];
        let mean = expected_score(25.0);
        let likelihood = |free: [f64; 3]| {
            let (middle, sum) =
                (0.25 * free[0] + 0.5 * free[1] + 0.75 * free[2], free.iter().sum::<f64>());
            let top = mean - middle;
            let all = [1.0 - sum - top, free[0], free[1], free[2], top];
            if all.iter().any(|frequency| *frequency <= 0.0) {
                return f64::NEG_INFINITY;
            }
            all.iter().zip(counts).map(|(frequency, count)| count * frequency.ln()).sum()
        };
        let mut free = [0.2; 3];
        let mut step = 0.1;
        while step > 1e-9 {
            let moves = (0..3).flat_map(|index| [-step, step].map(|by| (index, by)));
            let better = moves
                .map(|(index, by)| {
                    let mut next = free;
                    next[index] += by;
                    next
                })
                .find(|next| likelihood(*next) > likelihood(free));
            match better {
                Some(next) => free = next,
                None => step /= 2.0,
            }
        }
        let total: f64 = counts.iter().sum();
        let unbound: f64 = counts.iter().map(|count| count * (count / total).ln()).sum();
        let cells: Vec<(f64, f64)> =
            counts.iter().enumerate().map(|(k, count)| (k as f64 / 4.0, *count)).collect();
        let found = log_penalty(&cells, mean);
        let wanted = unbound - likelihood(free);
        assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
    }

    #[test]
    fn it_is_near_the_normal_approximation_for_small_differences() {
        let counts = Counts::Pairs([300, 1500, 4000, 1600, 330]);
        let found = log_ratio("0,5", counts);
        let mean = counts.mean().unwrap().value;
        let [s0, s1] = [0.0, 5.0].map(expected_score);
        let pair_variance = counts.variance().unwrap() / 2.0;
        let wanted =
            counts.units() as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * pair_variance);
        assert!((found - wanted).abs() < 0.01 * wanted.abs(), "{found} {wanted}");
    }

    #[test]
    fn swapped_agents_turn_the_sign() {
        let found = log_ratio("-7,12", Counts::Pairs([4, 9, 30, 12, 2]));
        let turned = log_ratio("-12,7", Counts::Pairs([2, 12, 30, 9, 4]));
        assert!((found + turned).abs() < 1e-9);
    }

    #[test]
    fn extreme_counts_are_finite_and_point_the_right_way() {
        let sprt: Sprt = "0,10".parse().unwrap();
        assert_eq!(sprt.test(&Counts::Pairs([0; 5])).log_ratio, 0.0);
        assert_eq!(sprt.test(&Counts::Pairs([0; 5])).verdict, SprtVerdict::Continue);
        for (counts, verdict) in [
            (Counts::Pairs([0, 0, 0, 0, 1]), SprtVerdict::Continue),
            (Counts::Pairs([0, 0, 0, 0, 1_000_000]), SprtVerdict::Accept1),
            (Counts::Pairs([1_000_000, 0, 0, 0, 0]), SprtVerdict::Accept0),
            (Counts::Pairs([0, 0, 1_000_000, 0, 0]), SprtVerdict::Accept0),
            (Counts::Games([0, 0, 1_000_000]), SprtVerdict::Accept1),
        ] {
            let state = sprt.test(&counts);
            assert!(state.log_ratio.is_finite(), "{counts:?}");
            assert_eq!(state.verdict, verdict, "{counts:?} {state:?}");
        }
        let far: Sprt = "-1000,1000".parse().unwrap();
        assert!(far.test(&Counts::Pairs([0, 0, 1, 0, 0])).log_ratio.is_finite());
    }
}
