//! `agon serve` as people run it: a process that is started, killed and started again.

use std::io::BufRead;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

#[allow(dead_code, reason = "other tests use more of it")]
mod common;
mod serving;

use serving::Serving;

/// Plays the first legal move, if it is the person's turn.
fn play_on(server: &Serving, id: &str) {
    let game = server.get(&format!("/api/games/{id}"));
    if game["position"]["to_move"] == 0 {
        let (mv, ply) = (&game["position"]["moves"][0]["text"], &game["position"]["ply"]);
        server.post(&format!("/api/games/{id}/moves"), &json!({"move": mv, "ply": ply}));
    }
}

#[test]
fn ten_games_survive_a_server_that_is_killed_in_the_middle() {
    let data = tempfile::tempdir().unwrap();
    let server = Serving::start(data.path(), &["serve", "--listen", "0"]);
    let variants = ["congo", "fenix", "wumpus:6", "breakthrough:8x8", "fauhalma:star2"];
    let ids: Vec<String> = (0..10)
        .map(|number| {
            let seats = json!([{"kind": "human"}, {"kind": "agent", "agent": "random"}]);
            let new = json!({"variant": variants[number % 5], "seats": seats});
            server.post("/api/games", &new)["id"].as_str().unwrap().to_string()
        })
        .collect();
    let listen = server.port().to_string();
    let mut server = server;
    for round in 0..3 {
        let mut answered = Vec::new();
        for id in &ids {
            play_on(&server, id);
            answered.push(server.get(&format!("/api/games/{id}"))["played"].clone());
        }
        server.kill();
        server = Serving::start(data.path(), &["serve", "--listen", &listen]);
        assert_eq!(server.get("/api/games")["games"].as_array().unwrap().len(), 10);
        for (id, before) in ids.iter().zip(answered) {
            let after = server.get(&format!("/api/games/{id}"))["played"].clone();
            let (before, after) = (before.as_array().unwrap(), after.as_array().unwrap());
            assert!(after.starts_with(before), "round {round}: {before:?} {after:?}");
        }
    }
    for id in &ids {
        let deadline = Instant::now() + Duration::from_secs(60);
        let goes_on = || {
            play_on(&server, id);
            let game = server.get(&format!("/api/games/{id}"));
            let over = !game["position"]["outcome"].is_null();
            over || game["position"]["ply"].as_u64().unwrap() >= 10
        };
        while !goes_on() {
            assert!(Instant::now() < deadline, "a game does not go on");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn every_answered_change_of_an_analysis_survives_a_server_that_is_killed() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Serving::start(data.path(), &["serve", "--listen", "0"]);
    let listen = server.port().to_string();
    let analysis = |comment: &str| {
        let nodes = json!([{"parent": 0, "move": "d2d3", "comment": comment}, {"parent": 0, "move": "c2c3"}]);
        json!({"variant": "congo", "nodes": nodes})
    };
    let made = server.post("/api/analyses", &json!({"analysis": analysis("first")}));
    let path = format!("/api/analyses/{}", made["id"].as_str().unwrap());
    for version in 1..=3 {
        let comment = format!("change {version}");
        let change = json!({"version": version, "analysis": analysis(&comment)});
        let put = ureq::put(format!("{}{path}", server.base))
            .header("content-type", "application/json")
            .header("x-agon-analysis", made["token"].as_str().unwrap());
        put.send(change.to_string()).unwrap();
        server.kill();
        server = Serving::start(data.path(), &["serve", "--listen", &listen]);
        let kept = server.get(&path);
        assert_eq!(kept["version"], version + 1);
        let nodes = &kept["analysis"]["nodes"];
        assert_eq!((&nodes[0]["comment"], &nodes[1]["move"]), (&json!(comment), &json!("c2c3")));
    }
}

#[test]
fn agon_alone_takes_the_next_free_port() {
    let data = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let first = Serving::start(data[0].path(), &[]);
    let second = Serving::start(data[1].path(), &["serve"]);
    assert_ne!(first.port(), second.port());
    for server in [first, second] {
        assert!(server.base.starts_with("http://127.0.0.1:"), "{}", server.base);
        assert_eq!(server.get("/api/server")["programs"], "refused");
    }
}

/// Runs the program on a data folder to its end.
fn run_on(data: &Path, arguments: &[&str]) -> common::Run {
    common::agon(&[arguments, &["--data", data.to_str().unwrap()]].concat())
}

#[test]
fn a_second_server_on_a_data_folder_points_to_the_first_or_refuses() {
    let data = tempfile::tempdir().unwrap();
    let server = Serving::start(data.path(), &["serve", "--listen", "0"]);
    let process = format!("process {}", server.child.id());
    for wish in [&[][..], &["serve"]] {
        let run = run_on(data.path(), wish);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains(&server.base) && run.out.contains(&process), "{}", run.out);
    }
    for wish in [&["--listen", "0"][..], &["--only", "aisysproj"], &["--threads", "1"]] {
        let run = run_on(data.path(), &[&["serve"], wish].concat());
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
        assert!(run.err.contains(&server.base) && run.err.contains(&process), "{}", run.err);
    }
    // Matches share the store with it.
    let run = run_on(data.path(), &["match", "breakthrough:5x5", "random", "random"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(server.get("/api/records")["total"].as_u64().is_some_and(|games| games > 0));
    // The lock of a killed server is taken over.
    let listen = server.port().to_string();
    server.kill();
    let server = Serving::start(data.path(), &["serve", "--listen", &listen]);
    assert_eq!(server.get("/api/server")["programs"], "refused");
}

#[cfg(unix)]
#[test]
fn the_browser_is_opened_and_a_missing_one_is_no_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (data, note) = (folder.path().join("data"), folder.path().join("note"));
    let serve = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["serve", "--listen", "0", "--open"]).env("AGON_DATA", &data);
        command.env_remove("WSL_DISTRO_NAME").env("PATH", folder.path());
        command
    };
    let server = Serving::start_command(&mut serve());
    assert_eq!(server.get("/api/server")["programs"], "refused");
    server.kill();
    for name in ["xdg-open", "open"] {
        let browser = folder.path().join(name);
        std::fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > '{}'\n", note.display()))
            .unwrap();
        std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let server = Serving::start_command(&mut serve());
    let deadline = Instant::now() + Duration::from_secs(60);
    let opened = || std::fs::read_to_string(&note).unwrap_or_default();
    while !opened().ends_with('\n') {
        assert!(Instant::now() < deadline, "the browser was not opened");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(opened().trim(), server.base);
}

#[cfg(unix)]
#[test]
fn a_position_is_opened_on_the_analysis_page_of_a_new_server_or_the_running_one() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (data, note) = (folder.path().join("data"), folder.path().join("note"));
    for name in ["xdg-open", "open"] {
        let browser = folder.path().join(name);
        let script = format!("#!/bin/sh\necho \"$1\" >> '{}'\n", note.display());
        std::fs::write(&browser, script).unwrap();
        std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let analyse = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.arg("analyse").args(arguments).arg("--open").env("AGON_DATA", &data);
        command.env_remove("WSL_DISTRO_NAME").env("PATH", folder.path());
        command
    };
    let opened = |count: usize| {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let text = std::fs::read_to_string(&note).unwrap_or_default();
            let lines: Vec<String> = text.lines().map(String::from).collect();
            if lines.len() >= count && text.ends_with('\n') {
                return lines;
            }
            assert!(Instant::now() < deadline, "the browser was not opened: {text}");
            thread::sleep(Duration::from_millis(20));
        }
    };
    let server = Serving::start_command(&mut analyse(&["congo", "--moves", "d2d3 d6d5"]));
    let page = format!("{}/analyse?variant=congo&moves=d2d3%20d6d5", server.base);
    assert_eq!(opened(1)[0], page);
    let position = "5/1P3/5/3p1/P4 w";
    let run = analyse(&["breakthrough:5x5", "--position", position]).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let second = "/analyse?variant=breakthrough%3A5x5&position=5%2F1P3%2F5%2F3p1%2FP4%20w%200%201";
    assert_eq!(opened(2), [page, server.base.clone() + second]);
    for (arguments, part) in
        [(&["congo", "--moves", "d2d9"][..], "bad move"), (&["congo", "--json"], "--json")]
    {
        let run = analyse(arguments).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{run:?}");
        assert!(String::from_utf8_lossy(&run.stderr).contains(part), "{run:?}");
    }
    assert_eq!(opened(2).len(), 2);
}

#[test]
fn a_server_for_others_says_what_they_type_without_a_code_in_a_pipe() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Serving::start(data.path(), &["serve", "--listen", "0.0.0.0:0"]);
    let port = server.port().to_string();
    let mut said = String::new();
    while !said.contains("Games are kept in") {
        assert!(server.out.read_line(&mut said).unwrap() > 0, "{said}");
    }
    assert!(!said.contains('█') && !said.contains("127.0.0.1"), "{said}");
    // A machine without a network has no other address.
    for line in said.lines().filter(|line| line.trim().starts_with("http://")) {
        let address = line.trim().strip_prefix("http://").unwrap();
        let address: std::net::SocketAddr = address.parse().unwrap();
        assert_eq!(address.port().to_string(), port);
        assert!(!address.ip().is_loopback() && address.is_ipv4(), "{said}");
    }
}

#[test]
fn a_port_that_is_taken_is_an_error_that_says_so() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let run = common::agon(&["serve", "--listen", &address]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains(&address) && run.err.contains("--listen"), "{}", run.err);
    let run = common::agon(&["serve", "--listen", "somewhere"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("such as 8080"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn a_server_stops_on_request() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Serving::start(data.path(), &["serve", "--listen", "0"]);
    let seats = json!([{"kind": "agent", "agent": "engine"}, {"kind": "human"}]);
    let new = json!({"variant": "congo", "seats": seats, "time": "1h"});
    server.post("/api/games", &new);
    let asked = Command::new("kill").arg(server.child.id().to_string()).status().unwrap();
    assert!(asked.success());
    assert!(
        server.child.wait().unwrap().success(),
        "it exits with 0, although an engine was thinking"
    );
}

#[test]
fn everybody_needs_the_secret_to_start_programs() {
    let data = tempfile::tempdir().unwrap();
    let arguments = ["serve", "--listen", "0", "--allow-programs"];
    let mut server = Serving::start(data.path(), &arguments);
    assert_eq!(server.get("/api/server")["programs"], "with_secret");
    let (secret, address) = server.secret();
    assert!(address.trim().ends_with(&format!("{}/#secret={secret}", server.base)), "{address}");
    let program = format!("ugi:{} ugi --agent random congo", env!("CARGO_BIN_EXE_agon"));
    let seats = json!([{"kind": "human"}, {"kind": "agent", "agent": program}]);
    let body = json!({"variant": "congo", "seats": seats}).to_string();
    let begin = |secret: &str| {
        let request = ureq::post(format!("{}/api/games", server.base));
        let request = request.header("content-type", "application/json");
        request.header("x-agon-secret", secret).send(&body)
    };
    assert!(matches!(begin("guess"), Err(ureq::Error::StatusCode(403))));
    let mut begun = begin(&secret).unwrap();
    let game: Value = serde_json::from_str(&begun.body_mut().read_to_string().unwrap()).unwrap();
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    server.post(&format!("{path}/moves"), &json!({"move": "d2d3", "ply": 0}));
    // The program is this program, and answers.
    let deadline = Instant::now() + Duration::from_secs(60);
    while server.get(&path)["position"]["ply"] != 2 {
        assert!(Instant::now() < deadline, "{}", server.get(&path));
        thread::sleep(Duration::from_millis(50));
    }
}
