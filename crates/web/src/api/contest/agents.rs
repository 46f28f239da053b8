//! An agent in its environment: its rating and its runs.

use agon_arena::contest::{Environment, Rating};
use agon_arena::store::{RunEntry, Store, StoreError};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::curve::{Point, curve};
use super::environments::{ThresholdView, thresholds};
use crate::api::answers::{knows, sent, tag, unchanged};
use crate::api::{App, Names};
use crate::error::{ApiError, ErrorBody};

/// How many finished runs are listed.
const LISTED: usize = 50;
/// The approximate number of points of a curve.
const POINTS: usize = 500;

/// An agent in its environment.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentPage {
    /// Its name.
    agent: String,
    /// The environment's id.
    environment: String,
    /// The environment's name.
    name: String,
    /// The score of each place, first place first.
    points: Vec<f64>,
    /// Over how many consecutive runs a rating is the mean.
    window: usize,
    /// What ratings earn, lowest first.
    thresholds: Vec<ThresholdView>,
    /// Whether it has finished enough runs for its rating to count.
    evaluated: bool,
    /// The best rating it has had, once it counts.
    best: Option<f64>,
    /// The mean of its last runs; an estimate before there are enough.
    current: Option<f64>,
    /// How many runs it has finished.
    finished: u64,
    /// The points its best rating has earned.
    earned: f64,
    /// The next threshold that earns more.
    next: Option<ThresholdView>,
    /// The rating after each run. If there are many, some are left out.
    curve: Vec<Point>,
    /// The last finished runs, latest first.
    last: Vec<FinishedRun>,
    /// The open runs, oldest first.
    open: Vec<OpenRun>,
}

/// A finished run.
#[derive(Serialize, ToSchema)]
pub(crate) struct FinishedRun {
    /// Its number.
    id: u64,
    /// Its score.
    outcome: f64,
    /// The place, from 1, if only one place has this score.
    place: Option<usize>,
    /// How many moves the agent made.
    moves: u64,
    /// When it ended, in milliseconds since 1970.
    finished_at: i64,
}

/// An open run.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpenRun {
    /// Its number.
    id: u64,
    /// How many moves the agent has made.
    moves: u64,
    /// When it last changed, in milliseconds since 1970.
    updated_at: i64,
}

/// What the store knows about an agent.
struct Known {
    finished: u64,
    best: Option<f64>,
    open: Vec<RunEntry>,
    tag: String,
    /// The rest, if the client does not have it yet.
    news: Option<News>,
}

struct News {
    outcomes: Vec<f64>,
    last: Vec<RunEntry>,
}

/// An agent: its rating, its curve and its runs.
#[utoipa::path(get, path = "/api/environments/{env}/agents/{name}",
    params(("env" = String, Path), ("name" = String, Path)), responses(
    (status = 200, body = AgentPage), (status = 304, description = "nothing new"),
    (status = "4XX", body = ErrorBody)))]
pub async fn agent(
    State(app): State<App>,
    Names(id, name): Names,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let environment = app.environment(&id)?;
    let (asked, asked_headers) = (name.clone(), headers.clone());
    let look = move |store: &Store| Known::read(store, &id, &asked, &asked_headers);
    let known = app.hub.keeper.read(look).await?;
    let known = known.ok_or_else(|| {
        ApiError::not_found(format!("there is no agent {name:?} in {}", environment.name))
    })?;
    match known.news {
        None => Ok(unchanged(&known.tag)),
        Some(news) => {
            let (tag, known) = (known.tag.clone(), Known { news: None, ..known });
            let body = page(environment, name, known, news);
            Ok(sent(&tag, serde_json::to_vec(&body).map_err(ApiError::failed)?))
        }
    }
}

impl Known {
    fn read(
        store: &Store,
        environment: &str,
        name: &str,
        headers: &HeaderMap,
    ) -> Result<Option<Known>, StoreError> {
        let Some(account) = store.account(environment, name)? else { return Ok(None) };
        let open = store.list_open_runs(environment, name)?;
        let moves: Vec<_> = open.iter().map(|run| (run.id, run.acts, run.updated_at)).collect();
        let (finished, best) = (account.finished, account.best);
        let tag = tag(&(name, account.created_at, finished, best.map(f64::to_bits), moves));
        let news = match knows(headers, &tag) {
            true => None,
            false => Some(News {
                outcomes: store.outcomes(environment, name, i64::MAX as usize)?,
                last: store.list_finished_runs(environment, name, LISTED)?,
            }),
        };
        Ok(Some(Known { finished, best, open, tag, news }))
    }
}

fn page(environment: &Environment, agent: String, known: Known, news: News) -> AgentPage {
    let Known { finished, best, open, .. } = known;
    let rating = Rating::new(environment.window, &news.outcomes, finished, best);
    let earned = best.map_or(0.0, |best| environment.earned(best));
    let open = open.into_iter();
    AgentPage {
        agent,
        environment: environment.id.clone(),
        name: environment.name.clone(),
        points: environment.points.clone(),
        window: environment.window,
        evaluated: rating.is_full(),
        best,
        current: rating.current(),
        finished,
        earned,
        next: thresholds(environment, earned).into_iter().next(),
        thresholds: thresholds(environment, f64::NEG_INFINITY),
        curve: curve(&news.outcomes, environment.window, POINTS),
        last: news.last.iter().map(|run| FinishedRun::new(environment, run)).collect(),
        open: open
            .map(|run| OpenRun { id: run.id, moves: run.acts, updated_at: run.updated_at })
            .collect(),
    }
}

impl FinishedRun {
    fn new(environment: &Environment, run: &RunEntry) -> FinishedRun {
        let outcome = run.outcome.unwrap_or_default();
        FinishedRun {
            id: run.id,
            outcome,
            place: place(&environment.points, outcome),
            moves: run.acts,
            finished_at: run.updated_at,
        }
    }
}

/// The place with this score, if there is exactly one.
fn place(points: &[f64], outcome: f64) -> Option<usize> {
    let mut places = points.iter().enumerate().filter(|(_, score)| **score == outcome);
    let (first, another) = (places.next(), places.next());
    first.filter(|_| another.is_none()).map(|(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_gives_the_place_if_it_is_unique() {
        assert_eq!(
            [2.0, 1.0, 0.0].map(|it| place(&[2.0, 1.0, 0.0], it)),
            [Some(1), Some(2), Some(3)]
        );
        assert_eq!([1.0, 0.0, 0.5].map(|it| place(&[1.0, 0.0, 0.0], it)), [Some(1), None, None]);
    }
}
