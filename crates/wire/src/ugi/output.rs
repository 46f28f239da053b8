//! Lines to the client, from two threads.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use super::lines::EngineLine;

/// Where the lines go, each written whole and at once.
pub(super) struct Output<W>(Mutex<Lines<W>>);

struct Lines<W> {
    target: W,
    text: String,
}

impl<W: Write> Output<W> {
    pub(super) fn new(target: W) -> Output<W> {
        Output(Mutex::new(Lines { target, text: String::new() }))
    }

    /// Writes a line and flushes it.
    pub(super) fn say(&self, line: &EngineLine) -> io::Result<()> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Lines { target, text } = &mut *lines;
        text.clear();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{line}");
        target.write_all(text.as_bytes())?;
        target.flush()
    }
}
