//! `agon tournament` as people use it, and when it is killed.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use agon_arena::store::Store;
use agon_core::Rng;
use common::{Run, agon, json};
use serde_json::Value;

const ROBIN: &str = "
format = \"round-robin\"
games = 2
variant = \"breakthrough:5x5\"
depth = 2
agents = [\"random\", \"greedy\", { name = \"deep\", agent = \"alphabeta\" }]
";

/// Writes the file and returns the arguments for it.
fn with_file(folder: &Path, text: &str) -> [String; 4] {
    let file = folder.join("cup.toml");
    fs::write(&file, text).unwrap();
    let data = folder.join("data").display().to_string();
    ["run".into(), file.display().to_string(), "--data".into(), data]
}

fn tournament(arguments: &[String], more: &[&str]) -> Run {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    agon(&[&["tournament"], &arguments[..], more].concat())
}

#[test]
fn byes_explain_points_that_no_game_gave() {
    let folder = tempfile::tempdir().unwrap();
    let text = ROBIN.replace("round-robin\"", "swiss\"\nrounds = 1");
    let run = tournament(&with_file(folder.path(), &text), &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    // Three agents, so one of them sits out the only round, and has won both games.
    let byes = run.out.lines().find(|line| line.starts_with("byes"));
    assert!(
        byes.is_some_and(|line| line.contains(" 2 points each, as for a win: ")),
        "{}",
        run.out
    );
}

#[test]
fn a_tournament_is_played_shown_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = with_file(folder.path(), ROBIN);
    let run = tournament(&arguments, &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("round-robin of 3 agents: 6 games"), "{}", run.err);
    for words in
        ["cup", "finished: 6 of 6 games", "deep", "Elo", "first seat", "ranking   by points a game"]
    {
        assert!(run.out.contains(words), "{words} in {}", run.out);
    }
    let data = arguments[3].as_str();
    let status = json(&["tournament", "status", "cup", "--json", "--data", data]);
    assert_eq!(status["finished"], true);
    assert_eq!(status["games"], 6);
    let agents = status["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 3);
    let points: u64 = agents.iter().map(|agent| agent["points"].as_u64().unwrap()).sum();
    assert_eq!(points, 600);
    assert_eq!(agents[0]["against"].as_array().unwrap().len(), 3);
    let list = json(&["tournament", "list", "--json", "--data", data]);
    assert_eq!(list[0]["name"], "cup");
    for (format, words) in [("pgn", "[Variant \"breakthrough:5x5\"]"), ("csv", "series,number")] {
        let run = agon(&["tournament", "export", "cup", "--format", format, "--data", data]);
        assert!(run.out.contains(words), "{}", run.out);
    }
    let file = folder.path().join("games.jsonl");
    let to = file.display().to_string();
    let export = ["tournament", "export", "cup", "--format", "jsonl", "--output", &to];
    assert_eq!(agon(&[&export[..], &["--data", data]].concat()).code, 0);
    let lines = fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count(), 6);
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["outcome"]["points"].as_array().unwrap().len(), 2);
    let table = agon(&["tournament", "export", "cup", "--crosstable", "--data", data]);
    assert!(table.out.contains("deep"), "{}", table.out);
    let exported = |what: &str, form: &str| {
        let run = agon(&["tournament", "export", "cup", what, form, "--data", data]);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let standings: Value = serde_json::from_str(&exported("--standings", "json")).unwrap();
    assert_eq!(standings["agents"], status["agents"], "one place for all numbers");
    let csv = exported("--standings", "csv");
    assert_eq!(csv.lines().count(), 4, "{csv}");
    for (line, agent) in csv.lines().skip(1).zip(agents) {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[1], agent["name"].as_str().unwrap());
        assert_eq!(fields[7], agent["points"].to_string());
    }
    let crosstable: Value = serde_json::from_str(&exported("--crosstable", "json")).unwrap();
    assert_eq!(crosstable["scores"][0][0], Value::Null);
    assert_eq!(crosstable["scores"][0][1]["points"], agents[0]["against"][1][0]);
    let csv = exported("--crosstable", "csv");
    assert!(csv.starts_with("rank,agent,points against ") && csv.lines().count() == 4, "{csv}");
    let refused = agon(&["tournament", "export", "cup", "--standings", "xml", "--data", data]);
    assert!(refused.code == 2 && refused.err.contains("csv, json"), "{}", refused.err);
}

#[test]
fn a_mistake_is_refused_before_the_first_game() {
    let cases = [
        (ROBIN.replace("format", "formt"), &["line 2", "unknown key", "did you mean format"][..]),
        (ROBIN.replace("games", "rounds"), &["line 3", "unknown key \"rounds\""]),
        (ROBIN.replace("depth", "dept"), &["line 5", "did you mean depth"]),
        (ROBIN.replace("\"greedy\"", "\"ugi:./nowhere\""), &["line 6", "nowhere", "cannot find"]),
        (ROBIN.replace("\"greedy\"", "\"ugi:nowhere-at-all\""), &["line 6", "in PATH"]),
        (ROBIN.replace("\"greedy\"", "\"ugi:bots/*.sh\""), &["line 6", "no file matches"]),
        (ROBIN.replace("\"greedy\"", "\"congo:true\""), &["line 6", "for congo"]),
    ];
    for (text, words) in cases {
        let folder = tempfile::tempdir().unwrap();
        let run = tournament(&with_file(folder.path(), &text), &[]);
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(words.iter().all(|word| run.err.contains(word)), "{}", run.err);
        assert!(!folder.path().join("data").exists(), "nothing is started");
    }
    let none = agon(&["tournament", "status", "nothing", "--data", "nowhere"]);
    assert_ne!(none.code, 0);
}

#[test]
fn a_dry_run_says_how_long_and_plays_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = ROBIN.replace("depth = 2", "per_move = \"1s\"");
    let arguments = with_file(folder.path(), &text);
    let run = tournament(&arguments, &["--dry-run"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("6 games") && run.err.contains("at most about"), "{}", run.err);
    assert!(!folder.path().join("data").exists());
}

/// Starts the program without waiting for it.
fn started(arguments: &[String]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_agon"))
        .arg("tournament")
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The games without what differs between runs: one line each, in order.
fn games(data: &str) -> Vec<String> {
    let run = agon(&["tournament", "export", "cup", "--format", "jsonl", "--data", data]);
    assert_eq!(run.code, 0, "{}", run.err);
    let game = |line: &str| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        let object = game.as_object_mut().unwrap();
        for key in ["times_ms", "latencies_ms", "finished"] {
            assert!(object.remove(key).is_some(), "{key}");
        }
        game.to_string()
    };
    run.out.lines().map(game).collect()
}

/// Kills a tournament again and again, and returns its games at the end with those of an undisturbed
/// one.
fn killed(text: &str, kills: u32, most_millis: u64) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = with_file(folder.path(), text);
    let mut rng = Rng::new(kills.into());
    let mut hit = 0;
    for _ in 0..kills {
        let mut child = started(&arguments);
        std::thread::sleep(Duration::from_millis(5 + rng.below(most_millis)));
        if child.try_wait().unwrap().is_none() {
            hit += 1;
        }
        // SIGKILL: nothing can be cleaned up.
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert!(hit * 2 > kills, "only {hit} of {kills} hit a running tournament");
    let run = tournament(&arguments, &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    Store::open(&folder.path().join("data")).unwrap().check().unwrap();
    let other = tempfile::tempdir().unwrap();
    let untouched = with_file(other.path(), text);
    assert_eq!(tournament(&untouched, &[]).code, 0);
    (games(&arguments[3]), games(&untouched[3]))
}

/// Whether to run the long form of the tests: `AGON_SOAK=1` and more.
fn soaking() -> bool {
    std::env::var_os("AGON_SOAK").is_some()
}

#[track_caller]
fn assert_whole(text: &str, kills: u32, most_millis: u64, planned: usize) {
    let (games, untouched) = killed(text, kills, most_millis);
    let numbers: BTreeSet<u64> = games
        .iter()
        .map(|game| serde_json::from_str::<Value>(game).unwrap()["number"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers.len(), planned, "every game of the schedule");
    assert_eq!(games.len(), planned, "and none twice");
    assert_eq!(games, untouched, "the same games as without kills");
}

#[test]
fn a_killed_tournament_loses_nothing_and_counts_nothing_twice() {
    let (games, kills, millis) = if soaking() { (50, 50, 200) } else { (10, 6, 200) };
    // Five agents meet in ten pairs.
    let text = format!(
        "format = \"round-robin\"\ngames = {games}\nvariant = \"breakthrough:5x5\"\n\
         nodes = 60000\nagents = [\"alphabeta\", \"ordered\", \"minimax\", \"greedy\", \"random\"]\n"
    );
    assert_whole(&text, kills, millis, 10 * games);
}

#[test]
fn a_killed_tournament_of_three_players_loses_nothing_either() {
    let (games, kills, millis) = if soaking() { (126, 50, 200) } else { (6, 4, 200) };
    // Four agents meet in four mixes of three.
    let text = format!(
        "format = \"round-robin\"\ngames = {games}\nvariant = \"fauhalma:star3,limit=6\"\n\
         nodes = 20000\nagents = [\"brs\", \"maxn\", \"greedy\", \"random\"]\n"
    );
    assert_whole(&text, kills, millis, 4 * games);
}

#[test]
fn rounds_that_depend_on_results_survive_being_killed_too() {
    let (rounds, kills) = if soaking() { (40, 30) } else { (8, 5) };
    let text = format!(
        "format = \"contest\"\nrounds = {rounds}\nsettled = 0\nvariant = \"breakthrough:5x5\"\n\
         nodes = 150000\nagents = [\"alphabeta\", \"ordered\", \"minimax\", \"greedy\", \"random\"]\n"
    );
    assert_whole(&text, kills, 150, 2 * 2 * rounds);
}

#[cfg(unix)]
#[test]
fn a_pattern_matches_programs_from_any_working_directory() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    // A folder whose name looks like a pattern.
    let folder = parent.path().join("cup [1]");
    fs::create_dir_all(folder.join("bots")).unwrap();
    for name in ["a-1.1", "a-1.2"] {
        let file = folder.join("bots").join(name);
        let script = format!("#!/bin/sh\nexec {} ugi --agent random\n", env!("CARGO_BIN_EXE_agon"));
        fs::write(&file, script).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    // The scripts run a program that is elsewhere.
    let elsewhere = Path::new(env!("CARGO_BIN_EXE_agon")).parent().unwrap().display();
    let text = format!(
        "format = \"round-robin\"\nvariant = \"breakthrough:5x5\"\nagents = \"ugi:bots/*\"\n\
         readable = ['{elsewhere}']\n"
    );
    fs::write(folder.join("cup.toml"), text).unwrap();
    let run = |from: &Path, file: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(["tournament", "run", file, "--json", "--data"])
            .arg(parent.path().join("data"))
            .current_dir(from)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    for (from, file) in [
        (&folder, "cup.toml".to_string()),
        (&folder, "./cup.toml".to_string()),
        (&parent.path().to_path_buf(), "cup [1]/cup.toml".to_string()),
        (&folder, folder.join("cup.toml").display().to_string()),
    ] {
        let answer = run(from, &file);
        assert_eq!(answer["games"], 2, "{file}");
        let agents = answer["agents"].as_array().unwrap();
        assert!(agents.iter().all(|agent| agent["faults"] == 0), "{answer}");
        let mut names: Vec<&str> =
            agents.iter().map(|agent| agent["name"].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["bots/a-1.1", "bots/a-1.2"]);
    }
}
