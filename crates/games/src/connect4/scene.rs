//! The board as a drawing.

use agon_core::scene::{Cell, CellId, CellShape, Piece, Supply, Trace};
use agon_core::{Draw, Scene, Seat, Square};

use super::board::{Board, Cells};
use super::notation::cell_name;
use super::{Connect4, Move, O, X};

impl<W: Cells> Draw for Connect4<W> {
    fn scene(&self) -> Scene {
        let board = self.board;
        let cell = |square: Square| {
            let (column, row) = board.place(square);
            Cell { name: cell_name(board, square), x: column as f32, y: row as f32 }
        };
        Scene {
            shape: CellShape::Hole,
            cells: board.cells.into_iter().map(cell).collect(),
            pieces: self.pieces(),
            supplies: self.supplies(),
            ..Scene::default()
        }
    }

    fn pieces(&self) -> Vec<Piece> {
        let discs = [X, O].into_iter().flat_map(|owner| {
            let disc = move |square: Square| Piece {
                cell: cell_id(self.board, square),
                owner,
                letter: letter(owner),
                name: "disc".into(),
                height: 1,
            };
            self.discs(owner).into_iter().map(disc)
        });
        discs.collect()
    }

    fn supplies(&self) -> Vec<Supply> {
        let cells = self.board.cells.len();
        let supply = |owner: Seat| {
            // Together they fill the board; X has the odd one.
            let all = if owner == X { cells.div_ceil(2) } else { cells / 2 };
            let left = Some(all - self.discs(owner).len());
            Supply { owner, letter: letter(owner), name: "disc".into(), left }
        };
        vec![supply(X), supply(O)]
    }

    fn trace(&self, mv: Move) -> Trace {
        let landing = cell_id(self.board, mv.to);
        let (column, _) = self.board.place(mv.to);
        let cells =
            (0..self.board.height).map(|row| cell_id(self.board, self.board.square(column, row)));
        // Every cell of the column stands for it, full ones too.
        let others = cells.filter(|cell| *cell != landing).map(|cell| vec![cell]);
        Trace {
            routes: std::iter::once(vec![landing]).chain(others).collect(),
            places: Some(letter(self.turn)),
            ..Trace::default()
        }
    }

    const HAS_THREATS: bool = true;

    fn idle(&self, seat: Seat) -> Option<Self> {
        Some(Connect4 { mine: self.discs(seat), turn: seat, ..*self })
    }
}

/// The letter of a side's discs.
pub(super) fn letter(owner: Seat) -> char {
    if owner == X { 'X' } else { 'O' }
}

/// The number of a cell in the drawing, where the bits above the columns do not count.
pub(super) fn cell_id<W: Cells>(board: &Board<W>, square: Square) -> CellId {
    let (column, row) = board.place(square);
    column * board.height + row
}
