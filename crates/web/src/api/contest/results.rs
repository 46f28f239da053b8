//! The results in the form of the course's own server.

use std::collections::BTreeMap;

use agon_arena::contest::Environment;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::{App, Name};
use crate::error::{ApiError, ErrorBody};

/// The result of an agent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct ResultView {
    /// Whether it has finished enough runs for its rating to count.
    fully_evaluated: bool,
    /// The best rating; 0 before there is one.
    rating: f64,
    /// How many runs it has finished.
    total_runs: u64,
}

/// Agents by name; those without a finished run are left out.
type Results = BTreeMap<String, ResultView>;

/// The results of all agents, by environment and name.
#[utoipa::path(get, path = "/results", responses(
    (status = 200, body = BTreeMap<String, BTreeMap<String, ResultView>>)))]
pub async fn results(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let make = async {
        let mut all: BTreeMap<&str, Results> = BTreeMap::new();
        for environment in app.course.environments().iter() {
            all.insert(&environment.id, read(&app, environment).await?);
        }
        Ok(all)
    };
    Ok(app.answers.get("results".into(), make).await?.to(&headers))
}

/// The results of an environment's agents, by name.
#[utoipa::path(get, path = "/results/{env}", params(("env" = String, Path)), responses(
    (status = 200, body = BTreeMap<String, ResultView>), (status = "4XX", body = ErrorBody)))]
pub async fn results_of(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let environment = app.environment(&id)?;
    let name = format!("results {}", environment.id);
    Ok(app.answers.get(name, read(&app, environment)).await?.to(&headers))
}

async fn read(app: &App, environment: &Environment) -> Result<Results, ApiError> {
    let id = environment.id.clone();
    let accounts = app.hub.keeper.read(move |store| store.accounts(Some(&id))).await?;
    let played = accounts.into_iter().filter(|account| account.finished > 0);
    let result = |finished: u64, best: Option<f64>| ResultView {
        fully_evaluated: finished >= environment.window as u64,
        rating: best.unwrap_or_default(),
        total_runs: finished,
    };
    Ok(played.map(|it| (it.name, result(it.finished, it.best))).collect())
}
