//! Zobrist keys, made at compile time.

use crate::rng::{Rng, mix};

/// A table of keys: one random number for each of `CELLS` cells and each of `KINDS` things that
/// can stand there.
///
/// ```
/// use agon_core::zobrist;
/// static KEYS: [[u64; 64]; 2] = zobrist::table(0xC0FFEE);
/// assert_ne!(KEYS[0][0], KEYS[1][0]);
/// ```
pub const fn table<const KINDS: usize, const CELLS: usize>(seed: u64) -> [[u64; CELLS]; KINDS] {
    let mut rng = Rng::new(seed);
    let mut keys = [[0; CELLS]; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let mut cell = 0;
        while cell < CELLS {
            keys[kind][cell] = rng.next_u64();
            cell += 1;
        }
        kind += 1;
    }
    keys
}

/// The key of a single fact, such as whose turn it is.
pub const fn fact(seed: u64, number: u64) -> u64 {
    mix(seed ^ mix(number.wrapping_add(1)))
}
