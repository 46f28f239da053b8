//! The board as a drawing.

use agon_core::scene::{Cell, CellId, CellShape, Piece, Region, RegionKind, Trace};
use agon_core::{Draw, Hints, Scene, Seat, Square};

use super::board::{CENTRE, Set, space};
use super::notation::SEAT_NAMES;
use super::{Fauhalma, Move};

/// The maximum number of routes shown for a move.
const MOST_ROUTES: usize = 32;

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// The number of a cell on the board, including the centre.
    pub(super) fn cell_id(&self, square: Square) -> CellId {
        let below = Set::first_squares(square.index());
        ((self.board.spaces | CENTRE) & below).len() as CellId
    }

    fn cell_ids(&self, squares: impl IntoIterator<Item = Square>) -> Vec<CellId> {
        squares.into_iter().map(|square| self.cell_id(square)).collect()
    }
}

impl<const SEATS: usize> Draw for Fauhalma<SEATS> {
    fn scene(&self) -> Scene {
        let cell = |square: Square| {
            let space = space(square);
            let (x, y) = (f32::from(space.x), f32::from(space.y));
            Cell {
                name: format!("{},{}", space.x, space.y),
                x: x + y / 2.0,
                y: y * 3f32.sqrt() / 2.0,
            }
        };
        let home = |seat: Seat| Region {
            kind: RegionKind::Goal,
            label: format!("home of {}", SEAT_NAMES[seat.index()]),
            owner: Some(seat),
            cells: self.cell_ids(Self::HOMES[seat.index()]),
        };
        let centre = Region {
            kind: RegionKind::Blocked,
            label: "centre".to_string(),
            owner: None,
            cells: self.cell_ids(CENTRE),
        };
        Scene {
            shape: CellShape::Hexagon,
            cells: (self.board.spaces | CENTRE).into_iter().map(cell).collect(),
            regions: Seat::all(SEATS).map(home).chain([centre]).collect(),
            pieces: self.pieces(),
            ..Scene::default()
        }
    }

    fn pieces(&self) -> Vec<Piece> {
        let pegs = Seat::all(SEATS).flat_map(|owner| {
            let letter = ['A', 'B', 'C'][owner.index()];
            let peg = move |cell| Piece { cell, owner, letter, name: "peg".into(), height: 1 };
            self.cell_ids(self.pegs[owner.index()]).into_iter().map(peg)
        });
        pegs.collect()
    }

    fn trace(&self, mv: Move) -> Trace {
        let routes = self.routes(mv, MOST_ROUTES);
        let swaps = self.swaps(self.turn).contains(mv.to);
        let swapped = (self.cell_id(mv.to), self.cell_id(mv.from));
        Trace {
            routes: routes.into_iter().map(|route| self.cell_ids(route)).collect(),
            removes: Vec::new(),
            carries: swaps.then_some(swapped).into_iter().collect(),
            ..Trace::default()
        }
    }

    fn guide(&self) -> Option<String> {
        let first = SEAT_NAMES[self.home_order().next()?.index()];
        Some(format!("{first} is home. You play on for the second place."))
    }

    const HAS_THREATS: bool = true;

    fn idle(&self, seat: Seat) -> Option<Self> {
        self.with_turn(seat)
    }
}
