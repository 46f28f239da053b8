//! Python objects as players of a match: programs that happen to live in this process.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_arena::clock::Clock;
use agon_arena::player::{Breach, NoAnswer};
use agon_arena::remote::{Outside, Question, Remote, Reply};
use agon_arena::verdict::Fault;
use agon_core::{Seat, Variant};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::moves::Move;
use crate::place::{self, Place};
use crate::position::{Position, player_number};

/// Makes players for games: a Python callable that takes the number of the player and returns
/// another callable, which is called with the position and the seconds left.
pub struct PythonAgent {
    factory: Arc<Py<PyAny>>,
}

impl PythonAgent {
    pub fn new(factory: Bound<'_, PyAny>) -> PythonAgent {
        PythonAgent { factory: Arc::new(factory.unbind()) }
    }
}

impl fmt::Debug for PythonAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PythonAgent")
    }
}

impl Outside for PythonAgent {
    fn check(&self, _: &Variant) -> Result<(), String> {
        Ok(())
    }

    /// There is one interpreter, and the objects need not be thread-safe.
    fn plays_one_game(&self) -> bool {
        true
    }

    fn start(&self, variant: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        let start =
            place::open(variant).map_err(|error| Breach::new(Fault::NoStart, error.to_string()))?;
        let game = Followed { place: start.clone(), custom: None, moves: Vec::new() };
        Ok(Box::new(PythonPlayer { factory: self.factory.clone(), player: None, start, game }))
    }
}

/// A player that plays one game after the other.
struct PythonPlayer {
    factory: Arc<Py<PyAny>>,
    /// The player of the current game.
    player: Option<Py<PyAny>>,
    start: Arc<dyn Place>,
    game: Followed,
}

/// The game so far.
struct Followed {
    place: Arc<dyn Place>,
    custom: Option<String>,
    moves: Vec<String>,
}

impl PythonPlayer {
    /// The position of a question. Only new moves are played.
    fn follow(&mut self, question: &Question<'_>) -> Result<Arc<dyn Place>, String> {
        let goes_on = self.game.custom.as_deref() == question.start
            && question.moves.starts_with(&self.game.moves);
        if !goes_on {
            let custom = question.start.map(str::to_string);
            let place = match &custom {
                Some(text) => self.start.read_position(text).map_err(|error| error.to_string())?,
                None => self.start.clone(),
            };
            self.game = Followed { place, custom, moves: Vec::new() };
        }
        for text in &question.moves[self.game.moves.len()..] {
            let number = self.game.place.read_move(text).map_err(|error| error.to_string())?;
            self.game.place = self.game.place.clone().play(number);
            self.game.moves.push(text.clone());
        }
        Ok(self.game.place.clone())
    }
}

impl Remote for PythonPlayer {
    fn new_game(&mut self, seat: Seat) -> Result<(), NoAnswer> {
        let number = player_number(seat, self.start.seats());
        let made = Python::attach(|py| {
            let made = self.factory.bind(py).call1((number,));
            made.map(Bound::unbind).map_err(|error| traceback(py, &error))
        });
        self.player = Some(made.map_err(|evidence| Breach::new(Fault::NoStart, evidence))?);
        Ok(())
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Reply, NoAnswer> {
        let place = self.follow(question).map_err(|what| Breach::new(Fault::Crash, what))?;
        let remaining = remaining(question);
        let Some(player) = &self.player else {
            return Err(Breach::new(Fault::NoStart, "no game was started").into());
        };
        let (answer, time) = Python::attach(|py| {
            let asked = Instant::now();
            let answer = player.bind(py).call1((Position::new(place.clone()), remaining));
            let time = asked.elapsed();
            (read_answer(py, &place, answer), time)
        });
        Ok(Reply::silent(answer?, time))
    }

    fn last_lines(&self) -> String {
        String::new()
    }

    fn leave(self: Box<Self>, _: Duration) -> Result<(), Breach> {
        Python::attach(|_| drop(self));
        Ok(())
    }
}

/// The seconds left for the game, or for this move; infinite if there is no limit.
fn remaining(question: &Question<'_>) -> f64 {
    let clock = question.clocks.get(question.seat.index()).and_then(Clock::remaining);
    let time = clock.or(question.pace.time.per_move);
    time.map_or(f64::INFINITY, |time| time.as_secs_f64())
}

/// The notation of what a player returned: a move, its notation, or the word `resign`.
fn read_answer(
    py: Python<'_>,
    place: &Arc<dyn Place>,
    answer: PyResult<Bound<'_, PyAny>>,
) -> Result<String, Breach> {
    let answer = answer.map_err(|error| Breach::new(Fault::Crash, traceback(py, &error)))?;
    let text = match answer.cast::<Move>() {
        Ok(mv) => Some(mv.get().text(py).clone()),
        Err(_) => answer.cast::<PyString>().ok().cloned(),
    };
    let text = text.and_then(|text| text.to_cow().ok().map(|text| text.into_owned()));
    text.ok_or_else(|| {
        let shown = answer.repr().and_then(|text| Ok(text.to_cow()?.into_owned()));
        let shown: String =
            shown.unwrap_or_else(|_| "something".into()).chars().take(200).collect();
        let position = place.text();
        let expected = "expected a Move of the position, its notation or \"resign\"";
        Breach::new(Fault::IllegalMove, format!("returned {shown} in {position}: {expected}"))
    })
}

/// An exception as Python would print it.
fn traceback(py: Python<'_>, error: &PyErr) -> String {
    let format = || -> PyResult<String> {
        let lines = py.import("traceback")?.call_method1(
            "format_exception",
            (error.get_type(py), error.value(py), error.traceback(py)),
        )?;
        PyString::new(py, "").call_method1("join", (lines,))?.extract()
    };
    format().unwrap_or_else(|_| error.to_string())
}
