//! Finished games of the pages, of matches and of tournaments, and records to download.

use agon_arena::game_file;
use agon_arena::store::export::{ExportedGame, Known, pgn::PgnGame};
use agon_arena::store::{Filter, GameId, StoreProblem};
use axum::Json;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{App, Name, Params};
use crate::error::{ApiError, ErrorBody};
use crate::limits;
use crate::live::{GameView, PlayerView};
use crate::view::{OutcomeView, Part, seats_of};

/// Which records to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// How many at most.
    #[serde(default = "default_limit")]
    limit: usize,
    /// How many to skip.
    #[serde(default)]
    offset: usize,
    /// Only games of this variant, or of this game.
    #[serde(default)]
    variant: Option<String>,
}

fn default_limit() -> usize {
    50
}

/// Records in a list.
#[derive(Serialize, ToSchema)]
pub struct Records {
    records: Vec<RecordEntry>,
    /// The total number.
    total: u64,
}

/// A stored game in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecordEntry {
    /// Its series and its number in the series.
    #[schema(example = "7.120")]
    id: String,
    /// The match or tournament; `pages` for games played on the pages.
    series: String,
    /// The variant.
    variant: String,
    /// The players, by seat.
    players: Vec<String>,
    /// The points of every seat.
    points: Vec<u8>,
    /// Why it ended.
    reason: String,
    /// How many plies were played.
    plies: usize,
    /// When it ended, in milliseconds since 1970.
    finished_at: i64,
    /// Whether it counts for ratings: nobody took a move back.
    rated: bool,
}

impl From<&ExportedGame<'_>> for RecordEntry {
    fn from(exported: &ExportedGame<'_>) -> RecordEntry {
        let game = exported.game;
        RecordEntry {
            id: exported.id().to_string(),
            series: exported.series.name.clone(),
            variant: game.variant.clone(),
            players: exported.table().iter().map(|(_, who)| who.name.clone()).collect(),
            points: game.points.as_slice().to_vec(),
            reason: game.reason.clone(),
            plies: game.plies(),
            finished_at: game.finished_at,
            rated: game.rated,
        }
    }
}

/// A stored game.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecordView {
    /// The same as in a list.
    #[serde(flatten)]
    entry: RecordEntry,
    /// The names of the seats.
    seats: Vec<String>,
    /// The start position, if it is not the variant's own.
    start: Option<String>,
    /// All moves, including the opening's.
    moves: Vec<String>,
    /// Who won and why, in a sentence.
    sentence: String,
    /// The record as text.
    text: String,
}

/// Stored games: those of the pages first, then by match or tournament, newest first; within each the
/// latest first.
#[utoipa::path(get, path = "/api/records", params(Page), responses(
    (status = 200, body = Records), (status = "4XX", body = ErrorBody)))]
pub async fn list(
    State(app): State<App>,
    Params(page): Params<Page>,
) -> Result<Json<Records>, ApiError> {
    if page.variant.as_ref().is_some_and(|variant| variant.len() > limits::NAME) {
        return Err(ApiError::bad("the variant is too long"));
    }
    let catalog = app.catalog().clone();
    let listed = app.hub.keeper.read(move |store| {
        let filter = Filter { variant: page.variant, ..Filter::default() };
        let (total, _) = store.count_games(&filter)?;
        let found = store.list_games(&filter, page.limit.min(limits::RECORDS), page.offset)?;
        let names = |variant: &str| seats_of(&catalog, variant);
        let mut known = Known::new(store, &names);
        let mut records = Vec::new();
        for (series, game) in &found {
            records.push(RecordEntry::from(&known.entry(*series, game)?));
        }
        Ok(Records { records, total })
    });
    Ok(Json(listed.await?))
}

/// A stored game.
#[utoipa::path(get, path = "/api/records/{id}", params(("id" = String, Path)), responses(
    (status = 200, body = RecordView), (status = "4XX", body = ErrorBody)))]
pub async fn show(State(app): State<App>, Name(id): Name) -> Result<Json<RecordView>, ApiError> {
    let id: GameId = id.parse().map_err(ApiError::bad)?;
    let catalog = app.catalog().clone();
    let found = app.hub.keeper.read(move |store| {
        let game = match store.game(id) {
            Err(error) if matches!(error.problem(), StoreProblem::NoGame(_)) => return Ok(None),
            other => other?,
        };
        let names = |variant: &str| seats_of(&catalog, variant);
        let mut known = Known::new(store, &names);
        let exported = known.entry(id.series, &game)?;
        let seats: Vec<String> = exported.table().iter().map(|(seat, _)| seat.clone()).collect();
        let outcome = agon_core::Outcome::with_points(game.points, "");
        Ok(Some(RecordView {
            entry: RecordEntry::from(&exported),
            sentence: OutcomeView::new(&outcome, &game.reason, &game.reason, &seats).sentence,
            seats,
            start: game.start.clone(),
            moves: game.opening_moves().chain(game.played_moves()).map(String::from).collect(),
            text: PgnGame::from(&exported).to_string(),
        }))
    });
    let record = found.await?;
    record.map(Json).ok_or_else(|| ApiError::not_found(format!("there is no stored game {id}")))
}

/// The format of a record.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Form {
    /// `text` or `json`.
    #[serde(default)]
    format: Option<String>,
}

/// A game to download, finished or not.
#[utoipa::path(get, path = "/api/games/{id}/record", params(("id" = String, Path), Form),
    responses((status = 200), (status = "4XX", body = ErrorBody)))]
pub async fn of_game(
    State(app): State<App>,
    Name(id): Name,
    Params(form): Params<Form>,
) -> Result<Response, ApiError> {
    let game = app.hub.find(&id).await?;
    let (view, saved, variant) = {
        let playing = game.playing.lock().await;
        let view = GameView::of(&game.id, &playing, &app.hub.rivals, Part::News);
        (view, game_file::write(&playing.session), playing.table().variant().to_string())
    };
    let name = variant.replace([':', ','], "-");
    let (kind, ending, text) = match form.format.as_deref() {
        None | Some("text") => ("text/plain; charset=utf-8", "pgn", record_text(variant, &view)),
        Some("json") => ("application/json", "json", saved.map_err(ApiError::failed)?),
        Some(other) => {
            let message = format!("there is no format {other:?}: use text or json");
            return Err(ApiError::bad(message));
        }
    };
    let attachment = format!("attachment; filename=\"{name}.{ending}\"");
    Ok(([(CONTENT_TYPE, kind.to_string()), (CONTENT_DISPOSITION, attachment)], text)
        .into_response())
}

/// The result of an unfinished game.
const UNFINISHED: &str = "*";

/// The game in the same form as stored games.
fn record_text(variant: String, view: &GameView) -> String {
    let position = &view.position;
    let mut tags = vec![("Variant".to_string(), variant)];
    for PlayerView { seat, name, agent, .. } in &view.players {
        let who = agent.as_ref().unwrap_or(name);
        tags.push((crate::view::capital(seat), who.clone()));
    }
    let outcome = position.outcome.as_ref();
    let points = outcome.map_or(vec![0; view.players.len()], |outcome| outcome.points.clone());
    let result = points.iter().map(u8::to_string).collect::<Vec<_>>().join("-");
    let shown = if outcome.is_some() { result.clone() } else { UNFINISHED.to_string() };
    tags.push(("Result".to_string(), shown));
    if let Some(outcome) = outcome {
        tags.push(("Termination".to_string(), outcome.reason.clone()));
    }
    if let Some(clock) = &view.clock {
        tags.push(("TimeControl".to_string(), clock.control.clone()));
    }
    if let Some(start) = &position.start {
        tags.push(("Start".to_string(), start.clone()));
    }
    let moves = view.played.iter().map(|played| played.text.clone()).collect();
    let text = PgnGame { tags, moves, points }.to_string();
    if outcome.is_some() {
        return text;
    }
    let played = text.trim_end().strip_suffix(&result).unwrap_or(&text);
    format!("{played}{UNFINISHED}\n\n")
}
