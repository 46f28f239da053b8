//! Wumpus battle against its twin, and its rules one by one.

mod evaluation;
mod texts;
mod tuned;
mod vectors;

use agon_core::scene::RegionKind;
use agon_core::{Draw, Game, MoveList, Notation, Perft, Progress, Rng};

use super::board::Cells;
use super::{Wumpus, naive};
use crate::battery::{Naive, Subject, Symmetry, plain};
use crate::{Family as _, Table, open, open_at};

fn table(variant: &str) -> Box<dyn Table> {
    open(&variant.parse().unwrap()).unwrap()
}

fn table_at(variant: &str, position: &str) -> Box<dyn Table> {
    open_at::<&str>(&variant.parse().unwrap(), Some(position), &[]).unwrap()
}

fn perft(table: &dyn Table, depth: u32) -> u64 {
    table.perft(&Perft::default(), depth, &|_, _| {}).iter().map(|(_, nodes)| nodes).sum()
}

/// A position of the 3×3 board.
fn small(position: &str) -> Wumpus<u64> {
    let start = Wumpus::<u64>::start(u64::boards().get(3), agon_core::Bitboard::EMPTY);
    start.read_position(position).unwrap()
}

fn twin(_: &str, position: &str) -> Box<dyn Naive> {
    Box::new(naive::Wumpus::open(position))
}

/// Rows and side.
fn without_counters(position: &str) -> String {
    position.rsplit_once(' ').unwrap().0.to_string()
}

/// Replaces the board of a position and keeps the rest of the text.
fn with_board(position: &str, change: impl Fn(plain::Board) -> plain::Board) -> String {
    let (rows, rest) = position.split_once(' ').unwrap();
    format!("{} {rest}", plain::write_rows(&change(plain::read_rows(rows))))
}

/// A move with each of its cells changed.
fn with_cells(mv: &str, change: impl Fn(u32, u32) -> (u32, u32)) -> String {
    let cell = |text: &str| {
        let (row, column) = text.split_once(',').unwrap();
        let (row, column) = change(row.parse().unwrap(), column.parse().unwrap());
        format!("{row},{column}")
    };
    mv.split('-').map(cell).collect::<Vec<_>>().join("-")
}

fn mirror_position(position: &str) -> String {
    let mirrored = |row: Vec<char>| row.into_iter().rev().collect();
    with_board(position, |board| board.into_iter().map(mirrored).collect())
}

fn transpose_position(position: &str) -> String {
    with_board(position, |board| {
        (0..board.len()).map(|column| board.iter().map(|row| row[column]).collect()).collect()
    })
}

/// Swaps the two sides, and top and bottom with them.
fn swap_position(position: &str) -> String {
    let swap = |c: char| match c {
        'O' => 'O',
        c if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
        c => c.to_ascii_lowercase(),
    };
    let swapped = |row: Vec<char>| row.into_iter().map(swap).collect();
    let position = with_board(position, |board| board.into_iter().rev().map(swapped).collect());
    if position.contains("agent") {
        position.replace("agent", "adversary")
    } else {
        position.replace("adversary", "agent")
    }
}

const fn symmetries<const SIZE: u32>() -> [Symmetry; 3] {
    [
        Symmetry {
            name: "mirror",
            position: mirror_position,
            mv: |mv| with_cells(mv, |row, column| (row, SIZE + 1 - column)),
            keeps_values: true,
        },
        Symmetry {
            name: "rows and columns swapped",
            position: transpose_position,
            mv: |mv| with_cells(mv, |row, column| (column, row)),
            keeps_values: true,
        },
        Symmetry {
            name: "sides swapped",
            position: swap_position,
            mv: |mv| with_cells(mv, |row, column| (SIZE + 1 - row, column)),
            keeps_values: true,
        },
    ]
}

fn check(
    variant: &'static str,
    positions: Vec<String>,
    symmetries: &'static [Symmetry],
    budget: usize,
) {
    Subject { variant, positions, twin, without_counters, symmetries, longest: 3100, budget }
        .check();
}

/// The vectors' positions of this size.
fn vector_positions(size: u64) -> Vec<String> {
    let all = vectors::records("position").into_iter();
    all.filter(|record| record["d"] == size).map(|r| vectors::position_text(&r)).collect()
}

#[test]
fn the_boards_of_one_word_agree_with_the_twin() {
    check("wumpus:3", vector_positions(3), &const { symmetries::<3>() }, 3000);
    check("wumpus:6", vector_positions(6), &const { symmetries::<6>() }, 5000);
    check("wumpus:6,seed=3", Vec::new(), &const { symmetries::<6>() }, 1000);
}

#[test]
fn the_larger_boards_agree_with_the_twin() {
    check("wumpus:9", vector_positions(9), &const { symmetries::<9>() }, 2500);
    check("wumpus:12", Vec::new(), &const { symmetries::<12>() }, 1500);
    check("wumpus:15,seed=9", Vec::new(), &const { symmetries::<15>() }, 1000);
}

#[test]
fn positions_that_no_game_reaches_agree_with_the_twin() {
    let crowded = "whmWHM/WHMwhm/whmWHM/WHMwhm/whmWHM/WHMwhm adversary 0";
    let surrounded = "wwwwww/wwwwww/wwwWww/wwwwww/wwwwww/wwwwww adversary 0";
    let pits_everywhere = "OOwOOO/OOOOOO/OOOHOO/OOOOOO/OOOOOO/mOOOOO agent 0";
    let nearly_drawn = "W5/6/2O3/6/6/5h agent 97";
    let long_drawn = "W5/6/2O3/6/6/5h agent 65535";
    let one_side = "W5/6/2O3/6/6/6 agent 3";
    let nobody = "6/6/2O3/6/6/6 agent 100";
    let positions =
        [crowded, surrounded, pits_everywhere, nearly_drawn, long_drawn, one_side, nobody];
    let positions = positions.map(String::from).to_vec();
    check("wumpus:6,pits=none", positions, &const { symmetries::<6>() }, 3000);
    let full = format!("{}w adversary 0", "WHMWHMWHMWHMWHM/".repeat(14) + "whmwhmwhmwhmwh");
    check("wumpus:15", vec![full], &const { symmetries::<15>() }, 600);
}

#[test]
fn known_move_counts_are_reached() {
    for case in super::Family::INFO.perft {
        let table = table(case.variant);
        for (depth, &expected) in (1..).zip(case.counts).filter(|(_, n)| **n < 100_000_000) {
            assert_eq!(perft(&*table, depth), expected, "{} depth {depth}", case.variant);
        }
    }
}

#[test]
fn counts_stop_where_the_counter_ends_the_game() {
    let count =
        |quiet: u32, depth| perft(&*table_at("wumpus:3", &format!("W2/3/2w agent {quiet}")), depth);
    assert_eq!([0, 98, 99, 100].map(|quiet| count(quiet, 1)), [3, 3, 3, 0]);
    assert_eq!([0, 97, 98].map(|quiet| count(quiet, 2)), [9, 9, 9]);
    assert_eq!(count(99, 2), 0);
    assert!(count(97, 3) == count(0, 3) && count(98, 3) < count(0, 3));
}

#[test]
fn only_the_loss_of_a_piece_is_irreversible() {
    for (position, mv, expected) in [
        ("W2/3/2w agent", "1,1-2,2", Progress::Reversible),
        ("W2/1O1/2w agent", "1,1-2,2", Progress::Irreversible),
        ("W2/1w1/2w agent", "1,1-2,2", Progress::Irreversible),
        ("W2/1h1/2w agent", "1,1-2,2", Progress::Irreversible),
        ("W2/1m1/2w agent", "1,1-2,2", Progress::Irreversible),
    ] {
        let mut position = small(position);
        let mv = position.read_move(mv).unwrap();
        assert_eq!(position.play(mv), expected);
        assert_eq!(position.quiet, u16::from(expected == Progress::Reversible));
        assert_eq!(position.key(), position.with_key().key());
    }
}

#[test]
fn a_hundred_plies_without_a_loss_are_a_draw() {
    let mut table = table_at("wumpus:3", "W2/3/2w agent 98");
    table.play("1,1-1,2").unwrap();
    assert!(table.outcome().is_none());
    table.play("3,3-3,2").unwrap();
    let outcome = table.outcome().unwrap();
    assert_eq!(outcome.points().as_slice(), [50, 50]);
    assert_eq!(outcome.reason(), "100 plies without the loss of a piece");
    assert!(table.moves().is_empty());
}

#[test]
fn a_win_at_the_hundredth_ply_counts_and_a_loss_of_a_piece_starts_the_count_again() {
    let mut won = table_at("wumpus:3", "W2/1m1/3 agent 99");
    won.play("1,1-2,2").unwrap();
    assert_eq!(won.outcome().unwrap().points().as_slice(), [0, 100]);
    let mut fallen = table_at("wumpus:3", "W1W/1O1/2w agent 99");
    fallen.play("1,1-2,2").unwrap();
    assert_eq!(fallen.position(), "2W/1O1/2w adversary 0");
    assert!(fallen.outcome().is_none());
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let mut table = table("wumpus:6");
    for round in 0..2 {
        assert!(table.outcome().is_none(), "round {round}");
        for mv in ["6,1-5,1", "1,1-2,1", "5,1-6,1", "2,1-1,1"] {
            table.play(mv).unwrap();
        }
    }
    let outcome = table.outcome().unwrap();
    assert_eq!(outcome.points().as_slice(), [50, 50]);
    assert_eq!(outcome.reason(), "third occurrence of the same position");
}

#[test]
fn who_destroys_its_own_last_piece_loses() {
    for (position, mv, reason) in [
        ("W2/1O1/2w agent", "1,1-2,2", "the agent has no pieces left"),
        ("W2/1h1/3 agent", "1,1-2,2", "the agent has no pieces left"),
        ("W2/1O1/2w adversary", "3,3-2,2", "the adversary has no pieces left"),
        ("3/1M1/2w agent", "2,2-3,3", "the agent has no pieces left"),
        ("3/1M1/2h agent", "2,2-3,3", "the adversary has no pieces left"),
        ("3/1M1/2m agent", "2,2-3,3", "neither side has pieces left"),
    ] {
        let mut table = table_at("wumpus:3", position);
        table.play(mv).unwrap();
        assert_eq!(table.outcome().unwrap().reason(), reason, "{mv} in {position}");
    }
}

#[test]
fn chosen_moves_are_equally_likely() {
    let position = small("WHM/w2/1hm adversary");
    let moves = position.moves();
    let mut counts = vec![0; moves.len()];
    let mut rng = Rng::new(5);
    for _ in 0..1000 * moves.len() {
        let mv = position.sample(&mut rng, &mut MoveList::new()).unwrap();
        counts[moves.iter().position(|&other| other == mv).unwrap()] += 1;
    }
    assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
}

#[test]
fn what_a_move_removes_is_named_by_where_it_stood() {
    let removes = |position: &str| {
        let position = small(position);
        position.trace(position.read_move("1,1-2,2").unwrap()).removes
    };
    assert!(removes("W2/3/2w agent").is_empty());
    assert_eq!(removes("W2/1O1/2w agent"), [0]);
    assert_eq!(removes("W2/1h1/2w agent"), [0]);
    assert_eq!(removes("W2/1m1/2w agent"), [4]);
    assert_eq!(removes("W2/1w1/2w agent"), [0, 4]);
}

#[test]
fn the_drawing_has_the_agent_on_top_and_the_pits() {
    let scene = table("wumpus:6,pits=2.2+3.5").scene();
    assert_eq!(scene.cells.len(), 36);
    assert_eq!(
        (scene.cells[0].name.as_str(), scene.cells[0].x, scene.cells[0].y),
        ("1,1", 0.0, 5.0)
    );
    assert_eq!(scene.cells[35].name, "6,6");
    assert_eq!(scene.regions.len(), 1);
    assert_eq!(scene.regions[0].kind, RegionKind::Pit);
    assert_eq!(scene.regions[0].cells, [7, 16]);
    let top = scene.pieces.iter().find(|piece| piece.cell == 1).unwrap();
    assert_eq!((top.letter, &*top.name, top.owner.index()), ('H', "hero", 1));
    assert_eq!(scene.pieces.iter().filter(|piece| piece.letter == 'm').count(), 2);
    assert!(table("wumpus:3").scene().regions.is_empty());
}

#[test]
fn threats_are_battles_the_player_to_move_would_lose_or_tie() {
    let threats = |position: &str| {
        let tiny = "wumpus:3".parse().unwrap();
        crate::battery::pages::threats(&*open_at::<&str>(&tiny, Some(position), &[]).unwrap())
    };
    assert_eq!(threats("W2/1h1/2M agent 0"), ["2,2-1,1 takes 1,1"]);
    assert_eq!(threats("H2/1h1/3 agent 0"), ["2,2-1,1 takes 1,1"]);
    assert_eq!(threats("W2/1h1/2M adversary 0"), ["3,3-2,2 takes 2,2 wins"]);
}
