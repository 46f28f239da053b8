//! The transposition table.
//!
//! Many threads share it without locks. A bucket is one cache line with four entries of two words;
//! the first word is the position's key combined with the second, so that an entry whose words come
//! from two writers matches no position and counts as absent.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use agon_core::evaluate::EVALUATION_LIMIT;

use super::parameters::{BYTES_A_NODE, FILLING_SPEED};
use crate::budget::{Budget, Time};
use crate::memory::{self, LINE, Line, Lines, OutOfMemory};

/// How a stored value relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// This is the true value.
    Exact,
}

/// An entry for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The value, with forced results counted from this position.
    pub(crate) value: i32,
    /// The static evaluation, if there is one.
    pub(crate) evaluation: Option<i32>,
    /// The depth of the search.
    pub(crate) depth: u8,
    /// The kind of bound.
    pub(crate) bound: Bound,
    /// The best move, by its index in generation order.
    pub(crate) best: Option<u16>,
}

/// How the second word of an entry is laid out, from the lowest bit.
const VALUE_BITS: u32 = 21;
const EVALUATION_BITS: u32 = 18;
const DEPTH_BITS: u32 = 8;
const BOUND_BITS: u32 = 2;
const BEST_BITS: u32 = 10;
const AGE_BITS: u32 = 5;
const EVALUATION_AT: u32 = VALUE_BITS;
const DEPTH_AT: u32 = EVALUATION_AT + EVALUATION_BITS;
const BOUND_AT: u32 = DEPTH_AT + DEPTH_BITS;
const BEST_AT: u32 = BOUND_AT + BOUND_BITS;
const AGE_AT: u32 = BEST_AT + BEST_BITS;
const _: () = assert!(AGE_AT + AGE_BITS == u64::BITS);

/// Sentinels for "none".
const NO_EVALUATION: i32 = -(1 << (EVALUATION_BITS - 1));
const NO_BEST: u64 = (1 << BEST_BITS) - 1;
/// No bound: the entry was never written.
const EMPTY: u64 = 0;

/// An entry of an older search is replaced as if it were this many plies shallower per search.
const AGE_PENALTY: i32 = 4;

impl Entry {
    /// Whether the value decides a search with this window.
    #[inline]
    pub(crate) fn answers(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }

    /// An evaluation of the position, or what the search of the entry found where that is closer to
    /// the truth, as far as it is no forced result.
    #[inline]
    pub(crate) fn refine(&self, evaluation: i32) -> i32 {
        match self.bound {
            _ if self.value.abs() > EVALUATION_LIMIT => evaluation,
            Bound::Exact => self.value,
            Bound::Lower => evaluation.max(self.value),
            Bound::Upper => evaluation.min(self.value),
        }
    }

    fn pack(self, age: u8) -> u64 {
        let field = |value: i32, bits: u32| value as u64 & ((1 << bits) - 1);
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let best = self.best.map_or(NO_BEST, u64::from).min(NO_BEST);
        field(self.value, VALUE_BITS)
            | field(self.evaluation.unwrap_or(NO_EVALUATION), EVALUATION_BITS) << EVALUATION_AT
            | u64::from(self.depth) << DEPTH_AT
            | bound << BOUND_AT
            | best << BEST_AT
            | u64::from(age) << AGE_AT
    }

    fn unpack(word: u64) -> Option<Entry> {
        let signed = |at: u32, bits: u32| ((word << (64 - at - bits)) as i64 >> (64 - bits)) as i32;
        let field = |at: u32, bits: u32| word >> at & ((1 << bits) - 1);
        let bound = match field(BOUND_AT, BOUND_BITS) {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let evaluation = signed(EVALUATION_AT, EVALUATION_BITS);
        let best = field(BEST_AT, BEST_BITS);
        Some(Entry {
            value: signed(0, VALUE_BITS),
            evaluation: (evaluation != NO_EVALUATION).then_some(evaluation),
            depth: field(DEPTH_AT, DEPTH_BITS) as u8,
            bound,
            best: (best != NO_BEST).then_some(best as u16),
        })
    }
}

/// The age of a packed entry.
fn age_of(word: u64) -> u8 {
    (word >> AGE_AT) as u8
}

/// The replacement priority of a packed entry: its depth, minus a penalty for every search since.
fn worth(word: u64, age: u8) -> i32 {
    if word >> BOUND_AT & ((1 << BOUND_BITS) - 1) == EMPTY {
        return i32::MIN;
    }
    let searches_ago = age.wrapping_sub(age_of(word)) & ((1 << AGE_BITS) - 1);
    (word >> DEPTH_AT) as u8 as i32 - AGE_PENALTY * i32::from(searches_ago)
}

/// The size in MiB a table should grow to: what a search with this budget can use, up to a limit.
/// `None` where the table is already about as large, or larger.
pub(crate) fn growth(current: usize, budget: &Budget, threads: usize, most: u32) -> Option<usize> {
    let seconds = budget.time.map(Time::allotment).map(|time| time.as_secs_f64());
    let by_time = seconds.map(|seconds| seconds * FILLING_SPEED * threads as f64);
    let by_nodes = budget.nodes.map(|nodes| nodes as f64);
    let nodes = by_time.into_iter().chain(by_nodes).fold(f64::INFINITY, f64::min);
    let useful = (nodes * BYTES_A_NODE / f64::from(1 << 20)).ceil();
    let wanted = useful.clamp(1.0, f64::from(most)) as usize;
    (wanted > 2 * current).then_some(wanted)
}

/// A table of fixed size.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    buckets: Lines,
    age: AtomicU8,
}

impl TranspositionTable {
    /// A table of this many MiB, at least one bucket.
    pub(crate) fn new(mib: usize) -> Result<TranspositionTable, OutOfMemory> {
        let buckets = memory::zeroed(((mib << 20) / LINE).max(1))?;
        Ok(TranspositionTable { buckets, age: AtomicU8::new(0) })
    }

    /// A table for searches with such a budget: where a clock runs, its memory is ready before.
    pub(crate) fn for_budget(
        mib: usize,
        budget: &Budget,
    ) -> Result<TranspositionTable, OutOfMemory> {
        if budget.time.is_none() {
            return TranspositionTable::new(mib);
        }
        let buckets = memory::ready(((mib << 20) / LINE).max(1))?;
        Ok(TranspositionTable { buckets, age: AtomicU8::new(0) })
    }

    /// Its size in MiB, rounded down.
    pub(crate) fn mib(&self) -> usize {
        (self.buckets.len() * LINE) >> 20
    }

    /// Starts a new search: existing entries are replaced sooner.
    pub(crate) fn grow_older(&self) {
        let age = self.age.load(Relaxed).wrapping_add(1) & ((1 << AGE_BITS) - 1);
        self.age.store(age, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Line {
        // The high half of the product spreads the keys over any number of buckets.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Prefetches the bucket of a position that will be probed soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        memory::prefetch(self.bucket(key));
    }

    /// The entry of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let words = &self.bucket(key).0;
        words.chunks_exact(2).find_map(|pair| {
            let data = pair[1].load(Relaxed);
            (pair[0].load(Relaxed) ^ data == key).then(|| Entry::unpack(data)).flatten()
        })
    }

    /// Stores an entry in place of an older one of the same position or the least valuable one. If
    /// the new entry has no best move, the old one is kept.
    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let (words, age) = (&self.bucket(key).0, self.age.load(Relaxed));
        let mut least = (i32::MAX, 0);
        for (index, pair) in words.chunks_exact(2).enumerate() {
            let data = pair[1].load(Relaxed);
            if pair[0].load(Relaxed) ^ data == key {
                if let Some(known) = Entry::unpack(data) {
                    entry.best = entry.best.or(known.best);
                    entry.evaluation = entry.evaluation.or(known.evaluation);
                }
                least = (i32::MIN, index);
                break;
            }
            let worth = worth(data, age);
            if worth < least.0 {
                least = (worth, index);
            }
        }
        let data = entry.pack(age);
        words[2 * least.1].store(key ^ data, Relaxed);
        words[2 * least.1 + 1].store(data, Relaxed);
    }

    /// How many of a thousand entries were written by the last search, from a sample.
    #[cfg(test)]
    fn fill(&self) -> usize {
        let (age, sample) = (self.age.load(Relaxed), self.buckets.len().min(1000));
        let words = self.buckets[..sample].iter().flat_map(|line| line.0.chunks_exact(2));
        let used = words.filter(|pair| {
            let data = pair[1].load(Relaxed);
            Entry::unpack(data).is_some() && age_of(data) == age
        });
        used.count() * 1000 / (sample * 4)
    }
}

#[cfg(test)]
mod tests {
    use agon_core::rng::mix;
    use proptest::prelude::*;

    use super::*;
    use crate::score::Score;

    fn entry(value: i32, depth: u8) -> Entry {
        Entry { value, evaluation: None, depth, bound: Bound::Exact, best: None }
    }

    proptest! {
        #[test]
        fn entries_come_back_as_they_were(
            value in Score::LOWEST.value()..=Score::HIGHEST.value(),
            evaluation in proptest::option::of(-100_000..=100_000),
            depth: u8,
            best in proptest::option::of(0u16..1023),
            bound in 0usize..3,
            key: u64,
        ) {
            let bound = [Bound::Upper, Bound::Lower, Bound::Exact][bound];
            let entry = Entry { value, evaluation, depth, bound, best };
            let table = TranspositionTable::new(1).unwrap();
            prop_assert_eq!(table.probe(key), None);
            table.store(key, entry);
            prop_assert_eq!(table.probe(key), Some(entry));
            prop_assert_eq!(table.probe(key ^ 1), None);
        }
    }

    #[test]
    fn a_move_too_far_down_the_list_is_forgotten() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(7, Entry { best: Some(5000), ..entry(1, 1) });
        assert_eq!(table.probe(7).unwrap().best, None);
    }

    #[test]
    fn the_shallowest_and_oldest_give_way() {
        let table =
            TranspositionTable { buckets: memory::zeroed(1).unwrap(), age: AtomicU8::new(0) };
        for (key, depth) in [(1, 9), (2, 3), (3, 7), (4, 8)] {
            table.store(key, entry(0, depth));
        }
        table.store(5, entry(0, 1));
        assert_eq!((table.probe(2), table.probe(1).map(|entry| entry.depth)), (None, Some(9)));
        for _ in 0..3 {
            table.grow_older();
            table.store(4, entry(0, 2));
        }
        table.store(6, entry(0, 1));
        table.store(7, entry(0, 1));
        assert!(table.probe(4).is_some(), "an entry of this search stays");
    }

    #[test]
    fn a_table_fills_and_keeps_its_size() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.buckets.len() * LINE, 1 << 20);
        for index in 0..200_000 {
            table.store(mix(index), entry(0, 1));
        }
        assert!(table.fill() > 900, "{}", table.fill());
        let kept = (0..200_000).filter(|&index| table.probe(mix(index)).is_some()).count();
        assert!(kept <= (1 << 20) / 16 && kept > 60_000, "{kept}");
    }

    #[test]
    fn torn_entries_are_not_believed() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(1 << 60, entry(5, 1));
        let bucket = table.bucket(1 << 60);
        let word = bucket.0.iter().find(|word| word.load(Relaxed) != 0).unwrap();
        word.fetch_xor(1, Relaxed);
        assert_eq!(table.probe(1 << 60), None);
    }
}
