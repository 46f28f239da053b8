//! Positions for the regression: feature counts, scores and results.

/// One position.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The features that occur, with their counts for the first seat.
    pub counts: Vec<(u16, f32)>,
    /// The search's score, in hundredths for the first seat.
    pub score: Option<i32>,
    /// Whether it is off the game's line: nobody played on from it, so there is only a score.
    pub aside: bool,
    /// The position in its game's notation.
    pub text: String,
}

/// The positions of many games, packed: most features are absent from most positions.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Samples {
    features: Vec<u16>,
    counts: Vec<f32>,
    heads: Vec<Head>,
}

/// Everything about a position except its features.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Head {
    /// Where its features end; they start where those of the previous position end.
    end: usize,
    game: u64,
    result: Option<f32>,
    score: Option<i32>,
}

/// A view of one position.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The features that occur.
    pub features: &'a [u16],
    /// Their counts for the first seat.
    pub counts: &'a [f32],
    /// The number of its game.
    pub game: u64,
    /// How the game ended for the first seat: 1, ½ or 0; `None` off the game's line.
    pub result: Option<f64>,
    /// The search's score, in hundredths for the first seat.
    pub score: Option<i32>,
}

impl Samples {
    /// Adds a position of a game that ended with this result for the first seat, from 0 to 1, or
    /// one off its line that has only a score.
    pub fn push(
        &mut self,
        counts: &[(u16, f32)],
        score: Option<i32>,
        (game, result): (u64, Option<f32>),
    ) {
        self.features.extend(counts.iter().map(|(feature, _)| feature));
        self.counts.extend(counts.iter().map(|(_, count)| count));
        self.heads.push(Head { end: self.features.len(), game, result, score });
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The position with this index.
    pub fn row(&self, index: usize) -> Row<'_> {
        let Head { end, game, result, score } = self.heads[index];
        let begin = if index == 0 { 0 } else { self.heads[index - 1].end };
        Row {
            features: &self.features[begin..end],
            counts: &self.counts[begin..end],
            game,
            result: result.map(f64::from),
            score,
        }
    }

    /// All positions in order.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.len()).map(|index| self.row(index))
    }

    /// In how many positions each of the first `features` features occurs.
    pub fn occurrences(&self, features: usize) -> Vec<u64> {
        let mut seen = vec![0; features];
        for &feature in &self.features {
            seen[usize::from(feature)] += 1;
        }
        seen
    }
}

impl Row<'_> {
    /// The sum of the features by these weights.
    #[inline]
    pub fn sum(&self, weights: &[f64]) -> f64 {
        let terms = self.features.iter().zip(self.counts);
        terms.map(|(&feature, &count)| weights[usize::from(feature)] * f64::from(count)).sum()
    }
}
