//! Agents in Python files: `python:FILE[#CLASS]` in matches, tournaments, checks and on pages.
//!
//! They need a Python with Agon's package. `cargo xtask test` creates an environment with it and
//! sets `AGON_PYTHON`; without that variable these tests are skipped.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests use more of it")]
#[path = "../common/mod.rs"]
mod common;
mod faults;
#[allow(dead_code, reason = "other tests use more of it")]
#[path = "../../../wire/tests/process/hostile.rs"]
mod hostile;
mod places;
mod refusals;
#[allow(dead_code, reason = "other tests use more of it")]
#[path = "../serving/mod.rs"]
mod serving;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use common::Run;
use hostile::started_by;

/// The Python with the package; prints a note if there is none.
fn python() -> Option<PathBuf> {
    let python = std::env::var_os("AGON_PYTHON").filter(|name| !name.is_empty());
    if python.is_none() {
        println!("skipped: AGON_PYTHON is not set (cargo xtask test sets it)");
    }
    python.map(PathBuf::from)
}

/// The file with faulty agents.
fn hostile_file() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python_agents/hostile.py").to_string()
}

/// Runs `agon` in a folder and asserts that it leaves no processes.
fn agon_in(folder: &Path, arguments: &[&str]) -> Run {
    let data = tempfile::tempdir().unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .env("AGON_DATA", data.path())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let arena = child.id();
    let output = child.wait_with_output().unwrap();
    assert_eq!(started_by(arena), Vec::<String>::new(), "{arguments:?}: processes got away");
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    Run { code: output.status.code().unwrap(), out, err }
}

/// Plays a match of two and returns its JSON.
fn matched(folder: &Path, variant: &str, agents: [&str; 2], more: &[&str]) -> Value {
    let arguments = [&["match", variant, agents[0], agents[1], "--json"], more].concat();
    let run = agon_in(folder, &arguments);
    assert_eq!(run.code, 0, "{agents:?}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

/// The number of faults of an agent.
fn faults(answer: &Value, agent: usize) -> u64 {
    answer["agents"][agent]["faults"].as_u64().unwrap()
}

/// A folder with these files.
fn folder_of(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}
