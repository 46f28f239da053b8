//! A breadth-first search from the full home over all placements.
//!
//! Every move is reversible, so the placements at one distance from the home are the neighbours of
//! those one move closer. A placement and its mirror image are equally far: only one of the two is
//! expanded, and both are marked.
//!
//! Placements are visited in the order of their ranks. That also keeps the writes local: moves of
//! low pegs change the rank little, and those of high pegs by the same amount for all placements
//! visited in a row.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize};
use std::thread;

use agon_core::{Flow, Square};

use super::super::PEGS;
use super::super::board::{Board, Set, mirrored};
use super::super::moves::Ground;
use crate::tables::{Stopped, TableProgress};

/// A placement that no level has reached yet.
const UNKNOWN: u8 = u8::MAX;

/// The moves that one player alone on the board needs to fill its home, for every placement of
/// its pegs by rank. `report` is called with the progress now and then, and can stop it.
pub(super) fn build(
    board: &'static Board,
    threads: usize,
    report: &mut dyn FnMut(TableProgress) -> Flow,
) -> Result<Vec<u8>, Stopped> {
    let builder = Builder::new(board);
    let mut level = 0;
    while builder.fill_level(level, threads, report)? {
        level += 1;
    }
    Ok(builder.moves.into_iter().map(AtomicU8::into_inner).collect())
}

/// A table under construction.
struct Builder {
    board: &'static Board,
    /// The spaces in the order of their numbers.
    spaces: Vec<Square>,
    /// Units of work: the numbers of the two highest pegs.
    shares: Vec<[usize; 2]>,
    /// Several threads may mark the same placement at once: they write the same byte.
    moves: Vec<AtomicU8>,
    settled: AtomicU64,
}

impl Builder {
    fn new(board: &'static Board) -> Builder {
        let spaces: Vec<Square> = board.spaces.into_iter().collect();
        let pairs = (0..spaces.len()).flat_map(|high| (0..high).map(move |low| [high, low]));
        let moves: Vec<AtomicU8> =
            (0..board.ranking.count()).map(|_| AtomicU8::new(UNKNOWN)).collect();
        moves[board.ranking.rank(super::HOME)].store(0, Relaxed);
        Builder { board, shares: pairs.collect(), spaces, moves, settled: AtomicU64::new(0) }
    }

    /// Marks everything one move farther than `level`; returns whether that level had any
    /// placements.
    fn fill_level(
        &self,
        level: u8,
        threads: usize,
        report: &mut dyn FnMut(TableProgress) -> Flow,
    ) -> Result<bool, Stopped> {
        let before = self.settled.load(Relaxed);
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |report: &mut dyn FnMut(TableProgress) -> Flow| {
            while let Some(&share) = self.shares.get(next.fetch_add(1, Relaxed)) {
                let found = self.fill_share(level, share);
                let settled = self.settled.fetch_add(found, Relaxed) + found;
                let progress = TableProgress { settled, of: self.moves.len() as u64 };
                if stop.load(Relaxed) || report(progress).is_break() {
                    stop.store(true, Relaxed);
                    return;
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| work(&mut |_| agon_core::sink::GO_ON));
            }
            work(report);
        });
        if stop.into_inner() {
            return Err(Stopped);
        }
        Ok(self.settled.load(Relaxed) > before)
    }

    /// Expands all placements of this level with these two highest pegs, and returns their number.
    fn fill_share(&self, level: u8, [highest, high]: [usize; 2]) -> u64 {
        let at = |number: usize| self.spaces[number];
        let mut pegs = [at(0), at(0), at(0), at(0), at(high), at(highest)];
        let mut rank = self.board.ranking.first_rank(at(high), at(highest));
        let mut found = 0;
        for third in 3..high {
            pegs[3] = at(third);
            for second in 2..third {
                pegs[2] = at(second);
                for first in 1..second {
                    pegs[1] = at(first);
                    let run = &self.moves[rank..rank + first];
                    for (lowest, moves) in run.iter().enumerate() {
                        if moves.load(Relaxed) == level {
                            pegs[0] = at(lowest);
                            found += 1;
                            self.mark_around(&pegs, level + 1);
                        }
                    }
                    rank += first;
                }
            }
        }
        found
    }

    /// Marks the placements one move from this one, and their mirror images.
    #[inline]
    fn mark_around(&self, pegs: &[Square; PEGS], moves: u8) {
        let set: Set = pegs.iter().copied().collect();
        if mirrored(set) < set {
            return;
        }
        let ranking = &self.board.ranking;
        let ground = Ground::alone(self.board.spaces, set);
        for (moving, &from) in pegs.iter().enumerate() {
            let others = ranking.without(pegs, moving);
            for to in ground.targets(from) {
                let mark = &self.moves[ranking.with(&others, to)];
                if mark.load(Relaxed) == UNKNOWN {
                    mark.store(moves, Relaxed);
                    let image = mirrored(others.pegs | to.into());
                    self.moves[ranking.rank(image)].store(moves, Relaxed);
                }
            }
        }
    }
}
