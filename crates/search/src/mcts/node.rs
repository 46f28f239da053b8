//! A node of the tree: a move and its statistics.
//!
//! Everything is an atomic word, so that many threads may read and write a node at once; a race
//! between two updates costs no more than a little accuracy of an estimate.

use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

use agon_core::outcome::WIN;
use agon_core::{MAX_SEATS, PerSeat, Seat};

use crate::expected::Shares;

/// An index in the tree.
pub(super) type Index = u32;

/// No block of children: not expanded yet.
const NONE: Index = 0;
/// Another thread is expanding it.
const BUSY: Index = Index::MAX;

/// The resolution of sums of shares.
const PART: f32 = 1.0 / (1 << 20) as f32;

/// A move and its statistics. Values are for the seat that made it.
#[derive(Debug)]
pub(super) struct Node<M> {
    mv: OnceLock<M>,
    visits: AtomicU32,
    /// The index of the first child.
    first: AtomicU32,
    /// The sum of all values, in [`PART`]s.
    sum: AtomicU64,
    /// The expected result of every seat by evaluations alone, backed up from below.
    guess: AtomicU64,
    /// The proven lower and upper bounds of every seat.
    bounds: AtomicU64,
    prior: AtomicU32,
    children: AtomicU16,
    /// Plies to the end, where the result is known.
    distance: AtomicU16,
}

impl<M> Default for Node<M> {
    fn default() -> Self {
        Node {
            mv: OnceLock::new(),
            visits: AtomicU32::new(0),
            first: AtomicU32::new(NONE),
            sum: AtomicU64::new(0),
            guess: AtomicU64::new(0),
            bounds: AtomicU64::new(Bounds::OPEN.pack()),
            prior: AtomicU32::new(0),
            children: AtomicU16::new(0),
            distance: AtomicU16::new(0),
        }
    }
}

impl<M: Copy> Node<M> {
    /// The move that leads here; the root has none.
    #[inline]
    pub(super) fn mv(&self) -> Option<M> {
        self.mv.get().copied()
    }

    pub(super) fn set_move(&self, mv: M) {
        // A node gets its move once, before other threads see it.
        let _ = self.mv.set(mv);
    }

    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Counts a visit before its value is known: until then it looks lost, which sends other
    /// threads elsewhere (virtual loss). Returns the visits before this one.
    #[inline]
    pub(super) fn visit(&self) -> u32 {
        self.visits.fetch_add(1, Relaxed)
    }

    /// Adds the value of a visit.
    #[inline]
    pub(super) fn add(&self, share: f32) {
        self.sum.fetch_add((share / PART) as u64, Relaxed);
    }

    /// The mean value, for the seat that moved here; `None` without visits.
    #[inline]
    pub(super) fn mean(&self) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| self.sum.load(Relaxed) as f32 * PART / visits as f32)
    }

    #[inline]
    pub(super) fn guess(&self) -> Guess {
        Guess(self.guess.load(Relaxed))
    }

    #[inline]
    pub(super) fn set_guess(&self, guess: Guess) {
        self.guess.store(guess.0, Relaxed);
    }

    #[inline]
    pub(super) fn bounds(&self) -> Bounds {
        Bounds::unpack(self.bounds.load(Relaxed))
    }

    /// Sets the bounds, and the plies to the end if they settle everything.
    pub(super) fn set_bounds(&self, bounds: Bounds, distance: u16) {
        self.distance.store(distance, Relaxed);
        self.bounds.store(bounds.pack(), Relaxed);
    }

    pub(super) fn distance(&self) -> u16 {
        self.distance.load(Relaxed)
    }

    #[inline]
    pub(super) fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed))
    }

    pub(super) fn set_prior(&self, prior: f32) {
        self.prior.store(prior.to_bits(), Relaxed);
    }

    /// The first child and the number of children. `None` if there are none yet.
    #[inline]
    pub(super) fn block(&self) -> Option<(Index, usize)> {
        match self.first.load(Acquire) {
            NONE | BUSY => None,
            first => Some((first, usize::from(self.children.load(Relaxed)))),
        }
    }

    /// Claims the expansion of this node; `false` if another thread has it.
    pub(super) fn begin_expansion(&self) -> bool {
        self.first.compare_exchange(NONE, BUSY, Acquire, Relaxed).is_ok()
    }

    /// Publishes the children to all threads.
    pub(super) fn publish(&self, first: Index, children: u16) {
        self.children.store(children, Relaxed);
        self.first.store(first, Release);
    }

    /// Abandons the expansion.
    pub(super) fn abandon_expansion(&self) {
        self.first.store(NONE, Release);
    }

    /// Drops the children.
    pub(super) fn close(&mut self) {
        *self.first.get_mut() = NONE;
    }
}

/// A share for every seat, packed: parts of 65,535.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Guess(u64);

impl Guess {
    const WHOLE: f32 = u16::MAX as f32;

    pub(super) fn new(shares: &Shares) -> Guess {
        let part = |bits, (seat, share): (Seat, &f32)| {
            bits | ((share * Self::WHOLE) as u64) << (16 * seat.index())
        };
        Guess(shares.iter().fold(0, part))
    }

    #[inline]
    pub(super) fn of(self, seat: Seat) -> f32 {
        f32::from((self.0 >> (16 * seat.index())) as u16) / Self::WHOLE
    }

    pub(super) fn shares(self, seats: usize) -> Shares {
        let mut shares = PerSeat::filled(seats, 0.0);
        for seat in Seat::all(seats) {
            shares[seat] = self.of(seat);
        }
        shares
    }
}

/// The least and the most points every seat can get if all play as well as they can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) low: [u8; MAX_SEATS],
    pub(super) high: [u8; MAX_SEATS],
}

impl Bounds {
    /// Nothing is known.
    pub(super) const OPEN: Bounds = Bounds { low: [0; MAX_SEATS], high: [WIN; MAX_SEATS] };

    /// A result.
    pub(super) fn exact(points: &PerSeat<u8>) -> Bounds {
        let mut low = [0; MAX_SEATS];
        low[..points.seats()].copy_from_slice(points.as_slice());
        Bounds { low, high: low }
    }

    /// The bounds of a position from those of its moves, with `mover` choosing the best for itself.
    ///
    /// The mover gets at least its best lower bound, and at most its best upper bound. What the
    /// others get depends on which of the possibly best moves it chooses: it may be any of them.
    /// With two players the game is zero-sum.
    pub(super) fn of_moves(
        moves: impl Iterator<Item = Bounds> + Clone,
        mover: Seat,
        seats: usize,
    ) -> Bounds {
        let me = mover.index();
        let (mut low, mut high) = (0, 0);
        for bounds in moves.clone() {
            low = low.max(bounds.low[me]);
            high = high.max(bounds.high[me]);
        }
        let mut all = Bounds { low: [WIN; MAX_SEATS], high: [0; MAX_SEATS] };
        for bounds in moves.filter(|bounds| bounds.high[me] >= low) {
            for seat in 0..MAX_SEATS {
                all.low[seat] = all.low[seat].min(bounds.low[seat]);
                all.high[seat] = all.high[seat].max(bounds.high[seat]);
            }
        }
        (all.low[me], all.high[me]) = (low, high);
        if seats == 2 {
            let other = mover.opponent().index();
            (all.low[other], all.high[other]) = (WIN - high, WIN - low);
        }
        all
    }

    /// Whether the result of a seat is settled.
    #[inline]
    pub(super) fn settle(&self, seat: Seat) -> bool {
        self.low[seat.index()] == self.high[seat.index()]
    }

    /// Whether the results of all seats are settled.
    #[inline]
    pub(super) fn settle_all(&self, seats: usize) -> bool {
        // One by one: comparing slices would call a function for two or three bytes.
        (0..seats).all(|seat| self.low[seat] == self.high[seat])
    }

    /// The lower bounds as shares; the result where everything is settled.
    pub(super) fn shares(&self, seats: usize) -> Shares {
        let mut shares = PerSeat::filled(seats, 0.0);
        for seat in Seat::all(seats) {
            shares[seat] = self.low_share(seat);
        }
        shares
    }

    #[inline]
    pub(super) fn low_share(&self, seat: Seat) -> f32 {
        f32::from(self.low[seat.index()]) / f32::from(WIN)
    }

    #[inline]
    pub(super) fn high_share(&self, seat: Seat) -> f32 {
        f32::from(self.high[seat.index()]) / f32::from(WIN)
    }

    const fn pack(self) -> u64 {
        let ([a, b, c, d], [e, f, g, h]) = (self.low, self.high);
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }

    #[inline]
    const fn unpack(word: u64) -> Bounds {
        let [a, b, c, d, e, f, g, h] = word.to_le_bytes();
        Bounds { low: [a, b, c, d], high: [e, f, g, h] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(points: &[u8]) -> Bounds {
        Bounds::exact(&PerSeat::from_slice(points))
    }

    #[test]
    fn values_and_guesses_come_back() {
        let node: Node<u8> = Node::default();
        assert_eq!((node.mean(), node.block(), node.mv()), (None, None, None));
        for share in [1.0, 0.5, 0.0, 0.5] {
            node.visit();
            node.add(share);
        }
        assert!((node.mean().unwrap() - 0.5).abs() < 1e-5);
        let shares = PerSeat::from_slice(&[0.25f32, 1.0, 0.0]);
        let guess = Guess::new(&shares);
        for seat in Seat::all(3) {
            assert!((guess.of(seat) - shares[seat]).abs() < 1e-4);
        }
        assert_eq!(node.bounds(), Bounds::OPEN);
        node.set_bounds(exact(&[100, 50, 0]), 3);
        assert_eq!((node.bounds(), node.distance()), (exact(&[100, 50, 0]), 3));
        assert!(node.bounds().settle_all(3) && !Bounds::OPEN.settle(Seat::FIRST));
    }

    #[test]
    fn one_thread_alone_expands() {
        let mut node: Node<u8> = Node::default();
        assert!(node.begin_expansion() && !node.begin_expansion());
        assert_eq!(node.block(), None, "nobody sees a block that is not ready");
        node.publish(17, 3);
        assert_eq!(node.block(), Some((17, 3)));
        assert!(!node.begin_expansion());
        node.close();
        assert!(node.begin_expansion());
        node.abandon_expansion();
        assert!(node.begin_expansion());
    }

    #[test]
    fn a_win_in_a_game_of_two_is_enough() {
        let (win, loss, draw) = (exact(&[100, 0]), exact(&[0, 100]), exact(&[50, 50]));
        let of = |moves: &[Bounds]| Bounds::of_moves(moves.iter().copied(), Seat::FIRST, 2);
        let settled = |moves: &[Bounds], wanted: Bounds| {
            let found = of(moves);
            assert!(found.settle_all(2), "{found:?}");
            assert_eq!(found.low[..2], wanted.low[..2]);
        };
        settled(&[loss, win, Bounds::OPEN], win);
        settled(&[loss, draw, loss], draw);
        settled(&[loss, loss], loss);
        let open = of(&[draw, Bounds::OPEN]);
        assert_eq!((open.low[..2].to_vec(), open.high[..2].to_vec()), (vec![50, 0], vec![100, 50]));
    }

    #[test]
    fn of_three_everybody_looks_after_itself() {
        let of = |moves: &[Bounds], mover| Bounds::of_moves(moves.iter().copied(), mover, 3);
        let (first, second) = (exact(&[100, 50, 0]), exact(&[50, 100, 0]));
        assert_eq!(of(&[first, second], Seat::SECOND), second);
        assert_eq!(of(&[first, second], Seat::FIRST), first);
        // The third gets nothing either way; the others cannot know which move it chooses.
        let open = of(&[first, second], Seat::THIRD);
        assert!(open.settle(Seat::THIRD) && !open.settle(Seat::FIRST));
        assert_eq!(
            (open.low[..3].to_vec(), open.high[..3].to_vec()),
            (vec![50, 50, 0], vec![100, 100, 0])
        );
        // A move that may be better for the mover cannot be ruled out.
        let hope = of(&[second, Bounds::OPEN], Seat::FIRST);
        assert_eq!((hope.low[0], hope.high[0], hope.low[1]), (50, 100, 0));
    }
}
