//! The table of proven positions, shared by all threads without a lock.

use std::sync::atomic::Ordering::Relaxed;

use crate::memory::{LINE, Line, Lines, OutOfMemory, prefetch, zeroed};

use super::Value;

/// Bounds on a position's value, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// It is at least this.
    pub lower: Value,
    /// It is at most this.
    pub upper: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds { lower: Value::Loss, upper: Value::Win };

    /// Everything is known.
    #[inline]
    pub const fn exactly(value: Value) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// The value, if only one is left.
    #[inline]
    pub fn value(self) -> Option<Value> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// The same for the other side.
    #[inline]
    pub fn flipped(self) -> Bounds {
        Bounds { lower: -self.upper, upper: -self.lower }
    }

    /// The intersection of two bounds.
    #[inline]
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// A table of bounds.
///
/// An entry is one word: the low bits of the key, the size of the search that found the bounds
/// (its logarithm), and the bounds. A cache line holds eight. The high bits of the key pick
/// the line, so that line and entry together hold all of it.
#[derive(Debug)]
pub struct SolverTable {
    lines: Lines,
    /// How far the high bits of a key are from the low ones.
    shift: u32,
}

const SIZE_BITS: u32 = 6;
const BOUND_BITS: u32 = 4;
const KEY_BITS: u32 = u64::BITS - SIZE_BITS - BOUND_BITS;
const SIZE_MASK: u64 = (1 << SIZE_BITS) - 1;

/// The minimum number of lines for which all bits of a key are kept.
const FEWEST_LINES: usize = 1 << (SIZE_BITS + BOUND_BITS);

impl SolverTable {
    /// A table of about this many MiB, rounded down to a power of two.
    pub fn new(mib: usize) -> Result<SolverTable, OutOfMemory> {
        let wanted = (mib.saturating_mul(1 << 20) / LINE).max(FEWEST_LINES);
        let bits = wanted.ilog2();
        Ok(SolverTable { lines: zeroed(1 << bits)?, shift: u64::BITS - bits })
    }

    #[inline]
    fn line(&self, key: u64) -> &Line {
        &self.lines[(key >> self.shift) as usize]
    }

    /// Prefetches what [`get`](SolverTable::get) will read.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.line(key));
    }

    /// The bounds of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Bounds {
        for word in &self.line(key).0 {
            let entry = word.load(Relaxed);
            if is_of(entry, key) {
                return bounds_of(entry);
            }
        }
        Bounds::UNKNOWN
    }

    /// Stores the result of a search of this many nodes; the entry of the smallest search is
    /// replaced.
    #[inline]
    pub fn put(&self, key: u64, bounds: Bounds, nodes: u64) {
        // Never 0, which is an empty entry.
        let size = u64::from(nodes.max(1).ilog2() + 1).min(SIZE_MASK);
        let mut room = &self.line(key).0[0];
        let (mut smallest, mut found) = (u64::MAX, bounds);
        for word in &self.line(key).0 {
            let entry = word.load(Relaxed);
            if is_of(entry, key) {
                (room, found) = (word, bounds.and(bounds_of(entry)));
                break;
            }
            if size_of_search(entry) < smallest {
                (room, smallest) = (word, size_of_search(entry));
            }
        }
        let packed = found.lower as u64 | (found.upper as u64) << 2;
        room.store(key << (SIZE_BITS + BOUND_BITS) | size << BOUND_BITS | packed, Relaxed);
    }

    /// The share of entries in use, by a sample.
    pub fn fullness(&self) -> f64 {
        const SAMPLE: usize = 1000;
        let words = self.lines.iter().take(SAMPLE).flat_map(|line| &line.0);
        let (all, used) = words
            .fold((0, 0), |(all, used), word| (all + 1, used + u32::from(word.load(Relaxed) != 0)));
        f64::from(used) / f64::from(all)
    }
}

#[inline]
fn is_of(entry: u64, key: u64) -> bool {
    entry >> (SIZE_BITS + BOUND_BITS) == key & ((1 << KEY_BITS) - 1) && size_of_search(entry) != 0
}

#[inline]
fn size_of_search(entry: u64) -> u64 {
    entry >> BOUND_BITS & SIZE_MASK
}

#[inline]
fn bounds_of(entry: u64) -> Bounds {
    Bounds { lower: Value::from_bits(entry), upper: Value::from_bits(entry >> 2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_about_a_position_are_put_together() {
        let table = SolverTable::new(1).unwrap();
        let key = 0x0123_4567_89AB_CDEF;
        assert_eq!(table.get(key), Bounds::UNKNOWN);
        table.put(key, Bounds { lower: Value::Draw, upper: Value::Win }, 10);
        table.put(key, Bounds { lower: Value::Loss, upper: Value::Draw }, 1);
        assert_eq!(table.get(key).value(), Some(Value::Draw));
        assert_eq!(table.get(key ^ 1), Bounds::UNKNOWN);
        assert_eq!(table.get(key ^ 1 << 63), Bounds::UNKNOWN);
    }

    #[test]
    fn small_searches_make_room_for_large_ones() {
        let table = SolverTable::new(1).unwrap();
        for key in 1..=20 {
            table.put(key, Bounds::exactly(Value::Win), 1 << key);
        }
        for key in 14..=20 {
            assert_eq!(table.get(key).value(), Some(Value::Win), "{key}");
        }
        assert_eq!(table.get(1), Bounds::UNKNOWN);
    }

    #[test]
    fn a_lost_position_with_key_zero_is_an_entry() {
        let table = SolverTable::new(0).unwrap();
        assert_eq!(table.get(0), Bounds::UNKNOWN);
        table.put(0, Bounds::exactly(Value::Loss), 0);
        assert_eq!(table.get(0).value(), Some(Value::Loss));
        assert!(table.fullness() > 0.0);
    }
}
