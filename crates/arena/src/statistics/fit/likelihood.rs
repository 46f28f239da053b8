//! The likelihood of the results, its maximum and the errors there.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::layout::{Layout, table};
use crate::statistics::matrix::Matrix;
use crate::statistics::{Comparison, GameResult, score};

/// The weight of each virtual game.
const VIRTUAL: f64 = 1.0;

/// Newton's method stops when no parameter moves more than this (a ten-millionth of an Elo).
const STILL: f64 = 1e-9;

/// More steps than were ever needed.
const MOST_STEPS: usize = 100;

/// The errors of few groups are widened, but not by more than this factor in the variance.
const MOST_WIDENING: f64 = 2.0;

/// Two agents in two seats: all their comparisons have the same expectation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Cell {
    agents: [usize; 2],
    seats: [usize; 2],
}

/// The results in a cell.
#[derive(Clone, Copy, Default)]
struct Tally {
    games: f64,
    score: f64,
    draws: f64,
}

/// The expectation of one comparison: means and covariances of the score and of "is a draw".
struct Expected {
    score: f64,
    draw: f64,
    score_variance: f64,
    draw_variance: f64,
    covariance: f64,
    /// The logarithm of the sum of all weights.
    log_total: f64,
}

/// The results in the order of their groups, and counted by cells.
pub(crate) struct FitData<'a> {
    layout: &'a Layout,
    cells: Vec<(Cell, Tally)>,
    /// For each comparison its cell and its result, group by group.
    groups: Vec<Vec<(usize, Ordering)>>,
}

impl Cell {
    fn new(comparison: &Comparison, players: usize, layout: &Layout) -> Option<Cell> {
        let [a, b] = comparison.agents.map(|agent| layout.agent(agent));
        let [s, t] = comparison.seats.map(|seat| layout.seat(players, seat));
        Some(Cell { agents: [a?, b?], seats: [s?, t?] })
    }

    /// How the difference in strength depends on the parameters.
    fn entries(&self) -> [(usize, f64); 4] {
        let ([a, b], [s, t]) = (self.agents, self.seats);
        [(a, 1.0), (b, -1.0), (s, 1.0), (t, -1.0)]
    }

    fn difference(&self, values: &[f64]) -> f64 {
        self.entries().iter().map(|&(index, sign)| sign * values[index]).sum()
    }
}

impl Expected {
    /// Win, draw and loss have the weights e^(d/2), ν and e^(−d/2).
    fn new(difference: f64, nu: f64) -> Expected {
        // All weights are divided by that of the likelier side's win, so that none overflows.
        let weaker = (-difference.abs()).exp();
        let drawn = nu * (-0.5 * difference.abs()).exp();
        let total = 1.0 + weaker + drawn;
        let (draw, least) = (drawn / total, (weaker + 0.5 * drawn) / total);
        let score = if difference > 0.0 { 1.0 - least } else { least };
        let most = if difference > 0.0 { difference } else { 0.0 };
        Expected {
            score,
            draw,
            score_variance: least * (1.0 - least) - 0.25 * draw,
            draw_variance: draw * (1.0 - draw),
            covariance: draw * (0.5 - score),
            log_total: most + total.ln(),
        }
    }
}

impl<'a> FitData<'a> {
    pub fn new(games: &[GameResult], layout: &'a Layout) -> FitData<'a> {
        let mut problem = FitData { layout, cells: Vec::new(), groups: Vec::new() };
        let mut cell_numbers = HashMap::new();
        let mut group_numbers = HashMap::new();
        for game in games {
            let next = problem.groups.len();
            let group = game.group.map_or(next, |key| *group_numbers.entry(key).or_insert(next));
            if group == next {
                problem.groups.push(Vec::new());
            }
            for comparison in game.comparisons() {
                let Some(cell) = Cell::new(&comparison, table(game), layout) else { continue };
                let number = *cell_numbers.entry(cell).or_insert(problem.cells.len());
                if number == problem.cells.len() {
                    problem.cells.push((cell, Tally::default()));
                }
                problem.cells[number].1.add(comparison.result);
                problem.groups[group].push((number, comparison.result));
            }
        }
        problem.groups.retain(|group| !group.is_empty());
        problem
    }

    /// ν at these values: 0 where draws are half wins.
    fn nu(&self, values: &[f64]) -> f64 {
        self.layout.draw().map_or(0.0, |index| values[index].exp())
    }

    /// The logits that have a virtual game, by their parameters: those of strengths and seats, and
    /// that of a draw between equals.
    fn virtual_games(&self, values: &[f64]) -> impl Iterator<Item = (usize, f64)> {
        let logit = |(index, value): (usize, &f64)| {
            let shift =
                if Some(index) == self.layout.draw() { std::f64::consts::LN_2 } else { 0.0 };
            (index, value - shift)
        };
        values.iter().enumerate().map(logit)
    }

    /// The logarithm of the likelihood with the virtual games, up to a constant.
    fn objective(&self, values: &[f64]) -> f64 {
        let nu = self.nu(values);
        let log_nu = self.layout.draw().map_or(0.0, |index| values[index]);
        let results = self.cells.iter().map(|(cell, tally)| {
            let difference = cell.difference(values);
            let expected = Expected::new(difference, nu);
            tally.score * difference + tally.draws * log_nu - tally.games * expected.log_total
        });
        let halves = self.virtual_games(values).map(|(_, logit)| {
            let expected = Expected::new(logit, 0.0);
            VIRTUAL * (0.5 * logit - expected.log_total)
        });
        results.sum::<f64>() + halves.sum::<f64>()
    }

    /// The objective's gradient, and the information: its negated Hessian.
    fn gradient_and_information(&self, values: &[f64]) -> (Vec<f64>, Matrix) {
        let (nu, draw) = (self.nu(values), self.layout.draw());
        let mut gradient = vec![0.0; values.len()];
        let mut information = Matrix::new(values.len());
        for (cell, tally) in &self.cells {
            let expected = Expected::new(cell.difference(values), nu);
            let surplus = tally.score - tally.games * expected.score;
            cell.entries().iter().for_each(|&(index, sign)| gradient[index] += sign * surplus);
            information.add_outer(&cell.entries(), tally.games * expected.score_variance);
            if let Some(draw) = draw {
                gradient[draw] += tally.draws - tally.games * expected.draw;
                information[(draw, draw)] += tally.games * expected.draw_variance;
                for (index, sign) in cell.entries() {
                    let covariance = sign * tally.games * expected.covariance;
                    information[(draw, index)] += covariance;
                    information[(index, draw)] += covariance;
                }
            }
        }
        for (index, logit) in self.virtual_games(values) {
            let expected = Expected::new(logit, 0.0);
            gradient[index] += VIRTUAL * (0.5 - expected.score);
            information[(index, index)] += VIRTUAL * expected.score_variance;
        }
        self.layout.blocks().iter().for_each(|block| centre(&mut gradient, block));
        (gradient, self.anchored(information))
    }

    /// The information about differences within blocks, made invertible by fixing every mean.
    fn anchored(&self, mut information: Matrix) -> Matrix {
        for block in self.layout.blocks() {
            information.centre(block);
            let mean: Vec<(usize, f64)> = block.iter().map(|&index| (index, 1.0)).collect();
            information.add_outer(&mean, 1.0 / block.len() as f64);
        }
        information
    }

    /// The values of maximum likelihood.
    pub(crate) fn maximise(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.layout.size()];
        let mut best = self.objective(&values);
        for _ in 0..MOST_STEPS {
            let (gradient, information) = self.gradient_and_information(&values);
            let step = information.cholesky().solve(gradient);
            let largest = step.iter().fold(0.0, |largest: f64, by| largest.max(by.abs()));
            // The objective is concave: a step that is short enough never makes it worse.
            let mut length = 1.0;
            while length * largest > STILL {
                let next: Vec<f64> =
                    values.iter().zip(&step).map(|(value, by)| value + length * by).collect();
                let found = self.objective(&next);
                if found >= best {
                    (values, best) = (next, found);
                    break;
                }
                length /= 2.0;
            }
            if length * largest <= STILL {
                break;
            }
        }
        values
    }

    /// The covariance of the parameters, robust against whatever groups have in common.
    pub(crate) fn covariance(&self, values: &[f64]) -> Matrix {
        let (_, information) = self.gradient_and_information(values);
        let mut spread = self.spread(values);
        self.layout.blocks().iter().for_each(|block| spread.centre(block));
        let mut covariance = information.cholesky().sandwich(&spread);
        let count = self.groups.len() as f64 + VIRTUAL * values.len() as f64;
        let widening = count / (count - self.layout.free() as f64).max(count / MOST_WIDENING);
        covariance.scale(widening);
        covariance
    }

    /// The sum of the squared gradients of all groups, and of the virtual games.
    fn spread(&self, values: &[f64]) -> Matrix {
        let nu = self.nu(values);
        let expect = |(cell, _): &(Cell, Tally)| Expected::new(cell.difference(values), nu);
        let expected: Vec<Expected> = self.cells.iter().map(expect).collect();
        let mut spread = Matrix::new(values.len());
        let mut entries = Vec::new();
        for group in &self.groups {
            entries.clear();
            for &(cell, result) in group {
                let expected = &expected[cell];
                let surplus = score(result) - expected.score;
                let cell = self.cells[cell].0;
                entries.extend(cell.entries().map(|(index, sign)| (index, sign * surplus)));
                let is_draw = f64::from(result == Ordering::Equal);
                entries.extend(self.layout.draw().map(|draw| (draw, is_draw - expected.draw)));
            }
            merge(&mut entries);
            spread.add_outer(&entries, 1.0);
        }
        for (index, logit) in self.virtual_games(values) {
            let won = Expected::new(logit, 0.0).score;
            let squares = 0.5 * won * won + 0.5 * (1.0 - won) * (1.0 - won);
            spread[(index, index)] += VIRTUAL * squares;
        }
        spread
    }
}

impl Tally {
    fn add(&mut self, result: Ordering) {
        self.games += 1.0;
        self.score += score(result);
        self.draws += f64::from(result == Ordering::Equal);
    }
}

/// Subtracts the mean over the block.
fn centre(values: &mut [f64], block: &[usize]) {
    let mean = block.iter().map(|&index| values[index]).sum::<f64>() / block.len() as f64;
    block.iter().for_each(|&index| values[index] -= mean);
}

/// Sums up entries with the same index.
fn merge(entries: &mut Vec<(usize, f64)>) {
    entries.sort_unstable_by_key(|&(index, _)| index);
    entries.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        earlier.1 += if same { later.1 } else { 0.0 };
        same
    });
}
