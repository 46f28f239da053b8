//! Connect Four's own tests; the rest is in the battery.

mod hints;
mod tuned;

use agon_core::{Game, Notation, Perft, Rng};

use super::board::{HEIGHTS, WIDTHS};
use super::{Connect4, Family, Move, naive};
use crate::battery::{Naive, Subject, Symmetry};
use crate::{Family as _, Table, open};

fn table(variant: &str) -> Box<dyn Table> {
    open(&variant.parse().unwrap()).unwrap()
}

fn twin(_: &str, position: &str) -> Box<dyn Naive> {
    Box::new(naive::Connect4::open(position))
}

/// Swaps left and right; no row has a number of two digits.
fn mirror_position(position: &str) -> String {
    let (rows, side) = position.split_once(' ').unwrap();
    let mirrored = rows.split('/').map(|row| row.chars().rev().collect::<String>());
    format!("{} {side}", mirrored.collect::<Vec<_>>().join("/"))
}

fn mirror_move<const WIDTH: u8>(mv: &str) -> String {
    (WIDTH + 1 - mv.parse::<u8>().unwrap()).to_string()
}

const fn mirror<const WIDTH: u8>() -> [Symmetry; 1] {
    [Symmetry {
        name: "mirror",
        position: mirror_position,
        mv: mirror_move::<WIDTH>,
        keeps_values: true,
    }]
}

fn check(variant: &'static str, symmetries: &'static [Symmetry], budget: usize) {
    let (positions, without_counters) = (Vec::new(), str::to_string);
    Subject { variant, positions, twin, without_counters, symmetries, longest: 72, budget }.check();
}

#[test]
fn the_rules_agree_with_the_twin() {
    check("connect4:4x4", &const { mirror::<4>() }, 500);
    check("connect4:5x4", &const { mirror::<5>() }, 500);
    check("connect4:7x6", &const { mirror::<7>() }, 2000);
    check("connect4:8x7", &const { mirror::<8>() }, 1500);
    check("connect4:9x8", &const { mirror::<9>() }, 1500);
}

#[test]
fn every_size_agrees_with_the_twin() {
    for width in WIDTHS {
        for height in HEIGHTS {
            check(format!("connect4:{width}x{height}").leak(), &[], 100);
        }
    }
}

#[test]
fn known_move_counts_are_reached() {
    for case in Family::INFO.perft {
        let table = table(case.variant);
        for (depth, &expected) in (1..).zip(case.counts).filter(|(_, count)| **count < 100_000_000)
        {
            let counted: u64 =
                table.perft(&Perft::default(), depth, &|_, _| {}).iter().map(|(_, n)| n).sum();
            assert_eq!(counted, expected, "{} depth {depth}", case.variant);
        }
    }
}

/// The number of move sequences by the twin.
fn count(position: &naive::Connect4, depth: u32) -> u64 {
    let after = |mv: &String| {
        let mut after = position.clone();
        after.play(mv);
        count(&after, depth - 1)
    };
    if depth == 0 { 1 } else { position.moves().iter().map(after).sum() }
}

#[test]
fn the_twin_reaches_the_known_move_counts() {
    for case in Family::INFO.perft {
        let start = naive::Connect4::open(&table(case.variant).position());
        for (depth, &expected) in (1..).zip(case.counts).filter(|(_, count)| **count < 20_000) {
            assert_eq!(count(&start, depth), expected, "{} depth {depth}", case.variant);
        }
    }
}

/// Random positions of a size, from the first to the last.
fn random_games(start: Connect4<u64>, games: u64, mut visit: impl FnMut(&Connect4<u64>)) {
    let mut rng = Rng::new(4);
    for _ in 0..games {
        let mut position = start;
        while position.to_move().is_some() {
            visit(&position);
            let moves = position.moves();
            position.play(*rng.choose(&moves).unwrap());
        }
    }
}

/// The points and the reason after a move in a position of 4x4.
fn after(position: &str, mv: &str) -> (Vec<u8>, &'static str) {
    let mut table = table("connect4:4x4");
    table.set_position(position).unwrap();
    table.play(mv).unwrap();
    let outcome = table.outcome().unwrap();
    assert!(table.moves().is_empty());
    let agon_core::Reason::Text(reason) = outcome.reason() else { panic!("a reason in words") };
    (outcome.points().as_slice().to_vec(), reason)
}

#[test]
fn four_in_a_row_win_in_every_direction() {
    let (x, o) = ((vec![100, 0], "X has four in a row"), (vec![0, 100], "O has four in a row"));
    assert_eq!(after("4/4/OOO1/XXX1 x", "4"), x);
    assert_eq!(after("4/X3/XO2/XO1O x", "1"), x);
    assert_eq!(after("2XX/O1XO/O1OX/XOOX x", "2"), x, "a1 to d4");
    assert_eq!(after("OX2/XO2/OX1O/XXXO o", "3"), o, "a4 to d1");
    assert_eq!(after("2XO/1OOO/XXOX/XOXX o", "1"), o);
}

#[test]
fn a_full_board_is_a_draw() {
    let draw = (vec![50, 50], "the board is full");
    assert_eq!(after("O1XX/XOOO/OXXX/OXOX o", "2"), draw);
}

#[test]
fn bad_texts_are_explained() {
    let error = |text: &str| open(&text.parse().unwrap()).err().unwrap().to_string();
    for variant in ["connect4:3x4", "connect4:10x6", "connect4:7x9", "connect4:7", "connect4:x"] {
        assert!(error(variant).contains("expected a size from 4x4 to 9x8"), "{variant}");
    }
    assert!(error("connect4:7x6,").ends_with("           ^^^^"));
    let mut table = table("connect4:4x4");
    let mut position = |text: &str| table.set_position(text).unwrap_err().to_string();
    assert!(position("4/4/4/XP2 x").contains("one of X O or a number of empty squares"));
    assert!(position("4/4/4/4").contains("a blank and then the side to move"));
    assert!(position("4/4/4/4 w").contains("the side to move, x or o"));
    assert!(position("4/4/4/4 x 1").contains("nothing more"));
    assert!(position("4/4/X3/1O2 x").contains("no empty cell below a disc"));
    assert!(position("4/4/4/X3 x").contains("o to move, as X has one disc more"));
    assert!(position("4/4/4/XO2 o").contains("x to move, as there are as many discs"));
    assert!(position("4/4/4/XX2 o").contains("as many discs of X as of O, or one more"));
    assert!(position("4/4/4/O3 x").contains("as many discs of X as of O, or one more"));
    assert!(position("4/4/OOO1/XXXX x").contains("as X has one disc more"));
    let at_most_one = "four in a row at most for the side that has just moved";
    assert!(position("4/OOOO/XXXX/OOOX x").contains("as many discs of X as of O"));
    assert!(position("4/1X2/OOOO/XXXX o").contains(at_most_one));
    assert!(position("X3/X1OO/XOXX/XOOO x").contains(at_most_one));
}

#[test]
fn one_disc_completes_all_fours_of_a_position() {
    let mut table = table("connect4:5x4");
    table.set_position("5/OOO1O/OOXXO/XXXOX x").unwrap_err();
    let error = table.set_position("X3X/XO1OX/XO1OX/XOOOX o").unwrap_err().to_string();
    assert!(error.contains("four in a row that a single disc completes"), "{error}");
    table.set_position("X4/X1OO1/XXOX1/XOOXO o").unwrap();
}

#[test]
fn moves_that_are_not_legal_are_explained() {
    let mut table = table("connect4:4x4");
    let mut mv = |text: &str| table.play(text).unwrap_err().to_string();
    for text in ["0", "5", "", "a", "-1", "4294967297"] {
        assert!(mv(text).contains("a column, 1 to 4"), "{text}");
    }
    assert!(mv("1x").contains("nothing more"));
    for _ in 0..4 {
        table.play("2").unwrap();
    }
    assert!(table.play("2").unwrap_err().to_string().contains("a legal move: 1 3 4"));
}
