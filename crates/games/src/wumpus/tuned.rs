//! The evaluation with fitted weights.
//!
//! Everything is counted on sets of pieces of one kind and side. The neighbourhoods of the six
//! sets are made once and serve threats, safe cells and the first step of every hunt.

use agon_core::tuning::{Tally, Weighted, read_weights};
use agon_core::{Bitboard, Seat, Tunable};

use super::board::Cells;
use super::{ADVERSARY, AGENT, PieceKind, Wumpus};

/// Pieces.
const PIECES: usize = 0;
/// The lead in pieces as a share of all pieces, in [`LEAD_UNIT`]s: it grows as pieces are lost.
const LEAD: usize = 1;
/// Pairs of a piece and an enemy that it beats.
const PAIRS: usize = 2;
/// The same for an average piece, in [`SHARE_UNIT`]s.
const SHARE: usize = 3;
/// Pieces that no enemy beats any more.
const UNBEATEN: usize = 4;
/// Pieces that beat no enemy any more.
const TOOTHLESS: usize = 5;
/// Enemies beside a piece that beats them.
const THREATS: usize = 6;
/// Whether the side to move can take something and nothing can take back.
const STRIKE: usize = 7;
/// Whether it can only take what is guarded.
const TRADE: usize = 8;
/// Threats of the side not to move, beyond the one that can be parried.
const FORKS: usize = 9;
/// Cells that can be entered without loss, for each kind.
const ROOM: usize = 10;
/// Pieces without such a cell beside them.
const CORNERED: usize = 11;
/// Those of them that are threatened.
const TRAPPED: usize = 12;
/// Whether the side to move has no safe step and has to give a piece up.
const SQUEEZED_MOVING: usize = 13;
/// Whether that will happen to the other side.
const SQUEEZED_WAITING: usize = 14;
/// For each piece, the length of the board minus the steps to the nearest prey, around the pits.
const CLOSENESS: usize = 15;
/// Pieces two steps away from their prey.
const NEAR_2: usize = 16;
/// Pieces three steps away from their prey.
const NEAR_3: usize = 17;
/// Pieces on the edge of the board.
const EDGE: usize = 18;
/// Pieces beside a pit.
const BESIDE_PIT: usize = 19;
/// Being on the move.
const TEMPO: usize = 20;
/// How many features there are.
pub(super) const FEATURES: usize = 21;

/// The number of units in a full lead.
const LEAD_UNIT: i32 = 64;
/// The number of units in a full share of the enemies.
const SHARE_UNIT: i32 = 16;

#[rustfmt::skip]
const NAMES: [&str; FEATURES] = [
    "pieces", "lead", "pairs", "share", "unbeaten", "toothless", "threats", "strike", "trade",
    "forks", "room", "cornered", "trapped", "squeezed_moving", "squeezed_waiting", "closeness",
    "near_2", "near_3", "edge", "beside_pit", "tempo",
];

static WEIGHTS: [i32; FEATURES] = read_weights(include_str!("tuned.txt"), &NAMES);

impl<W: Cells> Tunable for Wumpus<W> {
    const FEATURES: &'static [&'static str] = &NAMES;
    const WEIGHTS: &'static [i32] = &WEIGHTS;

    #[inline]
    fn tally<T: Tally>(&self, tally: &mut T) {
        let sides = [ADVERSARY, AGENT].map(|seat| Camp::of(self, seat));
        let [first, second] = &sides;
        tally_pieces(first, second, tally);
        Fight { position: self, me: first, them: second, sign: 1 }.tally(tally);
        Fight { position: self, me: second, them: first, sign: -1 }.tally(tally);
        tally.add(TEMPO, if self.turn == ADVERSARY { 1 } else { -1 });
    }
}

/// The value of the evaluation `tuned` for a seat.
pub(super) fn tuned<W: Cells>(position: &Wumpus<W>, seat: Seat) -> i32 {
    let mut tally = Weighted::new(&WEIGHTS);
    position.tally(&mut tally);
    if seat == ADVERSARY { tally.sum() } else { -tally.sum() }
}

/// The pieces of one side.
struct Camp<W: Cells> {
    all: Bitboard<W>,
    kinds: [Bitboard<W>; 3],
    /// The pieces of each kind with their neighbours.
    around: [Bitboard<W>; 3],
    counts: [i32; 3],
    is_moving: bool,
}

impl<W: Cells> Camp<W> {
    #[inline]
    fn of(position: &Wumpus<W>, seat: Seat) -> Self {
        let all = position.sides[seat.index()];
        let kinds = position.kinds.map(|kind| kind & all);
        Camp {
            all,
            kinds,
            around: kinds.map(|kind| position.around(kind)),
            counts: kinds.map(|kind| kind.len() as i32),
            is_moving: position.turn == seat,
        }
    }

    #[inline]
    fn count(&self) -> i32 {
        self.counts.iter().sum()
    }

    /// Pairs of a piece of this side and an enemy that it beats.
    #[inline]
    fn pairs(&self, them: &Self) -> i32 {
        let of = |kind: PieceKind| self.counts[kind.index()] * them.counts[kind.prey().index()];
        PieceKind::ALL.into_iter().map(of).sum()
    }

    /// Pieces of the kinds for which `other` gives a kind that the enemy has none of.
    #[inline]
    fn without(&self, them: &Self, other: fn(PieceKind) -> PieceKind) -> i32 {
        let is_gone = |kind: PieceKind| i32::from(them.counts[other(kind).index()] == 0);
        PieceKind::ALL.into_iter().map(|kind| is_gone(kind) * self.counts[kind.index()]).sum()
    }
}

/// The features that depend on the numbers of pieces only.
#[inline]
fn tally_pieces<W: Cells, T: Tally>(first: &Camp<W>, second: &Camp<W>, tally: &mut T) {
    let (mine, theirs) = (first.count(), second.count());
    let pairs = first.pairs(second) - second.pairs(first);
    tally.add(PIECES, mine - theirs);
    tally.add(LEAD, LEAD_UNIT * (mine - theirs) / (mine + theirs).max(1));
    tally.add(PAIRS, pairs);
    // A share of the enemies for one side, of its own pieces for the other.
    tally.add(SHARE, SHARE_UNIT * pairs * (mine + theirs) / (mine * theirs).max(1));
    let without = |kind| first.without(second, kind) - second.without(first, kind);
    tally.add(UNBEATEN, without(PieceKind::hunter));
    tally.add(TOOTHLESS, without(PieceKind::prey));
}

/// One side against the other.
struct Fight<'a, W: Cells> {
    position: &'a Wumpus<W>,
    me: &'a Camp<W>,
    them: &'a Camp<W>,
    /// The sign with which this side's features count.
    sign: i32,
}

impl<W: Cells> Fight<'_, W> {
    #[inline]
    fn tally<T: Tally>(&self, tally: &mut T) {
        let mut add = |feature: usize, count: i32| tally.add(feature, self.sign * count);
        add(EDGE, len(self.me.all & self.position.board.edge));
        add(BESIDE_PIT, len(self.me.all & self.position.around(self.position.pits)));
        self.strikes(&mut add);
        self.room(&mut add);
        self.hunts(&mut add);
    }

    /// Who can take what at once.
    #[inline]
    fn strikes(&self, add: &mut impl FnMut(usize, i32)) {
        let (mut threats, mut free) = (0, 0);
        for kind in PieceKind::ALL {
            let beaten = self.me.around[kind.index()] & self.them.kinds[kind.prey().index()];
            threats += len(beaten);
            free += len(beaten - self.them.around[kind.hunter().index()]);
        }
        add(THREATS, threats);
        if self.me.is_moving {
            add(STRIKE, i32::from(free > 0));
            add(TRADE, i32::from(threats > 0 && free == 0));
        } else {
            add(FORKS, (threats - 1).max(0));
        }
    }

    /// Where the pieces can go without loss: not into a pit, nor a battle that is not won, nor
    /// beside a piece that would win the next.
    #[inline]
    fn room(&self, add: &mut impl FnMut(usize, i32)) {
        let (position, me, them) = (self.position, self.me, self.them);
        let open = position.board.cells - (position.pits | me.all);
        let (mut room, mut cornered, mut trapped) = (0, 0, 0);
        for kind in PieceKind::ALL {
            let danger = them.around[kind.hunter().index()];
            let safe = open - (danger | (them.all - them.kinds[kind.prey().index()]));
            let stuck = me.kinds[kind.index()] - position.around(safe);
            room += len(me.around[kind.index()] & safe);
            cornered += len(stuck);
            trapped += len(stuck & danger);
        }
        let squeezed = if me.is_moving { SQUEEZED_MOVING } else { SQUEEZED_WAITING };
        add(ROOM, room);
        add(CORNERED, cornered);
        add(TRAPPED, trapped);
        add(squeezed, i32::from(room == 0));
    }

    /// How far the pieces have to walk to the nearest enemy that they beat.
    #[inline]
    fn hunts(&self, add: &mut impl FnMut(usize, i32)) {
        let (position, size) = (self.position, self.position.board.size as i32);
        let mut hunters = self.me.kinds;
        let mut reached =
            PieceKind::ALL.map(|kind| self.them.around[kind.prey().index()] - position.pits);
        let mut closeness = 0;
        for steps in 1..size {
            let mut arrived = 0;
            for kind in 0..hunters.len() {
                arrived += len(hunters[kind] & reached[kind]);
                hunters[kind] -= reached[kind];
                reached[kind] = position.around(reached[kind]) - position.pits;
            }
            closeness += (size - steps) * arrived;
            match steps {
                2 => add(NEAR_2, arrived),
                3 => add(NEAR_3, arrived),
                _ => {}
            }
            // In a single word the few extra steps cost less than a mispredicted branch.
            if W::BITS > u64::BITS && hunters.iter().all(|left| left.is_empty()) {
                break;
            }
        }
        add(CLOSENESS, closeness);
    }
}

#[inline]
fn len<W: Cells>(set: Bitboard<W>) -> i32 {
    set.len() as i32
}
