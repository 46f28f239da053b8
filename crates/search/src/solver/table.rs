//! The table of proven positions, shared by all threads without a lock.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use crate::memory::{LINE, Line, Lines, OutOfMemory, prefetch, zeroed};

use super::Value;

/// Bounds on a position's value, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
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
///
/// The table begins small and doubles whenever it is a quarter full, up to the memory it may use:
/// what is not needed is never touched. It grows between two nodes of all threads, each of which
/// holds a [pass](SolverTable::pass) while it uses the table.
#[derive(Debug)]
pub(crate) struct SolverTable {
    /// All lines there may be; those in use come first.
    lines: Lines,
    /// How far the high bits of a key are from the low ones, which says how many lines are in use.
    shift: AtomicU32,
    gate: RwLock<()>,
}

const SIZE_BITS: u32 = 6;
const BOUND_BITS: u32 = 4;
const KEY_BITS: u32 = u64::BITS - SIZE_BITS - BOUND_BITS;
const SIZE_MASK: u64 = (1 << SIZE_BITS) - 1;

/// The minimum number of lines for which all bits of a key are kept.
const FEWEST_LINES: usize = 1 << (SIZE_BITS + BOUND_BITS);

/// The table grows when this part of it is in use: lines overflow long before all are full.
const FULL: f64 = 0.25;

impl SolverTable {
    /// A table that may grow to about so many MiB, rounded down to a power of two.
    pub fn new(mib: usize) -> Result<SolverTable, OutOfMemory> {
        let wanted = (mib.saturating_mul(1 << 20) / LINE).max(FEWEST_LINES);
        let lines = zeroed(1 << wanted.ilog2())?;
        let shift = AtomicU32::new(u64::BITS - FEWEST_LINES.ilog2());
        Ok(SolverTable { lines, shift, gate: RwLock::new(()) })
    }

    /// Leave for a thread to use the table beside others.
    pub(super) fn pass(&self) -> Pass<'_> {
        Pass { table: self, held: Some(self.enter()) }
    }

    fn enter(&self) -> RwLockReadGuard<'_, ()> {
        self.gate.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the table twice as large if it is full and may still grow. Whoever calls this has no
    /// pass.
    fn grow_if_full(&self) {
        if !self.is_full() {
            return;
        }
        let _alone = self.gate.write().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have been faster.
        if self.is_full() {
            self.grow();
        }
    }

    fn is_full(&self) -> bool {
        self.in_use() < self.lines.len() && self.fullness() >= FULL
    }

    /// How many lines are in use.
    fn in_use(&self) -> usize {
        1 << (u64::BITS - self.shift.load(Relaxed))
    }

    /// What is in a line goes to one of two, by the next bit of the key. The last line goes first:
    /// what is in the way has been moved then.
    fn grow(&self) {
        let before = self.in_use();
        let shift = self.shift.load(Relaxed) - 1;
        for index in (0..before).rev() {
            let entries = self.lines[index].0.each_ref().map(|word| word.load(Relaxed));
            for half in 0..2 {
                // The low bits of the key are in the entry, the bit in question among them.
                let belongs = |entry: &u64| key_bits(*entry) >> shift & 1 == half;
                let mut mine = entries.into_iter().filter(|&entry| size_of_search(entry) != 0);
                for word in &self.lines[2 * index + half as usize].0 {
                    word.store(mine.find(belongs).unwrap_or(0), Relaxed);
                }
            }
        }
        self.shift.store(shift, Relaxed);
    }

    #[inline]
    fn line(&self, key: u64) -> &Line {
        &self.lines[(key >> self.shift.load(Relaxed)) as usize]
    }

    /// Prefetches what [`get`](SolverTable::get) will read.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
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
    pub(crate) fn fullness(&self) -> f64 {
        const SAMPLE: usize = 1000;
        let sample = SAMPLE.min(self.in_use());
        let words = self.lines.iter().take(sample).flat_map(|line| &line.0);
        let (all, used) = words
            .fold((0, 0), |(all, used), word| (all + 1, used + u32::from(word.load(Relaxed) != 0)));
        f64::from(used) / f64::from(all)
    }
}

/// Leave to use a table. It does not grow while anybody has one.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    table: &'a SolverTable,
    held: Option<RwLockReadGuard<'a, ()>>,
}

impl Pass<'_> {
    /// Gives it back for a moment, in which the table grows if it is full.
    pub(super) fn renew(&mut self) {
        self.held = None;
        self.table.grow_if_full();
        self.held = Some(self.table.enter());
    }
}

/// The low bits of the key of an entry.
#[inline]
fn key_bits(entry: u64) -> u64 {
    entry >> (SIZE_BITS + BOUND_BITS)
}

#[inline]
fn is_of(entry: u64, key: u64) -> bool {
    key_bits(entry) == key & ((1 << KEY_BITS) - 1) && size_of_search(entry) != 0
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
    use agon_core::rng::mix;

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
    fn a_table_grows_with_what_is_in_it_and_loses_nothing() {
        let table = SolverTable::new(4).unwrap();
        let (smallest, most) = (table.in_use(), table.lines.len());
        assert_eq!((smallest, most), (FEWEST_LINES, (4 << 20) / LINE));
        let keys: Vec<u64> = (0..40_000).map(mix).collect();
        for (count, &key) in keys.iter().enumerate() {
            table.put(key, Bounds::exactly(Value::from_bits(key)), key >> 32);
            if count.is_multiple_of(64) {
                table.grow_if_full();
            }
            assert!(table.in_use() <= smallest.max(8 * (count + 1)), "{count}");
        }
        assert_eq!(table.in_use(), 1 << 15, "a quarter full at most: 2 of 8 entries a line");
        let lost = keys.iter().filter(|&&key| {
            let value = table.get(key).value();
            assert!(value.is_none() || value == Some(Value::from_bits(key)));
            value.is_none()
        });
        assert!(lost.count() < 40, "lines overflow now and then");
        for key in (0..10_000_000).map(mix).skip(keys.len()).take(200_000) {
            table.put(key, Bounds::exactly(Value::Win), 1);
            table.grow_if_full();
        }
        assert_eq!(table.in_use(), most, "no further than allowed");
    }

    #[test]
    fn threads_use_a_table_while_it_grows() {
        let table = SolverTable::new(8).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    let mut pass = table.pass();
                    for number in 0..20_000 {
                        let key = mix(thread << 32 | number);
                        table.put(key, Bounds::exactly(Value::from_bits(key)), 1);
                        let value = table.get(key).value();
                        assert!(value.is_none_or(|value| value == Value::from_bits(key)));
                        pass.renew();
                    }
                });
            }
        });
        assert!(table.in_use() > FEWEST_LINES);
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
