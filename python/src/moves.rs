//! A move as a small Python object.

use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::errors::bad_text;
use crate::place::{KnownMove, Place};

/// A move. It prints as its notation, and is equal to every move, and to every `str`, with the same
/// notation.
///
/// Moves come from `Position.actions()`; `Move("d2d3")` creates one that is not bound to a
/// position.
///
/// >>> import agon
/// >>> move = agon.Game("congo").start().actions()[0]
/// >>> move == str(move)
/// True
/// >>> {agon.Move("d2d3")} == {"d2d3"}
/// True
#[pyclass(frozen, module = "agon")]
pub struct Move {
    source: Source,
    /// Created lazily: most moves in a search are never shown.
    text: OnceLock<Py<PyString>>,
}

/// What is known about a move besides its text.
enum Source {
    /// Nothing.
    Text,
    /// The position it is a move of, and its number there.
    Listed(Arc<dyn Place>, u32),
    /// A move independent of the position.
    Known(KnownMove),
}

impl Move {
    pub fn of(place: &Arc<dyn Place>, number: usize) -> Move {
        Move { source: Source::Listed(place.clone(), number as u32), text: OnceLock::new() }
    }

    pub fn known(py: Python<'_>, mv: KnownMove, text: &str) -> Move {
        let text = PyString::new(py, text).unbind();
        Move { source: Source::Known(mv), text: OnceLock::from(text) }
    }

    pub fn text<'py>(&self, py: Python<'py>) -> &Bound<'py, PyString> {
        self.text
            .get_or_init(|| {
                let text = match &self.source {
                    Source::Listed(place, number) => place.move_text(*number as usize),
                    Source::Text | Source::Known(_) => String::new(),
                };
                PyString::new(py, &text).unbind()
            })
            .bind(py)
    }

    /// The number of this move in a position.
    pub(crate) fn number_in(&self, py: Python<'_>, place: &Arc<dyn Place>) -> PyResult<usize> {
        let found = match &self.source {
            Source::Listed(own, number) if Arc::ptr_eq(own, place) => Some(*number as usize),
            Source::Known(mv) => place.find(mv),
            _ => None,
        };
        match found {
            Some(number) => Ok(number),
            None => place.read_move(&self.text(py).to_cow()?).map_err(bad_text),
        }
    }
}

/// The number of a move in a position, from a move or its notation.
pub(crate) fn number_of(place: &Arc<dyn Place>, action: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(mv) = action.cast::<Move>() {
        return mv.get().number_in(action.py(), place);
    }
    if let Ok(text) = action.cast::<PyString>() {
        return place.read_move(&text.to_cow()?).map_err(bad_text);
    }
    let kind = action.get_type().name()?;
    Err(PyTypeError::new_err(format!("expected a Move or its notation as str, found {kind}")))
}

#[pymethods]
impl Move {
    #[new]
    fn new(text: Bound<'_, PyString>) -> Move {
        Move { source: Source::Text, text: OnceLock::from(text.unbind()) }
    }

    fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.text(py).clone()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Move({})", self.text(py).repr()?.to_cow()?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = other.py();
        if let Ok(other) = other.cast::<Move>() {
            return self.text(py).as_any().eq(other.get().text(py));
        }
        match other.cast::<PyString>() {
            Ok(text) => self.text(py).as_any().eq(text),
            Err(_) => Ok(false),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text(py).hash()
    }

    fn __lt__(&self, other: &Bound<'_, Move>) -> PyResult<bool> {
        let py = other.py();
        self.text(py).lt(other.get().text(py))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let text = slf.get().text(slf.py()).clone();
        Ok((slf.get_type(), PyTuple::new(slf.py(), [text])?))
    }
}
