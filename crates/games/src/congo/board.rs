//! The 7×7 board: squares, river, castles, kinds of piece, and the moves of each piece.
//!
//! A square's index is 7 × file + rank, so that the order of the bits is the alphabetical order
//! of the names: iterating over a set visits the squares in the order in which texts list them.

use std::fmt;
use std::str::FromStr;

use agon_core::{Bitboard, Seat, Square, TextError};

/// A set of squares of this board.
pub(super) type Set = Bitboard<u64>;

/// Files and ranks.
pub(super) const SIZE: usize = 7;
/// How many squares there are.
pub(super) const SQUARES: usize = SIZE * SIZE;
const RIVER_RANK: usize = 3;

/// All squares.
pub(super) const BOARD: Set = Bitboard((1 << SQUARES) - 1);
/// Rank 4.
pub(super) const RIVER: Set = rank(RIVER_RANK);
/// The castle of each side's lion: c1–e3 and c5–e7.
pub(super) const CASTLE: [Set; 2] = [castle(0), castle(4)];
/// Each side's own first rank.
pub(super) const NEAR: [Set; 2] = [rank(0), rank(6)];
/// The rank where each side's pawns are promoted.
pub(super) const FAR: [Set; 2] = [rank(6), rank(0)];
/// The ranks on the other side of the river.
pub(super) const BEYOND: [Set; 2] = [ranks(4, 6), ranks(0, 2)];
/// The ranks that no pawn comes back to: retreats end one rank short of the river.
pub(super) const LEFT_FOR_GOOD: [Set; 2] = [ranks(0, 1), ranks(5, 6)];

const fn rank(rank: usize) -> Set {
    ranks(rank, rank)
}

/// Some ranks, from white's side and counted from 0.
pub(super) const fn ranks(from: usize, to: usize) -> Set {
    let (mut set, mut index) = (0, 0);
    while index < SQUARES {
        let rank = index % SIZE;
        if from <= rank && rank <= to {
            set |= 1 << index;
        }
        index += 1;
    }
    Bitboard(set)
}

const fn castle(low: usize) -> Set {
    let file = 0b111 << low;
    Bitboard(file << (2 * SIZE) | file << (3 * SIZE) | file << (4 * SIZE))
}

/// The square at a file from the left and a rank from white's side, both from 0.
pub(super) const fn square(file: usize, rank: usize) -> Square {
    Square::new(file * SIZE + rank)
}

/// The file and rank of a square.
pub(super) const fn place(square: Square) -> (usize, usize) {
    (square.index() / SIZE, square.index() % SIZE)
}

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PieceKind {
    /// Steps forward, retreats beyond the river.
    Pawn,
    /// A promoted pawn: steps sideways too and retreats from anywhere.
    Superpawn,
    /// Steps without capture or jumps two squares in a straight line.
    Giraffe,
    /// Steps without capture or jumps over its prey, as often as it can.
    Monkey,
    /// One or two squares along rank or file, jumping.
    Elephant,
    /// Lives in its castle; losing it loses the game.
    Lion,
    /// Slides to the river and along it; never drowns.
    Crocodile,
    /// A chess knight.
    Zebra,
}

impl PieceKind {
    /// All kinds, in the order the course lists them.
    pub const ALL: [PieceKind; 8] = [
        PieceKind::Pawn,
        PieceKind::Superpawn,
        PieceKind::Giraffe,
        PieceKind::Monkey,
        PieceKind::Elephant,
        PieceKind::Lion,
        PieceKind::Crocodile,
        PieceKind::Zebra,
    ];

    /// The kind with this number in [`ALL`](PieceKind::ALL); only the lowest three bits count.
    #[inline]
    pub(super) const fn from_number(number: usize) -> PieceKind {
        // Not an index into `ALL`: this is no load, the numbers of the kinds are these.
        match number & 7 {
            0 => PieceKind::Pawn,
            1 => PieceKind::Superpawn,
            2 => PieceKind::Giraffe,
            3 => PieceKind::Monkey,
            4 => PieceKind::Elephant,
            5 => PieceKind::Lion,
            6 => PieceKind::Crocodile,
            _ => PieceKind::Zebra,
        }
    }

    /// The name: `pawn`, `superpawn`, …
    pub const fn name(self) -> &'static str {
        ["pawn", "superpawn", "giraffe", "monkey", "elephant", "lion", "crocodile", "zebra"]
            [self as usize]
    }

    /// The letter of a piece of this kind: upper case for white, lower case for black.
    pub(super) fn letter(self, owner: Seat) -> char {
        let letter = char::from(b"PSGMELCZ"[self as usize]);
        if owner == Seat::FIRST { letter } else { letter.to_ascii_lowercase() }
    }

    /// The kind and owner that a letter stands for.
    pub(super) fn from_letter(letter: char) -> Option<(PieceKind, Seat)> {
        let owner = if letter.is_ascii_uppercase() { Seat::FIRST } else { Seat::SECOND };
        PieceKind::ALL
            .into_iter()
            .find(|kind| kind.letter(owner) == letter)
            .map(|kind| (kind, owner))
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PieceKind {
    type Err = TextError;

    fn from_str(text: &str) -> Result<PieceKind, TextError> {
        PieceKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            let expected = format!("one of {}", PieceKind::ALL.map(PieceKind::name).join(", "));
            TextError::new("congo", "kind of piece", text, 0..text.len(), expected)
        })
    }
}

/// A set for every square.
pub(super) struct SetBySquare([Set; 64]);

impl SetBySquare {
    #[inline]
    pub(super) fn at(&self, square: Square) -> Set {
        // A board of 49 squares in a table of 64: no bounds check needed.
        self.0[square.index() & 63]
    }

    /// The squares at one of these `(file, rank)` offsets.
    const fn leaps(leaps: &[(isize, isize)]) -> SetBySquare {
        let mut table = [Set::EMPTY; 64];
        let mut from = 0;
        while from < SQUARES {
            let mut i = 0;
            while i < leaps.len() {
                if let Some(to) = leap(from, leaps[i]) {
                    table[from].0 |= 1 << to;
                }
                i += 1;
            }
            from += 1;
        }
        SetBySquare(table)
    }
}

/// The index of the square at this `(file, rank)` offset, if it is on the board.
const fn leap(from: usize, (right, up): (isize, isize)) -> Option<usize> {
    let file = (from / SIZE) as isize + right;
    let rank = (from % SIZE) as isize + up;
    let size = SIZE as isize;
    if 0 <= file && file < size && 0 <= rank && rank < size {
        Some((file * size + rank) as usize)
    } else {
        None
    }
}

#[rustfmt::skip]
const AROUND: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
#[rustfmt::skip]
const AROUND_TWICE: [(isize, isize); 8] =
    [(-2, -2), (-2, 0), (-2, 2), (0, -2), (0, 2), (2, -2), (2, 0), (2, 2)];

/// One step in eight directions.
pub(super) static STEPS: SetBySquare = SetBySquare::leaps(&AROUND);
/// Exactly two squares in eight directions: the giraffe's jumps.
pub(super) static LONG_STEPS: SetBySquare = SetBySquare::leaps(&AROUND_TWICE);
/// A chess knight's leaps.
pub(super) static ZEBRA: SetBySquare =
    SetBySquare::leaps(&[(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]);
/// One or two squares along rank or file.
pub(super) static ELEPHANT: SetBySquare =
    SetBySquare::leaps(&[(-2, 0), (-1, 0), (0, -2), (0, -1), (0, 1), (0, 2), (1, 0), (2, 0)]);

/// The neighbours that a monkey may jump over: those with a square right behind them.
pub(super) static JUMPABLE: SetBySquare = {
    let mut table = [Set::EMPTY; 64];
    let mut from = 0;
    while from < SQUARES {
        let mut i = 0;
        while i < AROUND.len() {
            if let (Some(over), Some(_)) = (leap(from, AROUND[i]), leap(from, AROUND_TWICE[i])) {
                table[from].0 |= 1 << over;
            }
            i += 1;
        }
        from += 1;
    }
    SetBySquare(table)
};

/// The square that a monkey reaches from `at` by jumping over `over`.
#[inline]
pub(super) const fn behind(at: Square, over: Square) -> Square {
    Square::new(2 * over.index() - at.index())
}

/// The square between two that a monkey's jump connects, if one does.
pub(super) fn jumped_between(a: Square, b: Square) -> Option<Square> {
    let connected = LONG_STEPS.at(a).contains(b);
    connected.then(|| Square::new((a.index() + b.index()) / 2))
}

/// The squares of the other castle that a lion sees over the river on an empty board: those on
/// its file, and one on the diagonal across d4 for the lions on the corners next to the river.
pub(super) static SIGHT: SetBySquare = {
    let mut table = [Set::EMPTY; 64];
    let mut from = 0;
    while from < SQUARES {
        let own = Bitboard::<u64>(1 << from);
        let mut seat = 0;
        while seat < 2 {
            if CASTLE[seat].0 & own.0 != 0 {
                let file = ((1 << SIZE) - 1) << (from / SIZE * SIZE);
                table[from].0 = CASTLE[1 - seat].0 & file;
            }
            seat += 1;
        }
        from += 1;
    }
    const DIAGONALS: [(Square, Square); 2] =
        [(square(2, 2), square(4, 4)), (square(4, 2), square(2, 4))];
    let mut i = 0;
    while i < DIAGONALS.len() {
        let (low, high) = (DIAGONALS[i].0.index(), DIAGONALS[i].1.index());
        table[low].0 |= 1 << high;
        table[high].0 |= 1 << low;
        i += 1;
    }
    SetBySquare(table)
};

/// The squares between two lions that see each other by [`SIGHT`].
#[inline]
pub(super) fn between_lions(a: Square, b: Square) -> Set {
    const MIDDLE: Square = square(3, 3);
    let (low, high) = (a.min(b).index(), a.max(b).index());
    if low / SIZE == high / SIZE { Bitboard((1 << high) - (2 << low)) } else { Set::from(MIDDLE) }
}

/// The squares a crocodile slides over besides its steps, split by the order of their bits:
/// outside the river those of its file up to and including the river, in it the rest of it.
static SLIDES_UP: SetBySquare = slides(true);
static SLIDES_DOWN: SetBySquare = slides(false);

const fn slides(up: bool) -> SetBySquare {
    let mut table = [Set::EMPTY; 64];
    let mut from = 0;
    while from < SQUARES {
        let (file, rank) = (from / SIZE, from % SIZE);
        let to_river = ((1 << (RIVER_RANK + 1)) - 1) << (file * SIZE);
        let from_river = (((1 << SIZE) - (1 << RIVER_RANK)) as u64) << (file * SIZE);
        let line = if rank == RIVER_RANK {
            RIVER.0
        } else if rank < RIVER_RANK {
            to_river
        } else {
            from_river
        };
        let above = !((2 << from) - 1);
        let below = (1 << from) - 1;
        // Only towards the river: up from below it, down from above it.
        let towards = rank == RIVER_RANK || (rank < RIVER_RANK) == up;
        if towards {
            table[from].0 = line & if up { above } else { below };
        }
        from += 1;
    }
    SetBySquare(table)
}

/// The squares a crocodile can reach, including those with men of either side.
#[inline]
pub(super) fn crocodile(from: Square, occupied: Set) -> Set {
    let (up, down) = (SLIDES_UP.at(from), SLIDES_DOWN.at(from));
    let first_up = (up & occupied).0;
    // All bits up to the lowest man, or all bits; all bits from the highest man, or all bits
    // (a1 is on no slide, so its bit can stand for "no man").
    let up_to = Bitboard(first_up ^ first_up.wrapping_sub(1));
    let down_to = Bitboard(u64::MAX << (63 - ((down & occupied).0 | 1).leading_zeros()));
    STEPS.at(from) | (up & up_to) | (down & down_to)
}
