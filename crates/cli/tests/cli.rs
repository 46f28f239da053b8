//! The program as people and scripts use it: real processes, their output and exit codes.

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::{agon, agon_with_input, json};
use serde_json::Value;

#[test]
fn games_names_variants_notations_and_agents() {
    let list = json(&["games", "--json"]);
    let names: Vec<&str> = list["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["name"].as_str().unwrap())
        .collect();
    for name in ["fenix", "breakthrough", "congo", "wumpus", "fauhalma"] {
        assert!(names.contains(&name), "{name}");
    }
    for game in list["games"].as_array().unwrap() {
        for variant in game["variants"].as_array().unwrap() {
            let text = variant["variant"].as_str().unwrap();
            assert_eq!(agon(&["show", text]).code, 0, "{text}");
        }
    }
    assert_eq!(list["agents"][0]["agent"], "random");
}

#[test]
fn moves_lists_each_move_and_the_position_after_it() {
    let answer = json(&["moves", "breakthrough:3x5", "--moves", "a2a3 b4a3", "--json"]);
    assert_eq!(answer["variant"], "breakthrough:3x5");
    assert_eq!(answer["position"], "ppp/p1p/p2/1PP/PPP w 0 2");
    assert_eq!(answer["to_move"], "white");
    assert_eq!(answer["outcome"], Value::Null);
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves[0]["move"], "a1a2");
    assert_eq!(moves[0]["position"], "ppp/p1p/p2/PPP/1PP b 1 2");
    let plain = agon(&["moves", "breakthrough:3x5", "--moves", "a2a3 b4a3"]);
    assert_eq!(plain.out.lines().count(), moves.len());
}

#[test]
fn a_finished_game_has_an_outcome_and_no_moves() {
    let answer = json(&[
        "moves",
        "breakthrough:3x5",
        "--position",
        "3/P2/3/2p/3 w",
        "--moves",
        "a4a5",
        "--json",
    ]);
    assert_eq!(answer["to_move"], Value::Null);
    assert_eq!(answer["outcome"]["points"], serde_json::json!([100, 0]));
    assert_eq!(answer["outcome"]["places"], serde_json::json!([1, 2]));
    assert_eq!(answer["outcome"]["reason"], "a white pawn reached the far row");
    assert_eq!(answer["moves"], serde_json::json!([]));
}

#[test]
fn the_rules_of_history_count_in_played_moves() {
    let shuffle = "d1d2 d7d6 d2d1 d6d7 d1d2 d7d6 d2d1 d6d7";
    let position = "3l3/7/7/7/7/6P/3L3 w 0";
    let answer = json(&["moves", "congo", "--position", position, "--moves", shuffle, "--json"]);
    assert_eq!(answer["outcome"]["points"], serde_json::json!([50, 50]));
    assert_eq!(answer["moves"], serde_json::json!([]));
}

#[test]
fn perft_counts_in_every_way() {
    let expected = serde_json::json!([16, 256, 4308, 71478]);
    let base = ["perft", "breakthrough:6x6,classic", "4", "--json"];
    for more in [&[][..], &["--threads", "2"], &["--leaves"], &["--hash", "1"]] {
        let answer = json(&[&base, more].concat());
        assert_eq!(answer["nodes"], expected, "{more:?}");
        assert!(answer["seconds"].as_f64().unwrap() > 0.0 && answer["nps"].as_u64().unwrap() > 0);
    }
    let divided = json(&[&base[..], &["--divide"]].concat());
    let sum: u64 = divided["divide"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["nodes"].as_u64().unwrap())
        .sum();
    assert_eq!(sum, 71478);
    assert!(agon(&base[..3]).out.contains("71,478"));
}

#[test]
fn bad_input_is_named_marked_and_answered_with_2() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["show", "chess"], &["bad variant", "a game: ", "fenix", "chess\n  ^^^^^"]),
        (&["show", "breakthrough:9x99"], &["a size from 2x4 to 10x10", "^^^^"]),
        (&["moves", "congo", "--position", "7/7/7/7/7/7 w 0"], &["congo: bad position"]),
        (
            &["moves", "breakthrough:5x5", "--moves", "a2a3 a2a3"],
            &["bad move", "legal move", "a2a3\n  ^^^^"],
        ),
        (&["perft", "congo", "zero"], &["zero"]),
        (&["perft", "congo"], &["DEPTH"]),
        (
            &["play", "congo", "--against", "stockfish"],
            &[
                "stockfish",
                "There are: random, greedy, minimax, alphabeta, ordered, engine, mcts, \
             solver, paranoid, maxn, brs, human",
            ],
        ),
        (&["play", "congo", "--as", "red"], &["the seats are white, black"]),
        (&["play", "--load", "no-such-file.json"], &["no-such-file.json"]),
        (&["nonsense"], &["nonsense"]),
    ];
    for (arguments, words) in cases {
        let run = agon(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
        assert!(run.out.is_empty(), "{arguments:?}");
        for word in *words {
            assert!(run.err.contains(word), "{word:?} in {}", run.err);
        }
    }
}

#[test]
fn every_command_has_help_with_examples() {
    for command in [
        "games",
        "show",
        "moves",
        "perft",
        "play",
        "match",
        "analyse",
        "bench",
        "congo",
        "completions",
        "man",
    ] {
        let run = agon(&[command, "--help"]);
        assert_eq!(run.code, 0);
        assert!(run.out.contains("Examples:"), "{command}");
    }
}

#[test]
fn a_pipe_gets_colour_only_on_request() {
    assert!(!agon(&["show", "congo"]).out.contains('\x1b'));
    assert!(agon(&["show", "congo", "--color", "always"]).out.contains('\x1b'));
}

#[test]
fn completions_and_manual_pages_are_made() {
    assert!(agon(&["completions", "bash"]).out.contains("complete"));
    assert!(agon(&["man"]).out.contains(".TH"));
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(agon(&["man", "--dir", folder.path().to_str().unwrap()]).code, 0);
    assert!(folder.path().join("agon.1").exists() && folder.path().join("agon-perft.1").exists());
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["perft", "breakthrough:8x8", "7", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A file in a folder of its own.
fn in_folder(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_string()
}

#[test]
fn a_person_plays_against_a_person_to_the_end() {
    let moves = "a2a3\nc4c3\na3b4\nc3b2\nb4a5\n";
    let run = agon_with_input(&["play", "breakthrough:3x5", "--against", "human"], moves);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("white wins: a white pawn reached the far row"), "{}", run.out);
}

#[test]
fn columns_are_typed_to_the_end_of_a_game() {
    let input = "moves\n1\n1\n1\n1\n1\n2\n3\n2\n3\n2\n3\n2\n";
    let run = agon_with_input(&["play", "connect4:5x4", "--against", "human"], input);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.out.contains("  1    2    3    4    5\n"),
        "a list without other numbers: {}",
        run.out
    );
    assert!(run.out.contains("X disc (10 left)") && run.out.contains("X disc (8 left)"));
    assert!(run.out.contains("x plays 2"), "{}", run.out);
    assert!(run.out.contains("x wins"), "{}", run.out);
}

#[test]
fn moves_go_by_number_and_by_beginning_and_mistakes_cost_nothing() {
    let input = "moves\n1\nnonsense\n99\nb4\nundo\nposition\nquit\n";
    let run = agon_with_input(&["play", "breakthrough:3x5", "--against", "human"], input);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("1 a2a3"), "{}", run.out);
    assert!(run.out.contains("white plays a2a3"));
    assert!(run.out.contains("there are moves 1 to 3"));
    assert!(run.out.contains("b4 could be b4a3  b4b3"));
    assert!(run.out.contains("ppp/ppp/3/PPP/PPP w 0 1"), "undone to the start: {}", run.out);
}

#[test]
fn a_saved_game_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let file = in_folder(folder.path(), "game.json");
    let save = ["play", "breakthrough:3x5", "--against", "human", "--save", &file];
    let run = agon_with_input(&save, "a2a3\nb4b3\n");
    assert!(run.out.contains(&format!("agon play --load {file}")));
    let run = agon_with_input(&["play", "--load", &file, "--against", "human"], "position\n");
    assert!(run.out.contains("ppp/p1p/Pp1/1PP/PPP w 2 2"), "{}", run.out);
}

#[test]
fn a_failed_save_or_load_is_reported_and_the_game_continues() {
    let folder = tempfile::tempdir().unwrap();
    let file = in_folder(folder.path(), "broken.json");
    std::fs::write(
        &file,
        "{\"format\":\"agon-game\",\"version\":1,\"variant\":\"congo\",\"moves\":[\"a1a9\"]}",
    )
    .unwrap();
    let nowhere = in_folder(folder.path(), "no-folder/game.json");
    let input = format!("a2a3\nsave {nowhere}\nload {file}\nload {nowhere}\nposition\n");
    let run = agon_with_input(&["play", "breakthrough:3x5", "--against", "human"], &input);
    assert_eq!(run.code, 0);
    assert!(
        run.out.contains("cannot write") && run.out.contains("the game continues"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("congo: bad move") && run.out.contains("there is no file"),
        "{}",
        run.out
    );
    assert!(run.out.contains("ppp/ppp/P2/1PP/PPP b 1 1"));
}

#[test]
fn the_same_seed_gives_the_same_opponent() {
    let play = |seed: &str| {
        let game = ["play", "breakthrough:6x6", "--against", "random", "--seed", seed];
        agon_with_input(&game, "1\n1\n1\n1\n1\n").out
    };
    assert_eq!(play("5"), play("5"));
    assert!((6..12).any(|seed| play(&seed.to_string()) != play("5")));
}

#[test]
fn three_players_sit_at_the_star() {
    let game = ["play", "fauhalma:star3", "--as", "B", "--against", "random", "--seed", "1"];
    let run = agon_with_input(&game, "1\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    for line in ["A is random, B is you, C is random", "A plays", "B plays", "C plays"] {
        assert!(run.out.contains(line), "{line} in {}", run.out);
    }
}

#[test]
fn the_default_opponent_is_a_weak_engine() {
    let run = agon_with_input(&["play", "wumpus:3", "--per-move", "10ms"], "1\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("agent side is engine:level=3"), "{}", run.out);
    assert!(run.out.contains("agent side plays"), "{}", run.out);
}

const CONGO_POSITIONS: &str =
    "2\ngmelecz/ppppppp/7/7/7/PPPPPPP/GMELECZ w 0\n7/7/4l2/7/2L4/3p3/7 w 0\n";

#[test]
fn the_congo_forms_answer_as_the_course_asks() {
    let pieces = agon_with_input(&["congo", "pieces"], CONGO_POSITIONS);
    assert_eq!(pieces.code, 0, "{}", pieces.err);
    let lines: Vec<&str> = pieces.out.lines().collect();
    assert_eq!(lines.len(), 17 + 1 + 17);
    assert_eq!(
        (lines[0], lines[16], lines[17]),
        ("white pawn: a2 b2 c2 d2 e2 f2 g2", "side to play: white", "")
    );
    let moves = agon_with_input(&["congo", "moves"], CONGO_POSITIONS);
    assert_eq!(moves.out.lines().nth(1), Some("c3c2 c3d2 c3d3 c3e5"));
    let zebras = agon_with_input(&["congo", "moves", "--piece", "zebra"], CONGO_POSITIONS);
    assert_eq!(zebras.out, "g1f3\n\n");
    let apply = agon_with_input(&["congo", "apply"], "1\n7/7/4l2/7/2L4/3p3/7 w 0\nc3e5\n");
    assert_eq!(apply.out, "7/7/4L2/7/7/3p3/7 b 0\nWhite wins\n");
    let promoting = "1\n3l3/P6/7/7/7/7/3L3 w 5\na6a7\n";
    assert!(agon_with_input(&["congo", "apply"], promoting).out.starts_with("S2l3/"));
    assert!(
        agon_with_input(&["congo", "apply", "--no-promotion"], promoting).out.starts_with("P2l3/")
    );
}

#[test]
fn blank_lines_between_the_positions_of_congo_are_ignored() {
    let spread = format!("\n{}\n\n", CONGO_POSITIONS.replace('\n', "\n \r\n"));
    for form in ["pieces", "moves", "evaluate", "minimax"] {
        let (plain, spread) = (
            agon_with_input(&["congo", form], CONGO_POSITIONS),
            agon_with_input(&["congo", form], &spread),
        );
        assert_eq!((spread.code, &spread.out), (0, &plain.out), "{form}: {}", spread.err);
    }
    let apply = agon_with_input(&["congo", "apply"], "1\n\n7/7/4l2/7/2L4/3p3/7 w 0\n\nc3e5\n");
    assert_eq!(apply.out, "7/7/4L2/7/7/3p3/7 b 0\nWhite wins\n");
    let bad = agon_with_input(&["congo", "moves"], "1\n\n7/7/x w 0\n");
    assert!(bad.err.contains("line 3"), "{}", bad.err);
}

#[test]
fn a_depth_without_effect_is_noted() {
    let note = |agent: &str| {
        let position = ["analyse", "breakthrough:5x5", "--agent", agent, "--depth", "2"];
        let run = agon(&position);
        assert_eq!(run.code, 0, "{}", run.err);
        run.err
    };
    for agent in ["greedy", "random", "mcts:iterations=50"] {
        let name = agent.split(':').next().unwrap();
        assert!(note(agent).contains(&format!("{name} does not search by depth")), "{agent}");
    }
    assert_eq!(note("alphabeta"), "");
}

#[test]
fn the_congo_forms_name_the_bad_line() {
    let bad_fen = agon_with_input(&["congo", "moves"], "2\n7/7/4l2/7/2L4/3p3/7 w 0\n7/7/x w 0\n");
    assert_eq!(bad_fen.code, 2);
    assert!(
        bad_fen.err.contains("line 3") && bad_fen.err.contains("bad position"),
        "{}",
        bad_fen.err
    );
    let too_short = agon_with_input(&["congo", "apply"], "1\n7/7/4l2/7/2L4/3p3/7 w 0\n");
    assert_eq!(too_short.code, 2);
    assert!(too_short.err.contains("line 3: expected a move, found the end"), "{}", too_short.err);
    let no_number = agon_with_input(&["congo", "pieces"], "many\n");
    assert!(no_number.err.contains("expected the number of positions"), "{}", no_number.err);
}

#[test]
fn the_fenix_agent_is_printed_or_written() {
    let printed = agon(&["export", "fenix-agent"]);
    assert_eq!(printed.code, 0, "{}", printed.err);
    assert!(printed.out.contains("def act(self, state, remaining_time):"));
    let folder = tempfile::tempdir().unwrap();
    let file = in_folder(folder.path(), "agent.py");
    let written = agon(&["export", "fenix-agent", "--output", &file]);
    assert_eq!((written.code, written.out.as_str()), (0, ""), "{}", written.err);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), printed.out);
    let nowhere = in_folder(folder.path(), "missing/agent.py");
    let failed = agon(&["export", "fenix-agent", "--output", &nowhere]);
    assert!(failed.code != 0 && failed.err.contains("agent.py"), "{}", failed.err);
}
