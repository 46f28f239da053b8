//! Games that follow from another: the rematch, and a new game from an earlier position.

use std::sync::Arc;
use std::time::Duration;

use agon_arena::store::now;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

use super::games::{Shown, secret, seed, shown};
use super::{App, Body, Name};
use crate::clients::Client;
use crate::error::{ApiError, Code, ErrorBody};
use crate::live::{GameView, Holder, LiveGame, Playing, Tokens, new_id};

/// An empty object.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// An earlier position of a game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Earlier {
    /// After how many moves.
    ply: usize,
}

/// Starts the same game again, with the players rotated by one seat: the owners of seats keep their
/// tokens. Further requests get the same rematch.
#[utoipa::path(post, path = "/api/games/{id}/rematch", params(("id" = String, Path),
    ("x-agon-seat" = Option<String>, Header, description = "the tokens of the client's seats")),
    request_body = Nothing, responses(
    (status = 201, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn rematch(
    State(app): State<App>,
    Name(id): Name,
    client: Client,
    headers: HeaderMap,
    Body(Nothing {}): Body<Nothing>,
) -> Result<(StatusCode, Shown), ApiError> {
    let game = app.hub.find(&id).await?;
    let tokens = Tokens::of(&headers);
    let beginning = begin_rematch(app.clone(), game, client, secret(&headers), tokens.clone());
    // Runs to its end even if the client goes away.
    let again = tokio::spawn(beginning).await.map_err(ApiError::failed)??;
    Ok((StatusCode::CREATED, shown(&app, &again, &tokens).await))
}

async fn begin_rematch(
    app: App,
    game: Arc<LiveGame>,
    client: Client,
    secret: Option<String>,
    tokens: Tokens,
) -> Result<Arc<LiveGame>, ApiError> {
    game.playing.lock().await.check_player(&tokens)?;
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
    let created = app.hub.create(name, again, client).await;
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

/// Starts a new game from a position of this one, with the same players at the same seats: the owners
/// of seats keep their tokens. The moves up to there are kept. This game stays as it is.
#[utoipa::path(post, path = "/api/games/{id}/branch", params(("id" = String, Path),
    ("x-agon-seat" = Option<String>, Header, description = "the tokens of the client's seats")),
    request_body = Earlier, responses(
    (status = 201, body = GameView), (status = "4XX", body = ErrorBody)))]
pub async fn branch(
    State(app): State<App>,
    Name(id): Name,
    client: Client,
    headers: HeaderMap,
    Body(Earlier { ply }): Body<Earlier>,
) -> Result<(StatusCode, Shown), ApiError> {
    let game = app.hub.find(&id).await?;
    let (secret, tokens) = (secret(&headers), Tokens::of(&headers));
    game.playing.lock().await.check_player(&tokens)?;
    check_agents(&app, &game, secret.clone()).await?;
    let document = {
        let playing = game.playing.lock().await;
        if playing.details.is_elsewhere() {
            let message = "the players of this game are elsewhere: they cannot play on here";
            return Err(ApiError::new(Code::Forbidden, message));
        }
        if playing.table_at(ply)?.status().to_move().is_none() {
            let message = "the game is over in this position: go back to an earlier one";
            return Err(ApiError::new(Code::Illegal, message));
        }
        playing.document().from_ply(ply, seed()?, now())
    };
    let name = new_id()?;
    app.hub.rivals.allow(&name, secret.as_deref());
    let begun = app.hub.create(name, document, client).await?;
    Ok((StatusCode::CREATED, shown(&app, &begun, &tokens).await))
}
