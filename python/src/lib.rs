//! The native half of the Python package `agon`: `agon._native`. What a person imports, with its
//! documentation and types, is in `agon/`.

mod errors;
mod fenix;
mod game;
mod moves;
mod place;
mod position;

use pyo3::prelude::*;

/// The native half of the package; import `agon` instead.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::register(module)?;
    fenix::register(module)?;
    module.add_class::<game::Game>()?;
    module.add_class::<moves::Move>()?;
    position::register(module)
}
