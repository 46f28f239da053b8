//! Memory for the tree, within a budget that is never exceeded.
//!
//! The children of a node form a contiguous block, and blocks lie in chunks that are allocated on
//! demand. Each worker fills a [`Plot`] of its own. When there is no room left, [`Arena::recycle`]
//! frees the blocks below the least visited nodes: those nodes keep their statistics, and are
//! expanded again if the search returns to them. Nobody searches meanwhile, so all threads recycle.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::gaps::{Gaps, Plot};
use super::node::{Index, Node};
use crate::threads;

/// The index of the root. Nothing else is in its block.
pub(super) const ROOT: Index = 0;

/// The number of nodes in a chunk. A block never crosses chunks.
const CHUNK: usize = 1 << 12;

/// At least one in this many nodes is free after recycling.
const FREED: usize = 3;

/// Threads that recycle take this many chunks at a time.
const PART: usize = 8;

/// The nodes of a tree.
#[derive(Debug)]
pub(super) struct Arena<M> {
    chunks: Box<[OnceLock<Chunk<M>>]>,
    /// How many threads fill it and recycle it.
    threads: usize,
    gaps: Mutex<Gaps>,
    /// There was no room for somebody.
    is_short: AtomicBool,
    /// How often all gaps have changed.
    season: u32,
}

/// Nodes that are allocated together, when the first of them is needed.
type Chunk<M> = Box<[Node<M>]>;

impl<M: Copy + Send + Sync> Arena<M> {
    /// An arena of at most this many bytes for so many threads, with an empty root.
    pub(super) fn new(bytes: usize, threads: usize) -> Arena<M> {
        let chunks = (bytes / (CHUNK * size_of::<Node<M>>())).clamp(1, u32::MAX as usize / CHUNK);
        let mut arena = Arena {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            threads,
            gaps: Mutex::default(),
            is_short: AtomicBool::new(false),
            season: 0,
        };
        arena.clear();
        arena
    }

    /// The maximum number of nodes.
    pub(super) fn capacity(&self) -> usize {
        self.chunks.len() * CHUNK
    }

    /// The number of nodes in use, including freed ones until they are reused.
    #[cfg(test)]
    pub(super) fn taken(&self) -> usize {
        self.chunks.iter().filter(|chunk| chunk.get().is_some()).count() * CHUNK
    }

    /// How often all gaps have changed.
    #[cfg(test)]
    pub(super) fn season(&self) -> u32 {
        self.season
    }

    /// The node at an index.
    #[inline]
    pub(super) fn node(&self, index: Index) -> &Node<M> {
        let index = index as usize;
        &self.chunk(index / CHUNK)[index % CHUNK]
    }

    /// The children of a node; none if it has not been expanded.
    #[inline]
    pub(super) fn children(&self, node: &Node<M>) -> (Index, &[Node<M>]) {
        let Some((first, count)) = node.block() else { return (ROOT, &[]) };
        let start = first as usize % CHUNK;
        (first, &self.chunk(first as usize / CHUNK)[start..start + count])
    }

    #[inline]
    fn chunk(&self, number: usize) -> &[Node<M>] {
        self.chunks[number].get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect())
    }

    /// Allocates a block of `count` children in a worker's plot, or in a new plot if it does not
    /// fit there. `None` if there is no room left.
    pub(super) fn allocate(&self, plot: &mut Plot, count: usize) -> Option<(Index, &[Node<M>])> {
        if plot.season != self.season {
            *plot = Plot { places: 0..0, season: self.season };
        }
        if plot.places.len() < count && self.gaps().exchange(plot, count, self.fair()).is_none() {
            self.is_short.store(true, Relaxed);
            return None;
        }
        let at = plot.places.start;
        plot.places.start += count;
        Some((at as Index, &self.chunk(at / CHUNK)[at % CHUNK..at % CHUNK + count]))
    }

    /// How much a worker may have for itself, so that there is enough for the others.
    fn fair(&self) -> usize {
        self.capacity() / (2 * self.threads)
    }

    /// Takes back what is left of a plot.
    pub(super) fn give_back(&self, plot: Plot) {
        if plot.season == self.season {
            self.gaps().add(plot.places);
        }
    }

    fn gaps(&self) -> MutexGuard<'_, Gaps> {
        self.gaps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there was no room for somebody: all threads should leave, so that one can recycle.
    #[inline]
    pub(super) fn is_short(&self) -> bool {
        self.is_short.load(Relaxed)
    }

    /// Recycles, unless another thread just did or there is plenty of room in small gaps.
    pub(super) fn relieve(&mut self) {
        if self.is_short() && self.gaps().places() < self.capacity() / FREED {
            self.recycle();
        }
        self.is_short = AtomicBool::new(false);
    }

    /// Makes room by freeing the blocks below the least visited nodes.
    fn recycle(&mut self) {
        let mut blocks = self.all_blocks();
        blocks.sort_unstable_by_key(|block| block.visits);
        let in_use: usize = blocks.iter().map(|block| block.places.len()).sum();
        let mut left = in_use + self.capacity() / FREED;
        let enough = blocks.iter().find(|block| {
            left = left.saturating_sub(block.places.len());
            left <= self.capacity()
        });
        // A node never has more visits than its parent, so whole subtrees are freed.
        let least = enough.map_or(0, |block| block.visits);
        let (given_up, kept): (Vec<Block>, Vec<Block>) =
            blocks.into_iter().partition(|b| b.visits <= least && b.parent != ROOT);
        for block in given_up {
            self.node_mut(block.parent).close();
        }
        self.clear_all_but(kept);
    }

    /// Makes a node the new root, and frees everything that is not below it.
    pub(super) fn replant(&mut self, index: Index) {
        let node = std::mem::take(self.node_mut(index));
        *self.node_mut(ROOT) = node;
        let kept = self.blocks_below_root();
        self.clear_all_but(kept);
    }

    /// Frees everything.
    pub(super) fn clear(&mut self) {
        *self.node_mut(ROOT) = Node::default();
        self.clear_all_but(Vec::new());
    }

    /// All blocks below the root, found by walking the tree.
    fn blocks_below_root(&self) -> Vec<Block> {
        let (mut blocks, mut open) = (Vec::new(), vec![ROOT]);
        while let Some(parent) = open.pop() {
            if let Some(block) = Block::below(parent, self.node(parent)) {
                open.extend(block.places.start as Index..block.places.end as Index);
                blocks.push(block);
            }
        }
        blocks
    }

    /// All blocks, in any order. Where nothing is cut off from the root, this is quicker than
    /// walking the tree: it reads the memory in order, on all threads.
    fn all_blocks(&mut self) -> Vec<Block> {
        let all = Mutex::new(Vec::new());
        self.in_parts(|first, chunks| {
            let nodes = chunks.iter_mut().enumerate().flat_map(|(number, chunk)| {
                let start = ((first + number) * CHUNK) as Index;
                (start..).zip(chunk.get_mut().into_iter().flatten())
            });
            let mut found = nodes.filter_map(|(index, node)| Block::below(index, node)).collect();
            all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut found);
        });
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the root and these blocks; everything else is reset and free.
    fn clear_all_but(&mut self, mut kept: Vec<Block>) {
        kept.sort_unstable_by_key(|block| block.places.start);
        let gaps = self.gaps_between(&kept);
        self.in_parts(|first, chunks| {
            let (start, end) = (first * CHUNK, (first + chunks.len()) * CHUNK);
            let here = gaps.partition_point(|gap| gap.start < start);
            for gap in gaps[here..].iter().take_while(|gap| gap.start < end) {
                // A chunk that was never used is still fresh.
                if let Some(chunk) = chunks[gap.start / CHUNK - first].get_mut() {
                    let at = gap.start % CHUNK;
                    chunk[at..at + gap.len()].fill_with(Node::default);
                }
            }
        });
        self.gaps = Mutex::new(gaps.into_iter().collect());
        self.season = self.season.wrapping_add(1);
    }

    /// The gaps between blocks, given in order, chunk by chunk.
    fn gaps_between(&self, kept: &[Block]) -> Vec<Range<usize>> {
        let mut gaps = Vec::new();
        let mut from = ROOT as usize + 1;
        let end = self.capacity()..self.capacity();
        for block in kept.iter().map(|block| &block.places).chain([&end]) {
            while from < block.start {
                let end = block.start.min((from / CHUNK + 1) * CHUNK);
                gaps.push(from..end);
                from = end;
            }
            from = block.end;
        }
        gaps
    }

    /// Does something with all chunks on all threads, a part at a time; the task also gets the
    /// number of the first chunk of the part.
    fn in_parts(&mut self, task: impl Fn(usize, &mut [OnceLock<Chunk<M>>]) + Sync) {
        let used = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        let helpers = (self.threads - 1).min(used / PART);
        let parts = Mutex::new((0..).step_by(PART).zip(self.chunks.chunks_mut(PART)));
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || std::iter::from_fn(next).for_each(|(first, part)| task(first, part));
        std::thread::scope(|scope| {
            for _ in 0..helpers {
                threads::helper(scope, work);
            }
            work();
        });
    }

    fn node_mut(&mut self, index: Index) -> &mut Node<M> {
        let at = index as usize;
        self.node(index);
        let chunk = self.chunks[at / CHUNK].get_mut().expect("it was made just now");
        &mut chunk[at % CHUNK]
    }
}

/// A contiguous block of children.
struct Block {
    parent: Index,
    /// The visits of the parent.
    visits: u32,
    places: Range<usize>,
}

impl Block {
    /// The children of a node, if it has any.
    fn below<M: Copy>(parent: Index, node: &Node<M>) -> Option<Block> {
        let (first, count) = node.block()?;
        let places = first as usize..first as usize + count;
        Some(Block { parent, visits: node.visits(), places })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::RwLock;

    use agon_core::Rng;

    use super::*;

    /// Makes `count` children of a node.
    fn fill(arena: &Arena<u64>, plot: &mut Plot, parent: Index, count: usize) -> Option<Index> {
        let (first, children) = arena.allocate(plot, count)?;
        for (number, child) in children.iter().enumerate() {
            assert!(child.mv().is_none() && child.block().is_none(), "room is new");
            child.set_move(u64::from(parent) << 32 | number as u64);
        }
        Some(first)
    }

    /// Expands a node with `count` children, each visited once.
    fn expand(arena: &Arena<u64>, plot: &mut Plot, parent: Index, count: usize) -> Option<Index> {
        let first = fill(arena, plot, parent, count)?;
        assert!(arena.node(parent).begin_expansion());
        arena.node(parent).publish(first, count as u16);
        for child in arena.children(arena.node(parent)).1 {
            child.visit();
        }
        Some(first)
    }

    fn check(arena: &Arena<u64>) -> usize {
        let mut blocks = arena.blocks_below_root();
        blocks.sort_by_key(|block| block.places.start);
        assert!(blocks.windows(2).all(|two| two[0].places.end <= two[1].places.start));
        for block in &blocks {
            assert_eq!(block.places.start / CHUNK, (block.places.end - 1) / CHUNK);
            for place in block.places.clone() {
                assert!(arena.node(place as Index).mv().is_some());
            }
        }
        blocks.iter().map(|block| block.places.len()).sum()
    }

    #[test]
    fn a_full_arena_goes_on_by_giving_up_what_was_visited_least() {
        let mut arena: Arena<u64> = Arena::new(3 * CHUNK * size_of::<Node<u64>>(), 1);
        assert_eq!(arena.capacity(), 3 * CHUNK);
        let (mut rng, mut plot) = (Rng::new(1), Plot::default());
        arena.node(ROOT).visit();
        let first = expand(&arena, &mut plot, ROOT, 50).unwrap();
        let mut recycled = 0;
        for _ in 0..5_000 {
            // Down a random path that prefers first children.
            let (mut at, mut path) = (ROOT, vec![ROOT]);
            while let Some((first, count)) = arena.node(at).block() {
                let liked = rng.below(2) == 0;
                at = first + if liked { 0 } else { rng.below(count as u64) as Index };
                path.push(at);
            }
            for &index in &path {
                arena.node(index).visit();
            }
            if expand(&arena, &mut plot, at, 1 + rng.below(60) as usize).is_none() {
                let before = arena.node(first).visits();
                arena.node(at).abandon_expansion();
                arena.recycle();
                recycled += 1;
                assert!(check(&arena) <= 2 * arena.capacity() / 3);
                assert_eq!(arena.node(first).visits(), before, "the root's moves stay");
                assert!(arena.node(first).block().is_some(), "and what is visited most");
            }
        }
        assert!(recycled > 5, "{recycled}");
        assert_eq!(arena.taken(), arena.capacity());
        check(&arena);
    }

    /// Visits random nodes and expands them until the root has enough visits; returns how often.
    fn grow(tree: &RwLock<Arena<u64>>, seed: u64, visits: u32) -> u32 {
        let (mut rng, mut plot, mut mine) = (Rng::new(seed), Plot::default(), 0);
        loop {
            let arena = tree.read().unwrap();
            while !arena.is_short() {
                if arena.node(ROOT).visits() >= visits {
                    arena.give_back(plot);
                    return mine;
                }
                arena.node(ROOT).visit();
                mine += 1;
                let mut at = ROOT;
                while let Some((first, count)) = arena.node(at).block() {
                    at = first + rng.below(count as u64) as Index;
                    arena.node(at).visit();
                }
                if arena.node(at).begin_expansion() {
                    let count = 1 + rng.below(60) as usize;
                    match fill(&arena, &mut plot, at, count) {
                        Some(first) => arena.node(at).publish(first, count as u16),
                        None => arena.node(at).abandon_expansion(),
                    }
                }
            }
            drop(arena);
            tree.write().unwrap().relieve();
        }
    }

    #[test]
    fn threads_fill_and_recycle_together_and_no_place_is_lost() {
        const VISITS: u32 = 20_000;
        for (threads, chunks) in [(2, 3 * PART), (4, 3), (16, 2)] {
            let mut arena = Arena::new(chunks * CHUNK * size_of::<Node<u64>>(), threads);
            expand(&arena, &mut Plot::default(), ROOT, 5).unwrap();
            let before = arena.season();
            let tree = RwLock::new(arena);
            let visits: u32 = std::thread::scope(|scope| {
                let tree = &tree;
                let grow = |seed| scope.spawn(move || grow(tree, seed, VISITS));
                let all: Vec<_> = (0..threads as u64).map(grow).collect();
                all.into_iter().map(|thread| thread.join().unwrap()).sum()
            });
            arena = tree.into_inner().unwrap();
            assert!(arena.season() > before + 1, "{threads} threads recycled");
            assert_eq!(arena.node(ROOT).visits(), visits, "every visit counts");
            let free = arena.gaps().places();
            assert_eq!(check(&arena) + free + 1, arena.capacity(), "places and the root");
            assert!(arena.taken() <= chunks * CHUNK);
        }
    }

    #[test]
    fn a_child_becomes_the_root_with_all_that_is_below() {
        let mut arena: Arena<u64> = Arena::new(1, 1);
        assert_eq!(arena.capacity(), CHUNK, "an arena has at least one chunk");
        let mut plot = Plot::default();
        let first = expand(&arena, &mut plot, ROOT, 5).unwrap();
        let below = expand(&arena, &mut plot, first + 2, 7).unwrap();
        expand(&arena, &mut plot, first + 3, 9).unwrap();
        expand(&arena, &mut plot, below + 1, 4).unwrap();
        arena.replant(first + 2);
        assert_eq!(check(&arena), 7 + 4);
        assert_eq!(arena.node(ROOT).mv(), Some(2));
        assert_eq!(arena.node(ROOT).block(), Some((below, 7)));
        arena.clear();
        assert_eq!(check(&arena), 0);
        assert_eq!(arena.node(ROOT).visits(), 0);
    }

    #[test]
    fn more_children_than_a_chunk_holds_are_refused() {
        let arena: Arena<u64> = Arena::new(1 << 20, 1);
        let mut plot = Plot::default();
        assert!(arena.allocate(&mut plot, CHUNK + 1).is_none());
        assert!(arena.allocate(&mut plot, CHUNK).is_some() || arena.capacity() == CHUNK);
    }
}
