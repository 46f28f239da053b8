//! A fault of an agent in Python costs it the current game, and nothing else.

use crate::{faults, hostile_file, matched, python};

/// An agent, the code of its fault, and parts of the evidence.
type Row = (&'static str, &'static str, &'static [&'static str]);

const BAD: &[Row] = &[
    ("Raises", "crash", &["in act: return self.dig(state, 30)", "more", "ValueError: not my day"]),
    ("RaisesInConstructor", "crash", &["in __init__: self.table = {}[player]", "KeyError: "]),
    ("NotAtOnce", "illegal move", &["\"returned:None\"", "returned None, which is none of the"]),
    ("Hangs", "no answer", &["no answer in", "in think: time.sleep(0.001)"]),
    ("Sleeps", "no answer", &["in act: time.sleep(600)"]),
    ("PrintsMegabytes", "too much output", &["on its standard error", "zzz…"]),
    ("WritesMegabytes", "too much output", &["on its standard error", "err: bestmove a1a2"]),
    ("Exits", "crash", &["in act: sys.exit(0)", "SystemExit: 0"]),
    ("LeavesAtOnce", "disconnected", &["ended with status 0"]),
    ("Forks", "too many processes", &[]),
    ("LeavesChildren", "left children behind", &[]),
    ("ReturnsNonsense", "illegal move", &["returned {'move': 42}, which is none of the"]),
    ("ReturnsNothing", "illegal move", &["returned None"]),
    ("ReturnsOldAction", "illegal move", &["which is none of the"]),
    ("ReturnsLiar", "", &[]),
    ("ReadsInput", "crash", &["EOFError"]),
    ("ClosesFiles", "", &[]),
    ("KillsItself", "crash", &["SIGKILL"]),
    ("OverflowsStack", "crash", &["RecursionError", "more"]),
];

const NUISANCES: &[&str] =
    &["Chatters", "ChangesState", "KeepsThreads", "ForksAndGoesOn", "HelpsItself"];

/// Games per agent: more than 60 in all, and more than 500 in the soak.
fn games() -> String {
    match std::env::var_os("AGON_SOAK") {
        Some(_) => "28".to_string(),
        None => "4".to_string(),
    }
}

fn check(variant: &str, row: &Row) {
    let (name, code, words) = row;
    let agent = format!("python:{}#{name}", hostile_file());
    let games = games();
    // Only agents that do not answer use up their time.
    let time = if *code == "no answer" { "300ms" } else { "10s" };
    // From the start position: some fail only at their second or third turn, which must come.
    let more = [
        &["--games", &games, "--per-move", time, "--openings", "start"][..],
        &["--concurrency", "2", "--no-store"],
    ]
    .concat();
    let folder = tempfile::tempdir().unwrap();
    let answer = matched(folder.path(), variant, [&agent, "random"], &more);
    let told = format!("{name} in {variant}: {}", answer["offences"]);
    let played = answer["games"].as_u64().unwrap();
    assert_eq!((faults(&answer, 0), faults(&answer, 1)), (played, 0), "{told}");
    let what = answer["offences"][0]["what"].as_str().unwrap();
    assert!(what.contains(code), "{told}");
    for word in *words {
        assert!(what.contains(word), "{word:?}: {told}");
    }
}

#[test]
fn faulty_agents_lose_only_that_game_and_leave_no_processes() {
    if python().is_none() {
        return;
    }
    for (row, variant) in BAD.iter().zip(["fenix", "breakthrough:5x5"].into_iter().cycle()) {
        check(variant, row);
    }
}

#[test]
fn nuisances_are_no_faults() {
    if python().is_none() {
        return;
    }
    for (name, variant) in NUISANCES.iter().zip(["fenix", "wumpus:3"].into_iter().cycle()) {
        let agent = format!("python:{}#{name}", hostile_file());
        let more = ["--games", "2", "--time", "60s", "--no-store", "--openings", "random:12"];
        let folder = tempfile::tempdir().unwrap();
        let answer = matched(folder.path(), variant, [&agent, "random"], &more);
        let told = format!("{name}: {}", answer["offences"]);
        assert_eq!((faults(&answer, 0), faults(&answer, 1)), (0, 0), "{told}");
    }
}
