//! Single positions, for previews, replays and practice.

use agon_core::Variant;
use agon_games::{Catalog, Table, Threat};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{App, Body};
use crate::error::{ApiError, Code, ErrorBody};
use crate::limits;
use crate::view::{MoveView, Part, PositionView};

/// Identifies a position.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// The variant.
    #[schema(example = "congo")]
    pub variant: String,
    /// The start position, if it is not the variant's own.
    #[serde(default)]
    pub position: Option<String>,
    /// The moves to play from there.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Leaves out what is the same in all positions of a game: the variant, its names and turns,
    /// cells and regions.
    #[serde(default)]
    pub brief: bool,
}

/// What the others could take or win.
#[derive(Serialize, ToSchema)]
pub(crate) struct Threats {
    /// Their moves.
    threats: Vec<ThreatView>,
}

/// A move that another player could make.
#[derive(Serialize, ToSchema)]
pub(crate) struct ThreatView {
    /// The move.
    #[serde(flatten)]
    mv: MoveView,
    /// Whether it wins the game, or a place for good where others play on.
    wins: bool,
}

impl From<Threat> for ThreatView {
    fn from(threat: Threat) -> ThreatView {
        let Threat { text, trace, wins } = threat;
        ThreatView { mv: MoveView::new(text, trace), wins }
    }
}

/// Opens a variant, at a position if one is given.
pub fn opened(
    catalog: &Catalog,
    variant: &str,
    position: Option<&str>,
) -> Result<Box<dyn Table>, ApiError> {
    if variant.len() > limits::NAME || position.is_some_and(|text| text.len() > limits::POSITION) {
        return Err(ApiError::new(Code::TooLarge, "the variant or the position is too long"));
    }
    let variant: Variant = variant.parse().map_err(ApiError::bad)?;
    let table = catalog.open_at::<&str>(&variant, position, &[]).map_err(ApiError::bad)?;
    let moves = table.count_moves();
    if moves > limits::MOVES {
        let message = format!("this position has {moves} legal moves, too many for a page to show");
        return Err(ApiError::new(Code::TooLarge, message));
    }
    Ok(table)
}

impl Wanted {
    /// The table at this position.
    pub fn table(&self, catalog: &Catalog) -> Result<Box<dyn Table>, ApiError> {
        if self.moves.len() > limits::PLIES {
            let message = format!("at most {} moves", limits::PLIES);
            return Err(ApiError::new(Code::TooLarge, message));
        }
        let mut table = opened(catalog, &self.variant, self.position.as_deref())?;
        for mv in &self.moves {
            table.play(mv).map_err(|error| ApiError::new(Code::Illegal, error))?;
        }
        Ok(table)
    }
}

/// A position, ready to be drawn and played on. Nothing is stored.
#[utoipa::path(post, path = "/api/position", request_body = Wanted, responses(
    (status = 200, body = PositionView), (status = "4XX", body = ErrorBody)))]
pub async fn position(
    State(app): State<App>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<PositionView>, ApiError> {
    let part = if wanted.brief { Part::News } else { Part::Whole };
    let catalog = app.catalog().clone();
    let work = move || wanted.table(&catalog).map(|table| PositionView::of(&*table, part));
    app.work(work).await.map(Json)
}

/// What the others could take or win if the player to move did nothing.
#[utoipa::path(post, path = "/api/threats", request_body = Wanted, responses(
    (status = 200, body = Threats), (status = "4XX", body = ErrorBody)))]
pub async fn threats(
    State(app): State<App>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<Threats>, ApiError> {
    let catalog = app.catalog().clone();
    let threats =
        move || Ok(wanted.table(&catalog)?.threats().into_iter().map(ThreatView::from).collect());
    let threats = app.work(threats).await?;
    Ok(Json(Threats { threats }))
}
