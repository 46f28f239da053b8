//! The rules of a game, with pictures and practice positions.

use agon_games::{Example, GAMES, Practice, Section, Table};
use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::Name;
use crate::error::{ApiError, ErrorBody};
use crate::view::{MoveView, Part, PositionView};

/// The rules of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct RulesView {
    /// The title of the game.
    title: &'static str,
    /// The game in a sentence.
    summary: &'static str,
    /// The sections of the rules.
    sections: Vec<SectionView>,
    /// Practice positions.
    practice: Vec<PracticeView>,
}

/// A section of the rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct SectionView {
    /// Its heading.
    heading: &'static str,
    /// Its paragraphs.
    text: &'static [&'static str],
    /// Pictures.
    examples: Vec<ExampleView>,
}

/// A picture.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExampleView {
    /// What it shows.
    caption: &'static str,
    /// The position.
    position: PositionView,
    /// Moves to draw as arrows.
    shown: Vec<MoveView>,
}

/// A practice position.
#[derive(Serialize, ToSchema)]
pub(crate) struct PracticeView {
    /// What to do.
    task: &'static str,
    /// The position.
    position: PositionView,
    /// The moves that solve it; if empty, any move does.
    goal: &'static [&'static str],
    /// The start position, to continue from.
    start: Option<&'static str>,
    /// The moves that lead from there to this position.
    moves: &'static [&'static str],
}

/// The rules of a game.
/// The rules of a game.
#[utoipa::path(get, path = "/api/catalog/{game}/rules", params(("game" = String, Path)), responses(
    (status = 200, body = RulesView), (status = "4XX", body = ErrorBody)))]
pub async fn rules(Name(game): Name) -> Result<Json<RulesView>, ApiError> {
    let Some(info) = GAMES.iter().find(|info| info.name == game) else {
        return Err(ApiError::not_found(format!("there is no game {game:?}")));
    };
    let sections: Result<Vec<_>, ApiError> = info.rules.sections.iter().map(section).collect();
    let practice: Result<Vec<_>, ApiError> = info.rules.practice.iter().map(practice).collect();
    Ok(Json(RulesView {
        title: info.title,
        summary: info.summary,
        sections: sections?,
        practice: practice?,
    }))
}

fn section(section: &Section) -> Result<SectionView, ApiError> {
    let examples: Result<Vec<_>, ApiError> = section.examples.iter().map(example).collect();
    Ok(SectionView { heading: section.heading, text: section.text, examples: examples? })
}

fn example(example: &Example) -> Result<ExampleView, ApiError> {
    let table = example.open().map_err(ApiError::failed)?;
    let drawn = |mv: &&str| {
        let trace = table.trace(mv).map_err(ApiError::failed)?;
        Ok(MoveView::new(mv.to_string(), trace))
    };
    let shown: Result<Vec<_>, ApiError> = example.shown.iter().map(drawn).collect();
    Ok(ExampleView { caption: example.caption, position: still(&*table), shown: shown? })
}

fn practice(practice: &Practice) -> Result<PracticeView, ApiError> {
    let table = practice.open().map_err(ApiError::failed)?;
    Ok(PracticeView {
        task: practice.task,
        position: PositionView { last: None, ..PositionView::of(&*table, Part::Whole) },
        goal: practice.goal,
        start: practice.position,
        moves: practice.moves,
    })
}

/// A static position, without moves.
fn still(table: &dyn Table) -> PositionView {
    PositionView { last: None, moves: Vec::new(), ..PositionView::of(table, Part::Whole) }
}
