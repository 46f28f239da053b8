//! Runs the real program.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The result of a run.
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs the program with this on its standard input, and an empty data folder unless the
/// arguments name one.
pub fn agon_with_input(arguments: &[&str], input: &str) -> Run {
    let data = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .env("AGON_DATA", data.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input may close it early.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs the program.
pub fn agon(arguments: &[&str]) -> Run {
    agon_with_input(arguments, "")
}

/// Runs and reads the JSON it must print.
#[allow(dead_code, reason = "not every test file reads JSON")]
pub fn json(arguments: &[&str]) -> Value {
    let run = agon(arguments);
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}
