//! Comments between braces: any text, with commands such as `[%eval 0.35,9]` in it.

use agon_core::printable;

use crate::game_text::read_escape;

/// A comment as it is read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Comment<'a> {
    /// What people wrote.
    pub(super) text: String,
    /// The commands, without `[%` and `]`; and where in the comment they are.
    pub(super) commands: Vec<(usize, &'a str)>,
}

/// A text as part of a comment. Blanks between words may become line breaks; all others are escaped, and
/// so is what would end the comment or begin a command.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('}', "\\}").replace("[%", "\\[%");
    let mut escaped = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = characters.next() {
        match c {
            ' ' if last == ' ' || characters.peek().is_none() => escaped.push_str("\\u{20}"),
            c => escaped.push(c),
        }
        last = c;
    }
    printable(&escaped).into_owned()
}

/// Reads what is between the braces.
pub(super) fn read(inside: &str) -> Comment<'_> {
    let mut comment = Comment::default();
    let mut rest = inside;
    let mut blank = false;
    while let Some(c) = rest.chars().next() {
        let at = inside.len() - rest.len();
        if let Some((command, after)) = command(rest) {
            comment.commands.push((at, command));
            (rest, blank) = (after, true);
            continue;
        }
        rest = &rest[c.len_utf8()..];
        if c.is_ascii_whitespace() {
            blank = true;
            continue;
        }
        if blank && !comment.text.is_empty() {
            comment.text.push(' ');
        }
        blank = false;
        let (c, after) = if c == '\\' { unescaped(rest) } else { (c, rest) };
        comment.text.push(c);
        rest = after;
    }
    comment
}

/// `[%eval 0.35]` at the beginning of a text, and what follows it.
fn command(text: &str) -> Option<(&str, &str)> {
    const LONGEST: usize = 100;
    let inside = text.strip_prefix("[%")?;
    let end = inside.bytes().take(LONGEST).position(|byte| byte == b']')?;
    Some((&inside[..end], &inside[end + 1..]))
}

/// The character after a backslash, and what follows; elsewhere a backslash means nothing.
pub(super) fn unescaped(text: &str) -> (char, &str) {
    let plain = || {
        let c = text.chars().next().filter(|c| matches!(c, '\\' | '}' | '[' | '"'))?;
        Some((c, &text[1..]))
    };
    read_escape(text).or_else(plain).unwrap_or(('\\', text))
}
