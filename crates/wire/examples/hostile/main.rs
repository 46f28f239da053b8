//! A program that does everything wrong that an agent can do wrong, one thing at a time.
//!
//! `hostile FAULT [--answer MOVE] [--game VARIANT] [--pause MS] [--amount N] [--file PATH]` speaks
//! just enough of UGI and of the Congo course's protocol to pass for an agent, and misbehaves at
//! the first `go`, or at startup where the name says so. Faults that do not affect the answer
//! always give the same move, or the first legal one if they know the game.

mod attacks;
mod attempts;
mod faults;
mod follow;

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::exit;
use std::thread;
use std::time::Duration;

use follow::Follower;

const USAGE: &str = "usage: hostile FAULT [--answer MOVE] [--game VARIANT] [--pause MS] \
                     [--amount N] [--file PATH]";

/// The command line.
struct Options {
    fault: String,
    answer: String,
    /// The game to play by the rules.
    game: Option<String>,
    /// How long every answer takes.
    pause: Duration,
    /// Milliseconds, mebibytes, lines or generations, as the fault needs it.
    amount: Option<u64>,
    file: PathBuf,
}

impl Options {
    fn read() -> Option<Options> {
        let mut arguments = env::args().skip(1);
        let fault = arguments.next()?;
        let (answer, file) = ("0000".to_string(), PathBuf::from("hostile.out"));
        let (game, pause, amount) = (None, Duration::ZERO, None);
        let mut options = Options { fault, answer, game, pause, amount, file };
        while let Some(name) = arguments.next() {
            let value = arguments.next()?;
            match name.as_str() {
                "--answer" => options.answer = value,
                "--game" => options.game = Some(value),
                "--pause" => options.pause = Duration::from_millis(value.parse().ok()?),
                "--amount" => options.amount = Some(value.parse().ok()?),
                "--file" => options.file = value.into(),
                _ => return None,
            }
        }
        Some(options)
    }
}

/// Prints a line at once, and exits if nobody reads it.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        exit(1);
    }
}

fn main() {
    // Tests start their cells with this program.
    agon_isolation::enter_if_asked();
    let Some(options) = Options::read() else {
        eprintln!("{USAGE}");
        exit(2);
    };
    if options.fault == "attempts" {
        attempts::all(&options);
    }
    faults::at_start(&options);
    // The Congo course's referee does not introduce itself and expects the bare move.
    let mut word = "";
    let mut follower = options.game.as_deref().and_then(Follower::new);
    for line in io::stdin().lines() {
        let Ok(line) = line else { break };
        match line.split_whitespace().next() {
            Some("ugi") => {
                word = "bestmove ";
                say("id name hostile\nugiok");
            }
            Some("isready") => say("readyok"),
            Some("go") => {
                if faults::at_go(&options, word) {
                    thread::sleep(options.pause);
                    let own = follower.as_mut().and_then(Follower::answer);
                    say(&format!("{word}{}", own.as_ref().unwrap_or(&options.answer)));
                    faults::after_answer(&options);
                }
            }
            Some("quit") => break,
            _ => follower.iter_mut().for_each(|follower| follower.follow(&line)),
        }
    }
    faults::at_end(&options);
}
