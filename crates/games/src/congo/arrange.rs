//! Positions set up by hand.

use agon_core::arrange::{Arrangement, Dial, Stock, Written};
use agon_core::{Arrange, Seat, Square};

use super::board::{PieceKind, SIZE, square};
use super::{BLACK, Congo, WHITE};

impl Arrange for Congo {
    fn palette(&self) -> Vec<Stock> {
        let men = |owner: Seat| {
            PieceKind::ALL.into_iter().map(move |kind| Stock {
                letter: kind.letter(owner),
                owner,
                name: kind.name().into(),
                height: 1,
            })
        };
        [WHITE, BLACK].into_iter().flat_map(men).collect()
    }

    fn dials(&self) -> Vec<Dial> {
        vec![Dial::new("number", "Move number", u32::MAX, self.number)]
    }

    fn written_turn(&self) -> Seat {
        self.turn
    }

    fn write(&self, arrangement: &Arrangement) -> Written {
        let cell = |file, from_top| Square::index(square(file, SIZE - 1 - from_top));
        let mut written = Written::rows(SIZE, SIZE, cell, |cell| arrangement.letter(cell));
        let side = if arrangement.turn() == WHITE { 'w' } else { 'b' };
        written.push(&format!(" {side} {}", arrangement.counter("number")));
        written
    }
}
