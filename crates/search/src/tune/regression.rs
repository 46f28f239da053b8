//! Logistic regression: the weights with which an evaluation best predicts results.
//!
//! A position with the value s is won with probability 1 / (1 + exp(−s / K)). The loss of a
//! position is the negative log-likelihood of its result. The loss is convex, so Newton's method
//! finds the unique minimum in a few steps, the same on every run.
//!
//! K is the scale of the evaluation. It is fitted to the current weights first; then all weights
//! are fitted; finally all of them are rescaled so that the first feature has its old weight again.
//! So the unit of an evaluation stays the same, however often it is fitted.

use agon_core::tuning::LARGEST_WEIGHT;

use super::samples::{Row, Samples};
use crate::budget::{StopFlag, Stopped};

/// One game in this many is held out, to validate the fit on unseen games.
const HELD_BACK: u64 = 10;
/// Newton's method doubles the number of correct digits with every step, so this is never reached.
const MOST_STEPS: u32 = 100;
/// A step that promises less than this is the last one.
const NEGLIGIBLE: f64 = 1e-10;
/// How often a step that increases the loss is halved.
const MOST_HALVINGS: u32 = 30;
/// K where the current weights are all zero: a unit is then worth what a pawn is in most games.
const DEFAULT_SCALE: f64 = 200.0;
/// Outside this range a fit has diverged, and so has one that changes K by more than this factor.
const SCALES: std::ops::RangeInclusive<f64> = 1.0..=100_000.0;
const SCALE_CHANGE: f64 = 5.0;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// The weight of the search's score in a position's target, from 0 to 1; the rest is the game's
    /// result.
    pub blend: f64,
    /// The prior standard deviation of a weight from the current one, in hundredths: smaller values
    /// stay closer to the current weights. A game counts as one observation.
    pub leeway: f64,
}

impl Default for Options {
    fn default() -> Self {
        Options { blend: 0.0, leeway: 100.0 }
    }
}

/// A number with the current weights and with the new ones.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Change {
    /// With the current weights.
    pub before: f64,
    /// With the new weights.
    pub after: f64,
}

/// The result of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The new weights.
    pub weights: Vec<i32>,
    /// K.
    pub scale: Change,
    /// The mean loss on the training positions.
    pub loss: Change,
    /// The mean loss on the held-out positions, if there were any.
    pub held_back: Option<Change>,
    /// How many steps it took.
    pub steps: u32,
    /// Whether the first feature has its old weight; if not, K was kept instead, because the games
    /// say little about the first feature or contradict its sign.
    pub anchored: bool,
}

/// Fits weights to positions, starting from the current ones.
pub fn fit(
    samples: &Samples,
    in_use: &[i32],
    options: &Options,
    stop: &StopFlag,
) -> Result<Fit, Stopped> {
    let old: Vec<f64> = in_use.iter().map(|&weight| f64::from(weight)).collect();
    let is_held_back = |row: &Row<'_>| row.game % HELD_BACK == HELD_BACK - 1;
    let (mut learned, mut held_back) = (Vec::new(), Vec::new());
    for (index, row) in samples.rows().enumerate() {
        if is_held_back(&row) { held_back.push(index) } else { learned.push(index) }
    }
    let has_result = |index: &usize| samples.row(*index).result.is_some();
    let rows = learned.iter().copied().filter(has_result).collect();
    let results = Targets { samples, rows, blend: 0.0, scale: DEFAULT_SCALE };
    let scale = results.best_scale(&old);
    let targets = Targets { rows: learned, blend: options.blend, scale, ..results };
    let held_back = Targets { rows: held_back, ..targets.clone() };
    let start: Vec<f64> = old.iter().map(|weight| weight / scale).collect();
    let pull = (scale / options.leeway.max(1.0)).powi(2) / targets.games().max(1) as f64;
    let descent = Descent { targets: &targets, start: &start, pull, stop };
    let (found, steps) = descent.run()?;
    let (new_scale, anchored) = anchor(&found, in_use, scale);
    let round = |chance: &f64| {
        let limit = f64::from(LARGEST_WEIGHT);
        (chance * new_scale).round().clamp(-limit, limit) as i32
    };
    let weights: Vec<i32> = found.iter().map(round).collect();
    let end: Vec<f64> = weights.iter().map(|&weight| f64::from(weight) / new_scale).collect();
    let change =
        |on: &Targets<'_>| Change { before: on.mean_loss(&start), after: on.mean_loss(&end) };
    Ok(Fit {
        weights,
        scale: Change { before: scale, after: new_scale },
        loss: change(&targets),
        held_back: (!held_back.rows.is_empty()).then(|| change(&held_back)),
        steps,
        anchored,
    })
}

/// The K for which the first feature keeps its weight, if that makes sense.
fn anchor(found: &[f64], in_use: &[i32], scale: f64) -> (f64, bool) {
    let (Some(&chance), Some(&weight)) = (found.first(), in_use.first()) else {
        return (scale, false);
    };
    let anchored = f64::from(weight) / chance;
    let sensible = scale / SCALE_CHANGE..=scale * SCALE_CHANGE;
    if sensible.contains(&anchored) { (anchored, true) } else { (scale, false) }
}

/// The probability where nothing is known.
const EVEN: f64 = 0.5;

/// Positions with their target values.
#[derive(Clone)]
struct Targets<'a> {
    samples: &'a Samples,
    /// The positions by index.
    rows: Vec<usize>,
    blend: f64,
    scale: f64,
}

impl Targets<'_> {
    fn iter(&self) -> impl Iterator<Item = (Row<'_>, f64)> {
        self.rows.iter().map(|&index| {
            let row = self.samples.row(index);
            (row, self.target(&row))
        })
    }

    /// A blend of the result and the probability of the score.
    fn target(&self, row: &Row<'_>) -> f64 {
        let foretold = row.score.map(|score| chance(f64::from(score) / self.scale));
        match (row.result, foretold) {
            (Some(result), Some(foretold)) => result + self.blend * (foretold - result),
            (result, foretold) => result.or(foretold).unwrap_or(EVEN),
        }
    }

    /// The number of games the positions come from; they are ordered by game.
    fn games(&self) -> usize {
        let games: Vec<u64> = self.rows.iter().map(|&index| self.samples.row(index).game).collect();
        games.chunk_by(|a, b| a == b).count()
    }

    fn mean_loss(&self, weights: &[f64]) -> f64 {
        let sum: f64 = self.iter().map(|(row, target)| loss(row.sum(weights), target)).sum();
        sum / self.rows.len().max(1) as f64
    }

    /// The best K for these weights, by Newton's method on its inverse.
    fn best_scale(&self, weights: &[f64]) -> f64 {
        let values: Vec<(f64, f64)> =
            self.iter().map(|(row, target)| (row.sum(weights), target)).collect();
        let mut inverse = 1.0 / DEFAULT_SCALE;
        for _ in 0..MOST_STEPS {
            let (mut slope, mut curvature) = (0.0, 0.0);
            for &(value, target) in &values {
                let p = chance(value * inverse);
                slope += (p - target) * value;
                curvature += p * (1.0 - p) * value * value;
            }
            if curvature <= 0.0 {
                return DEFAULT_SCALE;
            }
            // At most doubled or halved per step, as Newton's method overshoots far from the
            // minimum.
            let next = (inverse - slope / curvature).clamp(inverse / 2.0, inverse * 2.0);
            let change = (next / inverse - 1.0).abs();
            inverse = next.clamp(1.0 / SCALES.end(), 1.0 / SCALES.start());
            if change < NEGLIGIBLE {
                break;
            }
        }
        1.0 / inverse
    }
}

/// The minimisation of the loss.
struct Descent<'a> {
    targets: &'a Targets<'a>,
    start: &'a [f64],
    /// The strength of the regularisation towards the start.
    pull: f64,
    stop: &'a StopFlag,
}

impl Descent<'_> {
    /// The best weights, in units of K, and the number of steps to them.
    fn run(&self) -> Result<(Vec<f64>, u32), Stopped> {
        let mut at = self.start.to_vec();
        let mut height = self.height(&at);
        for steps in 0..MOST_STEPS {
            if self.stop.is_set() {
                return Err(Stopped);
            }
            let (slope, curvature) = self.slope(&at);
            let way = solve(curvature, &slope);
            let promise: f64 = way.iter().zip(&slope).map(|(way, slope)| way * slope).sum();
            if promise < NEGLIGIBLE {
                return Ok((at, steps));
            }
            let Some((next, lower)) = self.step(&at, &way, height) else {
                return Ok((at, steps));
            };
            (at, height) = (next, lower);
        }
        Ok((at, MOST_STEPS))
    }

    /// A backtracking line search: the whole step, or half of it, or a quarter …, until the loss
    /// decreases.
    fn step(&self, at: &[f64], way: &[f64], height: f64) -> Option<(Vec<f64>, f64)> {
        let mut length = 1.0;
        for _ in 0..MOST_HALVINGS {
            let next: Vec<f64> = at.iter().zip(way).map(|(at, way)| at - length * way).collect();
            let lower = self.height(&next);
            if lower < height {
                return Some((next, lower));
            }
            length /= 2.0;
        }
        None
    }

    /// The objective: the loss plus the regularisation.
    fn height(&self, at: &[f64]) -> f64 {
        let away: f64 = at.iter().zip(self.start).map(|(at, start)| (at - start).powi(2)).sum();
        self.targets.mean_loss(at) + self.pull * away / 2.0
    }

    /// The gradient and the lower half of the Hessian, row by row.
    fn slope(&self, at: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let features = at.len();
        let mut slope = vec![0.0; features];
        let mut curvature: Vec<Vec<f64>> = (0..features).map(|row| vec![0.0; row + 1]).collect();
        for (row, target) in self.targets.iter() {
            let p = chance(row.sum(at));
            let (error, weight) = (p - target, p * (1.0 - p));
            for (nth, (&feature, &count)) in row.features.iter().zip(row.counts).enumerate() {
                let (feature, count) = (usize::from(feature), f64::from(count));
                slope[feature] += error * count;
                let part = weight * count;
                let line = &mut curvature[feature];
                // Features come in ascending order, so these are in the lower half.
                for (&other, &times) in row.features[..=nth].iter().zip(row.counts) {
                    line[usize::from(other)] += part * f64::from(times);
                }
            }
        }
        let count = self.targets.rows.len().max(1) as f64;
        for feature in 0..features {
            slope[feature] =
                slope[feature] / count + self.pull * (at[feature] - self.start[feature]);
            curvature[feature].iter_mut().for_each(|value| *value /= count);
            curvature[feature][feature] += self.pull;
        }
        (slope, curvature)
    }
}

/// The probability of a value in units of K.
#[inline]
fn chance(value: f64) -> f64 {
    1.0 / (1.0 + (-value).exp())
}

/// The loss of a value in units of K, given its target. Rewritten so that nothing overflows.
#[inline]
fn loss(value: f64, target: f64) -> f64 {
    value.max(0.0) + (-value.abs()).exp().ln_1p() - target * value
}

/// Solves `matrix · x = right` for a symmetric positive matrix given by its lower half, by
/// Cholesky's method.
fn solve(mut matrix: Vec<Vec<f64>>, right: &[f64]) -> Vec<f64> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let (above, below) = matrix.split_at_mut(row);
            let (line, other) = (&mut below[0], above.get(column));
            let known: f64 = match other {
                Some(other) => (0..column).map(|k| line[k] * other[k]).sum(),
                None => (0..column).map(|k| line[k] * line[k]).sum(),
            };
            let rest = line[column] - known;
            // The regularisation keeps the diagonal positive, up to rounding.
            line[column] = match other {
                Some(other) => rest / other[column],
                None => rest.max(f64::MIN_POSITIVE).sqrt(),
            };
        }
    }
    let mut x = right.to_vec();
    for row in 0..size {
        let known: f64 = (0..row).map(|k| matrix[row][k] * x[k]).sum();
        x[row] = (x[row] - known) / matrix[row][row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| matrix[k][row] * x[k]).sum();
        x[row] = (x[row] - known) / matrix[row][row];
    }
    x
}

#[cfg(test)]
mod tests;
