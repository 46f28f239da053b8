//! The board as a drawing.

use agon_core::scene::{Cell, CellShape, Piece, Region, RegionKind, Trace};
use agon_core::sink::GO_ON;
use agon_core::{Draw, Flow, Scene, Seat, Square};

use super::board::{BOARD, CASTLE, PieceKind, RIVER, Set, place};
use super::jumps::Jumps;
use super::notation::square_name;
use super::{BLACK, Congo, Move, WHITE};

/// The maximum number of routes shown for a move.
const MOST_ROUTES: usize = 32;

impl Draw for Congo {
    fn scene(&self) -> Scene {
        let cell = |square: Square| {
            let (file, rank) = place(square);
            Cell { name: square_name(square), x: file as f32, y: rank as f32 }
        };
        let region = |kind, label: &str, owner, cells| Region {
            kind,
            label: label.to_string(),
            owner,
            cells: indices(cells),
        };
        let castle =
            |seat: Seat, label| region(RegionKind::Castle, label, Some(seat), CASTLE[seat.index()]);
        Scene {
            shape: CellShape::Square,
            cells: BOARD.into_iter().map(cell).collect(),
            regions: vec![
                region(RegionKind::River, "river", None, RIVER),
                castle(WHITE, "white's castle"),
                castle(BLACK, "black's castle"),
            ],
            pieces: self.pieces(),
            ..Scene::default()
        }
    }

    fn pieces(&self) -> Vec<Piece> {
        let piece = |square: Square| {
            let (owner, kind) = self.man_on(square)?;
            let (letter, name) = (kind.letter(owner), kind.name());
            Some(Piece { cell: square.index(), owner, letter, name: name.into(), height: 1 })
        };
        BOARD.into_iter().filter_map(piece).collect()
    }

    fn trace(&self, mv: Move) -> Trace {
        let (from, to) = (Set::from(mv.from()), Set::from(mv.to()));
        let captured = mv.jumped() | (to & self.sides[self.turn.opponent().index()]);
        let wet = self.wet();
        // A man is identified by the cell it leaves, including the mover if it drowns where it
        // arrives.
        let drowned = if RIVER.meets(to) { wet } else { wet - from };
        Trace { routes: self.routes(mv), removes: indices(captured | drowned), ..Trace::default() }
    }

    fn guide(&self) -> Option<String> {
        let name = |square| format!("{} on {}", self.kind_on(square).name(), square_name(square));
        let wet: Vec<String> = self.wet().into_iter().map(name).collect();
        match wet.as_slice() {
            [] => None,
            [one] => Some(format!("Your {one} drowns unless it leaves the river with this move.")),
            several => Some(format!(
                "In the river: your {}. Only one can leave with this move; the others drown.",
                several.join(", ")
            )),
        }
    }

    const HAS_THREATS: bool = true;

    /// Who did nothing would see its wet men drown.
    fn idle(&self, _: Seat) -> Option<Congo> {
        let mut idle = Congo { turn: self.turn.opponent(), ..*self };
        idle.clear(self.wet());
        Some(idle.with_key())
    }
}

impl Congo {
    /// All routes of a move, the one spelled by its text first.
    fn routes(&self, mv: Move) -> Vec<Vec<usize>> {
        let start = mv.from().index();
        if mv.kind() != PieceKind::Monkey || mv.jumped().is_empty() {
            return vec![vec![start, mv.to().index()]];
        }
        let mut routes = Vec::new();
        let _ = Jumps::new(self, mv.from()).routes(mv.to(), mv.jumped(), &mut |route| {
            let then = route.squares().iter().map(|square| square.index());
            routes.push([start].into_iter().chain(then).collect());
            if routes.len() < MOST_ROUTES { GO_ON } else { Flow::Break(()) }
        });
        routes
    }
}

fn indices(set: Set) -> Vec<usize> {
    set.into_iter().map(Square::index).collect()
}
