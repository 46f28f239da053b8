//! Live analysis over a WebSocket: agents search the position that a page shows, for as long as it shows
//! it, and every move gets its value.
//!
//! `thinking.rs` has the searches, which take turns with everybody else's on the pool; `findings.rs` what
//! they have found so far; `views.rs` what of it is sent.

mod findings;
mod thinking;
mod views;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};
use utoipa::ToSchema;

use super::App;
use crate::clients::Client;
use crate::error::{ApiError, ErrorBody};
use crate::limits;
use thinking::Thinking;

/// How often to check whether the page is still there.
const PING: Duration = Duration::from_millis(1200);
/// After how many unanswered pings the page is gone. Its searches stop at the next one: less than five
/// seconds after its last sign of life.
const SILENCE: u32 = 2;
/// How long a page may take to receive a message.
const PATIENCE: Duration = Duration::from_secs(4);

/// What a page wants to be analysed, in place of what it wanted before.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// A number that every answer repeats.
    #[serde(default)]
    number: u64,
    /// Only stops.
    #[serde(default)]
    stop: bool,
    /// The variant.
    #[serde(default)]
    #[schema(example = "congo")]
    variant: String,
    /// The start position, if it is not the variant's own.
    #[serde(default)]
    start: Option<String>,
    /// The moves to play from there.
    #[serde(default)]
    moves: Vec<String>,
    /// The agents that search, at most two.
    #[serde(default)]
    analysts: Vec<String>,
    /// Whether every legal move is valued, too.
    #[serde(default)]
    values: bool,
    /// How many nodes each agent searches; without it they go on.
    #[serde(default)]
    nodes: Option<u64>,
    /// The secret that the server printed, for agents that are programs.
    #[serde(default)]
    secret: Option<String>,
}

/// Why a question cannot be answered.
#[derive(Serialize)]
struct Problem {
    number: u64,
    problem: String,
}

/// A WebSocket on which positions are analysed. The page sends a `Question`, and another whenever it
/// shows another position; the answers are `Answer`s with what has changed since the last, at most ten a
/// second. `{"stop": true}` stops, and so does closing the connection.
#[utoipa::path(get, path = "/api/analyse", responses(
    (status = 101, description = "the page sends questions and receives answers"),
    (status = "4XX", body = ErrorBody)))]
pub(crate) async fn analyse(
    State(app): State<App>,
    client: Client,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade.map_err(|_| ApiError::bad("expected a WebSocket request"))?;
    let place = app.hub.page(client)?;
    let (message, frame) = (limits::ANALYSIS_MESSAGE, limits::ANALYSIS_MESSAGE);
    let upgrade = upgrade.max_message_size(message).max_frame_size(frame);
    Ok(upgrade.on_upgrade(async move |socket| {
        converse(socket, app, client).await;
        drop(place);
    }))
}

/// Listens and answers until the page is gone or the server closes.
async fn converse(mut socket: WebSocket, app: App, client: Client) {
    let mut closing = app.hub.closing();
    let (mut ping, mut silent) = (interval(PING), 0);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut thinking: Option<Thinking> = None;
    let mut next = Instant::now();
    loop {
        tokio::select! {
            message = socket.recv() => {
                silent = 0;
                match message {
                    None | Some(Ok(Message::Close(_)) | Err(_)) => return,
                    Some(Ok(Message::Text(text))) => {
                        // What ran for the last question stops before the next one is read.
                        thinking = None;
                        match begin(&app, client, &text).await {
                            Ok(begun) => thinking = begun,
                            Err((number, problem)) => {
                                let problem = Problem { number, problem };
                                if !send(&mut socket, &problem).await {
                                    return;
                                }
                            }
                        }
                    }
                    Some(Ok(_)) => {}
                }
            }
            () = news(thinking.as_ref(), next) => {
                let answer = thinking.as_ref().and_then(Thinking::news);
                if let Some(answer) = answer {
                    if !send(&mut socket, &answer).await {
                        return;
                    }
                    next = Instant::now() + limits::ANALYSIS_PAUSE;
                }
            }
            () = closed(&mut closing) => {
                let _ = timeout(PATIENCE, socket.send(Message::Close(None))).await;
                return;
            }
            _ = ping.tick() => {
                silent += 1;
                let sent = timeout(PATIENCE, socket.send(Message::Ping("".into()))).await;
                if silent > SILENCE || !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
        }
    }
}

/// Resolves when the server closes.
async fn closed(closing: &mut watch::Receiver<bool>) {
    let _ = closing.wait_for(|closing| *closing).await;
}

/// Resolves when there is something new to send, but not before this moment. It is dropped whenever
/// anything else happens, such as the answer to a ping, and must have taken no signal then: after the
/// last one of a search nothing would wake it again.
async fn news(thinking: Option<&Thinking>, not_before: Instant) {
    match thinking {
        Some(thinking) => {
            sleep_until(not_before).await;
            thinking.changed().await;
        }
        None => std::future::pending().await,
    }
}

/// Reads a question and begins to search for its answers; none if the page only stops.
async fn begin(app: &App, client: Client, text: &str) -> Result<Option<Thinking>, (u64, String)> {
    let question = read(text).map_err(|error| (0, format!("expected a question: {error}")))?;
    if question.stop {
        return Ok(None);
    }
    let number = question.number;
    let begun = Thinking::begin(app, client, question).await;
    begun.map(Some).map_err(|problem| (number, problem.to_string()))
}

fn read(text: &str) -> Result<Question, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    // serde would read a list as an object without field names.
    if !json.is_object() {
        return Err("this is not an object".into());
    }
    serde_json::from_value(json).map_err(|error| error.to_string())
}

/// Sends a message; `false` if the page does not receive it.
async fn send(socket: &mut WebSocket, message: &impl Serialize) -> bool {
    let Ok(text) = serde_json::to_string(message) else { return false };
    matches!(timeout(PATIENCE, socket.send(Message::Text(text.into()))).await, Ok(Ok(())))
}

/// Data shared by the searches for one question.
type Board = Arc<findings::Findings>;
