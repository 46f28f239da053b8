//! Lines from outside, none of which may fill the memory.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// A line of the input, without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line<'a> {
    /// Its text; invalid UTF-8 is replaced.
    Text(Cow<'a, str>),
    /// It had more than [`LONGEST_LINE`] bytes, which were discarded.
    TooLong,
}

/// Reads lines without keeping more of them than allowed.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    input: R,
    buffer: Vec<u8>,
}

impl<R: BufRead> LineReader<R> {
    /// A reader at the start of the input.
    pub fn new(input: R) -> LineReader<R> {
        LineReader { input, buffer: Vec::new() }
    }

    /// The next line; `None` at the end of the input.
    pub fn line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        let most = LONGEST_LINE as u64 + 1;
        let mut limited = Read::take(&mut self.input, most);
        if limited.read_until(b'\n', &mut self.buffer)? == 0 {
            return Ok(None);
        }
        if self.buffer.ends_with(b"\n") {
            self.buffer.pop();
        } else if self.buffer.len() > LONGEST_LINE {
            self.input.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong));
        }
        // Checking first is several times faster than replacing what needs no replacement.
        let text = match std::str::from_utf8(&self.buffer) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(&self.buffer),
        };
        Ok(Some(Line::Text(text)))
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_end_with_a_newline_or_with_the_input() {
        let mut reader = LineReader::new(&b"one\n\ntwo\r\nthree"[..]);
        let mut lines = Vec::new();
        while let Some(Line::Text(text)) = reader.line().unwrap() {
            lines.push(text.to_string());
        }
        assert_eq!(lines, ["one", "", "two\r", "three"]);
    }

    #[test]
    fn a_line_without_end_is_refused_and_not_kept() {
        let endless = io::repeat(b'x').take(50 << 20).chain(&b"\nnext\n"[..]);
        let mut reader = LineReader::new(BufReader::new(endless));
        assert_eq!(reader.line().unwrap(), Some(Line::TooLong));
        assert!(reader.buffer.capacity() <= 2 * LONGEST_LINE, "{}", reader.buffer.capacity());
        assert_eq!(reader.line().unwrap(), Some(Line::Text("next".into())));
        assert_eq!(reader.line().unwrap(), None);
    }

    #[test]
    fn the_longest_line_is_read() {
        let text = "y".repeat(LONGEST_LINE);
        let mut reader = LineReader::new(text.as_bytes());
        assert_eq!(reader.line().unwrap(), Some(Line::Text(text.as_str().into())));
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        let mut reader = LineReader::new(&b"a\xffb\n"[..]);
        assert_eq!(reader.line().unwrap(), Some(Line::Text("a\u{FFFD}b".into())));
    }
}
