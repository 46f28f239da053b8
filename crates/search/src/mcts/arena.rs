//! Memory for the tree, within a budget that is never exceeded.
//!
//! The children of a node form a contiguous block, and blocks lie in chunks that are allocated on
//! demand. When there is no room left, [`Arena::recycle`] frees the blocks below the least visited
//! nodes: those nodes keep their statistics, and are expanded again if the search returns to them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::node::{Index, Node};

/// The index of the root. Nothing else is in its block.
pub(super) const ROOT: Index = 0;

/// The number of nodes in a chunk. A block never crosses chunks.
const CHUNK: usize = 1 << 12;

/// At least one in this many nodes is free after recycling.
const FREED: usize = 3;

/// The nodes of a tree.
#[derive(Debug)]
pub(super) struct Arena<M> {
    chunks: Box<[OnceLock<Chunk<M>>]>,
    gaps: Mutex<Gaps>,
}

/// Nodes that are allocated together, when the first of them is needed.
type Chunk<M> = Box<[Node<M>]>;

/// The free ranges.
#[derive(Debug, Default)]
struct Gaps {
    /// The one being filled.
    current: Range<usize>,
    /// All others: their starts, by length.
    others: BTreeMap<usize, Vec<usize>>,
}

impl Gaps {
    fn add(&mut self, gap: Range<usize>) {
        if !gap.is_empty() {
            self.others.entry(gap.len()).or_default().push(gap.start);
        }
    }

    /// Takes `count` contiguous places, in the current gap if they fit, else in the smallest that
    /// is large enough.
    fn take(&mut self, count: usize) -> Option<Index> {
        if self.current.len() < count {
            let length = *self.others.range(count..).next()?.0;
            let starts = self.others.get_mut(&length)?;
            let start = starts.pop()?;
            if starts.is_empty() {
                self.others.remove(&length);
            }
            let rest = std::mem::replace(&mut self.current, start..start + length);
            self.add(rest);
        }
        let start = self.current.start;
        self.current.start += count;
        Some(start as Index)
    }

    fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        let others = self.others.iter();
        let others = others.flat_map(|(len, starts)| starts.iter().map(move |s| *s..*s + len));
        others.chain([self.current.clone()])
    }
}

impl<M: Copy> Arena<M> {
    /// An arena of at most this many bytes, with an empty root.
    pub(super) fn new(bytes: usize) -> Arena<M> {
        let chunks = (bytes / (CHUNK * size_of::<Node<M>>())).clamp(1, u32::MAX as usize / CHUNK);
        let mut arena = Arena {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            gaps: Mutex::default(),
        };
        arena.find_gaps(&[]);
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

    /// Allocates a block of `count` children, or `None` if there is no room left.
    pub(super) fn allocate(&self, count: usize) -> Option<(Index, &[Node<M>])> {
        let start = self.gaps.lock().unwrap_or_else(PoisonError::into_inner).take(count)?;
        let at = start as usize;
        Some((start, &self.chunk(at / CHUNK)[at % CHUNK..at % CHUNK + count]))
    }

    /// Whether so little room is left that it is time to recycle.
    pub(super) fn is_full(&self) -> bool {
        let gaps = self.gaps.lock().unwrap_or_else(PoisonError::into_inner);
        gaps.iter().map(|gap| gap.len()).sum::<usize>() < self.capacity() / FREED
    }

    /// Makes room by freeing the blocks below the least visited nodes.
    pub(super) fn recycle(&mut self) {
        let mut blocks = self.blocks();
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
        let kept = self.blocks();
        self.clear_all_but(kept);
    }

    /// Frees everything.
    pub(super) fn clear(&mut self) {
        *self.node_mut(ROOT) = Node::default();
        self.clear_all_but(Vec::new());
    }

    /// All blocks below the root.
    fn blocks(&self) -> Vec<Block> {
        let (mut blocks, mut open) = (Vec::new(), vec![ROOT]);
        while let Some(parent) = open.pop() {
            let node = self.node(parent);
            if let Some((first, count)) = node.block() {
                let places = first as usize..first as usize + count;
                blocks.push(Block { parent, visits: node.visits(), places });
                open.extend(first..first + count as Index);
            }
        }
        blocks
    }

    /// Keeps the root and these blocks; everything else is reset and free.
    fn clear_all_but(&mut self, mut kept: Vec<Block>) {
        kept.sort_unstable_by_key(|block| block.places.start);
        let kept: Vec<Range<usize>> = kept.into_iter().map(|block| block.places).collect();
        self.find_gaps(&kept);
        let gaps = self.gaps.get_mut().unwrap_or_else(PoisonError::into_inner);
        for gap in gaps.iter() {
            // A chunk that was never used is still fresh.
            if let Some(chunk) = self.chunks[gap.start / CHUNK].get_mut() {
                let at = gap.start % CHUNK;
                chunk[at..at + gap.len()].fill_with(Node::default);
            }
        }
    }

    /// Records the gaps between blocks, given in order, chunk by chunk.
    fn find_gaps(&mut self, kept: &[Range<usize>]) {
        let mut gaps = Gaps::default();
        let mut from = ROOT as usize + 1;
        let end = self.capacity()..self.capacity();
        for block in kept.iter().chain([&end]) {
            while from < block.start {
                let end = block.start.min((from / CHUNK + 1) * CHUNK);
                gaps.add(from..end);
                from = end;
            }
            from = block.end;
        }
        self.gaps = Mutex::new(gaps);
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

#[cfg(test)]
mod tests {
    use agon_core::Rng;

    use super::*;

    /// Expands a node with `count` children, each visited once.
    fn expand(arena: &Arena<u64>, parent: Index, count: usize) -> Option<Index> {
        let (first, children) = arena.allocate(count)?;
        for (number, child) in children.iter().enumerate() {
            assert!(child.mv().is_none() && child.block().is_none(), "room is new");
            child.set_move(u64::from(parent) << 32 | number as u64);
            child.visit();
        }
        assert!(arena.node(parent).begin_expansion());
        arena.node(parent).publish(first, count as u16);
        Some(first)
    }

    fn check(arena: &Arena<u64>) -> usize {
        let mut blocks = arena.blocks();
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
        let mut arena: Arena<u64> = Arena::new(3 * CHUNK * size_of::<Node<u64>>());
        assert_eq!(arena.capacity(), 3 * CHUNK);
        let mut rng = Rng::new(1);
        arena.node(ROOT).visit();
        let first = expand(&arena, ROOT, 50).unwrap();
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
            if expand(&arena, at, 1 + rng.below(60) as usize).is_none() {
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

    #[test]
    fn a_child_becomes_the_root_with_all_that_is_below() {
        let mut arena: Arena<u64> = Arena::new(1);
        assert_eq!(arena.capacity(), CHUNK, "an arena has at least one chunk");
        let first = expand(&arena, ROOT, 5).unwrap();
        let below = expand(&arena, first + 2, 7).unwrap();
        expand(&arena, first + 3, 9).unwrap();
        expand(&arena, below + 1, 4).unwrap();
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
        let arena: Arena<u64> = Arena::new(1 << 20);
        assert!(arena.allocate(CHUNK + 1).is_none());
        assert!(arena.allocate(CHUNK).is_some() || arena.capacity() == CHUNK);
    }
}
