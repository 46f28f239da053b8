//! Evaluations that are weighted sums, with weights that can be fitted.
//!
//! A game defines the terms of its evaluation once, as counts of features passed to a [`Tally`].
//! One tally multiplies them by the weights and sums up: that is the evaluation. Another records
//! them: that is what `agon tune` fits new weights to. The weights live in a small text file in the
//! game's folder and are read at compile time.

use crate::game::Game;

/// Receives the features of a position.
pub trait Tally {
    /// Feature number `feature` occurs `count` times for the first seat, or `-count` times for the
    /// second.
    fn add(&mut self, feature: usize, count: i32);
}

/// Adds up features by their weights.
#[derive(Clone, Debug)]
pub struct Weighted<const N: usize> {
    weights: &'static [i32; N],
    sum: i32,
}

impl<const N: usize> Weighted<N> {
    /// Nothing yet.
    #[inline]
    pub const fn new(weights: &'static [i32; N]) -> Self {
        Weighted { weights, sum: 0 }
    }

    /// The sum so far.
    #[inline]
    pub fn sum(&self) -> i32 {
        self.sum
    }
}

impl<const N: usize> Tally for Weighted<N> {
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
