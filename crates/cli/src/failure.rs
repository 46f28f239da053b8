//! Errors and exit codes: 1 for a failure, 2 for bad usage or input, 130 after Ctrl-C.

use std::fmt;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use agon_core::{TextError, printable_lines};
use agon_search::AgentError;
use anyhow::Error;

use crate::draw::palette::ERROR;
use crate::draw::styled;
use crate::interrupt;

/// Bad usage or input, other than the errors of parsers.
#[derive(Debug)]
pub(crate) struct BadInput(pub(crate) String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// A failure that the command has already reported in its output.
#[derive(Debug)]
pub(crate) struct AlreadyReported;

impl fmt::Display for AlreadyReported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("see above")
    }
}

impl std::error::Error for AlreadyReported {}

/// An error about the input, with this message.
pub(crate) fn bad_input(message: impl Into<String>) -> Error {
    Error::new(BadInput(message.into()))
}

/// Prints the error, if there is one, and returns the exit code.
pub(crate) fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    let code = report(result);
    interrupt::exit_code().map_or(code, ExitCode::from)
}

fn report(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    let broken_pipe = |cause: &io::Error| cause.kind() == ErrorKind::BrokenPipe;
    if error.chain().filter_map(|cause| cause.downcast_ref()).any(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    if error.is::<AlreadyReported>() {
        return ExitCode::FAILURE;
    }
    let message = with_causes(&error);
    anstream::eprintln!("{} {}", styled(ERROR, "error:"), printable_lines(&message));
    let is_input = error
        .chain()
        .any(|cause| cause.is::<TextError>() || cause.is::<AgentError>() || cause.is::<BadInput>());
    ExitCode::from(if is_input { 2 } else { 1 })
}

/// An error and its causes in one text. A cause whose text is already there is not repeated, nor
/// one that only adds an error code in front of it.
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
    fn every_cause_is_reported_once() {
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
