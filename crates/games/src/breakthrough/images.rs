//! A position seen by the side to move, and in the mirror: images that have the same value.

use agon_core::rng::mix;
use agon_core::{Bitboard, Word};

use super::board::{Board, Cells};
use super::{Breakthrough, WHITE};

/// What the images need to know of a word.
pub trait Reversible: Word {
    /// The bits in the opposite order.
    fn reversed(self) -> Self;
    /// The number of the highest set bit. There must be one.
    fn highest(self) -> u32;
    /// The two halves of the word, the lower one first.
    fn halves(self) -> [u64; 2];
}

macro_rules! reversible {
    ($word:ty, $halves:expr) => {
        impl Reversible for $word {
            #[inline]
            fn reversed(self) -> Self {
                self.reverse_bits()
            }
            #[inline]
            fn highest(self) -> u32 {
                <$word>::BITS - 1 - self.leading_zeros()
            }
            #[inline]
            fn halves(self) -> [u64; 2] {
                $halves(self)
            }
        }
    };
}

reversible!(u64, |word: u64| [word, 0]);
reversible!(u128, |word: u128| [word as u64, (word >> 64) as u64]);

/// Up to this many squares, the pawns of both sides fit one word of 64 bits.
const PACKED_SQUARES: usize = 32;

impl<W: Cells, R> Breakthrough<W, R> {
    /// A key that all images share. On boards of up to 32 squares no two positions that are not
    /// images of each other have the same: what is proven with it is proven.
    #[inline]
    pub(super) fn image_key(&self) -> u64 {
        let [white, black] = self.pawns;
        let seen = if self.clock & 1 == WHITE.index() as u32 {
            [white, black]
        } else {
            // Turning the board exchanges the sides; it mirrors too, which does no harm.
            [turned(self.board, black), turned(self.board, white)]
        };
        let [mine, theirs] = seen.min(seen.map(|pawns| mirrored(self.board, pawns)));
        let (mine, theirs) = (mine.0.halves(), theirs.0.halves());
        if self.board.width * self.board.height <= PACKED_SQUARES {
            return mix(mine[0] | theirs[0] << PACKED_SQUARES);
        }
        let words = [theirs[0], mine[1], theirs[1]];
        mix(words.into_iter().fold(mine[0], |key, word| mix(key).wrapping_add(word)))
    }
}

/// The board turned by half a circle.
#[inline]
fn turned<W: Cells>(board: &Board<W>, set: Bitboard<W>) -> Bitboard<W> {
    Bitboard(set.0.reversed()) >> (W::BITS - (board.width * board.height) as u32)
}

/// Left and right exchanged, a pair of columns at a time.
#[inline]
fn mirrored<W: Cells>(board: &Board<W>, set: Bitboard<W>) -> Bitboard<W> {
    let mut image = Bitboard::EMPTY;
    let (mut left, mut by) = (board.left, board.width as u32 - 1);
    loop {
        image |= (set & left) << by | (set >> by) & left;
        if by < 2 {
            break;
        }
        (left, by) = (left << 1, by - 2);
    }
    image
}
