//! The words of a game text.

use std::ops::Range;

use agon_core::printable;

use super::super::{AnalysisError, Sign};
use super::comment;
use crate::game_text::{UNKNOWN, read_points, read_tag, read_value};

/// A word of a game text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Variant "congo"]`.
    Tag(String, String),
    /// What is between braces.
    Comment(&'a str),
    /// The beginning of a variation.
    Open,
    /// Its end.
    Close,
    /// A sign by its number: `$1`.
    Sign(Sign),
    /// A move and what is written behind it.
    Move(String, Sign),
    /// The result.
    Result,
}

/// Splits a text into words, each with its place.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

type Found<'a> = Option<(Token<'a>, Range<usize>)>;

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, at: 0 }
    }

    /// The next word; none at the end.
    pub(super) fn next(&mut self) -> Result<Found<'a>, AnalysisError> {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            let begins_line = self.at == 0 || rest[..blanks].contains('\n');
            self.at += blanks;
            let rest = self.rest();
            let start = self.at;
            let Some(first) = rest.chars().next() else { return Ok(None) };
            let token = match first {
                '[' if begins_line && is_tag(rest) => self.tag()?,
                '{' => Token::Comment(self.comment()?),
                '(' => self.taken(1, Token::Open),
                ')' => self.taken(1, Token::Close),
                '}' => return Err(self.expected(1, "{ before }")),
                '"' => self.quoted()?,
                '$' => match self.numbered_sign()? {
                    Some(sign) => Token::Sign(sign),
                    None => continue,
                },
                _ => match self.word()? {
                    Some(token) => token,
                    None => continue,
                },
            };
            return Ok(Some((token, start..self.at)));
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn taken<T>(&mut self, length: usize, token: T) -> T {
        self.at += length;
        token
    }

    fn expected(&self, length: usize, expected: &str) -> AnalysisError {
        AnalysisError::expected(self.text, self.at..self.at + length, expected)
    }

    fn tag(&mut self) -> Result<Token<'a>, AnalysisError> {
        let line = self.rest().lines().next().unwrap_or_default();
        let (name, value) = read_tag(line)
            .ok_or_else(|| self.expected(line.len(), "a tag such as [Start \"…\"]"))?;
        self.at += line.len();
        Ok(Token::Tag(name, value))
    }

    /// A comment to its end, which no backslash precedes.
    fn comment(&mut self) -> Result<&'a str, AnalysisError> {
        let inside = &self.rest()[1..];
        let end = unescaped(inside, '}');
        let end = end.ok_or_else(|| self.expected(1, "a comment that ends with }"))?;
        self.at += end + 2;
        Ok(&inside[..end])
    }

    /// A move between quotes, for those that would look like something else.
    fn quoted(&mut self) -> Result<Token<'a>, AnalysisError> {
        let inside = &self.rest()[1..];
        let text = unescaped(inside, '"').and_then(|end| Some((end, read_value(&inside[..end])?)));
        let (end, mv) = text.ok_or_else(|| self.expected(1, "a move that ends with \""))?;
        self.at += end + 2;
        let signs = self.rest().find(|c| !matches!(c, '!' | '?')).unwrap_or(self.rest().len());
        let sign = self.sign(self.at..self.at + signs)?;
        self.at += signs;
        Ok(Token::Move(mv, sign))
    }

    /// `$1` to `$6` are signs; PGN has more numbers, which mean nothing here.
    fn numbered_sign(&mut self) -> Result<Option<Sign>, AnalysisError> {
        let inside = &self.rest()[1..];
        let digits = inside.find(|c: char| !c.is_ascii_digit()).unwrap_or(inside.len());
        let number = inside[..digits].parse::<u8>();
        let number = number.map_err(|_| self.expected(1 + digits, "$ and a number up to 255"))?;
        self.at += 1 + digits;
        Ok(usize::from(number).checked_sub(1).and_then(|at| Sign::ALL.get(at).copied()))
    }

    /// A move, or the result; not the number of a move.
    fn word(&mut self) -> Result<Option<Token<'a>>, AnalysisError> {
        let word = &self.rest()[..word_length(self.rest())];
        if is_result(word) {
            return Ok(Some(self.taken(word.len(), Token::Result)));
        }
        let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
        let dots = word[digits..].find(|c| c != '.').unwrap_or(word.len() - digits);
        if dots > 0 {
            self.at += digits + dots;
            return Ok(None);
        }
        let mv = word.trim_end_matches(['!', '?']);
        if mv.is_empty() {
            return Err(self.expected(word.len(), "a move before its sign"));
        }
        let sign = self.sign(self.at + mv.len()..self.at + word.len())?;
        Ok(Some(self.taken(word.len(), Token::Move(mv.to_string(), sign))))
    }

    fn sign(&self, at: Range<usize>) -> Result<Sign, AnalysisError> {
        let text = &self.text[at.clone()];
        if text.is_empty() {
            return Ok(Sign::None);
        }
        let sign = Sign::read(text);
        sign.ok_or_else(|| AnalysisError::expected(self.text, at, "!, ?, !!, ??, !? or ?!"))
    }
}

/// Tags begin their lines; moves in brackets do not begin with letters.
fn is_tag(text: &str) -> bool {
    text[1..].starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Where this character first is without a backslash before it.
fn unescaped(text: &str, wanted: char) -> Option<usize> {
    let mut rest = text;
    loop {
        let at = rest.find([wanted, '\\'])?;
        if rest[at..].starts_with(wanted) {
            return Some(text.len() - rest.len() + at);
        }
        (_, rest) = comment::unescaped(&rest[at + 1..]);
    }
}

/// Words end at blanks, braces and parentheses, except in brackets: a move may be a list.
fn word_length(text: &str) -> usize {
    let mut depth = 0_i32;
    let ends = |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        depth <= 0 && (c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')'))
    };
    text.find(ends).unwrap_or(text.len())
}

fn is_result(word: &str) -> bool {
    let is_points = || word.contains('-') && read_points(word).is_some();
    [UNKNOWN, "1/2-1/2"].contains(&word) || is_points()
}

/// A move as a word, in quotes if it would be read as something else.
pub(super) fn word(mv: &str) -> String {
    let mut lexer = Lexer::new(mv);
    let alone = Some((Token::Move(mv.to_string(), Sign::None), 0..mv.len()));
    let is_plain = lexer.next() == Ok(alone) && !mv.contains(char::is_whitespace);
    if is_plain {
        return mv.to_string();
    }
    let escaped = mv.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", printable(&escaped))
}
