//! Workers on other machines, and the runs they play for.
//!
//! What they say about themselves comes over a broker, where strangers may be: texts are shortened
//! and made printable, numbers and lists are bounded, so that a page can show whatever arrives.

use std::collections::BTreeMap;

use agon_arena::fleet::{Abilities, Fleet, Playing, RunStatus, WorkerStatus};
use agon_core::printable;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::App;
use super::tournaments::blocking;
use crate::error::{ApiError, Code, ErrorBody};

/// How many workers and runs are listed; the totals count all of them.
const MOST_WORKERS: usize = 500;
const MOST_RUNS: usize = 100;
/// How many runs a worker may play for, and how many it may refuse.
const MOST_PLAYING: usize = 8;
const MOST_REFUSED: usize = 8;
/// How many warnings of a run are shown.
const MOST_WARNINGS: usize = 5;
/// The longest names and sentences, in characters.
const LONGEST_NAME: usize = 100;
const LONGEST_SENTENCE: usize = 400;
/// The largest numbers: pages can count that far.
const LARGEST: u64 = (1 << 53) - 1;
const FASTEST: f64 = 1e12;

/// Everyone who was there in the last seconds.
#[derive(Serialize, ToSchema)]
pub(crate) struct FleetView {
    /// The workers by name, but not more than a page can show.
    workers: Vec<WorkerView>,
    /// The runs that have a coordinator, likewise.
    runs: Vec<FleetRun>,
    /// All together.
    total: FleetTotal,
}

/// How many there are, and what they can do together.
#[derive(Serialize, ToSchema)]
pub(crate) struct FleetTotal {
    /// How many workers there are.
    workers: usize,
    /// How many runs there are.
    runs: usize,
    /// How many games can be played at a time.
    slots: u64,
    /// How many games end in an hour, as far as the last minutes tell.
    games_per_hour: f64,
}

/// A worker.
#[derive(Serialize, ToSchema)]
pub(crate) struct WorkerView {
    /// The same as long as its process lives.
    id: String,
    /// Its name for people.
    name: String,
    /// What it can do.
    abilities: WorkerAbilities,
    /// How many games it plays at a time.
    slots: u64,
    /// What it plays now.
    playing: Vec<WorkerGames>,
    /// How many games it has finished.
    games: u64,
    /// In how many of them an agent committed a fault.
    faults: u64,
    /// How often it had to give games back because of its own machine.
    troubles: u64,
    /// For how many seconds it has been there.
    seconds: u64,
    /// How many games it would finish in an hour, as far as the last minutes tell.
    games_per_hour: f64,
    /// Whether it takes no more games and will leave.
    leaving: bool,
    /// What it cannot play, and why.
    refused: Vec<WorkerRefusal>,
}

/// What a worker can do.
#[derive(Serialize, ToSchema)]
pub(crate) struct WorkerAbilities {
    /// The version of the program.
    version: String,
    /// The signature of its searches.
    signature: String,
    /// The number of cores.
    cores: u64,
    /// Memory in MiB.
    memory_mib: u64,
    /// How far it can isolate programs: `none`, `weak` or `sandbox`.
    isolation: String,
    /// Whether it runs programs that come from the network.
    takes_programs: bool,
    /// How many programs of its own it may run.
    own_programs: usize,
    /// How many nodes a second it searches on one core.
    speed: u64,
}

/// Games of one run that a worker is playing.
#[derive(Serialize, ToSchema)]
pub(crate) struct WorkerGames {
    /// The run.
    run: String,
    /// The run's name, if it has a coordinator.
    name: Option<String>,
    /// How many games there are.
    games: u64,
    /// For how many seconds it has been playing the oldest of them.
    seconds: u64,
}

/// What a worker cannot play.
#[derive(Serialize, ToSchema)]
pub(crate) struct WorkerRefusal {
    /// The run's name, if it is about a run that has a coordinator.
    name: Option<String>,
    /// Why, in words.
    reason: String,
}

/// A tournament, a match or a part of an experiment.
#[derive(Serialize, ToSchema)]
pub(crate) struct FleetRun {
    /// Its identifier on the broker.
    id: String,
    /// Its name for people.
    name: String,
    /// The tournament of this server with that name, if there is one.
    tournament: Option<String>,
    /// The machine and process of its coordinator.
    coordinator: String,
    /// How many games have been counted.
    done: u64,
    /// How many there are at most.
    games: u64,
    /// How many are queued or being played.
    waiting: u64,
    /// How many workers have returned games.
    workers: usize,
    /// How many seconds are left, if that is known.
    seconds_left: Option<u64>,
    /// How many messages were refused.
    refused: u64,
    /// What people should know, the newest first.
    warnings: Vec<String>,
}

/// Workers on other machines and the runs they play for, on servers started with `--nats`.
#[utoipa::path(get, path = "/api/workers", responses(
    (status = 200, body = FleetView), (status = 304, description = "nothing new"),
    (status = 404, body = ErrorBody, description = "this server watches no broker"),
    (status = 503, body = ErrorBody, description = "the broker is away (code `away`)")))]
pub async fn list(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let Some(lookout) = app.lookout.clone() else {
        return Err(ApiError::not_found("workers are shown by agon serve --nats URL"));
    };
    let (tournaments, alone) = (app.tournaments.clone(), app.alone);
    let make = blocking(move || {
        let fleet = lookout.fleet().map_err(|problem| match alone {
            true => ApiError::new(Code::Away, short(&problem, LONGEST_SENTENCE)),
            // Where the broker is, is nobody else's business.
            false => ApiError::new(Code::Away, "the broker cannot be reached"),
        })?;
        Ok(FleetView::new(&fleet, |name| tournaments.has(name)))
    });
    Ok(app.answers.get("workers".into(), make).await?.to(&headers))
}

impl FleetView {
    fn new(fleet: &Fleet, is_tournament: impl Fn(&str) -> bool) -> FleetView {
        let runs = &fleet.runs[..fleet.runs.len().min(MOST_RUNS)];
        let workers = &fleet.workers;
        let names: BTreeMap<&str, &str> =
            runs.iter().map(|run| (run.id.as_str(), run.name.as_str())).collect();
        let slots = workers.iter().map(|worker| worker.slots as u64);
        FleetView {
            total: FleetTotal {
                workers: workers.len(),
                runs: fleet.runs.len(),
                slots: count(slots.fold(0, u64::saturating_add)),
                games_per_hour: rate(workers.iter().map(|it| rate(it.games_per_hour)).sum()),
            },
            workers: workers
                .iter()
                .take(MOST_WORKERS)
                .map(|worker| WorkerView::new(worker, &names))
                .collect(),
            runs: runs.iter().map(|run| FleetRun::new(run, is_tournament(&run.name))).collect(),
        }
    }
}

impl WorkerView {
    fn new(worker: &WorkerStatus, names: &BTreeMap<&str, &str>) -> WorkerView {
        let named = |run: &str| names.get(run).map(|name| short(name, LONGEST_NAME));
        let refused = worker.refused.iter().take(MOST_REFUSED).map(|refusal| WorkerRefusal {
            name: named(&refusal.run),
            reason: short(&refusal.reason, LONGEST_SENTENCE),
        });
        let playing = by_run(&worker.playing).into_iter().take(MOST_PLAYING);
        let playing = playing.map(|(run, (games, seconds))| WorkerGames {
            run: short(run, LONGEST_NAME),
            name: named(run),
            games: count(games),
            seconds: count(seconds),
        });
        WorkerView {
            id: short(&worker.id, LONGEST_NAME),
            name: short(&worker.name, LONGEST_NAME),
            abilities: WorkerAbilities::new(&worker.abilities),
            slots: count(worker.slots as u64),
            playing: playing.collect(),
            games: count(worker.games),
            faults: count(worker.faults),
            troubles: count(worker.troubles),
            seconds: count(worker.seconds),
            games_per_hour: rate(worker.games_per_hour),
            leaving: worker.leaving,
            refused: refused.collect(),
        }
    }
}

impl WorkerAbilities {
    fn new(abilities: &Abilities) -> WorkerAbilities {
        WorkerAbilities {
            version: short(&abilities.version, LONGEST_NAME),
            signature: short(&abilities.signature, LONGEST_NAME),
            cores: count(abilities.cores as u64),
            memory_mib: count(abilities.memory_mib),
            isolation: short(&abilities.isolation, LONGEST_NAME),
            takes_programs: abilities.takes_programs,
            own_programs: abilities.programs.len(),
            speed: count(abilities.speed),
        }
    }
}

impl FleetRun {
    fn new(run: &RunStatus, is_tournament: bool) -> FleetRun {
        let warnings = run.warnings.iter().rev().take(MOST_WARNINGS);
        FleetRun {
            id: short(&run.id, LONGEST_NAME),
            name: short(&run.name, LONGEST_NAME),
            tournament: is_tournament.then(|| run.name.clone()),
            coordinator: short(&run.coordinator, LONGEST_NAME),
            done: count(run.done),
            games: count(run.games),
            waiting: count(run.waiting),
            workers: run.workers,
            seconds_left: run.seconds_left.map(count),
            refused: count(run.refused),
            warnings: warnings.map(|text| short(text, LONGEST_SENTENCE)).collect(),
        }
    }
}

/// The number of games of each run, and for how many seconds the oldest of them have been played.
fn by_run(playing: &[Playing]) -> BTreeMap<&str, (u64, u64)> {
    let mut runs: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for unit in playing {
        let (games, seconds) = runs.entry(&unit.run).or_default();
        *games = games.saturating_add(unit.games);
        *seconds = unit.seconds.max(*seconds);
    }
    runs
}

/// A text of at most so many characters, on one line.
fn short(text: &str, most: usize) -> String {
    let end = text.char_indices().nth(most).map(|(end, _)| end);
    let kept = printable(end.map_or(text, |end| &text[..end]));
    format!("{kept}{}", if end.is_some() { "…" } else { "" })
}

fn count(number: u64) -> u64 {
    number.min(LARGEST)
}

/// Games an hour, to a tenth.
fn rate(games: f64) -> f64 {
    if games.is_finite() { (games.clamp(0.0, FASTEST) * 10.0).round() / 10.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_and_steer_nothing() {
        assert_eq!(short("größer", 6), "größer");
        assert_eq!(short("größere", 6), "größer…");
        assert_eq!(short("a\nb\u{202e}", 9), "a\\nb\\u{202e}");
        assert_eq!(short("", 0), "");
    }

    #[test]
    fn numbers_are_bounded() {
        assert_eq!((count(7), count(u64::MAX)), (7, LARGEST));
        let rates = [1.26, -3.0, f64::NAN, f64::INFINITY, f64::MAX].map(rate);
        assert_eq!(rates, [1.3, 0.0, 0.0, 0.0, FASTEST]);
    }

    #[test]
    fn units_of_one_run_are_added_up() {
        let unit =
            |run: &str, games, seconds| Playing { run: run.into(), first: 0, games, seconds };
        let playing = [unit("a", 4, 2), unit("b", 1, 0), unit("a", 2, 9), unit("b", u64::MAX, 1)];
        let runs: Vec<_> = by_run(&playing).into_iter().collect();
        assert_eq!(runs, [("a", (6, 9)), ("b", (u64::MAX, 1))]);
    }
}
