//! Games: list, start, show, delete.

use std::sync::Arc;

use agon_arena::clock::{GameTime, Pace};
use agon_arena::session::TableSession;
use agon_arena::store::{Listed, Sitting, now};
use agon_core::Rng;
use axum::Json;
use axum::body::{Body as Content, Bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::positions::opened;
use super::{App, Body, Name, Params};
use crate::clients::Client;
use crate::error::{ApiError, Code, ErrorBody};
use crate::limits;
use crate::live::{
    Claim, Details, Document, GameView, Holder, ListedGame, LiveGame, Owners, Playing, SeatToken,
    Tokens, Watch, new_id,
};
use crate::rivals::Rivals;
use crate::view::Part;

/// The header with the secret that lets agent texts start programs.
pub(crate) const SECRET: &str = "x-agon-secret";

/// A game to start.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The variant.
    #[schema(example = "breakthrough:8x8")]
    variant: String,
    /// The start position, if it is not the variant's own.
    #[serde(default)]
    position: Option<String>,
    /// The players, one for each seat.
    seats: Vec<Holder>,
    /// The seats of friends, who get a link. Every seat of a person then has an owner: only whoever
    /// has its token plays it. All tokens are in the answer, as `tokens`, and never again.
    #[serde(default)]
    friends: Vec<usize>,
    /// Whether chance decides who sits where.
    #[serde(default)]
    random_seats: bool,
    /// The time of each player for the whole game; no clocks by default.
    #[serde(default)]
    #[schema(example = "5m+3s")]
    time: Option<String>,
    /// Whether a game without people starts paused.
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
#[into_params(parameter_in = Query)]
pub(crate) struct Ids {
    /// Ids of games, separated by commas.
    #[serde(default)]
    ids: String,
    /// How many at most.
    #[serde(default = "default_limit")]
    limit: usize,
}

fn default_limit() -> usize {
    limits::LISTED
}

/// Games: all of them if only this machine can reach the server; otherwise those without people, and
/// those whose ids are given.
#[utoipa::path(get, path = "/api/games", params(Ids), responses((status = 200, body = Games)))]
pub async fn list(
    State(app): State<App>,
    Params(Ids { ids, limit }): Params<Ids>,
) -> Result<Json<Games>, ApiError> {
    let names = ids.split(',').filter(|id| !id.is_empty() && id.len() < 64).map(str::to_string);
    let names: Vec<String> = names.take(limits::LISTED).collect();
    let alone = app.alone;
    let found = app.hub.keeper.read(move |store| {
        let listed = if alone { Listed::All } else { Listed::PublicAnd(&names) };
        store.list_sittings(listed, limit.min(limits::LISTED))
    });
    let sittings = found.await?;
    let catalog = app.catalog().clone();
    let summaries = move || {
        let summary = |sitting: Sitting| {
            // One unreadable game must not hide the others.
            let playing = Document::read(&sitting.document)
                .and_then(|it| Playing::open(&catalog, it))
                .ok()?;
            Some(ListedGame::of(&sitting.id, &playing))
        };
        Ok(sittings.into_iter().filter_map(summary).collect())
    };
    let games = app.work(summaries).await?;
    Ok(Json(Games { games }))
}

/// Starts a game.
#[utoipa::path(post, path = "/api/games", request_body = NewGame,
    params(("x-agon-secret" = Option<String>, Header, description =
        "the secret the server printed, needed if an agent text starts a program")), responses(
    (status = 201, body = Begun), (status = "4XX", body = ErrorBody)))]
pub async fn create(
    State(app): State<App>,
    client: Client,
    headers: HeaderMap,
    Body(new): Body<NewGame>,
) -> Result<(StatusCode, Shown), ApiError> {
    let secret = secret(&headers);
    let (rivals, given) = (app.hub.clone(), secret.clone());
    let begin = move || document(new, given.as_deref(), &rivals.rivals);
    let (document, tokens) = app.work(begin).await?;
    let id = new_id()?;
    app.hub.rivals.allow(&id, secret.as_deref());
    let game = app.hub.create(id, document, client).await?;
    let own = tokens.iter().filter(|token| !token.guest).map(|token| token.token.as_str());
    let shown = shown(&app, &game, &Tokens::from_iter(own)).await;
    Ok((StatusCode::CREATED, shown.with_tokens(&tokens)?))
}

/// A game that was started.
#[derive(Serialize, ToSchema)]
pub(crate) struct Begun {
    /// The game.
    #[serde(flatten)]
    game: GameView,
    /// The tokens of its seats, if they have owners: this is the only time they are sent.
    tokens: Vec<SeatToken>,
}

/// The secret that came with a request.
pub fn secret(headers: &HeaderMap) -> Option<String> {
    headers.get(SECRET).and_then(|value| value.to_str().ok()).map(str::to_string)
}

/// The document of a new game and the tokens of its seats, if the request is valid.
fn document(
    mut new: NewGame,
    secret: Option<&str>,
    rivals: &Rivals,
) -> Result<(Document, Vec<SeatToken>), ApiError> {
    let table = opened(rivals.registry().catalog(), &new.variant, new.position.as_deref())?;
    if new.seats.len() != table.seats() {
        let (wanted, given) = (table.seats(), new.seats.len());
        return Err(ApiError::bad(format!("{} has {wanted} seats, not {given}", table.variant())));
    }
    if new.seats.iter().any(Holder::is_elsewhere) {
        let message = "a player's kind is human or agent here; elsewhere is for other processes";
        return Err(ApiError::bad(message));
    }
    for agent in new.seats.iter().filter_map(Holder::agent) {
        rivals.invited(agent, secret, &*table)?;
    }
    let pace = pace(new.time.as_deref())?;
    let mut claims = claims(&new)?;
    let seed = seed()?;
    if new.random_seats {
        let mut rng = Rng::new(seed);
        for last in (1..claims.len()).rev() {
            let other = rng.below(last as u64 + 1) as usize;
            new.seats.swap(last, other);
            claims.swap(last, other);
        }
    }
    let (owners, tokens) = match new.friends.is_empty() {
        true => Default::default(),
        false => Owners::new(&claims)?,
    };
    let mut details = Details { owners, ..Details::new(new.seats, seed, now()) };
    if details.is_watched() {
        let delay_ms = new.delay_ms.min(limits::LONGEST_DELAY);
        details.watch = Some(Watch { paused: new.paused, delay_ms });
    }
    Ok((Document::new(TableSession::at_table(table, pace).stored(), details), tokens))
}

/// The clocks of a new game.
fn pace(time: Option<&str>) -> Result<Pace, ApiError> {
    let mut pace = Pace::default();
    if let Some(time) = time {
        let time: GameTime = time.parse().map_err(ApiError::bad)?;
        if time.base.max(time.increment) > limits::LONGEST_CLOCK {
            return Err(ApiError::bad(format!("bad time \"{time}\": at most a day per player")));
        }
        pace.time.game = Some(time);
    }
    Ok(pace)
}

/// Who is to own each seat, if seats are to have owners.
fn claims(new: &NewGame) -> Result<Vec<Option<Claim>>, ApiError> {
    let people = new.seats.iter().map(|holder| holder.is_human().then_some(Claim::Host));
    let mut claims: Vec<Option<Claim>> = people.collect();
    for &friend in &new.friends {
        match claims.get_mut(friend) {
            Some(Some(claim)) => *claim = Claim::Guest,
            _ => {
                let message = format!("seat {friend} cannot be a friend's: it is not a person's");
                return Err(ApiError::bad(message));
            }
        }
    }
    Ok(claims)
}

/// A random seed.
pub fn seed() -> Result<u64, ApiError> {
    getrandom::u64().map_err(|error| ApiError::failed(format!("no random numbers: {error}")))
}

/// The game as JSON, for a client with these tokens.
pub async fn shown(app: &App, game: &LiveGame, tokens: &Tokens) -> Shown {
    let mut playing = game.playing.lock().await;
    Shown::Game(playing.json(&game.id, &app.hub.rivals, Part::Whole, tokens))
}

/// The game after a change, or only its version for a page that gets the game over its WebSocket.
pub async fn changed(app: &App, game: &LiveGame, headers: &HeaderMap) -> Shown {
    let preferences = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
    let minimal = |preference: &str| preference.trim().eq_ignore_ascii_case("return=minimal");
    if preferences.flat_map(|list| list.split(',')).any(minimal) {
        return Shown::Version(game.playing.lock().await.details.version);
    }
    shown(app, game, &Tokens::of(headers)).await
}

/// A game as an answer.
pub enum Shown {
    /// As JSON.
    Game(Arc<str>),
    /// Only its version.
    Version(u64),
}

impl Shown {
    /// Adds the tokens of the seats, if there are any.
    fn with_tokens(self, tokens: &[SeatToken]) -> Result<Shown, ApiError> {
        match self {
            Shown::Game(json) if !tokens.is_empty() => {
                let tokens = serde_json::to_string(tokens).map_err(ApiError::failed)?;
                let game = json.strip_suffix('}').unwrap_or(&json);
                Ok(Shown::Game(format!("{game},\"tokens\":{tokens}}}").into()))
            }
            other => Ok(other),
        }
    }
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
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = String, Path),
    ("x-agon-seat" = Option<String>, Header, description =
        "the tokens of the client's seats, separated by commas; `yours` lists the seats")), responses(
    (status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    Name(id): Name,
    client: Client,
    headers: HeaderMap,
) -> Result<Shown, ApiError> {
    let game = app.hub.find(&id).await?;
    // After a restart the programs of a game need permission again.
    app.hub.rivals.allow(&id, secret(&headers).as_deref());
    app.hub.attend(&game, client).await;
    Ok(shown(&app, &game, &Tokens::of(&headers)).await)
}

/// Deletes a game. Where seats have owners, it takes a token of whoever started the game, or the
/// tokens of all seats.
#[utoipa::path(delete, path = "/api/games/{id}", params(("id" = String, Path),
    ("x-agon-seat" = Option<String>, Header, description =
        "the tokens of the client's seats, separated by commas")), responses(
    (status = 204), (status = "4XX", body = ErrorBody)))]
pub async fn delete(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let name = id.clone();
    let sitting = app.hub.keeper.read(move |store| store.sitting(&name)).await?;
    match sitting {
        None => {
            return Err(ApiError::not_found("there is no such game, or it has been deleted"));
        }
        // Everybody can see these, so anybody could delete them.
        Some(sitting) if sitting.public && !app.alone => {
            let message = "games to watch cannot be deleted on a shared server";
            return Err(ApiError::new(Code::Forbidden, message));
        }
        // What cannot be read any more may be deleted: nobody can play it.
        Some(sitting) => {
            let owners = Document::read(&sitting.document).map(|it| it.details.owners);
            if owners.is_ok_and(|owners| !owners.may_delete(&Tokens::of(&headers))) {
                let message = "only whoever started this game may delete it";
                return Err(ApiError::new(Code::Forbidden, message));
            }
        }
    }
    let hub = app.hub.clone();
    // Runs to its end even if the client goes away.
    tokio::spawn(async move { hub.delete(&id).await }).await.map_err(ApiError::failed)??;
    Ok(StatusCode::NO_CONTENT)
}
