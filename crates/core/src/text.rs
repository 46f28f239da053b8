//! Parsing text, with errors that point at the mistake.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use crate::printable::stand_in;

/// A text that could not be read: which game, which kind of text, where, and what was expected.
///
/// Shown, it quotes the text and marks the place:
///
/// ```
/// use agon_core::TextError;
/// let error = TextError::new("congo", "move", "d2d9", 2..4, "a square a1 to g7");
/// assert_eq!(
///     error.to_string(),
///     "congo: bad move: expected a square a1 to g7\n  d2d9\n    ^^"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    game: String,
    kind: &'static str,
    text: String,
    at: Range<usize>,
    expected: String,
}

impl TextError {
    /// An error about the bytes `at` of `text`.
    pub fn new(
        game: &str,
        kind: &'static str,
        text: &str,
        at: Range<usize>,
        expected: impl Into<String>,
    ) -> TextError {
        let end = text.len();
        let at = at.start.min(end)..at.end.clamp(at.start.min(end), end);
        let (game, text) = (game.to_string(), text.to_string());
        TextError { game, kind, text, at, expected: expected.into() }
    }

    /// What was expected there.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// The bytes of the text that are wrong.
    pub fn at(&self) -> Range<usize> {
        self.at.clone()
    }

    /// The quoted text with the marks below it, cut to a readable length around the mistake.
    fn excerpt(&self) -> (String, String) {
        const BEFORE: usize = 60;
        const AFTER: usize = 40;
        let characters: Vec<(usize, char)> = self.text.char_indices().collect();
        let position = |byte: usize| characters.partition_point(|(at, _)| *at < byte);
        let (start, end) = (position(self.at.start), position(self.at.end));
        let from = if start > BEFORE + 3 { start - BEFORE } else { 0 };
        let marked_to = end.max(start + 1).min(start + AFTER);
        let to = characters.len().min(marked_to + AFTER);
        let clean = |(_, c): &(usize, char)| stand_in(*c);
        let mut line: String = if from > 0 { "…".into() } else { String::new() };
        line.extend(characters[from..to].iter().map(clean));
        if to < characters.len() {
            line.push('…');
        }
        let indent = start - from + usize::from(from > 0);
        (line, " ".repeat(indent) + &"^".repeat(marked_to - start))
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, marks) = self.excerpt();
        write!(f, "{}: bad {}: expected {}", self.game, self.kind, self.expected)?;
        write!(f, "\n  {line}\n  {marks}")
    }
}

impl Error for TextError {}

/// Walks over a text and remembers where it is, for parsers whose errors point at a place.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    game: &'a str,
    kind: &'static str,
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`, which is a `kind` ("position", "move") of `game`.
    pub fn new(game: &'a str, kind: &'static str, text: &'a str) -> Reader<'a> {
        Reader { game, kind, text, at: 0 }
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// How many bytes have been read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character, not taken.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes the next character.
    pub fn take(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes the next character if it is `wanted`.
    pub fn take_if(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Takes the characters up to the first that does not fit.
    pub fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// Takes an unsigned decimal number up to `max`.
    pub fn number(&mut self, max: u32, expected: &str) -> Result<u32, TextError> {
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        match digits.parse() {
            Ok(number) if number <= max => Ok(number),
            _ => Err(self.error_since(start, expected)),
        }
    }

    /// Takes blanks (at least one) or says what should have followed them.
    pub fn blanks(&mut self, expected_next: &str) -> Result<(), TextError> {
        if self.take_while(|c| c == ' ').is_empty() {
            return Err(self.error_here(format!("a blank and then {expected_next}")));
        }
        Ok(())
    }

    /// Skips blanks, if there are any, and says whether text follows.
    pub fn more(&mut self) -> bool {
        self.take_while(|c| c == ' ');
        !self.rest().is_empty()
    }

    /// Checks that nothing but blanks is left.
    pub fn end(&mut self) -> Result<(), TextError> {
        if self.more() { Err(self.error_rest("nothing more")) } else { Ok(()) }
    }

    /// An error that marks the next character.
    pub fn error_here(&self, expected: impl Into<String>) -> TextError {
        let len = self.peek().map_or(0, char::len_utf8);
        self.error_at(self.at..self.at + len, expected)
    }

    /// An error that marks everything from byte `start` to here (or the next character, if that
    /// is nothing).
    pub fn error_since(&self, start: usize, expected: impl Into<String>) -> TextError {
        if start == self.at {
            self.error_here(expected)
        } else {
            self.error_at(start..self.at, expected)
        }
    }

    /// An error that marks the rest of the text.
    pub(crate) fn error_rest(&self, expected: impl Into<String>) -> TextError {
        self.error_at(self.at..self.text.len(), expected)
    }

    /// An error that marks the bytes `at`.
    pub fn error_at(&self, at: Range<usize>, expected: impl Into<String>) -> TextError {
        TextError::new(self.game, self.kind, self.text, at, expected)
    }
}

/// Splits a line of moves at blanks, but not inside brackets: a move may be a list with blanks in
/// it.
///
/// ```
/// use agon_core::text::split_moves;
/// assert_eq!(split_moves(" a1a2  b1b2 "), ["a1a2", "b1b2"]);
/// assert_eq!(split_moves("[[1, 2], [3, 4]] [[0,0]]"), ["[[1, 2], [3, 4]]", "[[0,0]]"]);
/// ```
pub fn split_moves(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let outside = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        c.is_whitespace() && depth <= 0
    };
    text.split(outside).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_split_at_blanks_outside_brackets() {
        assert_eq!(split_moves(" a1a2  b1b2\t"), ["a1a2", "b1b2"]);
        assert_eq!(split_moves("[[1, 2], [3, 4]] [0, 0] a"), ["[[1, 2], [3, 4]]", "[0, 0]", "a"]);
    }

    #[test]
    fn a_bracket_too_many_does_not_stop_the_splitting() {
        assert_eq!(split_moves("]] a b\n"), ["]]", "a", "b"]);
    }

    #[test]
    fn a_reader_takes_what_fits_and_stays_before_the_rest() {
        let mut reader = Reader::new("g", "move", "äb12  c ");
        assert_eq!((reader.take(), reader.at(), reader.rest()), (Some('ä'), 2, "b12  c "));
        assert!(reader.take_if('b') && !reader.take_if('b'));
        assert_eq!((reader.number(12, "a number"), reader.peek()), (Ok(12), Some(' ')));
        assert_eq!((reader.blanks("a letter"), reader.peek()), (Ok(()), Some('c')));
        let blank = reader.blanks("a letter").unwrap_err();
        assert_eq!((blank.expected(), blank.at()), ("a blank and then a letter", 7..8));
        assert!(reader.more());
        assert_eq!(reader.end().unwrap_err().at(), 7..9);
        assert_eq!(reader.take(), Some('c'));
        assert!(!reader.more() && reader.rest().is_empty(), "blanks at the end are no text");
        assert_eq!((reader.end(), reader.take(), reader.at()), (Ok(()), None, 9));
        assert_eq!(reader.text(), "äb12  c ");
    }

    #[test]
    fn a_number_has_a_limit_and_digits() {
        let number = |text| Reader::new("g", "move", text).number(12, "1 to 12");
        assert_eq!((number("12"), number("007x")), (Ok(12), Ok(7)));
        assert_eq!(number("13x").unwrap_err().at(), 0..2);
        assert_eq!(number("99999999999999").unwrap_err().at(), 0..14);
        // Nothing was read, so the next character is marked.
        assert_eq!(number("x1").unwrap_err().at(), 0..1);
        assert_eq!(number("").unwrap_err().at(), 0..0);
    }

    #[test]
    fn an_error_marks_what_was_read_or_the_next_character() {
        let reader = Reader { game: "g", kind: "move", text: "abcdef", at: 3 };
        assert_eq!(reader.error_here("x").at(), 3..4);
        assert_eq!(reader.error_since(3, "x").at(), 3..4);
        assert_eq!(reader.error_since(1, "x").at(), 1..3);
        assert_eq!(reader.error_rest("x").at(), 3..6);
    }

    #[test]
    fn marks_the_end_of_a_text_that_stops_too_early() {
        let reader = Reader { game: "g", kind: "move", text: "a1", at: 2 };
        assert_eq!(
            reader.error_here("a square").to_string(),
            "g: bad move: expected a square\n  a1\n    ^"
        );
    }

    #[test]
    fn cuts_long_texts_around_the_place_and_hides_control_characters() {
        let text = format!("{}\u{7}{}", "ä".repeat(500), "b".repeat(500));
        let error = TextError::new("g", "position", &text, 1000..1001, "something else");
        let shown = error.to_string();
        assert!(shown.chars().count() < 300, "{shown}");
        assert!(!shown.contains('\u{7}'));
        let lines: Vec<&str> = shown.lines().collect();
        let mark = lines[2].chars().position(|c| c == '^');
        assert_eq!(mark, lines[1].chars().position(|c| c == '\u{FFFD}'));
    }

    #[test]
    fn a_text_is_only_cut_where_that_makes_it_shorter() {
        let lines = |before: usize, after: usize| {
            let text = format!("{}!{}", "b".repeat(before), "a".repeat(after));
            let shown = TextError::new("g", "move", &text, before..before + 1, "x").to_string();
            let mut lines = shown.lines().skip(1).map(|line| line[2..].to_string());
            (lines.next().unwrap(), lines.next().unwrap())
        };
        let (b, a) = ("b".repeat(63), "a".repeat(40));
        assert_eq!(lines(63, 40), (format!("{b}!{a}"), " ".repeat(63) + "^"));
        assert_eq!(lines(64, 41), (format!("…{}!{a}…", &b[..60]), " ".repeat(61) + "^"));
    }

    #[test]
    fn survives_a_range_inside_a_character() {
        TextError::new("g", "move", "äöü", 1..3, "ascii").to_string();
        TextError::new("g", "move", "äöü", 90..93, "ascii").to_string();
    }
}
