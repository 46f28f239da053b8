//! Splits a stream into lines, with a limit on how much is buffered.

use std::borrow::Cow;
use std::ops::Range;

/// The initial capacity. It grows with the lines, up to the longest that is allowed.
const FIRST_ROOM: usize = 8 * 1024;

/// A buffer of bytes not yet returned: never more than the longest line and its end.
pub(super) struct Inbox {
    bytes: Vec<u8>,
    /// The first byte that was not returned.
    from: usize,
    /// Up to here there is no line end.
    searched: usize,
    /// The end of the bytes read.
    to: usize,
    longest: usize,
}

/// The next item of an [`Inbox`].
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// A line, without its end.
    Line(Range<usize>),
    /// No complete line yet.
    Nothing,
    /// A line that is longer than allowed, whether or not its end was seen.
    TooLong,
}

impl Inbox {
    /// An empty buffer for lines of at most `longest` bytes.
    pub fn new(longest: usize) -> Inbox {
        // A line at the limit may end with two bytes.
        let most = longest.saturating_add(2);
        Inbox { bytes: vec![0; FIRST_ROOM.min(most)], from: 0, searched: 0, to: 0, longest }
    }

    /// Takes the next line. Its bytes stay in place until more is read.
    pub fn next(&mut self) -> Next {
        let unsearched = &self.bytes[self.searched..self.to];
        let Some(length) = unsearched.iter().position(|&byte| byte == b'\n') else {
            self.searched = self.to;
            // One byte over the limit may be the first half of the line end.
            return match self.is_full() {
                true => Next::TooLong,
                false => Next::Nothing,
            };
        };
        let end = self.searched + length;
        let mut line = self.from..end;
        self.from = end + 1;
        self.searched = self.from;
        if self.bytes[line.clone()].last() == Some(&b'\r') {
            line.end -= 1;
        }
        match line.len() > self.longest {
            true => Next::TooLong,
            false => Next::Line(line),
        }
    }

    /// Whether there is a line that is longer than allowed, and no room for more.
    pub fn is_full(&self) -> bool {
        self.to - self.from > self.longest.saturating_add(1)
    }

    /// Where the next bytes go: at least one, as long as [`Inbox::next`] returned `Nothing`.
    pub fn room(&mut self) -> &mut [u8] {
        if self.from == self.to {
            (self.from, self.searched, self.to) = (0, 0, 0);
        }
        if self.to == self.bytes.len() {
            self.make_room();
        }
        &mut self.bytes[self.to..]
    }

    /// Moves the contents to the front, and grows if that would not be enough for long.
    fn make_room(&mut self) {
        self.bytes.copy_within(self.from..self.to, 0);
        self.searched -= self.from;
        self.to -= self.from;
        self.from = 0;
        if self.to > self.bytes.len() / 2 {
            let most = self.longest.saturating_add(2);
            self.bytes.resize(self.bytes.len().saturating_mul(2).min(most), 0);
        }
    }

    /// Reports how many bytes were put into the room.
    pub fn filled(&mut self, count: usize) {
        self.to = (self.to + count).min(self.bytes.len());
    }

    /// The bytes of a line that [`Inbox::next`] just returned.
    pub fn bytes(&self, line: Range<usize>) -> &[u8] {
        &self.bytes[line]
    }

    /// A line as text; invalid UTF-8 is replaced.
    pub fn text(&self, line: Range<usize>) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes[line])
    }

    /// The beginning of an incomplete line.
    pub fn rest(&self) -> &[u8] {
        let unread = &self.bytes[self.from..self.to];
        let end = unread.iter().rposition(|&byte| byte == b'\n');
        &unread[end.map_or(0, |end| end + 1)..]
    }
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds the text in pieces and collects what comes out.
    pub(super) fn lines(text: &[u8], piece: usize, longest: usize) -> (Vec<String>, Next) {
        let mut inbox = Inbox::new(longest);
        let mut found = Vec::new();
        let mut rest = text;
        loop {
            match inbox.next() {
                Next::Line(line) => found.push(inbox.text(line).into_owned()),
                Next::Nothing if !rest.is_empty() => {
                    let room = inbox.room();
                    let count = piece.min(room.len()).min(rest.len());
                    assert!(count > 0, "no room for {rest:?}");
                    room[..count].copy_from_slice(&rest[..count]);
                    inbox.filled(count);
                    rest = &rest[count..];
                }
                last => return (found, last),
            }
        }
    }

    #[test]
    fn lines_come_out_whole_however_they_came_in() {
        let text = "one\r\ntwo\n\n\rfour\r\nhalf".as_bytes();
        for piece in 1..=text.len() {
            let (found, last) = lines(text, piece, 100);
            assert_eq!(found, ["one", "two", "", "\rfour"], "pieces of {piece}");
            assert_eq!(last, Next::Nothing);
        }
    }

    #[test]
    fn the_longest_line_is_read_and_one_byte_more_is_not() {
        for piece in [1, 7, 4096] {
            for end in ["\n", "\r\n"] {
                for length in [10, FIRST_ROOM, 3 * FIRST_ROOM + 1] {
                    let line = "x".repeat(length);
                    let text = format!("{line}{end}{line}{end}");
                    let (found, last) = lines(text.as_bytes(), piece, length);
                    assert_eq!((found.len(), last), (2, Next::Nothing), "{length} by {piece}");
                    let (found, last) = lines(text.as_bytes(), piece, length - 1);
                    assert_eq!((found.len(), last), (0, Next::TooLong), "{length} by {piece}");
                }
            }
        }
    }

    #[test]
    fn a_line_without_end_never_takes_more_than_the_limit() {
        let mut inbox = Inbox::new(100_000);
        while inbox.next() == Next::Nothing {
            let count = inbox.room().len();
            inbox.filled(count);
        }
        assert!(inbox.bytes.len() <= 100_002);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(lines(b"a\xffb\n", 9, 9).0, ["a\u{fffd}b"]);
    }
}
