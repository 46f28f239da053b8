//! Positions as the pages get them: everything needed to draw them and to enter moves.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use agon_arena::Verdict;
use agon_core::scene::{CellShape, Piece, RegionKind, Supply, Trace};
use agon_core::{Outcome, Scene, Seat, Variant};
use agon_games::{Catalog, Table};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

/// A position, ready to be drawn and played on.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct PositionView {
    /// Left out if the page has it already.
    #[serde(flatten)]
    #[schema(value_type = VariantView)]
    pub about: Option<Shared<VariantView>>,
    /// The start position, if it is not the variant's own.
    pub start: Option<String>,
    /// The position as text.
    pub position: String,
    /// How many plies have been played.
    pub ply: usize,
    /// Whose turn it is, unless the game is over.
    pub to_move: Option<usize>,
    /// How the game ended, if it has.
    pub outcome: Option<OutcomeView>,
    /// What to draw.
    pub scene: SceneView,
    /// The legal moves.
    pub moves: Vec<MoveView>,
    /// The move that led here.
    pub last: Option<LastMoveView>,
    /// What the player to move should do, if that is not obvious.
    pub guide: Option<String>,
}

/// What is the same in all games of a variant.
#[derive(Serialize, ToSchema, Debug)]
pub struct VariantView {
    /// The canonical text of the variant.
    #[schema(example = "breakthrough:8x8")]
    pub variant: String,
    /// The name of the game.
    pub game: String,
    /// The title of the game.
    pub title: String,
    /// The names of the seats. Everywhere else seats are numbers from 0.
    pub seats: Vec<String>,
    /// The names of the seats in texts for people: `agent side` for the seat `agent`, which is not
    /// the agent that plays there.
    pub labels: Vec<String>,
    /// How many degrees to turn the picture clockwise so that each seat is at the bottom.
    pub turns: Vec<u16>,
    /// Whether players can threaten each other in this game.
    pub has_threats: bool,
}

/// How a game ended.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct OutcomeView {
    /// The points of every seat, 0 to 100.
    pub points: Vec<u8>,
    /// The places, from 1.
    pub places: Vec<u8>,
    /// Why, in words.
    pub reason: String,
    /// Who won and why, in a sentence.
    pub sentence: String,
}

/// A drawing as data.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct SceneView {
    /// Left out if the page has it already.
    #[serde(flatten)]
    #[schema(value_type = BoardView)]
    pub board: Option<Shared<BoardView>>,
    /// The pieces on the board.
    pub pieces: Vec<PieceView>,
    /// The pieces beside the board, to be placed. Left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub supplies: Vec<SupplyView>,
}

/// What is the same in all positions of a game.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct BoardView {
    /// `square`, `hexagon` or `hole`.
    pub shape: &'static str,
    /// The cells. Everything else refers to them by index.
    pub cells: Vec<CellView>,
    /// Parts of the board with a special meaning.
    pub regions: Vec<RegionView>,
}

/// Data shared by many views.
#[derive(Debug)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Data to be shared.
    pub fn new(data: T) -> Shared<T> {
        Shared(Arc::new(data))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// How much of a game or position to send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Everything.
    Whole,
    /// Only what may change, if the page has the rest.
    News,
}

/// A cell of the board.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct CellView {
    /// Its name in moves and on the board.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The centre; x grows to the right.
    pub x: f32,
    /// The centre; y grows upwards.
    pub y: f32,
}

/// Cells with a special meaning.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct RegionView {
    /// `river`, `castle`, `goal`, `pit` or `blocked`.
    pub kind: &'static str,
    /// Its label.
    pub label: String,
    /// The seat they belong to, if any.
    pub owner: Option<usize>,
    /// The cells.
    pub cells: Vec<usize>,
}

/// A piece or a stack.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct PieceView {
    /// Its cell.
    pub cell: usize,
    /// The seat it belongs to.
    pub owner: usize,
    /// Its letter in the game's notation.
    pub letter: char,
    /// Its name.
    #[schema(value_type = String)]
    pub name: Cow<'static, str>,
    /// The height of the stack.
    pub height: u8,
}

/// Pieces of one kind that a player has beside the board.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct SupplyView {
    /// The seat they belong to.
    pub owner: usize,
    /// The letter of each in the game's notation.
    pub letter: char,
    /// The name of one of them.
    #[schema(value_type = String)]
    pub name: Cow<'static, str>,
    /// How many are left; left out if they never run out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<u32>,
}

/// A move, with all that is needed to show it and to enter it step by step.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct MoveView {
    /// The move in the game's notation.
    pub text: String,
    /// All routes by which it can be entered, from the first cell through every stop to the last. A
    /// route of one cell places a piece.
    pub routes: Vec<Vec<usize>>,
    /// The letter of the piece that is placed. Left out if none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<char>,
    /// The cells whose pieces leave the board.
    pub removes: Vec<usize>,
    /// Other pieces that move along, each from one cell to another.
    pub carries: Vec<(usize, usize)>,
}

/// The move that led to a position.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct LastMoveView {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveView,
    /// Who made it.
    pub seat: usize,
}

impl MoveView {
    /// A move by its text and its drawing.
    pub fn new(text: String, trace: Trace) -> MoveView {
        let Trace { routes, places, removes, carries } = trace;
        MoveView { text, routes, places, removes, carries }
    }
}

impl PositionView {
    /// The position on the table, or the part of it that changes.
    pub fn of(table: &dyn Table, part: Part) -> PositionView {
        let setting = (part == Part::Whole).then(|| Setting::of(table));
        let (about, board) = setting.map(|setting| (setting.about, setting.board)).unzip();
        let moves = table.drawn_moves().into_iter();
        PositionView {
            about,
            start: table.custom_start().map(str::to_string),
            position: table.position(),
            ply: table.played().len(),
            to_move: table.status().to_move().map(Seat::index),
            outcome: table.outcome().map(|outcome| OutcomeView::by_rules(&outcome, table)),
            scene: SceneView::new(board, table),
            moves: moves.map(|(text, trace)| MoveView::new(text, trace)).collect(),
            last: table.last().map(LastMoveView::from),
            guide: table.guide(),
        }
    }
}

impl From<agon_games::LastMove<'_>> for LastMoveView {
    fn from(last: agon_games::LastMove<'_>) -> LastMoveView {
        let mv = MoveView::new(last.text.to_string(), last.trace.clone());
        LastMoveView { mv, seat: last.seat.index() }
    }
}

/// What all positions of a game have in common.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// The variant.
    pub about: Shared<VariantView>,
    /// The board.
    pub board: Shared<BoardView>,
    /// The board without the names of its cells, for small pictures.
    pub small_board: Shared<BoardView>,
}

/// A variant and a start position: what a [`Setting`] depends on.
type Start = (String, Option<String>);

impl Setting {
    /// The setting of the game on the table. Recent ones are cached.
    pub fn of(table: &dyn Table) -> Setting {
        const MOST_KEPT: usize = 64;
        static KEPT: Mutex<Option<HashMap<Start, Setting>>> = Mutex::new(None);
        let start = (table.variant().to_string(), table.custom_start().map(str::to_string));
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.get_or_insert_default();
        if let Some(known) = kept.get(&start) {
            return known.clone();
        }
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        let setting = Setting::new(table);
        kept.insert(start, setting.clone());
        setting
    }

    fn new(table: &dyn Table) -> Setting {
        let about = VariantView {
            variant: table.variant().to_string(),
            game: table.variant().game().to_string(),
            title: title(table),
            seats: seat_names(table),
            labels: seat_labels(table),
            turns: turns(table),
            has_threats: table.has_threats(),
        };
        let board = BoardView::from(table.scene());
        let mut small_board = board.clone();
        small_board.cells.iter_mut().for_each(|cell| cell.name.clear());
        let [board, small_board] = [board, small_board].map(|board| Shared(Arc::new(board)));
        Setting { about: Shared(Arc::new(about)), board, small_board }
    }
}

/// The title of the game.
fn title(table: &dyn Table) -> String {
    title_of(table.catalog(), table.variant())
}

/// The title of a variant's game.
pub(crate) fn title_of(catalog: &Catalog, variant: &Variant) -> String {
    catalog.describe(variant.game(), |info| info.title.to_string()).unwrap_or_default()
}

/// The names of the seats in order.
fn seat_names(table: &dyn Table) -> Vec<String> {
    Seat::all(table.seats()).map(|seat| table.seat_name(seat).to_string()).collect()
}

/// The names of the seats in order, for people.
fn seat_labels(table: &dyn Table) -> Vec<String> {
    Seat::all(table.seats()).map(|seat| table.seat_label(seat).to_string()).collect()
}

impl OutcomeView {
    /// A game that its rules ended.
    pub fn by_rules(outcome: &Outcome, table: &dyn Table) -> OutcomeView {
        let names = seat_labels(table);
        let reason = table.reason_text(outcome);
        OutcomeView::new(outcome, &reason, &reason, &names)
    }

    /// How a game at this table ended: the reason as the arena gives it, and a sentence for people.
    pub fn of(verdict: &Verdict, table: &dyn Table) -> OutcomeView {
        let name = |seat: Seat| table.seat_label(seat).to_string();
        let words = verdict.in_words(&name);
        OutcomeView::new(&verdict.outcome, &verdict.reason, &words, &seat_labels(table))
    }

    /// A game that ended for this reason, with the same in words.
    pub fn new(outcome: &Outcome, reason: &str, words: &str, names: &[String]) -> OutcomeView {
        let places = outcome.places().as_slice().to_vec();
        OutcomeView {
            points: outcome.points().as_slice().to_vec(),
            sentence: format!("{}: {words}", ranking(&places, names)),
            places,
            reason: reason.to_string(),
        }
    }
}

/// "White wins", "A wins, then C, then B", "Draw", "A and B share first place, then C".
fn ranking(places: &[u8], names: &[String]) -> String {
    let at = |place: u8| -> Vec<&str> {
        let there = places.iter().zip(names).filter(|(found, _)| **found == place);
        there.map(|(_, name)| name.as_str()).collect()
    };
    let first = at(1);
    if first.len() == names.len() {
        return "Draw".to_string();
    }
    let mut text = match first.as_slice() {
        [winner] => format!("{} wins", capital(winner)),
        shared => format!("{} share first place", capital(&shared.join(" and "))),
    };
    if names.len() > 2 {
        for place in 2..=names.len() as u8 {
            let there = at(place);
            if !there.is_empty() {
                text += &format!(", then {}", there.join(" and "));
            }
        }
    }
    text
}

/// The text with its first letter capitalised.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

impl SceneView {
    /// The pieces on the table, on this board.
    pub fn new(board: Option<Shared<BoardView>>, table: &dyn Table) -> SceneView {
        let supply = |Supply { owner, letter, name, left }| SupplyView {
            owner: Seat::index(owner),
            letter,
            name,
            left,
        };
        SceneView {
            board,
            pieces: table.pieces().into_iter().map(PieceView::from).collect(),
            supplies: table.supplies().into_iter().map(supply).collect(),
        }
    }
}

impl From<Piece> for PieceView {
    fn from(piece: Piece) -> PieceView {
        let Piece { cell, owner, letter, name, height } = piece;
        PieceView { cell, owner: owner.index(), letter, name, height }
    }
}

impl From<Scene> for BoardView {
    fn from(scene: Scene) -> BoardView {
        let shape = match scene.shape {
            CellShape::Square => "square",
            CellShape::Hexagon => "hexagon",
            CellShape::Hole => "hole",
        };
        let kind = |kind: RegionKind| match kind {
            RegionKind::River => "river",
            RegionKind::Castle => "castle",
            RegionKind::Goal => "goal",
            RegionKind::Pit => "pit",
            RegionKind::Blocked => "blocked",
        };
        let cells = scene.cells.into_iter().map(|cell| CellView {
            name: cell.name,
            // Three decimals are enough for any screen.
            x: (cell.x * 1000.0).round() / 1000.0,
            y: (cell.y * 1000.0).round() / 1000.0,
        });
        let regions = scene.regions.into_iter().map(|region| RegionView {
            kind: kind(region.kind),
            label: region.label,
            owner: region.owner.map(Seat::index),
            cells: region.cells,
        });
        BoardView { shape, cells: cells.collect(), regions: regions.collect() }
    }
}

/// How far to turn the board so that each seat's pieces start at the bottom, in degrees.
fn turns(table: &dyn Table) -> Vec<u16> {
    let Ok(start) = table.catalog().open(table.variant()) else { return vec![0; table.seats()] };
    let scene = start.scene();
    let turn = |seat| scene.turns_to_front(seat) * 360 / scene.shape.full_circle();
    Seat::all(table.seats()).map(|seat| turn(seat) as u16).collect()
}

/// The names of a variant's seats; empty if there is no such variant.
pub(crate) fn seats_of(catalog: &Catalog, variant: &str) -> Vec<String> {
    let table = variant.parse::<Variant>().ok().and_then(|variant| catalog.open(&variant).ok());
    table.map_or(Vec::new(), |table| seat_names(&*table))
}

/// The names of a variant's seats for people; empty if there is no such variant.
pub(crate) fn labels_of(catalog: &Catalog, variant: &str) -> Vec<String> {
    let table = variant.parse::<Variant>().ok().and_then(|variant| catalog.open(&variant).ok());
    table.map_or(Vec::new(), |table| seat_labels(&*table))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(variant: &str) -> Box<dyn Table> {
        agon_games::open(&variant.parse().unwrap()).unwrap()
    }

    #[test]
    fn everybody_can_sit_at_the_bottom() {
        for (variant, expected) in [
            ("breakthrough:8x8", &[0, 180][..]),
            ("congo", &[0, 180]),
            ("fenix", &[0, 180]),
            ("wumpus:6", &[0, 180]),
            ("fauhalma:star3", &[0, 120, 240]),
            ("fauhalma:rhombus2", &[0, 180]),
            ("connect4", &[0, 0]),
        ] {
            assert_eq!(turns(&*opened(variant)), expected, "{variant}");
        }
    }

    #[test]
    fn games_with_another_start_position_have_their_own_boards() {
        let pits = |table: &dyn Table| Setting::of(table).board.regions.len();
        let mut table = opened("wumpus:3");
        assert_eq!((pits(&*table), pits(&*table)), (0, 0));
        table.set_position("W1W/1O1/2w agent 0").unwrap();
        assert_eq!(pits(&*table), 1);
    }

    #[test]
    fn results_are_put_in_words() {
        let words = |places: &[u8]| {
            let names = ["A", "B", "C"].map(String::from);
            ranking(places, &names[..places.len()])
        };
        assert_eq!(words(&[1, 2]), "A wins");
        assert_eq!(words(&[1, 1]), "Draw");
        assert_eq!(words(&[2, 1, 3]), "B wins, then A, then C");
        assert_eq!(words(&[1, 3, 1]), "A and C share first place, then B");
        assert_eq!(words(&[2, 1, 2]), "B wins, then A and C");
    }

    #[test]
    fn the_last_move_is_drawn_from_the_position_before_it() {
        let mut table = opened("congo");
        table.play("d2d3").unwrap();
        let view = PositionView::of(&*table, Part::Whole);
        let cells = &view.scene.board.unwrap().cells;
        assert_eq!((view.ply, view.to_move), (1, Some(1)));
        let last = view.last.unwrap();
        let names: Vec<&str> =
            last.mv.routes[0].iter().map(|&cell| cells[cell].name.as_str()).collect();
        assert_eq!((names.as_slice(), last.seat), (&["d2", "d3"][..], 0));
    }
}
