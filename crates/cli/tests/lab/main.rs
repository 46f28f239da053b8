//! `agon lab`, with the real program, a real store and a real browser.

#[path = "../common/mod.rs"]
mod common;
mod files;
mod killing;
mod numbers;
mod smoke;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, agon};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with a store and experiment files.
struct Lab {
    folder: TempDir,
}

impl Lab {
    fn new() -> Lab {
        Lab { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    }

    fn data(&self) -> String {
        self.path("data").to_str().unwrap().to_string()
    }

    /// Runs `agon lab …` with the store of this folder.
    fn lab(&self, arguments: &[&str]) -> Run {
        let data = self.data();
        let all: Vec<&str> =
            ["lab"].iter().chain(arguments).copied().chain(["--data", &data]).collect();
        agon(&all)
    }

    /// The same, which must succeed.
    fn done(&self, arguments: &[&str]) -> Run {
        let run = self.lab(arguments);
        assert_eq!(run.code, 0, "{arguments:?}: {}\n{}", run.err, run.out);
        run
    }

    /// The results as JSON.
    fn status(&self, experiment: &str) -> Value {
        serde_json::from_str(&self.done(&["status", experiment, "--json"]).out).unwrap()
    }
}

/// A small experiment.
const SMALL: &str = "\
question = \"Who is better?\"
variant = \"breakthrough:5x5\"
nodes = 200
games = 20
seed = 3
agents = [\"random\", \"greedy\", \"engine\"]
[[compare]]
kind = \"list\"
baseline = \"greedy\"
";

/// The tables of a status without what depends on the clock.
fn without_times(status: &Value) -> Value {
    let mut status = status.clone();
    let clock = ["ms_a_move", "seconds", "processor_seconds", "nodes_a_second", "times_as_fast"];
    for table in status["tables"].as_array_mut().unwrap() {
        for row in table["rows"].as_array_mut().unwrap() {
            for key in clock {
                row.as_object_mut().unwrap().remove(key);
            }
        }
    }
    status
}

/// The lines of a CSV file as fields.
fn csv(file: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(fields).collect()
}

fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}
