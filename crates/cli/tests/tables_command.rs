//! `agon tables` as people and scripts use it, with the smaller of the two boards.

mod common;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "other tests use more of it")]
mod events;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Run, agon, json};
use serde_json::Value;
use tempfile::TempDir;

const TABLE: &str = "tables/fauhalma-rhombus.race";

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Runs a command with this data folder.
fn with_data(folder: &TempDir, arguments: &[&str]) -> Run {
    agon(&[arguments, &["--data", folder.path().to_str().unwrap()]].concat())
}

fn build(folder: &TempDir, more: &[&str]) -> Run {
    let command = ["tables", "build", "fauhalma", "--board", "rhombus"];
    with_data(folder, &[&command, more].concat())
}

/// The state of the rhombus's table.
fn state(folder: &Path) -> String {
    let list = json(&["tables", "list", "--json", "--data", folder.to_str().unwrap()]);
    let tables = list["tables"].as_array().unwrap();
    let find = |table: &&Value| table["name"] == "fauhalma-rhombus.race";
    tables.iter().find(find).unwrap()["state"].as_str().unwrap().to_string()
}

/// Changes one byte in the middle of a file.
fn damage(file: &PathBuf) {
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(file, bytes).unwrap();
}

/// A single test, so that the table is built only once.
#[test]
fn a_table_is_built_kept_used_and_never_used_damaged() {
    const MATCH: [&str; 8] =
        ["match", "fauhalma:rhombus2", "greedy:eval=race", "greedy", "--games", "2", "--seed", "1"];
    let folder = folder();
    let file = folder.path().join(TABLE);
    assert_eq!(state(folder.path()), "missing");
    assert_eq!(with_data(&folder, &["tables", "check"]).code, 0, "nothing is damaged");

    let built = build(&folder, &[]);
    assert_eq!(built.code, 0, "{}", built.err);
    assert!(built.out.contains("12,271,512 entries"), "{}", built.out);
    assert_eq!(state(folder.path()), "ok");
    assert_eq!(fs::metadata(&file).unwrap().len(), 12_271_512 + 64);
    let whole = fs::read(&file).unwrap();

    let kept = build(&folder, &[]);
    assert!(kept.code == 0 && kept.out.contains("kept"), "{}", kept.out);
    let played = with_data(&folder, &MATCH);
    assert!(played.code == 0 && !played.err.contains("warning"), "{}", played.err);

    damage(&file);
    assert_eq!(state(folder.path()), "damaged");
    let checked = with_data(&folder, &["tables", "check"]);
    assert_eq!(checked.code, 1);
    assert!(checked.out.contains("its contents have changed"), "{}", checked.out);
    assert!(checked.err.contains("a table is damaged"), "{}", checked.err);
    let played = with_data(&folder, &MATCH);
    assert_eq!(played.code, 0, "{}", played.err);
    let warnings = played.err.lines().filter(|line| line.contains("is not used")).count();
    assert_eq!(warnings, 1, "{}", played.err);

    assert_eq!(build(&folder, &["--threads", "1"]).code, 0, "damaged tables are rebuilt");
    assert!(fs::read(&file).unwrap() == whole, "the same on any number of threads");
    let names = fs::read_dir(file.parent().unwrap()).unwrap().count();
    assert_eq!(names, 1, "nothing but the table");
}

#[test]
fn the_folder_can_come_from_the_environment() {
    let folder = folder();
    let run = |environment: &Path, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(["tables", "list", "--json"]).args(more).env("AGON_DATA", environment);
        let list: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        list["folder"].as_str().unwrap().to_string()
    };
    assert_eq!(run(folder.path(), &[]), folder.path().to_str().unwrap());
    assert_eq!(run(folder.path(), &["--data", "elsewhere"]), "elsewhere");
    assert!(!run(Path::new(""), &[]).is_empty(), "empty counts as not set");
}

/// The star takes long enough to be stopped.
#[cfg(target_os = "linux")]
#[test]
fn a_build_that_is_stopped_leaves_nothing() {
    let folder = folder();
    let data = folder.path().to_str().unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["tables", "build", "fauhalma", "--board", "star", "--data", data])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    events::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{error}");
    assert!(error.contains("stopped; nothing was written"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_has_no_tables_is_refused() {
    let folder = folder();
    let refused = with_data(&folder, &["tables", "build", "wumpus"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("only for fauhalma"), "{}", refused.err);
    assert_eq!(with_data(&folder, &["tables"]).code, 2);
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let blocked = agon(&[
        "tables",
        "build",
        "fauhalma",
        "--board",
        "rhombus",
        "--data",
        file.to_str().unwrap(),
    ]);
    assert_eq!(blocked.code, 1);
    assert!(blocked.err.contains("cannot write"), "{}", blocked.err);
}
