//! The random numbers of Agon: SplitMix64, small, fast and stable.
//!
//! A seed must mean the same board and the same game for ever, so this generator is written out
//! here and never changes: the state grows by `0x9E3779B97F4A7C15` a step, and the output is the
//! state after two rounds of xor-shift and multiply.

/// A SplitMix64 generator.
///
/// ```
/// let mut rng = agon_core::Rng::new(0);
/// assert_eq!(rng.next_u64(), 0xE220_A839_7B1D_CDAF);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The SplitMix64 output function: a good mixer of 64 bits on its own.
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Rng {
    /// A generator that starts from `seed`.
    pub const fn new(seed: u64) -> Rng {
        Rng { state: seed }
    }

    /// The next 64 random bits.
    #[inline]
    pub const fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        mix(self.state)
    }

    /// A number below `bound`, by multiplication. Its bias is below `bound / 2^64`.
    #[inline]
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next_u64() as u128 * bound as u128) >> 64) as u64
    }

    /// One of the items, or `None` if there are none.
    #[inline]
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() {
            return None;
        }
        items.get(self.below(items.len() as u64) as usize)
    }
}
