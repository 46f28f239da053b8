//! A live game over a WebSocket. A browser allows many of these at a time but only a few streams of
//! other kinds, and people open many tabs.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use tokio::time::{MissedTickBehavior, interval, timeout};
use utoipa::IntoParams;

use super::{App, Name, Params};
use crate::clients::Client;
use crate::error::{ApiError, ErrorBody};
use crate::live::{Tokens, Watcher};
use crate::view::Part;

/// How often to check whether the page is still there.
const PING: Duration = Duration::from_secs(15);
/// How long a page may take to receive a message.
const PATIENCE: Duration = Duration::from_secs(10);
/// The largest message a page may send. Pages need not send any.
const MESSAGE: usize = 1024;
/// The protocol of these messages. A browser cannot add headers to a WebSocket: besides this one it
/// offers `seat.TOKEN` for every token it has.
const PROTOCOL: &str = "agon";
/// After how many unanswered pings the page is considered gone.
const SILENCE: u32 = 3;

/// What the page already has.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Known {
    /// The version of the game that the page has in full.
    since: Option<u64>,
}

/// A WebSocket: the game as JSON, at once and after every change; several changes may come in one
/// message. With `since` only newer versions are sent, and without what is the same in all positions:
/// variant, title, seats and turns, shape, cells and regions. It is closed when the game is deleted.
/// The tokens of seats come as `x-agon-seat`, or as protocols: `agon, seat.TOKEN`.
#[utoipa::path(get, path = "/api/games/{id}/live", params(("id" = String, Path), Known), responses(
    (status = 101, description = "every message is a Game"), (status = "4XX", body = ErrorBody)))]
pub async fn live(
    State(app): State<App>,
    Name(id): Name,
    Params(Known { since }): Params<Known>,
    client: Client,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|_| ApiError::bad("expected a WebSocket request"))?;
    let game = app.hub.find(&id).await?;
    let watcher = app.hub.watch(game, client).await?;
    let upgrade = upgrade.max_message_size(MESSAGE).max_frame_size(MESSAGE).protocols([PROTOCOL]);
    let tokens = Tokens::of(&headers);
    Ok(upgrade.on_upgrade(move |socket| stream(socket, watcher, since, tokens)))
}

async fn stream(mut socket: WebSocket, mut watcher: Watcher, since: Option<u64>, tokens: Tokens) {
    let part = if since.is_some() { Part::News } else { Part::Whole };
    let (mut ping, mut silent, mut sent) = (interval(PING), 0, since);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let Some((version, game)) = watcher.now(part, &tokens).await else {
            send(&mut socket, Message::Close(None)).await;
            return;
        };
        // The change may already have been sent before its notification arrived.
        if sent != Some(version) && !send(&mut socket, Message::Text((&*game).into())).await {
            return;
        }
        sent = Some(version);
        loop {
            tokio::select! {
                () = watcher.changed() => break,
                message = socket.recv() => match message {
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(_)) => silent = 0,
                },
                _ = ping.tick() => {
                    silent += 1;
                    if silent > SILENCE || !send(&mut socket, Message::Ping("".into())).await {
                        return;
                    }
                }
            }
        }
    }
}

/// Sends a message; `false` if the page does not receive it.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(PATIENCE, socket.send(message)).await, Ok(Ok(())))
}
