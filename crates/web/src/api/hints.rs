//! What the engine would play in a position of a game, and how it evaluates it.

use agon_arena::clock::Pace;
use agon_arena::player::{Action, Answer};
use agon_arena::session::TableSession;
use agon_core::Seat;
use agon_games::Table;
use agon_search::{Score, StopFlag};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::acts::Seen;
use super::{App, Body, Name};
use crate::clients::Client;
use crate::error::{ApiError, Code, ErrorBody};
use crate::live::check_position;
use crate::pool::{Ask, Place, StopOnDrop};
use crate::view::MoveView;

/// The seat of the agent that gives hints, beyond all real seats.
const ADVISER: usize = 99;

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

/// The score of a move, which is the engine's evaluation of the position.
#[derive(Serialize, ToSchema)]
pub(crate) struct HintScore {
    /// In units of the game, or the distance to a forced end.
    #[schema(example = "+1.20")]
    text: String,
    /// The seat it is for.
    #[serde(rename = "for")]
    seat: String,
    /// The name of that seat in texts for people.
    label: String,
    /// How good that is, from 0 (lost) to 1 (won); 0.5 is even.
    share: f64,
}

impl HintScore {
    fn new(score: Score, table: &dyn Table) -> HintScore {
        let to_move = table.status().to_move().unwrap_or(Seat::FIRST);
        HintScore {
            text: score.to_string(),
            seat: table.seat_name(to_move).to_string(),
            label: table.seat_label(to_move).to_string(),
            share: score.share(table.scale()),
        }
    }
}

/// What the engine would play after this many moves, and its evaluation, after a second's search: now or
/// in any earlier position, and after the end, too. The search stops when the client goes away.
#[utoipa::path(post, path = "/api/games/{id}/hint", params(("id" = String, Path)),
    request_body = Seen, responses(
    (status = 200, body = Hint), (status = "4XX", body = ErrorBody)))]
pub async fn hint(
    State(app): State<App>,
    Name(id): Name,
    client: Client,
    Body(seen): Body<Seen>,
) -> Result<Json<Hint>, ApiError> {
    let game = app.hub.find(&id).await?;
    let (table, seed) = {
        let playing = game.playing.lock().await;
        (playing.table_at(seen.ply)?, playing.details.seed)
    };
    check_position(&*table, seen.position.as_deref())?;
    if table.status().to_move().is_none() {
        let message = "there is no hint: the game is over in this position";
        return Err(ApiError::new(Code::Illegal, message));
    }
    let ask = Ask {
        client,
        agent: app.hub.rivals.trusted("engine", &id)?,
        // A hint has its own time, whatever the clocks say.
        session: TableSession::at_table(table.fork(), Pace::default()),
        seed,
    };
    let stop = StopFlag::default();
    let _stopping = StopOnDrop(stop.clone());
    let place = Place { game: game.id.clone(), seat: ADVISER };
    let heard = app.hub.pool.ask(place, ask, stop).await?;
    let Some((Ok(Answer { action: Action::Play(mv), score, line, source, .. }), _)) = heard else {
        return Err(ApiError::failed("no hint was found"));
    };
    let trace = table.trace(&mv).map_err(ApiError::failed)?;
    let score = score.map(|score| HintScore::new(score, &*table));
    let source = source.name();
    Ok(Json(Hint { mv: MoveView::new(mv, trace), score, line, source }))
}
