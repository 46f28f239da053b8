//! The rules of a game, with pictures and practice positions.

use agon_games::{Catalog, Example, GameInfo, Practice, Section, Table};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::{App, Name};
use crate::error::{ApiError, ErrorBody};
use crate::view::{MoveView, Part, PositionView};

/// The rules of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct RulesView {
    /// The title of the game.
    title: String,
    /// The game in a sentence.
    summary: String,
    /// The sections of the rules.
    sections: Vec<SectionView>,
    /// Practice positions.
    practice: Vec<PracticeView>,
}

/// A section of the rules.
#[derive(Serialize, ToSchema)]
pub(crate) struct SectionView {
    /// Its heading.
    heading: String,
    /// Its paragraphs.
    text: Vec<String>,
    /// Pictures.
    examples: Vec<ExampleView>,
}

/// A picture.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExampleView {
    /// What it shows.
    caption: String,
    /// The position.
    position: PositionView,
    /// Moves to draw as arrows.
    shown: Vec<MoveView>,
}

/// A practice position.
#[derive(Serialize, ToSchema)]
pub(crate) struct PracticeView {
    /// What to do.
    task: String,
    /// The position.
    position: PositionView,
    /// The moves that solve it; if empty, any move does.
    goal: Vec<String>,
    /// The start position, to continue from.
    start: Option<String>,
    /// The moves that lead from there to this position.
    moves: Vec<String>,
}

/// The rules of a game.
#[utoipa::path(get, path = "/api/catalog/{game}/rules", params(("game" = String, Path)), responses(
    (status = 200, body = RulesView), (status = "4XX", body = ErrorBody)))]
pub async fn rules(State(app): State<App>, Name(game): Name) -> Result<Json<RulesView>, ApiError> {
    let catalog = app.catalog();
    let view = catalog.describe(&game, |info| RulesView::new(catalog, info));
    let unknown = || ApiError::not_found(format!("there is no game {game:?}"));
    Ok(Json(view.ok_or_else(unknown)??))
}

impl RulesView {
    fn new(catalog: &Catalog, info: &GameInfo<'_>) -> Result<RulesView, ApiError> {
        let section = |it: &Section<'_>| section(catalog, it);
        let practice = |it: &Practice<'_>| practice(catalog, it);
        let notation = [info.position_notation, info.move_notation].map(sentence);
        let notation = notation.each_ref().map(String::as_str);
        // A game may still be without rules to read.
        let written = [Section { heading: "Positions and moves", text: &notation, examples: &[] }];
        let sections = if info.rules.sections.is_empty() { &written } else { info.rules.sections };
        let sections: Result<Vec<_>, ApiError> = sections.iter().map(section).collect();
        let practice: Result<Vec<_>, ApiError> = info.rules.practice.iter().map(practice).collect();
        Ok(RulesView {
            title: info.title.to_string(),
            summary: info.summary.to_string(),
            sections: sections?,
            practice: practice?,
        })
    }
}

fn section(catalog: &Catalog, section: &Section<'_>) -> Result<SectionView, ApiError> {
    let examples = section.examples.iter().map(|it| example(catalog, it));
    let examples: Result<Vec<_>, ApiError> = examples.collect();
    let (heading, text) = (section.heading.to_string(), owned(section.text));
    Ok(SectionView { heading, text, examples: examples? })
}

fn example(catalog: &Catalog, example: &Example<'_>) -> Result<ExampleView, ApiError> {
    let table = example.open(catalog).map_err(ApiError::failed)?;
    let drawn = |mv: &&str| {
        let trace = table.trace(mv).map_err(ApiError::failed)?;
        Ok(MoveView::new(mv.to_string(), trace))
    };
    let shown: Result<Vec<_>, ApiError> = example.shown.iter().map(drawn).collect();
    let caption = example.caption.to_string();
    Ok(ExampleView { caption, position: still(&*table), shown: shown? })
}

fn practice(catalog: &Catalog, practice: &Practice<'_>) -> Result<PracticeView, ApiError> {
    let table = practice.open(catalog).map_err(ApiError::failed)?;
    Ok(PracticeView {
        task: practice.task.to_string(),
        position: PositionView { last: None, ..PositionView::of(&*table, Part::Whole) },
        goal: owned(practice.goal),
        start: practice.position.map(str::to_string),
        moves: owned(practice.moves),
    })
}

/// A description as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| text.to_string()).collect()
}

/// A static position, without moves.
fn still(table: &dyn Table) -> PositionView {
    PositionView { last: None, moves: Vec::new(), ..PositionView::of(table, Part::Whole) }
}
