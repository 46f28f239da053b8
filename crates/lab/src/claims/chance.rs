//! What chance alone would do: exact tests, and their correction for many of them.

use agon_arena::statistics::normal::cumulative;

/// Beyond this the exact distribution takes long, and the normal one is as good.
const MOST_EXACT: usize = 3000;

/// The probability that a sum of these numbers, each with a random sign, is at least as far from zero
/// as the sum itself.
///
/// Two equally strong agents are interchangeable: a group of games in which everybody sat everywhere
/// is as likely to favour the one as the other by the same amount. So under that hypothesis only the
/// signs are random, and the test is exact for any number of groups and any share of draws.
///
/// ```
/// use agon_lab::claims::chance::flip_test;
/// assert_eq!(flip_test(&[2, 2, 2, 2, 2]), 2.0 / 32.0);
/// assert_eq!(flip_test(&[1, -1, 0]), 1.0);
/// ```
pub fn flip_test(numbers: &[i64]) -> f64 {
    let sizes: Vec<usize> =
        numbers.iter().map(|it| it.unsigned_abs() as usize).filter(|size| *size > 0).collect();
    let far = numbers.iter().sum::<i64>().unsigned_abs() as usize;
    if far == 0 {
        return 1.0;
    }
    if sizes.len() > MOST_EXACT {
        let variance: f64 = sizes.iter().map(|size| (*size as f64).powi(2)).sum();
        return 2.0 * cumulative(-(far as f64) / variance.sqrt());
    }
    // The probability of each sum, shifted by the largest one.
    let most: usize = sizes.iter().sum();
    let mut chances = vec![0.0; 2 * most + 1];
    chances[most] = 1.0;
    let mut reached = 0;
    for size in sizes {
        let mut next = vec![0.0; chances.len()];
        for sum in most - reached..=most + reached {
            let half = chances[sum] / 2.0;
            if half > 0.0 {
                next[sum + size] += half;
                next[sum - size] += half;
            }
        }
        reached += size;
        chances = next;
    }
    let tail: f64 = chances[..=most - far].iter().sum();
    (2.0 * tail).min(1.0)
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

    #[test]
    fn all_signs_are_tried() {
        // By listing them all.
        let listed = |numbers: &[i64]| {
            let far = numbers.iter().sum::<i64>().abs();
            let signs = 1u32 << numbers.len();
            let sum = |signs: u32| -> i64 {
                let signed = numbers.iter().enumerate();
                signed.map(|(bit, it)| if signs >> bit & 1 == 1 { *it } else { -it }).sum()
            };
            (0..signs).filter(|it| sum(*it).abs() >= far).count() as f64 / f64::from(signs)
        };
        let mut rng = agon_core::Rng::new(5);
        for length in 1..13 {
            let numbers: Vec<i64> = (0..length).map(|_| (rng.next_u64() % 9) as i64 - 4).collect();
            assert!((flip_test(&numbers) - listed(&numbers)).abs() < 1e-12, "{numbers:?}");
        }
        assert_eq!(flip_test(&[]), 1.0);
    }

    #[test]
    fn many_groups_are_as_good_as_normal() {
        let numbers = |count: usize| -> Vec<i64> {
            (0..count).map(|it| if it % 20 < 11 { 2 } else { -2 }).collect()
        };
        let (exact, normal) = (flip_test(&numbers(3000)), flip_test(&numbers(3001)));
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
