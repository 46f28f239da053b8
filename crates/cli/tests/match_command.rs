//! `agon match` as people and scripts use it.

mod common;

use std::fs;
use std::process::{Command, Stdio};

use common::agon;
use serde_json::{Value, json};

/// Runs a match and reads the JSON it must print.
fn played(arguments: &[&str]) -> Value {
    common::json(&[&["match"], arguments, &["--json"]].concat())
}

/// The answer without what another run may change.
fn without_times(mut answer: Value) -> Value {
    for key in ["seconds", "games_per_second", "concurrency"] {
        assert!(answer.as_object_mut().unwrap().remove(key).is_some(), "{key}");
    }
    for agent in answer["agents"].as_array_mut().unwrap() {
        agent.as_object_mut().unwrap().remove("seconds");
    }
    answer
}

#[test]
fn the_answer_has_the_words_programs_wait_for() {
    let answer = played(&["breakthrough:5x5", "greedy", "random", "--games", "20", "--seed", "3"]);
    assert_eq!(answer["games"], 20);
    assert_eq!(answer["variant"], "breakthrough:5x5");
    let agents = answer["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 2);
    assert_eq!(agents[0]["agent"], "greedy");
    for agent in agents {
        let number = |key: &str| agent[key].as_u64().unwrap_or_else(|| panic!("{key} in {agent}"));
        assert_eq!(number("wins") + number("draws") + number("losses"), 20);
        assert_eq!(number("points"), 100 * number("wins") + 50 * number("draws"));
        assert_eq!(number("faults"), 0);
        let (elo, error) = (agent["elo"].as_f64().unwrap(), agent["error"].as_f64().unwrap());
        assert!(elo.abs() < 2000.0 && error > 0.0);
    }
    assert_eq!(agents[0]["elo"].as_f64(), agents[1]["elo"].as_f64().map(|elo| -elo));
    let sum = |values: &Value, key: &str| -> u64 {
        values.as_array().unwrap().iter().map(|value| value[key].as_u64().unwrap()).sum()
    };
    assert_eq!(sum(&answer["reasons"], "games"), 20);
    assert_eq!(sum(&answer["seats"], "points"), 2000);
    assert_eq!(answer["seats"][0]["seat"], "white");
    assert_eq!(answer["offences"], json!([]));
    assert_eq!(answer["stopped"], false);
    assert!(answer["mean_plies"].as_f64().unwrap() > 4.0);
    assert!(answer["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_same_seed_gives_the_same_match_whatever_the_concurrency() {
    let matches: &[&[&str]] = &[
        &["breakthrough:6x6", "alphabeta", "ordered", "--nodes", "500", "--games", "12"],
        &["wumpus:6", "minimax", "greedy", "--depth", "2", "--games", "8"],
        &["fauhalma:star3", "random", "greedy", "random", "--games", "6"],
        &["congo", "alphabeta:depth=2", "random", "--games", "6", "--openings", "random:3"],
    ];
    for arguments in matches {
        let with = |concurrency: &'static str, seed: &'static str| {
            let more = ["--concurrency", concurrency, "--oversubscribe", "--seed", seed];
            without_times(played(&[arguments, &more[..]].concat()))
        };
        let alone = with("1", "7");
        assert_eq!(alone, with("2", "7"), "{arguments:?}");
        assert_eq!(alone, with("5", "7"), "{arguments:?}");
        assert_ne!(alone["signature"], with("1", "8")["signature"], "{arguments:?}");
    }
}

#[test]
fn three_agents_take_all_seats_and_the_number_of_games_is_rounded() {
    let arguments = ["match", "fauhalma:star3", "greedy", "random", "random", "--games", "7"];
    let run = agon(&[&arguments[..], &["--json"]].concat());
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["games"], 12);
    assert!(run.err.contains("12 games instead of 7"), "{}", run.err);
    assert_eq!(answer["agents"].as_array().unwrap().len(), 3);
    let places = answer["agents"][0]["places"].as_array().unwrap();
    assert_eq!(places.iter().map(|count| count.as_u64().unwrap()).sum::<u64>(), 12);
    assert!(answer["agents"][0]["mean_points"].as_f64().unwrap() > 50.0);
    assert_eq!(answer.get("pairs"), None);
}

#[test]
fn three_agents_have_the_ratings_of_the_course() {
    let few = played(&["fauhalma:star3", "greedy", "random", "random", "--games", "6"]);
    for agent in few["agents"].as_array().unwrap() {
        assert_eq!(agent["rating"]["games"], 6);
        assert_eq!(agent["rating"]["best"], Value::Null, "before 50 games");
        let course = agent["course_points"].as_f64().unwrap();
        assert!((course - agent["mean_points"].as_f64().unwrap() / 50.0).abs() < 1e-9);
        assert!((course - agent["rating"]["last_50"].as_f64().unwrap()).abs() < 1e-9);
    }
    let many = played(&["fauhalma:star3", "greedy", "random", "random", "--games", "54"]);
    let mut sum = 0.0;
    for agent in many["agents"].as_array().unwrap() {
        let rating = |key: &str| agent["rating"][key].as_f64().unwrap();
        assert_eq!(rating("games"), 50.0);
        assert!(rating("best") >= rating("last_50"), "{agent}");
        sum += rating("last_50");
        let places = agent["places"].as_array().unwrap();
        assert_eq!(places.len(), 3);
    }
    assert!((sum - 3.0).abs() < 1e-9, "2, 1 and 0 in every game: {sum}");
    assert!(many["agents"][0]["rating"]["last_50"].as_f64().unwrap() > 1.5);
}

#[test]
fn the_table_of_three_has_places_and_numbers_the_doubles() {
    let arguments = ["match", "fauhalma:star3", "random", "greedy", "greedy", "--games", "6"];
    let table = agon(&arguments).out;
    for words in
        ["1st", "2nd", "3rd", "points of 2", "last 50", "best 50", "greedy #1", "greedy #2"]
    {
        assert!(table.contains(words), "{words:?} in {table}");
    }
    assert!(!table.contains("random #"), "{table}");
    let json = played(&arguments[1..]);
    assert_eq!(json["agents"][1]["agent"], json["agents"][2]["agent"]);
}

#[test]
fn greedy_beats_random_beyond_doubt() {
    let answer = played(&["breakthrough:6x6", "greedy", "random", "--games", "100"]);
    let greedy = &answer["agents"][0];
    let (elo, error) = (greedy["elo"].as_f64().unwrap(), greedy["error"].as_f64().unwrap());
    assert!(elo - error > 50.0, "{greedy}");
}

#[test]
fn the_table_tells_who_is_better_and_why_games_ended() {
    let run = agon(&["match", "breakthrough:6x6", "greedy", "random", "--games", "50"]);
    assert_eq!(run.code, 0);
    let table = run.out;
    for words in [
        "breakthrough:6x6  50 games",
        "Elo",
        "greedy",
        "a white pawn reached the far row: ",
        "openings random:4",
        "plies",
    ] {
        assert!(table.contains(words), "{words:?} in {table}");
    }
    assert!(!table.contains('\x1b'), "no colour in a pipe");
    assert!(run.err.is_empty(), "{}", run.err);
}

#[test]
fn clocks_are_kept() {
    let clock = ["--time", "300ms+5ms", "--per-move", "30ms", "--concurrency", "1"];
    let arguments = ["breakthrough:5x5", "alphabeta", "ordered", "--games", "2"];
    let answer = played(&[&arguments[..], &clock].concat());
    assert_eq!(answer["offences"], json!([]));
    assert!(answer["agents"][0]["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn openings_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("openings.txt");
    let name = file.to_str().unwrap();
    fs::write(&file, "# one that is nearly won\n1pppp/P1ppp/5/1PPPP/1PPPP w # by white\n").unwrap();
    let arguments = ["breakthrough:5x5", "greedy", "greedy", "--games", "4", "--openings"];
    let answer = played(&[&arguments[..], &[name]].concat());
    assert_eq!(
        answer["seats"],
        json!([{"seat": "white", "points": 400}, {"seat": "black", "points": 0}])
    );
    assert_eq!(answer["pairs"], json!([0, 0, 2, 0, 0]));
    let with_prefix = played(&[&arguments[..], &[&format!("file:{name}")]].concat());
    assert_eq!(answer["signature"], with_prefix["signature"]);

    fs::write(&file, "moves b2b3\nmoves b2b3 b2b3\n").unwrap();
    let run = agon(&[&["match"], &arguments[..], &[name]].concat());
    assert_eq!(run.code, 2);
    assert!(run.err.contains("openings.txt, line 2: "), "{}", run.err);
}

#[test]
fn what_is_wrong_is_said_before_the_first_game() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["chess", "random", "random"], &["bad variant", "a game: "]),
        (&["congo", "random"], &["AGENT"]),
        (&["congo", "random", "random", "random"], &["congo is for 2 agents, not 3"]),
        (&["fauhalma:star3", "random", "random"], &["fauhalma:star3 is for 3 agents, not 2"]),
        (&["congo", "random", "mnimax"], &["mnimax", "did you mean minimax"]),
        (&["congo", "random", "alphabeta:dept=3"], &["did you mean depth"]),
        (&["congo", "random", "greedy:eval=foo"], &["foo", "simple"]),
        (&["congo", "random", "human"], &["human", "agon play"]),
        (&["congo", "random", ""], &["bad agent"]),
        (&["fauhalma:star3", "random", "random", "alphabeta"], &["for two-player games"]),
        (&["congo", "random", "random", "--time", "0s"], &["at least 1ms"]),
        (&["congo", "random", "random", "--time", "5"], &["such as 5m"]),
        (&["congo", "random", "random", "--per-move", "soon"], &["such as 5m"]),
        (&["congo", "random", "random", "--depth", "0"], &["--depth"]),
        (&["congo", "random", "random", "--nodes", "0"], &["--nodes"]),
        (&["congo", "random", "random", "--games", "0"], &["--games"]),
        (&["congo", "random", "random", "--openings", "random:x"], &["such as random:4"]),
        (&["congo", "random", "random", "--openings", "strat"], &["strat", "start, random:N"]),
        (
            &["breakthrough:2x4", "random", "random", "--openings", "random:500"],
            &["no opening of 500 random plies"],
        ),
    ];
    for (arguments, words) in cases {
        let run = agon(&[&["match"], *arguments].concat());
        let error = run.err;
        assert_eq!(run.code, 2, "{arguments:?}: {error}");
        assert!(run.out.is_empty(), "{arguments:?}");
        for word in *words {
            assert!(error.contains(word), "{word:?} in {error}");
        }
    }
}

#[test]
fn help_has_examples() {
    let run = agon(&["match", "--help"]);
    assert!(run.out.contains("Examples:"));
}

/// Interrupts a match that would take for ever.
#[cfg(unix)]
#[test]
fn an_interrupted_match_tells_the_standing_so_far() {
    use std::io::Read;
    use std::thread::sleep;
    use std::time::Duration;

    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["match", "breakthrough:5x5", "random", "random", "--json"])
        .args(["--games", "1000000000", "--concurrency", "1", "--no-store"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(500));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["stopped"], true);
    assert!(answer["games"].as_u64().unwrap() > 0);
}
