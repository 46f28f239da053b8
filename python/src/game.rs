//! `agon.Game`: a variant, the source of positions.

use std::sync::Arc;

use agon_core::{Seat, Variant};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::errors::bad_text;
use crate::place::{self, Place};
use crate::position::{Position, player_number};

/// A game with its setup, by the text that names it everywhere: `Game("congo")`,
/// `Game("breakthrough:5x5")`, `Game("fauhalma:star3")`.
///
/// >>> import agon
/// >>> game = agon.Game("breakthrough:5x5")
/// >>> game
/// Game('breakthrough:5x5')
/// >>> game.players, game.player_names
/// ([1, -1], ['white', 'black'])
/// >>> len(game.start().actions())
/// 5
#[pyclass(frozen, module = "agon", weakref)]
pub struct Game {
    start: Arc<dyn Place>,
}

impl Game {
    pub fn of(place: &Arc<dyn Place>) -> Game {
        Game { start: place.start() }
    }
}

/// Opens a variant by its text.
pub fn open(variant: &str) -> PyResult<Arc<dyn Place>> {
    let variant: Variant = variant.parse().map_err(bad_text)?;
    place::open(&variant).map_err(bad_text)
}

#[pymethods]
impl Game {
    #[new]
    fn new(variant: &str) -> PyResult<Game> {
        Ok(Game { start: open(variant)? })
    }

    /// The variant in its canonical text.
    #[getter]
    fn variant(&self) -> String {
        self.start.variant().to_string()
    }

    /// The name of the game, without its setup.
    #[getter]
    fn name(&self) -> String {
        self.start.variant().game().to_string()
    }

    /// The players, in the order of their first turns: `[1, -1]` for two, `[1, 2, 3]` for three.
    #[getter]
    fn players(&self) -> Vec<i32> {
        let seats = self.start.seats();
        Seat::all(seats).map(|seat| player_number(seat, seats)).collect()
    }

    /// The names of the players, in the same order.
    #[getter]
    fn player_names(&self) -> Vec<&str> {
        Seat::all(self.start.seats()).map(|seat| self.start.seat_name(seat)).collect()
    }

    /// The names of the evaluations for `Position.evaluate`.
    #[getter]
    fn evaluations(&self) -> Vec<&'static str> {
        self.start.evaluations()
    }

    /// The start position.
    fn start(&self) -> Position {
        Position::new(self.start.clone())
    }

    /// The start position, by the textbook's name.
    #[getter]
    fn initial(&self) -> Position {
        self.start()
    }

    /// The position with this text, without a history.
    ///
    /// >>> import agon
    /// >>> position = agon.Game("breakthrough:5x5").from_text("5/3p1/2P2/5/5 w")
    /// >>> sorted(map(str, position.actions()))
    /// ['c3c4', 'c3d4']
    #[pyo3(name = "from_text")]
    fn read_position(&self, text: &str) -> PyResult<Position> {
        self.start.read_position(text).map(Position::new).map_err(bad_text)
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.start.variant())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Game>();
        other.is_ok_and(|other| other.get().start.variant() == self.start.variant())
    }

    fn __hash__(&self) -> u64 {
        self.start.hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().variant(),))
    }
}
