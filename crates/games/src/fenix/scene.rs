//! The board as a drawing.

use std::collections::HashSet;

use agon_core::scene::{Cell, CellShape, Piece, Trace};
use agon_core::{Draw, Scene, Seat, Square};

use super::board::{BOARD, HEIGHT, Squares, WIDTH, place};
use super::chains::Field;
use super::notation::{letter, square_name};
use super::{BLACK, Fenix, Move, PLIES_OF_SETUP, PieceKind, RED};

/// The maximum number of routes drawn for a move.
const MOST_ROUTES: usize = 32;

impl PieceKind {
    /// What a stack of this height is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            PieceKind::Soldier => "soldier",
            PieceKind::General => "general",
            PieceKind::King => "king",
        }
    }
}

impl Draw for Fenix {
    fn scene(&self) -> Scene {
        // Red, who opens, sits at the bottom: a7 is the corner on the right.
        let cell = |square: Square| {
            let (file, rank) = place(square);
            let (x, y) = (WIDTH - 1 - file, HEIGHT - 1 - rank);
            Cell { name: square_name(square), x: x as f32, y: y as f32 }
        };
        Scene {
            shape: CellShape::Square,
            cells: BOARD.into_iter().map(cell).collect(),
            regions: Vec::new(),
            pieces: self.pieces(),
            ..Scene::default()
        }
    }

    fn pieces(&self) -> Vec<Piece> {
        let pieces = [RED, BLACK].into_iter().flat_map(|owner| {
            self.army(owner).into_iter().map(move |square| self.drawn_piece(owner, square))
        });
        pieces.collect()
    }

    fn trace(&self, mv: Move) -> Trace {
        Trace {
            routes: self.routes(mv),
            removes: mv.captured.into_iter().map(Square::index).collect(),
            ..Trace::default()
        }
    }

    fn guide(&self) -> Option<String> {
        self.guidance()
    }

    const HAS_THREATS: bool = true;

    fn idle(&self, _: Seat) -> Option<Fenix> {
        let rights = Fenix { may_create_general: false, may_create_king: false, ..*self };
        (self.turn >= PLIES_OF_SETUP).then_some(Fenix { turn: self.turn + 1, ..rights })
    }
}

impl Fenix {
    fn drawn_piece(&self, owner: Seat, square: Square) -> Piece {
        let kind = self.kind_of(owner, square);
        let (letter, name) = (letter(owner, kind), kind.name().into());
        Piece { cell: square.index(), owner, letter, name, height: kind.height() }
    }

    /// All chains that make this move, up to [`MOST_ROUTES`].
    fn routes(&self, mv: Move) -> Vec<Vec<usize>> {
        if mv.captured.is_empty() {
            return vec![vec![mv.from.index(), mv.to.index()]];
        }
        let mut tour = Tour {
            field: Field::of(self),
            kind: self.mover_kind(mv.from),
            mv,
            stops: Vec::new(),
            dead_ends: HashSet::new(),
            routes: Vec::new(),
        };
        tour.visit(mv.from, Squares::EMPTY);
        tour.routes
    }
}

/// The search for the chains that make one move.
struct Tour {
    field: Field,
    kind: PieceKind,
    mv: Move,
    stops: Vec<usize>,
    dead_ends: HashSet<(Square, Squares)>,
    routes: Vec<Vec<usize>>,
}

impl Tour {
    /// Continues from `at` after some captures and returns whether that completes the move.
    fn visit(&mut self, at: Square, captured: Squares) -> bool {
        if self.routes.len() == MOST_ROUTES || self.dead_ends.contains(&(at, captured)) {
            return false;
        }
        self.stops.push(at.index());
        let mut arrives = captured == self.mv.captured && at == self.mv.to;
        if arrives {
            self.routes.push(self.stops.clone());
        }
        let mut jumps = Vec::new();
        self.field.jumps(self.kind, at, captured, |over, landing| jumps.push((over, landing)));
        for (over, landing) in jumps {
            if self.mv.captured.contains(over) {
                arrives |= self.visit(landing, captured | over.into());
            }
        }
        self.stops.pop();
        if !arrives {
            self.dead_ends.insert((at, captured));
        }
        arrives
    }
}
