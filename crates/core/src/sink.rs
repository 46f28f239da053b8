//! Where generated moves go. One generator serves lists, counters and early stops alike.

use std::ops::{ControlFlow, Deref, DerefMut};

/// Whether a generator goes on: `Break` when the sink has had enough.
pub type Flow = ControlFlow<()>;

/// Go on generating.
pub const GO_ON: Flow = ControlFlow::Continue(());

/// A receiver of moves.
pub trait Sink<M> {
    /// Takes one move and says whether to go on.
    fn push(&mut self, mv: M) -> Flow;
}

/// A list of moves. Keep one and clear it between positions: once grown it allocates no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveList<M>(Vec<M>);

impl<M> MoveList<M> {
    /// An empty list that has not allocated yet.
    pub const fn new() -> Self {
        MoveList(Vec::new())
    }

    /// An empty list with room for `capacity` moves.
    pub fn with_capacity(capacity: usize) -> Self {
        MoveList(Vec::with_capacity(capacity))
    }

    /// Removes all moves but keeps the allocation.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes all but the first `len` moves: this way one list serves as the stack of a whole
    /// search.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

impl<M> Default for MoveList<M> {
    fn default() -> Self {
        MoveList::new()
    }
}

impl<M> Sink<M> for MoveList<M> {
    #[inline]
    fn push(&mut self, mv: M) -> Flow {
        self.0.push(mv);
        GO_ON
    }
}

impl<M> Deref for MoveList<M> {
    type Target = [M];
    #[inline]
    fn deref(&self) -> &[M] {
        &self.0
    }
}

impl<M> DerefMut for MoveList<M> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [M] {
        &mut self.0
    }
}

impl<M> IntoIterator for MoveList<M> {
    type Item = M;
    type IntoIter = std::vec::IntoIter<M>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Counts moves without storing them.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counter(u64);

impl Counter {
    /// How many moves were pushed.
    pub fn count(self) -> u64 {
        self.0
    }
}

impl<M> Sink<M> for Counter {
    #[inline]
    fn push(&mut self, _: M) -> Flow {
        self.0 += 1;
        GO_ON
    }
}

/// Stops at a given move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contains<M>(M);

impl<M> Contains<M> {
    /// Waits for `mv`.
    pub fn new(mv: M) -> Self {
        Contains(mv)
    }
}

impl<M: Eq> Sink<M> for Contains<M> {
    #[inline]
    fn push(&mut self, mv: M) -> Flow {
        if mv == self.0 { ControlFlow::Break(()) } else { GO_ON }
    }
}

/// Stops at the first move: the cheapest way to find out whether there is one.
#[derive(Clone, Copy, Default, Debug)]
pub struct Any;

impl<M> Sink<M> for Any {
    #[inline]
    fn push(&mut self, _: M) -> Flow {
        ControlFlow::Break(())
    }
}

/// Calls a closure for every move.
#[derive(Debug)]
pub struct ForEach<F>(pub F);

impl<M, F: FnMut(M)> Sink<M> for ForEach<F> {
    #[inline]
    fn push(&mut self, mv: M) -> Flow {
        (self.0)(mv);
        GO_ON
    }
}
