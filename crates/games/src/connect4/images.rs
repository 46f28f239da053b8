//! Keys of positions, and of their mirror images.

use agon_core::Bitboard;
use agon_core::rng::mix;

use super::Connect4;
use super::board::{Board, Cells};

impl<W: Cells> Connect4<W> {
    /// Both sets of discs in one word: in every column the sum of its discs as numbers, which tells
    /// first how many there are and then whose. Whose turn it is follows from their number.
    #[inline]
    fn packed(&self) -> W {
        self.mine.0 + self.all.0
    }

    /// A key of the position; on boards of up to 64 bits no two positions share one.
    #[inline]
    pub(super) fn position_key(&self) -> u64 {
        hashed(self.packed())
    }

    /// A key that a position shares with its mirror image; as free of collisions as the other.
    #[inline]
    pub(super) fn image_key(&self) -> u64 {
        let packed = self.packed();
        hashed(packed.min(mirrored(self.board, Bitboard(packed)).0))
    }
}

/// A bijection on words of 64 bits, so that a small key *is* the position.
#[inline]
fn hashed<W: Cells>(packed: W) -> u64 {
    let [low, high] = packed.halves();
    if W::BITS == u64::BITS { mix(low) } else { mix(mix(low).wrapping_add(high)) }
}

/// Swaps left and right, a pair of columns at a time.
#[inline]
pub(super) fn mirrored<W: Cells>(board: &Board<W>, set: Bitboard<W>) -> Bitboard<W> {
    let stride = board.stride() as u32;
    let mut image = Bitboard::EMPTY;
    let (mut left, mut by) = (board.left, (board.width as u32 - 1) * stride);
    loop {
        image |= (set & left) << by | (set >> by) & left;
        if by < 2 * stride {
            break;
        }
        (left, by) = (left << stride, by - 2 * stride);
    }
    image
}
