//! A program that does everything wrong that an agent can do wrong, one thing at a time.
//!
//! `hostile FAULT [--answer MOVE] [--amount N] [--file PATH]` speaks just enough UGI to be taken
//! for an agent, and misbehaves at the first `go`, or at the start where the name says so. Faults
//! that leave the answer alone need a legal move to give.

mod faults;

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::exit;

/// What the command line asks for.
struct Options {
    fault: String,
    answer: String,
    /// Milliseconds, mebibytes, lines or generations, as the fault needs it.
    amount: Option<u64>,
    file: PathBuf,
}

impl Options {
    fn read() -> Option<Options> {
        let mut arguments = env::args().skip(1);
        let fault = arguments.next()?;
        let (answer, file) = ("0000".to_string(), PathBuf::from("hostile.out"));
        let mut options = Options { fault, answer, amount: None, file };
        while let Some(name) = arguments.next() {
            let value = arguments.next()?;
            match name.as_str() {
                "--answer" => options.answer = value,
                "--amount" => options.amount = Some(value.parse().ok()?),
                "--file" => options.file = value.into(),
                _ => return None,
            }
        }
        Some(options)
    }
}

/// Prints a line at once. Who is not listened to any more ends.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        exit(1);
    }
}

fn main() {
    let Some(options) = Options::read() else {
        eprintln!("usage: hostile FAULT [--answer MOVE] [--amount N] [--file PATH]");
        exit(2);
    };
    faults::at_start(&options);
    for line in io::stdin().lines() {
        let Ok(line) = line else { break };
        match line.split_whitespace().next() {
            Some("ugi") => say("id name hostile\nugiok"),
            Some("isready") => say("readyok"),
            Some("go") if faults::at_go(&options) => say(&format!("bestmove {}", options.answer)),
            Some("quit") => break,
            _ => {}
        }
    }
    faults::at_end(&options);
}
