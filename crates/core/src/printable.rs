//! Texts from outside, made safe to show.
//!
//! Names of files and agents and what programs say can hold anything: escape sequences that clear
//! a terminal, line breaks that fake a row of a table, marks that turn the direction of writing.
//! Whatever prints such texts goes through here.

use std::borrow::Cow;

/// A text on one line in which nothing steers a terminal: control characters and line breaks are
/// written as escapes.
///
/// ```
/// use agon_core::printable;
/// assert_eq!(printable("evil\u{1b}[2J\n"), "evil\\u{1b}[2J\\n");
/// assert_eq!(printable("Füchse & Gänse"), "Füchse & Gänse");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_unprintable)
}

/// The same for texts of several lines: line breaks stay.
///
/// ```
/// assert_eq!(agon_core::printable_lines("one\r\ntwo"), "one\\r\ntwo");
/// ```
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c != '\n' && is_unprintable(c))
}

/// A character that is as wide as the one it stands for, for lines with marks below them.
///
/// ```
/// assert_eq!("a\tb\u{1b}c".chars().map(agon_core::printable::stand_in).collect::<String>(), "a b\u{FFFD}c");
/// ```
pub fn stand_in(c: char) -> char {
    match c {
        '\t' => ' ',
        c if is_unprintable(c) => '\u{FFFD}',
        c => c,
    }
}

fn escaped(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_bad) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_bad(c) { escaped.extend(c.escape_default()) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

/// Control characters, line and paragraph separators, and marks of the direction of writing.
fn is_unprintable(c: char) -> bool {
    let is_separator = matches!(c, '\u{2028}' | '\u{2029}');
    let is_direction = matches!(
        c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    );
    c.is_control() || is_separator || is_direction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_steers_a_terminal_is_left() {
        let every = (0..0x3000).filter_map(char::from_u32).collect::<String>();
        let (line, lines) = (printable(&every), printable_lines(&every));
        assert!(!line.contains(is_unprintable), "{line:?}");
        assert!(!lines.contains(|c| c != '\n' && is_unprintable(c)), "{lines:?}");
        assert_eq!(lines.matches('\n').count(), 1);
        // In one byte, as some terminals understand it, and in Unicode.
        assert_eq!(printable("\u{9b}2J\u{7f}\u{202e}"), "\\u{9b}2J\\u{7f}\\u{202e}");
    }

    #[test]
    fn what_is_harmless_is_not_touched() {
        assert!(matches!(printable("ugi:./my engine, Größe 3 · \\n"), Cow::Borrowed(_)));
    }
}
