//! `agon tournament run` with agents that join, leave and change between two runs.
#![cfg(unix)]

mod common;
#[path = "play_screen/terminal.rs"]
#[allow(dead_code)]
mod terminal;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use agon_arena::store::{Filter, Store};
use agon_core::Rng;
use common::{Run, agon, json};
use serde_json::Value;
use terminal::Terminal;

/// A folder with a program of one's own and a tournament.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(format: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write(format, "\"random\"");
        folder.program("random");
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, format: &str, agents: &str) {
        // The script runs a program that is elsewhere.
        let elsewhere = Path::new(env!("CARGO_BIN_EXE_agon")).parent().unwrap().display();
        let text = format!(
            "format = {format}\nvariant = \"breakthrough:5x5\"\ndepth = 1\n\
             readable = ['{elsewhere}']\nagents = [{agents}, {{ name = \"mine\", agent = \"ugi:./mine.sh\" }}]\n"
        );
        fs::write(self.path().join("cup.toml"), text).unwrap();
    }

    /// Writes the program, which plays like this agent.
    fn program(&self, agent: &str) {
        let file = self.path().join("mine.sh");
        let script =
            format!("#!/bin/sh\nexec {} ugi --agent {agent}\n", env!("CARGO_BIN_EXE_agon"));
        fs::write(&file, script).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn arguments(&self) -> [String; 5] {
        let (file, data) = (self.path().join("cup.toml"), self.path().join("data"));
        let [file, data] = [file, data].map(|path| path.display().to_string());
        ["tournament".into(), "run".into(), file, "--data".into(), data]
    }

    fn run(&self, more: &[&str]) -> Run {
        let arguments = self.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        agon(&[&arguments, more].concat())
    }

    fn played(&self, more: &[&str]) -> Run {
        let run = self.run(more);
        assert_eq!(run.code, 0, "{}", run.err);
        run
    }

    fn status(&self) -> Value {
        let data = self.path().join("data").display().to_string();
        json(&["tournament", "status", "cup", "--json", "--data", &data])
    }

    fn agent(&self, name: &str) -> Value {
        let status = self.status();
        let agents = status["agents"].as_array().unwrap().iter();
        agents.clone().find(|agent| agent["name"] == name).cloned().unwrap_or(Value::Null)
    }
}

#[test]
fn agents_join_and_leave_and_only_what_is_missing_is_played() {
    let folder = Folder::new("\"round-robin\"");
    folder.played(&[]);
    folder.write("\"round-robin\"", "\"greedy\", \"random\", \"minimax\"");
    let preview = folder.played(&["--dry-run"]);
    assert!(preview.err.contains("joins greedy, minimax"), "{}", preview.err);
    assert_eq!(folder.status()["games"], 2, "a dry run changes nothing");
    let run = folder.played(&[]);
    assert!(run.err.contains("joins greedy, minimax"), "{}", run.err);
    assert!(run.err.contains("resuming after 2 games"), "{}", run.err);
    assert!(run.out.contains("finished: 12 of 12 games"), "{}", run.out);
    assert!(run.out.contains("joined    after the start: "), "{}", run.out);
    folder.write("\"round-robin\"", "\"greedy\", \"random\", \"ordered\"");
    let run = folder.played(&[]);
    assert!(run.err.contains("retired minimax"), "{}", run.err);
    assert!(run.out.contains("retired   their games so far count: minimax"), "{}", run.out);
    assert_eq!((&folder.status()["games"], &folder.status()["planned"]), (&18.into(), &18.into()));
    let agent = folder.agent("minimax");
    assert_eq!(
        (&agent["retired"], &agent["rank"], &agent["games"]),
        (&true.into(), &5.into(), &6.into())
    );
    assert_eq!(folder.agent("ordered")["joined"], 2);
    let data = folder.path().join("data").display().to_string();
    let list = json(&["tournament", "list", "--json", "--data", &data]);
    assert_eq!((&list[0]["planned"], &list[0]["agents"]), (&18.into(), &5.into()));
    let table = agon(&["tournament", "export", "cup", "--crosstable", "--data", &data]);
    assert!(table.out.contains("minimax"), "{}", table.out);
}

#[test]
fn a_changed_program_stops_the_run_until_somebody_decides() {
    let folder = Folder::new("\"round-robin\"");
    folder.played(&[]);
    folder.played(&[]);
    folder.program("greedy");
    let refused = folder.run(&[]);
    assert_eq!(refused.code, 2, "{}", refused.err);
    for words in ["mine (its program has changed, 2 games", "--changed keep", "--changed replay"] {
        assert!(refused.err.contains(words), "{words} in {}", refused.err);
    }
    assert!(refused.err.contains("enters as mine-2"), "{}", refused.err);
    let wrong = folder.run(&["--changed", "reply"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("did you mean replay"), "{}", wrong.err);
    folder.played(&["--changed", "keep"]);
    assert_eq!(folder.status()["games"], 2);
    folder.played(&[]);
    folder.program("minimax");
    let run = folder.played(&["--changed", "replay"]);
    assert!(run.err.contains("are deleted and played again"), "{}", run.err);
    assert!(!run.err.contains("resuming"), "{}", run.err);
    folder.program("random");
    let run = folder.played(&["--changed", "enter"]);
    assert!(run.err.contains("enters as mine-2, and the old one is retired"), "{}", run.err);
    assert_eq!(folder.agent("mine")["retired"], true);
    assert_eq!(folder.agent("mine-2")["games"], 2);
    folder.played(&[]);
    assert_eq!(folder.status()["games"], 4);
}

#[test]
fn rounds_that_follow_from_results_are_not_replayed() {
    let folder = Folder::new("\"swiss\"\nrounds = 1");
    folder.played(&[]);
    folder.program("greedy");
    for (decision, words) in [("replay", "--changed enter"), ("enter", "rounds = 2 or more")] {
        let refused = folder.run(&["--changed", decision]);
        assert_eq!(refused.code, 2, "{}", refused.err);
        assert!(refused.err.contains(words), "{}", refused.err);
    }
    folder.write("\"swiss\"\nrounds = 2", "\"random\"");
    let run = folder.played(&["--changed", "enter"]);
    assert!(run.err.contains("rounds 2 instead of 1"), "{}", run.err);
    assert!(run.out.contains("mine-2 (round 2)"), "{}", run.out);
    assert_eq!(folder.agent("mine-2")["joined"], 2);
}

/// Starts a run and kills it after a while, in which nothing can be cleaned up.
fn killed(folder: &Folder, pause: Duration) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(folder.arguments())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    thread::sleep(pause);
    let _ = child.kill();
    child.wait().unwrap();
}

/// All games without what differs between runs.
fn games(folder: &Folder) -> Vec<String> {
    let data = folder.path().join("data").display().to_string();
    let run = agon(&["tournament", "export", "cup", "--format", "jsonl", "--data", &data]);
    let game = |line: &str| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        let object = game.as_object_mut().unwrap();
        for key in ["times_ms", "latencies_ms", "finished"] {
            object.remove(key);
        }
        game.to_string()
    };
    run.out.lines().map(game).collect()
}

#[test]
fn late_agents_survive_being_killed() {
    let format = "\"round-robin\"\ngames = 6\nnodes = 30000";
    let (early, late) = ("\"alphabeta\", \"ordered\"", "\"minimax\", \"ordered\", \"alphabeta\"");
    let write = |folder: &Folder, agents: &str| {
        let text = format!(
            "format = {format}\nvariant = \"breakthrough:5x5\"\nagents = [{agents}, \"greedy\"]\n"
        );
        fs::write(folder.path().join("cup.toml"), text).unwrap();
    };
    let [killed_often, untouched] = [(); 2].map(|()| Folder::new(format));
    let mut rng = Rng::new(5);
    write(&killed_often, early);
    // Until the first game is stored, late agents are not late.
    let stored = || {
        let data = killed_often.path().join("data");
        Store::open(&data).is_ok_and(|store| store.count_games(&Filter::default()).unwrap().0 > 0)
    };
    let mut pause = Duration::from_millis(50 + rng.below(100));
    while !stored() {
        killed(&killed_often, pause);
        pause *= 2;
    }
    write(&killed_often, late);
    for _ in 0..4 {
        killed(&killed_often, Duration::from_millis(20 + rng.below(200)));
    }
    killed_often.played(&[]);
    for agents in [early, late] {
        write(&untouched, agents);
        untouched.played(&[]);
    }
    assert_eq!(games(&killed_often).len(), 6 * 6);
    assert_eq!(games(&killed_often), games(&untouched));
}

#[test]
fn on_a_terminal_the_run_asks() {
    let folder = Folder::new("\"round-robin\"");
    folder.played(&[]);
    folder.program("greedy");
    let arguments = folder.arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut stopping = Terminal::run(&arguments);
    stopping.wait_for("keep, replay, enter, stop?");
    stopping.wait_for("mine (its program has changed");
    stopping.send("what\n");
    stopping.wait_for("please type one of them");
    stopping.send("stop\n");
    assert_eq!(stopping.exit_code(), 1);
    assert_eq!(folder.agent("mine-2"), Value::Null);
    let mut entering = Terminal::run(&arguments);
    entering.wait_for("keep, replay, enter, stop?");
    entering.send("e\n");
    assert_eq!(entering.exit_code(), 0);
    assert_eq!(folder.agent("mine-2")["games"], 2);
}
