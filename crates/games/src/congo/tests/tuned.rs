//! The tuned evaluation: its parts add up, and it gets the important cases right.

use agon_core::tuning::Features;
use agon_core::{Evaluate, Tunable};

use super::hints::visit_positions;
use super::*;

/// For the side to move.
fn judge(position: &str) -> i32 {
    let position = read(position);
    (Congo::evaluation("tuned").unwrap().judge)(&position, position.turn)
}

#[test]
fn features_times_weights_are_the_judgement() {
    visit_positions(100, |position| {
        let mut features = Features::default();
        position.tally(&mut features);
        assert!(features.0.len() <= Congo::FEATURES.len());
        let sum: i32 = features.0.iter().zip(Congo::WEIGHTS).map(|(count, w)| count * w).sum();
        assert_eq!(sum, position.judge_tuned(super::super::WHITE));
    });
}

#[test]
fn every_feature_occurs() {
    let mut seen = vec![false; Congo::FEATURES.len()];
    visit_positions(200, |position| {
        let mut features = Features(vec![0; Congo::FEATURES.len()]);
        position.tally(&mut features);
        for (seen, count) in seen.iter_mut().zip(features.0) {
            *seen |= count != 0;
        }
    });
    let missing: Vec<_> = Congo::FEATURES.iter().zip(seen).filter(|(_, seen)| !seen).collect();
    assert!(missing.is_empty(), "never counted: {missing:?}");
}

#[test]
fn the_start_is_even_but_for_the_move() {
    let start = judge("gmelecz/ppppppp/7/7/7/PPPPPPP/GMELECZ w 0");
    assert!(start.abs() < 50, "{start}");
}

#[test]
fn a_lion_that_falls_outweighs_every_army() {
    let rich = "3l3/7/P6/7/6z/3p3/GMEL1CZ b 0";
    assert!(judge(rich) > 1000, "{}", judge(rich));
    let facing = "3l3/7/7/7/7/7/GMEL1CZ b 0";
    assert!(judge(facing) > 1000, "{}", judge(facing));
}

#[test]
fn a_piece_that_hangs_is_worse_for_who_waits() {
    let waits = judge("3l3/7/g6/7/1Z5/7/2L4 w 0");
    let safe = judge("3l3/7/6g/7/1Z5/7/2L4 w 0");
    let moves = judge("3l3/7/g6/7/1Z5/7/2L4 b 0");
    assert!(waits > safe, "{waits} and {safe}");
    assert!(moves > -waits, "{moves} and {waits}");
}

#[test]
fn a_pawn_about_to_be_promoted_is_worth_more() {
    let far = judge("2l4/6P/7/7/7/7/4L2 w 0");
    let near = judge("2l4/7/7/7/6P/7/4L2 w 0");
    assert!(far > near + 10, "{far} and {near}");
}
