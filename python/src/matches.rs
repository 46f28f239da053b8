//! Matches, and games that were stored.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_arena::clock::read_duration;
use agon_arena::estimate::Estimate;
use agon_arena::fixture::whole_groups;
use agon_arena::remote::Settings;
use agon_arena::store::export::{ExportedGame, Known};
use agon_arena::store::{Entrant, Filter, Series, SeriesId, SeriesKind, Store, StoreError};
use agon_arena::tournament::fitting;
use agon_arena::tournament::ledger::AgentTotals;
use agon_arena::tournament::run::Run;
use agon_arena::{Agent, Conclusion, Match, News, Openings, Pace, TimeControl, words};
use agon_core::{Seat, Variant};
use agon_games::Catalog;
use agon_search::StopFlag;
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::errors::{AgonError, bad_agent, bad_text};
use crate::place;
use crate::players::PythonAgent;
use crate::waiting::Work;

/// A parsed and checked request.
struct Plan {
    setup: Match,
    store: PathBuf,
    stop: StopFlag,
}

/// What a match sends while it runs, and at its end.
enum Message {
    /// A game is over: its record, as JSON.
    Game(String),
    Over(Box<Result<Run, String>>),
}

/// Plays a match. `players` are agents' texts, or a name and a factory for Python objects;
/// `on_game` is called with the record of every game, as JSON.
#[pyfunction]
#[pyo3(signature = (variant, players, games, time, move_time, depth, nodes, openings, seed,
                    concurrency, store, on_game))]
#[expect(clippy::too_many_arguments, reason = "named on the Python side")]
fn play_match<'py>(
    py: Python<'py>,
    variant: &str,
    players: &Bound<'py, PyList>,
    games: u64,
    time: Option<&str>,
    move_time: Option<&str>,
    depth: Option<u32>,
    nodes: Option<u64>,
    openings: &str,
    seed: u64,
    concurrency: Option<usize>,
    store: PathBuf,
    on_game: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let bad = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    let variant: Variant = variant.parse().map_err(bad_text)?;
    place::open(&variant).map_err(bad_text)?;
    let agents: Vec<Agent> =
        players.iter().map(|player| agent(&player)).collect::<PyResult<_>>()?;
    let game = time.map(str::parse).transpose().map_err(|error| bad(&error))?;
    let per_move = move_time.map(read_duration).transpose().map_err(|error| bad(&error))?;
    let pace = Pace { time: TimeControl { game, per_move }, depth, nodes };
    let openings: Openings = openings.parse().map_err(|error| bad(&error))?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let concurrency = fitting(processors, &agents, concurrency.or(Some(1)), false);
    let games = whole_groups(games, agents.len());
    let (catalog, sprt, replay_disturbed) = (Catalog::built_in(), None, false);
    let setup = Match {
        catalog,
        variant,
        agents,
        games,
        pace,
        openings,
        seed,
        concurrency,
        sprt,
        replay_disturbed,
        reference_speed: None,
    };
    let names: Vec<String> = setup.agents.iter().map(ToString::to_string).collect();
    let plan = Plan { setup, store, stop: StopFlag::default() };
    let work = Work::begin(plan.stop.clone(), move |send| {
        send(Message::Over(Box::new(play(&plan, &|json| send(Message::Game(json))))));
    });
    loop {
        match work.next(py)? {
            Message::Game(json) => drop(on_game.call1((json,)).inspect_err(|_| work.stop())?),
            Message::Over(run) => return results(py, &names, &run.map_err(AgonError::new_err)?),
        }
    }
}

/// An agent from its text or from a name and a factory.
fn agent(player: &Bound<'_, PyAny>) -> PyResult<Agent> {
    if let Ok(text) = player.cast::<PyString>() {
        // Agents in files are run by our own interpreter, which has the package.
        let python: Option<String> = player.py().import("sys")?.getattr("executable")?.extract()?;
        let registry = agon_wire::registry(python.as_deref().filter(|path| !path.is_empty()));
        let agent = registry.agent(&text.to_cow()?, &Settings::default());
        return agent.map_err(bad_agent);
    }
    let Ok((name, factory)) = player.extract::<(String, Bound<'_, PyAny>)>() else {
        return Err(PyTypeError::new_err("expected an agent's text, or a name and a factory"));
    };
    Ok(Agent::outside(name, 1, Box::new(PythonAgent::new(factory))))
}

fn play(plan: &Plan, tell: &dyn Fn(String)) -> Result<Run, String> {
    let store = Store::open(&plan.store).map_err(|error| error.to_string())?;
    let series = series_of(&plan.setup);
    let seat_names = seat_names(&plan.setup.variant.to_string());
    let mut news = |news: News<'_>| {
        if let News::Game { game, .. } = news
            && let Some(game) = &game.stored
        {
            let entry = ExportedGame { series: &series, game, seat_names: &seat_names };
            tell(entry.json().unwrap_or_default());
        }
    };
    plan.setup.play(Some(&store), &plan.stop, &mut news).map_err(|error| error.to_string())
}

/// The series as needed by the records of its games; the store assigns its number.
fn series_of(setup: &Match) -> Series {
    Series {
        id: SeriesId(0),
        kind: SeriesKind::Match,
        name: String::new(),
        plan: String::new(),
        seed: setup.seed,
        entrants: setup.agents.iter().map(|agent| Entrant::agent(agent.text())).collect(),
        started_at: 0,
        finished_at: None,
        members: Vec::new(),
        file: None,
        hosting: None,
    }
}

/// The names of a variant's seats; empty if the variant is not known any more.
fn seat_names(variant: &str) -> Vec<String> {
    let place = variant.parse().ok().and_then(|variant| place::open(&variant).ok());
    let names = place.map(|place| {
        Seat::all(place.seats()).map(|seat| place.seat_name(seat).to_string()).collect()
    });
    names.unwrap_or_default()
}

fn results<'py>(py: Python<'py>, names: &[String], run: &Run) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let rows = names.iter().zip(run.ledger.agents()).map(|(name, totals)| row(py, name, totals));
    dict.set_item("rows", rows.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("stopped", !run.is_over)?;
    let verdict = Conclusion::of(&run.ledger, None);
    dict.set_item("verdict", verdict.map(|it| it.sentence(names)))?;
    let reasons: BTreeMap<&str, u64> = run.ledger.reasons().into_iter().collect();
    dict.set_item("reasons", reasons)?;
    dict.set_item("mean_plies", run.ledger.mean_plies())?;
    Ok(dict)
}

fn row<'py>(py: Python<'py>, name: &str, totals: &AgentTotals) -> PyResult<Bound<'py, PyDict>> {
    let (results, points, elo) = (totals.results, totals.mean_points(), totals.elo());
    let dict = PyDict::new(py);
    dict.set_item("agent", name)?;
    dict.set_item("wins", results.wins)?;
    dict.set_item("draws", results.draws)?;
    dict.set_item("losses", results.losses)?;
    dict.set_item("points", points.map(|mean| mean.value))?;
    dict.set_item("points_low", points.map(|mean| mean.low))?;
    dict.set_item("points_high", points.map(|mean| mean.high))?;
    dict.set_item("elo", elo.map(|elo| elo.value))?;
    dict.set_item("elo_error", elo.map(|elo| elo.error()))?;
    dict.set_item("faults", results.faults)?;
    dict.set_item("moves", totals.effort.moves)?;
    dict.set_item("seconds_per_move", totals.effort.seconds_per_move())?;
    dict.set_item("nodes_per_move", totals.effort.nodes_per_move())?;
    Ok(dict)
}

/// Stored games as lines of JSON, the newest first.
#[pyfunction]
fn stored_games(
    py: Python<'_>,
    folder: PathBuf,
    agent: Option<String>,
    variant: Option<String>,
    series: Option<i64>,
    limit: usize,
) -> PyResult<Vec<String>> {
    let series = series.map(SeriesId);
    let filter = Filter { series, agent, variant, ..Filter::default() };
    let read = || -> Result<Vec<String>, StoreError> {
        let store = Store::open_read_only(&folder)?;
        let mut known = Known::new(&store, &seat_names);
        let games = store.list_games(&filter, limit, 0)?;
        let json = |(series, game): &(SeriesId, _)| {
            known.entry(*series, game).map(|entry| entry.json().unwrap_or_default())
        };
        games.iter().map(json).collect()
    };
    py.detach(read).map_err(|error| PyOSError::new_err(error.to_string()))
}

/// A score as everywhere in Agon: `62.5 % (54.1–70.2)`.
#[pyfunction]
fn score_text(points: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    let known = points.zip(low).zip(high);
    known.map_or(String::new(), |((value, low), high)| words::score(Estimate { value, low, high }))
}

/// Elo as everywhere in Agon: `+35 ± 20`.
#[pyfunction]
fn elo_text(elo: Option<f64>, error: Option<f64>) -> String {
    let text = |(value, error): (f64, f64)| {
        words::elo(Estimate { value, low: value - error, high: value + error })
    };
    elo.zip(error).map_or(String::new(), text)
}

/// Where games are kept: as AGON_DATA says, or where the system keeps such data.
#[pyfunction]
fn data_folder() -> PyResult<PathBuf> {
    let none = || PyOSError::new_err("no data folder: set AGON_DATA or give a folder");
    agon_arena::data::folder().ok_or_else(none)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(play_match, module)?)?;
    module.add_function(wrap_pyfunction!(stored_games, module)?)?;
    module.add_function(wrap_pyfunction!(score_text, module)?)?;
    module.add_function(wrap_pyfunction!(elo_text, module)?)?;
    module.add_function(wrap_pyfunction!(data_folder, module)?)
}
