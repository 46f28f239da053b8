//! Actions in a game: play, take back, resign, offer a draw, ask for a hint, rematch, pause.

use std::sync::Arc;
use std::time::Duration;

use agon_arena::clock::Pace;
use agon_arena::player::{Action, Answer};
use agon_arena::session::TableSession;
use agon_arena::store::now;
use agon_core::Seat;
use agon_search::{Score, StopFlag};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::games::{Shown, changed, secret, seed, shown};
use super::{App, Body, Name};
use crate::error::{ApiError, Code, ErrorBody};
use crate::limits;
use crate::live::{GameView, Holder, LiveGame, Playing, new_id};
use crate::pool::{Ask, Place, StopOnDrop};
use crate::view::MoveView;

/// The seat of the agent that gives hints, beyond all real seats.
const ADVISER: usize = 99;

/// What the client has seen, so that nobody acts on an outdated position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// How many moves have been played.
    ply: usize,
    /// The text of the position, as an additional check.
    #[serde(default)]
    position: Option<String>,
}

/// A move to play.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveMade {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    #[schema(example = "b2b3")]
    mv: String,
    /// How many moves have been played before it.
    ply: usize,
    /// The text of the position it is for, as an additional check.
    #[serde(default)]
    position: Option<String>,
}

/// A player resigns, or offers or accepts a draw.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// How many moves have been played.
    ply: usize,
    /// The seat; may be left out if there is only one person.
    #[serde(default)]
    seat: Option<usize>,
}

/// Changes the pace of a game without people.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchChange {
    /// Pauses or resumes it.
    #[serde(default)]
    paused: Option<bool>,
    /// How long to wait between moves, in milliseconds.
    #[serde(default)]
    delay_ms: Option<u64>,
    /// Plays one move although it is paused.
    #[serde(default)]
    step: bool,
}

/// An empty object.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// A suggested move.
#[derive(Serialize, ToSchema)]
pub struct Hint {
    /// The move.
    #[serde(rename = "move")]
    mv: MoveView,
    /// Its score, if known.
    score: Option<HintScore>,
    /// The principal variation, starting with the move.
    line: Vec<String>,
    /// Where the move comes from, if not from a search: `book`, or `known exactly` from endgame
    /// tables.
    #[schema(example = "book")]
    source: Option<&'static str>,
}

/// The score of a move.
#[derive(Serialize, ToSchema)]
pub(crate) struct HintScore {
    /// In units of the game, or the distance to a forced end.
    #[schema(example = "+1.20")]
    text: String,
    /// The seat it is for.
    #[serde(rename = "for")]
    seat: String,
}

/// Plays a move for the person to move.
#[utoipa::path(post, path = "/api/games/{id}/moves", params(("id" = String, Path)),
    request_body = MoveMade, responses(
    (status = 200, body = GameView), (status = 204, description = "after `Prefer: return=minimal`"),
    (status = "4XX", body = ErrorBody)))]
pub async fn play(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
    Body(made): Body<MoveMade>,
) -> Result<Shown, ApiError> {
    if made.mv.len() > limits::POSITION {
        return Err(ApiError::new(Code::TooLarge, "the text of the move is too long"));
    }
    let play = move |playing: &mut Playing| {
        playing.check_seen(made.ply, made.position.as_deref())?;
        playing.play(&made.mv)
    };
    change(&app, &id, &headers, play).await
}

/// Takes back moves to the last position where a person was to move.
#[utoipa::path(post, path = "/api/games/{id}/undo", params(("id" = String, Path)),
    request_body = Seen, responses(
    (status = 200, body = GameView), (status = 204, description = "after `Prefer: return=minimal`"),
    (status = "4XX", body = ErrorBody)))]
pub async fn undo(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
    Body(seen): Body<Seen>,
) -> Result<Shown, ApiError> {
    let undo = move |playing: &mut Playing| {
        playing.check_seen(seen.ply, seen.position.as_deref())?;
        playing.undo()
    };
    change(&app, &id, &headers, undo).await
}

/// A person resigns.
#[utoipa::path(post, path = "/api/games/{id}/resign", params(("id" = String, Path)),
    request_body = Resignation, responses(
    (status = 200, body = GameView), (status = 204, description = "after `Prefer: return=minimal`"),
    (status = "4XX", body = ErrorBody)))]
pub async fn resign(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
    Body(resignation): Body<Resignation>,
) -> Result<Shown, ApiError> {
    let resign = move |playing: &mut Playing| {
        playing.check_seen(resignation.ply, None)?;
        let seat = person(playing, resignation.seat)?;
        playing.resign_or_draw(|session| session.resign(seat))
    };
    change(&app, &id, &headers, resign).await
}

/// A person offers or accepts a draw: the game is drawn when all have.
#[utoipa::path(post, path = "/api/games/{id}/draw", params(("id" = String, Path)),
    request_body = Resignation, responses(
    (status = 200, body = GameView), (status = 204, description = "after `Prefer: return=minimal`"),
    (status = "4XX", body = ErrorBody)))]
pub async fn draw(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
    Body(offer): Body<Resignation>,
) -> Result<Shown, ApiError> {
    let draw = move |playing: &mut Playing| {
        playing.check_seen(offer.ply, None)?;
        let seat = person(playing, offer.seat)?;
        if !playing.details.seats.iter().all(Holder::is_human) {
            return Err(ApiError::new(Code::Illegal, "agents do not agree to draws"));
        }
        playing.resign_or_draw(|session| session.agree_to_draw(seat))
    };
    change(&app, &id, &headers, draw).await
}

/// Makes a change to a game, and answers as the request prefers.
async fn change(
    app: &App,
    id: &str,
    headers: &HeaderMap,
    change: impl FnOnce(&mut Playing) -> Result<(), ApiError> + Send + 'static,
) -> Result<Shown, ApiError> {
    let game = app.hub.find(id).await?;
    app.hub.change(&game, change).await?;
    Ok(changed(app, &game, headers).await)
}

/// The person who acts: the one named, the only one, or the one to move.
fn person(playing: &Playing, named: Option<usize>) -> Result<Seat, ApiError> {
    let details = &playing.details;
    let seats = Seat::all(details.seats.len());
    let people: Vec<Seat> = seats.filter(|&seat| details.is_person(seat)).collect();
    match (named, people.as_slice()) {
        (Some(named), _) => {
            let found = people.iter().find(|seat| seat.index() == named).copied();
            found.ok_or_else(|| ApiError::bad(format!("seat {named} is not a person's")))
        }
        (None, [only]) => Ok(*only),
        (None, _) => playing
            .to_move()
            .filter(|&seat| details.is_person(seat))
            .ok_or_else(|| ApiError::bad("no person is to move: say which seat is meant")),
    }
}

/// What the engine would play, after a second's search. The search stops when the client goes away.
#[utoipa::path(post, path = "/api/games/{id}/hint", params(("id" = String, Path)),
    request_body = Seen, responses(
    (status = 200, body = Hint), (status = "4XX", body = ErrorBody)))]
pub async fn hint(
    State(app): State<App>,
    Name(id): Name,
    Body(seen): Body<Seen>,
) -> Result<Json<Hint>, ApiError> {
    let game = app.hub.find(&id).await?;
    let ask = {
        let playing = game.playing.lock().await;
        playing.check_seen(seen.ply, seen.position.as_deref())?;
        if playing.is_over() {
            return Err(ApiError::new(Code::Illegal, "there is no hint: the game is over"));
        }
        Ask {
            agent: app.hub.rivals.trusted("engine", &id)?,
            // A hint has its own time, whatever the clocks say.
            session: TableSession::at_table(playing.table().fork(), Pace::default()),
            seed: playing.details.seed,
        }
    };
    let stop = StopFlag::default();
    let _stopping = StopOnDrop(stop.clone());
    let place = Place { game: game.id.clone(), seat: ADVISER };
    let heard = app.hub.pool.ask(place, ask, stop).await?;
    let Some((Ok(Answer { action: Action::Play(mv), score, line, source, .. }), _)) = heard else {
        return Err(ApiError::failed("no hint was found"));
    };
    let playing = game.playing.lock().await;
    playing.check_seen(seen.ply, seen.position.as_deref())?;
    let trace = playing.table().trace(&mv).map_err(ApiError::failed)?;
    let to_move = playing.table().to_move().unwrap_or_default().to_string();
    let score = score.map(|score: Score| HintScore { text: score.to_string(), seat: to_move });
    let source = source.name();
    Ok(Json(Hint { mv: MoveView::new(mv, trace), score, line, source }))
}

/// Starts the same game again, with the players rotated by one seat. Further requests get the same
/// rematch.
#[utoipa::path(post, path = "/api/games/{id}/rematch", params(("id" = String, Path)),
    request_body = Nothing, responses(
    (status = 201, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn rematch(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
    Body(Nothing {}): Body<Nothing>,
) -> Result<(StatusCode, Shown), ApiError> {
    let game = app.hub.find(&id).await?;
    let beginning = begin_rematch(app.clone(), game, secret(&headers));
    // Runs to its end even if the client goes away.
    let again = tokio::spawn(beginning).await.map_err(ApiError::failed)??;
    Ok((StatusCode::CREATED, shown(&app, &again).await))
}

async fn begin_rematch(
    app: App,
    game: Arc<LiveGame>,
    secret: Option<String>,
) -> Result<Arc<LiveGame>, ApiError> {
    check_agents(&app, &game, secret.clone()).await?;
    let (name, seed) = (new_id()?, seed()?);
    // The link is stored first, so that there is only one rematch.
    let link = move |playing: &mut Playing| {
        if !playing.is_over() {
            let message = "the game is not over yet: there is no rematch before that";
            return Err(ApiError::new(Code::Illegal, message));
        }
        if let Some(begun) = &playing.details.rematch {
            return Ok((begun.clone(), None));
        }
        playing.details.rematch = Some(name.clone());
        playing.touched();
        Ok((name, Some(playing.document().again(seed, now()))))
    };
    let (name, again) = app.hub.change(&game, link).await?;
    let Some(again) = again else { return existing_rematch(&app, &name).await };
    app.hub.rivals.allow(&name, secret.as_deref());
    let created = app.hub.create(name, again).await;
    if created.is_err() {
        let unlink = |playing: &mut Playing| {
            playing.details.rematch = None;
            playing.touched();
            Ok(())
        };
        app.hub.change(&game, unlink).await?;
    }
    created
}

/// Programs need permission for every game.
async fn check_agents(app: &App, game: &LiveGame, secret: Option<String>) -> Result<(), ApiError> {
    let playing = game.playing.lock().await;
    let agents = playing.details.seats.iter().filter_map(Holder::agent);
    let agents: Vec<String> = agents.map(str::to_string).collect();
    let (table, hub) = (playing.table().fork(), app.hub.clone());
    drop(playing);
    // Checking whether a program exists may take a while.
    let invite = move || {
        let invited = |agent: &String| hub.rivals.invited(agent, secret.as_deref(), &*table);
        agents.iter().try_for_each(|agent| invited(agent).map(drop))
    };
    app.work(invite).await
}

/// The rematch that another request has started; that may still be under way.
async fn existing_rematch(app: &App, name: &str) -> Result<Arc<LiveGame>, ApiError> {
    const TRIES: u32 = 20;
    for _ in 0..TRIES {
        if let Ok(game) = app.hub.find(name).await {
            return Ok(game);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Err(ApiError::not_found("the rematch has been deleted"))
}

/// Sets the pace of a game without people.
#[utoipa::path(post, path = "/api/games/{id}/watch", params(("id" = String, Path)),
    request_body = WatchChange, responses(
    (status = 200, body = GameView), (status = 204, description = "after `Prefer: return=minimal`"),
    (status = "4XX", body = ErrorBody)))]
pub async fn watch(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
    Body(wanted): Body<WatchChange>,
) -> Result<Shown, ApiError> {
    let set = move |playing: &mut Playing| {
        let Some(watch) = &mut playing.details.watch else {
            return Err(ApiError::bad("people play this game: it cannot be paused"));
        };
        watch.paused = wanted.paused.unwrap_or(watch.paused);
        let delay = wanted.delay_ms.unwrap_or(watch.delay_ms);
        watch.delay_ms = delay.min(limits::LONGEST_DELAY);
        let paused = watch.paused;
        if wanted.step && paused {
            playing.step();
        }
        // A pause between moves starts again with the new delay; a search continues unless paused.
        let searching = playing.job.as_ref().is_some_and(|job| job.asked);
        if playing.is_paused() || !searching {
            playing.cancel();
        }
        playing.touched();
        Ok(())
    };
    change(&app, &id, &headers, set).await
}
