//! What can go wrong, as Python exceptions with the same words as everywhere.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(agon, AgonError, PyValueError, "Whatever Agon refuses; the base of its errors.");
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
    "An agent's text that means nothing here; the message says what would be right."
);

/// The error for a text that could not be read.
pub fn bad_text(error: agon_core::TextError) -> PyErr {
    NotationError::new_err(error.to_string())
}

/// The error for an agent that cannot be made.
pub fn bad_agent(error: impl std::fmt::Display) -> PyErr {
    AgentError::new_err(error.to_string())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("AgonError", py.get_type::<AgonError>())?;
    module.add("NotationError", py.get_type::<NotationError>())?;
    module.add("AgentError", py.get_type::<AgentError>())
}
