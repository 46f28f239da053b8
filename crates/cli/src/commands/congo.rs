//! `agon congo …`: the Congo course's own forms, on standard input and output.

use std::io::{BufRead, StdinLock, Write};

use agon_games::congo::course;
use anyhow::Context;

use crate::args::{CongoCommand, CongoForm};
use crate::failure::bad_input;

/// The most positions one input may announce.
const MOST_POSITIONS: usize = 1_000_000;

/// The longest line that is read.
const LONGEST_LINE: u64 = 64 << 10;

/// Answers one form.
pub(crate) fn run(command: &CongoCommand) -> anyhow::Result<()> {
    let mut input = Lines { lines: std::io::stdin().lock(), number: 0 };
    let mut out = std::io::stdout().lock();
    let CongoForm { no_promotion } = *command.form();
    let promotion = !no_promotion;
    for index in 0..input.count()? {
        let fen = input.next("a position")?;
        match command {
            CongoCommand::Pieces(_) => {
                let blank = if index > 0 { "\n" } else { "" };
                let listed = input.located(course::pieces(&fen, promotion))?;
                writeln!(out, "{blank}{}", listed.trim_end())?;
            }
            CongoCommand::Moves(args) => {
                writeln!(out, "{}", input.located(course::moves(&fen, args.piece, promotion))?)?;
            }
            CongoCommand::Apply(_) => {
                let mv = input.next("a move")?;
                let (after, verdict) = input.located(course::apply(&fen, &mv, promotion))?;
                writeln!(out, "{after}\n{verdict}")?;
            }
        }
    }
    Ok(())
}

/// The input line by line, with line numbers for errors.
struct Lines {
    lines: StdinLock<'static>,
    number: usize,
}

impl Lines {
    /// The first line: how many positions follow.
    fn count(&mut self) -> anyhow::Result<usize> {
        let line = self.next("the number of positions")?;
        let count = line.parse().ok().filter(|count| *count <= MOST_POSITIONS);
        count.ok_or_else(|| {
            bad_input(format!(
                "line 1: expected the number of positions, 0 to {MOST_POSITIONS}, found {line:?}"
            ))
        })
    }

    /// The next line, which must be there.
    fn next(&mut self, what: &str) -> anyhow::Result<String> {
        self.number += 1;
        let mut bytes = Vec::new();
        let mut limited = std::io::Read::take(&mut self.lines, LONGEST_LINE);
        let read = limited.read_until(b'\n', &mut bytes).context("cannot read the input")?;
        if read == 0 {
            return Err(bad_input(format!(
                "line {}: expected {what}, found the end of the input",
                self.number
            )));
        }
        if read as u64 == LONGEST_LINE {
            return Err(bad_input(format!(
                "line {}: longer than {LONGEST_LINE} bytes",
                self.number
            )));
        }
        Ok(String::from_utf8_lossy(&bytes).trim().to_string())
    }

    /// Adds the line number to an error.
    fn located<T>(&self, result: Result<T, agon_core::TextError>) -> anyhow::Result<T> {
        result.with_context(|| format!("line {}", self.number))
    }
}
