//! Games: begin, look, play, take back, give up, ask for advice, play again.

use agon_arena::clock::{GameTime, Pace};
use agon_arena::store::{Listed, now};
use agon_core::Seat;
use agon_search::{Score, StopFlag};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::positions::opened;
use super::{App, Asked, Body, Name};
use crate::limits;
use crate::live::{Document, GameView, Holder, LiveGame, Playing, Summary, Watch};
use crate::pool::{Place, StopOnDrop};
use crate::problem::{Code, ErrorBody, Problem};
use crate::thinker::{Answer, Ask};
use crate::view::MoveView;

/// The header with the secret that lets agent texts start programs.
pub const SECRET: &str = "x-agon-secret";
/// The seat of who is asked for hints: beyond all others.
const ADVISER: usize = 99;

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

/// What the asker sees, so that nobody acts on an old picture.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// How many moves have been played.
    ply: usize,
}

/// A move to play.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveMade {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    #[schema(example = "b2b3")]
    mv: String,
    /// How many moves have been played before it.
    ply: usize,
}

/// Somebody gives up.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// How many moves have been played.
    ply: usize,
    /// Who gives up; where there is one person only, that one.
    #[serde(default)]
    seat: Option<usize>,
}

/// How a game without people shall go on.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WatchChange {
    /// Waits to be told, or not any more.
    #[serde(default)]
    paused: Option<bool>,
    /// How long to wait between moves, in milliseconds.
    #[serde(default)]
    delay_ms: Option<u64>,
    /// Plays one move although it is paused.
    #[serde(default)]
    step: bool,
}

/// Nothing more is to be said.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Games in a list.
#[derive(Serialize, ToSchema)]
pub struct Games {
    games: Vec<Summary>,
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

/// What an adviser would play.
#[derive(Serialize, ToSchema)]
pub struct Hint {
    /// The move.
    #[serde(rename = "move")]
    mv: MoveView,
    /// What it is worth, where that is known.
    score: Option<HintScore>,
    /// The line that is expected, beginning with the move.
    line: Vec<String>,
}

/// What a move is worth.
#[derive(Serialize, ToSchema)]
pub struct HintScore {
    /// In units of the game, or the way to a sure end.
    #[schema(example = "+1.20")]
    text: String,
    /// For whom.
    #[serde(rename = "for")]
    seat: String,
}

/// The games there are: all on a server for this machine alone; elsewhere those without people, and
/// those whose names are given.
#[utoipa::path(get, path = "/api/games", params(Ids), responses((status = 200, body = Games)))]
pub async fn list(
    State(app): State<App>,
    Asked(Ids { ids, limit }): Asked<Ids>,
) -> Result<Json<Games>, Problem> {
    let names = ids.split(',').filter(|id| !id.is_empty() && id.len() < 64).map(str::to_string);
    let names: Vec<String> = names.take(limits::LISTED).collect();
    let alone = app.alone;
    let found = app.hub.keeper.read(move |store| {
        let listed = if alone { Listed::All } else { Listed::PublicAnd(&names) };
        store.list_sittings(listed, limit.min(limits::LISTED))
    });
    let mut games = Vec::new();
    for sitting in found.await? {
        // One that cannot be read does not hide the others.
        if let Ok(playing) = Document::read(&sitting.document).and_then(Playing::open) {
            games.push(Summary::of(&sitting.id, &playing));
        }
    }
    Ok(Json(Games { games }))
}

/// Begins a game.
#[utoipa::path(post, path = "/api/games", request_body = NewGame, responses(
    (status = 201, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn create(
    State(app): State<App>,
    headers: HeaderMap,
    Body(new): Body<NewGame>,
) -> Result<(StatusCode, Json<GameView>), Problem> {
    let table = opened(&new.variant, new.position.as_deref())?;
    if new.seats.len() != table.seats() {
        let (wanted, given) = (table.seats(), new.seats.len());
        return Err(Problem::bad(format!("{} has {wanted} seats, not {given}", table.variant())));
    }
    let secret = headers.get(SECRET).and_then(|value| value.to_str().ok());
    for agent in new.seats.iter().filter_map(Holder::agent) {
        app.hub.rivals.invited(agent, secret, &*table)?;
    }
    let variant = table.variant().to_string();
    let start = table.custom_start().map(str::to_string);
    let mut document = Document::new(variant, start, new.seats, now());
    if let Some(time) = new.time {
        let time: GameTime = time.parse().map_err(Problem::bad)?;
        document.time = Some(time.to_string());
    }
    document.seed = seed()?;
    if document.is_watched() {
        let delay_ms = new.delay_ms.min(limits::LONGEST_DELAY);
        document.watch = Some(Watch { paused: new.paused, delay_ms });
    }
    let game = app.hub.create(document).await?;
    Ok((StatusCode::CREATED, shown(&game).await))
}

fn seed() -> Result<u64, Problem> {
    getrandom::u64().map_err(|error| Problem::failed(format!("no random numbers: {error}")))
}

/// The game as JSON.
async fn shown(game: &LiveGame) -> Json<GameView> {
    let playing = game.playing.lock().await;
    Json(GameView::of(&game.id, &playing))
}

/// A game.
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = String, Path)), responses(
    (status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn show(State(app): State<App>, Name(id): Name) -> Result<Json<GameView>, Problem> {
    let game = app.hub.find(&id).await?;
    app.hub.attend(&game).await;
    Ok(shown(&game).await)
}

/// Deletes a game.
#[utoipa::path(delete, path = "/api/games/{id}", params(("id" = String, Path)), responses(
    (status = 204), (status = "4XX", body = ErrorBody)))]
pub async fn delete(State(app): State<App>, Name(id): Name) -> Result<StatusCode, Problem> {
    app.hub.find(&id).await?;
    app.hub.delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Plays a move for the person to move.
#[utoipa::path(post, path = "/api/games/{id}/moves", params(("id" = String, Path)),
    request_body = MoveMade, responses(
    (status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn play(
    State(app): State<App>,
    Name(id): Name,
    Body(made): Body<MoveMade>,
) -> Result<Json<GameView>, Problem> {
    if made.mv.len() > limits::POSITION {
        return Err(Problem::new(Code::TooLarge, "no move is that long"));
    }
    let game = app.hub.find(&id).await?;
    let play = |playing: &mut Playing| {
        playing.check_ply(made.ply)?;
        let seat = playing.to_move();
        let holder = seat.and_then(|seat| playing.document.seats.get(seat.index()));
        if holder.is_some_and(|holder| !holder.is_human()) {
            return Err(Problem::new(Code::Illegal, "it is not a person's turn"));
        }
        let took = playing.turn_time();
        playing.play(&made.mv, took)
    };
    app.hub.change(&game, play).await?;
    Ok(shown(&game).await)
}

/// Takes back to the last position where a person was to move.
#[utoipa::path(post, path = "/api/games/{id}/undo", params(("id" = String, Path)),
    request_body = Seen, responses(
    (status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn undo(
    State(app): State<App>,
    Name(id): Name,
    Body(seen): Body<Seen>,
) -> Result<Json<GameView>, Problem> {
    let game = app.hub.find(&id).await?;
    let undo = |playing: &mut Playing| {
        playing.check_ply(seen.ply)?;
        playing.undo()
    };
    app.hub.change(&game, undo).await?;
    Ok(shown(&game).await)
}

/// A person gives up.
#[utoipa::path(post, path = "/api/games/{id}/resign", params(("id" = String, Path)),
    request_body = Resignation, responses(
    (status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn resign(
    State(app): State<App>,
    Name(id): Name,
    Body(resignation): Body<Resignation>,
) -> Result<Json<GameView>, Problem> {
    let game = app.hub.find(&id).await?;
    let resign = |playing: &mut Playing| {
        playing.check_ply(resignation.ply)?;
        let seat = person(playing, resignation.seat)?;
        playing.resign(seat)
    };
    app.hub.change(&game, resign).await?;
    Ok(shown(&game).await)
}

/// The person who is meant: the one named, the only one, or the one to move.
fn person(playing: &Playing, named: Option<usize>) -> Result<usize, Problem> {
    let seats = &playing.document.seats;
    let is_person = |seat: usize| seats.get(seat).is_some_and(Holder::is_human);
    let people: Vec<usize> = (0..seats.len()).filter(|&seat| is_person(seat)).collect();
    let to_move = playing.to_move().map(Seat::index);
    match (named, people.as_slice()) {
        (Some(seat), _) if is_person(seat) => Ok(seat),
        (Some(seat), _) => Err(Problem::bad(format!("no person sits at seat {seat}"))),
        (None, [only]) => Ok(*only),
        (None, _) => to_move
            .filter(|&seat| is_person(seat))
            .ok_or_else(|| Problem::bad("say which seat gives up: nobody is to move")),
    }
}

/// What an engine would play, after a second of thought. The search ends when nobody waits for it.
#[utoipa::path(post, path = "/api/games/{id}/hint", params(("id" = String, Path)),
    request_body = Seen, responses(
    (status = 200, body = Hint), (status = "4XX", body = ErrorBody)))]
pub async fn hint(
    State(app): State<App>,
    Name(id): Name,
    Body(seen): Body<Seen>,
) -> Result<Json<Hint>, Problem> {
    let game = app.hub.find(&id).await?;
    let ask = {
        let playing = game.playing.lock().await;
        playing.check_ply(seen.ply)?;
        let Some(seat) = playing.to_move() else {
            return Err(Problem::new(Code::Illegal, "no hint: the game is over"));
        };
        Ask {
            agent: app.hub.rivals.trusted("engine")?,
            variant: playing.table.variant().clone(),
            start: playing.document.start.clone(),
            moves: playing.document.moves(),
            seat,
            clocks: Vec::new(),
            pace: Pace::default(),
            seed: playing.document.seed,
        }
    };
    let stop = StopFlag::default();
    let _stopping = StopOnDrop(stop.clone());
    let place = Place { game: game.id.clone(), seat: ADVISER };
    let answer = app.hub.pool.ask(place, ask, stop).await?;
    let Some(Answer::Move(thought)) = answer else {
        return Err(Problem::failed("no hint was found"));
    };
    let playing = game.playing.lock().await;
    playing.check_ply(seen.ply)?;
    let trace = playing.table.trace(&thought.mv).map_err(Problem::failed)?;
    let to_move = playing.table.to_move().unwrap_or_default().to_string();
    let score =
        thought.score.map(|score: Score| HintScore { text: score.to_string(), seat: to_move });
    Ok(Json(Hint { mv: MoveView::new(thought.mv, trace), score, line: thought.line }))
}

/// Begins the same game again, with everybody one seat further. The second to ask gets the game of
/// the first.
#[utoipa::path(post, path = "/api/games/{id}/rematch", params(("id" = String, Path)),
    request_body = Nothing, responses(
    (status = 201, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn rematch(
    State(app): State<App>,
    Name(id): Name,
    Body(Nothing {}): Body<Nothing>,
) -> Result<(StatusCode, Json<GameView>), Problem> {
    let game = app.hub.find(&id).await?;
    let (document, begun) = {
        let playing = game.playing.lock().await;
        if !playing.is_over() {
            let message = "the game is not over yet: a rematch comes after it";
            return Err(Problem::new(Code::Illegal, message));
        }
        (playing.document.clone(), playing.document.rematch.clone())
    };
    if let Some(begun) = begun
        && let Ok(begun) = app.hub.find(&begun).await
    {
        return Ok((StatusCode::CREATED, shown(&begun).await));
    }
    let Document { variant, start, mut seats, time, watch, .. } = document;
    seats.rotate_right(1);
    let mut again = Document::new(variant, start, seats, now());
    (again.time, again.watch, again.seed) = (time, watch, seed()?);
    let again = app.hub.create(again).await?;
    let link = |playing: &mut Playing| {
        playing.document.rematch = Some(again.id.clone());
        playing.changed();
        Ok(())
    };
    app.hub.change(&game, link).await?;
    Ok((StatusCode::CREATED, shown(&again).await))
}

/// Says how a game without people goes on.
#[utoipa::path(post, path = "/api/games/{id}/watch", params(("id" = String, Path)),
    request_body = WatchChange, responses(
    (status = 200, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn watch(
    State(app): State<App>,
    Name(id): Name,
    Body(change): Body<WatchChange>,
) -> Result<Json<GameView>, Problem> {
    let game = app.hub.find(&id).await?;
    let set = |playing: &mut Playing| {
        let Some(watch) = &mut playing.document.watch else {
            return Err(Problem::bad("people play this game: it cannot be paused"));
        };
        watch.paused = change.paused.unwrap_or(watch.paused);
        let delay = change.delay_ms.unwrap_or(watch.delay_ms);
        watch.delay_ms = delay.min(limits::LONGEST_DELAY);
        playing.step = change.step && watch.paused;
        let began = playing.turn_began;
        playing.changed();
        playing.turn_began = began;
        Ok(())
    };
    app.hub.change(&game, set).await?;
    Ok(shown(&game).await)
}
