//! How often the sequential test errs, and how long it takes.

use super::{DrawModel, Duel, Random, trials};
use crate::estimate::expected_score;
use crate::statistics::{Counts, Sprt, SprtVerdict};

/// How many tests accepted the second hypothesis, and how many pairs they took on average.
fn run(sprt: &Sprt, duel: &Duel, difference: f64, tests: usize) -> (f64, f64) {
    let mut random = Random::new(difference.to_bits());
    let (mut accepted, mut pairs) = (0, 0);
    for _ in 0..tests {
        let mut counts = [0; 5];
        let verdict = loop {
            let halves: u8 = duel.pair(&mut random, difference).iter().sum();
            counts[usize::from(halves)] += 1;
            pairs += 1;
            match sprt.test(&Counts::Pairs(counts)).verdict {
                SprtVerdict::Continue => {}
                verdict => break verdict,
            }
        };
        accepted += usize::from(verdict == SprtVerdict::Accept1);
    }
    (accepted as f64 / tests as f64, pairs as f64 / tests as f64)
}

/// The number of pairs after Wald, if the log-likelihood ratio moves like a normal random walk.
fn wald_pairs(sprt: &Sprt, duel: &Duel, truth_is_first: bool) -> f64 {
    let [lower, upper] = sprt.bounds();
    let [s0, s1] = sprt.hypotheses().map(expected_score);
    let [wrong, missed] = sprt.errors();
    let way = if truth_is_first {
        -((1.0 - wrong) * lower + wrong * upper)
    } else {
        (1.0 - missed) * upper + missed * lower
    };
    let difference = sprt.hypotheses()[usize::from(!truth_is_first)];
    let mut random = Random::new(1);
    let mut counts = [0; 5];
    for _ in 0..100_000 {
        let halves: u8 = duel.pair(&mut random, difference).iter().sum();
        counts[usize::from(halves)] += 1;
    }
    let pair_variance = Counts::Pairs(counts).variance().unwrap() / 2.0;
    way * 2.0 * pair_variance / (s1 - s0).powi(2)
}

#[test]
fn errors_are_as_rare_as_stated_and_tests_as_short_as_expected() {
    let plain = Duel { draws: DrawModel::Share(0.0), first_seat: 0.0, shared: 0.0 };
    let drawn = Duel { draws: DrawModel::Share(0.6), ..plain };
    let alike = Duel { draws: DrawModel::Share(0.4), shared: 0.7, ..plain };
    for (text, duel, name) in [
        ("0,40", plain, "no draws"),
        ("0,30", drawn, "with draws"),
        ("-15,15,0.05,0.1", alike, "pairs alike"),
    ] {
        let sprt: Sprt = text.parse().unwrap();
        let [elo0, elo1] = sprt.hypotheses();
        let [alpha, beta] = sprt.errors();
        let tests = trials(1500);
        let (wrong, pairs0) = run(&sprt, &duel, elo0, tests);
        let (right, pairs1) = run(&sprt, &duel, elo1, tests);
        let [wald0, wald1] = [true, false].map(|first| wald_pairs(&sprt, &duel, first));
        let text = format!(
            "{text}, {name}: first rejected in {:.1} %, second in {:.1} % of {tests}; {pairs0:.0} \
             and {pairs1:.0} pairs, after Wald {wald0:.0} and {wald1:.0}",
            100.0 * wrong,
            100.0 * (1.0 - right),
        );
        println!("{text}");
        let allowed = |error: f64| error + 3.5 * (error * (1.0 - error) / tests as f64).sqrt();
        assert!(wrong <= allowed(alpha), "{text}");
        assert!(1.0 - right <= allowed(beta), "{text}");
        for (pairs, wald) in [(pairs0, wald0), (pairs1, wald1)] {
            assert!((0.85..1.3).contains(&(pairs / wald)), "{text}");
        }
    }
}

#[test]
fn a_difference_in_the_middle_takes_longest_and_ends_either_way() {
    let duel = Duel { draws: DrawModel::Share(0.3), first_seat: 30.0, shared: 0.3 };
    let sprt: Sprt = "0,50".parse().unwrap();
    let [none, half, full] = [0.0, 25.0, 50.0].map(|elo| run(&sprt, &duel, elo, trials(400)));
    assert!((0.35..0.65).contains(&half.0), "{half:?}");
    assert!(half.1 > none.1 && half.1 > full.1, "{none:?} {half:?} {full:?}");
}
