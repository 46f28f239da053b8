//! Positions set up by hand.

use agon_core::arrange::{Arrangement, Dial, Stock, Written};
use agon_core::{Arrange, Seat, Square};

use super::board::{HEIGHT, WIDTH, square};
use super::notation::{LAST_TURN, letter};
use super::{BLACK, Fenix, PieceKind, RED};

impl Arrange for Fenix {
    fn palette(&self) -> Vec<Stock> {
        let stacks = |owner: Seat| {
            PieceKind::ALL.into_iter().map(move |kind| Stock {
                letter: letter(owner, kind),
                owner,
                name: kind.name().into(),
                height: kind.height(),
            })
        };
        [RED, BLACK].into_iter().flat_map(stacks).collect()
    }

    /// Whole rounds instead of plies: so they fit whoever is to move.
    fn dials(&self) -> Vec<Dial> {
        let rounds = "Moves of each side so far (the setup takes 5)";
        let (general, king) =
            ("A general was just lost: it may be replaced", "The king was just lost: replace it");
        vec![
            Dial::new("rounds", rounds, LAST_TURN / 2, self.turn / 2),
            Dial::new("quiet", "Plies without a capture", u16::MAX.into(), self.quiet.into()),
            Dial::flag("general", general, self.may_create_general),
            Dial::flag("king", king, self.may_create_king),
        ]
    }

    fn written_turn(&self) -> Seat {
        self.mover()
    }

    fn write(&self, arrangement: &Arrangement) -> Written {
        let cell = |column, from_top| Square::index(square(column, from_top));
        let mut written = Written::rows(WIDTH, HEIGHT, cell, |cell| arrangement.letter(cell));
        let [rounds, quiet, general, king] =
            ["rounds", "quiet", "general", "king"].map(|name| arrangement.counter(name));
        let turn = arrangement.turn();
        let ply = 2 * rounds + turn.index() as u32;
        let side = if turn == RED { 'w' } else { 'b' };
        written.push(&format!(" {ply} {quiet} {side} {general}{king}"));
        written
    }
}
