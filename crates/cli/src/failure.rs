//! What went wrong, as an exit code: 1 if a thing failed, 2 if the question was wrong, 130 if
//! Ctrl-C stopped it.

use std::fmt;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use agon_core::{TextError, printable_lines};
use agon_search::AgentError;
use anyhow::Error;

use crate::draw::palette::ERROR;
use crate::draw::styled;
use crate::interrupt;

/// Bad usage or input that no parser of a game found.
#[derive(Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// A failure that was told already, where it belongs: in the output.
#[derive(Debug)]
pub(crate) struct Told;

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("see above")
    }
}

impl std::error::Error for Told {}

/// An error that says what is wrong with the input.
pub(crate) fn bad_input(message: impl Into<String>) -> Error {
    Error::new(BadInput(message.into()))
}

/// Says what went wrong, if anything did, and gives the exit code for it.
pub(crate) fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    let code = told(result);
    interrupt::exit_code().map_or(code, ExitCode::from)
}

fn told(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    let reader_left = |cause: &io::Error| cause.kind() == ErrorKind::BrokenPipe;
    if error.chain().filter_map(|cause| cause.downcast_ref()).any(reader_left) {
        return ExitCode::SUCCESS;
    }
    if error.is::<Told>() {
        return ExitCode::FAILURE;
    }
    let message = with_causes(&error);
    anstream::eprintln!("{} {}", styled(ERROR, "error:"), printable_lines(&message));
    let is_input = error
        .chain()
        .any(|cause| cause.is::<TextError>() || cause.is::<AgentError>() || cause.is::<BadInput>());
    ExitCode::from(if is_input { 2 } else { 1 })
}

/// An error and its causes in one text. What is told already is not told again, nor with nothing
/// but a code before it.
fn with_causes(error: &Error) -> String {
    let (mut text, mut last) = (String::new(), String::new());
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text.clone_from(&cause);
        } else if !text.contains(&cause) && !cause.ends_with(&last) {
            text = format!("{text}: {cause}");
        }
        last = cause;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_told_once() {
        let cause = io::Error::other("no such drive");
        let error = Error::new(cause).context("cannot write x");
        assert_eq!(with_causes(&error), "cannot write x: no such drive");
        let error = error.context("nothing was saved (cannot write x: no such drive)");
        assert_eq!(with_causes(&error), "nothing was saved (cannot write x: no such drive)");
        let error =
            anyhow::anyhow!("Error code 5: busy").context("busy").context("the store: busy");
        assert_eq!(with_causes(&error), "the store: busy");
    }
}
