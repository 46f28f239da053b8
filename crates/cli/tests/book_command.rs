//! `agon book` as people and scripts use it, with small books.

mod common;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "other tests use more of it")]
mod events;

use std::fs;
use std::path::PathBuf;

use common::{Run, agon, agon_with_input, json};
use serde_json::Value;
use tempfile::TempDir;

const VARIANT: &str = "breakthrough:5x5";

/// A data folder.
struct Data(TempDir);

impl Data {
    fn new() -> Data {
        Data(tempfile::tempdir().unwrap())
    }

    /// Runs a command with this data folder.
    fn agon(&self, arguments: &[&str]) -> Run {
        agon(&[arguments, &["--data", self.0.path().to_str().unwrap()]].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        json(&[arguments, &["--json", "--data", self.0.path().to_str().unwrap()]].concat())
    }

    /// The last line of JSON that a command prints.
    fn last_json(&self, arguments: &[&str]) -> Value {
        let run = self.agon(&[arguments, &["--json"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str(run.out.lines().last().unwrap()).unwrap()
    }

    /// Builds a small book with more arguments.
    fn build(&self, more: &[&str]) -> Run {
        let mut command = vec!["book", "build", VARIANT];
        for (option, value) in [("--nodes", "500"), ("--positions", "60")] {
            if !more.contains(&option) {
                command.extend([option, value]);
            }
        }
        self.agon(&[&command, more].concat())
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn path(&self, name: &str) -> String {
        self.file(name).to_str().unwrap().to_string()
    }

    /// The file of the small book.
    fn book(&self) -> PathBuf {
        self.file("books/breakthrough-5x5.book")
    }
}

#[test]
fn a_book_is_built_shown_checked_and_played() {
    let data = Data::new();
    let missing = data.agon(&["book", "show", VARIANT]);
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("agon book build breakthrough:5x5"), "{}", missing.err);

    let built = data.build(&["--threads", "1"]);
    assert_eq!(built.code, 0, "{}", built.err);
    assert!(built.out.contains("positions up to"), "{}", built.out);
    let whole = fs::read(data.book()).unwrap();
    assert_eq!(data.build(&["--force", "--threads", "2"]).code, 0);
    assert!(fs::read(data.book()).unwrap() == whole, "the same on any number of threads");

    let checked = data.agon(&["book", "check", VARIANT]);
    assert!(checked.code == 0 && checked.out.contains("sound"), "{}{}", checked.out, checked.err);
    let stats = data.json(&["book", "stats", VARIANT]);
    assert_eq!(stats["nodes"], 500);
    assert_eq!(stats["bytes"], whole.len());
    let plies: u64 = stats["plies"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
    assert_eq!(stats["positions"], plies);
    let shown = data.json(&["book", "show", VARIANT, "--depth", "2"]);
    let first = &shown["moves"][0];
    assert!(first["moves"][0]["weight"].as_u64().unwrap() >= 1, "{shown}");
    let mv = first["move"].as_str().unwrap();
    let below = data.agon(&["book", "show", VARIANT, "--moves", mv, "--depth", "1"]);
    assert!(below.code == 0 && below.out.contains("weight"), "{}", below.err);

    let analysed = data.last_json(&["analyse", VARIANT, "--agent", "engine:book=on"]);
    assert_eq!((&analysed["source"], &analysed["nodes"]), (&"book".into(), &0.into()));
}

#[test]
fn a_damaged_book_is_named_and_not_used() {
    let data = Data::new();
    assert_eq!(data.build(&[]).code, 0);
    let mut bytes = fs::read(data.book()).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(data.book(), bytes).unwrap();
    for command in ["check", "show", "stats"] {
        let run = data.agon(&["book", command, VARIANT]);
        assert_eq!(run.code, 1, "{command}");
        assert!(run.err.contains("breakthrough-5x5.book"), "{}", run.err);
        assert!(run.err.contains("its contents have changed"), "{}", run.err);
    }
    let refused = data.build(&[]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--force starts over"), "{}", refused.err);
    let played = data.agon(&["analyse", VARIANT, "--agent", "engine:book=on", "--nodes", "100"]);
    assert_eq!(played.code, 2, "{}", played.out);
    assert!(played.err.contains("is not used, its contents have changed"), "{}", played.err);
    let given = format!("engine:book={}", data.book().display());
    let played = data.agon(&["match", VARIANT, &given, "random", "--games", "2"]);
    assert_eq!(played.code, 2, "{}", played.out);
    assert!(played.err.contains("cannot be used: its contents have changed"), "{}", played.err);
}

#[test]
fn a_build_goes_on_as_it_began() {
    let data = Data::new();
    assert_eq!(data.build(&["--positions", "20"]).code, 0);
    let half = fs::read(data.book()).unwrap();
    let other = data.build(&["--nodes", "600"]);
    assert_eq!(other.code, 2);
    assert!(other.err.contains("--nodes 500 --lines 5 --seed 0"), "{}", other.err);
    assert!(fs::read(data.book()).unwrap() == half);
    assert_eq!(data.build(&[]).code, 0);
    assert_eq!(data.build(&["--out", &data.path("whole.book")]).code, 0);
    assert!(fs::read(data.book()).unwrap() == fs::read(data.file("whole.book")).unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn a_build_that_is_interrupted_gives_the_same_book() {
    use std::process::{Command, Stdio};
    let data = Data::new();
    let [part, whole] = ["part.book", "whole.book"].map(|name| data.path(name));
    let command = ["book", "build", VARIANT, "--nodes", "3000", "--positions", "200", "--out"];
    let child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(command)
        .arg(&part)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    events::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert_eq!(agon(&[&command[..], &[&part]].concat()).code, 0);
    assert_eq!(agon(&[&command[..], &[&whole]].concat()).code, 0);
    assert!(fs::read(part).unwrap() == fs::read(whole).unwrap());
}

#[test]
fn books_are_merged_and_exported() {
    let data = Data::new();
    let [one, other, both] = ["one.book", "other.book", "both.book"].map(|name| data.path(name));
    assert_eq!(data.build(&["--out", &one]).code, 0);
    let more = ["--out", &other, "--nodes", "800", "--positions", "40"];
    assert_eq!(data.build(&more).code, 0);
    let merged = data.agon(&["book", "merge", &one, &other, "--out", &both]);
    assert_eq!(merged.code, 0, "{}", merged.err);
    assert_eq!(data.agon(&["book", "check", &both]).code, 0);
    let refused = data.agon(&["book", "merge", &one, "congo", "--out", &both]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("only books of one variant"), "{}", refused.err);

    let openings = data.path("openings.txt");
    let export = ["book", "export", &both, "--plies", "2", "--margin", "200", "--out", &openings];
    let exported = data.agon(&export);
    assert_eq!(exported.code, 0, "{}", exported.err);
    let play = ["match", VARIANT, "random", "random", "--games", "4", "--openings"];
    let played = data.agon(&[&play[..], &[&openings]].concat());
    assert_eq!(played.code, 0, "{}", played.err);
    let long = data.agon(&["book", "export", &both, "--plies", "99"]);
    assert_eq!(long.code, 2);
    assert!(long.err.contains("the longest has"), "{}", long.err);
}

#[test]
fn balanced_openings_can_be_played() {
    let data = Data::new();
    let openings = data.path("balanced.txt");
    let find = |more: &[&str]| {
        let command = ["book", "balanced", "connect4", "--count", "12", "--nodes", "500"];
        data.agon(&[&command[..], more].concat())
    };
    let found = find(&["--out", &openings]);
    assert!(found.code == 0 && found.out.contains("12 openings"), "{}{}", found.out, found.err);
    let text = fs::read_to_string(&openings).unwrap();
    assert!(text.starts_with("# agon book balanced connect4 --count 12 --plies 6"), "{text}");
    assert_eq!(find(&["--threads", "1"]).out, text, "printed, and on one thread");
    let play = ["match", "connect4", "random", "random", "--games", "4", "--openings", &openings];
    assert_eq!(data.agon(&play).code, 0);
}

#[test]
fn who_uses_a_book_depends_on_what_is_played_for() {
    let data = Data::new();
    assert_eq!(data.build(&[]).code, 0);
    let folder = data.0.path().to_str().unwrap();
    let says_book = |variant: &str, agent: &str| {
        let ugi = "ugi\nisready\ngo nodes 1000\nquit\n";
        let arguments = ["ugi", variant, "--agent", agent, "--data", folder];
        agon_with_input(&arguments, ugi).out.contains("info string book")
    };
    assert!(says_book(VARIANT, "engine") && !says_book(VARIANT, "engine:book=off"));
    // Those inside the program are used by default only if they make the engine stronger.
    assert!(says_book("congo", "engine:book=on") && !says_book("congo", "engine"));
    let analysed = data.agon(&["analyse", VARIANT, "--nodes", "1000", "--json"]);
    assert!(!analysed.out.contains("\"source\":\"book\""), "{}", analysed.out);
}

#[test]
fn what_is_wrong_is_told() {
    let data = Data::new();
    for (arguments, words) in [
        (&["build", "fauhalma:star3"][..], &["3 players", "books are for two"][..]),
        (&["build", "cong"], &["did you mean congo"]),
        (&["show", "no.book"], &["there is no file no.book", "expected a variant such as congo"]),
        (&["show", "congo", "--moves", "a1a7"], &["a1a7"]),
        (&["check", "wumpus:6"], &["there is no book for wumpus:6", "agon book build wumpus:6"]),
        (&["balanced", "fauhalma:star3"], &["3 players"]),
    ] {
        let run = data.agon(&[&["book"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
        for word in words {
            assert!(run.err.contains(word), "{arguments:?}: {}", run.err);
        }
    }
    let blocked = data.file("file");
    fs::write(&blocked, "").unwrap();
    let out = format!("{}/x.book", blocked.display());
    let unwritable = data.build(&["--positions", "1", "--out", &out]);
    assert_eq!(unwritable.code, 1, "{}", unwritable.err);
    assert!(unwritable.err.contains("x.book cannot be read"), "{}", unwritable.err);
    let play = ["match", VARIANT, "random", "random", "--openings", "book:4"];
    let no_openings = data.agon(&play);
    assert_eq!(no_openings.code, 2);
    assert!(no_openings.err.contains("agon book build breakthrough:5x5"), "{}", no_openings.err);
}
