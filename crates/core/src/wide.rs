//! A word of 256 bits, and the selection of a set bit by rank.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::bitboard::Word;

/// 256 bits, for boards that do not fit in a `u128`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct U256 {
    high: u128,
    low: u128,
}

impl BitAnd for U256 {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        U256 { high: self.high & other.high, low: self.low & other.low }
    }
}

impl BitOr for U256 {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        U256 { high: self.high | other.high, low: self.low | other.low }
    }
}

impl BitXor for U256 {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        U256 { high: self.high ^ other.high, low: self.low ^ other.low }
    }
}

impl Not for U256 {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        U256 { high: !self.high, low: !self.low }
    }
}

impl Shl<u32> for U256 {
    type Output = Self;
    #[inline]
    fn shl(self, by: u32) -> Self {
        match by {
            0 => self,
            1..128 => U256 { high: self.high << by | self.low >> (128 - by), low: self.low << by },
            _ => U256 { high: self.low << (by - 128), low: 0 },
        }
    }
}

impl Shr<u32> for U256 {
    type Output = Self;
    #[inline]
    fn shr(self, by: u32) -> Self {
        match by {
            0 => self,
            1..128 => U256 { high: self.high >> by, low: self.low >> by | self.high << (128 - by) },
            _ => U256 { high: 0, low: self.high >> (by - 128) },
        }
    }
}

impl Word for U256 {
    const BITS: u32 = 256;
    const ZERO: Self = U256 { high: 0, low: 0 };
    #[inline]
    fn bit(index: u32) -> Self {
        if index < 128 {
            U256 { high: 0, low: 1 << index }
        } else {
            U256 { high: 1 << (index - 128), low: 0 }
        }
    }
    #[inline]
    fn count(self) -> u32 {
        self.high.count_ones() + self.low.count_ones()
    }
    #[inline]
    fn lowest(self) -> u32 {
        if self.low != 0 { self.low.lowest() } else { 128 + self.high.lowest() }
    }
    #[inline]
    fn without_lowest(self) -> Self {
        if self.low != 0 {
            U256 { low: self.low.without_lowest(), ..self }
        } else {
            U256 { high: self.high.without_lowest(), low: 0 }
        }
    }
    #[inline]
    fn nth(self, n: u32) -> u32 {
        match n.checked_sub(self.low.count_ones()) {
            None => self.low.nth(n),
            Some(rest) => 128 + self.high.nth(rest),
        }
    }
    #[inline]
    fn hashed(self) -> u64 {
        self.low.hashed() ^ self.high.hashed().rotate_left(41)
    }
}

/// The number of the set bit of `word` with `n` set bits below it.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline]
#[allow(unsafe_code)]
pub(crate) fn select(word: u64, n: u32) -> u32 {
    // One bit deposit instead of a loop: play-outs pick their moves with this.
    // SAFETY: BMI2 is among the features this whole build is compiled for (see the `cfg`).
    unsafe { std::arch::x86_64::_pdep_u64(1 << n, word) }.trailing_zeros()
}

/// The number of the set bit of `word` with `n` set bits below it.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
#[inline]
pub(crate) fn select(mut word: u64, n: u32) -> u32 {
    for _ in 0..n {
        word = word.without_lowest();
    }
    word.trailing_zeros()
}
