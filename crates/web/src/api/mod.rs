//! The JSON API. Every request is validated here.

mod acts;
mod analyse;
mod analyses;
mod answers;
mod arrange;
mod body;
mod catalog;
mod contest;
mod download;
mod exports;
mod games;
mod hints;
mod lab;
mod live;
mod openapi;
mod positions;
mod records;
mod reviews;
mod rules;
mod sequels;
mod tournaments;
mod workers;

use std::sync::Arc;

use agon_arena::contest::Environment;
use agon_arena::fleet::Lookout;
use agon_games::Catalog;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use axum::{Router, middleware};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::aisysproj::Course;
use crate::error::{ApiError, Code};
use crate::limits;
use crate::live::Hub;
use crate::turns::{self, Turns};

use answers::Answers;
use exports::Exports;
use lab::Lab;
use records::Shelf;
pub use tournaments::Tournaments;

pub use body::{Body, Name, Names, Params};

/// The state shared by all requests.
#[derive(Clone)]
pub struct App {
    /// The games.
    pub hub: Arc<Hub>,
    /// Whether only this machine can reach the server, so that all games are the user's own.
    pub alone: bool,
    /// The environments in which accounts play.
    pub course: Arc<Course>,
    /// Cached answers to polling pages.
    pub answers: Arc<Answers>,
    /// Sees the workers on other machines, if there may be any.
    pub lookout: Option<Arc<dyn Lookout>>,
    /// What was read of experiments.
    lab: Arc<Lab>,
    /// Matches and tournaments.
    tournaments: Arc<Tournaments>,
    /// Analyses that people keep.
    analyses: Arc<analyses::Analyses>,
    /// The reviews that are being made.
    reviews: Arc<reviews::Reviews>,
    /// What is stored, counted.
    records: Arc<Shelf>,
    /// Limits how many exports are made at a time.
    exports: Arc<Exports>,
    /// Limits how many positions are computed at a time.
    working: Arc<Semaphore>,
}

impl App {
    /// The state for these games, environments and workers.
    pub fn new(
        hub: Arc<Hub>,
        course: Arc<Course>,
        tournaments: Arc<Tournaments>,
        lookout: Option<Arc<dyn Lookout>>,
        alone: bool,
    ) -> App {
        let working = Arc::new(Semaphore::new(limits::WORKING));
        let (answers, lab, analyses) = (Arc::default(), Arc::default(), Arc::default());
        let (records, exports, reviews) = (Arc::default(), Arc::default(), Arc::default());
        App {
            hub,
            alone,
            course,
            answers,
            lookout,
            lab,
            tournaments,
            analyses,
            reviews,
            records,
            exports,
            working,
        }
    }

    /// The games that can be played.
    fn catalog(&self) -> &Catalog {
        self.hub.catalog()
    }

    /// The environment with this id.
    fn environment(&self, id: &str) -> Result<&Environment, ApiError> {
        let found = self.course.environment(id);
        found.ok_or_else(|| ApiError::not_found(format!("there is no environment {id:?}")))
    }

    /// Runs a computation that may take a while, without blocking other tasks.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let place = self.working.clone().acquire_owned().await.map_err(ApiError::failed)?;
        let working = spawn_blocking(move || {
            let _place = place;
            work()
        });
        working.await.map_err(ApiError::failed)?
    }
}

/// The results of all agents, at the addresses graders use.
pub fn results(app: App) -> Router {
    Router::new()
        .route("/results", get(contest::results))
        .route("/results/{env}", get(contest::results_of))
        .with_state(app)
}

/// All paths below `/api`, or only those of the contest.
pub fn router(app: App, only_contest: bool) -> Router {
    let paths = if only_contest {
        contest_paths()
    } else {
        contest_paths().merge(game_paths()).merge(analysis_paths())
    };
    paths
        .fallback(async || {
            ApiError::not_found("there is nothing here; /api/openapi.json describes the API")
        })
        .method_not_allowed_fallback(async || {
            ApiError::new(Code::NotAllowed, "wrong method; /api/openapi.json describes the API")
        })
        .layer(middleware::from_fn_with_state(Turns::default(), turns::take))
        .with_state(app)
}

/// The contest, and what its pages need to draw a board.
fn contest_paths() -> Router<App> {
    Router::new()
        .route("/openapi.json", get(openapi::description))
        .route("/server", get(catalog::server))
        .route("/catalog", get(catalog::catalog))
        .route("/catalog/{game}/rules", get(rules::rules))
        .route("/position", post(positions::position))
        .route("/environments", get(contest::list))
        .route("/environments/{env}", get(contest::environment))
        .route("/environments/{env}/agents/{name}", get(contest::agent))
        .route("/environments/{env}/runs/{id}", get(contest::run))
}

/// Analyses and reviews: whole games, so requests may be long.
fn analysis_paths() -> Router<App> {
    Router::new()
        .route("/analyses", post(analyses::create))
        .route("/analyses/read", post(analyses::read))
        .route("/analyses/text", post(analyses::text))
        .route("/analyses/{id}", get(analyses::show).put(analyses::change).delete(analyses::delete))
        .route("/reviews", post(reviews::create))
        .route("/reviews/{id}", get(reviews::show).delete(reviews::cancel))
        .layer(DefaultBodyLimit::max(limits::ANALYSIS_BODY))
}

/// Live and stored games, and experiments.
fn game_paths() -> Router<App> {
    Router::new()
        .route("/threats", post(positions::threats))
        .route("/arrange", post(arrange::arrange))
        .route("/analyse", get(analyse::analyse))
        .route("/games", get(games::list).post(games::create))
        .route("/games/{id}", get(games::show).delete(games::delete))
        .route("/games/{id}/live", get(live::live))
        .route("/games/{id}/moves", post(acts::play))
        .route("/games/{id}/undo", post(acts::undo))
        .route("/games/{id}/resign", post(acts::resign))
        .route("/games/{id}/draw", post(acts::draw))
        .route("/games/{id}/hint", post(hints::hint))
        .route("/games/{id}/rematch", post(sequels::rematch))
        .route("/games/{id}/branch", post(sequels::branch))
        .route("/games/{id}/watch", post(acts::watch))
        .route("/games/{id}/record", get(records::of_game))
        .route("/records", get(records::list))
        .route("/records/choices", get(records::choices))
        .route("/records/export", get(exports::records))
        .route("/records/{id}", get(records::show))
        .route("/tournaments", get(tournaments::list).post(tournaments::create))
        .route("/tournaments/{name}", get(tournaments::show).delete(tournaments::delete))
        .route("/tournaments/{name}/file.toml", get(tournaments::file))
        .route("/tournaments/{name}/file", post(tournaments::amend))
        .route("/tournaments/{name}/pause", post(tournaments::pause))
        .route("/tournaments/{name}/resume", post(tournaments::resume))
        .route("/tournament-plan", post(tournaments::plan))
        .route("/tournaments/{name}/{file}", get(exports::tournament))
        .route("/workers", get(workers::list))
        .route("/lab", get(lab::list))
        .route("/lab/{name}", get(lab::experiment))
        .route("/lab/{name}/{file}", get(lab::file))
        .route("/lab/{name}/tables/{file}", get(lab::table))
        .route("/lab/{name}/figures/{file}", get(lab::figure))
        .route("/lab-samples", get(lab::samples))
        .route("/lab-samples/{file}", get(lab::sample))
}
