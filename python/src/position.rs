//! `agon.Position`: a position of a game.

use std::borrow::Cow;
use std::sync::Arc;

use agon_core::Seat;
use agon_core::scene::CellId;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::errors::bad_text;
use crate::game::{self, Game};
use crate::moves::{Move, number_of};
use crate::place::{self, Place};

/// A position: immutable, hashable, comparable and picklable, with the names of the textbook.
///
/// Two positions of the same variant are equal if their texts are, whatever moves led there. The
/// history counts only where the rules depend on it: a position repeated too often is a draw.
///
/// >>> import agon
/// >>> position = agon.Game("congo").start()
/// >>> position.to_move()
/// 1
/// >>> after = position.result("d2d3")
/// >>> after.to_move(), after.is_terminal(), after.utility(1)
/// (-1, False, 0.0)
/// >>> after.played
/// [Move('d2d3')]
/// >>> after == position.result("d2d3")
/// True
#[pyclass(frozen, module = "agon", weakref)]
pub struct Position {
    place: Arc<dyn Place>,
}

impl Position {
    pub fn new(place: Arc<dyn Place>) -> Position {
        Position { place }
    }

    pub fn place(&self) -> &Arc<dyn Place> {
        &self.place
    }

    fn cell_names(&self, cells: &[CellId]) -> Vec<String> {
        let known = self.place.scene().cells;
        cells.iter().map(|&cell| known[cell].name.clone()).collect()
    }

    fn seat(&self, player: &Bound<'_, PyAny>) -> PyResult<Seat> {
        let seats = self.place.seats();
        let known = |is: &dyn Fn(Seat) -> bool| Seat::all(seats).find(|&seat| is(seat));
        let found = if let Ok(name) = player.cast::<PyString>() {
            let name = name.to_cow()?;
            known(&|seat| self.place.seat_name(seat) == name)
        } else if let Ok(number) = player.extract::<i32>() {
            known(&|seat| player_number(seat, seats) == number)
        } else {
            let kind = player.get_type().name()?;
            return Err(PyTypeError::new_err(format!("expected a player, found {kind}")));
        };
        found.ok_or_else(|| {
            let one =
                |seat| format!("{} ({:?})", player_number(seat, seats), self.place.seat_name(seat));
            let players: Vec<String> = Seat::all(seats).map(one).collect();
            let list = players.join(" or ");
            PyValueError::new_err(format!("no such player: {player}; expected {list}"))
        })
    }
}

/// The number of a player: 1 and −1 with two players, so that the other one is `-player`; 1, 2, 3 …
/// with more.
pub(crate) fn player_number(seat: Seat, seats: usize) -> i32 {
    match seats {
        2 if seat == Seat::SECOND => -1,
        _ => seat.index() as i32 + 1,
    }
}

/// A position from the start of its game and the moves since: used for unpickling.
#[pyfunction]
fn restore(variant: &str, start: Option<&str>, moves: Vec<String>) -> PyResult<Position> {
    let mut place = game::open(variant)?;
    if let Some(text) = start {
        place = place.read_position(text).map_err(bad_text)?;
    }
    for text in moves {
        let number = place.read_move(&text).map_err(bad_text)?;
        place = place.play(number);
    }
    Ok(Position { place })
}

#[pymethods]
impl Position {
    /// Whose turn it is: 1 or -1 with two players, 1, 2, 3 … with more; 0 when the game is over.
    fn to_move(&self) -> i32 {
        let seats = self.place.seats();
        self.place.turn().map_or(0, |seat| player_number(seat, seats))
    }

    /// The legal moves, always in the same order; none when the game is over.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.place.clone().actions(py)
    }

    /// The position after a move, given as a `Move` or by its notation.
    fn result(&self, action: &Bound<'_, PyAny>) -> PyResult<Position> {
        let number = number_of(&self.place, action)?;
        Ok(Position { place: self.place.clone().play(number) })
    }

    /// Whether the game is over.
    fn is_terminal(&self) -> bool {
        self.place.turn().is_err()
    }

    /// The value of the result to a player: 1 for a win, -1 for a loss, 0 for a draw, and in
    /// between where a game gives points; 0 while it goes on. A player is given by number or name.
    fn utility(&self, player: &Bound<'_, PyAny>) -> PyResult<f64> {
        let seat = self.seat(player)?;
        let half = f64::from(agon_core::outcome::WIN) / 2.0;
        let worth = |ended: agon_core::Ended| f64::from(ended.outcome.points()[seat]) / half - 1.0;
        Ok(self.place.turn().map_or_else(worth, |_| 0.0))
    }

    /// Why the game is over, in words; None while it goes on.
    #[getter]
    fn reason(&self) -> Option<Cow<'static, str>> {
        self.place.reason()
    }

    /// The points of all players when the game is over, 0 to 100; None while it goes on.
    #[getter]
    fn points(&self) -> Option<Vec<u32>> {
        let ended = self.place.turn().err()?;
        Some(ended.outcome.points().as_slice().iter().copied().map(u32::from).collect())
    }

    /// The name of the player to move; None when the game is over.
    #[getter]
    fn player_name(&self) -> Option<&str> {
        self.place.turn().ok().map(|seat| self.place.seat_name(seat))
    }

    /// The position as text; `Game.from_text` reads it.
    #[getter]
    fn text(&self) -> String {
        self.place.text()
    }

    /// The game it belongs to.
    #[getter]
    fn game(&self) -> Game {
        Game::of(&self.place)
    }

    /// How many moves led here.
    #[getter]
    fn ply(&self) -> usize {
        self.place.plies()
    }

    /// The position before the last move; None at the beginning.
    #[getter]
    fn parent(&self) -> Option<Position> {
        self.place.before().map(|(place, _)| Position { place })
    }

    /// The move that led here; None at the beginning.
    #[getter]
    fn last_move(&self) -> Option<Move> {
        self.place.before().map(|(place, number)| Move::of(&place, number))
    }

    /// The moves that led here, in order.
    #[getter]
    fn played(&self) -> Vec<Move> {
        let (mut at, mut moves) = (self.place.clone(), Vec::new());
        while let Some((before, number)) = at.before() {
            moves.push(Move::of(&before, number));
            at = before;
        }
        moves.reverse();
        moves
    }

    /// What the player to move is asked to do, where it is not an ordinary turn.
    #[getter]
    fn guide(&self) -> Option<String> {
        self.place.guide()
    }

    /// A legal move from its notation, in any spelling that the game reads.
    fn read(&self, text: &str) -> PyResult<Move> {
        let number = self.place.read_move(text).map_err(bad_text)?;
        Ok(Move::of(&self.place, number))
    }

    /// The cells a legal move goes through, from the first to the last: what to click on the board.
    /// A move that places a piece has one: where the piece comes to stand.
    ///
    /// >>> import agon
    /// >>> agon.Game("congo").start().route("d2d3")
    /// ['d2', 'd3']
    fn route(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let trace = self.place.trace(number_of(&self.place, action)?);
        Ok(self.cell_names(trace.routes.first().map_or(&[], |route| route)))
    }

    /// The cells whose pieces leave the board by a legal move.
    fn removes(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
        let trace = self.place.trace(number_of(&self.place, action)?);
        Ok(self.cell_names(&trace.removes))
    }

    /// The value of an evaluation for the player to move, in hundredths; 0 when the game is over.
    /// `Game.evaluations` lists the names.
    #[pyo3(signature = (name = "simple"))]
    fn evaluate(&self, name: &str) -> PyResult<i32> {
        let names = self.place.evaluations();
        if !names.contains(&name) {
            let list = names.join(", ");
            let error = format!("no evaluation {name:?}; expected one of: {list}");
            return Err(PyValueError::new_err(error));
        }
        Ok(self.place.evaluate(name).unwrap_or(0))
    }

    /// The board as a picture; notebooks show it.
    fn _repr_svg_(&self) -> String {
        let place = &self.place;
        let seats: Vec<&str> = Seat::all(place.seats()).map(|seat| place.seat_name(seat)).collect();
        let last = place.before().map(|(before, number)| before.trace(number));
        agon_picture::svg(&place.scene(), &seats, last.as_ref())
    }

    fn __str__(&self) -> String {
        self.place.text()
    }

    fn __repr__(&self) -> String {
        format!("<Position of {}: {}>", self.place.variant(), self.place.text())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Position>();
        other.is_ok_and(|other| self.place.is_same(&*other.get().place))
    }

    fn __hash__(&self) -> u64 {
        self.place.hash()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    #[expect(clippy::type_complexity, reason = "it is the form that pickle asks for")]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, Option<String>, Vec<String>))> {
        let restore = slf.py().import("agon._native")?.getattr("restore")?;
        let (start, moves) = place::past(slf.get().place());
        let custom = (!start.is_start()).then(|| start.text());
        Ok((restore, (start.variant().to_string(), custom, moves)))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Position>()?;
    module.add_function(wrap_pyfunction!(restore, module)?)
}
