//! Positions by themselves: previews, replays, rules to try on.

use agon_core::Variant;
use agon_games::Table;
use axum::Json;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Body;
use crate::limits;
use crate::problem::{Code, ErrorBody, Problem};
use crate::view::{self, LastMove, MoveView, PositionView};

/// Which position is meant.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The variant.
    #[schema(example = "congo")]
    pub variant: String,
    /// Where to begin, if not where the variant does.
    #[serde(default)]
    pub position: Option<String>,
    /// The moves to play from there.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// What the others could take.
#[derive(Serialize, ToSchema)]
pub struct Threats {
    /// Their moves.
    threats: Vec<MoveView>,
}

/// Opens a variant, at a position if one is given.
pub fn opened(variant: &str, position: Option<&str>) -> Result<Box<dyn Table>, Problem> {
    if variant.len() > limits::NAME || position.is_some_and(|text| text.len() > limits::POSITION) {
        return Err(Problem::new(Code::TooLarge, "this text is too long"));
    }
    let open = || {
        let mut table = agon_games::open(&variant.parse::<Variant>()?)?;
        if let Some(position) = position {
            table.set_position(position)?;
        }
        Ok(table)
    };
    open().map_err(|error: agon_core::TextError| Problem::bad(error))
}

/// The table that is wanted, and its last move.
fn table(wanted: &Wanted) -> Result<(Box<dyn Table>, Option<LastMove>), Problem> {
    if wanted.moves.len() > limits::PLIES {
        let message = format!("at most {} moves", limits::PLIES);
        return Err(Problem::new(Code::TooLarge, message));
    }
    let mut table = opened(&wanted.variant, wanted.position.as_deref())?;
    let mut last = None;
    for mv in &wanted.moves {
        let played = view::play(&mut *table, mv);
        last = Some(played.map_err(|error| Problem::new(Code::Illegal, error))?);
    }
    Ok((table, last))
}

/// A position, ready to be drawn and played on. Nothing is kept.
#[utoipa::path(post, path = "/api/position", request_body = Wanted, responses(
    (status = 200, body = PositionView), (status = "4XX", body = ErrorBody)))]
pub async fn position(Body(wanted): Body<Wanted>) -> Result<Json<PositionView>, Problem> {
    let (table, last) = table(&wanted)?;
    Ok(Json(PositionView::of(&*table, last)))
}

/// What the others could take if the player to move did nothing.
#[utoipa::path(post, path = "/api/threats", request_body = Wanted, responses(
    (status = 200, body = Threats), (status = "4XX", body = ErrorBody)))]
pub async fn threats(Body(wanted): Body<Wanted>) -> Result<Json<Threats>, Problem> {
    let (table, _) = table(&wanted)?;
    let threats = table.threats().into_iter();
    Ok(Json(Threats { threats: threats.map(|(text, trace)| MoveView::new(text, trace)).collect() }))
}
