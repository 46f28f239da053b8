//! Fenix's own tests; the rest is in the battery.

mod evaluation;
mod guide;
mod hints;
mod rules;
mod texts;
mod tuned;
mod vectors;

use agon_core::sink::ForEach;
use agon_core::{Game, MoveList, Notation, Perft, Rng, Which, fen};

use super::board::{HEIGHT, WIDTH};
use super::{FIGURE_2, Fenix, naive, setup_sequences};
use crate::battery::{Naive, Subject, Symmetry};
use crate::{Family as _, Table, open_at};

const FIGURE_4: &str = "8/1Ks5/2g5/2s1s3/5s2/8/7k 20 0 w 00";

fn table(position: &str) -> Box<dyn Table> {
    let table = open_at::<&str>(&"fenix".parse().unwrap(), Some(position), &[]);
    table.unwrap_or_else(|error| panic!("{error}"))
}

fn read(position: &str) -> Fenix {
    Fenix::start().read_position(position).unwrap_or_else(|error| panic!("{error}"))
}

fn move_texts(position: &Fenix) -> Vec<String> {
    let mut texts = Vec::new();
    let mut name = ForEach(|mv| texts.push(position.move_text(mv)));
    let _ = position.generate(Which::All, &mut name);
    texts.sort();
    texts
}

// The battery.

fn twin(_: &str, position: &str) -> Box<dyn Naive> {
    Box::new(naive::Fenix::open(Some(position)))
}

/// From ply 11 on only the side matters, not the ply.
fn without_counters(position: &str) -> String {
    let fields: Vec<&str> = position.split(' ').collect();
    let turn: u32 = fields[1].parse().unwrap();
    format!("{} {} {} {}", fields[0], turn.min(11), fields[3], fields[4])
}

/// Applies `change` to the rows, which come from the top.
fn with_rows(position: &str, change: impl Fn(Vec<String>) -> Vec<String>) -> String {
    let (rows, rest) = position.split_once(' ').unwrap();
    format!("{} {rest}", change(rows.split('/').map(String::from).collect()).join("/"))
}

fn left_and_right(position: &str) -> String {
    with_rows(position, |rows| rows.iter().map(|row| row.chars().rev().collect()).collect())
}

fn top_and_bottom(position: &str) -> String {
    with_rows(position, |rows| rows.into_iter().rev().collect())
}

/// Swaps the colours and changes the parity of the ply, but keeps the squares.
fn colours(position: &str) -> String {
    let fields: Vec<&str> = position.split(' ').collect();
    let swap = |c: char| {
        if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
    };
    let rows: String = fields[0].chars().map(swap).collect();
    let turn = fields[1].parse::<u32>().unwrap() ^ 1;
    let side = ["w", "b"][turn as usize % 2];
    format!("{rows} {turn} {} {side} {}", fields[2], fields[4])
}

const SYMMETRIES: &[Symmetry] = &[
    Symmetry {
        name: "left and right swapped",
        position: left_and_right,
        mv: |mv| {
            let flip =
                |c| if ('a'..='h').contains(&c) { (b'a' + b'h' - c as u8) as char } else { c };
            mv.chars().map(flip).collect()
        },
        keeps_values: true,
    },
    Symmetry {
        name: "top and bottom swapped",
        position: top_and_bottom,
        mv: |mv| {
            let flip =
                |c: char| if c.is_ascii_digit() { (b'1' + b'7' - c as u8) as char } else { c };
            mv.chars().map(flip).collect()
        },
        keeps_values: true,
    },
    Symmetry { name: "colours swapped", position: colours, mv: str::to_string, keeps_values: true },
];

#[test]
fn random_games_agree_with_the_twin() {
    let positions = [
        FIGURE_2,
        FIGURE_4,
        "K7/8/8/8/8/8/7k 30 0 w 00",
        "SS3k2/SG6/8/8/8/8/S6S 30 0 w 11",
        "2K5/1S1S1S2/2G1G3/8/2g1g3/1s1s1s2/3k4 30 40 w 00",
    ];
    Subject {
        variant: "fenix",
        positions: positions.map(String::from).to_vec(),
        twin,
        without_counters,
        symmetries: SYMMETRIES,
        longest: 1000,
        budget: 4000,
    }
    .check();
}

/// A board with pieces scattered at random, sometimes many and sometimes few.
fn random_position(rng: &mut Rng) -> String {
    let (crowd, stacks) = (2 + rng.below(5), rng.below(8));
    let mut squares = [[None; HEIGHT]; WIDTH];
    for square in squares.as_flattened_mut() {
        let kind = if rng.below(8) < stacks { 1 + rng.below(2) } else { 0 };
        let letter = ["Ss", "Gg", "Kk"][kind as usize].chars().nth(rng.below(2) as usize);
        *square = letter.filter(|_| rng.below(8) < crowd);
    }
    let rows = fen::write_rows(WIDTH, HEIGHT, |column, row| squares[column][row]);
    let turn = if rng.below(4) == 0 { rng.below(12) } else { 12 + rng.below(90) };
    let (quiet, side) = (rng.below(52), ["w", "b"][turn as usize % 2]);
    format!("{rows} {turn} {quiet} {side} {}{}", rng.below(2), rng.below(2))
}

#[test]
fn boards_no_game_leads_to_agree_with_the_twin() {
    let mut rng = Rng::new(0xFE41);
    let mut captures = 0;
    for _ in 0..3000 {
        let text = random_position(&mut rng);
        let Ok(position) = Fenix::start().read_position(&text) else {
            continue; // Too many pieces for an army.
        };
        let mut twin = naive::Fenix::open(Some(&position.position_text()));
        let points = position.outcome().map(|outcome| outcome.points().as_slice().to_vec());
        assert_eq!(points, twin.outcome_without_history(), "{text}");
        let moves: Vec<String> = if points.is_none() { move_texts(&position) } else { vec![] };
        assert_eq!(moves, twin.moves(), "{text}");
        let Some(mv) = rng.choose(&position.moves()).copied() else { continue };
        captures += u32::from(mv.captured.any());
        twin.play(&position.move_text(mv));
        let mut after = position;
        after.play(mv);
        assert_eq!(after.position_text(), twin.position(), "{text}");
        assert_eq!(after, after.with_key(), "key after {} in {text}", position.move_text(mv));
    }
    assert!(captures > 500);
}

// Known numbers.

#[test]
fn known_move_counts_are_reached() {
    for case in super::Family::INFO.perft {
        let position = case.position.map_or(Fenix::start(), read);
        for (depth, &expected) in (1..).zip(case.counts).filter(|(_, count)| **count < 500_000_000)
        {
            assert_eq!(Perft::default().count(&position, depth), expected, "depth {depth}");
        }
    }
}

#[test]
fn setup_sequences_multiply_to_the_move_counts_of_the_start() {
    let sequences: Vec<u64> = (0..7).map(setup_sequences).collect();
    assert_eq!(sequences, [1, 60, 3090, 134_640, 4_845_600, 55_002_240, 0]);
    assert_eq!(setup_sequences(u32::MAX), 0);
    for depth in 1..=4usize {
        let product = sequences[depth.div_ceil(2)] * sequences[depth / 2];
        assert_eq!(product, Perft::default().count(&Fenix::start(), depth as u32), "{depth}");
    }
    assert_eq!(sequences[4] * sequences[3], 652_411_584_000);
    assert_eq!(sequences[5] * sequences[5], 3_025_246_405_017_600);
}

#[test]
fn every_move_is_drawn_equally_often() {
    let captures = "Gs6/8/Gs6/8/Gs6/k7/Gs6 30 0 w 00";
    for text in [FIGURE_2, captures, "SS3k2/SG6/8/8/8/8/S6S 30 0 w 11"] {
        let position = read(text);
        let moves = position.moves();
        let (mut rng, mut scratch) = (Rng::new(7), MoveList::new());
        let mut drawn = vec![0usize; moves.len()];
        for _ in 0..1000 * moves.len() {
            let mv = position.sample(&mut rng, &mut scratch).unwrap();
            drawn[moves.iter().position(|other| *other == mv).unwrap()] += 1;
        }
        assert!(drawn.iter().all(|times| (800..1200).contains(times)), "{text}: {drawn:?}");
    }
}
