//! Errors as Python exceptions, with the same messages as everywhere else.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(agon, AgonError, PyValueError, "The base class of all errors raised by Agon.");
create_exception!(
    agon,
    NotationError,
    AgonError,
    "A variant, position or move that cannot be read or is not legal; the message quotes it, marks \
     the place and says what was expected there."
);
create_exception!(
    agon,
    AgentError,
    AgonError,
    "An invalid agent text; the message says what would be right."
);

/// The error for a text that could not be read.
pub(crate) fn bad_text(error: agon_core::TextError) -> PyErr {
    NotationError::new_err(error.to_string())
}

/// The error for an agent that cannot be built.
pub(crate) fn bad_agent(error: impl std::fmt::Display) -> PyErr {
    AgentError::new_err(error.to_string())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("AgonError", py.get_type::<AgonError>())?;
    module.add("NotationError", py.get_type::<NotationError>())?;
    module.add("AgentError", py.get_type::<AgentError>())
}
