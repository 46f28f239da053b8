//! A run, to be replayed or followed live.

use agon_arena::contest::{Environment, Run};
use agon_arena::store::StoredRun;
use agon_core::Seat;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::environments::OpponentView;
use crate::api::answers::{knows, sent, tag, unchanged};
use crate::api::{App, Names};
use crate::error::{ApiError, ErrorBody};
use crate::view::OutcomeView;

/// A run.
#[derive(Serialize, ToSchema)]
pub(crate) struct RunView {
    /// Its number.
    id: u64,
    /// The environment's id.
    environment: String,
    /// The environment's name.
    name: String,
    /// The agent.
    agent: String,
    /// The agent's seat.
    seat: usize,
    /// The players, by seat.
    players: Vec<RunPlayer>,
    /// The variant.
    variant: String,
    /// The start position, if it is not the variant's own.
    start: Option<String>,
    /// All moves so far.
    moves: Vec<RunMove>,
    /// Whether it is over.
    finished: bool,
    /// Whether the agent abandoned it.
    abandoned: bool,
    /// Its score, once it is over.
    outcome: Option<f64>,
    /// The agent's place, from 1, if the game was played to its end.
    place: Option<u8>,
    /// Who won and why, in a sentence, if the game was played to its end.
    sentence: Option<String>,
    /// When it last changed, in milliseconds since 1970.
    updated_at: i64,
}

/// A player of a run.
#[derive(Serialize, ToSchema)]
pub(crate) struct RunPlayer {
    /// The name of the seat.
    seat: String,
    /// The agent's name, or the text of an opponent.
    name: String,
    /// How an opponent plays; none for the agent.
    words: Option<String>,
}

/// A move of a run.
#[derive(Serialize, ToSchema)]
pub(crate) struct RunMove {
    /// The move.
    text: String,
    /// Who made it.
    seat: usize,
}

/// A run, finished or not.
#[utoipa::path(get, path = "/api/environments/{env}/runs/{id}",
    params(("env" = String, Path), ("id" = u64, Path)), responses(
    (status = 200, body = RunView), (status = 304, description = "nothing new"),
    (status = "4XX", body = ErrorBody)))]
pub async fn run(
    State(app): State<App>,
    Names(env, id): Names,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let environment = app.environment(&env)?;
    let unknown = || ApiError::not_found(format!("there is no run {id:?}"));
    // The store uses signed numbers.
    let number = id.parse().ok().filter(|id: &u64| i64::try_from(*id).is_ok());
    let number = number.ok_or_else(unknown)?;
    let stored = app.hub.keeper.read(move |store| store.run(number)).await?.ok_or_else(unknown)?;
    if stored.environment != environment.id {
        let message = format!("run {number} does not belong to {}", environment.name);
        return Err(ApiError::bad(message));
    }
    let tag = tag(&(number, stored.acts, stored.updated_at, stored.outcome.is_some()));
    if knows(&headers, &tag) {
        return Ok(unchanged(&tag));
    }
    let (environment, asking) = (environment.clone(), app.clone());
    let work = move || {
        let view = RunView::new(&asking, &environment, &stored)?;
        serde_json::to_vec(&view).map_err(ApiError::failed)
    };
    Ok(sent(&tag, app.work(work).await?))
}

impl RunView {
    fn new(app: &App, environment: &Environment, stored: &StoredRun) -> Result<RunView, ApiError> {
        if stored.document.is_empty() {
            let message =
                "its moves are no longer stored: only an agent's last 1000 runs have them";
            return Err(ApiError::not_found(message));
        }
        let run = Run::read(&environment.catalog, &stored.document).map_err(ApiError::failed)?;
        let (session, seat) = (run.session(), run.seat());
        let table = session.table();
        let ended = session.verdict().map(|verdict| OutcomeView::of(verdict, table));
        let finished = stored.outcome.is_some();
        let seats = table.seats();
        let player = |at: Seat| {
            let next = (at.index() + seats - seat.index() + seats - 1) % seats;
            let opponent = environment.opponents.get(next).filter(|_| at != seat);
            let opponent = opponent.map(|opponent| OpponentView::new(app, opponent));
            let (name, words) = match opponent {
                Some(OpponentView { name, words, .. }) => (name, Some(words)),
                None => (stored.agent.clone(), None),
            };
            RunPlayer { seat: table.seat_name(at).to_string(), name, words }
        };
        Ok(RunView {
            id: stored.id,
            environment: environment.id.clone(),
            name: environment.name.clone(),
            agent: stored.agent.clone(),
            seat: seat.index(),
            players: Seat::all(seats).map(player).collect(),
            variant: table.variant().to_string(),
            start: table.custom_start().map(str::to_string),
            moves: session
                .plies()
                .iter()
                .map(|ply| RunMove { text: ply.mv.clone(), seat: ply.seat.index() })
                .collect(),
            finished,
            abandoned: finished && ended.is_none(),
            outcome: stored.outcome,
            place: ended.as_ref().and_then(|ended| ended.places.get(seat.index()).copied()),
            sentence: ended.map(|ended| ended.sentence),
            updated_at: stored.updated_at,
        })
    }
}
