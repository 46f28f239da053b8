//! Openings for matches.

use std::collections::HashSet;
use std::fmt;

use agon_core::rng::mix;
use agon_games::Table;

use super::tree::Tree;
use super::{BookError, Worth};

/// An even game: the value of a position is at most this share of the game's scale.
const EVEN: f64 = 0.2;

/// Moves from the start of a variant, and the value of the position after them for the side to
/// move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The moves.
    pub moves: Vec<String>,
    /// The value.
    pub worth: Worth,
}

/// As a line of a file of openings.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "moves {}  # {}", self.moves.join(" "), self.worth.score())
    }
}

/// How far from 0 the value of an even position may be, in hundredths, unless told otherwise.
pub fn even_margin(table: &dyn Table) -> u32 {
    (EVEN * f64::from(table.scale())) as u32
}

/// The lines of so many plies along the moves of a book that lead to an even position, one for each
/// such position.
pub fn even_lines(tree: &Tree, plies: usize, margin: u32) -> Result<Vec<Line>, BookError> {
    let mut ends: Vec<(Box<dyn Table>, Worth)> = Vec::new();
    if let Some(first) = tree.positions().first() {
        ends.push((tree.start().fork(), first.best()));
    }
    let mut reached = 0;
    for ply in 0..plies {
        ends = one_ply_on(tree, &ends);
        if !ends.is_empty() {
            reached = ply + 1;
        }
    }
    let is_even = |(table, worth): &(Box<dyn Table>, Worth)| {
        worth.imbalance() <= margin && table.turn().is_ok()
    };
    let even = ends.into_iter().filter(is_even);
    let lines: Vec<Line> =
        even.map(|(table, worth)| Line { moves: table.played().to_vec(), worth }).collect();
    if !lines.is_empty() {
        return Ok(lines);
    }
    let variant = tree.start().variant();
    Err(BookError::NoLines(match reached < plies {
        true => format!(
            "the book of {variant} has no lines of {plies} plies, the longest has {reached}"
        ),
        false => format!(
            "the book of {variant} has no line of {plies} plies to a position with a value within \
             {:.2} of an even game",
            f64::from(margin) / 100.0
        ),
    }))
}

/// The positions that the book's moves lead to, each once, with their values.
fn one_ply_on(tree: &Tree, from: &[(Box<dyn Table>, Worth)]) -> Vec<(Box<dyn Table>, Worth)> {
    let mut found = HashSet::new();
    let mut all = Vec::new();
    for (table, _) in from {
        let Some(position) = tree.position(table.canonical_key()) else { continue };
        // This table may show the position turned round.
        let legal = table.keyed_moves();
        for mv in &position.moves {
            let text = legal.iter().find(|(_, to)| *to == mv.to).map(|(text, _)| text);
            let Some(text) = text.filter(|_| found.insert(mv.to)) else { continue };
            let mut next = table.fork();
            if next.play(text).is_ok() {
                let known = tree.position(mv.to).map(|next| next.best());
                all.push((next, known.unwrap_or_else(|| mv.worth.one_ply_earlier())));
            }
        }
    }
    all
}

/// The same lines, or whatever else, in an order that depends on the seed.
pub fn shuffled<T>(mut lines: Vec<T>, seed: u64) -> Vec<T> {
    let mut rng = agon_core::Rng::new(mix(seed));
    for last in (1..lines.len()).rev() {
        lines.swap(last, rng.below(last as u64 + 1) as usize);
    }
    lines
}
