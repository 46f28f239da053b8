//! `agon match` with programs that misbehave: faults are reported, and no processes are left.
#![cfg(target_os = "linux")]

#[path = "../../wire/tests/process/hostile.rs"]
mod hostile;

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use hostile::{hostile, started_by};

/// Plays two games of the hostile program against `random` and returns the output.
fn played(arguments: &str, more: &[&str]) -> String {
    let data = tempfile::tempdir().unwrap();
    let agent = format!("ugi:'{}' {arguments}", hostile().display());
    let child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["match", "breakthrough:5x5", &agent, "random", "--games", "2", "--no-store"])
        .args(more)
        .env("AGON_DATA", data.path())
        .current_dir(data.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let arena = child.id();
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    let failed = i32::from(arguments == "exit-at-start");
    assert_eq!(output.status.code(), Some(failed), "{arguments}: {err}");
    assert_eq!(started_by(arena), Vec::<String>::new(), "{arguments}: processes got away");
    out
}

#[test]
fn a_match_with_a_hostile_program_succeeds_and_reports_the_fault() {
    let table: &[(&str, &[&str])] = &[
        ("flood", &["too much output: 2", "more than 67108864 bytes", "out: info string flood"]),
        ("crash", &["crash: 2", "killed by SIGABRT", "err: assertion failed"]),
        ("exit-at-start", &["could not be started: 2", "ended with status 0"]),
        ("garbled-move", &["garbled answer: 2", "\\u{1b}[2J"]),
        ("children-detached --pause 400 --game breakthrough:5x5", &["left children behind: 2"]),
    ];
    for (arguments, words) in table {
        let out = played(arguments, &[]);
        for word in *words {
            assert!(out.contains(word), "{word:?} in {out}");
        }
        assert!(out.contains("fault     game 1, ugi:"), "{out}");
        assert!(!out.contains('\x1b'), "a program must not write to the terminal: {out:?}");
    }
}

#[test]
fn a_match_as_json_has_only_the_faults_of_the_hostile_program() {
    let answer = played("exit-3", &["--json"]);
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let faults = |agent: usize| answer["agents"][agent]["faults"].as_u64();
    assert_eq!((faults(0), faults(1)), (Some(2), Some(0)), "{answer}");
    let what = answer["offences"][0]["what"].as_str().unwrap();
    assert!(what.starts_with("crash: ended with status 3\n"), "{what}");
    assert!(what.contains("\nposition: ") && what.contains("\nsent: go"), "{what}");
}

/// An arena that is stopped for a while hears the answers too late, which is nobody's fault: the game
/// is void and played again.
#[test]
fn a_stopped_arena_charges_nobody() {
    let data = tempfile::tempdir().unwrap();
    let honest = format!("ugi:'{}' late --amount 40 --game breakthrough:5x5", hostile().display());
    let child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args([
            "match",
            "breakthrough:5x5",
            &honest,
            &honest,
            "--games",
            "2",
            "--no-store",
            "--json",
        ])
        .args(["--per-move", "500ms", "--concurrency", "1", "--openings", "start"])
        .env("AGON_DATA", data.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let signal = |name: &str| {
        let process = child.id().to_string();
        assert!(Command::new("kill").args([name, &process]).status().unwrap().success());
    };
    thread::sleep(Duration::from_millis(600));
    signal("-STOP");
    thread::sleep(Duration::from_millis(1500));
    signal("-CONT");
    let output = child.wait_with_output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["games"], 2, "{answer}");
    let agents = answer["agents"].as_array().unwrap();
    assert!(agents.iter().all(|agent| agent["faults"] == 0), "{answer}");
}

/// Whoever resumes a tournament that was killed again and again is told who was playing every time.
#[test]
fn a_program_that_plays_whenever_the_arena_dies_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("cup.toml"));
    let program = format!("ugi:{} late --amount 20 --game breakthrough:5x5", hostile().display());
    let text = format!(
        "format = 'round-robin'\nvariant = 'breakthrough:5x5'\nopenings = 'start'\ngames = 8\n\
         isolation = 'none'\nconcurrency = 1\n\
         agents = [{{ name = 'slow', agent = '{program}' }}, 'random']\n"
    );
    fs::write(&file, text).unwrap();
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["tournament", "run", file.to_str().unwrap()]).env("AGON_DATA", &data);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    // What an earlier run has left is still there at first.
    let is_playing = |arena: u32| {
        let files = fs::read_dir(&data).into_iter().flatten().flatten().map(|it| it.path());
        let live = files.filter(|path| path.extension().is_some_and(|end| end == "live"));
        live.filter_map(|path| fs::read_to_string(path).ok())
            .any(|text| text.contains(&format!("{arena},")) && text.contains("\"seats\":["))
    };
    for _ in 0..2 {
        let mut child = start();
        let begun = Instant::now();
        while !is_playing(child.id()) {
            assert!(begun.elapsed() < Duration::from_secs(20), "nobody tells what is played");
            thread::sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = start().wait_with_output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}");
    let named = "was killed 2 times, each time while slow played; a program that is not isolated";
    assert!(words.contains(named), "{words}");
}
