//! What the records can be filtered by.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::store::{Choices, Store, StoreError};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::App;
use crate::error::{ApiError, ErrorBody};
use crate::limits;

/// Counting takes at most this share of the time: one part in so many.
const SHARE: u32 = 10;
/// The shortest time for which counts are kept.
const KEPT: Duration = Duration::from_secs(1);

/// What was counted last.
#[derive(Default)]
pub struct Shelf(Mutex<Option<Counted>>);

struct Counted {
    choices: Arc<Choices>,
    until: Instant,
}

impl Shelf {
    /// What is stored, counted now or a moment ago. The more there is, the longer a count is kept.
    fn choices(&self, store: &Store) -> Result<Arc<Choices>, StoreError> {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = Instant::now();
        if let Some(last) = counted.as_ref().filter(|last| begun < last.until) {
            return Ok(last.choices.clone());
        }
        let choices = Arc::new(store.choices()?);
        let took = begun.elapsed();
        let until = begun + took + (took * SHARE).max(KEPT);
        *counted = Some(Counted { choices: choices.clone(), until });
        Ok(choices)
    }
}

/// What is stored, to filter records by.
#[derive(Serialize, ToSchema)]
pub struct ChoicesView {
    /// How many games there are.
    games: u64,
    /// When the first of them ended, in milliseconds since 1970.
    first: Option<i64>,
    /// When the last of them ended.
    last: Option<i64>,
    /// The variants.
    variants: Vec<Choice>,
    /// The agents by their texts and names: those with the most games.
    agents: Vec<Choice>,
    /// The results.
    results: Vec<Choice>,
    /// The kinds of faults.
    faults: Vec<Choice>,
    /// The newest series.
    series: Vec<SeriesChoice>,
}

/// Something to filter by, and how many games it has.
#[derive(Serialize, ToSchema)]
pub struct Choice {
    /// The text to filter by.
    value: String,
    /// How many games.
    games: u64,
}

/// A match or tournament to filter by.
#[derive(Serialize, ToSchema)]
pub struct SeriesChoice {
    /// Its number.
    id: i64,
    /// `match`, `tournament`, `experiment` or `pages`.
    kind: &'static str,
    /// Its name.
    name: String,
    /// How many games.
    games: u64,
}

/// What is stored, counted: variants, agents, series, results and faults to filter records by. The
/// counts may be a moment old.
#[utoipa::path(get, path = "/api/records/choices", responses(
    (status = 200, body = ChoicesView), (status = "4XX", body = ErrorBody)))]
pub async fn choices(State(app): State<App>) -> Result<Json<ChoicesView>, ApiError> {
    let shelf = app.records.clone();
    let counted =
        app.hub.keeper.browse(move |store| shelf.choices(store).map_err(ApiError::failed));
    Ok(Json(ChoicesView::of(&*counted.await?)))
}

impl ChoicesView {
    fn of(choices: &Choices) -> ChoicesView {
        let choice = |(value, games): (String, u64)| Choice { value, games };
        let all = |list: &[(String, u64)]| list.iter().cloned().map(choice).collect();
        // Those with few games are found by typing their names.
        let mut agents = choices.agents.clone();
        agents.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
        agents.truncate(limits::CHOICES);
        agents.sort();
        let results = choices.results.iter().map(|(result, games)| (result.to_string(), *games));
        let series = choices.series.iter().take(limits::CHOICES).map(|it| SeriesChoice {
            id: it.id.0,
            kind: it.kind.name(),
            name: it.name.clone(),
            games: it.games,
        });
        ChoicesView {
            games: choices.games,
            first: choices.finished.map(|(first, _)| first),
            last: choices.finished.map(|(_, last)| last),
            variants: all(&choices.variants),
            agents: all(&agents),
            results: results.map(choice).collect(),
            faults: all(&choices.faults),
            series: series.collect(),
        }
    }
}
