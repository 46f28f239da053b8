//! Positions with results as text, a line each: kept once, they can be learned from again when
//! features are added.
//!
//! The columns, with a tab between them: the variant, the number of the game, its result for the
//! first seat from 0 to 1, the score of the search in hundredths or `-`, and the position.

use std::fmt::Write;

use agon_core::Variant;
use agon_games::{Playable, Visitor, with_game};

use super::samples::{Sample, Samples};
use super::selfplay::counts;
use super::{Material, Subject, TuneError};

/// Adds a line.
pub(super) fn write(
    text: &mut String,
    variant: &Variant,
    (game, result): (u64, f32),
    sample: &Sample,
) {
    let score = sample.score.map_or("-".to_string(), |score| score.to_string());
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{variant}\t{game}\t{result}\t{score}\t{}", sample.text);
}

/// Reads the positions of a subject's variants; those of others are passed over.
pub fn read(subject: &Subject, text: &str) -> Result<Material, TuneError> {
    let mut material = Material::default();
    for variant in &subject.variants {
        let lines = Lines { text, material: &mut material };
        with_game(variant, lines)??;
    }
    Ok(material)
}

/// The lines of one variant, to be read with its types.
struct Lines<'a> {
    text: &'a str,
    material: &'a mut Material,
}

/// A line taken apart.
struct Line<'a> {
    variant: &'a str,
    game: u64,
    result: f32,
    score: Option<i32>,
    position: &'a str,
}

impl<'a> Line<'a> {
    fn read(line: &'a str) -> Option<Line<'a>> {
        let mut columns = line.splitn(5, '\t');
        let mut next = || columns.next();
        let (variant, game, result) = (next()?, next()?.parse().ok()?, next()?.parse().ok()?);
        let score = match next()? {
            "-" => None,
            number => Some(number.parse().ok()?),
        };
        let is_result = (0.0..=1.0).contains(&result);
        is_result.then_some(Line { variant, game, result, score, position: next()? })
    }
}

impl Visitor for Lines<'_> {
    type Output = Result<(), TuneError>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output {
        let wanted = variant.to_string();
        // Games are numbered through, whatever stands in the file: those of two files may have
        // the same numbers.
        let mut last = None;
        for (index, text) in self.text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let fault = |problem: String| TuneError::Line { number: index + 1, problem };
            let line = Line::read(text).ok_or_else(|| {
                fault("expected VARIANT, game, result, score and POSITION with tabs between".into())
            })?;
            if line.variant != wanted {
                continue;
            }
            let position = start.read_position(line.position);
            let position = position.map_err(|error| fault(error.to_string()))?;
            if last != Some(line.game) {
                self.material.tallies.count(line.result, 0);
                last = Some(line.game);
            }
            let game = self.material.tallies.games - 1;
            let samples: &mut Samples = &mut self.material.samples;
            samples.push(&counts(&position), line.score, (game, line.result));
        }
        Ok(())
    }
}
