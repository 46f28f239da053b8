//! What chance alone would do: exact tests, and their correction for many of them.

use agon_arena::statistics::normal::cumulative;

/// Beyond this the exact distribution takes long, and the normal one is as good.
const MOST_EXACT: usize = 3000;

/// The probability that equally strong agents have a result at least this lopsided. A group holds how
/// far each agent was from an even result, the one that is judged first.
///
/// Equally strong agents are interchangeable: in a group of games in which everybody sat everywhere,
/// the result of the one might as well have been that of any other. So under that hypothesis, who of
/// them has which result is random, and nothing else; the test is exact for any number of groups, any
/// share of draws, and two players or more.
///
/// ```
/// use agon_lab::claims::chance::exchange_test;
/// // Five pairs, each won twice by the same agent: one of 32 cases, and as likely the reverse.
/// assert_eq!(exchange_test(&vec![vec![2, -2]; 5]), 2.0 / 32.0);
/// // Three players: the one that is judged came first, which each of them does in a third of cases.
/// assert_eq!(exchange_test(&[vec![2, 0, -2]]), 2.0 / 3.0);
/// ```
pub fn exchange_test(groups: &[Vec<i64>]) -> f64 {
    let far = groups.iter().filter_map(|group| group.first()).sum::<i64>().unsigned_abs() as usize;
    // A group in which all results are equal is the same whoever has which.
    let groups: Vec<&Vec<i64>> =
        groups.iter().filter(|group| group.iter().any(|it| *it != 0)).collect();
    if far == 0 {
        return 1.0;
    }
    if groups.len() > MOST_EXACT {
        let square = |group: &&Vec<i64>| {
            group.iter().map(|it| (*it as f64).powi(2)).sum::<f64>() / group.len() as f64
        };
        let variance: f64 = groups.iter().map(square).sum();
        return 2.0 * cumulative(-(far as f64) / variance.sqrt());
    }
    let sums = distribution(&groups);
    let middle = sums.len() / 2;
    let is_far = |sum: usize| sum.abs_diff(middle) >= far;
    let tail: f64 = sums.iter().enumerate().filter(|(sum, _)| is_far(*sum)).map(|(_, p)| p).sum();
    tail.min(1.0)
}

/// The probability of each sum of one number from every group; zero is in the middle.
fn distribution(groups: &[&Vec<i64>]) -> Vec<f64> {
    let largest = |group: &&Vec<i64>| group.iter().map(|it| it.unsigned_abs()).max().unwrap_or(0);
    let most = groups.iter().map(largest).sum::<u64>() as usize;
    let mut sums = vec![0.0; 2 * most + 1];
    sums[most] = 1.0;
    let mut reached = 0;
    for group in groups {
        let mut next = vec![0.0; sums.len()];
        for at in most - reached..=most + reached {
            let share = sums[at] / group.len() as f64;
            if share > 0.0 {
                group.iter().for_each(|it| next[at.saturating_add_signed(*it as isize)] += share);
            }
        }
        reached += largest(group) as usize;
        sums = next;
    }
    sums
}

/// The probability that a coin divides so many things at least as unevenly.
pub fn sign_test(one: usize, other: usize) -> f64 {
    exchange_test(&[vec![vec![1, -1]; one], vec![vec![-1, 1]; other]].concat())
}

/// Probabilities corrected by Holm's method for `tests` tests in all, some of which may have no
/// result yet.
///
/// ```
/// let corrected = agon_lab::claims::chance::holm(&[0.04, 0.01, 0.03], 3);
/// assert_eq!(corrected, [0.06, 0.03, 0.06]);
/// ```
pub fn holm(raw: &[f64], tests: usize) -> Vec<f64> {
    let mut order: Vec<usize> = (0..raw.len()).collect();
    order.sort_by(|&one, &other| raw[one].total_cmp(&raw[other]));
    let mut corrected = vec![1.0; raw.len()];
    let mut largest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        let left = tests.saturating_sub(rank).max(1) as f64;
        largest = largest.max((raw[index] * left).min(1.0));
        corrected[index] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By listing all cases.
    fn listed(groups: &[Vec<i64>]) -> f64 {
        let far = groups.iter().map(|group| group[0]).sum::<i64>().abs();
        let mut sums = vec![0];
        for group in groups {
            sums = sums.iter().flat_map(|sum| group.iter().map(move |it| sum + it)).collect();
        }
        sums.iter().filter(|sum| sum.abs() >= far).count() as f64 / sums.len() as f64
    }

    #[test]
    fn all_exchanges_are_tried() {
        let mut rng = agon_core::Rng::new(5);
        let mut number = || (rng.next_u64() % 9) as i64 - 4;
        for length in 1..9 {
            let two: Vec<Vec<i64>> =
                (0..length).map(|_| number()).map(|it| vec![it, -it]).collect();
            let three = (0..length).map(|_| [number(), number()]).map(|[a, b]| vec![a, b, -a - b]);
            for groups in [two, three.collect()] {
                assert!((exchange_test(&groups) - listed(&groups)).abs() < 1e-9, "{groups:?}");
            }
        }
        assert_eq!(exchange_test(&[]), 1.0);
        assert_eq!(sign_test(0, 0), 1.0);
        assert!((sign_test(9, 1) - 2.0 * 11.0 / 1024.0).abs() < 1e-12);
    }

    #[test]
    fn many_groups_are_as_good_as_normal() {
        let groups = |count: usize| -> Vec<Vec<i64>> {
            (0..count).map(|it| if it % 20 < 11 { vec![2, -2] } else { vec![-2, 2] }).collect()
        };
        let (exact, normal) = (exchange_test(&groups(3000)), exchange_test(&groups(3001)));
        assert!((exact / normal - 1.0).abs() < 0.25, "{exact} {normal}");
    }

    #[test]
    fn holm_rejects_step_by_step() {
        // The textbook example: 0.01 × 4, 0.02 × 3, then never less than before.
        let corrected = holm(&[0.02, 0.01, 0.03, 0.04], 4);
        for (found, expected) in corrected.iter().zip([0.06, 0.04, 0.06, 0.06]) {
            assert!((found - expected).abs() < 1e-12, "{corrected:?}");
        }
        // Tests without a result yet count.
        assert_eq!(holm(&[0.01], 10), [0.1]);
        assert!(holm(&[], 3).is_empty());
    }
}
