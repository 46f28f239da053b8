//! Searches, solving and perft, for the Python half of the package.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_core::{Leaves, Perft};
use agon_games::Table;
use agon_search::solver::text::{Answer, Question, SolveError, solve as solve_table};
use agon_search::solver::{Options, Solution};
use agon_search::{
    AgentError, AgentSpec, Budget, Choice, Iteration, Score, StopFlag, Time, adviser,
};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{AgonError, bad_agent, bad_text};
use crate::moves::Move;
use crate::place::{self, Place};
use crate::position::Position;
use crate::waiting::Work;

/// The limits of a search; invalid times are rejected.
fn budget(time: Option<f64>, depth: Option<u32>, nodes: Option<u64>) -> PyResult<Budget> {
    let time = match time {
        None => None,
        Some(seconds) => match Duration::try_from_secs_f64(seconds) {
            Ok(time) if time > Duration::ZERO => Some(Time::PerMove(time)),
            _ => {
                let error = format!("bad time {seconds}: expected seconds above 0, such as 1.0");
                return Err(PyValueError::new_err(error));
            }
        },
    };
    Ok(Budget { time, depth, nodes, stop: StopFlag::default() })
}

/// The same game on a table, as searches need it.
pub fn table(place: &Arc<dyn Place>) -> PyResult<Box<dyn Table>> {
    let (start, moves) = place::past(place);
    let custom = (!start.is_start()).then(|| start.text());
    agon_games::open_at(place.variant(), custom.as_deref(), &moves).map_err(bad_text)
}

fn refuse_finished(place: &Arc<dyn Place>) -> PyResult<()> {
    match place.reason() {
        Some(reason) => {
            Err(AgonError::new_err(format!("nothing to search: the game is over ({reason})")))
        }
        None => Ok(()),
    }
}

/// The moves of a line, each bound to the position it is played in.
fn line(place: &Arc<dyn Place>, texts: &[String]) -> PyResult<Vec<Move>> {
    let mut at = place.clone();
    let mut moves = Vec::with_capacity(texts.len());
    for text in texts {
        let number = at.read_move(text).map_err(bad_text)?;
        moves.push(Move::of(&at, number));
        at = at.play(number);
    }
    Ok(moves)
}

/// A score for Python: its value in units of the game, infinite if the result is forced; the plies
/// to the end; and its text.
fn score<'py>(dict: &Bound<'py, PyDict>, score: Option<Score>) -> PyResult<()> {
    let forced = score.and_then(Score::forced);
    let (value, plies) = match forced {
        Some(agon_search::Forced::WinIn(plies)) => (Some(f64::INFINITY), Some(plies)),
        Some(agon_search::Forced::LossIn(plies)) => (Some(f64::NEG_INFINITY), Some(plies)),
        None => (score.map(|score| f64::from(score.value()) / 100.0), None),
    };
    dict.set_item("score", value)?;
    dict.set_item("plies_to_end", plies)?;
    dict.set_item("score_text", score.map(|score| score.to_string()))
}

enum Message {
    Iteration(Iteration<String>),
    Done(Result<Option<Choice<String>>, AgentError>),
}

/// A running search. `next()` returns what it finds: a dict for every iteration and, finally, one
/// with the result.
#[pyclass(frozen, module = "agon._native")]
pub struct Search {
    place: Arc<dyn Place>,
    work: Work<Message>,
    /// Whether the result has been returned.
    over: Mutex<bool>,
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (position, agent, time=None, depth=None, nodes=None, seed=0))]
    fn new(
        position: &Bound<'_, Position>,
        agent: &str,
        time: Option<f64>,
        depth: Option<u32>,
        nodes: Option<u64>,
        seed: u64,
    ) -> PyResult<Search> {
        let place = position.get().place().clone();
        refuse_finished(&place)?;
        let spec: AgentSpec = agent.parse().map_err(bad_agent)?;
        let (table, budget) = (table(&place)?, budget(time, depth, nodes)?);
        // Checked here, where the error message is useful.
        adviser(&*table, &spec, seed).map_err(bad_agent)?;
        let work = Work::begin(budget.stop.clone(), move |send| {
            let answer = adviser(&*table, &spec, seed).map(|mut agent| {
                agent.choose(&*table, &budget, &mut |iteration| {
                    send(Message::Iteration(iteration.clone()));
                })
            });
            send(Message::Done(answer));
        });
        Ok(Search { place, work, over: Mutex::new(false) })
    }

    /// The next message as a dict; None after the result.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        if *self.lock_over() {
            return Ok(None);
        }
        match self.work.next(py)? {
            Message::Iteration(iteration) => self.iteration(py, &iteration).map(Some),
            Message::Done(answer) => {
                *self.lock_over() = true;
                let choice = answer.map_err(bad_agent)?;
                let none = || AgonError::new_err("the agent found no move");
                self.answer(py, &choice.ok_or_else(none)?).map(Some)
            }
        }
    }

    /// Asks the search to stop soon; it still returns a result.
    fn stop(&self) {
        self.work.stop();
    }
}

impl Search {
    fn lock_over(&self) -> std::sync::MutexGuard<'_, bool> {
        self.over.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn iteration<'py>(
        &self,
        py: Python<'py>,
        iteration: &Iteration<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("kind", "iteration")?;
        dict.set_item("depth", iteration.depth)?;
        dict.set_item("rank", iteration.rank)?;
        score(&dict, Some(iteration.score))?;
        dict.set_item("line", line(&self.place, &iteration.pv)?)?;
        dict.set_item("nodes", iteration.nodes)?;
        dict.set_item("seconds", iteration.time.as_secs_f64())?;
        Ok(dict)
    }

    fn answer<'py>(
        &self,
        py: Python<'py>,
        choice: &Choice<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("kind", "answer")?;
        let number = self.place.read_move(&choice.mv).map_err(bad_text)?;
        dict.set_item("move", Bound::new(py, Move::of(&self.place, number))?)?;
        score(&dict, choice.score)?;
        dict.set_item("line", line(&self.place, &choice.pv)?)?;
        let of = &choice.statistics;
        let statistics = PyDict::new(py);
        statistics.set_item("nodes", of.nodes)?;
        statistics.set_item("expanded", of.expanded)?;
        statistics.set_item("depth", of.depth)?;
        statistics.set_item("seconds", of.time.as_secs_f64())?;
        statistics.set_item("cutoffs", of.cutoffs)?;
        statistics.set_item("first_move_cutoffs", of.first_move_cutoffs)?;
        statistics.set_item("evaluations", of.evaluations)?;
        statistics.set_item("iterations", of.iterations)?;
        statistics.set_item("effective_branching_factor", of.effective_branching_factor())?;
        dict.set_item("statistics", statistics)?;
        Ok(dict)
    }
}

/// The exact value of a position, as a dict.
#[pyfunction]
#[pyo3(signature = (position, time, nodes, all_moves, hash_mib, threads))]
fn solve<'py>(
    position: &Bound<'py, Position>,
    time: Option<f64>,
    nodes: Option<u64>,
    all_moves: bool,
    hash_mib: usize,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let (py, place) = (position.py(), position.get().place());
    let (table, budget) = (table(place)?, budget(time, None, nodes)?);
    let question = Question { all_moves, ..Question::default() };
    let options = Options { hash_mib, threads };
    let work = Work::begin(budget.stop.clone(), move |send| {
        send(solve_table(&*table, &budget, &options, question, &mut |_| {}));
    });
    let answer = work.next(py)?.map_err(|error| match error {
        SolveError::Input(problem) => AgonError::new_err(problem),
        SolveError::Memory(problem) => PyMemoryError::new_err(problem),
    })?;
    let Answer { solution, moves, .. } = answer;
    let dict = solved(py, place, &solution)?;
    let each = PyDict::new(py);
    for (text, mut solution) in moves {
        let number = place.read_move(&text).map_err(bad_text)?;
        solution.best = Some(text);
        each.set_item(Bound::new(py, Move::of(place, number))?, solved(py, place, &solution)?)?;
    }
    dict.set_item("moves", each)?;
    Ok(dict)
}

fn solved<'py>(
    py: Python<'py>,
    place: &Arc<dyn Place>,
    solution: &Solution<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("value", solution.value.map(|value| value.to_string()))?;
    dict.set_item("distance", solution.distance)?;
    let best = match &solution.best {
        Some(text) => {
            let number = place.read_move(text).map_err(bad_text)?;
            Some(Bound::new(py, Move::of(place, number))?)
        }
        None => None,
    };
    dict.set_item("move", best)?;
    dict.set_item("line", line(place, &solution.line)?)?;
    dict.set_item("nodes", solution.nodes)?;
    dict.set_item("seconds", solution.time.as_secs_f64())?;
    Ok(dict)
}

/// The numbers of move sequences of `depth` plies, separately for every first move.
#[pyfunction]
fn perft<'py>(
    position: &Bound<'py, Position>,
    depth: u32,
    threads: usize,
    hash_mib: usize,
) -> PyResult<Vec<(Bound<'py, Move>, u64)>> {
    let (py, place) = (position.py(), position.get().place().clone());
    let perft = Perft { leaves: Leaves::Counted, threads: threads.max(1), hash_mib };
    let stop = StopFlag::default();
    let counting = (place.clone(), stop.clone());
    let work = Work::begin(stop, move |send| {
        let (place, stop) = counting;
        send(place.perft(&perft, depth, &|_, _| !stop.is_set()));
    });
    let counts = work.next(py)?.unwrap_or_default();
    let named = |(number, count)| Ok((Bound::new(py, Move::of(&place, number))?, count));
    counts.into_iter().map(named).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Search>()?;
    module.add_function(wrap_pyfunction!(solve, module)?)?;
    module.add_function(wrap_pyfunction!(perft, module)?)
}
