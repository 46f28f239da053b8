//! Evaluations that are weighted sums, with weights that can be fitted.
//!
//! A game defines the terms of its evaluation once, as counts of features passed to a [`Tally`].
//! One tally multiplies them by the weights and sums up: that is the evaluation. Another records
//! them: that is what `agon tune` fits new weights to. The weights live in a small text file in the
//! game's folder and are read at compile time. Others can be read while the program runs, to try them.

use std::borrow::Cow;

use crate::evaluate::EVALUATION_LIMIT;
use crate::game::Game;
use crate::model::{Model, Step};
use crate::nearest::nearest;
use crate::seat::Seat;

/// Receives the features of a position.
pub trait Tally {
    /// Feature number `feature` occurs `count` times for the first seat, or `-count` times for the
    /// second.
    fn add(&mut self, feature: usize, count: i32);
}

/// Adds up features by their weights.
#[derive(Clone, Debug)]
pub struct Weighted<'w, const N: usize> {
    weights: &'w [i32; N],
    sum: i32,
}

impl<'w, const N: usize> Weighted<'w, N> {
    /// Nothing yet.
    #[inline]
    pub const fn new(weights: &'w [i32; N]) -> Self {
        Weighted { weights, sum: 0 }
    }

    /// The sum so far.
    #[inline]
    pub fn sum(&self) -> i32 {
        self.sum
    }
}

impl<const N: usize> Tally for Weighted<'_, N> {
    #[inline(always)]
    fn add(&mut self, feature: usize, count: i32) {
        self.sum += self.weights[feature] * count;
    }
}

/// Records features.
#[derive(Clone, Debug, Default)]
pub struct Features(pub Vec<i32>);

impl Tally for Features {
    fn add(&mut self, feature: usize, count: i32) {
        if self.0.len() <= feature {
            self.0.resize(feature + 1, 0);
        }
        self.0[feature] += count;
    }
}

/// The weights of a [`Model`]: those that are part of the program, or others.
#[derive(Clone, Debug)]
pub struct Weights<const N: usize>(Cow<'static, [i32; N]>);

impl<const N: usize> Weights<N> {
    /// Those of the program, unless others are given, one for each feature.
    pub fn new(built_in: &'static [i32; N], others: Option<&[i32]>) -> Self {
        let others = others.and_then(|others| others.try_into().ok());
        Weights(others.map_or(Cow::Borrowed(built_in), Cow::Owned))
    }

    /// What is tallied by these weights.
    #[inline(always)]
    pub fn sum(&self, tally: impl FnOnce(&mut Weighted<'_, N>)) -> i32 {
        let mut sum = Weighted::new(&self.0);
        tally(&mut sum);
        sum.sum
    }

    /// The same plus what was kept, from a seat's point of view: the value of a position.
    #[inline(always)]
    pub fn judge(&self, kept: i32, seat: Seat, tally: impl FnOnce(&mut Weighted<'_, N>)) -> i32 {
        // Nobody knows what weights from outside add up to.
        let value = (kept + self.sum(tally)).clamp(1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1);
        if seat == Seat::FIRST { value } else { -value }
    }
}

/// The evaluation `tuned` with other weights than those of the program, for games in which it keeps
/// nothing.
#[derive(Clone, Debug)]
pub struct Reweighted<const N: usize>(Weights<N>);

impl<const N: usize> Reweighted<N> {
    /// With these weights, one for each feature.
    pub fn new(weights: &[i32]) -> Option<Self> {
        let weights = weights.try_into().ok()?;
        Some(Reweighted(Weights(Cow::Owned(weights))))
    }
}

impl<G: Tunable, const N: usize> Model<G> for Reweighted<N> {
    type State = ();

    fn judge(&self, position: &G, seat: Seat) -> i32 {
        self.0.judge(0, seat, |sum| position.tally(sum))
    }

    fn judge_kept(&self, position: &G, seat: Seat, _: &mut [()]) -> i32 {
        self.judge(position, seat)
    }

    fn refresh(&self, _: &G, _: &mut ()) {}

    fn advance(&self, _: Step<'_, G>, _: &(), _: &mut ()) {}
}

/// Games with an evaluation `tuned`.
pub trait Tunable: Game {
    /// The names of the features, in the order of their numbers; none if there is nothing to tune.
    const FEATURES: &'static [&'static str] = &[];

    /// The weights in use, one for each feature.
    const WEIGHTS: &'static [i32] = &[];

    /// Hands every feature of the position to the tally.
    fn tally<T: Tally>(&self, tally: &mut T) {
        let _ = tally;
    }
}

/// Reads weights from a text with a line `name value` for each feature, in order; lines that begin
/// with `#` and empty ones are skipped. For use in constants: a bad file does not compile.
///
/// ```
/// use agon_core::tuning::read_weights;
/// const NAMES: [&str; 2] = ["pawn", "tempo"];
/// const WEIGHTS: [i32; 2] = read_weights("# fitted\npawn 100\ntempo -7\n", &NAMES);
/// assert_eq!(WEIGHTS, [100, -7]);
/// ```
///
/// # Panics
/// If the text is not as described.
pub const fn read_weights<const N: usize>(text: &str, names: &[&str; N]) -> [i32; N] {
    let text = text.as_bytes();
    let mut weights = [0; N];
    let (mut at, mut read) = (0, 0);
    while at < text.len() {
        if text[at] == b'#' {
            while at < text.len() && text[at] != b'\n' {
                at += 1;
            }
        } else if text[at] == b'\n' || text[at] == b'\r' {
            at += 1;
        } else {
            assert!(read < N, "more weights than features");
            at = skip_name(text, at, names[read].as_bytes());
            (weights[read], at) = read_number(text, at);
            read += 1;
        }
    }
    assert!(read == N, "fewer weights than features");
    weights
}

/// The offset after a name and the blanks that follow it.
const fn skip_name(text: &[u8], mut at: usize, name: &[u8]) -> usize {
    let mut index = 0;
    while index < name.len() {
        assert!(at < text.len() && text[at] == name[index], "a feature out of order");
        (at, index) = (at + 1, index + 1);
    }
    assert!(at < text.len() && text[at] == b' ', "a blank between name and weight is missing");
    while at < text.len() && text[at] == b' ' {
        at += 1;
    }
    at
}

/// A number and the offset after it.
const fn read_number(text: &[u8], mut at: usize) -> (i32, usize) {
    let is_negative = at < text.len() && text[at] == b'-';
    if is_negative {
        at += 1;
    }
    assert!(at < text.len() && text[at].is_ascii_digit(), "a weight is a whole number");
    let mut number = 0;
    while at < text.len() && text[at].is_ascii_digit() {
        number = number * 10 + (text[at] - b'0') as i32;
        at += 1;
    }
    (if is_negative { -number } else { number }, at)
}

/// No weight that is fitted, or read while the program runs, is further from zero. The largest counts, on
/// the largest boards full of pieces, add up to less than 30,000, so sums do not overflow.
pub const LARGEST_WEIGHT: i32 = 30_000;

/// Why a text is no list of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadWeights {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it, and what would be right.
    pub problem: String,
}

/// Reads weights like [`read_weights`], while the program runs: any text gives weights or an error that
/// says what would be right.
///
/// ```
/// use agon_core::tuning::parse_weights;
/// let names = ["pawn", "tempo"];
/// assert_eq!(parse_weights("# fitted\npawn 100\ntempo -7\n", &names), Ok(vec![100, -7]));
/// let bad = parse_weights("pawn 100\ntemp -7\n", &names).unwrap_err();
/// assert_eq!(bad.line, 2);
/// assert_eq!(bad.problem, "expected the weight of tempo, found \"temp\"; did you mean tempo?");
/// ```
pub fn parse_weights(text: &str, names: &[&str]) -> Result<Vec<i32>, BadWeights> {
    let mut weights = Vec::with_capacity(names.len());
    for (index, line) in text.lines().enumerate() {
        if !line.is_empty() && !line.starts_with('#') {
            let bad = |problem: String| BadWeights { line: index + 1, problem };
            let read = parse_line(line, names.get(weights.len()).copied(), names);
            weights.push(read.map_err(bad)?);
        }
    }
    match names.get(weights.len()) {
        None => Ok(weights),
        Some(next) => {
            let (read, all) = (weights.len(), names.len());
            let problem = format!(
                "expected the weight of {next}, found the end of the file; it has {read} of {all} weights"
            );
            Err(BadWeights { line: text.lines().count() + 1, problem })
        }
    }
}

/// The weight on a line, which is to be that of the feature `next`.
fn parse_line(line: &str, next: Option<&str>, names: &[&str]) -> Result<i32, String> {
    let mut words = line.split_ascii_whitespace();
    let (name, value, rest) = (words.next().unwrap_or(""), words.next(), words.next());
    let Some(next) = next else {
        let all = names.len();
        return Err(format!("expected no more than {all} weights, found {:?}", shortened(line)));
    };
    if name != next {
        let found = format!("expected the weight of {next}, found {:?}", shortened(name));
        return Err(match names.contains(&name) {
            true => format!("{found}; weights come in the order of the features"),
            false => match nearest(name, names) {
                Some(meant) => format!("{found}; did you mean {meant}?"),
                None => found,
            },
        });
    }
    let number = value.filter(|_| rest.is_none()).and_then(|value| value.parse().ok());
    number.filter(|number| (-LARGEST_WEIGHT..=LARGEST_WEIGHT).contains(number)).ok_or_else(|| {
        format!(
            "expected {next} with a whole number from -{LARGEST_WEIGHT} to {LARGEST_WEIGHT}, found {:?}",
            shortened(line)
        )
    })
}

/// The beginning of a text that may be of any length.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["pawn", "king", "tempo"];

    #[test]
    fn bad_weights_are_told_what_would_be_right() {
        let good = "# by agon tune\r\n\npawn 100\r\nking  -20\ntempo 0\n";
        assert_eq!(parse_weights(good, &NAMES), Ok(vec![100, -20, 0]));
        for (text, line, words) in [
            ("", 1, "expected the weight of pawn, found the end of the file; it has 0 of 3"),
            ("pawn 100\nking 3\n", 3, "expected the weight of tempo, found the end"),
            ("pawn 1\ntempo 2\nking 3", 2, "found \"tempo\"; weights come in the order"),
            ("pawn 1\nkin 2", 2, "expected the weight of king, found \"kin\"; did you mean king?"),
            ("pawn 1\nking 2\ntempo 3\nrook 4", 4, "no more than 3 weights, found \"rook 4\""),
            ("pawn 1\nking 1e3", 2, "expected king with a whole number from -30000 to 30000"),
            ("pawn", 1, "expected pawn with a whole number"),
            ("pawn 1 2", 1, "expected pawn with a whole number"),
            ("pawn 30001", 1, "expected pawn with a whole number"),
            ("pawn 99999999999999999999", 1, "expected pawn with a whole number"),
            ("   ", 1, "expected the weight of pawn, found \"\""),
        ] {
            let bad = parse_weights(text, &NAMES).unwrap_err();
            assert_eq!(bad.line, line, "{text:?}: {bad:?}");
            assert!(bad.problem.contains(words), "{text:?}: {bad:?}");
        }
        let long = parse_weights(&"é".repeat(1 << 16), &NAMES).unwrap_err();
        assert!(long.problem.len() < 300, "{long:?}");
    }

    #[test]
    fn what_is_compiled_in_is_read_the_same_way() {
        const TEXT: &str = "# fitted\npawn 100\nking 7\n\ntempo -12\n";
        const WEIGHTS: [i32; 3] = read_weights(TEXT, &NAMES);
        assert_eq!(parse_weights(TEXT, &NAMES), Ok(WEIGHTS.to_vec()));
    }
}
