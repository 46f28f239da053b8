//! Breakthrough's own tests; the rest is in the battery.

mod evaluation;
mod races;
mod tuned;

use std::collections::BTreeMap;

use agon_core::{Game, Notation, Perft};
use serde_json::Value;

use super::board::WIDTHS;
use super::naive;
use super::{BLACK, Breakthrough, Classic, Course, WHITE};
use crate::battery::{Naive, Subject, Symmetry};
use crate::{Family as _, Table, open};

fn table(variant: &str) -> Box<dyn Table> {
    open(&variant.parse().unwrap()).unwrap()
}

fn twin(variant: &str, position: &str) -> Box<dyn Naive> {
    let (_, setup) = variant.split_once(':').unwrap();
    Box::new(naive::Breakthrough::open(setup, Some(position)))
}

/// Rows and side; the counters have no effect.
fn without_counters(position: &str) -> String {
    position.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// Swaps left and right on a board of `WIDTH` columns (a two-digit number is one token).
fn mirror_position(position: &str) -> String {
    let (rows, rest) = position.split_once(' ').unwrap();
    let mirrored = rows
        .split('/')
        .map(|row| row.replace("10", "X").chars().rev().collect::<String>().replace('X', "10"));
    format!("{} {rest}", mirrored.collect::<Vec<_>>().join("/"))
}

fn mirror_move<const WIDTH: u8>(mv: &str) -> String {
    let flip = |c: char| {
        if c.is_ascii_lowercase() { (b'a' + WIDTH - 1 - (c as u8 - b'a')) as char } else { c }
    };
    mv.chars().map(flip).collect()
}

/// Swaps the two sides, and top and bottom with them.
fn swap_position(position: &str) -> String {
    let mut fields = position.split(' ');
    let (rows, side) = (fields.next().unwrap(), fields.next().unwrap());
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    let rows: Vec<String> =
        rows.split('/').rev().map(|row| row.chars().map(swap).collect()).collect();
    format!("{} {}", rows.join("/"), if side == "w" { "b" } else { "w" })
}

fn swap_move<const HEIGHT: u32>(mv: &str) -> String {
    let squares = mv.split_inclusive(|c: char| c.is_ascii_lowercase()).skip(1);
    let ranks = squares.map(|part| part.trim_end_matches(|c: char| !c.is_ascii_digit()));
    let flipped = ranks.map(|rank| HEIGHT + 1 - rank.parse::<u32>().unwrap());
    let files = mv.chars().filter(char::is_ascii_lowercase);
    files.zip(flipped).map(|(file, rank)| format!("{file}{rank}")).collect()
}

const fn symmetries<const WIDTH: u8, const HEIGHT: u32>() -> [Symmetry; 2] {
    [
        Symmetry {
            name: "mirror",
            position: mirror_position,
            mv: mirror_move::<WIDTH>,
            keeps_values: true,
        },
        Symmetry {
            name: "sides swapped",
            position: swap_position,
            mv: swap_move::<HEIGHT>,
            keeps_values: false, // The evaluation has a constant for white.
        },
    ]
}

fn check(variant: &'static str, symmetries: &'static [Symmetry], budget: usize) {
    let positions = Vec::new();
    Subject { variant, positions, twin, without_counters, symmetries, longest: 400, budget }
        .check();
}

#[test]
fn the_course_rules_agree_with_the_twin() {
    check("breakthrough:8x8", &const { symmetries::<8, 8>() }, 2000);
    check("breakthrough:5x6", &const { symmetries::<5, 6>() }, 1000);
    check("breakthrough:2x4", &const { symmetries::<2, 4>() }, 500);
    check("breakthrough:10x10", &const { symmetries::<10, 10>() }, 1500);
}

#[test]
fn the_classic_rules_agree_with_the_twin() {
    check("breakthrough:8x8,classic", &const { symmetries::<8, 8>() }, 1500);
    check("breakthrough:3x5,classic", &const { symmetries::<3, 5>() }, 500);
    check("breakthrough:10x9,classic", &const { symmetries::<10, 9>() }, 1000);
}

#[test]
fn every_size_agrees_with_the_twin_in_both_rule_sets() {
    for width in WIDTHS {
        for height in 4..=10 {
            for rules in ["", ",classic"] {
                let variant: &'static str = format!("breakthrough:{width}x{height}{rules}").leak();
                check(variant, &[], 60);
            }
        }
    }
}

#[test]
fn known_move_counts_are_reached() {
    for case in super::Family::INFO.perft {
        let table = table(case.variant);
        for (depth, &expected) in (1..).zip(case.counts).filter(|(_, count)| **count < 100_000_000)
        {
            let counted: u64 =
                table.perft(&Perft::default(), depth, &|_, _| {}).iter().map(|(_, n)| n).sum();
            assert_eq!(counted, expected, "{} depth {depth}", case.variant);
        }
    }
}

/// The exact value for the side to move, by exhaustive search.
fn solve(position: &Breakthrough<u64, Course>, seen: &mut BTreeMap<u64, i8>) -> i8 {
    if let Some(outcome) = position.outcome() {
        let mine = outcome.points()[position.turn()];
        return (mine as i8 - 50) / 50;
    }
    if let Some(&value) = seen.get(&position.key()) {
        return value;
    }
    let mut best = -1;
    for mv in position.moves() {
        let mut child = *position;
        child.play(mv);
        best = best.max(-solve(&child, seen));
        if best == 1 {
            break;
        }
    }
    seen.insert(position.key(), best);
    best
}

/// Every record has the right moves; where the board is small, every move has the right value.
#[test]
fn the_vectors_hold() {
    let vectors: Value = serde_json::from_str(include_str!("vectors.json")).unwrap();
    for record in vectors["positions"].as_array().unwrap() {
        let (width, height) = (record["w"].as_u64().unwrap(), record["h"].as_u64().unwrap());
        let text = record["pos"].as_str().unwrap();
        let letters = |c| match c {
            'w' => 'P',
            'b' => 'p',
            other => other,
        };
        let (rows, side) = text.split_once(' ').unwrap();
        let rows: String = rows.chars().map(letters).collect();
        let start = Breakthrough::<u64, Course>::start(width as usize, height as usize);
        let position = start.read_position(&format!("{rows} {side}")).unwrap();
        let expected: BTreeMap<String, i64> = record["moves"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(mv, value)| (course_move(mv), value.as_i64().unwrap()))
            .collect();
        let found: Vec<String> = {
            let mut found: Vec<String> =
                position.moves().iter().map(|&mv| position.move_text(mv)).collect();
            found.sort();
            found
        };
        assert_eq!(found, expected.keys().cloned().collect::<Vec<_>>(), "{text}");
        if width * height > 16 {
            continue;
        }
        for (mv, value) in expected {
            let mut child = position;
            child.play(position.read_move(&mv).unwrap());
            assert_eq!(i64::from(-solve(&child, &mut BTreeMap::new())), value, "{mv} in {text}");
        }
    }
}

/// `1 2 1 3` as `a2a3`.
fn course_move(text: &str) -> String {
    let numbers: Vec<u8> = text.split(' ').map(|n| n.parse().unwrap()).collect();
    let file = |x: u8| (b'a' + x - 1) as char;
    format!("{}{}{}{}", file(numbers[0]), numbers[1], file(numbers[2]), numbers[3])
}

#[test]
fn taking_the_last_pawn_is_a_draw_by_the_course_and_a_win_by_the_classic_rules() {
    for (variant, points) in
        [("breakthrough:3x5", [50, 50]), ("breakthrough:3x5,classic", [100, 0])]
    {
        let mut table = table(variant);
        table.set_position("3/3/1p1/P2/3 w").unwrap();
        table.play("a2b3").unwrap();
        assert_eq!(table.outcome().unwrap().points().as_slice(), points, "{variant}");
        assert!(table.moves().is_empty());
    }
}

#[test]
fn a_capture_onto_the_far_row_wins_even_if_it_takes_the_last_pawn() {
    let mut table = table("breakthrough:3x5");
    table.set_position("1p1/P2/3/3/3 w").unwrap();
    table.play("a4b5").unwrap();
    let outcome = table.outcome().unwrap();
    assert_eq!(outcome.points().as_slice(), [100, 0]);
    assert_eq!(outcome.reason(), "a white pawn reached the far row");
}

#[test]
fn a_blocked_player_draws() {
    let mut table = table("breakthrough:2x4");
    table.set_position("2/p1/P1/2 w").unwrap();
    assert_eq!(table.outcome().unwrap().reason(), "white has no legal move");
}

#[test]
fn bad_texts_are_explained() {
    let error = |text: &str| open(&text.parse().unwrap()).err().unwrap().to_string();
    assert!(error("breakthrough:11x8").contains("expected a size from 2x4 to 10x10"));
    assert!(error("breakthrough:8x8,clasic").ends_with("                   ^^^^^^"));
    let mut table = table("breakthrough:3x5");
    let mut position = |text: &str| table.set_position(text).unwrap_err().to_string();
    assert_eq!(
        position("ppp/pxp/3/PPP/PPP w"),
        "breakthrough: bad position: expected one of P p or a number of empty squares\n  ppp/pxp/3/PPP/PPP w\n       ^"
    );
    assert!(position("ppp/ppp/3/PPP/PPP").contains("a blank and then the side to move"));
    assert!(position("ppp/ppp/3/PPP/PPP x").contains("the side to move, w or b"));
    assert!(position("ppp/ppp/3/PPP/PPP w 99999999999").contains("a counter, 0 to 1000000"));
    assert!(position("P2/3/3/3/p2 w").contains("at most one side on its far row"));
    let mut mv = |text: &str| table.play(text).unwrap_err().to_string();
    assert!(mv("a2a4").contains("a legal move: a2a3 b2b3 c2c3"));
    assert!(mv("a2d3").contains("a square a1 to c5"));
    assert!(mv("a2").contains("a square a1 to c5"));
    assert!(mv("a2a3x").contains("nothing more"));
}

#[test]
fn threats_are_captures_and_not_steps_that_win_nothing() {
    for variant in ["breakthrough:5x5", "breakthrough:5x5,classic"] {
        let position = "5/1ppp1/2P2/5/3p1 w";
        let variant = variant.parse().unwrap();
        let over = crate::open_at::<&str>(&variant, Some(position), &[]).unwrap();
        assert!(over.threats().is_empty(), "the game is over");
        let table = crate::open_at::<&str>(&variant, Some("3p1/1ppp1/2P2/5/4P w"), &[]).unwrap();
        let threats = crate::battery::pages::threats(&*table);
        assert_eq!(threats, ["b4c3 takes c3", "d4c3 takes c3"]);
    }
}
