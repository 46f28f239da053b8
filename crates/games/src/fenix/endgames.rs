//! Endgame tables: positions after the setup with few stacks besides the kings.
//!
//! Positions in which something may be created, or in which a side has no king, last one ply and are
//! not in the tables.

use std::sync::LazyLock;

use agon_core::Square;

use super::board::{BOARD, DIAGONAL, HEIGHT, ORTHOGONAL, Squares, WIDTH, place, square};
use super::{BLACK, Fenix, PLIES_OF_SETUP, PieceKind, RED};
use crate::endgame::{Board, Endgames, Kinds, Layouts, Man, Men, Tabulated};

/// The tables of this game; those of three stacks are part of the program.
pub(super) static ENDGAMES: Endgames<Fenix> = Endgames::new(include_bytes!("endgames.bin"));

/// The kinds besides the king in the order of their values.
const KINDS: [PieceKind; 2] = [PieceKind::General, PieceKind::Soldier];

static LAYOUTS: LazyLock<Layouts> = LazyLock::new(|| {
    Layouts::new(&Board {
        kinds: Fenix::KINDS,
        least_men: 2,
        royals: [BOARD; 2],
        others: |_, _| BOARD,
        symmetries: &[
            |at| reflected(at, true, false),
            |at| reflected(at, false, true),
            |at| reflected(at, true, true),
        ],
        exchange: |at| at,
    })
});

/// Left and right, top and bottom, or both exchanged.
fn reflected(at: Square, sideways: bool, upside_down: bool) -> Square {
    let (file, rank) = place(at);
    let file = if sideways { WIDTH - 1 - file } else { file };
    // Squares are named by their row from the top.
    square(file, if upside_down { rank } else { HEIGHT - 1 - rank })
}

impl Tabulated for Fenix {
    const KINDS: Kinds = Kinds { royal: 'K', others: "GS", promotion: None };
    const WINNER_MOVES_LAST: bool = false;

    fn layouts() -> &'static Layouts {
        &LAYOUTS
    }

    #[inline]
    fn man_count(&self) -> u32 {
        self.occupied().len()
    }

    fn men(&self) -> Option<Men> {
        let is_settled =
            self.turn > PLIES_OF_SETUP && !self.may_create_general && !self.may_create_king;
        let kings = [RED, BLACK].map(|seat| self.pieces[seat.index()][PieceKind::King as usize]);
        if !is_settled || kings.iter().any(|king| king.len() != 1) {
            return None;
        }
        let mut men = Men::new(self.mover(), [kings[0].first()?, kings[1].first()?]);
        for owner in [RED, BLACK] {
            for (number, kind) in KINDS.into_iter().enumerate() {
                for square in self.pieces[owner.index()][kind as usize] {
                    men.add(Man { owner, kind: number, square })?;
                }
            }
        }
        Some(men)
    }

    fn compose(men: &Men) -> Fenix {
        let mut pieces = [[Squares::EMPTY; 3]; 2];
        for seat in [RED, BLACK] {
            pieces[seat.index()][PieceKind::King as usize].insert(men.royals[seat.index()]);
        }
        for man in men.others() {
            pieces[man.owner.index()][KINDS[man.kind] as usize].insert(man.square);
        }
        // The first plies of either side after which a missing king is a loss.
        let turn = PLIES_OF_SETUP + 2 + men.turn.index() as u32;
        let position = Fenix {
            pieces,
            pieces_key: 0,
            turn,
            quiet: 0,
            may_create_general: false,
            may_create_king: false,
        };
        position.with_key()
    }

    fn retreats(&self, mut each: impl FnMut(Fenix)) {
        let mover = self.mover().opponent();
        let empty = BOARD - self.occupied();
        for kind in PieceKind::ALL {
            for to in self.pieces[mover.index()][kind as usize] {
                let piece = Squares::from(to);
                let mut origins = Squares::EMPTY;
                for direction in ORTHOGONAL {
                    origins |= match kind {
                        PieceKind::General => direction.slide(piece, empty),
                        _ => direction.step(piece) & empty,
                    };
                }
                if kind == PieceKind::King {
                    for direction in DIAGONAL {
                        origins |= direction.step(piece) & empty;
                    }
                }
                for from in origins {
                    let mut before = Fenix { turn: self.turn - 1, ..*self };
                    before.pieces[mover.index()][kind as usize] ^= piece | from.into();
                    // Captures are mandatory: with one there is no quiet move.
                    if !before.has_capture() {
                        each(before);
                    }
                }
            }
        }
    }
}
