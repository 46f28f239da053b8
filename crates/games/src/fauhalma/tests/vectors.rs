//! The records of checked positions.

use std::collections::{BTreeSet, HashSet};

use agon_core::{Game, Notation, Perft, Seat, Square};
use serde_json::{Value, json};

use super::{C, FOR_THREE, rhombus2, star2, star3};
use crate::fauhalma::board::{
    Board, CENTRE, INDICES, NEIGHBOURS, RHOMBUS, STAR, STEPS, Set, Space, space,
};
use crate::fauhalma::notation::SEAT_NAMES;
use crate::fauhalma::{Fauhalma, Move, board};

fn records() -> Vec<Value> {
    let lines = include_str!("../vectors.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The position of a record as text, with its turn.
fn position_text(record: &Value) -> String {
    let mut position = record["position"].clone();
    position["turn"] = record["turn"].clone();
    position.to_string()
}

/// The texts of all positions of a variant.
pub(super) fn positions(variant: &str) -> Vec<String> {
    let wanted = |record: &&Value| record["variant"] == variant && record["kind"] == "position";
    records().iter().filter(wanted).map(position_text).collect()
}

fn name(square: Square) -> Value {
    let Space { x, y } = space(square);
    json!([x, y])
}

fn names(set: Set) -> BTreeSet<String> {
    set.into_iter().map(|square| name(square).to_string()).collect()
}

fn strings(list: &Value) -> BTreeSet<String> {
    list.as_array().unwrap().iter().map(Value::to_string).collect()
}

/// Counts paths instead of moves: chains that visit no space twice.
fn perft_paths<const SEATS: usize>(position: &Fauhalma<SEATS>, depth: usize) -> u64 {
    let ways = |mv: Move| position.routes(mv, usize::MAX).len() as u64;
    let after = |mv: Move| {
        let mut child = *position;
        child.play(mv);
        perft_paths(&child, depth - 1)
    };
    let moves = position.moves();
    moves.iter().map(|&mv| ways(mv) * if depth == 1 { 1 } else { after(mv) }).sum()
}

fn check_counts<const SEATS: usize>(position: &Fauhalma<SEATS>, record: &Value) {
    let known = |field: &str, below: u64| -> Vec<(usize, u64)> {
        let counts = record[field].as_array().unwrap().iter().map(|n| n.as_u64().unwrap());
        (1..).zip(counts).filter(|&(_, count)| count < below).collect()
    };
    for (depth, expected) in known("perft", 20_000_000) {
        assert_eq!(Perft::default().count(position, depth as u32), expected, "{record}");
    }
    for (depth, expected) in known("perft_paths", 100_000) {
        assert_eq!(perft_paths(position, depth), expected, "{record}");
    }
}

fn check_position<const SEATS: usize>(start: Fauhalma<SEATS>, record: &Value) {
    let position = start.read_position(&position_text(record)).unwrap();
    check_counts(&position, record);
    let found: BTreeSet<String> =
        position.moves().iter().map(|mv| json!([name(mv.from), name(mv.to)]).to_string()).collect();
    assert_eq!(found, strings(&record["legal"]), "{record}");
    if record["kind"] != "position" {
        return;
    }
    assert_eq!(record["n_legal"], found.len(), "{record}");
    let swaps = position.swaps(position.turn);
    let swapping = position.moves().iter().filter(|mv| swaps.contains(mv.to)).count();
    assert_eq!(record["n_swaps"], swapping, "{record}");
    let finished: Vec<&str> = position.home_order().map(|s| SEAT_NAMES[s.index()]).collect();
    assert_eq!(record["finished"], json!(finished), "{record}");
    let percept: Value = serde_json::from_str(&position.percept(position.turn).unwrap()).unwrap();
    assert_eq!(percept, record["percept_for_turn"], "{record}");
}

/// The part of our error that corresponds to the record's reason.
fn explanation(record: &Value) -> &'static [&'static str] {
    match record["reason"].as_str().unwrap() {
        "first space is not one of your pegs" => &["a space with one of A's pegs"],
        "target not free" => &["an empty space, or an opp", "a space of the", "than the blocked"],
        "intermediate space not empty" => &["an empty space in the middle of a chain"],
        "chain ends where it started" => &["ends on another space than it began"],
        "not a simple hop apart" => &["a step is a separate move"],
        other => panic!("unknown reason: {other}"),
    }
}

fn check_rule_case<const SEATS: usize>(start: Fauhalma<SEATS>, record: &Value) {
    let position = start.read_position(&position_text(record)).unwrap();
    let result = position.read_move(&record["path"].to_string());
    match (record["legal"].as_bool().unwrap(), result) {
        (true, result) => drop(result.unwrap()),
        (false, Ok(_)) => panic!("accepted: {record}"),
        (false, Err(error)) => {
            let known = explanation(record);
            assert!(known.iter().any(|part| error.expected().contains(part)), "{error}\n{record}");
        }
    }
}

fn check_geometry<const SEATS: usize>(start: Fauhalma<SEATS>, record: &Value) {
    assert_eq!(names(start.board.spaces), strings(&record["spaces"]));
    assert_eq!(record["n_spaces"], start.board.spaces.len());
    assert_eq!(names(CENTRE), BTreeSet::from([record["centre_blocked"].to_string()]));
    assert_eq!(record["players"], json!(SEAT_NAMES[..SEATS]));
    for seat in Seat::all(SEATS) {
        let name = SEAT_NAMES[seat.index()];
        assert_eq!(names(start.pegs[seat.index()]), strings(&record["start"][name]));
        assert_eq!(names(Fauhalma::<SEATS>::HOMES[seat.index()]), strings(&record["home"][name]));
    }
    let centre = CENTRE.first().unwrap();
    assert_eq!(names(NEIGHBOURS[centre.index()]), strings(&record["directions"]));
}

fn check_record<const SEATS: usize>(start: Fauhalma<SEATS>, record: &Value) {
    match record["kind"].as_str().unwrap() {
        "geometry" => check_geometry(start, record),
        "start_perft" | "position" => check_position(start, record),
        "deep_perft" => check_counts(&start, record),
        "rule_case" => check_rule_case(start, record),
        other => panic!("unknown kind: {other}"),
    }
}

#[test]
fn the_vectors_hold() {
    for record in records() {
        match record["variant"].as_str() {
            Some("star3") => check_record(star3(), &record),
            Some("star2") => check_record(star2(), &record),
            Some("rhombus2") => check_record(rhombus2(), &record),
            _ => assert_eq!(record["kind"], "solo"),
        }
    }
}

/// The position of a player who is alone on a board.
fn alone(board: &'static Board, pegs: Set) -> Fauhalma<2> {
    Fauhalma { pegs: [pegs, Set::EMPTY], ..Fauhalma::start(board, 300) }
}

#[test]
fn a_lone_player_gets_home_as_the_vectors_say() {
    for record in records().iter().filter(|record| record["kind"] == "solo") {
        let board = if record["board"] == "star" { &STAR } else { &RHOMBUS };
        assert_eq!(record["cells"], board.spaces.len());
        let mut pegs = star2().pegs[0];
        let solution = record["one_optimal_solution"].as_array().unwrap();
        for mv in solution {
            let ends = mv.as_array().unwrap();
            let square = |space: &Value| {
                let coordinate = |i: usize| space[i].as_i64().unwrap() as i8;
                board.square(Space::new(coordinate(0), coordinate(1))).unwrap()
            };
            let mv = Move { from: square(&ends[0]), to: square(&ends[1]) };
            assert!(alone(board, pegs).is_legal(mv));
            pegs.remove(mv.from);
            pegs.insert(mv.to);
        }
        assert_eq!(record["solo_optimum_from_start"], solution.len());
        assert_eq!(pegs, Fauhalma::<2>::HOMES[0]);
        check_distances(board, record);
    }
}

/// The number of placements at each distance from home is as recorded; moves are reversible.
fn check_distances(board: &'static Board, record: &Value) {
    let mut seen: HashSet<Set> = HashSet::from([Fauhalma::<2>::HOMES[0]]);
    let mut newest: Vec<Set> = seen.iter().copied().collect();
    for expected in record["hist"].as_array().unwrap().iter().take(7) {
        assert_eq!(*expected, newest.len(), "{}", record["board"]);
        let mut found = Vec::new();
        for &pegs in &newest {
            for mv in alone(board, pegs).moves() {
                let after = (pegs - mv.from.into()) | mv.to.into();
                if seen.insert(after) {
                    found.push(after);
                }
            }
        }
        newest = found;
    }
}

/// Why steps and hops can be shifts.
#[test]
fn no_shift_leads_from_a_cell_to_one_that_is_not_its_neighbour() {
    let cells = STAR.spaces | CENTRE;
    let mut pairs = 0;
    for cell in cells {
        for (by, (dx, dy)) in STEPS.into_iter().zip([(1, 0), (0, 1), (-1, 1)]) {
            let there = cell.index() + by as usize;
            if there < INDICES && cells.contains(Square::new(there)) {
                let (from, to) = (space(cell), space(Square::new(there)));
                assert_eq!((to.x - from.x, to.y - from.y), (dx, dy));
                pairs += 1;
            }
        }
    }
    // And no neighbour is missed.
    let plain = |cell: Square| {
        let Space { x, y } = space(cell);
        let ways = [(1, 0), (0, 1), (-1, 1)];
        let there = ways.map(|(dx, dy)| Space::new(x + dx, y + dy));
        let is_cell = |s: &&Space| STAR.square(**s).is_some() || **s == Space::CENTRE;
        there.iter().filter(is_cell).count()
    };
    assert_eq!(pairs, cells.into_iter().map(plain).sum::<usize>());
}

#[test]
fn everyone_sees_itself_as_a_and_moves_come_back_unturned() {
    for text in positions("star3") {
        let position = star3().read_position(&text).unwrap();
        for seat in Seat::all(3) {
            let view = position.seen_by(seat);
            let expected: BTreeSet<Move> =
                position.moves().iter().map(|&mv| Fauhalma::<3>::move_seen_by(seat, mv)).collect();
            assert_eq!(view.moves().into_iter().collect::<BTreeSet<Move>>(), expected);
            for &mv in position.moves().iter() {
                let seen = Fauhalma::<3>::move_seen_by(seat, mv);
                assert_eq!(Fauhalma::<3>::move_meant_by(seat, seen), mv);
                let (mut played, mut played_in_view) = (position, view);
                played.play(mv);
                played_in_view.play(seen);
                assert_eq!(played.seen_by(seat), played_in_view);
            }
        }
        let turned_text = (FOR_THREE[0].position)(&position.position_text());
        let turned = star3().read_position(&turned_text).unwrap();
        assert_eq!(position.seen_by(C).pegs, turned.pegs);
    }
    assert_eq!(board::turned_square(CENTRE.first().unwrap(), 3), CENTRE.first().unwrap());
}
