//! Python objects for squares and values, looked up by their address.
//!
//! Most keys of a board are the same tuple objects that actions were made of, and most values are
//! Python's cached small integers. Looking up an address is ten times faster than unpacking a
//! tuple.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::board::{Piece, Square};

/// The course's board, whose squares are kept.
const ROWS: i64 = 7;
const COLUMNS: i64 = 8;
pub const SQUARES: usize = (ROWS * COLUMNS) as usize;

/// The size of the hash table of addresses: large enough for few collisions.
const PLACES: usize = 256;

/// What pieces are worth.
const VALUES: [i64; 6] = [1, -1, 2, -2, 3, -3];

pub(crate) struct Objects {
    /// Row by row. They live as long as this struct, so that no other object can have their
    /// addresses.
    pub squares: Vec<Py<PyTuple>>,
    /// Addresses of the squares with their numbers; address 0 is an empty entry.
    addresses: [(usize, u8); PLACES],
    values: [(Py<PyAny>, i64); VALUES.len()],
}

impl Objects {
    pub fn new(py: Python<'_>) -> PyResult<Objects> {
        let tuple = |cell| PyTuple::new(py, [cell / COLUMNS, cell % COLUMNS]).map(Bound::unbind);
        let squares: Vec<Py<PyTuple>> = (0..ROWS * COLUMNS).map(tuple).collect::<PyResult<_>>()?;
        let mut addresses = [(0, 0); PLACES];
        for (number, square) in squares.iter().enumerate() {
            let address = square.as_ptr() as usize;
            let mut place = home(address);
            while addresses[place].0 != 0 {
                place = (place + 1) % PLACES;
            }
            addresses[place] = (address, number as u8);
        }
        let value = |value: i64| (value.into_pyobject(py).unwrap().into_any().unbind(), value);
        Ok(Objects { squares, addresses, values: VALUES.map(value) })
    }

    /// The attribute `pieces`, in its order.
    pub fn read(&self, pieces: &Bound<'_, PyDict>) -> PyResult<Vec<Piece>> {
        let mut list = Vec::with_capacity(pieces.len());
        for (key, value) in pieces {
            let square = self.read_square(&key)?;
            list.push(Piece { square, value: self.read_value(&key, &value)? });
        }
        Ok(list)
    }

    /// The square of a key of `pieces`.
    pub fn read_square(&self, key: &Bound<'_, PyAny>) -> PyResult<Square> {
        let address = key.as_ptr() as usize;
        let mut place = home(address);
        while self.addresses[place].0 != 0 {
            let (known, number) = self.addresses[place];
            if known == address {
                let number = i64::from(number);
                return Ok(Square { row: number / COLUMNS, column: number % COLUMNS });
            }
            place = (place + 1) % PLACES;
        }
        match key.extract::<(i64, i64)>() {
            Ok((row, column)) => Ok(Square { row, column }),
            Err(_) => Err(PyTypeError::new_err(format!(
                "the keys of pieces are squares (row, column) of two int, not {}",
                key.repr()?
            ))),
        }
    }

    /// The value of a piece. Whole numbers of any type count, as they do in Python.
    pub fn read_value(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<i64> {
        if let Some((_, known)) = self.values.iter().find(|(known, _)| value.is(known)) {
            return Ok(*known);
        }
        if let Ok(value) = value.extract::<i64>() {
            return Ok(value);
        }
        match value.extract::<f64>() {
            Ok(number) if number.fract() == 0.0 && number.abs() < 1e15 => Ok(number as i64),
            _ => Err(PyTypeError::new_err(format!(
                "pieces has {} on {}, where 1, 2, 3, -1, -2 or -3 belongs",
                value.repr()?,
                key.repr()?
            ))),
        }
    }

    /// The tuple of a square.
    pub fn square<'py>(&self, py: Python<'py>, square: Square) -> PyResult<Bound<'py, PyTuple>> {
        match place_of(square) {
            Some(number) => Ok(self.squares[number].bind(py).clone()),
            None => PyTuple::new(py, [square.row, square.column]),
        }
    }
}

/// The number of a cached square.
pub(crate) fn place_of(Square { row, column }: Square) -> Option<usize> {
    let usual = (0..ROWS).contains(&row) && (0..COLUMNS).contains(&column);
    usual.then_some((row * COLUMNS + column) as usize)
}

/// The first slot to probe for an address. Objects are aligned to 16 bytes.
fn home(address: usize) -> usize {
    (address >> 4) % PLACES
}
