//! Positions set up by hand. Nothing is stored.

use std::borrow::Cow;
use std::collections::BTreeMap;

use agon_core::Invalid;
use agon_core::arrange::{Dial, Draft, Stock};
use agon_core::scene::Piece;
use agon_games::{Catalog, Table};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::positions::opened;
use super::{App, Body};
use crate::error::{ApiError, Code, ErrorBody};
use crate::limits;
use crate::view::PieceView;

/// A position to set up.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// The variant.
    #[schema(example = "congo")]
    variant: String,
    /// The position to begin with, if it is not the variant's own start. What is fixed, such as pits,
    /// and counters that the draft leaves out are as they are there.
    #[serde(default)]
    position: Option<String>,
    /// The position as it should be; without one, only what can be set up is asked for.
    #[serde(default)]
    draft: Option<DraftView>,
}

/// A position as somebody wants it, right or wrong.
#[derive(Deserialize, Serialize, ToSchema, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct DraftView {
    /// What stands where.
    pieces: Vec<PlacedView>,
    /// Whose turn it is.
    to_move: usize,
    /// The counters by name.
    #[serde(default)]
    counters: BTreeMap<String, u64>,
}

/// A piece of a draft.
#[derive(Deserialize, Serialize, ToSchema, Clone)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlacedView {
    /// Its cell.
    cell: usize,
    /// Its letter in the game's notation.
    letter: char,
}

/// What can be set up, and what the rules say about the draft.
#[derive(Serialize, ToSchema)]
pub(crate) struct Answer {
    /// The pieces that can be placed; none if positions of this game cannot be set up.
    palette: Vec<StockView>,
    /// The counters that belong to a position.
    counters: Vec<CounterView>,
    /// The draft, or that of the position to begin with.
    draft: DraftView,
    /// Its pieces, ready to be drawn.
    pieces: Vec<PieceView>,
    /// The position as text, if the rules accept it.
    position: Option<String>,
    /// Why they do not, if they do not.
    problem: Option<ProblemView>,
    /// How the game ended, if it is over in this position.
    over: Option<String>,
}

/// A kind of piece that can be placed.
#[derive(Serialize, ToSchema)]
struct StockView {
    /// Its letter in the game's notation.
    letter: char,
    /// The seat it belongs to.
    owner: usize,
    /// Its name.
    #[schema(value_type = String)]
    name: Cow<'static, str>,
    /// The height of the stack.
    height: u8,
}

/// A number that belongs to a position. One from 0 to 1 is a yes or no.
#[derive(Serialize, ToSchema)]
struct CounterView {
    /// Its name in drafts.
    #[schema(value_type = String)]
    name: Cow<'static, str>,
    /// What it is, for people.
    #[schema(value_type = String)]
    label: Cow<'static, str>,
    /// The smallest value.
    min: u32,
    /// The largest value.
    max: u32,
}

/// Why a draft is not a position.
#[derive(Serialize, ToSchema)]
struct ProblemView {
    /// What would be right, in a sentence.
    message: String,
    /// The cell that is wrong, if it is a single one.
    cell: Option<usize>,
}

/// What can be set up in a variant, and whether its rules accept a draft.
#[utoipa::path(post, path = "/api/arrange", request_body = Wanted, responses(
    (status = 200, body = Answer), (status = "4XX", body = ErrorBody)))]
pub async fn arrange(
    State(app): State<App>,
    Body(wanted): Body<Wanted>,
) -> Result<Json<Answer>, ApiError> {
    let catalog = app.catalog().clone();
    app.work(move || wanted.answer(&catalog)).await.map(Json)
}

impl Wanted {
    fn answer(self, catalog: &Catalog) -> Result<Answer, ApiError> {
        let Wanted { variant, position, draft } = self;
        let table = opened(catalog, &variant, position.as_deref())?;
        let draft = draft.map_or_else(|| table.draft(), Draft::from);
        // Small enough to be sent back.
        let cells = table.scene().cells.len();
        if draft.pieces.len() > cells {
            let message = format!("at most {cells} pieces, as many as there are cells");
            return Err(ApiError::new(Code::TooLarge, message));
        }
        let palette = table.palette();
        let pieces = drawn(&draft, &palette, cells);
        let (position, problem, over) = match judged(catalog, &variant, &*table, &draft) {
            Ok(arranged) => {
                (Some(arranged.position()), None, arranged.reason().map(Cow::into_owned))
            }
            Err(problem) => (None, Some(problem), None),
        };
        Ok(Answer {
            palette: palette.into_iter().map(StockView::from).collect(),
            counters: table.dials().into_iter().map(CounterView::from).collect(),
            draft: draft.into(),
            pieces,
            position,
            problem,
            over,
        })
    }
}

/// The position of a draft, or why it is none.
fn judged(
    catalog: &Catalog,
    variant: &str,
    table: &dyn Table,
    draft: &Draft,
) -> Result<Box<dyn Table>, ProblemView> {
    let text = table.arranged(draft).map_err(|Invalid { expected, cell }| {
        let cells = table.scene().cells;
        let name = cell.and_then(|cell| cells.get(cell)).map(|cell| &cell.name);
        let message = match name {
            Some(name) => format!("At {name}: expected {expected}."),
            None => format!("Expected {expected}."),
        };
        ProblemView { message, cell }
    })?;
    // It may still be too much for a page.
    let too_much = |error: ApiError| ProblemView { message: error.to_string(), cell: None };
    if text.len() > limits::POSITION {
        let expected = format!("Expected a position of at most {} bytes.", limits::POSITION);
        return Err(ProblemView { message: expected, cell: None });
    }
    opened(catalog, variant, Some(&text)).map_err(too_much)
}

/// The pieces of a draft that can be drawn.
fn drawn(draft: &Draft, palette: &[Stock], cells: usize) -> Vec<PieceView> {
    let piece = |&(cell, letter): &(usize, char)| {
        let stock = palette.iter().find(|stock| stock.letter == letter)?.clone();
        let Stock { letter, owner, name, height } = stock;
        let piece = Piece { cell, owner, letter, name, height };
        (cell < cells).then(|| PieceView::from(piece))
    };
    draft.pieces.iter().filter_map(piece).collect()
}

impl From<DraftView> for Draft {
    fn from(view: DraftView) -> Draft {
        let pieces = view.pieces.into_iter().map(|placed| (placed.cell, placed.letter));
        Draft { pieces: pieces.collect(), to_move: view.to_move, counters: view.counters }
    }
}

impl From<Draft> for DraftView {
    fn from(draft: Draft) -> DraftView {
        let placed = |(cell, letter)| PlacedView { cell, letter };
        let pieces = draft.pieces.into_iter().map(placed).collect();
        DraftView { pieces, to_move: draft.to_move, counters: draft.counters }
    }
}

impl From<Stock> for StockView {
    fn from(stock: Stock) -> StockView {
        let Stock { letter, owner, name, height } = stock;
        StockView { letter, owner: owner.index(), name, height }
    }
}

impl From<Dial> for CounterView {
    fn from(dial: Dial) -> CounterView {
        let Dial { name, label, min, max, .. } = dial;
        CounterView { name, label, min, max }
    }
}
