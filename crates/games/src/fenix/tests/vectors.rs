//! Recorded results of the course's code.

use std::collections::BTreeSet;

use agon_core::sink::ForEach;
use agon_core::{Game, History, MoveList, Square, Which, fen};
use serde_json::Value;

use super::super::board::{HEIGHT, WIDTH, square};
use super::super::{Fenix, Move};
use super::read;

/// `[row, column]` of the course.
fn course_square(value: &Value) -> Square {
    let part = |index: usize| value[index].as_u64().unwrap() as usize;
    square(part(1), part(0))
}

/// `[start, end, [captured, …]]` of the course.
fn course_move(value: &Value) -> Move {
    let captured = value[2].as_array().unwrap().iter().map(course_square).collect();
    Move { from: course_square(&value[0]), to: course_square(&value[1]), captured }
}

/// The position a record's fields describe, as text.
fn course_position(record: &Value) -> String {
    let rows = fen::write_rows(WIDTH, HEIGHT, |column, row| {
        let units = record["board"][row][column].as_i64().unwrap();
        "kgs.SGK".chars().nth((units + 3) as usize).filter(|_| units != 0)
    });
    let side = if record["to_move"] == 1 { "w" } else { "b" };
    let flag = |name: &str| u8::from(record[name].as_bool().unwrap());
    let (general, king) = (flag("can_create_general"), flag("can_create_king"));
    format!("{rows} {} {} {side} {general}{king}", record["turn"], record["boring_turn"])
}

/// Plays a record's path and returns the position and history.
fn follow(record: &Value) -> (Fenix, History) {
    let base = &record["base"];
    let mut position = if base.is_null() { Fenix::start() } else { read(&course_position(base)) };
    let mut history = History::new(&position);
    for mv in record["path"].as_array().unwrap() {
        let progress = position.try_play(course_move(mv));
        history.push(&position, progress.unwrap_or_else(|| panic!("{mv} in {}", record["id"])));
    }
    (position, history)
}

/// How many lines of `depth` plies there are with the history rules applied, and how many of
/// them end the game. In the course's code a player without a move loses only up to ply 10.
fn count_with_history(position: &Fenix, history: &mut History, depth: u32) -> (u64, u64) {
    let over = history.status(position).outcome().is_some();
    if depth == 0 {
        let stuck_in_setup = position.turn <= 10 && position.count_moves() == 0;
        return (1, u64::from(over || stuck_in_setup));
    }
    let mut total = (0, 0);
    for mv in if over { MoveList::new() } else { position.moves() } {
        let mut child = *position;
        let progress = child.play(mv);
        history.push(&child, progress);
        let (lines, ends) = count_with_history(&child, history, depth - 1);
        history.pop();
        total = (total.0 + lines, total.1 + ends);
    }
    total
}

fn units(position: &Fenix, mv: Move) -> u32 {
    let owner = position.mover().opponent();
    mv.captured.into_iter().map(|s| u32::from(position.kind_of(owner, s).height())).sum()
}

/// Exactly the listed moves are legal; the course lists them in finished games, too.
fn check_moves(record: &Value, position: &Fenix) {
    let mut found = BTreeSet::new();
    let mut keep = ForEach(|mv: Move| assert!(found.insert(mv), "{mv:?} twice"));
    let _ = position.generate(Which::All, &mut keep);
    let expected: BTreeSet<Move> =
        record["actions"].as_array().unwrap().iter().map(course_move).collect();
    assert_eq!(found, expected, "moves in {}", record["id"]);
    assert_eq!(Some(found.len() as u64), record["n_unique"].as_u64());
    for &mv in &found {
        assert_eq!(record["capture_units"], units(position, mv), "units in {}", record["id"]);
    }
}

fn check_end(record: &Value, position: &Fenix, history: &History) {
    let id = &record["id"];
    assert_eq!(record["rep_count"], history.occurrences() - 1, "repetitions in {id}");
    let status = history.status(position);
    let outcome = status.outcome().or_else(|| position.outcome());
    let Some(reason) = record["end_reason"].as_str() else {
        assert!(status.to_move().is_some(), "{id} is not over");
        assert_eq!(outcome.is_some(), record["n_unique"] == 0, "stuck in {id}");
        return;
    };
    let outcome = outcome.unwrap_or_else(|| panic!("{id} is over"));
    for (seat, name) in ["utility_red", "utility_black"].into_iter().enumerate() {
        let points = i64::from(outcome.points().as_slice()[seat]);
        assert_eq!(record[name], (points - 50) / 50, "{name} in {id}");
    }
    let fitting = match reason {
        "repetition" => "fourth time",
        "fifty" => "fifty plies",
        "no_pieces" => "no pieces left",
        "king_not_resurrected" => "did not resurrect",
        _ if position.turn < 10 => "nothing left to stack",
        _ => "no legal move",
    };
    let reason = outcome.reason().text();
    assert!(reason.contains(fitting), "{id}: {reason}");
}

#[test]
fn the_vectors_hold() {
    for line in include_str!("../vectors.jsonl").lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let (position, mut history) = follow(&record);
        assert_eq!(position, read(&course_position(&record)), "position of {}", record["id"]);
        check_moves(&record, &position);
        check_end(&record, &position, &history);
        for (depth, expected) in record["perft"].as_object().unwrap() {
            let counted = count_with_history(&position, &mut history, depth.parse().unwrap());
            let number = |name: &str| expected[name].as_u64().unwrap();
            assert_eq!(
                counted,
                (number("n_unique"), number("terminal_unique")),
                "perft {depth} of {}",
                record["id"]
            );
        }
    }
}
