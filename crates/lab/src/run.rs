//! Does what is missing of an experiment.
//!
//! Games go through the arena's runner and store, one meeting after another, each on as many cores
//! as keep clocks honest. Measurements come first, alone on the machine. Everything is stored as it
//! ends, so an experiment resumes after any interruption where it was.

mod estimate;

use std::path::absolute;
use std::thread::available_parallelism;
use std::time::Duration;

use agon_arena::agent::AgentKind;
use agon_arena::store::{Store, StoreError};
use agon_arena::tournament::run::{News, RunError, run_on};
use agon_arena::tournament::{Tournament, fitting};
use agon_arena::workers::{LocalWorkers, Workers};
use agon_search::StopFlag;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::experiment::Experiment;
use crate::measure::{self, MeasureError};
use crate::unit::{Build, Unit, Work, tournament, units};
use estimate::Outlook;

/// Why an experiment cannot go on. What was done so far is in the store.
#[derive(thiserror::Error, Debug)]
pub enum LabError {
    /// Games cannot be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something cannot be measured.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// A program cannot be started.
    #[error("{agent} cannot be started: {evidence}")]
    NeverStarts {
        /// Its name.
        agent: String,
        /// The last failure, in words.
        evidence: String,
    },
    /// A result cannot be written as text.
    #[error("cannot write a measurement: {0}")]
    Json(#[from] serde_json::Error),
}

/// The machine, and how much of it may be used.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The number of cores.
    pub cores: usize,
    /// How many games at a time, if not as many as fit.
    pub concurrency: Option<usize>,
    /// Whether stored games that a busy machine disturbed are played again.
    pub replay_disturbed: bool,
}

impl Setup {
    /// This machine, all of it.
    pub fn here() -> Setup {
        let cores = available_parallelism().map_or(1, usize::from);
        Setup { cores, concurrency: None, replay_disturbed: false }
    }
}

/// How far an experiment is.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// What is being done, in a few words.
    pub now: String,
    /// How many games are stored.
    pub games: u64,
    /// Of how many; where tests may end earlier, at most.
    pub of_games: u64,
    /// How many measurements are stored.
    pub measurements: u64,
    /// Of how many.
    pub of_measurements: u64,
    /// How long the rest takes, as far as games and measurements so far tell.
    pub left: Duration,
}

/// Where and when something was run, for the report.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Machine {
    /// The processor, by its own name.
    pub processor: String,
    /// The number of cores.
    pub cores: usize,
    /// The operating system.
    pub system: String,
}

impl Machine {
    /// This machine.
    pub fn here() -> Machine {
        let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpu.lines().find_map(|line| line.strip_prefix("model name"));
        let model = model.map(|rest| rest.trim_start_matches([' ', '\t', ':']).to_string());
        Machine {
            processor: model.unwrap_or_else(|| std::env::consts::ARCH.to_string()),
            cores: available_parallelism().map_or(1, usize::from),
            system: std::env::consts::OS.to_string(),
        }
    }
}

/// The name under which the machine of an experiment is stored.
pub(crate) fn machine_name(experiment: &str) -> String {
    format!("machine:{experiment}")
}

/// Makes workers elsewhere for a meeting; `None` if it is played here.
pub type Elsewhere<'a> = &'a dyn Fn(&Tournament) -> Option<Result<Box<dyn Workers>, RunError>>;

/// For [`run`]: everything is played here.
pub fn here(_: &Tournament) -> Option<Result<Box<dyn Workers>, RunError>> {
    None
}

/// Does what is missing and reports its progress. `false` if it was stopped. Games are played by the
/// workers of `elsewhere`, if it has any; measurements are always made here.
pub fn run(
    experiment: &Experiment,
    store: &Store,
    setup: &Setup,
    elsewhere: Elsewhere<'_>,
    stop: &StopFlag,
    news: &mut dyn FnMut(&Progress),
) -> Result<bool, LabError> {
    let folder = absolute(&experiment.folder).unwrap_or_else(|_| experiment.folder.clone());
    store.note_experiment(&experiment.name, &folder.to_string_lossy(), &experiment.text)?;
    let units = units(experiment);
    let mut runner = Runner {
        experiment,
        store,
        setup,
        elsewhere,
        stop,
        news,
        builds: BTreeMap::new(),
        outlook: Outlook::new(experiment, &units, setup),
    };
    if runner.look(&units)? {
        let machine = serde_json::to_string(&Machine::here())?;
        store.put_measurement(&machine_name(&experiment.name), &machine)?;
    }
    let (measured, played): (Vec<_>, Vec<_>) =
        units.iter().enumerate().partition(|(_, unit)| !matches!(unit.work, Work::Games { .. }));
    for (index, unit) in measured.into_iter().chain(played) {
        let done = match &unit.work {
            Work::Games { .. } => runner.play(index, unit)?,
            _ => runner.measure(index, unit)?,
        };
        if !done {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What an experiment consists of, and how long it takes if nothing of it is in the store.
pub fn forecast(experiment: &Experiment, setup: &Setup) -> Progress {
    Outlook::new(experiment, &units(experiment), setup).progress()
}

struct Runner<'a> {
    experiment: &'a Experiment,
    store: &'a Store,
    setup: &'a Setup,
    elsewhere: Elsewhere<'a>,
    stop: &'a StopFlag,
    news: &'a mut dyn FnMut(&Progress),
    /// This program, by game.
    builds: BTreeMap<String, Build>,
    outlook: Outlook,
}

impl Runner<'_> {
    fn build(&mut self, unit: &Unit) -> Build {
        let game = unit.terms(self.experiment).variant.game().to_string();
        self.builds.entry(game).or_insert_with_key(|game| Build::here(game)).clone()
    }

    /// Looks what is in the store already. Returns whether anything is missing.
    fn look(&mut self, units: &[Unit]) -> Result<bool, LabError> {
        for (index, unit) in units.iter().enumerate() {
            let name = unit.name(&self.build(unit));
            let done = match unit.work {
                Work::Games { .. } => self.games_of(&name)?,
                _ => self.store.measurements(&name)?.len() as u64,
            };
            self.outlook.found(index, done);
        }
        let progress = self.outlook.progress();
        (self.news)(&progress);
        let missing = progress.of_games - progress.games;
        Ok(missing > 0 || progress.measurements < progress.of_measurements)
    }

    /// How many games of a meeting are stored.
    fn games_of(&self, name: &str) -> Result<u64, LabError> {
        let found = self.store.comparisons(name)?;
        let Some((series, games)) = found.first() else { return Ok(0) };
        let gone = match self.setup.replay_disturbed {
            true => self.store.delete_disturbed(series.id)?,
            false => 0,
        };
        Ok(games.saturating_sub(gone))
    }

    fn measure(&mut self, index: usize, unit: &Unit) -> Result<bool, LabError> {
        let name = unit.name(&self.build(unit));
        if !self.store.measurements(&name)?.is_empty() {
            return Ok(true);
        }
        self.outlook.begin(index);
        (self.news)(&self.outlook.progress());
        let (terms, seed) = (unit.terms(self.experiment).clone(), self.experiment.seed);
        let document = match unit.work {
            Work::Search { measure, agent, .. } => {
                let positions = self.experiment.measures[measure].positions;
                // Programs were refused when the file was read.
                let AgentKind::BuiltIn(spec) = self.experiment.agents[agent].agent.kind() else {
                    return Ok(true);
                };
                let searches = measure::search(&terms, seed, positions, spec, self.stop)?;
                searches.map(|it| serde_json::to_string(&it)).transpose()?
            }
            _ => {
                let solved = measure::solve(&terms, self.stop)?;
                solved.map(|it| serde_json::to_string(&it)).transpose()?
            }
        };
        let Some(document) = document else { return Ok(false) };
        self.store.put_measurement(&name, &document)?;
        self.outlook.measured(index);
        (self.news)(&self.outlook.progress());
        Ok(true)
    }

    fn play(&mut self, index: usize, unit: &Unit) -> Result<bool, LabError> {
        let Work::Games { comparison, terms, meeting } = unit.work else { return Ok(true) };
        let name = unit.name(&self.build(unit));
        let comparison = &self.experiment.comparisons[comparison];
        let terms = &comparison.terms[terms];
        let tournament = tournament(self.experiment, comparison, terms, meeting, name);
        let wanted = self.setup.concurrency.or(self.experiment.concurrency);
        let concurrency = fitting(self.setup.cores, &tournament.agents(), wanted, false);
        self.outlook.begin(index);
        // A test that is decided stops its own meeting only.
        let halt = StopFlag::default();
        let (outlook, news, stop) = (&mut self.outlook, &mut *self.news, self.stop);
        let ended = std::thread::scope(|scope| {
            let watch = scope.spawn(|| forward(stop, &halt));
            let mut listener = |it: News<'_>| {
                if let News::Game { game, ledger } = it {
                    outlook.played(index, game, ledger.games());
                    news(&outlook.progress());
                }
            };
            let hire = |tournament: &Tournament| match (self.elsewhere)(tournament) {
                Some(workers) => workers,
                None => {
                    Ok(Box::new(LocalWorkers::open(tournament, concurrency)?) as Box<dyn Workers>)
                }
            };
            let ended = run_on(&hire, &tournament, Some(self.store), &halt, &mut listener);
            halt.stop();
            // It only sleeps and looks at flags.
            let _ = watch.join();
            ended
        })?;
        if let Some(gone) = ended.given_up {
            let agent = tournament.entrants.get(usize::from(gone.agent));
            let agent = agent.map_or_else(String::new, |entrant| entrant.name.clone());
            return Err(LabError::NeverStarts { agent, evidence: gone.evidence });
        }
        self.outlook.ended(index);
        (self.news)(&self.outlook.progress());
        Ok(ended.is_over && !self.stop.is_set())
    }
}

/// Passes a stop on, until either flag is set.
fn forward(stop: &StopFlag, halt: &StopFlag) {
    while !halt.is_set() {
        if stop.is_set() {
            halt.stop();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
