//! Move generation: one set of landing places a direction serves all pegs of a position.
//!
//! The hop graph does not depend on which peg moves: hops stay in their class of cells (see
//! [`CLASSES`]), the pegs hopped over are of other classes, so a peg never misses itself.

use agon_core::sink::GO_ON;
use agon_core::{Bitboard, Flow, Rng, Seat, Sink, Square, Which};

use super::board::{CENTRE, CLASSES, NEIGHBOURS, STEPS, Set};
use super::{Fauhalma, Move, PEGS};

/// Where the pegs of one seat can land.
#[derive(Clone, Copy)]
pub(super) struct Ground {
    /// Empty spaces, and those the seat may swap into.
    landing: Set,
    /// Spaces of the seat's home with another's peg: a move may end there, and none goes on.
    swaps: Set,
    /// Landing places right behind a peg or the centre, for hops along each of [`STEPS`].
    ahead: [Set; 3],
    /// The same for hops against each of [`STEPS`].
    back: [Set; 3],
}

impl Ground {
    /// Where a single hop leads from any of these cells. A swap ends the chain.
    #[inline]
    pub(super) fn hops(&self, from: Set) -> Set {
        let from = from - self.swaps;
        let mut to = Bitboard::EMPTY;
        for (way, by) in STEPS.into_iter().enumerate() {
            to |= ((from << (2 * by)) & self.ahead[way]) | ((from >> (2 * by)) & self.back[way]);
        }
        to
    }

    /// The cells from which a single hop leads into this set.
    #[inline]
    pub(super) fn hops_into(&self, to: Set) -> Set {
        let mut from = Bitboard::EMPTY;
        for (way, by) in STEPS.into_iter().enumerate() {
            from |= ((to & self.ahead[way]) >> (2 * by)) | ((to & self.back[way]) << (2 * by));
        }
        from
    }

    /// These cells and all that chains of hops from them lead to.
    #[inline]
    fn chains(&self, from: Set) -> Set {
        let mut reached = from;
        loop {
            // Two hops a round: most chains end within two, and then no branch is guessed wrong.
            let once = reached | self.hops(reached);
            let more = once | self.hops(once);
            if more == once {
                return more;
            }
            reached = more;
        }
    }

    /// Where the peg on this square can go.
    #[inline]
    pub(super) fn targets(&self, from: Square) -> Set {
        let peg = Bitboard::from(from);
        (NEIGHBOURS[from.index()] & self.landing) | (self.chains(peg) - peg)
    }

    /// How many moves these pegs of one seat have together. Chains of pegs in different classes
    /// are followed at the same time.
    #[inline]
    fn count(&self, pegs: Set) -> u64 {
        let mut count = 0;
        for by in STEPS {
            count += ((pegs << by) & self.landing).len() + ((pegs >> by) & self.landing).len();
        }
        let mut waiting = pegs & self.hops_into(self.landing);
        while waiting.any() {
            let mut together = Bitboard::EMPTY;
            for class in CLASSES {
                together |= lowest(waiting & class);
            }
            count += (self.chains(together) - together).len();
            waiting -= together;
        }
        u64::from(count)
    }
}

/// The member with the lowest index, if there is one.
#[inline]
fn lowest(set: Set) -> Set {
    Bitboard(set.0 & set.0.wrapping_neg())
}

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// All pegs on the board.
    #[inline]
    pub(super) fn occupied(&self) -> Set {
        self.pegs.into_iter().fold(Bitboard::EMPTY, |all, pegs| all | pegs)
    }

    /// The spaces of a seat's home that hold another's peg.
    #[inline]
    pub(super) fn swaps(&self, seat: Seat) -> Set {
        Self::HOMES[seat.index()] & (self.occupied() - self.pegs[seat.index()])
    }

    /// Where the pegs of `seat` can land.
    #[inline]
    pub(super) fn ground(&self, seat: Seat) -> Ground {
        let occupied = self.occupied();
        let swaps = self.swaps(seat);
        let landing = (self.board.spaces - occupied) | swaps;
        let hurdles = occupied | CENTRE;
        Ground {
            landing,
            swaps,
            ahead: STEPS.map(|by| (hurdles << by) & landing),
            back: STEPS.map(|by| (hurdles >> by) & landing),
        }
    }

    /// Whether `seat` has any move: a step in nearly all positions.
    #[inline]
    pub(super) fn can_move(&self, seat: Seat) -> bool {
        let pegs = self.pegs[seat.index()];
        let landing = (self.board.spaces - self.occupied()) | self.swaps(seat);
        let steps = |by| (pegs << by).meets(landing) || (pegs >> by).meets(landing);
        STEPS.into_iter().any(steps) || self.ground(seat).hops(pegs).any()
    }

    #[inline]
    pub(super) fn emit<S: Sink<Move>>(&self, which: Which, into: &mut S) -> Flow {
        let ground = self.ground(self.turn);
        for from in self.pegs[self.turn.index()] {
            let targets = match which {
                Which::All => ground.targets(from),
                Which::Noisy => ground.targets(from) & self.noisy(&ground, from),
            };
            for to in targets {
                into.push(Move { from, to })?;
            }
        }
        GO_ON
    }

    /// Targets that change the balance for a peg: swaps, and the space that completes the home.
    fn noisy(&self, ground: &Ground, from: Square) -> Set {
        let home = Self::HOMES[self.turn.index()];
        let missing = home - (self.pegs[self.turn.index()] - from.into());
        if missing.len() == 1 { ground.swaps | missing } else { ground.swaps }
    }

    #[inline]
    pub(super) fn count(&self) -> u64 {
        self.ground(self.turn).count(self.pegs[self.turn.index()])
    }

    /// One of the moves, each equally likely.
    #[inline]
    pub(super) fn sample_move(&self, rng: &mut Rng) -> Option<Move> {
        let ground = self.ground(self.turn);
        let mut targets = [(Square::new(0), Bitboard::EMPTY); PEGS];
        let mut count = 0;
        for (slot, from) in targets.iter_mut().zip(self.pegs[self.turn.index()]) {
            *slot = (from, ground.targets(from));
            count += slot.1.len();
        }
        if count == 0 {
            return None;
        }
        let mut chosen = rng.below(u64::from(count)) as u32;
        for (from, to) in targets {
            match chosen.checked_sub(to.len()) {
                Some(rest) => chosen = rest,
                None => return Some(Move { from, to: to.nth(chosen) }),
            }
        }
        None
    }
}
