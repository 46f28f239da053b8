//! The evaluation `tuned`.

use agon_core::tuning::Features;
use agon_core::{Evaluate, Tunable};

use super::super::X;
use super::*;

/// Lines of four by plain loops: how many have this many discs of a side and none of the other.
fn lines(text: &str, mine: char, discs: usize) -> i32 {
    use crate::battery::plain::{at, cells, read_rows, step};
    let board = read_rows(text.split(' ').next().unwrap());
    let mut found = 0;
    for first in cells(&board) {
        for direction in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let line: Option<Vec<char>> =
                (0..4).map(|n| at(&board, step(first, direction, n))).collect();
            let Some(line) = line else { continue };
            let own = line.iter().filter(|&&c| c == mine).count();
            let empty = line.iter().filter(|&&c| c == '.').count();
            found += i32::from(own == discs && own + empty == 4);
        }
    }
    found
}

#[test]
fn features_count_what_they_are_named_after() {
    for (width, height) in [(4, 4), (7, 6), (8, 7)] {
        random_games(Connect4::start(width, height), 20, |position| {
            let mut features = Features::default();
            position.tally(&mut features);
            let text = position.position_text();
            for (feature, discs) in [(0, 3), (1, 2), (2, 1)] {
                let expected = lines(&text, 'X', discs) - lines(&text, 'O', discs);
                assert_eq!(features.0[feature], expected, "{discs} discs in {text}");
            }
            let weights = <Connect4<u64> as Tunable>::WEIGHTS;
            let sum: i32 =
                features.0.iter().zip(weights).map(|(count, weight)| count * weight).sum();
            let tuned = Connect4::<u64>::evaluation("tuned").unwrap();
            assert_eq!((tuned.judge)(position, X), sum, "{text}");
        });
    }
}

#[test]
fn cells_that_complete_four_are_told_apart_by_their_rows() {
    let features = |text: &str| {
        let position = Connect4::<u64>::start(7, 6).read_position(text).unwrap();
        let mut features = Features::default();
        position.tally(&mut features);
        features.0[3..9].to_vec()
    };
    // O waits for e1 and nothing else; X to move.
    assert_eq!(features("7/7/7/7/1XX4/XOOO3 x"), [0, 0, -1, 0, 0, -1]);
    // X waits for d4.
    assert_eq!(features("7/7/7/3X3/3X3/OO1X2O x"), [0, 1, 0, 0, 0, 1]);
    // O waits for d2, which is not to be had yet.
    assert_eq!(features("7/7/7/7/X3OOO/X3XOX x"), [0, 0, 0, -1, 0, 0]);
}
