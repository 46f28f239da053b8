//! Sets of squares as bits, for boards of up to 64, 128 or 256 squares.

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr, Sub, SubAssign,
};

/// A square of a board by its index. Games give squares their names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square with this index.
    #[inline]
    pub const fn new(index: usize) -> Square {
        debug_assert!(index < 256);
        Square(index as u8)
    }

    /// The index of this square.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The bits a [`Bitboard`] is made of: `u64`, `u128` or [`U256`](crate::U256).
pub trait Word:
    Copy
    + Eq
    + Ord
    + std::hash::Hash
    + fmt::Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many squares fit.
    const BITS: u32;
    /// No bit set.
    const ZERO: Self;
    /// Only this bit set.
    fn bit(index: u32) -> Self;
    /// How many bits are set.
    fn count(self) -> u32;
    /// The number of the lowest set bit; [`BITS`](Word::BITS) if there is none.
    fn lowest(self) -> u32;
    /// This word without its lowest set bit.
    fn without_lowest(self) -> Self;
    /// The number of the set bit with `n` set bits below it. There must be one.
    fn nth(self, n: u32) -> u32;
    /// All bits, hashed into 64, of which the upper ones are the best mixed.
    fn hashed(self) -> u64;
}

macro_rules! primitive_word {
    ($word:ty, $nth:expr, $hashed:expr) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            #[inline]
            fn bit(index: u32) -> Self {
                1 << index
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn nth(self, n: u32) -> u32 {
                $nth(self, n)
            }
            #[inline]
            fn hashed(self) -> u64 {
                $hashed(self)
            }
        }
    };
}

primitive_word!(u64, crate::wide::select, |word: u64| {
    (word ^ word >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
});
primitive_word!(
    u128,
    |word: u128, n: u32| {
        let low = word as u64;
        match n.checked_sub(low.count_ones()) {
            None => low.nth(n),
            Some(rest) => 64 + ((word >> 64) as u64).nth(rest),
        }
    },
    |word: u128| (word as u64).hashed() ^ ((word >> 64) as u64).hashed().rotate_left(23)
);

/// A set of squares.
///
/// ```
/// use agon_core::{Bitboard, Square};
/// let corner = Bitboard::<u64>::from(Square::new(0));
/// let both = corner | Bitboard::from(Square::new(63));
/// assert_eq!(both.len(), 2);
/// assert_eq!((both - corner).first(), Some(Square::new(63)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bitboard<W>(pub W);

impl<W: Word> Bitboard<W> {
    /// No square.
    pub const EMPTY: Self = Bitboard(W::ZERO);

    /// The first `count` squares.
    pub fn first_squares(count: usize) -> Self {
        (0..count).map(Square::new).collect()
    }

    /// How many squares are in the set.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.count()
    }

    /// A hash of the set, of which the upper bits are the best mixed.
    #[inline]
    pub fn hashed(self) -> u64 {
        self.0.hashed()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// Whether there is at least one.
    #[inline]
    pub fn any(self) -> bool {
        !self.is_empty()
    }

    /// Whether the square is in the set.
    #[inline]
    pub fn contains(self, square: Square) -> bool {
        (self & Bitboard::from(square)).any()
    }

    /// Whether the two sets share a square.
    #[inline]
    pub fn meets(self, other: Self) -> bool {
        (self & other).any()
    }

    /// Whether every square of this set is in `other`.
    #[inline]
    pub fn is_within(self, other: Self) -> bool {
        (self - other).is_empty()
    }

    /// Adds a square.
    #[inline]
    pub fn insert(&mut self, square: Square) {
        *self |= Bitboard::from(square);
    }

    /// Removes a square.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        *self -= Bitboard::from(square);
    }

    /// The square with the lowest index.
    #[inline]
    pub fn first(self) -> Option<Square> {
        self.any().then(|| Square::new(self.0.lowest() as usize))
    }

    /// Takes out the square with the lowest index.
    #[inline]
    pub(crate) fn pop_first(&mut self) -> Option<Square> {
        let first = self.first()?;
        self.0 = self.0.without_lowest();
        Some(first)
    }

    /// The `n`-th square from the lowest, counted from 0. There must be one.
    #[inline]
    pub fn nth(self, n: u32) -> Square {
        debug_assert!(n < self.len());
        Square::new(self.0.nth(n) as usize)
    }
}

impl<W: Word> From<Square> for Bitboard<W> {
    #[inline]
    fn from(square: Square) -> Self {
        Bitboard(W::bit(square.index() as u32))
    }
}

impl<W: Word> FromIterator<Square> for Bitboard<W> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

impl<W: Word> IntoIterator for Bitboard<W> {
    type Item = Square;
    type IntoIter = Squares<W>;
    #[inline]
    fn into_iter(self) -> Squares<W> {
        Squares(self)
    }
}

/// The squares of a set, lowest index first.
#[derive(Clone, Debug)]
pub struct Squares<W: Word>(Bitboard<W>);

impl<W: Word> Iterator for Squares<W> {
    type Item = Square;
    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.0.pop_first()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl<W: Word> ExactSizeIterator for Squares<W> {}

impl<W: Word> fmt::Debug for Bitboard<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(Square::index)).finish()
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $combine:expr) => {
        impl<W: Word> $trait for Bitboard<W> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let combine: fn(W, W) -> W = $combine;
                Bitboard(combine(self.0, other.0))
            }
        }
        impl<W: Word> $assign_trait for Bitboard<W> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);
set_operator!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

impl<W: Word> Not for Bitboard<W> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Bitboard(!self.0)
    }
}

impl<W: Word> Shl<u32> for Bitboard<W> {
    type Output = Self;
    #[inline]
    fn shl(self, by: u32) -> Self {
        Bitboard(self.0 << by)
    }
}

impl<W: Word> Shr<u32> for Bitboard<W> {
    type Output = Self;
    #[inline]
    fn shr(self, by: u32) -> Self {
        Bitboard(self.0 >> by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::U256;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn agrees_with_a_plain_set<W: Word>(a: &BTreeSet<usize>, b: &BTreeSet<usize>, by: u32) {
        let board = |set: &BTreeSet<usize>| -> Bitboard<W> {
            set.iter().map(|&index| Square::new(index)).collect()
        };
        let plain = |board: Bitboard<W>| -> BTreeSet<usize> {
            board.into_iter().map(Square::index).collect()
        };
        let (x, y) = (board(a), board(b));
        assert_eq!(plain(x & y), a & b);
        assert_eq!(plain(x | y), a | b);
        assert_eq!(plain(x ^ y), a ^ b);
        assert_eq!(plain(x - y), a - b);
        assert_eq!(x.len() as usize, a.len());
        assert_eq!(x.first().map(Square::index), a.first().copied());
        assert_eq!((!x).len(), W::BITS - x.len());
        let moved_up = a.iter().map(|i| i + by as usize).filter(|&i| i < W::BITS as usize);
        assert_eq!(plain(x << by), moved_up.collect());
        let moved_down = a.iter().filter_map(|i| i.checked_sub(by as usize));
        assert_eq!(plain(x >> by), moved_down.collect());
        for (n, &index) in a.iter().enumerate() {
            assert_eq!(x.nth(n as u32).index(), index);
        }
    }

    fn squares(bits: usize) -> impl Strategy<Value = BTreeSet<usize>> {
        proptest::collection::btree_set(0..bits, 0..bits / 2)
    }

    proptest! {
        #[test]
        fn words_of_64(a in squares(64), b in squares(64), by in 0u32..64) {
            agrees_with_a_plain_set::<u64>(&a, &b, by);
        }
        #[test]
        fn words_of_128(a in squares(128), b in squares(128), by in 0u32..128) {
            agrees_with_a_plain_set::<u128>(&a, &b, by);
        }
        #[test]
        fn words_of_256(a in squares(256), b in squares(256), by in 0u32..256) {
            agrees_with_a_plain_set::<U256>(&a, &b, by);
        }
    }
}
