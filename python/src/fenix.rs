//! The native side of `agon.fenix`: what the methods of `FenixState` ask about its attributes.
//!
//! Nothing is kept between calls but immutable objects that would be made again and again: the tuples
//! of squares, and the actions that capture nothing. That two equal actions may be one object cannot
//! be seen, except with `is`.

mod board;

use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFrozenSet, PyTuple, PyType};

use board::{Action, Board, Mover, OddPiece, Piece, Square};

/// Squares with smaller numbers than these are kept as objects.
const ROWS: i64 = 7;
const COLUMNS: i64 = 8;
const SQUARES: usize = (ROWS * COLUMNS) as usize;

/// A board with more squares than this is a mistake.
const MOST_SQUARES: i64 = 1 << 24;

impl From<OddPiece> for PyErr {
    fn from(OddPiece(piece): OddPiece) -> PyErr {
        let Piece { value, square: Square { row, column }, .. } = piece;
        PyTypeError::new_err(format!(
            "no piece moves like the {value} on ({row}, {column}): soldiers are 1, generals 2 and \
             kings 3, and black's the same below zero"
        ))
    }
}

/// What the rules say about the attributes of a state; actions are made of `action_type`, a named
/// tuple of start, end and removed.
#[pyclass(frozen, module = "agon._native")]
pub struct FenixRules {
    action_type: Py<PyType>,
    /// `tuple.__new__`: the constructor of a named tuple is Python code and takes twice as long.
    make: Py<PyAny>,
    nothing: Py<PyFrozenSet>,
    squares: Vec<Py<PyTuple>>,
    quiet: Vec<PyOnceLock<Py<PyAny>>>,
}

/// The attribute `pieces`, read.
struct Pieces {
    list: Vec<Piece>,
    board: Board,
}

impl Pieces {
    fn read(pieces: &Bound<'_, PyDict>, (rows, columns): (i64, i64)) -> PyResult<Pieces> {
        let mut board = Board::new(rows, columns);
        let mut list = Vec::with_capacity(pieces.len());
        for (number, (key, value)) in pieces.iter().enumerate() {
            let square = read_square(&key)?;
            let value = read_value(&key, &value)?;
            board.put(square, value);
            list.push(Piece { number, square, value });
        }
        Ok(Pieces { list, board })
    }
}

fn read_square(key: &Bound<'_, PyAny>) -> PyResult<Square> {
    match key.extract::<(i64, i64)>() {
        Ok((row, column)) => Ok(Square { row, column }),
        Err(_) => Err(PyTypeError::new_err(format!(
            "the keys of pieces are squares (row, column) of two int, not {}",
            key.repr()?
        ))),
    }
}

/// Whole numbers of any type count, as they do in Python.
fn read_value(key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<i64> {
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

#[pymethods]
impl FenixRules {
    #[new]
    fn new(py: Python<'_>, action_type: Bound<'_, PyType>) -> PyResult<FenixRules> {
        let square = |cell| PyTuple::new(py, [cell / COLUMNS, cell % COLUMNS]).map(Bound::unbind);
        Ok(FenixRules {
            action_type: action_type.unbind(),
            make: py.get_type::<PyTuple>().getattr("__new__")?.unbind(),
            nothing: PyFrozenSet::empty(py)?.unbind(),
            squares: (0..ROWS * COLUMNS).map(square).collect::<PyResult<_>>()?,
            quiet: (0..SQUARES * SQUARES).map(|_| PyOnceLock::new()).collect(),
        })
    }

    /// The actions of the setup.
    fn setup_actions<'py>(
        &self,
        py: Python<'py>,
        pieces: &Bound<'py, PyDict>,
        dim: (i64, i64),
        player: i64,
        room_for_general: bool,
        room_for_king: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let read = Pieces::read(pieces, dim)?;
        let (board, list) = (&read.board, &read.list);
        let found =
            board::setup_actions(board, list, player, room_for_general, room_for_king);
        self.listed(py, &read, found)
    }

    /// The actions after the setup: those that take the most, in the course's order.
    fn max_actions<'py>(
        &self,
        py: Python<'py>,
        pieces: &Bound<'py, PyDict>,
        dim: (i64, i64),
        player: i64,
        may_create_general: bool,
        may_create_king: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let read = Pieces::read(pieces, dim)?;
        let mover = Mover { board: &read.board, player, may_create_general, may_create_king };
        let found = mover.actions(&read.list, || py.check_signals())?;
        self.listed(py, &read, found)
    }

    /// The values of all squares, row by row, 0 for an empty one.
    fn flatten<'py>(
        &self,
        py: Python<'py>,
        pieces: &Bound<'py, PyDict>,
        (rows, columns): (i64, i64),
    ) -> PyResult<Bound<'py, PyTuple>> {
        let size = rows.max(0).saturating_mul(columns.max(0));
        if size > MOST_SQUARES {
            let error = format!("dim is ({rows}, {columns}), which is no board");
            return Err(PyMemoryError::new_err(error));
        }
        let empty = 0_i64.into_pyobject(py)?.into_any();
        let mut cells = vec![empty; size as usize];
        for (key, value) in pieces.iter() {
            let Square { row, column } = read_square(&key)?;
            let place = row.saturating_mul(columns).saturating_add(column);
            // Squares off the board land where a Python list would put them.
            let cell = if place < 0 { place + size } else { place };
            match usize::try_from(cell).ok().and_then(|cell| cells.get_mut(cell)) {
                Some(cell) => *cell = value,
                None => return Err(PyIndexError::new_err("list assignment index out of range")),
            }
        }
        PyTuple::new(py, cells)
    }
}

impl FenixRules {
    fn listed<'py>(
        &self,
        py: Python<'py>,
        pieces: &Pieces,
        found: Vec<Action>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        found.iter().map(|action| self.action(py, pieces, action)).collect()
    }

    fn action<'py>(
        &self,
        py: Python<'py>,
        pieces: &Pieces,
        action: &Action,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !action.captured.is_empty() {
            let captured = action.captured.iter().map(|&square| self.square(py, square));
            let captured = captured.collect::<PyResult<Vec<_>>>()?;
            let removed = PyFrozenSet::new(py, captured)?;
            return self.made(py, pieces, action, removed);
        }
        let nothing = self.nothing.bind(py).clone();
        let start = pieces.list[action.start].square;
        match (known(start), known(action.end)) {
            (Some(start), Some(end)) => {
                let make = || Ok(self.made(py, pieces, action, nothing)?.unbind());
                let quiet: PyResult<&Py<PyAny>> =
                    self.quiet[start * SQUARES + end].get_or_try_init(py, make);
                Ok(quiet?.bind(py).clone())
            }
            _ => self.made(py, pieces, action, nothing),
        }
    }

    fn made<'py>(
        &self,
        py: Python<'py>,
        pieces: &Pieces,
        action: &Action,
        removed: Bound<'py, PyFrozenSet>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let start = self.square(py, pieces.list[action.start].square)?;
        let fields = (start, self.square(py, action.end)?, removed);
        self.make.bind(py).call1((self.action_type.bind(py), fields))
    }

    fn square<'py>(&self, py: Python<'py>, square: Square) -> PyResult<Bound<'py, PyTuple>> {
        match known(square) {
            Some(cell) => Ok(self.squares[cell].bind(py).clone()),
            None => PyTuple::new(py, [square.row, square.column]),
        }
    }
}

/// The place of a square among those that are kept.
fn known(Square { row, column }: Square) -> Option<usize> {
    let usual = (0..ROWS).contains(&row) && (0..COLUMNS).contains(&column);
    usual.then_some((row * COLUMNS + column) as usize)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<FenixRules>()
}
