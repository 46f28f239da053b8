//! The board as a drawing.

use agon_core::scene::{Cell, CellShape, Piece, Region, RegionKind, Trace};
use agon_core::{Bitboard, Draw, Scene, Seat, Square};

use super::board::Cells;
use super::notation::square_name;
use super::{BLACK, BLACK_TO_MOVE, Breakthrough, Move, RuleSet, WHITE};

impl<W: Cells, R: RuleSet> Draw for Breakthrough<W, R> {
    fn scene(&self) -> Scene {
        let board = self.board;
        let cell = |square: Square| {
            let (column, row) = board.place(square);
            Cell { name: square_name(board, square), x: column as f32, y: row as f32 }
        };
        let goal = |seat: agon_core::Seat, label: &str| Region {
            kind: RegionKind::Goal,
            label: label.to_string(),
            owner: Some(seat),
            cells: indices(board.goal[seat.index()]),
        };
        Scene {
            shape: CellShape::Square,
            cells: board.squares.into_iter().map(cell).collect(),
            regions: vec![goal(WHITE, "white's goal"), goal(BLACK, "black's goal")],
            pieces: self.pieces(),
            ..Scene::default()
        }
    }

    fn pieces(&self) -> Vec<Piece> {
        let pawns = [WHITE, BLACK].into_iter().flat_map(|owner| {
            let letter = if owner == WHITE { 'P' } else { 'p' };
            let pawn = move |square: Square| Piece {
                cell: square.index(),
                owner,
                letter,
                name: "pawn".into(),
                height: 1,
            };
            self.pawns[owner.index()].into_iter().map(pawn)
        });
        pawns.collect()
    }

    fn trace(&self, mv: Move) -> Trace {
        let captures = self.pawns[self.turn().opponent().index()].contains(mv.to);
        Trace {
            routes: vec![vec![mv.from.index(), mv.to.index()]],
            removes: if captures { vec![mv.to.index()] } else { Vec::new() },
            ..Trace::default()
        }
    }

    const HAS_THREATS: bool = true;

    fn idle(&self, _: Seat) -> Option<Self> {
        Some(Breakthrough { clock: self.clock + 1, key: self.key ^ BLACK_TO_MOVE, ..*self })
    }
}

fn indices<W: Cells>(set: Bitboard<W>) -> Vec<usize> {
    set.into_iter().map(Square::index).collect()
}
