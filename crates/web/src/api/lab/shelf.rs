//! What was read of experiments, kept until there are new results.
//!
//! A report counts every game of its experiment, and pages ask every two seconds. So it is first
//! looked up how many games there are, which is cheap, and even that only so often that pages which
//! are open for hours use a small share of a core.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use agon_arena::Registry;
use agon_arena::store::{Store, StoreError, StoredExperiment};
use agon_lab::Experiment;
use agon_lab::overview::{self, Overview};
use agon_lab::report::{self, Report, html};
use agon_lab::results::{self, Results};
use agon_lab::unit::{Work, units};

/// How long nothing is looked up again.
const FRESH: Duration = Duration::from_secs(1);
/// And how many times as long as it took.
const PAUSE: u32 = 10;
/// How many reports are kept: those that were asked for last.
const REPORTS: usize = 4;

/// An experiment, and how far it is.
pub(super) struct Entry {
    /// As it was run.
    pub stored: StoredExperiment,
    /// Changes with the results.
    pub version: String,
    /// What its file says, or why that cannot be read any more.
    pub read: Result<(Experiment, Overview), String>,
}

/// The results of an experiment, and their report.
pub(super) struct Study {
    /// The experiment.
    pub experiment: Experiment,
    /// Everything that was found.
    pub results: Results,
    /// What is said about it.
    pub report: Report,
    page: OnceLock<String>,
}

impl Study {
    /// The report as a page.
    pub(super) fn page(&self) -> &str {
        self.page.get_or_init(|| html::page(&self.report))
    }
}

/// An experiment, with its report where its file can be read.
pub(super) type Found = (Arc<Entry>, Option<Arc<Study>>);

/// What is kept of an experiment.
struct Kept {
    entry: Arc<Entry>,
    study: Option<Arc<Study>>,
    /// What its report can be made from without reading it again.
    results: Option<Results>,
    /// When it was last looked up, and how long that took.
    looked: Instant,
    took: Duration,
    /// When its report was last asked for.
    asked: Instant,
}

impl Kept {
    fn is_fresh(&self, stored: &StoredExperiment) -> bool {
        self.entry.stored == *stored && self.looked.elapsed() < FRESH.max(self.took * PAUSE)
    }
}

/// The experiments that were asked for, by name.
#[derive(Default)]
pub(super) struct Shelf(HashMap<String, Kept>);

impl Shelf {
    /// All experiments, the one that was run last first.
    pub(super) fn list(
        &mut self,
        store: &Store,
        registry: &Registry,
    ) -> Result<Vec<Arc<Entry>>, StoreError> {
        let stored = store.experiments()?;
        self.0.retain(|name, _| stored.iter().any(|it| it.name == *name));
        let entry = |it| {
            let kept = self.look(it, store, registry)?;
            // A list needs no games.
            kept.results = None;
            Ok(kept.entry.clone())
        };
        stored.into_iter().map(entry).collect()
    }

    /// One of them, with its report where its file can be read.
    pub(super) fn study(
        &mut self,
        name: &str,
        store: &Store,
        registry: &Registry,
    ) -> Result<Option<Found>, StoreError> {
        let stored = store.experiments()?.into_iter().find(|it| it.name == name);
        let Some(stored) = stored else { return Ok(None) };
        let kept = self.look(stored, store, registry)?;
        kept.asked = Instant::now();
        if let (None, Ok((experiment, _))) = (&kept.study, &kept.entry.read) {
            let experiment = experiment.clone();
            let results = match kept.results.take() {
                Some(results) => results,
                None => results::read(&experiment, store)?,
            };
            let report = report::write(&experiment, &results);
            let page = OnceLock::new();
            kept.study = Some(Arc::new(Study { experiment, results, report, page }));
            kept.took += kept.asked.elapsed();
        }
        let found = (kept.entry.clone(), kept.study.clone());
        self.tidy();
        Ok(Some(found))
    }

    /// Looks up how far an experiment is, unless that was done a moment ago.
    fn look(
        &mut self,
        stored: StoredExperiment,
        store: &Store,
        registry: &Registry,
    ) -> Result<&mut Kept, StoreError> {
        let name = stored.name.clone();
        let old = self.0.remove(&name);
        let kept = match old {
            Some(old) if old.is_fresh(&stored) => old,
            old => Kept::look(stored, old, store, registry)?,
        };
        Ok(self.0.entry(name).insert_entry(kept).into_mut())
    }

    /// Drops all reports but the last ones.
    fn tidy(&mut self) {
        let mut asked: Vec<Instant> =
            self.0.values().filter(|it| it.study.is_some()).map(|it| it.asked).collect();
        asked.sort_unstable();
        let Some(first) = asked.len().checked_sub(REPORTS).and_then(|at| asked.get(at)) else {
            return;
        };
        for kept in self.0.values_mut().filter(|it| it.asked < *first) {
            kept.study = None;
        }
    }
}

impl Kept {
    fn look(
        stored: StoredExperiment,
        old: Option<Kept>,
        store: &Store,
        registry: &Registry,
    ) -> Result<Kept, StoreError> {
        let looked = Instant::now();
        let (version, experiment) = match overview::experiment(&stored, registry) {
            Ok(experiment) => (version(&stored, &experiment, store)?, Ok(experiment)),
            Err(error) => (tag(&(&stored.text, error.to_string())), Err(error.to_string())),
        };
        // A failure is tried again: it may be over without any new result.
        let unchanged = old.filter(|old| {
            old.entry.version == version && old.entry.read.is_ok() == experiment.is_ok()
        });
        if let Some(old) = unchanged {
            return Ok(Kept { looked: Instant::now(), took: looked.elapsed(), ..old });
        }
        let mut results = None;
        let read = match experiment {
            Ok(experiment) => {
                let found = results::read(&experiment, store)?;
                let overview = overview::count(&experiment, &found);
                results = Some(found);
                Ok((experiment, overview))
            }
            Err(problem) => Err(problem),
        };
        let entry = Arc::new(Entry { stored, version, read });
        let took = looked.elapsed();
        Ok(Kept { entry, study: None, results, looked: Instant::now(), took, asked: looked })
    }
}

/// What changes whenever there are new results.
fn version(
    stored: &StoredExperiment,
    experiment: &Experiment,
    store: &Store,
) -> Result<String, StoreError> {
    let mut found = Vec::new();
    for unit in units(experiment) {
        let results: Vec<(String, i64)> = match unit.work {
            Work::Games { .. } => {
                let series = store.comparisons(&unit.key)?.into_iter();
                series.map(|(series, games)| (series.name, games as i64)).collect()
            }
            Work::Search { .. } | Work::Solve { .. } => {
                let measurements = store.measurements(&unit.key)?.into_iter();
                measurements.map(|it| (it.name, it.made_at)).collect()
            }
        };
        found.push((unit.key, results));
    }
    Ok(tag(&(&stored.text, &stored.folder, stored.updated_at, found)))
}

fn tag(of: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
