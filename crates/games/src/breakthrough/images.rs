//! A position from the point of view of the side to move, and mirrored: images with the same value.

use agon_core::rng::mix;
use agon_core::{Bitboard, Word};

use super::board::{Board, Cells};
use super::{Breakthrough, WHITE};

/// Word operations needed for images.
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
    /// A key that all images share. On boards of up to 32 squares it is collision-free, so that
    /// proofs that rely on it are sound.
    #[inline]
    pub(super) fn image_key(&self) -> u64 {
        let [white, black] = self.pawns;
        let seen = if self.clock & 1 == WHITE.index() as u32 {
            [white, black]
        } else {
            // Rotating the board swaps the sides; it also mirrors, which does no harm.
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

/// The board rotated by 180°.
#[inline]
fn turned<W: Cells>(board: &Board<W>, set: Bitboard<W>) -> Bitboard<W> {
    Bitboard(set.0.reversed()) >> (W::BITS - (board.width * board.height) as u32)
}

/// Swaps left and right, a pair of columns at a time.
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
