//! Positions with results as text, one per line: once saved, they can be used again when features
//! are added.
//!
//! The columns, separated by tabs: the variant, the number of the game, its result for the first
//! seat from 0 to 1 or `-` for a position off the game's line, the score of the search in
//! hundredths or `-`, and the position.

use std::fmt::Write;

use agon_core::Variant;
use agon_games::{Playable, Visitor};

use super::samples::{Sample, Samples};
use super::selfplay::counts;
use super::{Material, Subject, TuneError};

/// Adds a line.
pub(super) fn write(
    text: &mut String,
    variant: &Variant,
    (game, result): (u64, Option<f32>),
    sample: &Sample,
) {
    let result = result.map_or("-".to_string(), |result| result.to_string());
    let score = sample.score.map_or("-".to_string(), |score| score.to_string());
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{variant}\t{game}\t{result}\t{score}\t{}", sample.text);
}

/// Reads the positions of a subject's variants; others are skipped.
pub fn read(subject: &Subject, text: &str) -> Result<Material, TuneError> {
    let mut material = Material::default();
    for variant in &subject.variants {
        let lines = Lines { text, material: &mut material };
        subject.catalog.with_game(variant, lines)??;
    }
    Ok(material)
}

/// The lines of one variant, to be read as its concrete type.
struct Lines<'a> {
    text: &'a str,
    material: &'a mut Material,
}

/// A parsed line.
struct Line<'a> {
    variant: &'a str,
    game: u64,
    result: Option<f32>,
    score: Option<i32>,
    position: &'a str,
}

/// A number, or a dash where there is none.
fn number_or_dash<T: std::str::FromStr>(text: &str) -> Option<Option<T>> {
    if text == "-" { Some(None) } else { text.parse().ok().map(Some) }
}

impl<'a> Line<'a> {
    fn read(line: &'a str) -> Option<Line<'a>> {
        let mut columns = line.splitn(5, '\t');
        let mut next = || columns.next();
        let (variant, game) = (next()?, next()?.parse().ok()?);
        let result: Option<f32> = number_or_dash(next()?)?;
        let score: Option<i32> = number_or_dash(next()?)?;
        let is_result = result.is_none_or(|result| (0.0..=1.0).contains(&result));
        (is_result && result.is_some() | score.is_some()).then_some(Line {
            variant,
            game,
            result,
            score,
            position: next()?,
        })
    }
}

impl Visitor for Lines<'_> {
    type Output = Result<(), TuneError>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        let wanted = variant.to_string();
        // Games are renumbered consecutively: two files may use the same numbers.
        let mut last = None;
        for (index, text) in self.text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let fault = |problem: String| TuneError::Line { number: index + 1, problem };
            let line = Line::read(text).ok_or_else(|| {
                fault("expected VARIANT, game, result, score, POSITION, separated by tabs".into())
            })?;
            if line.variant != wanted {
                continue;
            }
            let position = start.read_position(line.position);
            let position = position.map_err(|error| fault(error.to_string()))?;
            // Every game's own positions come before those off its line.
            if let (Some(result), true) = (line.result, last != Some(line.game)) {
                self.material.tallies.count(result, 0);
                last = Some(line.game);
            }
            let game = self.material.tallies.games.saturating_sub(1);
            let samples: &mut Samples = &mut self.material.samples;
            samples.push(&counts(&position), line.score, (game, line.result));
        }
        Ok(())
    }
}
