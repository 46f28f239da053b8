//! Positions set up by hand.

use agon_core::arrange::{Arrangement, Stock, Written};
use agon_core::{Arrange, Notation, Seat};

use super::board::Cells;
use super::scene::{cell_id, letter};
use super::{Connect4, O, X};

impl<W: Cells> Arrange for Connect4<W> {
    fn palette(&self) -> Vec<Stock> {
        let disc = |owner| Stock { letter: letter(owner), owner, name: "disc".into(), height: 1 };
        [X, O].map(disc).into()
    }

    fn written_turn(&self) -> Seat {
        self.turn
    }

    fn write(&self, arrangement: &Arrangement) -> Written {
        let board = self.board;
        let cell =
            |column, from_top| cell_id(board, board.square(column, board.height - 1 - from_top));
        let letter = |cell| arrangement.letter(cell);
        let mut written = Written::rows(board.width, board.height, cell, letter);
        written.push(&format!(" {}", self.seat_name(arrangement.turn())));
        written
    }
}
