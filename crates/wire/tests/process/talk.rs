//! How to talk to the hostile program.
#![allow(dead_code)]

use std::thread;
use std::time::{Duration, Instant};

use agon_wire::process::{Launch, Program, Trouble};

use crate::hostile::hostile;

/// Long enough for anything that happens at all, on a busy machine too.
pub const LONG: Duration = Duration::from_secs(20);

pub fn soon() -> Instant {
    Instant::now() + LONG
}

pub fn in_ms(milliseconds: u64) -> Instant {
    Instant::now() + Duration::from_millis(milliseconds)
}

/// The launch of the hostile program, with arguments in one text.
pub fn launch(arguments: &str) -> Launch {
    let mut launch = Launch::new(hostile());
    launch.arguments = arguments.split_whitespace().map(Into::into).collect();
    launch
}

/// Starts a program and waits for its greeting.
pub fn greeted(launch: &Launch) -> Program {
    let mut program = Program::start(launch).unwrap();
    program.send("ugi\nisready\n", soon()).unwrap();
    assert_eq!(lines_until(&mut program, "readyok", soon()).unwrap().unwrap().len(), 3);
    program
}

/// All lines up to one that begins with this, or `None` at the deadline.
pub fn lines_until(
    program: &mut Program,
    last: &str,
    deadline: Instant,
) -> Result<Option<Vec<String>>, Trouble> {
    let mut lines = Vec::new();
    while let Some(line) = program.read_line(deadline)? {
        lines.push(line.text.into_owned());
        if lines.last().is_some_and(|line| line.starts_with(last)) {
            return Ok(Some(lines));
        }
    }
    Ok(None)
}

/// Asks for a move and returns the answer; earlier lines are discarded.
pub fn asked(program: &mut Program, deadline: Instant) -> Result<Option<String>, Trouble> {
    program.send("go\n", deadline)?;
    while let Some(line) = program.read_line(deadline)? {
        if line.text.starts_with("bestm") {
            return Ok(Some(line.text.into_owned()));
        }
    }
    Ok(None)
}

/// Waits until a condition holds.
pub fn eventually(what: &str, test: impl Fn() -> bool) {
    let deadline = soon();
    while !test() {
        assert!(Instant::now() < deadline, "never happened: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
