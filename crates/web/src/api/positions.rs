//! Positions by themselves: previews, replays, rules to try on.

use agon_core::Variant;
use agon_games::Table;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{App, Body};
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
    let table = open().map_err(|error: agon_core::TextError| Problem::bad(error))?;
    let moves = table.count_moves();
    if moves > limits::MOVES {
        let message = format!("this position has {moves} moves, which no page can show");
        return Err(Problem::new(Code::TooLarge, message));
    }
    Ok(table)
}

/// The table that is wanted, and its last move.
fn table(wanted: &Wanted) -> Result<(Box<dyn Table>, Option<LastMove>), Problem> {
    if wanted.moves.len() > limits::PLIES {
        let message = format!("at most {} moves", limits::PLIES);
        return Err(Problem::new(Code::TooLarge, message));
    }
    let mut table = opened(&wanted.variant, wanted.position.as_deref())?;
    let mut last = None;
    if let Some((final_move, before)) = wanted.moves.split_last() {
        let illegal = |error| Problem::new(Code::Illegal, error);
        for mv in before {
            table.play(mv).map_err(illegal)?;
        }
        last = Some(view::play(&mut *table, final_move).map_err(illegal)?);
    }
    Ok((table, last))
}

/// A position, ready to be drawn and played on. Nothing is kept.
#[utoipa::path(post, path = "/api/position", request_body = Wanted, responses(
    (status = 200, body = PositionView), (status = "4XX", body = ErrorBody)))]
pub async fn position(
    State(app): State<App>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<PositionView>, Problem> {
    let view = move || {
        let (table, last) = table(&wanted)?;
        Ok(PositionView::of(&*table, last))
    };
    app.work(view).await.map(Json)
}

/// What the others could take if the player to move did nothing.
#[utoipa::path(post, path = "/api/threats", request_body = Wanted, responses(
    (status = 200, body = Threats), (status = "4XX", body = ErrorBody)))]
pub async fn threats(
    State(app): State<App>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<Threats>, Problem> {
    let threats = move || {
        let (table, _) = table(&wanted)?;
        let threats = table.threats().into_iter();
        Ok(threats.map(|(text, trace)| MoveView::new(text, trace)).collect())
    };
    let threats = app.work(threats).await?;
    Ok(Json(Threats { threats }))
}
