//! Congo's own tests; the rest is in the battery.

mod evaluation;
mod guide;
mod hints;
mod tuned;

use std::collections::{BTreeMap, BTreeSet};

use agon_core::{Draw, Game, MoveList, Notation, Perft, Progress, Rng, Square, Which};
use serde_json::Value;

use super::board::{BOARD, CASTLE, Set};
use super::moves::Pick;
use super::notation::{MOST_PREY, square_name};
use super::{Congo, Move, PieceKind, course, naive};
use crate::battery::{Naive, Subject, Symmetry};
use crate::{Family as _, Table, open, open_at};

fn table(position: &str) -> Box<dyn Table> {
    open_at::<&str>(&"congo".parse().unwrap(), Some(position), &[]).unwrap()
}

fn read(position: &str) -> Congo {
    Congo::start(true).read_position(position).unwrap_or_else(|error| panic!("{error}"))
}

fn after(position: &str, mv: &str) -> Congo {
    let mut position = read(position);
    position.play(position.read_move(mv).unwrap_or_else(|error| panic!("{error}")));
    position
}

fn twin(variant: &str, position: &str) -> Box<dyn Naive> {
    Box::new(naive::Congo::open(variant == "congo", Some(position)))
}

/// Rows and side; the move number has no effect.
fn without_counters(position: &str) -> String {
    position.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

fn mirror_position(position: &str) -> String {
    let (rows, rest) = position.split_once(' ').unwrap();
    let mirrored: Vec<String> = rows.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{} {rest}", mirrored.join("/"))
}

fn mirror_move(mv: &str) -> String {
    let flip = |c: char| if c.is_ascii_digit() { c } else { (b'a' + b'g' - c as u8) as char };
    mv.chars().map(flip).collect()
}

/// Swaps the two sides, and top and bottom with them.
fn swap_position(position: &str) -> String {
    let fields: Vec<&str> = position.split(' ').collect();
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    let rows: Vec<String> =
        fields[0].split('/').rev().map(|row| row.chars().map(swap).collect()).collect();
    format!("{} {} {}", rows.join("/"), if fields[1] == "w" { "b" } else { "w" }, fields[2])
}

fn swap_move(mv: &str) -> String {
    let flip = |c: char| if c.is_ascii_digit() { (b'1' + b'7' - c as u8) as char } else { c };
    mv.chars().map(flip).collect()
}

const SYMMETRIES: &[Symmetry] = &[
    Symmetry { name: "mirror", position: mirror_position, mv: mirror_move, keeps_values: true },
    Symmetry { name: "sides swapped", position: swap_position, mv: swap_move, keeps_values: true },
];

/// Positions to start random games from: all of the vectors, and some full of monkeys.
fn positions() -> Vec<String> {
    let crowded = [
        "3l3/p1p1p1p/1p1p1p1/p1p1p1p/1M1M1M1/7/3L3 w 0",
        "3l2m/1P1P1P1/m5m/1P1P1P1/m6/1PLP1P1/m5m b 7",
        "e1elg1e/1M3M1/c1z1z1c/7/1g1g1g1/1M1L1M1/e3z1e w 0",
        "M1l3M/1ccc3/1c1c1M1/1ccc3/7/2L4/M5M w 0",
    ];
    vectors().iter().map(|record| text(&record["fen"])).chain(crowded.map(String::from)).collect()
}

/// Boards with men scattered at random, which no game reaches.
fn strewn(count: usize) -> Vec<String> {
    let mut rng = Rng::new(0xC0460);
    let mut board = || {
        let mut position = Congo::empty(true);
        for seat in [super::WHITE, super::BLACK] {
            position.put(seat, PieceKind::Lion, CASTLE[seat.index()].nth(rng.below(9) as u32));
        }
        for seat in [super::WHITE, super::BLACK] {
            for _ in 0..rng.below(12) {
                let free = BOARD - position.occupied();
                let square = free.nth(rng.below(u64::from(free.len())) as u32);
                let kind = PieceKind::from_number(rng.below(8) as usize);
                position.put(
                    seat,
                    if kind == PieceKind::Lion { PieceKind::Monkey } else { kind },
                    square,
                );
            }
        }
        position.turn = [super::WHITE, super::BLACK][rng.below(2) as usize];
        position.position_text()
    };
    (0..count).map(|_| board()).collect()
}

fn check(variant: &'static str, positions: Vec<String>, budget: usize) {
    Subject {
        variant,
        positions,
        twin,
        without_counters,
        symmetries: SYMMETRIES,
        longest: 201,
        budget,
    }
    .check();
}

#[test]
fn random_games_agree_with_the_twin() {
    check("congo", positions(), 8000);
}

#[test]
fn random_games_without_promotion_agree_with_the_twin() {
    check("congo:no-promotion", positions(), 3000);
}

#[test]
fn positions_that_no_game_reaches_agree_with_the_twin() {
    check("congo", strewn(60), 3000);
    check("congo:no-promotion", strewn(40), 1000);
}

#[test]
fn a_chosen_move_is_the_one_with_the_chosen_number() {
    for position in positions().iter().chain(&strewn(100)).map(|text| read(text)) {
        for (number, mv) in (0..).zip(position.moves()) {
            let mut pick = Pick::new(number);
            let _ = position.walk(Which::All, &mut pick);
            assert_eq!(pick.found(), Some(mv), "{number} in {}", position.position_text());
        }
    }
}

#[test]
fn known_move_counts_are_reached() {
    for case in super::Family::INFO.perft {
        let position = case.position.map_or(Congo::start(true), read);
        for (depth, &expected) in (1..).zip(case.counts).filter(|(_, count)| **count < 300_000_000)
        {
            let counted = Perft::default().count(&position, depth);
            assert_eq!(counted, expected, "{:?} depth {depth}", case.position);
        }
    }
}

fn vectors() -> Vec<Value> {
    let lines = include_str!("vectors.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_string()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(text).collect()
}

fn names(squares: Set) -> Vec<String> {
    squares.into_iter().map(square_name).collect()
}

/// Every field of every record: moves, captures, successors, results, men in the river, counts.
#[test]
fn the_vectors_hold() {
    for record in vectors() {
        let (id, fen) = (text(&record["id"]), text(&record["fen"]));
        let position = read(&fen);
        assert_eq!(position.position_text(), fen, "{id}");
        let bare_lions = record["status"] == "Draw (two lions)";
        assert_eq!(position.to_move().is_none(), bare_lions, "{id}");
        check_moves(&id, &position, &record);
        check_river(&id, position, &record["river"]);
        check_counts(&id, &position, &record);
    }
}

fn check_moves(id: &str, position: &Congo, record: &Value) {
    let moves = position.moves_anyway();
    let named: BTreeMap<String, Move> =
        moves.iter().map(|&mv| (position.move_text(mv), mv)).collect();
    let records = record["moves"].as_array().unwrap();
    let expected: Vec<String> = records.iter().map(|mv| text(&mv["m"])).collect();
    assert_eq!(named.keys().cloned().collect::<Vec<_>>(), expected, "moves of {id}");
    for expected in records {
        let mv = named[&text(&expected["m"])];
        check_move(&format!("{} in {id}", expected["m"]), position, mv, expected);
    }
    let fen = position.position_text();
    assert_eq!(course::moves(&fen, None, true).unwrap(), texts(&record["moves_ft"]).join(" "));
    let of_kind = |kind| course::moves(&fen, Some(kind), true).unwrap();
    let by_kind: Vec<String> = PieceKind::ALL.into_iter().map(of_kind).collect();
    let mut all: Vec<&str> = by_kind.iter().flat_map(|line| line.split_whitespace()).collect();
    all.sort_unstable();
    assert_eq!(all, texts(&record["moves_ft"]), "by kind in {id}");
}

fn check_move(what: &str, position: &Congo, mv: Move, expected: &Value) {
    let fen = text(&expected["fen"]);
    assert_eq!(square_name(mv.from()) + &square_name(mv.to()), expected["ft"], "{what}");
    let theirs = position.sides[position.turn.opponent().index()];
    let captured = mv.jumped() | (Set::from(mv.to()) & theirs);
    let squares: BTreeSet<String> = names(captured).into_iter().collect();
    let x = expected.get("x").map(texts).unwrap_or_default();
    assert_eq!(squares, x.into_iter().collect(), "captures of {what}");
    let mut noisy = MoveList::new();
    let _ = position.generate(Which::Noisy, &mut noisy);
    let is_noisy = captured.any() || position.is_promotion(mv);
    assert_eq!(noisy.contains(&mv), is_noisy, "noise of {what}");
    let mut child = *position;
    child.play(mv);
    assert_eq!(child.position_text(), fen, "{what}");
    assert_eq!(read(&fen), child, "{what}");
    let won = |points: &[u8]| match points {
        [100, 0] => "White wins",
        [0, 100] => "Black wins",
        _ => "Continue",
    };
    let over = child.status().outcome();
    let result = over.map_or("Continue", |outcome| won(outcome.points().as_slice()));
    assert_eq!(result, expected["res"], "{what}");
    let drawn = over.is_some_and(|outcome| outcome.winner().is_none());
    assert_eq!(drawn, expected.get("draw2lions").is_some(), "{what}");
    let applied = course::apply(&position.position_text(), &text(&expected["m"]), true).unwrap();
    assert_eq!(applied, (fen, result), "{what}");
}

fn check_river(id: &str, position: Congo, river: &Value) {
    for (turn, side) in [(super::WHITE, "w"), (super::BLACK, "b")] {
        let wet = Congo { turn, ..position }.wet();
        assert_eq!(names(wet), texts(&river[side]), "{side} in the river of {id}");
    }
}

fn check_counts(id: &str, position: &Congo, record: &Value) {
    for (depth, expected) in (1..).zip(record["perft_cap"].as_array().unwrap()) {
        let counted = Perft::default().count(position, depth);
        assert_eq!(Some(counted), expected.as_u64(), "{id} depth {depth}");
    }
    let moves = position.moves_anyway();
    assert_eq!(Some(moves.len() as u64), record["n_cap"].as_u64(), "{id}");
    let ways = moves.iter().map(|&mv| position.trace(mv).routes.len() as u64);
    assert_eq!(Some(ways.sum()), record["n_seq"].as_u64(), "ways to enter the moves of {id}");
    let successor = |&mv: &Move| {
        let mut child = *position;
        child.play(mv);
        child.key()
    };
    let successors: BTreeSet<u64> = moves.iter().map(successor).collect();
    assert_eq!(Some(successors.len() as u64), record["n_pos"].as_u64(), "{id}");
}

#[test]
fn a_captured_lion_ends_the_game_and_drowned_men_are_still_removed() {
    let end = after("4l2/4P2/1PE4/2P4/e1p4/4L2/7 w 40", "e6e7");
    assert_eq!(end.position_text(), "4S2/7/1PE4/7/e1p4/4L2/7 b 40");
    let outcome = end.outcome().unwrap();
    assert_eq!(outcome.points().as_slice(), [100, 0]);
    assert_eq!(outcome.reason(), "black's lion was captured");
}

#[test]
fn two_bare_lions_draw_even_where_one_sees_the_other() {
    let drawn = after("3l3/7/7/E6/7/7/3L3 w 3", "d1c1");
    assert_eq!(drawn.outcome().unwrap().reason(), "only the two lions are left");
    assert!(read("3l3/7/7/7/7/7/3L3 w 0").moves().is_empty());
}

#[test]
fn a_side_without_a_move_loses() {
    let stuck = table("3l3/7/ppppppp/ppppppp/MMMMMMM/MMMMMMM/MMLMMMM w 0");
    let outcome = stuck.outcome().unwrap();
    assert_eq!(outcome.points().as_slice(), [0, 100]);
    assert_eq!(outcome.reason(), "white has no legal move");
}

#[test]
fn the_third_occurrence_and_the_hundredth_move_draw() {
    let mut repeated = open(&"congo".parse().unwrap()).unwrap();
    for mv in ["a1a3", "a7a5", "a3a1", "a5a7"].repeat(2) {
        assert!(repeated.outcome().is_none());
        repeated.play(mv).unwrap();
    }
    assert_eq!(repeated.outcome().unwrap().reason(), "third occurrence of a position");
    let rules = Congo::start(true).history_rules();
    assert_eq!(rules.plies.unwrap().count, 200);
}

#[test]
fn moves_are_irreversible_exactly_where_nothing_from_before_can_recur() {
    let progress = |promotion, position, mv| {
        let mut position = Congo::start(promotion).read_position(position).unwrap();
        position.play(position.read_move(mv).unwrap())
    };
    let position = "1P1l3/5P1/7/E4p1/2P2P1/1P5/3L3 w 0";
    for (promotion, mv, expected) in [
        (true, "b2b3", Progress::Irreversible),
        (true, "c3c4", Progress::Irreversible), // The elephant drowns.
        (true, "a4a5", Progress::Reversible),
        (true, "a4b4", Progress::Irreversible),
        (true, "f3f4", Progress::Irreversible),
        (true, "f6f7", Progress::Irreversible),
        (true, "b7b5", Progress::Irreversible),
    ] {
        assert_eq!(progress(promotion, position, mv), expected, "{mv}");
    }
    let dry = position.replace("E4p1", "C4p1");
    for (promotion, mv, expected) in [
        (true, "c3c4", Progress::Reversible),
        (true, "f6f5", Progress::Reversible),
        (false, "f6f7", Progress::Reversible),
        (false, "b7b5", Progress::Reversible),
        (false, "b2b3", Progress::Irreversible),
    ] {
        assert_eq!(progress(promotion, &dry, mv), expected, "{mv}");
    }
}

#[test]
fn without_promotion_a_pawn_on_the_last_rank_stays_a_pawn() {
    let fen = "3l3/P6/7/7/7/7/3L3 w 0";
    let (stays, _) = course::apply(fen, "a6a7", false).unwrap();
    assert_eq!(stays, "P2l3/7/7/7/7/7/3L3 b 0");
    let (promoted, _) = course::apply(fen, "a6a7", true).unwrap();
    assert_eq!(promoted, "S2l3/7/7/7/7/7/3L3 b 0");
    let moves = course::moves("P2l3/7/7/7/7/7/3L3 w 0", Some(PieceKind::Pawn), false);
    assert_eq!(moves.unwrap(), "a7a5 a7a6");
}

#[test]
fn every_spelling_of_a_capture_is_read_and_the_first_is_printed() {
    let position = read("3l3/1p1p3/7/1p1p3/2M4/7/2L4 w 0");
    let around = position.read_move("c3e5c7a5c3").unwrap();
    assert_eq!(position.read_move("c3a5c7e5c3").unwrap(), around);
    assert_eq!(position.move_text(around), "c3a5c7e5c3");
    assert_eq!(position.read_move("c3c3").unwrap(), around, "from and to match only one move");
    let single = position.read_move("c3e5").unwrap();
    assert_eq!(single.jumped().len(), 1, "the exact spelling comes before longer chains");
    let error = position.read_move("c3c7").unwrap_err();
    assert_eq!(error.expected(), "every landing of the capture: c3a5c7 c3e5c7");
    assert!(position.read_move("c3e5c3").is_err(), "no piece is jumped twice");
}

#[test]
fn the_drawing_shows_all_routes_and_everything_that_leaves_the_board() {
    let position = read("3l3/1p1p3/7/1p1p3/2M4/7/2L4 w 0");
    let cell =
        |name: &str| position.scene().cells.iter().position(|cell| cell.name == name).unwrap();
    let cells = |names: &str| -> Vec<usize> { names.split(' ').map(cell).collect() };
    let trace = position.trace(position.read_move("c3c3").unwrap());
    assert_eq!(trace.routes, [cells("c3 a5 c7 e5 c3"), cells("c3 e5 c7 a5 c3")]);
    assert_eq!(trace.removes, cells("b4 b6 d4 d6"));
    let wet = read("3l3/7/7/E1p1p1S/7/7/3L3 w 0");
    let trace = wet.trace(wet.read_move("a4c4").unwrap());
    assert_eq!(trace.removes, cells("a4 c4 g4"), "the mover drowns too");
}

#[test]
fn the_course_lists_the_pieces() {
    let text = course::pieces("gmelecz/ppppppp/7/7/7/PPPPPPP/GMELECZ B 0", true).unwrap();
    let lines: Vec<&str> = text.split('\n').collect();
    assert_eq!(lines.len(), 17);
    assert_eq!(lines[0], "white pawn: a2 b2 c2 d2 e2 f2 g2");
    assert_eq!(lines[3], "black superpawn:");
    assert_eq!(lines[8], "white elephant: c1 e1");
    assert_eq!(lines[15], "black zebra: g7");
    assert_eq!(lines[16], "side to play: black");
}

#[test]
fn the_course_goes_on_with_two_bare_lions_and_stops_without_one() {
    let bare = "3l3/7/7/7/7/7/3L3 w 4";
    assert_eq!(course::moves(bare, None, true).unwrap(), "d1c1 d1c2 d1d2 d1d7 d1e1 d1e2");
    let (fen, result) = course::apply(bare, "d1c1", true).unwrap();
    assert_eq!((fen.as_str(), result), ("3l3/7/7/7/7/7/2L4 b 4", "Continue"));
    let error = course::apply(bare, "d1d3", true).unwrap_err();
    assert_eq!(error.expected(), "a legal move: d1c1 d1c2 d1d2 d1d7 d1e1 d1e2");
    let won = "3L3/7/7/7/7/7/4p2 b 4";
    assert_eq!(course::moves(won, None, true).unwrap(), "");
    let error = course::apply(won, "e1e2", true).unwrap_err();
    assert_eq!(error.expected(), "no move: the game is over");
}

#[test]
fn bad_texts_are_explained() {
    let error = |text: &str| open(&text.parse().unwrap()).err().unwrap().to_string();
    assert_eq!(
        error("congo:promotion"),
        "congo: bad variant: expected nothing, or no-promotion for the 2021 edition: congo or \
         congo:no-promotion\n  congo:promotion\n        ^^^^^^^^^"
    );
    let position = |text: &str| Congo::start(true).read_position(text).unwrap_err().to_string();
    assert_eq!(
        position("3l3/7/7/3L3/7/7/7 w 0"),
        "congo: bad position: expected white's lion in its castle, c1 to e3\n  \
         3l3/7/7/3L3/7/7/7 w 0\n           ^"
    );
    assert_eq!(
        position("3l3/7/7/7/7/7/2LL3 w 0"),
        "congo: bad position: expected only one lion of white\n  \
         3l3/7/7/7/7/7/2LL3 w 0\n                  ^"
    );
    assert!(position("7/7/7/7/7/7/7 w 0").contains("expected at least one lion"));
    assert!(position("x").contains("expected one of P S G M E L C Z (white), p s g"));
    assert!(position("3l3/7/7/7/7/7/3L3 ü").contains("expected the side to move, w or b"));
    assert!(position("3l3/7/7/7/7/7/3L3 w 4294967296").contains("the move number, 0 to 42"));
    assert!(position("3l3/7/7/7/7/7/3L3 w 1 2").contains("nothing more"));
    let mv = |text: &str| Congo::start(true).read_move(text).unwrap_err().to_string();
    assert!(mv("d2").contains("a square a1 to g7"));
    assert!(mv("d2dé").ends_with("\n    ^^"));
    assert!(mv("d2d5").contains("one of 24 legal moves, such as a1a3"));
    assert!(mv("e5e4").contains("one of 24 legal moves"));
    let kind = "lions".parse::<PieceKind>().unwrap_err().to_string();
    assert!(kind.contains("expected one of pawn, superpawn, giraffe, monkey, elephant"));
}

#[test]
fn numbers_at_their_limit_and_missing_numbers_are_read() {
    let last = after("3l3/7/7/7/7/7/2PL3 b 4294967295", "d7c7");
    assert_eq!(last.position_text(), "2l4/7/7/7/7/7/2PL3 w 4294967295");
    assert_eq!(read("3l3/7/7/7/7/7/2PL3 w ").position_text(), "3l3/7/7/7/7/7/2PL3 w 0");
}

#[test]
fn a_crowd_that_a_monkey_could_jump_over_in_countless_ways_is_refused() {
    let crowd = "1p1l1p1/ppppppp/1p1p1p1/ppppppp/1pMp1p1/pppLppp/1p1p1p1 w 0";
    let error = Congo::start(true).read_position(crowd).unwrap_err();
    assert_eq!(
        error.expected(),
        format!("at most {MOST_PREY} men of black, not 32, for white's monkeys to jump over")
    );
    assert!(read(&crowd.replace('M', "E")).count_moves() > 0);
    // As many as there may be, and one more.
    let most = "3l3/ppppppp/ppppppp/ppppp2/7/6M/3L3 w 0";
    assert!(read(most).count_moves() > 0);
    assert!(Congo::start(true).read_position(&most.replace("ppppp2", "pppppp1")).is_err());
}

#[test]
fn moves_show_what_they_are() {
    let mv = Move::capture(Square::new(8), Square::new(24), Set::from(Square::new(16)));
    assert_eq!(format!("{mv:?}"), "monkey b2d4 xc3");
}
