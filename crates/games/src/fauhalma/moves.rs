//! Move generation: one set of landing spaces per direction serves all pegs of a position.
//!
//! The hop graph does not depend on which peg moves: hops stay in their class of cells (see
//! [`CLASSES`]), the pegs hopped over are of other classes, so a peg never hops over itself.

use agon_core::sink::GO_ON;
use agon_core::{Bitboard, Flow, Rng, Seat, Sink, Square, Which};

use super::board::{CENTRE, CLASSES, NEIGHBOURS, STEPS, Set};
use super::{Fauhalma, Move, PEGS};

/// Where the pegs of one seat can land.
#[derive(Clone, Copy)]
pub(super) struct Ground {
    /// Empty spaces, and those the seat may swap into.
    landing: Set,
    /// Spaces of the seat's home with another's peg: a move may end there, but not continue.
    swaps: Set,
    /// Landing spaces right behind a peg or the centre, for hops along each of [`STEPS`].
    ahead: [Set; 3],
    /// The same for hops against each of [`STEPS`].
    back: [Set; 3],
}

impl Ground {
    /// For hops over any of `hurdles` to `landing`, some of which are swaps.
    #[inline]
    pub(super) fn new(landing: Set, hurdles: Set, swaps: Set) -> Ground {
        Ground {
            landing,
            swaps,
            ahead: STEPS.map(|by| (hurdles << by) & landing),
            back: STEPS.map(|by| (hurdles >> by) & landing),
        }
    }

    /// Where pegs can land if they are alone on the board.
    #[inline]
    pub(super) fn alone(spaces: Set, pegs: Set) -> Ground {
        Ground::new(spaces - pegs, pegs | CENTRE, Bitboard::EMPTY)
    }

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

    /// These cells and all cells that chains of hops from them reach.
    #[inline]
    fn chains(&self, from: Set) -> Set {
        let mut reached = from;
        loop {
            // Two hops per round: most chains end within two, which avoids branch mispredictions.
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

    /// Where steps lead from any of these cells: along each of [`STEPS`], then against each.
    #[inline]
    fn steps(&self, pegs: Set) -> [Set; 6] {
        let [east, north_east, north_west] = STEPS;
        [
            (pegs << east) & self.landing,
            (pegs << north_east) & self.landing,
            (pegs << north_west) & self.landing,
            (pegs >> east) & self.landing,
            (pegs >> north_east) & self.landing,
            (pegs >> north_west) & self.landing,
        ]
    }

    /// The chains of all these pegs of one seat.
    #[inline]
    fn all_chains(self, pegs: Set) -> AllChains {
        AllChains { ground: self, waiting: pegs & self.hops_into(self.landing) }
    }
}

/// Follows the chains of pegs in different classes at the same time, as they are independent:
/// yields sets of at most one peg of each class, with all the spaces where their chains can end.
struct AllChains {
    ground: Ground,
    waiting: Set,
}

impl Iterator for AllChains {
    type Item = (Set, Set);

    #[inline]
    fn next(&mut self) -> Option<(Set, Set)> {
        if self.waiting.is_empty() {
            return None;
        }
        let mut together = Bitboard::EMPTY;
        for class in CLASSES {
            together |= lowest(self.waiting & class);
        }
        self.waiting -= together;
        Some((together, self.ground.chains(together) - together))
    }
}

/// The lowest member as a set, empty if there is none.
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
        let (occupied, swaps) = (self.occupied(), self.swaps(seat));
        Ground::new((self.board.spaces - occupied) | swaps, occupied | CENTRE, swaps)
    }

    /// Whether `seat` has any move: a step in nearly all positions.
    #[inline]
    pub(super) fn can_move(&self, seat: Seat) -> bool {
        let pegs = self.pegs[seat.index()];
        let landing = (self.board.spaces - self.occupied()) | self.swaps(seat);
        can_step(pegs, landing) || self.ground(seat).hops(pegs).any()
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
        let (pegs, ground) = (self.pegs[self.turn.index()], self.ground(self.turn));
        let steps: u32 = ground.steps(pegs).into_iter().map(Set::len).sum();
        let chains: u32 = ground.all_chains(pegs).map(|(_, ends)| ends.len()).sum();
        u64::from(steps + chains)
    }

    /// One of the moves, chosen uniformly.
    #[inline]
    pub(super) fn sample_move(&self, rng: &mut Rng) -> Option<Move> {
        let (pegs, ground) = (self.pegs[self.turn.index()], self.ground(self.turn));
        let steps = ground.steps(pegs);
        let mut chains = [(Bitboard::EMPTY, Bitboard::EMPTY); PEGS];
        let mut count: u32 = steps.into_iter().map(Set::len).sum();
        for (slot, found) in chains.iter_mut().zip(ground.all_chains(pegs)) {
            count += found.1.len();
            *slot = found;
        }
        if count == 0 {
            return None;
        }
        let mut chosen = rng.below(u64::from(count)) as u32;
        for (way, targets) in steps.into_iter().enumerate() {
            match chosen.checked_sub(targets.len()) {
                Some(rest) => chosen = rest,
                None => return Some(stepping(way, targets.nth(chosen))),
            }
        }
        for (pegs, ends) in chains {
            match chosen.checked_sub(ends.len()) {
                Some(rest) => chosen = rest,
                None => return chaining(pegs, ends.nth(chosen)),
            }
        }
        None
    }
}

/// Whether a step leads from one of these pegs into `landing`.
#[inline]
pub(super) fn can_step(pegs: Set, landing: Set) -> bool {
    STEPS.into_iter().any(|by| (pegs << by).meets(landing) || (pegs >> by).meets(landing))
}

/// The step that arrives on `to` in one of the six directions of [`Ground::steps`].
#[inline]
fn stepping(way: usize, to: Square) -> Move {
    let by = STEPS[way % STEPS.len()] as usize;
    let from = if way < STEPS.len() { to.index() - by } else { to.index() + by };
    Move { from: Square::new(from), to }
}

/// The chain that ends on `to`, by the peg of the same class.
#[inline]
fn chaining(pegs: Set, to: Square) -> Option<Move> {
    let class = CLASSES.into_iter().find(|class| class.contains(to))?;
    Some(Move { from: (pegs & class).first()?, to })
}
