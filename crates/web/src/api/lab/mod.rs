//! Experiments: how far they are, their reports, and everything to download.
//!
//! They are for reading only: `agon lab run` runs them, and the store is all that is shared. Reading
//! is for everybody, as records are; a name is looked up in the store and never becomes a path.

mod files;
mod print;
mod shelf;

use std::sync::Arc;

use agon_arena::Registry;
use agon_arena::store::{Store, StoreError};
use agon_lab::report::{Figure, Table};
use agon_lab::samples::{SAMPLES, Sample};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use super::answers::Kept;
use super::{App, Name};
use crate::error::{ApiError, ErrorBody};
use print::Printer;
use shelf::{Entry, Found, Shelf};

pub use files::{__path_figure, __path_file, __path_sample, __path_table};
pub use files::{figure, file, sample, table};

/// What was read of experiments.
#[derive(Default)]
pub(super) struct Lab {
    /// One reads at a time; the others wait for what it finds.
    shelf: Arc<Mutex<Shelf>>,
    printer: Printer,
}

/// Experiments in a list.
#[derive(Serialize, ToSchema)]
struct ExperimentList {
    /// The one that was run last first.
    experiments: Vec<ExperimentEntry>,
}

/// An experiment in a list.
#[derive(Serialize, ToSchema)]
struct ExperimentEntry {
    /// Its name.
    name: String,
    /// Its title; its name if it has none.
    title: String,
    /// What it asks; in a list the first line.
    question: String,
    /// How far it is; nothing if its file cannot be read.
    progress: Option<ProgressView>,
    /// Why its file cannot be read any more, for instance because a program is gone.
    problem: Option<String>,
    /// When it was first run, in milliseconds since 1970.
    started_at: i64,
    /// When it was last run.
    updated_at: i64,
}

/// How far an experiment is.
#[derive(Serialize, ToSchema)]
struct ProgressView {
    /// How many games are stored.
    games: u64,
    /// Of how many.
    of_games: u64,
    /// Whether tests may end before all games are played.
    at_most: bool,
    /// How many measurements are stored.
    measurements: u64,
    /// Of how many.
    of_measurements: u64,
    /// Whether nothing is missing.
    complete: bool,
}

/// An experiment, with what there is to download.
#[derive(Serialize, ToSchema)]
struct ExperimentView {
    /// The same as in a list.
    #[serde(flatten)]
    entry: ExperimentEntry,
    /// Changes with the results.
    version: String,
    /// Who hands the report in.
    author: Option<String>,
    /// Whether there is a report; there is none if the file cannot be read.
    has_report: bool,
    /// Whether there may be a file `games.csv`.
    has_games: bool,
    /// Whether there may be a file `searches.csv`.
    has_searches: bool,
    /// Why this server prints no PDF, if it does not.
    no_pdf: Option<&'static str>,
    /// The tables of the report, in order.
    tables: Vec<Captioned>,
    /// The figures of the report, in order.
    figures: Vec<Captioned>,
}

/// A table or a figure.
#[derive(Serialize, ToSchema)]
struct Captioned {
    /// Its name in addresses.
    id: String,
    /// What it shows.
    caption: String,
}

/// Examples of experiment files.
#[derive(Serialize, ToSchema)]
pub(crate) struct SampleList {
    samples: Vec<SampleView>,
}

/// An example of an experiment file.
#[derive(Serialize, ToSchema)]
pub(crate) struct SampleView {
    /// The kind of experiment.
    kind: &'static str,
    /// What it does, in a few words.
    about: &'static str,
    /// The file.
    text: &'static str,
}

impl App {
    /// Looks something up on the shelf of experiments.
    async fn look_up<T: Send + 'static>(
        &self,
        look: impl FnOnce(&mut Shelf, &Store, &Registry) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ApiError> {
        // Whoever waits takes no place of those who compute positions.
        let mut shelf = self.lab.shelf.clone().lock_owned().await;
        let hub = self.hub.clone();
        let work = move || {
            let registry = hub.rivals.registry();
            hub.keeper.study(|store| look(&mut shelf, store, registry)).map_err(ApiError::failed)
        };
        self.work(work).await
    }

    /// The experiment with this name, with its report where its file can be read.
    async fn study(&self, name: &str) -> Result<Found, ApiError> {
        // Browsers take `..` for a step up, so the pages add a space, which no name ends with.
        let name = name.trim().to_string();
        let asked = name.clone();
        let look = move |shelf: &mut Shelf, store: &Store, registry: &Registry| {
            shelf.study(&asked, store, registry)
        };
        let found = self.look_up(look).await?;
        found.ok_or_else(|| {
            let hint = "experiments appear here when agon lab run has begun them";
            ApiError::not_found(format!("there is no experiment {name:?}; {hint}"))
        })
    }
}

impl ExperimentEntry {
    fn new(entry: &Entry, alone: bool) -> ExperimentEntry {
        let stored = &entry.stored;
        let view = ExperimentEntry {
            name: stored.name.clone(),
            title: stored.name.clone(),
            question: String::new(),
            progress: None,
            problem: None,
            started_at: stored.started_at,
            updated_at: stored.updated_at,
        };
        match &entry.read {
            Ok((experiment, overview)) => ExperimentEntry {
                title: experiment.title.clone(),
                question: experiment.question.clone(),
                progress: Some(ProgressView {
                    games: overview.games,
                    of_games: overview.of_games,
                    at_most: experiment.comparisons.iter().any(|it| it.sprt.is_some()),
                    measurements: overview.measurements,
                    of_measurements: overview.of_measurements,
                    complete: overview.complete,
                }),
                ..view
            },
            // The reason names files, which are nobody else's business.
            Err(_) if !alone => {
                let problem = "the file of this experiment cannot be read any more";
                ExperimentEntry { problem: Some(problem.into()), ..view }
            }
            Err(problem) => ExperimentEntry { problem: Some(problem.clone()), ..view },
        }
    }
}

impl Captioned {
    fn table(table: &Table) -> Captioned {
        Captioned { id: table.id.clone(), caption: table.caption.clone() }
    }

    fn figure(figure: &Figure) -> Captioned {
        Captioned { id: figure.id.clone(), caption: figure.caption.clone() }
    }
}

impl From<&Sample> for SampleView {
    fn from(sample: &Sample) -> SampleView {
        SampleView { kind: sample.kind, about: sample.about, text: sample.text }
    }
}

/// All experiments, and how far they are.
#[utoipa::path(get, path = "/api/lab", responses(
    (status = 200, body = ExperimentList), (status = 304, description = "nothing new")))]
pub async fn list(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let make = async {
        let list =
            |shelf: &mut Shelf, store: &Store, registry: &Registry| shelf.list(store, registry);
        let entries = app.look_up(list).await?;
        let views = entries.iter().map(|entry| {
            let view = ExperimentEntry::new(entry, app.alone);
            let first = view.question.lines().next().unwrap_or_default().to_string();
            ExperimentEntry { question: first, ..view }
        });
        Ok(ExperimentList { experiments: views.collect() })
    };
    Ok(app.answers.get("lab".into(), make).await?.to(&headers))
}

/// An experiment, with what there is to download.
#[utoipa::path(get, path = "/api/lab/{name}", params(("name" = String, Path)), responses(
    (status = 200, body = ExperimentView), (status = 304, description = "nothing new"),
    (status = "4XX", body = ErrorBody)))]
pub async fn experiment(
    State(app): State<App>,
    Name(name): Name,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (entry, study) = app.study(&name).await?;
    let no_pdf = print::why_not(app.alone);
    let experiment = study.as_ref().map(|study| &study.experiment);
    let report = study.as_ref().map(|study| &study.report);
    let view = ExperimentView {
        entry: ExperimentEntry::new(&entry, app.alone),
        version: entry.version.clone(),
        author: experiment.and_then(|it| it.author.clone()),
        has_report: report.is_some(),
        has_games: experiment.is_some_and(|it| !it.comparisons.is_empty()),
        has_searches: experiment.is_some_and(|it| !it.measures.is_empty()),
        no_pdf,
        tables: report.map_or(Vec::new(), |it| it.tables().map(Captioned::table).collect()),
        figures: report.map_or(Vec::new(), |it| it.figures().map(Captioned::figure).collect()),
    };
    Ok(Kept::new(&view)?.to(&headers))
}

/// Examples of experiment files, one for each kind.
#[utoipa::path(get, path = "/api/lab-samples", responses((status = 200, body = SampleList)))]
pub async fn samples() -> Json<SampleList> {
    Json(SampleList { samples: SAMPLES.iter().map(SampleView::from).collect() })
}
