//! Agents on the command line: analysis, hints, the bench and the Congo course's searches.

mod common;

use common::{agon, agon_with_input, json};
use serde_json::Value;

/// Every line of JSON the program printed.
fn json_lines(arguments: &[&str]) -> Vec<Value> {
    let run = agon(arguments);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_analysis_gives_one_object_per_depth_and_a_last_one() {
    let answers = json_lines(&["analyse", "breakthrough:5x5", "--depth", "5", "--json"]);
    assert_eq!(answers.len(), 6);
    for (depth, answer) in (1..).zip(&answers[..5]) {
        assert_eq!(answer["depth"], depth);
        assert!(answer["nodes"].as_u64().unwrap() > 0 && answer["nps"].as_u64().unwrap() > 0);
        assert_eq!(answer["best"], answer["pv"][0]);
        assert_eq!(answer.get("final"), None);
    }
    let last = &answers[5];
    assert_eq!((&last["final"], &last["depth"]), (&Value::Bool(true), &Value::from(5)));
    let count = |key: &str| last[key].as_u64().unwrap();
    assert!(0 < count("expanded") && count("expanded") < count("nodes"));
    assert!(last["branching_factor"].as_f64().unwrap() > 1.0);
}

#[test]
fn a_forced_win_is_shown_with_its_distance() {
    let position = ["--position", "5/P4/5/4p/5 w", "--json"];
    let answers = json_lines(&[&["analyse", "breakthrough:5x5"][..], &position].concat());
    let last = answers.last().unwrap();
    assert_eq!(last["score"], serde_json::json!({"win_in": 1}));
    assert_eq!(last["best"], "a4a5");
    let lost = ["analyse", "breakthrough:5x5", "--position", "5/5/P4/4p/5 w", "--json"];
    assert_eq!(json_lines(&lost).last().unwrap()["score"], serde_json::json!({"loss_in": 2}));
}

#[test]
fn a_node_budget_gives_the_same_analysis_again() {
    let ask = || {
        let mut answer =
            json_lines(&["analyse", "congo", "--agent", "ordered", "--nodes", "20000", "--json"]);
        let mut last = answer.pop().unwrap();
        for key in ["seconds", "nps"] {
            last.as_object_mut().unwrap().remove(key);
        }
        last
    };
    assert_eq!(ask(), ask());
    assert_eq!(ask()["nodes"], 20000);
}

#[test]
fn with_three_players_the_engine_says_what_it_uses() {
    let answers = json_lines(&["analyse", "fauhalma:star3", "--nodes", "3000", "--json"]);
    let last = answers.last().unwrap();
    assert_eq!(last["method"], "mcts:eval=race");
    assert!(last["iterations"].as_u64().unwrap() > 10, "{last}");
}

#[test]
fn what_has_no_tree_has_no_branching_factor() {
    let summary = |agent: &str| {
        let run = agon(&["analyse", "breakthrough:5x5", "--agent", agent]);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out.lines().last().unwrap().to_string()
    };
    for agent in ["random", "greedy"] {
        let said = summary(agent);
        assert!(said.ends_with("nodes a second"), "{agent}: {said}");
    }
    assert!(!summary("minimax:depth=2").contains("cut-offs"));
    assert!(summary("alphabeta:depth=3").contains("branching factor"));
    assert!(summary("alphabeta:depth=3").contains("cut-offs by the first move"));
}

#[test]
fn what_cannot_be_analysed_is_explained() {
    let over = agon(&["analyse", "breakthrough:5x5", "--position", "P4/5/5/4p/5 b"]);
    assert_eq!(over.code, 2);
    assert!(
        over.err.contains("the game is over (a white pawn reached the far row)"),
        "{}",
        over.err
    );
    for (agent, words) in [
        ("alphabeta:dept=3", "did you mean depth?"),
        ("mnimax", "did you mean minimax?"),
        ("greedy:eval=foo", "There are: simple"),
        ("human", "There are: random"),
    ] {
        let run = agon(&["analyse", "breakthrough:5x5", "--agent", agent]);
        assert_eq!(run.code, 2, "{agent}");
        assert!(run.err.contains(words), "{agent}: {}", run.err);
    }
    assert_eq!(agon(&["analyse", "congo", "--per-move", "5"]).code, 2);
}

#[test]
fn a_person_gets_hints_and_evaluations_and_an_opponent_that_thinks() {
    let arguments = ["play", "wumpus:3", "--against", "alphabeta", "--depth", "3"];
    let run = agon_with_input(&arguments, "hint\neval\n1\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("adversary is you, agent side is alphabeta"), "{}", run.out);
    for name in ["simple", "material", "threat", "mobility", "distance", "tempo"] {
        assert!(run.out.contains(&format!("  {name:<10} ")), "{name} in {}", run.out);
    }
    assert!(
        run.out.contains("agent side plays") && run.out.contains(" for agent side)"),
        "{}",
        run.out
    );
}

#[test]
fn agents_that_are_watched_play_to_the_end_and_print_every_board() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json").display().to_string();
    let limits = ["--nodes", "500", "--seed", "1", "--save", &file];
    let wish = ["play", "wumpus:3", "--watch", "engine", "random"];
    let run = agon(&[&wish[..], &limits].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("adversary is engine, agent side is random"), "{}", run.out);
    let moves = run.out.matches(" plays ").count();
    assert!(run.out.contains("1. adversary plays ") && moves > 2, "{}", run.out);
    assert_eq!(run.out.matches("  3  ").count(), moves + 1, "a board after every move");
    assert!(run.out.contains("depth ") && run.out.contains(" nodes)"), "{}", run.out);
    assert!(run.out.trim_end().lines().last().unwrap().contains(" wins: "), "{}", run.out);
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains("wumpus:3"), "{saved}");
    // One for all seats, and the right number for three.
    assert_eq!(agon(&["play", "breakthrough:3x4", "--watch", "random"]).code, 0);
    let star = ["play", "fauhalma:star3,limit=3", "--watch", "random", "greedy", "random"];
    assert_eq!(agon(&star).code, 0);
}

#[test]
fn watching_the_wrong_number_of_agents_or_a_person_is_explained() {
    for (agents, words) in [
        (&["random", "random", "random"][..], "2 agents for the 2 seats of congo, not 3"),
        (&["human", "random"], "leave out --watch"),
        (&["random", "--against", "random"], "cannot be used with"),
        (&["rando", "random"], "random"),
    ] {
        let run = agon(&[&["play", "congo", "--watch"], agents].concat());
        assert_eq!(run.code, 2, "{agents:?}");
        assert!(run.err.contains(words), "{agents:?}: {}", run.err);
    }
}

#[test]
fn the_bench_gives_nodes_and_speed() {
    let answer = json(&["bench", "fauhalma", "--json"]);
    let searches = answer["searches"].as_array().unwrap();
    assert!(
        searches.iter().all(|search| search["variant"].as_str().unwrap().starts_with("fauhalma"))
    );
    let sum: u64 = searches.iter().map(|search| search["nodes"].as_u64().unwrap()).sum();
    assert_eq!(answer["nodes"].as_u64(), Some(sum));
    assert_eq!(agon(&["bench", "chess"]).code, 2);
}

#[test]
fn the_congo_course_gets_its_values() {
    let positions = "3\n3l2z/ppppppp/7/7/7/PPP1PPP/3L2Z w 4\n\
                     1z5/pPp1lP1/5sp/4P1s/4L1p/2p2pP/7 b 12\n1z5/pPp1lP1/5sp/4P1s/4L1p/2p2pP/7 w 35\n";
    let cases: &[(&[&str], &str)] = &[
        (&["evaluate"], "-100\n1200\n-1200\n"),
        (&["evaluate", "--advanced"], "-102\n1214\n-1214\n"),
        (&["minimax", "--depth", "2"], "-100\n750\n-1200\n"),
        (&["alphabeta", "--depth", "4"], "-105\n1020\n-669\n"),
        (&["alphabeta", "--depth", "2", "--evaluation", "simple"], "-100\n750\n-1200\n"),
        (&["minimax", "--depth", "0"], "-100\n1200\n-1200\n"),
    ];
    for (form, expected) in cases {
        let run = agon_with_input(&[&["congo"][..], form].concat(), positions);
        assert_eq!((run.code, run.out.as_str()), (0, *expected), "{form:?}: {}", run.err);
    }
    let one = "1\n3l3/7/7/7/7/3M3/3L3 w 0\n";
    assert_eq!(agon_with_input(&["congo", "evaluate", "--worth", "monkey=250"], one).out, "250\n");
    assert_eq!(agon_with_input(&["congo", "evaluate", "--worth", "ape=250"], one).code, 2);
}
