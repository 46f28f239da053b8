//! Endgame tables: positions with few men besides the lions.

use std::sync::LazyLock;

use agon_core::{Seat, Square};

use super::board::{
    BEYOND, BOARD, CASTLE, ELEPHANT, FAR, LONG_STEPS, PieceKind, RIVER, SIZE, STEPS, Set, ZEBRA,
    crocodile, place, square,
};
use super::{BLACK, Congo, WHITE};
use crate::endgame::{Board, Endgames, Kinds, Layouts, Man, Men, Tabulated};

/// The tables of this game; those of three men are part of the program.
pub(super) static ENDGAMES: Endgames<Congo> = Endgames::new(include_bytes!("endgames.bin"));

/// The kinds besides the lion in the order of their values, by their letters.
const KINDS: [PieceKind; 7] = [
    PieceKind::Crocodile,
    PieceKind::Giraffe,
    PieceKind::Elephant,
    PieceKind::Superpawn,
    PieceKind::Monkey,
    PieceKind::Zebra,
    PieceKind::Pawn,
];
const SUPERPAWN: usize = 3;
const PAWN: usize = 6;

/// The number of a kind in [`KINDS`], by its number in [`PieceKind::ALL`].
const NUMBERS: [usize; 8] = [PAWN, SUPERPAWN, 1, 4, 2, usize::MAX, 0, 5];

static LAYOUTS: LazyLock<Layouts> = LazyLock::new(|| {
    Layouts::new(&Board {
        kinds: Congo::KINDS,
        least_men: 3,
        royals: CASTLE,
        others: |owner, kind| if kind == PAWN { BOARD - FAR[owner.index()] } else { BOARD },
        symmetries: &[mirrored],
        exchange: turned_over,
    })
});

/// Left and right exchanged.
fn mirrored(at: Square) -> Square {
    let (file, rank) = place(at);
    square(SIZE - 1 - file, rank)
}

/// Top and bottom exchanged.
fn turned_over(at: Square) -> Square {
    let (file, rank) = place(at);
    square(file, SIZE - 1 - rank)
}

impl Tabulated for Congo {
    const KINDS: Kinds =
        Kinds { royal: 'L', others: "CGESMZP", promotion: Some((PAWN, SUPERPAWN)) };
    const WINNER_MOVES_LAST: bool = true;

    fn layouts() -> &'static Layouts {
        &LAYOUTS
    }

    #[inline]
    fn man_count(&self) -> u32 {
        self.occupied().len()
    }

    fn men(&self) -> Option<Men> {
        let lions = [WHITE, BLACK].map(|seat| self.men(seat, PieceKind::Lion));
        let mut men = Men::new(self.turn, [lions[0].first()?, lions[1].first()?]);
        for square in self.occupied() - (lions[0] | lions[1]) {
            let owner = if self.sides[0].contains(square) { WHITE } else { BLACK };
            let kind = self.kind_on(square);
            // Without promotion, pawns are other men than those in the tables.
            if kind == PieceKind::Pawn && !self.promotion {
                return None;
            }
            men.add(Man { owner, kind: NUMBERS[kind as usize], square })?;
        }
        (!men.others().is_empty()).then_some(men)
    }

    fn compose(men: &Men) -> Congo {
        let mut position = Congo::empty(true);
        for seat in [WHITE, BLACK] {
            position.put(seat, PieceKind::Lion, men.royals[seat.index()]);
        }
        for man in men.others() {
            position.put(man.owner, KINDS[man.kind], man.square);
        }
        position.turn = men.turn;
        position.with_key()
    }

    fn retreats(&self, mut each: impl FnMut(Congo)) {
        let mover = self.turn.opponent();
        let men = self.sides[mover.index()];
        let wet = (men & RIVER) - self.men(mover, PieceKind::Crocodile);
        for to in men {
            // Another man in the river would have drowned.
            if (wet - Set::from(to)).any() {
                continue;
            }
            let dry = if wet.contains(to) { BOARD - RIVER } else { BOARD };
            let kind = self.kind_on(to);
            for from in self.origins(mover, kind, to) & dry {
                let mut before = *self;
                before.clear(to.into());
                before.put(mover, kind, from);
                before.turn = mover;
                each(before);
            }
        }
    }
}

impl Congo {
    /// The empty squares from which a man could have come here without capturing or promoting.
    fn origins(&self, owner: Seat, kind: PieceKind, to: Square) -> Set {
        let open = BOARD - self.occupied();
        match kind {
            PieceKind::Lion => STEPS.at(to) & CASTLE[owner.index()] & open,
            PieceKind::Zebra => ZEBRA.at(to) & open,
            PieceKind::Elephant => ELEPHANT.at(to) & open,
            PieceKind::Giraffe => (STEPS.at(to) | LONG_STEPS.at(to)) & open,
            PieceKind::Monkey => STEPS.at(to) & open,
            PieceKind::Crocodile => {
                let blocked = self.occupied() - Set::from(to);
                open.into_iter().filter(|&from| crocodile(from, blocked).contains(to)).collect()
            }
            PieceKind::Pawn if FAR[owner.index()].contains(to) => Set::EMPTY,
            PieceKind::Pawn | PieceKind::Superpawn => self.pawn_origins(owner, kind, to),
        }
    }

    /// The same for pawns and superpawns.
    fn pawn_origins(&self, owner: Seat, kind: PieceKind, to: Square) -> Set {
        let open = BOARD - self.occupied();
        let ahead = if owner == WHITE { 1 } else { -1 };
        let (file, rank) = place(to);
        let at = |right: isize, up: isize| {
            let (file, rank) = (file as isize + right, rank as isize + up * ahead);
            let fits = (0..SIZE as isize).contains(&file) && (0..SIZE as isize).contains(&rank);
            fits.then(|| square(file as usize, rank as usize)).filter(|&at| open.contains(at))
        };
        let mut origins = Set::EMPTY;
        let mut add = |from: Option<Square>| origins |= from.map_or(Set::EMPTY, Set::from);
        for right in -1..=1 {
            add(at(right, -1));
        }
        if kind == PieceKind::Pawn {
            let beyond = BEYOND[owner.index()] - FAR[owner.index()];
            let near = at(0, 1);
            add(near.filter(|&from| beyond.contains(from)));
            add(near.and(at(0, 2)).filter(|&from| beyond.contains(from)));
            return origins;
        }
        for right in -1..=1 {
            let near = at(right, 1);
            add(near);
            add(near.and(at(2 * right, 2)));
        }
        add(at(-1, 0));
        add(at(1, 0));
        origins
    }
}
