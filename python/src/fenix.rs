//! The native side of `agon.fenix`: what the methods of `FenixState` ask about its attributes.
//!
//! Nothing is kept between calls except immutable objects that would otherwise be created again and
//! again: the tuples of squares, and the actions that capture nothing. That two equal actions may
//! be the same object is visible only with `is`.

mod board;
mod objects;

use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFrozenSet, PyList, PyTuple, PyType};

use board::{Action, Mover, OddPiece, Piece, Size, Square};
use objects::{Objects, SQUARES, place_of};

impl From<OddPiece> for PyErr {
    fn from(OddPiece(piece): OddPiece) -> PyErr {
        let Piece { value, square: Square { row, column }, .. } = piece;
        PyTypeError::new_err(format!(
            "no piece moves like the {value} on ({row}, {column}): soldiers are 1, generals 2 and \
             kings 3, and black's the same below zero"
        ))
    }
}

/// The rules, applied to the attributes of a state; actions are of type `action_type`, a named
/// tuple of start, end and removed.
#[pyclass(frozen, module = "agon._native")]
pub(crate) struct FenixRules {
    action_type: Py<PyType>,
    /// `tuple.__new__`: the constructor of a named tuple is Python code and takes twice as long.
    new_tuple: Py<PyAny>,
    nothing: Py<PyFrozenSet>,
    empty_board: Py<PyList>,
    objects: Objects,
    quiet: Vec<PyOnceLock<Py<PyAny>>>,
}

#[pymethods]
impl FenixRules {
    #[new]
    fn new(py: Python<'_>, action_type: Bound<'_, PyType>) -> PyResult<FenixRules> {
        Ok(FenixRules {
            action_type: action_type.unbind(),
            new_tuple: py.get_type::<PyTuple>().getattr("__new__")?.unbind(),
            nothing: PyFrozenSet::empty(py)?.unbind(),
            empty_board: PyList::new(py, [0; SQUARES])?.unbind(),
            objects: Objects::new(py)?,
            quiet: (0..SQUARES * SQUARES).map(|_| PyOnceLock::new()).collect(),
        })
    }

    /// The squares of the course's board, row by row. States whose keys are these very objects are
    /// read faster, but any others work.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyTuple>> {
        self.objects.squares.iter().map(|square| square.bind(py).clone()).collect()
    }

    /// The actions of the setup.
    fn setup_actions<'py>(
        &self,
        py: Python<'py>,
        pieces: &Bound<'py, PyDict>,
        player: i64,
        room_for_general: bool,
        room_for_king: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let pieces = self.objects.read(pieces)?;
        let found = board::setup_actions(&pieces, player, room_for_general, room_for_king);
        self.listed(py, found)
    }

    /// The actions after the setup: those that capture the most, in the course's order.
    fn max_actions<'py>(
        &self,
        py: Python<'py>,
        pieces: &Bound<'py, PyDict>,
        dim: (i64, i64),
        player: i64,
        may_create_general: &Bound<'py, PyAny>,
        may_create_king: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let Some(size) = Size::new(dim) else { return Err(no_board(dim)) };
        let pieces = self.objects.read(pieces)?;
        let rights = (may_create_general.is_truthy()?, may_create_king.is_truthy()?);
        let mover = Mover::new(size, &pieces, player, rights);
        let found = mover.actions(&pieces, || py.check_signals())?;
        self.listed(py, found)
    }

    /// How many pieces a player has.
    fn count_pieces(&self, pieces: &Bound<'_, PyDict>, player: i64) -> PyResult<usize> {
        let mut count = 0;
        for (key, value) in pieces {
            count += usize::from(self.is_of(&key, &value, player)?);
        }
        Ok(count)
    }

    /// Whether a player has any piece at all.
    fn has_piece(&self, pieces: &Bound<'_, PyDict>, player: i64) -> PyResult<bool> {
        for (key, value) in pieces {
            if self.is_of(&key, &value, player)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The values of all squares, row by row, 0 for an empty one.
    fn flatten<'py>(
        &self,
        py: Python<'py>,
        pieces: &Bound<'py, PyDict>,
        dim: (i64, i64),
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (rows, columns) = dim;
        if Size::new(dim).is_none() {
            return Err(no_board(dim));
        }
        // A list is copied as a whole; a new tuple would be filled item by item.
        let size = rows.max(0) * columns.max(0);
        let cells = match size as usize {
            SQUARES => self.empty_board.bind(py).get_slice(0, SQUARES),
            size => PyList::new(py, vec![0; size])?,
        };
        for (key, value) in pieces {
            let Square { row, column } = self.objects.read_square(&key)?;
            let place = row.saturating_mul(columns).saturating_add(column);
            // Squares off the board land where a Python list would put them.
            let cell = if place < 0 { place + size } else { place };
            if !(0..size).contains(&cell) {
                return Err(PyIndexError::new_err("list assignment index out of range"));
            }
            cells.set_item(cell as usize, value)?;
        }
        Ok(cells.to_tuple())
    }
}

impl FenixRules {
    /// Whether a piece is a player's.
    fn is_of(
        &self,
        square: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
        player: i64,
    ) -> PyResult<bool> {
        Ok(self.objects.read_value(square, value)?.signum() * player.signum() > 0)
    }

    fn listed<'py>(&self, py: Python<'py>, found: Vec<Action>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        found.iter().map(|action| self.object(py, action)).collect()
    }

    fn object<'py>(&self, py: Python<'py>, action: &Action) -> PyResult<Bound<'py, PyAny>> {
        if !action.captured.is_empty() {
            let captured = action.captured.iter().map(|&square| self.objects.square(py, square));
            let captured = captured.collect::<PyResult<Vec<_>>>()?;
            return self.make(py, action, PyFrozenSet::new(py, captured)?);
        }
        let nothing = self.nothing.bind(py).clone();
        let (Some(start), Some(end)) = (place_of(action.start), place_of(action.end)) else {
            return self.make(py, action, nothing);
        };
        let made = self.quiet[start * SQUARES + end]
            .get_or_try_init(py, || self.make(py, action, nothing).map(Bound::unbind))?;
        Ok(made.bind(py).clone())
    }

    fn make<'py>(
        &self,
        py: Python<'py>,
        action: &Action,
        removed: Bound<'py, PyFrozenSet>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let start = self.objects.square(py, action.start)?;
        let fields = (start, self.objects.square(py, action.end)?, removed);
        self.new_tuple.bind(py).call1((self.action_type.bind(py), fields))
    }
}

fn no_board((rows, columns): (i64, i64)) -> PyErr {
    PyMemoryError::new_err(format!("dim is ({rows}, {columns}), which is too large for a board"))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<FenixRules>()
}
