//! `agon solve` as people and scripts use it.

mod common;

use common::{agon, json};
use serde_json::Value;

#[test]
fn a_small_board_is_solved() {
    let answer = json(&["solve", "breakthrough:3x5", "--json"]);
    assert_eq!(answer["value"], "draw");
    assert_eq!(answer["to_move"], "white");
    assert_eq!(answer["line"][0], answer["best"]);
    assert!(answer["nodes"].as_u64().unwrap() > 0);
    assert!(answer["seconds"].as_f64().unwrap() < 60.0);
    let plain = agon(&["solve", "breakthrough:3x5"]);
    assert_eq!(plain.code, 0);
    assert!(plain.out.starts_with("draw for white\n"), "{}", plain.out);
}

#[test]
fn positions_and_moves_are_taken_into_account() {
    let position = "3/1P1/3/p2/3 w";
    let answer = json(&["solve", "breakthrough:3x5", "--position", position, "--json"]);
    assert_eq!((&answer["value"], &answer["best"]), (&"win".into(), &"b4b5".into()));
    let after = ["--position", position, "--moves", "b4b5", "--json"];
    let over = agon(&[&["solve", "breakthrough:3x5"][..], &after].concat());
    assert_eq!(over.code, 2);
    assert!(over.err.contains("the game is over"), "{}", over.err);
}

#[test]
fn every_move_is_valued_on_request() {
    let answer = json(&["solve", "wumpus:3", "--all", "--json"]);
    assert_eq!(answer["states"], 415_262);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    let draws = moves.iter().filter(|mv| mv["value"] == "draw").count();
    assert_eq!(draws, 2);
    assert!(moves.iter().all(|mv| mv["value"] == "draw" || mv["distance"].is_u64()));
}

#[test]
fn a_limit_leaves_the_value_unknown_but_names_a_move() {
    let answer = json(&["solve", "breakthrough:8x8", "--nodes", "5000", "--json"]);
    assert_eq!(answer["value"], "unknown");
    assert!(answer["nodes"].as_u64().unwrap() <= 5000);
    assert!(answer["best"].is_string());
    assert_eq!((&answer["distance"], &answer["unknown"]), (&Value::Null, &"nodes".into()));
}

#[test]
fn an_unproven_value_is_called_unproven_with_the_reason() {
    let out = |arguments: &[&str]| {
        let run = agon(&[&["solve"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let nodes = out(&["breakthrough:8x8", "--nodes", "5000"]);
    assert!(nodes.starts_with("unknown for white: the node limit was reached; --nodes"), "{nodes}");
    assert!(nodes.contains("\nunproven ") && !nodes.contains("\nbest "), "{nodes}");
    let time = out(&["breakthrough:8x8", "--time", "1ms"]);
    assert!(time.starts_with("unknown for white: the time is up; --time"), "{time}");
    let memory = out(&["congo", "--hash", "1"]);
    assert!(memory.contains("more positions than fit into the memory; --hash"), "{memory}");
    let known = json(&["solve", "breakthrough:3x5", "--json"]);
    assert_eq!(known["unknown"], Value::Null);
}

#[test]
fn the_time_limits_the_search_and_there_is_no_depth() {
    let solved = json(&["solve", "breakthrough:5x5", "--time", "10m", "--json"]);
    assert_eq!(solved["value"], "draw");
    let increment = agon(&["solve", "breakthrough:5x5", "--time", "10s+1s"]);
    assert_eq!(increment.code, 2);
    assert_eq!(agon(&["solve", "breakthrough:5x5", "--depth", "3"]).code, 2);
}

#[test]
fn a_proof_is_written_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof.txt");
    let file = file.to_str().unwrap();
    assert_eq!(agon(&["solve", "breakthrough:3x5", "--proof", file]).code, 0);
    let checked = json(&["solve", "--check", file, "--json"]);
    assert_eq!((&checked["value"], &checked["proven"]), (&"draw".into(), &true.into()));
    let text = std::fs::read_to_string(file).unwrap().replace("value draw", "value win");
    std::fs::write(file, text).unwrap();
    let refused = agon(&["solve", "--check", file]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("the proof does not hold: line 4"), "{}", refused.err);
    assert_eq!(agon(&["solve", "--check", "no such file"]).code, 2);
    let cyclic = agon(&["solve", "wumpus:3", "--proof", file]);
    assert_eq!(cyclic.code, 1);
    assert!(cyclic.err.contains("no proof"), "{}", cyclic.err);
}

#[test]
fn games_against_random_replies_reach_the_value() {
    let answer = json(&["solve", "breakthrough:4x5", "--verify", "10", "--json"]);
    assert_eq!(answer["verified"]["reached"], 10);
}

#[test]
fn what_cannot_be_solved_is_refused() {
    let three = agon(&["solve", "fauhalma:star3"]);
    assert_eq!(three.code, 2);
    assert!(three.err.contains("only two-player games"), "{}", three.err);
    assert_eq!(agon(&["solve"]).code, 2);
    assert_eq!(agon(&["solve", "breakthrough:3x5", "--hash", "0"]).code, 2);
}
