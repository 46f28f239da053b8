//! Analyses: games with variations and comments that people keep. Everybody who knows the address of one
//! can read it; changing it takes the token that came when it was created.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::Instant;

use agon_arena::analysis::{self, Analysis, AnalysisError};
use agon_arena::store::{AnalysisChange, StoredAnalysis, now};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use utoipa::ToSchema;

use super::positions::opened;
use super::{App, Body, Name};
use crate::clients::Client;
use crate::error::{ApiError, Code, ErrorBody};
use crate::limits;
use crate::live::{new_id, token_fits, token_kept};
use crate::pace::Paces;

/// The header with the token of an analysis.
const TOKEN: &str = "x-agon-analysis";
/// How many analyses can be changed at the same time at least: as many as have a lock of their own.
const LOCKS: usize = 64;

/// What is shared by requests for analyses.
pub(crate) struct Analyses {
    /// Who changes an analysis holds one of these, so that nobody else does between a look at its
    /// version and the change.
    locks: [Arc<Mutex<()>>; LOCKS],
    beginning: Paces,
    changing: Paces,
}

impl Default for Analyses {
    fn default() -> Analyses {
        let locks = std::array::from_fn(|_| Arc::default());
        let (beginning, changing) = (limits::BEGINNING, limits::CHANGING);
        Analyses { locks, beginning: Paces::new(beginning), changing: Paces::new(changing) }
    }
}

impl Analyses {
    fn lock(&self, id: &str) -> Arc<Mutex<()>> {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        self.locks[hasher.finish() as usize % LOCKS].clone()
    }
}

/// An analysis to keep.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct New {
    /// The analysis.
    #[schema(value_type = Object)]
    analysis: Analysis,
}

/// A new analysis.
#[derive(Serialize, ToSchema)]
pub(crate) struct Created {
    /// Its id.
    id: String,
    /// Whoever has this may change it. It is shown once and stored nowhere.
    token: String,
    /// How often it has been changed.
    version: u64,
    /// When it last changed, in milliseconds since 1970.
    updated_at: i64,
    /// The analysis, its moves in canonical text.
    #[schema(value_type = Object)]
    analysis: Analysis,
}

/// An analysis.
#[derive(Serialize, ToSchema)]
pub(crate) struct Shown {
    /// Its id.
    id: String,
    /// How often it has been changed.
    version: u64,
    /// When it last changed, in milliseconds since 1970.
    updated_at: i64,
    /// Whether the client may change it.
    mine: bool,
    /// The analysis.
    #[schema(value_type = Object)]
    analysis: Analysis,
}

/// A change to an analysis.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    /// The version that is changed.
    version: u64,
    /// What the analysis is to be.
    #[schema(value_type = Object)]
    analysis: Analysis,
}

/// After a change.
#[derive(Serialize, ToSchema)]
pub(crate) struct Changed {
    /// How often the analysis has been changed.
    version: u64,
    /// When it last changed, in milliseconds since 1970.
    updated_at: i64,
}

/// A text to read.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    /// A game in the style of PGN, an analysis or a saved game as JSON, or a position.
    text: String,
    /// The variant, if the text does not say.
    #[serde(default)]
    variant: Option<String>,
}

/// What was found in a text.
#[derive(Serialize, ToSchema)]
pub(crate) struct Found {
    /// The first game.
    #[schema(value_type = Object)]
    analysis: Analysis,
    /// How many games there are.
    games: usize,
}

/// An analysis as text.
#[derive(Serialize, ToSchema)]
pub(crate) struct Written {
    /// A game in the style of PGN.
    text: String,
}

/// Keeps an analysis.
#[utoipa::path(post, path = "/api/analyses", request_body = New, responses(
    (status = 201, body = Created), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn create(
    State(app): State<App>,
    client: Client,
    Body(New { analysis }): Body<New>,
) -> Result<(StatusCode, Json<Created>), ApiError> {
    admit(&app.analyses.beginning, client)?;
    let analysis = checked(&app, analysis).await?;
    let (id, token, updated_at) = (new_id()?, new_id()?, now());
    let stored = StoredAnalysis {
        id: id.clone(),
        document: serde_json::to_string(&analysis).map_err(ApiError::failed)?,
        version: 1,
        owner: token_kept(&token),
        client: client.to_string(),
        updated_at,
    };
    app.hub.keeper.change_analyses(AnalysisChange::Put(stored)).await?;
    let created = Created { id, token, version: 1, updated_at, analysis };
    Ok((StatusCode::CREATED, Json(created)))
}

/// An analysis.
#[utoipa::path(get, path = "/api/analyses/{id}", params(("id" = String, Path),
    ("x-agon-analysis" = Option<String>, Header, description = "its token; `mine` says whether it fits")),
    responses((status = 200, body = Shown), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn show(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
) -> Result<Json<Shown>, ApiError> {
    let stored = stored(&app, &id).await?;
    let mine = is_owner(&headers, &stored);
    let StoredAnalysis { document, version, updated_at, .. } = stored;
    let analysis: Analysis = serde_json::from_str(&document).map_err(ApiError::failed)?;
    Ok(Json(Shown { id, version, updated_at, mine, analysis }))
}

/// Changes an analysis, if nobody else has changed it in the meantime.
#[utoipa::path(put, path = "/api/analyses/{id}", request_body = Change, params(("id" = String, Path),
    ("x-agon-analysis" = String, Header, description = "its token")), responses(
    (status = 200, body = Changed), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn change(
    State(app): State<App>,
    Name(id): Name,
    client: Client,
    headers: HeaderMap,
    Body(Change { version, analysis }): Body<Change>,
) -> Result<Json<Changed>, ApiError> {
    admit(&app.analyses.changing, client)?;
    owned(&app, &id, &headers).await?;
    let analysis = checked(&app, analysis).await?;
    let document = serde_json::to_string(&analysis).map_err(ApiError::failed)?;
    // Runs to its end even if the client goes away.
    let changed = tokio::spawn(async move {
        let lock = app.analyses.lock(&id);
        let _changing = lock.lock().await;
        let old = owned(&app, &id, &headers).await?;
        if old.version != version {
            let message = format!(
                "the analysis has been changed in the meantime: this is version {}, not {version}; \
                 reload it",
                old.version
            );
            return Err(ApiError::new(Code::Conflict, message));
        }
        let (version, updated_at) = (version + 1, now());
        let new = StoredAnalysis { document, version, updated_at, ..old };
        app.hub.keeper.change_analyses(AnalysisChange::Put(new)).await?;
        Ok(Changed { version, updated_at })
    });
    changed.await.map_err(ApiError::failed)?.map(Json)
}

/// Deletes an analysis.
#[utoipa::path(delete, path = "/api/analyses/{id}", params(("id" = String, Path),
    ("x-agon-analysis" = String, Header, description = "its token")), responses(
    (status = 204), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn delete(
    State(app): State<App>,
    Name(id): Name,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    let deleted = tokio::spawn(async move {
        let lock = app.analyses.lock(&id);
        let _changing = lock.lock().await;
        owned(&app, &id, &headers).await?;
        app.hub.keeper.change_analyses(AnalysisChange::Delete(id)).await
    });
    deleted.await.map_err(ApiError::failed)??;
    Ok(StatusCode::NO_CONTENT)
}

/// Reads an analysis from a text: a game, with or without variations, a saved game, or a position.
/// Nothing is stored.
#[utoipa::path(post, path = "/api/analyses/read", request_body = Text, responses(
    (status = 200, body = Found), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn read(
    State(app): State<App>,
    Body(Text { text, variant }): Body<Text>,
) -> Result<Json<Found>, ApiError> {
    let catalog = app.catalog().clone();
    let read = move || {
        let reading = analysis::read_any(&catalog, &text, variant.as_deref(), 1);
        let analysis::Reading { analysis, games } = reading.map_err(ApiError::bad)?;
        opened(&catalog, &analysis.variant, analysis.start.as_deref())?;
        Ok(Json(Found { analysis, games }))
    };
    app.work(read).await
}

/// An analysis as text. Nothing is stored.
#[utoipa::path(post, path = "/api/analyses/text", request_body = New, responses(
    (status = 200, body = Written), (status = "4XX", body = ErrorBody)))]
pub(crate) async fn text(
    State(app): State<App>,
    Body(New { analysis }): Body<New>,
) -> Result<Json<Written>, ApiError> {
    let catalog = app.catalog().clone();
    let text = move || analysis.text(&catalog).map_err(illegal);
    Ok(Json(Written { text: app.work(text).await? }))
}

/// The same analysis, if it keeps to the rules.
async fn checked(app: &App, analysis: Analysis) -> Result<Analysis, ApiError> {
    let catalog = app.catalog().clone();
    let check = move || {
        opened(&catalog, &analysis.variant, analysis.start.as_deref())?;
        analysis.check(&catalog).map_err(illegal)
    };
    app.work(check).await
}

fn illegal(error: AnalysisError) -> ApiError {
    ApiError::new(Code::Illegal, error)
}

fn admit(paces: &Paces, client: Client) -> Result<(), ApiError> {
    paces.admit(client, Instant::now()).map_err(|wait| {
        let seconds = wait.as_secs() + 1;
        let message =
            format!("your network stores too many analyses: try again in {seconds} seconds");
        ApiError::new(Code::TooMany, message)
    })
}

async fn stored(app: &App, id: &str) -> Result<StoredAnalysis, ApiError> {
    let name = id.to_string();
    let stored = app.hub.keeper.read(move |store| store.analysis(&name)).await?;
    stored.ok_or_else(|| ApiError::not_found("there is no such analysis, or it has been deleted"))
}

/// The analysis with this id, if the client may change it.
async fn owned(app: &App, id: &str, headers: &HeaderMap) -> Result<StoredAnalysis, ApiError> {
    let stored = stored(app, id).await?;
    if !is_owner(headers, &stored) {
        let message = "only whoever created this analysis may change it; keep a copy of your own";
        return Err(ApiError::new(Code::Forbidden, message));
    }
    Ok(stored)
}

fn is_owner(headers: &HeaderMap, stored: &StoredAnalysis) -> bool {
    let token = headers.get(TOKEN).and_then(|value| value.to_str().ok());
    token.is_some_and(|token| token_fits(token.trim(), &stored.owner))
}
