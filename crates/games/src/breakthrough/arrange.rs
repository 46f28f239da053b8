//! Positions set up by hand.

use agon_core::arrange::{Arrangement, Dial, Stock, Written};
use agon_core::{Arrange, Seat, Square};

use super::board::Cells;
use super::notation::LARGEST_COUNTER;
use super::{BLACK, Breakthrough, RuleSet, WHITE};

impl<W: Cells, R: RuleSet> Arrange for Breakthrough<W, R> {
    fn palette(&self) -> Vec<Stock> {
        let pawn = |(letter, owner)| Stock { letter, owner, name: "pawn".into(), height: 1 };
        [('P', WHITE), ('p', BLACK)].map(pawn).into()
    }

    fn dials(&self) -> Vec<Dial> {
        vec![
            Dial::new("quiet", "Plies without a capture", LARGEST_COUNTER, self.quiet),
            Dial::new("number", "Move number", LARGEST_COUNTER, self.clock / 2),
        ]
    }

    fn written_turn(&self) -> Seat {
        self.turn()
    }

    fn write(&self, arrangement: &Arrangement) -> Written {
        let board = self.board;
        let cell =
            |column, from_top| Square::index(board.square(column, board.height - 1 - from_top));
        let letter = |cell| arrangement.letter(cell);
        let mut written = Written::rows(board.width, board.height, cell, letter);
        let side = if arrangement.turn() == WHITE { 'w' } else { 'b' };
        let (quiet, number) = (arrangement.counter("quiet"), arrangement.counter("number"));
        written.push(&format!(" {side} {quiet} {number}"));
        written
    }
}
