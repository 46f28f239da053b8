//! The board as a drawing.

use agon_core::scene::{Cell, CellId, CellShape, Piece, Region, RegionKind, Trace};
use agon_core::{Draw, Scene, Seat, Square};

use super::board::{Board, Cells};
use super::notation::{cell_name, letter};
use super::{AGENT_TO_MOVE, Battle, Meeting, Move, PieceKind, Wumpus};

impl PieceKind {
    /// What a piece of this kind is called.
    pub(super) fn name(self) -> &'static str {
        ["wumpus", "hero", "mage"][self.index()]
    }
}

impl<W: Cells> Draw for Wumpus<W> {
    fn scene(&self) -> Scene {
        let board = self.board;
        let cell = |square: Square| {
            let (row, column) = board.place(square);
            let y = (board.size - 1 - row) as f32;
            Cell { name: cell_name(board, square), x: column as f32, y }
        };
        let pits = Region {
            kind: RegionKind::Pit,
            label: "pits".to_string(),
            owner: None,
            cells: self.pits.into_iter().map(|square| cell_id(board, square)).collect(),
        };
        Scene {
            shape: CellShape::Square,
            cells: board.cells.into_iter().map(cell).collect(),
            regions: if self.pits.any() { vec![pits] } else { Vec::new() },
            pieces: self.pieces(),
            ..Scene::default()
        }
    }

    fn pieces(&self) -> Vec<Piece> {
        let board = self.board;
        let pieces = Seat::all(2).flat_map(|owner| {
            let piece = move |square: Square| {
                let kind = self.kind_at(square);
                let cell = cell_id(board, square);
                Piece {
                    cell,
                    owner,
                    letter: letter(owner, kind),
                    name: kind.name().into(),
                    height: 1,
                }
            };
            self.sides[owner.index()].into_iter().map(piece)
        });
        pieces.collect()
    }

    fn trace(&self, mv: Move) -> Trace {
        let (from, to) = (cell_id(self.board, mv.from), cell_id(self.board, mv.to));
        // A piece is identified by the cell it leaves, including the mover's.
        let removes = match self.meeting(mv) {
            Meeting::Nothing => vec![],
            Meeting::Pit | Meeting::Enemy(_, Battle::Defender) => vec![from],
            Meeting::Enemy(_, Battle::Attacker) => vec![to],
            Meeting::Enemy(_, Battle::Nobody) => vec![from, to],
        };
        Trace { routes: vec![vec![from, to]], removes, ..Trace::default() }
    }

    const HAS_THREATS: bool = true;

    fn idle(&self, _: Seat) -> Option<Self> {
        Some(Wumpus { turn: self.turn.opponent(), key: self.key ^ AGENT_TO_MOVE, ..*self })
    }
}

/// The number of a cell in the drawing: row by row, without the gaps between the rows.
pub(super) fn cell_id<W: Cells>(board: &Board<W>, square: Square) -> CellId {
    let (row, column) = board.place(square);
    row * board.size + column
}
