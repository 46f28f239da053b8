//! A drawing as data: what a terminal, a page or a report needs to draw a board without knowing
//! the game.

use std::borrow::Cow;

use crate::game::Game;
use crate::seat::Seat;

/// A cell of a [`Scene`] by its number in [`Scene::cells`].
pub type CellId = usize;

/// A position, ready to be drawn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    /// The shape of every cell.
    pub shape: CellShape,
    /// The cells, each at its place.
    pub cells: Vec<Cell>,
    /// Parts of the board with a special meaning.
    pub regions: Vec<Region>,
    /// What stands on the board.
    pub pieces: Vec<Piece>,
    /// What waits beside the board to be placed.
    pub supplies: Vec<Supply>,
}

/// The shape of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CellShape {
    /// A square with sides of length 1.
    #[default]
    Square,
    /// A hexagon with a corner on top, its neighbours' centres at distance 1.
    Hexagon,
    /// A round hole in an upright plate, behind which pieces stand, in a square with sides of
    /// length 1. Such a board has a top and a bottom and is not turned.
    Hole,
}

impl CellShape {
    /// How many turns of the board make a full circle. After each, cells lie where cells were.
    pub fn full_circle(self) -> usize {
        match self {
            CellShape::Square => 2,
            CellShape::Hexagon => 6,
            CellShape::Hole => 1,
        }
    }
}

impl Scene {
    /// How many turns clockwise bring the pieces of a seat to the bottom; 0 if it has none.
    pub fn turns_to_front(&self, seat: Seat) -> usize {
        let circle = self.shape.full_circle();
        let own = self.pieces.iter().filter(|piece| piece.owner == seat);
        let own: Vec<&Cell> = own.filter_map(|piece| self.cells.get(piece.cell)).collect();
        if own.is_empty() {
            return 0;
        }
        let (from, centre) = (middle(&own), middle(&self.cells.iter().collect::<Vec<_>>()));
        // Anticlockwise from straight down: what turning clockwise undoes.
        let angle = (from.0 - centre.0).atan2(centre.1 - from.1);
        let turns = (angle / std::f32::consts::TAU * circle as f32).round() as i32;
        turns.rem_euclid(circle as i32) as usize
    }
}

/// The middle of some cells, of which there is at least one.
fn middle(cells: &[&Cell]) -> (f32, f32) {
    let sum = cells.iter().fold((0.0, 0.0), |sum, cell| (sum.0 + cell.x, sum.1 + cell.y));
    (sum.0 / cells.len() as f32, sum.1 / cells.len() as f32)
}

/// A cell of the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// Its name in moves and for people, such as `a1` or `2,3`.
    pub name: String,
    /// The centre's x coordinate, growing to the right.
    pub x: f32,
    /// The centre's y coordinate, growing upwards. Where pieces are on the board from the start,
    /// those of the first seat are at the bottom.
    pub y: f32,
}

/// Cells with a special meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// What they mean.
    pub kind: RegionKind,
    /// In words, for a legend: "river", "home of A".
    pub label: String,
    /// Whose they are, if anybody's.
    pub owner: Option<Seat>,
    /// The cells.
    pub cells: Vec<CellId>,
}

/// What a region means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// Water that is dangerous to stand in.
    River,
    /// Where a piece must stay.
    Castle,
    /// Where a player wants to get to.
    Goal,
    /// Pieces that enter are lost.
    Pit,
    /// Nothing can stand here.
    Blocked,
}

/// A piece or a stack of pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Where it stands.
    pub cell: CellId,
    /// Whose it is.
    pub owner: Seat,
    /// Its letter in the game's notation.
    pub letter: char,
    /// What it is called.
    pub name: Cow<'static, str>,
    /// How many men high the stack is.
    pub height: u8,
}

/// Pieces of one kind that a player has beside the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Supply {
    /// Whose they are.
    pub owner: Seat,
    /// The letter of each in the game's notation.
    pub letter: char,
    /// What one of them is called.
    pub name: Cow<'static, str>,
    /// How many are left; `None` if they never run out.
    pub left: Option<u32>,
}

/// A move, ready to be shown and to be entered step by step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// All ways to enter the move, each from the first cell through every stop to the last. The
    /// first is the one to animate.
    ///
    /// A route of one cell places a piece there. Where a move places one, so do all its routes: the
    /// first is the cell where the piece comes to stand, the others are cells that stand for it,
    /// such as the rest of a column into which it falls.
    pub routes: Vec<Vec<CellId>>,
    /// The letter of the piece that a route of one cell places, as in [`Supply::letter`].
    pub places: Option<char>,
    /// The cells whose pieces leave the board, the mover's own included.
    pub removes: Vec<CellId>,
    /// Other pieces that move along with it, as pairs of origin and destination.
    pub carries: Vec<(CellId, CellId)>,
}

/// Games that can be drawn.
pub trait Draw: Game {
    /// This position as a drawing. The cells and regions are the same in all positions of a game.
    fn scene(&self) -> Scene;

    /// What stands on the board: the part of [`scene`](Draw::scene) that moves change.
    fn pieces(&self) -> Vec<Piece>;

    /// What waits beside the board: moves change it, too. None in games that place nothing.
    fn supplies(&self) -> Vec<Supply> {
        Vec::new()
    }

    /// A legal move of this position as a drawing.
    fn trace(&self, mv: Self::Move) -> Trace;

    /// What the player to move is asked to do, in a sentence or two, where it is not an ordinary
    /// turn. Not asked for when the game is over.
    fn guide(&self) -> Option<String> {
        None
    }

    /// Whether players can threaten each other in this game. If so, it says how by
    /// [`idle`](Draw::idle).
    const HAS_THREATS: bool = false;

    /// The position with `seat`, an opponent, to move because everybody before it did nothing: what
    /// it captures or wins there is a threat. `None` where nobody may do nothing, as in a setup.
    fn idle(&self, seat: Seat) -> Option<Self> {
        let _ = seat;
        None
    }
}
