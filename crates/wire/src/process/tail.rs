//! The last lines sent to and printed by a program, for the record.

use std::collections::VecDeque;
use std::fmt;

/// How many printed lines are kept.
const LINES: usize = 8;
/// How many sent lines are kept: a position, a request, and a `stop`.
const SENT: usize = 4;
const CHARACTERS: usize = 200;

/// Enough bytes for that many characters of any kind, and one more to see that it was cut.
const BYTES: usize = 4 * CHARACTERS + 1;

/// The direction of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// To its standard input.
    Input,
    /// Its standard output.
    Output,
    /// Its standard error.
    Errors,
}

/// A line that a program printed or was sent, cut and safe to print: control characters are
/// escaped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// Its direction.
    pub stream: Stream,
    /// The line, or its beginning with `…`.
    pub text: String,
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.stream {
            Stream::Input => "sent",
            Stream::Output => "out",
            Stream::Errors => "err",
        };
        write!(f, "{mark}: {}", self.text)
    }
}

/// The last lines of all streams in the order in which they were read. Buffers are reused, so in
/// the long run it allocates nothing.
pub(super) struct Tail {
    ring: [(Stream, Vec<u8>); LINES],
    /// The index of the oldest line, which is replaced next.
    oldest: usize,
    /// How many lines are filled.
    used: usize,
    /// An incomplete line of the standard error.
    unfinished: Vec<u8>,
    /// How many lines it has printed in all.
    written: u64,
    /// The last lines sent, each with the number of lines printed before it. However much is
    /// printed after a request, the request is kept.
    sent: VecDeque<(u64, Vec<u8>)>,
}

impl Tail {
    pub fn new() -> Tail {
        let ring = std::array::from_fn(|_| (Stream::Output, Vec::new()));
        let sent = VecDeque::with_capacity(SENT);
        Tail { ring, oldest: 0, used: 0, unfinished: Vec::new(), written: 0, sent }
    }

    /// Adds what was sent: complete lines.
    pub fn sent(&mut self, text: &str) {
        for line in text.lines() {
            let full = self.sent.len() == SENT;
            let (_, mut room) = full.then(|| self.sent.pop_front()).flatten().unwrap_or_default();
            room.clear();
            room.extend_from_slice(&line.as_bytes()[..line.len().min(BYTES)]);
            self.sent.push_back((self.written, room));
        }
    }

    /// Adds a complete line.
    pub fn line(&mut self, stream: Stream, line: &[u8]) {
        let (place, text) = &mut self.ring[self.oldest];
        *place = stream;
        text.clear();
        text.extend_from_slice(&line[..line.len().min(BYTES)]);
        self.oldest = (self.oldest + 1) % LINES;
        self.used = (self.used + 1).min(LINES);
        self.written += 1;
    }

    /// Adds a piece of the standard error, which may begin and end anywhere in a line.
    pub fn errors(&mut self, bytes: &[u8]) {
        let mut pieces = bytes.split(|&byte| byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            let free = BYTES.saturating_sub(self.unfinished.len());
            self.unfinished.extend_from_slice(&piece[..piece.len().min(free)]);
            if pieces.peek().is_some() {
                self.finish_errors();
            }
        }
    }

    /// Ends an incomplete line, when no more is to come.
    pub(crate) fn finish_errors(&mut self) {
        let line = std::mem::take(&mut self.unfinished);
        if !line.is_empty() {
            self.line(Stream::Errors, &line);
        }
        self.unfinished = line;
        self.unfinished.clear();
    }

    /// The lines, the oldest first, with incomplete ones last. `output` is the beginning of the
    /// next line of the standard output.
    pub fn lines(&self, output: &[u8]) -> Vec<Said> {
        let first = self.oldest + LINES - self.used;
        let whole = (first..first + self.used).map(|at| &self.ring[at % LINES]);
        let whole = whole.map(|(stream, bytes)| (*stream, bytes.as_slice()));
        let begun = [(Stream::Errors, self.unfinished.as_slice()), (Stream::Output, output)];
        let begun = begun.into_iter().filter(|(_, bytes)| !bytes.is_empty());
        let numbered = (self.written - self.used as u64..).zip(whole.chain(begun));
        let mut written: Vec<_> = numbered.collect();
        written.drain(..written.len().saturating_sub(LINES));
        // A line that was sent after n others goes before the one with the number n.
        let sent = self.sent.iter().map(|(before, bytes)| (*before, (Stream::Input, &bytes[..])));
        let mut all: Vec<_> = sent.chain(written).collect();
        all.sort_by_key(|(number, _)| *number);
        let said = all.into_iter().map(|(_, (stream, bytes))| (stream, printable(bytes)));
        said.map(|(stream, text)| Said { stream, text }).collect()
    }
}

/// A line without terminal control characters.
fn printable(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.strip_suffix('\r').unwrap_or(&text);
    let mut characters = text.chars();
    let begun: String = characters.by_ref().take(CHARACTERS).collect();
    let more = if characters.next().is_some() { "…" } else { "" };
    format!("{}{more}", agon_core::printable(&begun))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(tail: &Tail) -> Vec<String> {
        tail.lines(b"").iter().map(Said::to_string).collect()
    }

    #[test]
    fn only_the_last_lines_stay_in_their_order() {
        let mut tail = Tail::new();
        tail.line(Stream::Output, b"first");
        assert_eq!(texts(&tail), ["out: first"]);
        for number in 0..20 {
            tail.line(Stream::Output, format!("line {number}").as_bytes());
        }
        tail.errors(b"oh\nno\n");
        let lines = texts(&tail);
        assert_eq!(lines.len(), LINES);
        assert_eq!((lines[0].as_str(), lines[7].as_str()), ("out: line 14", "err: no"));
    }

    #[test]
    fn what_was_sent_stands_where_it_was_sent_and_is_never_pushed_out() {
        let mut tail = Tail::new();
        tail.sent("ugi\n");
        tail.line(Stream::Output, b"ugiok");
        tail.sent("position startpos\ngo depth 3\n");
        tail.line(Stream::Output, b"info depth 1");
        tail.sent("stop\n");
        let wanted = [
            "sent: ugi",
            "out: ugiok",
            "sent: position startpos",
            "sent: go depth 3",
            "out: info depth 1",
            "sent: stop",
        ];
        assert_eq!(texts(&tail), wanted);
        (0..100).for_each(|_| tail.line(Stream::Output, b"info"));
        let lines = texts(&tail);
        assert_eq!(lines[..SENT], ["sent: ugi", wanted[2], wanted[3], "sent: stop"]);
        assert_eq!(lines[SENT..], ["out: info"; LINES]);
        tail.sent("quit\n");
        assert_eq!(texts(&tail).last().unwrap(), "sent: quit");
        assert!(!texts(&tail).contains(&"sent: ugi".to_string()));
    }

    #[test]
    fn errors_in_pieces_are_put_together() {
        let mut tail = Tail::new();
        for piece in ["thread 'ma", "in' panic", "ked\nnote: ", "run"] {
            tail.errors(piece.as_bytes());
        }
        let told = ["err: thread 'main' panicked", "err: note: run"];
        assert_eq!(texts(&tail), told);
        tail.finish_errors();
        tail.finish_errors();
        assert_eq!(texts(&tail), told);
    }

    #[test]
    fn lines_without_end_are_told_and_do_not_make_them_more() {
        let mut tail = Tail::new();
        (0..LINES).for_each(|_| tail.line(Stream::Output, b"whole"));
        tail.errors(b"password: ");
        let lines: Vec<String> = tail.lines(b"bestm").iter().map(Said::to_string).collect();
        assert_eq!(lines.len(), LINES);
        assert_eq!(lines[LINES - 3..], ["out: whole", "err: password: ", "out: bestm"]);
    }

    #[test]
    fn long_and_wild_lines_are_cut_and_escaped() {
        let mut tail = Tail::new();
        tail.line(Stream::Output, "ä".repeat(100_000).as_bytes());
        tail.line(Stream::Output, "ä".repeat(CHARACTERS).as_bytes());
        tail.line(Stream::Errors, b"\x1b[2Jgone\xff\r");
        let lines = tail.lines(b"");
        assert_eq!(lines[0].text, format!("{}…", "ä".repeat(CHARACTERS)));
        assert_eq!(lines[1].text, "ä".repeat(CHARACTERS));
        assert_eq!(lines[2].text, "\\u{1b}[2Jgone\u{fffd}");
        tail.errors(&[b'x'; 100_000]);
        assert!(tail.unfinished.len() <= BYTES);
    }
}
