//! The transposition table of `maxn`, with the points of all seats.
//!
//! An entry is four words, two of them in a cache line. One player's value fits the engine's table;
//! those of all do not. There is only one thread, so entries cannot be torn.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use agon_core::{MAX_SEATS, PerSeat};

use super::stakes::Points;
use crate::budget::Budget;
use crate::memory::{self, LINE, Lines, OutOfMemory};

/// An entry for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The value at this depth, if no move was cut off.
    pub(super) points: Option<Points>,
    /// The depth of the search.
    pub(super) depth: u8,
    /// The best move, by its index in generation order.
    pub(super) best: u16,
}

/// The words of an entry: its key, the points of two seats in each of the next, the rest.
const WORDS: usize = 4;
const SEATS_A_WORD: usize = 2;
const POINTS_BITS: u32 = 32;
const DEPTH_AT: u32 = 16;
const SEATS_AT: u32 = 24;
const AGE_AT: u32 = 32;
/// Set in every entry that was written.
const USED: u64 = 1 << 63;
const _: () = assert!(MAX_SEATS == 2 * SEATS_A_WORD);

/// A table of fixed size.
#[derive(Debug)]
pub(super) struct PointsTable {
    lines: Lines,
    age: u8,
}

impl PointsTable {
    /// A table of this many MiB.
    pub(super) fn new(mib: usize) -> Result<PointsTable, OutOfMemory> {
        Ok(PointsTable { lines: memory::zeroed(((mib << 20) / LINE).max(1))?, age: 0 })
    }

    /// A table for searches with such a budget: where a clock runs, its memory is ready before.
    pub(super) fn for_budget(mib: usize, budget: &Budget) -> Result<PointsTable, OutOfMemory> {
        if budget.time.is_none() {
            return PointsTable::new(mib);
        }
        Ok(PointsTable { lines: memory::ready(((mib << 20) / LINE).max(1))?, age: 0 })
    }

    /// Its size in MiB, rounded down.
    pub(super) fn mib(&self) -> usize {
        (self.lines.len() * LINE) >> 20
    }

    /// Starts a new search: existing entries are replaced first.
    pub(super) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    fn line(&self, key: u64) -> &[AtomicU64] {
        let index = (u128::from(key) * self.lines.len() as u128) >> 64;
        &self.lines[index as usize].0
    }

    /// The entry of the position with this key.
    pub(super) fn probe(&self, key: u64) -> Option<Known> {
        let mut entries = self.line(key).chunks_exact(WORDS);
        let entry = entries.find(|entry| {
            entry[0].load(Relaxed) == key && entry[WORDS - 1].load(Relaxed) & USED != 0
        })?;
        let rest = entry[WORDS - 1].load(Relaxed);
        let seats = usize::from((rest >> SEATS_AT) as u8);
        let points = |seat: usize| {
            let word = entry[1 + seat / SEATS_A_WORD].load(Relaxed);
            (word >> (POINTS_BITS * (seat % SEATS_A_WORD) as u32)) as i32
        };
        let all: [i32; MAX_SEATS] = std::array::from_fn(points);
        Some(Known {
            points: (seats > 0).then(|| PerSeat::from_slice(&all[..seats.min(MAX_SEATS)])),
            depth: (rest >> DEPTH_AT) as u8,
            best: rest as u16,
        })
    }

    /// Stores an entry in place of an older one of the same position; otherwise the first of a line
    /// holds the deepest of this search and the second the latest.
    pub(super) fn store(&self, key: u64, known: &Known) {
        let line = self.line(key);
        let (first, second) = line.split_at(WORDS);
        let rest = first[WORDS - 1].load(Relaxed);
        let is_old = (rest >> AGE_AT) as u8 != self.age || rest & USED == 0;
        let gives_way = is_old || (rest >> DEPTH_AT) as u8 <= known.depth;
        let is_here = |entry: &[AtomicU64]| entry[0].load(Relaxed) == key;
        let entry = if is_here(first) || gives_way && !is_here(second) { first } else { second };
        let all = known.points.map_or([0; MAX_SEATS], |points| {
            let mut all = [0; MAX_SEATS];
            all[..points.seats()].copy_from_slice(points.as_slice());
            all
        });
        let pair =
            |at: usize| u64::from(all[at] as u32) | u64::from(all[at + 1] as u32) << POINTS_BITS;
        entry[0].store(key, Relaxed);
        entry[1].store(pair(0), Relaxed);
        entry[2].store(pair(SEATS_A_WORD), Relaxed);
        let seats = known.points.map_or(0, |points| points.seats() as u64);
        let rest = u64::from(known.best)
            | u64::from(known.depth) << DEPTH_AT
            | seats << SEATS_AT
            | u64::from(self.age) << AGE_AT
            | USED;
        entry[WORDS - 1].store(rest, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::stakes::FULL;
    use super::*;

    #[test]
    fn entries_come_back_as_they_were() {
        let table = PointsTable::new(1).unwrap();
        for seats in 2..=MAX_SEATS {
            let points = PerSeat::from_slice(&[FULL, 0, 499_999, 7][..seats]);
            let key = 77 + seats as u64;
            assert_eq!(table.probe(key), None);
            for points in [Some(points), None] {
                let known = Known { points, depth: 200, best: 65_535 };
                table.store(key, &known);
                assert_eq!(table.probe(key), Some(known));
            }
        }
    }

    #[test]
    fn the_deepest_and_the_latest_stay() {
        let mut table = PointsTable::new(0).unwrap();
        let known = |depth| Known { points: None, depth, best: 0 };
        for (key, depth) in [(1, 9), (2, 3), (3, 2)] {
            table.store(key, &known(depth));
        }
        assert_eq!([1, 2, 3].map(|key| table.probe(key).is_some()), [true, false, true]);
        table.grow_older();
        table.store(4, &known(1));
        assert_eq!([1, 3, 4].map(|key| table.probe(key).is_some()), [false, true, true]);
    }
}
