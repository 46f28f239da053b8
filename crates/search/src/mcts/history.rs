//! Progressive history: how well moves did anywhere in the tree.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use agon_core::{Hints, Seat};

/// The resolution of sums.
const PART: f32 = 1.0 / 1024.0;

/// The results of moves by seat and from–to pair, regardless of the position.
#[derive(Debug)]
pub(super) struct MoveHistory {
    ways: usize,
    entries: Box<[Entry]>,
}

#[derive(Debug, Default)]
struct Entry {
    count: AtomicU32,
    sum: AtomicU64,
}

impl MoveHistory {
    /// A history for a game with `seats` seats; empty if it is not `wanted`.
    pub(super) fn new<G: Hints>(seats: usize, wanted: bool) -> MoveHistory {
        let entries = if wanted { seats * G::WAYS } else { 0 };
        MoveHistory { ways: G::WAYS, entries: (0..entries).map(|_| Entry::default()).collect() }
    }

    /// Resets it for a new search.
    pub(super) fn clear(&mut self) {
        self.entries.fill_with(Entry::default);
    }

    /// Adds the result of a seat after a move of this way.
    pub(super) fn add(&self, seat: Seat, way: usize, share: f32) {
        if let Some(entry) = self.entries.get(seat.index() * self.ways + way) {
            entry.count.fetch_add(1, Relaxed);
            entry.sum.fetch_add((share / PART) as u64, Relaxed);
        }
    }

    /// The mean result; 0 if there was no such move.
    #[inline]
    pub(super) fn mean(&self, seat: Seat, way: usize) -> f32 {
        let Some(entry) = self.entries.get(seat.index() * self.ways + way) else { return 0.0 };
        let count = entry.count.load(Relaxed);
        if count == 0 { 0.0 } else { entry.sum.load(Relaxed) as f32 * PART / count as f32 }
    }
}
