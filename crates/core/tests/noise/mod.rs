//! Hostile input for the tests of parsers: real texts and files, torn, doubled and mixed.
//!
//! Tests of all crates include this file, not all of them all of it.
#![allow(dead_code)]

use agon_core::Rng;

/// No input is longer than this, in bytes: repetition would make it as long as it likes.
const LONGEST: usize = 20_000;

/// Numbers at the edges of what types and rules can hold.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "255",
    "256",
    "1000",
    "1001",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1e9",
    "1e308",
    "0.0001",
    "nan",
    "inf",
    "٣",
];

/// Pieces of text that parsers stumble over, whatever they parse.
const TOKENS: &[&str] = &[
    " ", "\t", "\n", "\r\n", "\u{0}", "\u{b}", "\u{85}", "\u{2028}", "\u{202e}", "\u{feff}",
    "\u{fffd}", "ä", "漢", "🦁", "e\u{301}", "/", ",", ":", ";", ".", "-", "+", "=", "#", "*",
    "\\", "'", "\"", "\"\"\"", "[", "]", "[[", "]]", "{", "}", "(", ")", "<empty>", "null", "true",
    "none", "a1", "a2a3", "w", "b", "x",
];

/// By how much `AGON_SOAK` multiplies the inputs.
pub fn soak() -> usize {
    std::env::var("AGON_SOAK").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// A source of damaged copies of some texts.
pub struct Texts {
    corpus: Vec<String>,
    tokens: Vec<&'static str>,
    rng: Rng,
}

impl Texts {
    /// Damages these texts, also with the words of their language.
    pub fn new(corpus: Vec<String>, words: &[&'static str], seed: u64) -> Texts {
        assert!(!corpus.is_empty(), "there is nothing to damage");
        Texts { corpus, tokens: [TOKENS, words].concat(), rng: Rng::new(seed) }
    }

    /// For other choices of a test.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.rng
    }

    /// One of the texts as it is.
    pub fn intact(&mut self) -> &str {
        pick_text(&self.corpus, &mut self.rng)
    }

    /// One of the texts with one to three changes.
    pub fn damaged(&mut self) -> String {
        let mut text = self.intact().to_string();
        for _ in 0..=self.rng.below(3) {
            text = self.damage(&text);
        }
        text.truncate(text.floor_char_boundary(LONGEST));
        text
    }

    fn damage(&mut self, text: &str) -> String {
        let rng = &mut self.rng;
        let at = boundary(text, rng);
        let (head, tail) = text.split_at(at);
        let after = &tail[tail.floor_char_boundary(1 + rng.below(4) as usize)..];
        match rng.below(16) {
            0 => [head, pick_text(&self.tokens, rng), tail].concat(),
            1 => [head, pick_text(&self.tokens, rng), after].concat(),
            2 => [head, after].concat(),
            3 => head.to_string(),
            4 => tail.to_string(),
            5 => [head, &head[boundary(head, rng)..], tail].concat(),
            6 => {
                let other = pick_text(&self.corpus, rng);
                [head, &other[boundary(other, rng)..]].concat()
            }
            7 => swapped(text, rng),
            8 => {
                let many = 1usize << rng.below(10);
                let token = pick_text(&self.tokens, rng);
                [head, &token.repeat(many), tail].concat()
            }
            9 => lines(text, rng, |lines, at, _| {
                lines.remove(at);
            }),
            10 => lines(text, rng, |lines, at, rng| {
                let other = rng.below(lines.len() as u64) as usize;
                lines.insert(other, lines[at]);
            }),
            11 => {
                let other: Vec<&str> = pick_text(&self.corpus, rng).lines().collect();
                let line = *rng.choose(&other).unwrap_or(&"");
                lines(text, rng, |lines, at, _| lines.insert(at, line))
            }
            12 | 13 => {
                let other = pick_text(&self.corpus, rng);
                requoted(text, at, other, rng)
            }
            _ => renumbered(text, at, rng),
        }
    }
}

fn pick<'a, T>(from: &'a [T], rng: &mut Rng) -> &'a T {
    rng.choose(from).expect("there is something to choose from")
}

fn pick_text<'a, T: AsRef<str>>(from: &'a [T], rng: &mut Rng) -> &'a str {
    pick(from, rng).as_ref()
}

/// A place in a text between two characters.
fn boundary(text: &str, rng: &mut Rng) -> usize {
    text.floor_char_boundary(rng.below(text.len() as u64 + 1) as usize)
}

/// The text with two characters exchanged.
fn swapped(text: &str, rng: &mut Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let len = characters.len() as u64;
    if len > 1 {
        characters.swap(rng.below(len) as usize, rng.below(len) as usize);
    }
    characters.into_iter().collect()
}

/// The text after a change to its lines, at one of them.
fn lines<'a>(
    text: &'a str,
    rng: &mut Rng,
    change: impl FnOnce(&mut Vec<&'a str>, usize, &mut Rng),
) -> String {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let at = rng.below(lines.len() as u64) as usize;
    change(&mut lines, at, rng);
    lines.join("\n")
}

/// The text with another number in place of the first one after this place.
fn renumbered(text: &str, at: usize, rng: &mut Rng) -> String {
    let digit = |c: char| c.is_ascii_digit();
    let Some(start) = text[at..].find(digit).map(|found| at + found) else {
        return text.to_string();
    };
    let end = text[start..].find(|c| !digit(c)).map_or(text.len(), |length| start + length);
    [&text[..start], pick_text(NUMBERS, rng), &text[end..]].concat()
}

/// The text with something quoted in place of what is quoted after this place.
fn requoted(text: &str, at: usize, other: &str, rng: &mut Rng) -> String {
    let quoted = |text: &str, at: usize| {
        let start = at + text[at..].find('"')? + 1;
        Some(start..start + text[start..].find('"')?)
    };
    match (quoted(text, at), quoted(other, boundary(other, rng))) {
        (Some(old), Some(new)) => [&text[..old.start], &other[new], &text[old.end..]].concat(),
        _ => text.to_string(),
    }
}

/// One of these files with one to four changes.
pub fn damaged_bytes(corpus: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = pick(corpus, rng).clone();
    for _ in 0..=rng.below(4) {
        let other: &Vec<u8> = pick(corpus, rng);
        damage_bytes(&mut bytes, other, rng);
    }
    bytes.truncate(LONGEST.max(corpus.iter().map(Vec::len).max().unwrap_or(0) + 8));
    bytes
}

/// Changes a file in one place. Half of the changes are to its beginning, where the header is.
fn damage_bytes(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    const BEGINNING: u64 = 64;
    let all = bytes.len() as u64 + 1;
    let room = if rng.below(2) == 0 { all.min(BEGINNING) } else { all };
    let at = rng.below(room) as usize;
    match rng.below(9) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, rng.below(256) as u8),
        2 if at < bytes.len() => drop(bytes.remove(at)),
        3 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        4 if at < bytes.len() => bytes[at] = *pick(&[0, 1, 127, 128, 254, 255], rng),
        5 if at + 4 <= bytes.len() => {
            let number = *pick(&[0, 1, 2, u32::MAX, i32::MAX as u32, 1 << 16, 1 << 31], rng);
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        6 => {
            let from = rng.below(other.len() as u64 + 1) as usize;
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
        7 => {
            let part = bytes[at - at.min(8)..at].to_vec();
            bytes.splice(at..at, part);
        }
        _ if at < bytes.len() => bytes[at] = rng.below(256) as u8,
        _ => bytes.push(rng.below(256) as u8),
    }
}
