//! How far a stored experiment is, for lists.

use std::path::Path;

use agon_arena::store::{Store, StoreError, StoredExperiment};
use agon_arena::{FileError, Registry};

use crate::experiment::Experiment;
use crate::file;
use crate::results::{self, Found, Results};
use crate::unit::Work;

/// What errors call the file of a stored experiment.
const FILE: &str = "experiment.toml";

/// Why a stored experiment cannot be shown.
#[derive(thiserror::Error, Debug)]
pub enum OverviewError {
    /// Its file cannot be read any more, for instance because a program is gone.
    #[error(transparent)]
    File(#[from] FileError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How far an experiment is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overview {
    /// How many games are stored.
    pub games: u64,
    /// Of how many, at most.
    pub of_games: u64,
    /// How many measurements are stored.
    pub measurements: u64,
    /// Of how many.
    pub of_measurements: u64,
    /// Whether nothing is missing.
    pub complete: bool,
}

/// The experiment as it was when it was last run.
pub fn experiment(stored: &StoredExperiment, registry: &Registry) -> Result<Experiment, FileError> {
    // The file may have had any name; the folder is what paths in it are relative to.
    let file = Path::new(&stored.folder).join(FILE);
    let read = file::parse(&file, &stored.text, registry)?;
    Ok(Experiment { name: stored.name.clone(), ..read })
}

/// How far it is.
pub fn of(
    stored: &StoredExperiment,
    registry: &Registry,
    store: &Store,
) -> Result<Overview, OverviewError> {
    let experiment = experiment(stored, registry)?;
    let results = results::read(&experiment, store)?;
    Ok(count(&experiment, &results))
}

/// How far these results are.
pub fn count(experiment: &Experiment, results: &Results) -> Overview {
    let mut overview =
        Overview { games: 0, of_games: 0, measurements: 0, of_measurements: 0, complete: true };
    let mut seen = std::collections::BTreeSet::new();
    for (unit, found) in results.units.iter().filter(|(unit, _)| seen.insert(&unit.key)) {
        match (&unit.work, found) {
            (Work::Games { comparison, .. }, found) => {
                let planned = experiment.comparisons[*comparison].games;
                let Found::Games(played) = found else {
                    overview.of_games += planned;
                    continue;
                };
                overview.games += played.ledger.games();
                overview.of_games += played.ledger.games() + played.missing();
            }
            (_, found) => {
                overview.of_measurements += 1;
                overview.measurements += u64::from(!matches!(found, Found::Nothing));
            }
        }
    }
    overview.complete = results.missing().is_none();
    overview
}
