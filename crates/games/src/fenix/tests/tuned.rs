//! The tuned evaluation: its parts add up, and it gets the important cases right.

use agon_core::tuning::Features;
use agon_core::{Evaluate, Tunable};

use super::super::RED;
use super::hints::visit_positions;
use super::*;

fn red(position: &str) -> i32 {
    (Fenix::evaluation("tuned").unwrap().judge)(&read(position), RED)
}

#[test]
fn features_times_weights_are_the_judgement() {
    visit_positions(200, |position| {
        let mut features = Features::default();
        position.tally(&mut features);
        assert!(features.0.len() <= Fenix::FEATURES.len());
        let sum: i32 = features.0.iter().zip(Fenix::WEIGHTS).map(|(count, w)| count * w).sum();
        assert_eq!(sum, position.judge_tuned(RED));
    });
}

#[test]
fn every_feature_occurs() {
    let mut seen = vec![false; Fenix::FEATURES.len()];
    visit_positions(1000, |position| {
        let mut features = Features(vec![0; Fenix::FEATURES.len()]);
        position.tally(&mut features);
        for (seen, count) in seen.iter_mut().zip(features.0) {
            *seen |= count != 0;
        }
    });
    let missing: Vec<_> = Fenix::FEATURES.iter().zip(seen).filter(|(_, seen)| !seen).collect();
    assert!(missing.is_empty(), "never counted: {missing:?}");
}

#[test]
fn the_setup_is_judged_by_its_shape_and_sees_its_trap() {
    assert!(red(&Fenix::start().position_text()).abs() < 50);
    assert!(red("G1G1G1G1/8/8/8/8/8/2k5 8 0 w 00") < -5000);
    // The king in its army is safer than the king in front of it.
    let inside = red("1SSSSS2/SKSSS2s/S1SS2ss/SSS2sss/SS2ssss/S2sssss/2ssssss 5 0 b 00");
    let outside = red("SSSSS3/SSSSS2s/SSSK2ss/SS3sss/SS2ssss/S2sssss/2ssssss 5 0 b 00");
    assert!(inside > outside, "{inside} and {outside}");
}

#[test]
fn kings_that_can_be_jumped_are_in_danger() {
    let falls = red("8/8/8/3Ks3/8/8/k6S 31 0 b 00");
    let attacked = red("8/8/8/3Ks3/8/8/k6S 30 0 w 00");
    let with_heir = red("GS6/8/8/3Ks3/8/8/k6S 31 0 b 00");
    assert!(falls < -1000 && falls + 1000 < attacked, "{falls} and {attacked}");
    assert!(with_heir > falls + 1000, "{with_heir} and {falls}");
}

#[test]
fn a_fallen_king_is_terrible_unless_it_can_be_made_anew() {
    assert!(red("SS3k2/SG6/8/8/8/8/S6S 30 0 w 11") > 0);
    assert!(red("SS3k2/SG6/8/8/8/8/S6S 30 0 w 10") < -5000, "no right to");
    assert!(red("SS3k2/SGs5/8/8/8/8/S6S 30 0 w 11") < -5000, "the general has to capture");
}

#[test]
fn a_lead_fades_before_a_draw() {
    let lead = |quiet: u32| red(&format!("KSSSS3/8/8/8/8/8/7k 30 {quiet} w 00"));
    assert!(lead(0) == lead(10) && lead(10) > lead(35) && lead(35) > lead(48));
}
