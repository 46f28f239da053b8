//! Recovering known weights.

use agon_core::Rng;

use super::*;

/// Positions with a few random features each, whose results come from these weights.
fn made_up(weights: &[i32], scale: f64, games: u64, seed: u64) -> Samples {
    const PER_GAME: u64 = 20;
    let mut rng = Rng::new(seed);
    let mut samples = Samples::default();
    for number in 0..games * PER_GAME {
        let mut counts = Vec::new();
        for feature in 0..weights.len() as u16 {
            let count = rng.below(9) as f32 - 4.0;
            if count != 0.0 && rng.below(2) == 0 {
                counts.push((feature, count));
            }
        }
        let value = |&(feature, count): &(u16, f32)| weights[usize::from(feature)] as f32 * count;
        let sum = f64::from(counts.iter().map(value).sum::<f32>());
        let lot = rng.below(1 << 32) as f64 / (1u64 << 32) as f64;
        let result = if lot < chance(sum / scale) { 1.0 } else { 0.0 };
        samples.push(&counts, Some(sum as i32), (number / PER_GAME, Some(result)));
    }
    samples
}

fn fitted(samples: &Samples, in_use: &[i32], options: Options) -> Fit {
    fit(samples, in_use, &options, &StopFlag::default()).unwrap()
}

const TRUE_WEIGHTS: [i32; 6] = [100, -40, 25, 0, 310, -7];
const WIDE: Options = Options { blend: 0.0, leeway: 1e6 };

fn assert_near(found: &[i32], wanted: &[i32], tolerance: i32) {
    let near = |(found, wanted): (&i32, &i32)| (found - wanted).abs() <= tolerance;
    assert!(found.iter().zip(wanted).all(near), "{found:?} instead of {wanted:?}");
}

#[test]
fn known_weights_are_found() {
    let samples = made_up(&TRUE_WEIGHTS, 250.0, 4000, 1);
    let fit = fitted(&samples, &[100, 10, 10, 10, 10, 10], WIDE);
    assert_near(&fit.weights, &TRUE_WEIGHTS, 8);
    assert!(fit.anchored && fit.weights[0] == 100);
    assert!((fit.scale.after - 250.0).abs() < 15.0, "{:?}", fit.scale);
    let held_back = fit.held_back.unwrap();
    assert!(fit.loss.after < fit.loss.before - 0.1 && held_back.after < held_back.before - 0.1);
    assert!((2..12).contains(&fit.steps), "{} steps", fit.steps);
}

#[test]
fn right_weights_stay_and_know_their_scale() {
    let samples = made_up(&TRUE_WEIGHTS, 400.0, 2000, 2);
    let fit = fitted(&samples, &TRUE_WEIGHTS, Options::default());
    assert_near(&fit.weights, &TRUE_WEIGHTS, 12);
    assert!((fit.scale.before - 400.0).abs() < 20.0, "{:?}", fit.scale);
}

#[test]
fn what_few_games_say_changes_little() {
    let samples = made_up(&TRUE_WEIGHTS, 250.0, 3, 3);
    let in_use = [100, 0, 0, 0, 300, 0];
    let tight = fitted(&samples, &in_use, Options { leeway: 1.0, ..WIDE });
    assert_near(&tight.weights, &in_use, 2);
    assert_eq!(tight.held_back, None);
    let loose = fitted(&samples, &in_use, WIDE);
    assert!(loose.loss.after < tight.loss.after);
}

#[test]
fn a_feature_that_never_occurs_keeps_its_weight() {
    let mut samples = Samples::default();
    for game in 0..100u64 {
        let count = if game % 2 == 0 { 1.0 } else { -1.0 };
        let result = if game % 8 < 2 { 0.5 } else { (count + 1.0) / 2.0 };
        samples.push(&[(0, count)], None, (game, Some(result)));
    }
    let fit = fitted(&samples, &[100, 77], WIDE);
    assert!(fit.anchored);
    // Its effect on probabilities is unchanged; the unit may have changed.
    let kept = f64::from(fit.weights[1]) / fit.scale.after;
    assert!((kept - 77.0 / fit.scale.before).abs() < 0.01, "{fit:?}");
}

#[test]
fn a_first_feature_that_says_the_contrary_is_not_held() {
    let samples = made_up(&[-100, 200], 250.0, 500, 4);
    let fit = fitted(&samples, &[100, 200], WIDE);
    assert!(!fit.anchored);
    assert!(fit.weights[0] < 0 && fit.weights[1] > 0, "{fit:?}");
    assert_eq!(fit.scale.before, fit.scale.after);
}

#[test]
fn scores_can_stand_for_results() {
    // The scores are exact, so with them alone even a few games determine the weights.
    let samples = made_up(&TRUE_WEIGHTS, 250.0, 100, 5);
    let only_scores = Options { blend: 1.0, ..WIDE };
    let fit = fitted(&samples, &[100, 0, 0, 0, 100, 0], only_scores);
    assert_near(&fit.weights, &TRUE_WEIGHTS, 3);
}

#[test]
fn a_stopped_fit_gives_nothing() {
    let stop = StopFlag::default();
    stop.stop();
    let samples = made_up(&TRUE_WEIGHTS, 250.0, 10, 6);
    assert_eq!(fit(&samples, &TRUE_WEIGHTS, &WIDE, &stop), Err(Stopped));
}

#[test]
fn equations_are_solved() {
    let matrix = vec![vec![4.0], vec![2.0, 5.0], vec![-2.0, 1.0, 6.0]];
    let x = solve(matrix, &[0.0, 8.0, 14.0]);
    // 4x + 2y − 2z = 0, 2x + 5y + z = 8, −2x + y + 6z = 14.
    let check = |a: f64, b: f64, c: f64| a * x[0] + b * x[1] + c * x[2];
    assert!((check(4.0, 2.0, -2.0) - 0.0).abs() < 1e-9);
    assert!((check(2.0, 5.0, 1.0) - 8.0).abs() < 1e-9);
    assert!((check(-2.0, 1.0, 6.0) - 14.0).abs() < 1e-9);
}
