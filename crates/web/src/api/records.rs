//! Finished games of the pages, of matches and of tournaments, and records to download.

mod choices;

use agon_arena::dates::read_span;
use agon_arena::game_file;
use agon_arena::score_json::ScoreJson;
use agon_arena::store::export::pgn::{PgnGame, points_text, result_text};
use agon_arena::store::export::{ExportedGame, Known};
use agon_arena::store::{Filter, GameId, PlayedBy, Store, StoreError, StoreProblem, StoredGame};
use agon_core::Seat;
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
use crate::view::{OutcomeView, Part, labels_of, seats_of};

pub use choices::{__path_choices, Shelf, choices};

/// Which page of the records to list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Page {
    /// How many at most.
    #[serde(default = "default_limit")]
    limit: usize,
    /// How many to skip.
    #[serde(default)]
    offset: usize,
}

fn default_limit() -> usize {
    50
}

/// Which records are wanted, in the words of `agon records list`. What is empty does not count.
#[derive(Deserialize, IntoParams, Default)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// Only games of this series: its number, a tournament's name, or `pages`.
    series: String,
    /// Only games of this tournament.
    tournament: String,
    /// Only games of this agent: its text, or its name in a series.
    agent: String,
    /// Only games of this variant.
    variant: String,
    /// Only games with this result: `first`, `second`, `third`, `fourth` or `draw`.
    result: String,
    /// Only games that ended with a fault: `any`, or one kind such as `illegal-move`.
    fault: String,
    /// Only games that ended on this day or later: `2026-01-31`, or `2026-01-31T23:59`, in UTC.
    since: String,
    /// Only games that ended on this day or earlier, or before this time.
    until: String,
}

impl Wanted {
    /// The filter, or what is wrong.
    pub(super) fn filter(&self, store: &Store) -> Result<Filter, ApiError> {
        let texts = [&self.series, &self.tournament, &self.agent, &self.variant];
        if texts.iter().any(|text| text.len() > limits::NAME) {
            return Err(ApiError::bad(format!("names have at most {} bytes", limits::NAME)));
        }
        let given = |text: &String| (!text.is_empty()).then(|| text.clone());
        let span = |text: &String| given(text).map(|text| read_span(&text)).transpose();
        Ok(Filter {
            series: self.found_series(store)?,
            agent: given(&self.agent),
            variant: given(&self.variant),
            result: given(&self.result).map(|it| it.parse()).transpose().map_err(ApiError::bad)?,
            fault: given(&self.fault).map(|it| it.parse()).transpose().map_err(ApiError::bad)?,
            since: span(&self.since).map_err(ApiError::bad)?.map(|it| it.start),
            until: span(&self.until).map_err(ApiError::bad)?.map(|it| it.end),
        })
    }

    fn found_series(&self, store: &Store) -> Result<Option<agon_arena::store::SeriesId>, ApiError> {
        let (text, found) = match (self.tournament.as_str(), self.series.as_str()) {
            ("", "") => return Ok(None),
            ("", text) => (text, store.find_by_text(text)),
            (name, "") => (name, store.find_tournament(name)),
            _ => return Err(ApiError::bad("expected either a series or a tournament, not both")),
        };
        let found = found.map_err(ApiError::failed)?;
        let missing = || ApiError::not_found(format!("there is no tournament or series {text:?}"));
        found.map(|series| Some(series.id)).ok_or_else(missing)
    }
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
    /// `match`, `tournament`, `experiment` or `pages`.
    kind: &'static str,
    /// The variant.
    variant: String,
    /// The players, by seat.
    players: Vec<String>,
    /// The points of every seat.
    points: Vec<u8>,
    /// Why it ended.
    reason: String,
    /// Whether it ended with a fault.
    fault: bool,
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
            kind: exported.series.kind.name(),
            variant: game.variant.clone(),
            players: exported.table().iter().map(|(_, who)| who.name.clone()).collect(),
            points: game.points.as_slice().to_vec(),
            reason: game.reason.clone(),
            fault: game.is_fault(),
            plies: game.plies(),
            finished_at: game.finished_at,
            rated: game.rated,
        }
    }
}

/// A move of a player in a stored game, and what it cost.
#[derive(Serialize, ToSchema)]
struct RecordedMove {
    /// Who made it.
    seat: usize,
    /// How long it took, in milliseconds.
    ms: f64,
    /// What the mover had left on its clock, in milliseconds, if the whole game was limited.
    clock_ms: Option<f64>,
    /// How many nodes were searched; 0 if not reported.
    nodes: u64,
    /// The depth in plies, if reported.
    depth: Option<u32>,
    /// The mover's evaluation, if reported: hundredths, or `win_in` or `loss_in` plies.
    #[schema(value_type = Option<Object>)]
    score: Option<ScoreJson>,
    /// The same for people.
    #[schema(example = "+0.35")]
    score_text: Option<String>,
}

/// A stored game.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecordView {
    /// The same as in a list.
    #[serde(flatten)]
    entry: RecordEntry,
    /// The names of the seats.
    seats: Vec<String>,
    /// The agents' texts, by seat; `human` for a person.
    agents: Vec<String>,
    /// The limits of the players.
    pace: String,
    /// The start position, if it is not the variant's own.
    start: Option<String>,
    /// All moves, including the opening's.
    moves: Vec<String>,
    /// How many of them are the opening's.
    opening: usize,
    /// What is known about each of the others.
    details: Vec<RecordedMove>,
    /// Who won and why, in a sentence.
    sentence: String,
    /// Who committed a fault, or resigned.
    offender: Option<usize>,
    /// The evidence of a fault.
    evidence: Option<String>,
    /// Whether a player had to wait too long for a processor.
    disturbed: bool,
    /// What the agents used besides their own code.
    resources: Option<String>,
    /// Where it was played, if that was on another machine, and how its clocks were scaled.
    place: Option<String>,
    /// The game before it in its series.
    previous: Option<String>,
    /// The game after it.
    next: Option<String>,
    /// The record as text.
    text: String,
}

/// Stored games: those of the pages first, then by match or tournament, newest first; within each the
/// latest first.
#[utoipa::path(get, path = "/api/records", params(Page, Wanted), responses(
    (status = 200, body = Records), (status = "4XX", body = ErrorBody)))]
pub async fn list(
    State(app): State<App>,
    Params(page): Params<Page>,
    Params(wanted): Params<Wanted>,
) -> Result<Json<Records>, ApiError> {
    let catalog = app.catalog().clone();
    let listed = app.hub.keeper.browse(move |store| {
        let filter = wanted.filter(store)?;
        let list = || -> Result<Records, StoreError> {
            let (total, _) = store.count_games(&filter)?;
            let found = store.list_games(&filter, page.limit.min(limits::RECORDS), page.offset)?;
            let names = |variant: &str| seats_of(&catalog, variant);
            let mut known = Known::new(store, &names);
            let mut records = Vec::new();
            for (series, game) in &found {
                records.push(RecordEntry::from(&known.entry(*series, game)?));
            }
            Ok(Records { records, total })
        };
        list().map_err(ApiError::failed)
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
        let neighbours = store.neighbours(id)?;
        let labels = labels_of(&catalog, &game.variant);
        Ok(Some(RecordView::of(&known.entry(id.series, &game)?, labels, neighbours)))
    });
    let record = found.await?;
    record.map(Json).ok_or_else(|| ApiError::not_found(format!("there is no stored game {id}")))
}

impl RecordView {
    fn of(
        exported: &ExportedGame<'_>,
        labels: Vec<String>,
        neighbours: [Option<GameId>; 2],
    ) -> RecordView {
        let game = exported.game;
        let seats: Vec<String> = exported.table().iter().map(|(seat, _)| seat.clone()).collect();
        // A variant that this version does not know has seats with numbers.
        let labels = if labels.len() == seats.len() { labels } else { seats.clone() };
        let outcome = agon_core::Outcome::with_points(game.points, "");
        let [previous, next] = neighbours.map(|id| id.map(|id| id.to_string()));
        RecordView {
            entry: RecordEntry::from(exported),
            sentence: OutcomeView::new(&outcome, &game.reason, &game.reason, &labels).sentence,
            seats,
            agents: exported.table().iter().map(|(_, who)| who.agent.clone()).collect(),
            pace: game.pace.clone(),
            start: game.start.clone(),
            moves: game.opening_moves().chain(game.played_moves()).map(String::from).collect(),
            opening: game.opening_moves().count(),
            details: details(game),
            offender: game.offender.map(Seat::index),
            evidence: game.evidence.clone(),
            disturbed: game.disturbed,
            resources: game.resources.clone(),
            place: game.played_by.as_ref().map(place),
            previous,
            next,
            text: PgnGame::from(exported).to_string(),
        }
    }
}

/// What is known about every move of the players. The lists have the same length.
fn details(game: &StoredGame) -> Vec<RecordedMove> {
    let millis = |time: std::time::Duration| time.as_micros() as f64 / 1000.0;
    let clocks = game.clocks();
    let recorded = |at: usize| RecordedMove {
        seat: game.movers[at].index(),
        ms: millis(game.times[at]),
        clock_ms: clocks[at].map(millis),
        nodes: game.nodes[at],
        depth: Some(game.depths[at]).filter(|&depth| depth > 0),
        score: game.scores[at].map(ScoreJson::from),
        score_text: game.scores[at].map(|score| score.to_string()),
    };
    (0..game.movers.len()).map(recorded).collect()
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

/// The game in the same form as stored games.
fn record_text(variant: String, view: &GameView) -> String {
    let position = &view.position;
    let mut tags = vec![("Variant".to_string(), variant)];
    for PlayerView { seat, name, agent, .. } in &view.players {
        let who = agent.as_ref().unwrap_or(name);
        tags.push((crate::view::capital(seat), who.clone()));
    }
    let outcome = position.outcome.as_ref();
    // Without any points the result is unknown.
    let points = outcome.map_or(vec![0; view.players.len()], |outcome| outcome.points.clone());
    tags.push(("Result".to_string(), result_text(&points).to_string()));
    if let Some(outcome) = outcome {
        tags.push(("Points".to_string(), points_text(&points)));
        tags.push(("Termination".to_string(), outcome.reason.clone()));
    }
    if let Some(clock) = &view.clock {
        tags.push(("TimeControl".to_string(), clock.control.clone()));
    }
    if let Some(start) = &position.start {
        tags.push(("Start".to_string(), start.clone()));
    }
    let moves = view.played.iter().map(|played| played.text.clone()).collect();
    PgnGame { tags, moves, comments: Vec::new(), points }.to_string()
}

/// Where a game was played, in words.
fn place(by: &PlayedBy) -> String {
    let worker = agon_core::printable(&by.worker);
    match (by.scale - 1.0).abs() < 0.005 {
        true => format!("played on {worker}"),
        false => format!("played on {worker}, with clocks × {:.2}", by.scale),
    }
}
