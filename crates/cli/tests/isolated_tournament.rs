//! A tournament of honest and hostile programs in sandboxes, killed and resumed: the honest ones play
//! the same games as without the hostile.
#![cfg(target_os = "linux")]

#[path = "../../wire/tests/process/hostile.rs"]
mod hostile;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use hostile::{hostile, started_by};

const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// Programs that play by the rules: engines, each with another evaluation or switch.
const HONEST: [&str; 4] = ["engine", "engine:lmr=off", "alphabeta:depth=3", "alphabeta:depth=2"];

/// Programs that attack their opponents, the arena and the machine.
const HOSTILE: [&str; 10] = [
    "steal-cpu",
    "all-threads",
    "kill-everything",
    "stop-everything",
    "many-files",
    "delete-everything",
    "children-fleeing",
    "fork-bomb",
    "flood-errors",
    "crash",
];

/// Whether this machine has sandboxes; if not, that is said, and may not be.
fn has_sandbox() -> bool {
    let output = Command::new(AGON).arg("isolation").output().unwrap();
    let required = std::env::var_os("AGON_ISOLATION").is_some_and(|it| it == "required");
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() || !required, "{words}");
    if !output.status.success() {
        eprintln!("\n*** NOT TESTED: level sandbox is not available on this machine\n{words}");
    }
    output.status.success()
}

fn tournament(with_hostile: bool, games: u32) -> String {
    let mut text = format!(
        "format = \"round-robin\"\ngames = {games}\nvariant = \"breakthrough:5x5\"\n\
         openings = \"start\"\nnodes = 400\nseed = 5\nisolation = \"sandbox\"\n"
    );
    let mut add = |name: &str, command: String| {
        text += &format!("[[agents]]\nname = '{name}'\nagent = '''ugi:{command}'''\n");
        text += "patience = '5s'\nmemory_mib = 300\n";
    };
    for agent in HONEST {
        add(agent, format!("{AGON} ugi breakthrough:5x5 --agent {agent}"));
    }
    for attack in HOSTILE.iter().filter(|_| with_hostile) {
        let program = hostile().display();
        add(attack, format!("{program} {attack} --game breakthrough:5x5"));
    }
    text
}

fn command(folder: &Path, task: &[&str]) -> Command {
    let mut command = Command::new(AGON);
    command.args(task).env("AGON_DATA", folder.join("data")).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Plays a tournament, killed this many times, and returns the moves of the games between honest
/// agents, by who sat where.
fn played(text: &str, kills: u64) -> BTreeMap<(String, String, u64), String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cup.toml"), text).unwrap();
    let run = ["tournament", "run", "cup.toml"];
    for kill in 0..kills {
        let mut child = command(folder.path(), &run).spawn().unwrap();
        thread::sleep(Duration::from_millis(400 + 150 * (kill % 5)));
        let _ = child.kill();
        let arena = child.id();
        child.wait_with_output().unwrap();
        nothing_left(arena);
    }
    let child = command(folder.path(), &run).spawn().unwrap();
    let arena = child.id();
    let output = child.wait_with_output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words}");
    assert!(words.contains("isolation of programs: sandbox"), "{words}");
    nothing_left(arena);
    let export = ["records", "export", "--format", "jsonl"];
    let output = command(folder.path(), &export).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    honest_games(&lines)
}

/// Everything dies with the arena, a moment after it.
fn nothing_left(arena: u32) {
    for _ in 0..200 {
        if started_by(arena).is_empty() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("processes got away: {:?}", started_by(arena));
}

fn honest_games(lines: &str) -> BTreeMap<(String, String, u64), String> {
    let mut games = BTreeMap::new();
    let mut legs: BTreeMap<(String, String), u64> = BTreeMap::new();
    for line in lines.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        let name = |seat: usize| {
            let agent = game["agents"][seat].as_str().or(game["players"][seat]["agent"].as_str());
            let text = agent.unwrap_or_else(|| panic!("agents in {game}")).to_string();
            text.split("--agent ").nth(1).map(str::to_string)
        };
        let told = game.to_string();
        assert!(told.contains("isolation sandbox") || told.contains("withdrawn"), "{told}");
        let (Some(first), Some(second)) = (name(0), name(1)) else { continue };
        assert!(!game["end"].as_str().unwrap_or_default().starts_with("fault"), "{told}");
        let leg = legs.entry((first.clone(), second.clone())).or_default();
        games.insert((first, second, *leg), game["moves"].to_string());
        *leg += 1;
    }
    games
}

#[test]
fn honest_programs_play_the_same_games_among_hostile_ones() {
    if !has_sandbox() {
        return;
    }
    let (games, kills) = if std::env::var_os("AGON_SOAK").is_some() { (6, 20) } else { (2, 2) };
    let among_themselves = played(&tournament(false, games), 0);
    assert_eq!(among_themselves.len(), 6 * games as usize);
    let among_hostile = played(&tournament(true, games), kills);
    assert_eq!(among_hostile, among_themselves);
}
