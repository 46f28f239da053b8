//! Actions in a game: play, take back, resign, offer a draw, pause. Where seats have owners, each
//! takes the token of the seat that acts.

use agon_core::Seat;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;
use utoipa::ToSchema;

use super::games::{Shown, changed};
use super::{App, Body, Name};
use crate::error::{ApiError, Code, ErrorBody};
use crate::limits;
use crate::live::{GameView, Holder, Playing, Tokens};

/// What the client has seen, so that nobody acts on an outdated position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// How many moves have been played.
    pub(super) ply: usize,
    /// The text of the position, as an additional check.
    #[serde(default)]
    pub(super) position: Option<String>,
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

/// A player resigns.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// How many moves have been played.
    ply: usize,
    /// The seat; may be left out if the client plays only one.
    #[serde(default)]
    seat: Option<usize>,
}

/// A player offers, accepts or declines a draw.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DrawAnswer {
    /// How many moves have been played.
    ply: usize,
    /// The seat; may be left out if the client plays only one.
    #[serde(default)]
    seat: Option<usize>,
    /// Whether all offers are declined.
    #[serde(default)]
    decline: bool,
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

/// Plays a move for the person to move.
#[utoipa::path(post, path = "/api/games/{id}/moves", params(("id" = String, Path),
    ("x-agon-seat" = Option<String>, Header, description = "the tokens of the client's seats")),
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
    let tokens = Tokens::of(&headers);
    let play = move |playing: &mut Playing| {
        playing.check_seen(made.ply, made.position.as_deref())?;
        playing.play(&made.mv, &tokens)
    };
    change(&app, &id, &headers, play).await
}

/// Takes back moves to the last position where a person was to move. Where seats have owners, that
/// must have been the client's own seat.
#[utoipa::path(post, path = "/api/games/{id}/undo", params(("id" = String, Path),
    ("x-agon-seat" = Option<String>, Header, description = "the tokens of the client's seats")),
    request_body = Seen, responses(
    (status = 200, body = GameView), (status = 204, description = "after `Prefer: return=minimal`"),
    (status = "4XX", body = ErrorBody)))]
pub async fn undo(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
    Body(seen): Body<Seen>,
) -> Result<Shown, ApiError> {
    let tokens = Tokens::of(&headers);
    let undo = move |playing: &mut Playing| {
        playing.check_seen(seen.ply, seen.position.as_deref())?;
        playing.undo(&tokens)
    };
    change(&app, &id, &headers, undo).await
}

/// A person resigns.
#[utoipa::path(post, path = "/api/games/{id}/resign", params(("id" = String, Path),
    ("x-agon-seat" = Option<String>, Header, description = "the tokens of the client's seats")),
    request_body = Resignation, responses(
    (status = 200, body = GameView), (status = 204, description = "after `Prefer: return=minimal`"),
    (status = "4XX", body = ErrorBody)))]
pub async fn resign(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
    Body(resignation): Body<Resignation>,
) -> Result<Shown, ApiError> {
    let tokens = Tokens::of(&headers);
    let resign = move |playing: &mut Playing| {
        playing.check_seen(resignation.ply, None)?;
        let seat = person(playing, resignation.seat, &tokens)?;
        playing.resign_or_draw(|session| session.resign(seat))
    };
    change(&app, &id, &headers, resign).await
}

/// A person offers, accepts or declines a draw: the game is drawn when all have agreed. A move cancels
/// all offers. Agents never agree.
#[utoipa::path(post, path = "/api/games/{id}/draw", params(("id" = String, Path),
    ("x-agon-seat" = Option<String>, Header, description = "the tokens of the client's seats")),
    request_body = DrawAnswer, responses(
    (status = 200, body = GameView), (status = 204, description = "after `Prefer: return=minimal`"),
    (status = "4XX", body = ErrorBody)))]
pub async fn draw(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
    Body(answer): Body<DrawAnswer>,
) -> Result<Shown, ApiError> {
    let tokens = Tokens::of(&headers);
    let draw = move |playing: &mut Playing| {
        playing.check_seen(answer.ply, None)?;
        let seat = person(playing, answer.seat, &tokens)?;
        if !playing.details.seats.iter().all(Holder::is_human) {
            return Err(ApiError::new(Code::Illegal, "agents do not agree to draws"));
        }
        playing.resign_or_draw(|session| match answer.decline {
            true => session.decline_draw(),
            false => session.agree_to_draw(seat),
        })
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

/// The person who acts, if the client may play that seat: the one named, the only one, or the one to
/// move.
fn person(playing: &Playing, named: Option<usize>, tokens: &Tokens) -> Result<Seat, ApiError> {
    let details = &playing.details;
    if let Some(named) = named {
        let seats = Seat::all(details.seats.len());
        let found = seats.into_iter().find(|seat| seat.index() == named);
        let seat = found.filter(|&seat| details.is_person(seat));
        let seat = seat.ok_or_else(|| ApiError::bad(format!("seat {named} is not a person's")))?;
        return playing.check_owner(seat, tokens).map(|()| seat);
    }
    playing.check_player(tokens)?;
    match (&details.yours(tokens)[..], playing.to_move()) {
        ([only], _) => Ok(Seat::new(*only)),
        (yours, Some(seat)) if yours.contains(&seat.index()) => Ok(seat),
        _ => Err(ApiError::bad("no person is to move: say which seat is meant")),
    }
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
