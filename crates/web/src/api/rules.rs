//! The rules of a game for people, with pictures and positions to try on.

use agon_games::{Example, GAMES, Practice, Section, Table};
use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use super::Name;
use crate::error::{ApiError, ErrorBody};
use crate::view::{MoveView, Part, PositionView};

/// The rules of a game.
#[derive(Serialize, ToSchema)]
pub struct RulesView {
    /// The name of the game for people.
    title: &'static str,
    /// The game in a sentence.
    summary: &'static str,
    /// The rules, part by part.
    sections: Vec<SectionView>,
    /// Positions to try on.
    practice: Vec<PracticeView>,
}

/// A part of the rules.
#[derive(Serialize, ToSchema)]
pub struct SectionView {
    /// What it is about.
    heading: &'static str,
    /// Its paragraphs.
    text: &'static [&'static str],
    /// Pictures.
    examples: Vec<ExampleView>,
}

/// A picture.
#[derive(Serialize, ToSchema)]
pub struct ExampleView {
    /// What it shows.
    caption: &'static str,
    /// The position.
    position: PositionView,
    /// Moves to draw as arrows.
    shown: Vec<MoveView>,
}

/// A position to try on.
#[derive(Serialize, ToSchema)]
pub struct PracticeView {
    /// What to do.
    task: &'static str,
    /// The position.
    position: PositionView,
    /// The moves that do it; any if there are none here.
    goal: &'static [&'static str],
    /// Where the position began, for going on from it.
    start: Option<&'static str>,
    /// The moves that led to it from there.
    moves: &'static [&'static str],
}

/// The rules of a game, for people.
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

/// A position to look at only.
fn still(table: &dyn Table) -> PositionView {
    PositionView { last: None, moves: Vec::new(), ..PositionView::of(table, Part::Whole) }
}
