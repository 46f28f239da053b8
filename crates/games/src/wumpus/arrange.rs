//! Positions set up by hand.

use agon_core::arrange::{Arrangement, Dial, Stock, Written};
use agon_core::{Arrange, Notation, Seat};

use super::board::Cells;
use super::notation::letter;
use super::scene::cell_id;
use super::{PieceKind, Wumpus};

impl<W: Cells> Arrange for Wumpus<W> {
    fn palette(&self) -> Vec<Stock> {
        let pieces = |owner: Seat| {
            PieceKind::ALL.into_iter().map(move |kind| Stock {
                letter: letter(owner, kind),
                owner,
                name: kind.name().into(),
                height: 1,
            })
        };
        Seat::all(2).flat_map(pieces).collect()
    }

    fn dials(&self) -> Vec<Dial> {
        vec![Dial::new("quiet", "Plies without a loss", u16::MAX.into(), self.quiet.into())]
    }

    fn written_turn(&self) -> Seat {
        self.turn
    }

    /// The pits stay where they are.
    fn write(&self, arrangement: &Arrangement) -> Written {
        let (board, size) = (self.board, self.board.size);
        let cell = |column, row| cell_id(board, board.square(row, column));
        let letter = |cell| {
            let pit = self.pits.contains(board.square(cell / size, cell % size));
            arrangement.letter(cell).or(pit.then_some('O'))
        };
        let mut written = Written::rows(size, size, cell, letter);
        let side = self.seat_name(arrangement.turn());
        written.push(&format!(" {side} {}", arrangement.counter("quiet")));
        written
    }
}
