//! Games: list, begin, look at, delete.

use std::sync::Arc;

use agon_arena::clock::{GameTime, Pace};
use agon_arena::session::TableSession;
use agon_arena::store::{Listed, Sitting, now};
use axum::Json;
use axum::body::{Body as Content, Bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::positions::opened;
use super::{App, Asked, Body, Name};
use crate::error::{ApiError, Code, ErrorBody};
use crate::limits;
use crate::live::{
    Details, Document, GameView, Holder, ListedGame, LiveGame, Playing, Watch, new_id,
};
use crate::rivals::Rivals;
use crate::view::Part;

/// The header with the secret that lets agent texts start programs.
pub const SECRET: &str = "x-agon-secret";

/// A game to begin.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The variant.
    #[schema(example = "breakthrough:8x8")]
    variant: String,
    /// Where to begin, if not where the variant does.
    #[serde(default)]
    position: Option<String>,
    /// Who sits where, one for each seat.
    seats: Vec<Holder>,
    /// The time of each side for the whole game; no clocks if not given.
    #[serde(default)]
    #[schema(example = "5m+3s")]
    time: Option<String>,
    /// A game without people waits to be told.
    #[serde(default)]
    paused: bool,
    /// How long a game without people waits between moves, in milliseconds.
    #[serde(default = "default_delay")]
    delay_ms: u64,
}

fn default_delay() -> u64 {
    800
}

/// Games in a list.
#[derive(Serialize, ToSchema)]
pub struct Games {
    games: Vec<ListedGame>,
}

/// Which games to list.
#[derive(Deserialize, IntoParams)]
pub struct Ids {
    /// Names of games, with commas between them.
    #[serde(default)]
    ids: String,
    /// How many at most.
    #[serde(default = "default_limit")]
    limit: usize,
}

fn default_limit() -> usize {
    limits::LISTED
}

/// The games there are: all on a server for this machine alone; elsewhere those without people, and
/// those whose names are given.
#[utoipa::path(get, path = "/api/games", params(Ids), responses((status = 200, body = Games)))]
pub async fn list(
    State(app): State<App>,
    Asked(Ids { ids, limit }): Asked<Ids>,
) -> Result<Json<Games>, ApiError> {
    let names = ids.split(',').filter(|id| !id.is_empty() && id.len() < 64).map(str::to_string);
    let names: Vec<String> = names.take(limits::LISTED).collect();
    let alone = app.alone;
    let found = app.hub.keeper.read(move |store| {
        let listed = if alone { Listed::All } else { Listed::PublicAnd(&names) };
        store.list_sittings(listed, limit.min(limits::LISTED))
    });
    let sittings = found.await?;
    let summed_up = move || {
        let sum_up = |sitting: Sitting| {
            // One that cannot be read does not hide the others.
            let playing = Document::read(&sitting.document).and_then(Playing::open).ok()?;
            Some(ListedGame::of(&sitting.id, &playing))
        };
        Ok(sittings.into_iter().filter_map(sum_up).collect())
    };
    let games = app.work(summed_up).await?;
    Ok(Json(Games { games }))
}

/// Begins a game.
#[utoipa::path(post, path = "/api/games", request_body = NewGame,
    params(("x-agon-secret" = Option<String>, Header, description =
        "what the server printed, where agent texts start programs")), responses(
    (status = 201, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn create(
    State(app): State<App>,
    headers: HeaderMap,
    Body(new): Body<NewGame>,
) -> Result<(StatusCode, Shown), ApiError> {
    let secret = secret(&headers);
    let (rivals, given) = (app.hub.clone(), secret.clone());
    let document = app.work(move || document(new, given.as_deref(), &rivals.rivals)).await?;
    let id = new_id()?;
    app.hub.rivals.allow(&id, secret.as_deref());
    let game = app.hub.create(id, document).await?;
    Ok((StatusCode::CREATED, shown(&app, &game).await))
}

/// The secret that came with a request.
pub fn secret(headers: &HeaderMap) -> Option<String> {
    headers.get(SECRET).and_then(|value| value.to_str().ok()).map(str::to_string)
}

/// The game that somebody wants to begin, if it can be.
fn document(new: NewGame, secret: Option<&str>, rivals: &Rivals) -> Result<Document, ApiError> {
    let table = opened(&new.variant, new.position.as_deref())?;
    if new.seats.len() != table.seats() {
        let (wanted, given) = (table.seats(), new.seats.len());
        return Err(ApiError::bad(format!("{} has {wanted} seats, not {given}", table.variant())));
    }
    if new.seats.iter().any(Holder::is_elsewhere) {
        let message = "nobody who plays elsewhere can be asked to sit here: people and agents can";
        return Err(ApiError::bad(message));
    }
    for agent in new.seats.iter().filter_map(Holder::agent) {
        rivals.invited(agent, secret, &*table)?;
    }
    let mut pace = Pace::default();
    if let Some(time) = new.time {
        let time: GameTime = time.parse().map_err(ApiError::bad)?;
        if time.base.max(time.increment) > limits::LONGEST_CLOCK {
            return Err(ApiError::bad(format!("bad time \"{time}\": at most a day on a clock")));
        }
        pace.time.game = Some(time);
    }
    let mut details = Details::new(new.seats, seed()?, now());
    if details.is_watched() {
        let delay_ms = new.delay_ms.min(limits::LONGEST_DELAY);
        details.watch = Some(Watch { paused: new.paused, delay_ms });
    }
    Ok(Document::new(TableSession::at_table(table, pace).stored(), details))
}

/// Something to take chance from.
pub fn seed() -> Result<u64, ApiError> {
    getrandom::u64().map_err(|error| ApiError::failed(format!("no random numbers: {error}")))
}

/// The game as JSON.
pub async fn shown(app: &App, game: &LiveGame) -> Shown {
    let mut playing = game.playing.lock().await;
    Shown::Game(playing.json(&game.id, &app.hub.rivals, Part::Whole))
}

/// The game after a change, or only its version for a page that gets the game anyway.
pub async fn changed(app: &App, game: &LiveGame, headers: &HeaderMap) -> Shown {
    let preferences = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
    let minimal = |wish: &str| wish.trim().eq_ignore_ascii_case("return=minimal");
    if preferences.flat_map(|wishes| wishes.split(',')).any(minimal) {
        return Shown::Version(game.playing.lock().await.details.version);
    }
    shown(app, game).await
}

/// How a game is shown to who asked.
pub enum Shown {
    /// As JSON that is made already.
    Game(Arc<str>),
    /// Not at all, but which version it is.
    Version(u64),
}

/// Bytes that many answers share.
struct Text(Arc<str>);

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl IntoResponse for Shown {
    fn into_response(self) -> Response {
        match self {
            Shown::Game(json) => {
                let headers = [(CONTENT_TYPE, "application/json")];
                (headers, Content::from(Bytes::from_owner(Text(json)))).into_response()
            }
            Shown::Version(version) => {
                (StatusCode::NO_CONTENT, [(ETAG, format!("\"{version}\""))]).into_response()
            }
        }
    }
}

/// A game.
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = String, Path)), responses(
    (status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
) -> Result<Shown, ApiError> {
    let game = app.hub.find(&id).await?;
    // After a restart the programs of a game need leave again.
    app.hub.rivals.allow(&id, secret(&headers).as_deref());
    app.hub.attend(&game).await;
    Ok(shown(&app, &game).await)
}

/// Deletes a game.
#[utoipa::path(delete, path = "/api/games/{id}", params(("id" = String, Path)), responses(
    (status = 204), (status = "4XX", body = ErrorBody)))]
pub async fn delete(State(app): State<App>, Name(id): Name) -> Result<StatusCode, ApiError> {
    let name = id.clone();
    let sitting = app.hub.keeper.read(move |store| store.sitting(&name)).await?;
    match sitting {
        None => {
            return Err(ApiError::not_found("there is no such game, or it was deleted already"));
        }
        // Everybody can see these, and so everybody could.
        Some(sitting) if sitting.public && !app.alone => {
            let message = "games to watch cannot be deleted on a server for many";
            return Err(ApiError::new(Code::Forbidden, message));
        }
        Some(_) => {}
    }
    let hub = app.hub.clone();
    // Once begun it is done to its end, even if nobody waits for it.
    tokio::spawn(async move { hub.delete(&id).await }).await.map_err(ApiError::failed)??;
    Ok(StatusCode::NO_CONTENT)
}
