//! Counting the sequences of exactly `depth` moves: the standard test of a move generator.
//!
//! Finished games have no children. Only positions count: repetition does not end a line, but
//! counters that are part of a position do.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::game::{Game, Which};
use crate::rng::mix;
use crate::sink::{Flow, ForEach, GO_ON, Sink};

/// What happens at the last ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaves {
    /// The moves are only counted, by popcount where the game supports it.
    #[default]
    Counted,
    /// Every last move is played as well: slower, but a better measure of `play`.
    Played,
}

/// How to count.
///
/// ```
/// use agon_core::{Perft, sample::Nim};
/// assert_eq!(Perft::default().count(&Nim::new(5), 3), 10);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Perft {
    /// What happens at the last ply.
    pub leaves: Leaves,
    /// How many threads share the work.
    pub threads: usize,
    /// Memory for a table of subtrees already counted, in MiB; 0 for none.
    pub hash_mib: usize,
}

impl Default for Perft {
    fn default() -> Self {
        Perft { leaves: Leaves::Counted, threads: 1, hash_mib: 0 }
    }
}

impl Perft {
    /// The number of move sequences of exactly `depth` plies.
    pub fn count<G: Game>(&self, position: &G, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.divide(position, depth, &|_, _| {}).iter().map(|(_, nodes)| nodes).sum()
    }

    /// The same, separately for every first move. `progress` is called from any thread with the
    /// number of parts done and the total.
    pub fn divide<G: Game>(
        &self,
        position: &G,
        depth: u32,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Vec<(G::Move, u64)> {
        let go_on = |done, of| {
            progress(done, of);
            true
        };
        self.divide_while(position, depth, &go_on).unwrap_or_default()
    }

    /// The same, but cancelled (`None`) as soon as `go_on`, called after every part, returns
    /// `false`.
    ///
    /// ```
    /// use agon_core::{Perft, sample::Nim};
    /// let count = |go_on: bool| Perft::default().divide_while(&Nim::new(5), 3, &|_, _| go_on);
    /// assert_eq!(count(true).unwrap().len(), 3);
    /// assert!(count(false).is_none());
    /// ```
    pub fn divide_while<G: Game>(
        &self,
        position: &G,
        depth: u32,
        go_on: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> Option<Vec<(G::Move, u64)>> {
        let moves = position.moves();
        let tasks = split(position, &moves, depth);
        let rest = depth.saturating_sub(tasks.plies);
        let table = (self.hash_mib > 0).then(|| PerftTable::new(self.hash_mib));
        let totals: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let stopped = AtomicBool::new(false);
        let work = || {
            while let Some((root, task)) = tasks.positions.get(next.fetch_add(1, Relaxed)) {
                let nodes = match self.leaves {
                    Leaves::Counted => count::<G, false>(task, rest, table.as_ref()),
                    Leaves::Played => count::<G, true>(task, rest, table.as_ref()),
                };
                totals[*root].fetch_add(nodes, Relaxed);
                if !go_on(done.fetch_add(1, Relaxed) + 1, tasks.positions.len()) {
                    stopped.store(true, Relaxed);
                }
                if stopped.load(Relaxed) {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work);
            }
            work();
        });
        let counted = totals.into_iter().map(AtomicU64::into_inner);
        (!stopped.into_inner()).then(|| moves.into_iter().zip(counted).collect())
    }
}

/// The work in parts: positions some plies below the root, each with the index of its root move.
struct Tasks<G> {
    positions: Vec<(usize, G)>,
    plies: u32,
}

/// Splits until there are enough parts to keep threads busy, never below the last two plies.
fn split<G: Game>(position: &G, moves: &[G::Move], depth: u32) -> Tasks<G> {
    const ENOUGH: usize = 256;
    let child = |parent: &G, mv| {
        let (child, _) = parent.after(mv);
        child
    };
    let first = moves.iter().enumerate().map(|(root, &mv)| (root, child(position, mv)));
    let mut tasks = Tasks { positions: first.collect(), plies: 1 };
    while tasks.positions.len() < ENOUGH && tasks.plies + 2 < depth {
        let mut deeper = Vec::new();
        for (root, parent) in &tasks.positions {
            if parent.to_move().is_some() {
                let mut keep = ForEach(|mv| deeper.push((*root, child(parent, mv))));
                let _ = parent.generate(Which::All, &mut keep);
            }
        }
        tasks = Tasks { positions: deeper, plies: tasks.plies + 1 };
    }
    tasks
}

fn count<G: Game, const PLAY: bool>(position: &G, depth: u32, table: Option<&PerftTable>) -> u64 {
    match depth {
        0 => return leaf::<G, PLAY>(position),
        1 if !PLAY => return children(position),
        _ if position.to_move().is_none() => return 0,
        _ => {}
    }
    let slot = table.map(|table| (table, table.key(position, depth)));
    if let Some((table, key)) = slot
        && let Some(nodes) = table.get(key)
    {
        return nodes;
    }
    let nodes = if depth == 2 && !PLAY {
        let mut grandchildren = Grandchildren { position, nodes: 0 };
        let _ = position.generate(Which::All, &mut grandchildren);
        grandchildren.nodes
    } else {
        let mut descent = Descent::<G, PLAY> { position, depth, table, nodes: 0 };
        let _ = position.generate(Which::All, &mut descent);
        descent.nodes
    };
    if let Some((table, key)) = slot {
        table.put(key, nodes);
    }
    nodes
}

/// The last ply. Whatever a played move changes is written, and its key computed.
#[inline]
fn leaf<G: Game, const PLAY: bool>(position: &G) -> u64 {
    if PLAY {
        black_box(position);
        black_box(position.key());
    }
    1
}

/// The number of moves, none if the game is over.
#[inline]
fn children<G: Game>(position: &G) -> u64 {
    if position.to_move().is_some() { position.count_moves() } else { 0 }
}

/// The second-to-last ply of a bulk count, where nearly all of the time goes. Separate from
/// [`Descent`], so that the compiler sees that a child is only counted and keeps it in registers.
struct Grandchildren<'a, G> {
    position: &'a G,
    nodes: u64,
}

impl<G: Game> Sink<G::Move> for Grandchildren<'_, G> {
    #[inline]
    fn push(&mut self, mv: G::Move) -> Flow {
        let (child, _) = self.position.after(mv);
        self.nodes += children(&child);
        GO_ON
    }
}

/// A sink that recurses into every move at once, so that no list is ever built.
struct Descent<'a, G, const PLAY: bool> {
    position: &'a G,
    depth: u32,
    table: Option<&'a PerftTable>,
    nodes: u64,
}

impl<G: Game, const PLAY: bool> Sink<G::Move> for Descent<'_, G, PLAY> {
    #[inline]
    fn push(&mut self, mv: G::Move) -> Flow {
        let (child, _) = self.position.after(mv);
        self.nodes += match self.depth {
            1 => leaf::<G, PLAY>(&child),
            depth => count::<G, PLAY>(&child, depth - 1, self.table),
        };
        GO_ON
    }
}

/// Counts by position and depth, shared by all threads without a lock: an entry torn by two
/// writers does not match its own key and is ignored.
struct PerftTable {
    entries: Vec<(AtomicU64, AtomicU64)>,
}

impl PerftTable {
    fn new(mib: usize) -> PerftTable {
        let entries = (mib << 20) / size_of::<(AtomicU64, AtomicU64)>();
        PerftTable { entries: (0..entries).map(|_| Default::default()).collect() }
    }

    fn key<G: Game>(&self, position: &G, depth: u32) -> u64 {
        // Mixed twice: swapping the two summands must not give the same key.
        mix(position.key().wrapping_add(mix(position.counters()))).wrapping_add(u64::from(depth))
    }

    fn entry(&self, key: u64) -> &(AtomicU64, AtomicU64) {
        let index = (u128::from(key) * self.entries.len() as u128) >> 64;
        &self.entries[index as usize]
    }

    fn get(&self, key: u64) -> Option<u64> {
        let (check, nodes) = self.entry(key);
        let nodes = nodes.load(Relaxed);
        (check.load(Relaxed) == key ^ nodes && nodes != 0).then_some(nodes)
    }

    fn put(&self, key: u64, count: u64) {
        let (check, nodes) = self.entry(key);
        nodes.store(count, Relaxed);
        check.store(key ^ count, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Nim, Walk};
    use std::sync::atomic::AtomicUsize;

    /// The definition, written as simply as possible.
    fn plain<G: Game>(position: &G, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let children = position.moves().into_iter().map(|mv| {
            let mut child = position.clone();
            child.play(mv);
            plain(&child, depth - 1)
        });
        children.sum()
    }

    #[test]
    fn every_way_of_counting_agrees() {
        for depth in 0..14 {
            let position = Nim::new(14);
            let expected = plain(&position, depth);
            for leaves in [Leaves::Counted, Leaves::Played] {
                for (threads, hash_mib) in [(1, 0), (3, 0), (1, 1), (2, 1)] {
                    let perft = Perft { leaves, threads, hash_mib };
                    assert_eq!(perft.count(&position, depth), expected, "{perft:?} {depth}");
                }
            }
        }
        assert_eq!(Perft::default().count(&Walk::new(), 16), 1 << 16);
    }

    #[test]
    fn division_adds_up_and_reports_all_parts() {
        let most = AtomicUsize::new(0);
        let progress = |done: usize, of: usize| {
            assert!(done <= of);
            most.fetch_max(done, Relaxed);
        };
        let divided = Perft::default().divide(&Nim::new(20), 8, &progress);
        assert_eq!(divided.len(), 3);
        let total: u64 = divided.iter().map(|(_, nodes)| nodes).sum();
        assert_eq!(total, plain(&Nim::new(20), 8));
        assert!(most.into_inner() > 3);
    }
}
