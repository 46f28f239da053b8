//! The native half of the Python package `agon`: `agon._native`. What a person imports, with its
//! documentation and types, is in `agon/`.

mod errors;
mod fenix;
mod game;
mod matches;
mod moves;
mod place;
mod players;
mod position;
mod search;
mod waiting;

use pyo3::prelude::*;

/// The native half of the package; import `agon` instead.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::register(module)?;
    fenix::register(module)?;
    module.add_class::<game::Game>()?;
    module.add_class::<moves::Move>()?;
    position::register(module)?;
    search::register(module)?;
    matches::register(module)
}
