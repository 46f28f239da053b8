//! `agon ggp`, `ggp:…` as an agent, `agon ggp match` and `agon export gdl`, as people run them.

use std::io::{BufRead, BufReader, Lines};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

#[allow(dead_code, reason = "other tests use more of it")]
mod common;

use common::{agon, json};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// A player process, killed when this is dropped.
struct Playing {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    port: String,
    page: String,
}

impl Playing {
    fn start(data: &Path, port: &str, arguments: &[&str]) -> Playing {
        let mut child = Command::new(AGON)
            .args(["ggp", "--json", "--port", port])
            .args(arguments)
            .env("AGON_DATA", data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let first: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(first["event"], "listening");
        let page = first["watch"].as_str().unwrap().to_string();
        Playing { child, lines, port: first["port"].to_string(), page }
    }

    fn agent(&self) -> String {
        format!("ggp:127.0.0.1:{}", self.port)
    }

    /// The next event of this kind.
    fn next(&mut self, event: &str) -> Value {
        loop {
            let line = self.lines.next().expect("it goes on").unwrap();
            let value: Value = serde_json::from_str(&line).unwrap();
            if value["event"] == event {
                return value;
            }
        }
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string()
}

#[test]
fn a_player_prints_its_searches_and_the_result() {
    let data = tempfile::tempdir().unwrap();
    let mut player = Playing::start(data.path(), "0", &["--agent", "engine:depth=5"]);
    let agent = player.agent();
    let run =
        agon(&["match", "breakthrough:5x5", "random", &agent, "--games", "2", "--per-move", "1s"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let start = player.next("start");
    assert_eq!(
        (start["variant"].as_str(), start["play_clock"].as_u64()),
        (Some("breakthrough:5x5"), Some(1))
    );
    let moved = player.next("move");
    let iterations = moved["iterations"].as_array().unwrap();
    assert_eq!(iterations.last().unwrap()["depth"], moved["depth"]);
    assert!(
        moved["expanded"].as_u64() > Some(0) && moved["seconds"].as_f64() > Some(0.0),
        "{moved}"
    );
    let end = player.next("end");
    assert!(end["points"].is_array() && end["moves"].as_u64() > Some(0), "{end}");
}

#[test]
fn a_match_is_watched_on_the_page_of_a_server_with_the_same_folder() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Command::new(AGON)
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("AGON_DATA", data.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let base = lines
        .find_map(|line| {
            line.unwrap()
                .split_whitespace()
                .find(|word| word.starts_with("http://"))
                .map(str::to_string)
        })
        .unwrap();
    let mut player = Playing::start(data.path(), "0", &["--agent", "engine:depth=2"]);
    let agent = player.agent();
    let run = agon(&["match", "breakthrough:5x5", "random", &agent, "--games", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    player.next("end");
    let last = player.next("end");
    let address = format!("{base}{}", player.page.replace("/play/", "/api/games/"));
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let mut answer = ureq::get(&address).call().unwrap();
        let game: Value =
            serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap();
        if game["played"].as_array().map(|played| played.len() as u64) == last["plies"].as_u64() {
            assert_eq!(game["position"]["outcome"]["points"], last["points"], "{game}");
            break;
        }
        assert!(Instant::now() < until, "{game} is not {last}");
        std::thread::sleep(Duration::from_millis(50));
    }
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn a_player_that_dies_costs_only_the_games_it_misses() {
    let (data, port) = (tempfile::tempdir().unwrap(), free_port());
    let mut player = Playing::start(data.path(), &port, &["--agent", "engine:depth=3"]);
    let agent = player.agent();
    let game = ["match", "breakthrough:6x6", "engine:depth=2", &agent, "--games", "40", "--json"];
    let running = Command::new(AGON)
        .args(game)
        .env("AGON_DATA", data.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    for _ in 0..3 {
        player.next("end");
        player.next("end");
        drop(player);
        player = Playing::start(data.path(), &port, &["--agent", "engine:depth=3"]);
    }
    // Nobody reads its output, and it keeps playing.
    let output = running.wait_with_output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["games"], 40, "{result}");
    let faults = result["agents"][1]["faults"].as_u64().unwrap();
    assert!(faults <= 3, "{result}");
}

#[test]
fn a_command_with_a_port_starts_players_of_its_own() {
    let agent = format!("ggp:{AGON} ggp --port {{port}} --no-watch --agent engine:depth=3");
    let games = ["match", "breakthrough:5x5", "engine:depth=3", &agent, "--games", "4", "--json"];
    let result = json(&games);
    assert_eq!((&result["games"], &result["agents"][1]["faults"]), (&4.into(), &0.into()));
    // The same moves on both sides: every pair is even.
    assert_eq!(result["agents"][0]["points"], result["agents"][1]["points"], "{result}");
    let silent = ["match", "breakthrough:5x5", "random", "ggp:sleep 60{port}", "--games", "2"];
    let run = agon(&silent);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("ggp:sleep 60{port} could not be started"), "{}", run.err);
}

#[test]
fn unsupported_matches_are_refused_with_the_reason() {
    for (arguments, words) in [
        (&["match", "congo", "random", "ggp:localhost:4001"][..], "only the rules of breakthrough"),
        (
            &["match", "breakthrough:5x5", "random", "ggp:localhost:4001", "--per-move", "1500ms"],
            "whole seconds",
        ),
        (
            &["match", "breakthrough:5x5", "random", "ggp:localhost:4001", "--time", "10s"],
            "GGP has no game clock",
        ),
        (&["match", "breakthrough:5x5", "random", "ggp:localhost"], "ggp:localhost:4001"),
        (
            &["match", "breakthrough:5x5", "ggp:localhost:4001", "ggp:localhost:4001"],
            "cannot sit at two seats",
        ),
        (&["ggp", "--agent", "ugi:./x"], "there is no agent"),
        (&["ggp", "--agent", "engine:dept=3"], "did you mean depth"),
        (&["ggp", "--port", "70000"], "70000"),
        (&["export", "gdl", "congo"], "breakthrough"),
        (&["export", "gdl", "breakthrough:11x5"], "11x5"),
        (
            &["ggp", "match", "m", "none.gdl", "1", "1", "1", "-random", "1", "-random", "2"],
            "none.gdl",
        ),
        (&["ggp", "match", "m", "f", "1", "1", "1", "-random", "1"], "nobody has role 2"),
    ] {
        let run = agon(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
        assert!(run.err.contains(words) && run.out.is_empty(), "{arguments:?}: {}", run.err);
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let run = agon(&["ggp", "--port", &taken.local_addr().unwrap().port().to_string()]);
    assert!(run.code == 2 && run.err.contains("--port N"), "{}", run.err);
}

#[test]
fn the_controller_plays_what_was_exported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rules.gdl");
    let file = file.to_str().unwrap();
    let run = agon(&["export", "gdl", "breakthrough:4x5", "--output", file]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(agon(&["export", "gdl", "breakthrough:4x5"]).out, text);
    assert!(text.contains("(width 4)") && text.contains("(height 5)"));
    let player = Playing::start(folder.path(), "0", &["--agent", "engine:depth=4"]);
    let words = [
        "ggp",
        "match",
        "testmatch",
        file,
        "1",
        "1",
        "1",
        "-remote",
        "1",
        "Me",
        "127.0.0.1",
        &player.port,
        "1",
        "-random",
        "2",
        "7",
    ];
    let run = agon(&words);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.lines().last(), Some("Game over! results: 100 0"), "{}", run.out);
    assert_eq!(run.err, "");
}
