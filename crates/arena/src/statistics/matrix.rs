//! Small dense symmetric matrices: just what the fit needs.

use std::ops::{Index, IndexMut};

/// A pivot below this is rounding error, not information.
const LEAST_PIVOT: f64 = 1e-13;

/// A square matrix.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Matrix {
    size: usize,
    values: Vec<f64>,
}

/// The lower triangle L of a positive definite matrix L·Lᵀ.
pub(crate) struct Cholesky(Matrix);

impl Matrix {
    /// All zero.
    pub fn new(size: usize) -> Matrix {
        Matrix { size, values: vec![0.0; size * size] }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.size..(row + 1) * self.size]
    }

    /// Adds `weight · v·vᵀ`, where `v` has these entries and is zero elsewhere.
    pub(crate) fn add_outer(&mut self, entries: &[(usize, f64)], weight: f64) {
        for &(row, a) in entries {
            for &(column, b) in entries {
                self[(row, column)] += weight * a * b;
            }
        }
    }

    /// Multiplies everything by a factor.
    pub fn scale(&mut self, factor: f64) {
        self.values.iter_mut().for_each(|value| *value *= factor);
    }

    /// Subtracts the mean over the block from every row and every column.
    pub fn centre(&mut self, block: &[usize]) {
        let share = 1.0 / block.len() as f64;
        for row in 0..self.size {
            let mean = share * block.iter().map(|&column| self[(row, column)]).sum::<f64>();
            block.iter().for_each(|&column| self[(row, column)] -= mean);
        }
        for column in 0..self.size {
            let mean = share * block.iter().map(|&row| self[(row, column)]).sum::<f64>();
            block.iter().for_each(|&row| self[(row, column)] -= mean);
        }
    }

    fn transposed(&self) -> Matrix {
        let places = (0..self.size).flat_map(|row| (0..self.size).map(move |column| (column, row)));
        Matrix { size: self.size, values: places.map(|place| self[place]).collect() }
    }

    /// The Cholesky decomposition. A direction without information gets a tiny pivot.
    pub(crate) fn cholesky(&self) -> Cholesky {
        let mut lower = Matrix::new(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let known = dot(&lower.row(row)[..column], &lower.row(column)[..column]);
                let rest = self[(row, column)] - known;
                lower[(row, column)] = if row == column {
                    rest.max(LEAST_PIVOT).sqrt()
                } else {
                    rest / lower[(column, column)]
                };
            }
        }
        Cholesky(lower)
    }
}

impl Cholesky {
    /// Solves the equations for this right-hand side.
    pub fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        let lower = &self.0;
        for row in 0..lower.size {
            let known = dot(&lower.row(row)[..row], &right[..row]);
            right[row] = (right[row] - known) / lower[(row, row)];
        }
        for row in (0..lower.size).rev() {
            right[row] /= lower[(row, row)];
            let solved = right[row];
            let above = lower.row(row).iter().zip(&mut right[..row]);
            above.for_each(|(factor, value)| *value -= factor * solved);
        }
        right
    }

    /// A⁻¹·M·A⁻¹ for the symmetric matrix A that was decomposed, and a symmetric M.
    pub(crate) fn sandwich(&self, meat: &Matrix) -> Matrix {
        self.solve_rows(&self.solve_rows(meat).transposed())
    }

    /// Solves for every row of a matrix.
    fn solve_rows(&self, rows: &Matrix) -> Matrix {
        let solved = (0..rows.size).flat_map(|row| self.solve(rows.row(row).to_vec()));
        Matrix { size: rows.size, values: solved.collect() }
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.values[row * self.size + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.values[row * self.size + column]
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Matrix {
        Matrix { size: rows.len(), values: rows.concat() }
    }

    #[test]
    fn equations_are_solved() {
        let a = matrix(&[&[4.0, 2.0, 0.0], &[2.0, 5.0, 1.0], &[0.0, 1.0, 3.0]]);
        // 4 + 4, 2 + 10 + 3, 2 + 9.
        let solution = a.cholesky().solve(vec![8.0, 15.0, 11.0]);
        for (found, wanted) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - wanted).abs() < 1e-12, "{solution:?}");
        }
    }

    #[test]
    fn a_sandwich_of_itself_is_the_inverse() {
        let a = matrix(&[&[2.0, 1.0], &[1.0, 3.0]]);
        let inverse = a.cholesky().sandwich(&a);
        for (found, wanted) in inverse.values.iter().zip([0.6, -0.2, -0.2, 0.4]) {
            assert!((found - wanted).abs() < 1e-12, "{inverse:?}");
        }
    }

    #[test]
    fn a_centred_block_sums_to_zero_and_the_rest_stays() {
        let mut a = matrix(&[&[4.0, 2.0, 7.0], &[2.0, 5.0, 1.0], &[7.0, 1.0, 3.0]]);
        a.centre(&[0, 1]);
        assert_eq!(a, matrix(&[&[1.25, -1.25, 3.0], &[-1.25, 1.25, -3.0], &[3.0, -3.0, 3.0]]));
    }
}
