//! Hints for searches.

use agon_core::Hints;
use agon_core::hints::Slot;

use super::board::Cells;
use super::{Battle, Meeting, Move, PieceKind, Wumpus};

/// More positions than this cannot be enumerated.
const MOST_POSITIONS: u64 = 1 << 32;

/// A battle that ends the game well.
const WIN: i32 = 10_000;
/// A won battle.
const WON: i32 = 1_000;
/// A battle that nobody survives.
const TIED: i32 = 0;
/// A lost battle, or a fall into a pit.
const LOST: i32 = -1_000;
/// What a piece adds for each enemy that it beats, and loses for each that beats it.
const PAIR: i32 = 10;

/// The directions of a step.
const DIRECTIONS: usize = 8;
/// The kinds of pieces of one side.
const KINDS: usize = PieceKind::ALL.len();

impl<W: Cells> Hints for Wumpus<W> {
    const SCALE: i32 = 120;
    const WAYS: usize = DIRECTIONS * W::BITS as usize;
    const PLACES: usize = Self::SEATS_APART * KINDS * W::BITS as usize;

    #[inline]
    fn slot(&self, mv: Move) -> Slot {
        let (from, to, bits) = (mv.from.index(), mv.to.index(), W::BITS as usize);
        let seat = self.turn.index() % Self::SEATS_APART;
        let piece = KINDS * seat + self.kind_at(mv.from).index();
        Slot { way: direction::<W>(from, to) * bits + from, place: piece * bits + to }
    }

    /// Where each side's pieces stand.
    #[inline]
    fn structures(&self) -> [u64; 2] {
        self.sides.map(|side| {
            let [first, second, third] = self.kinds.map(|kind| (side & kind).hashed());
            first ^ second.rotate_left(19) ^ third.rotate_left(37)
        })
    }

    /// Battles, whatever their result: won ones first, then ties, by the pieces lost. A step into a
    /// pit is as bad as a lost battle; both come after all quiet moves.
    #[inline]
    fn urgency(&self, mv: Move) -> Option<i32> {
        match self.meeting(mv) {
            Meeting::Enemy(defender, left) => Some(self.battle_worth(mv, defender, left)),
            Meeting::Pit => Some(LOST - self.worth(self.kind_at(mv.from), true)),
            Meeting::Nothing => None,
        }
    }

    /// The number of reachable positions, all of which are needed: every piece may be on any cell
    /// without a pit, or gone.
    fn effort(&self) -> Option<u64> {
        let free = u64::from((self.board.cells - self.pits).len());
        let pieces = u64::from((self.sides[0] | self.sides[1]).len());
        let places = (0..pieces).map(|taken| (free + 1).saturating_sub(taken).max(1));
        let placings = places.fold(2_u64, u64::saturating_mul);
        // Equal pieces of one side are interchangeable.
        let alike =
            self.sides.into_iter().flat_map(|side| self.kinds.map(|kind| (side & kind).len()));
        let orders = alike.map(|count| (1..=u64::from(count)).product::<u64>());
        let positions = placings / orders.product::<u64>();
        (placings < u64::MAX && positions <= MOST_POSITIONS).then_some(positions)
    }
}

impl<W: Cells> Wumpus<W> {
    /// How many seats have separate history slots: on large boards they share them, as the tables
    /// grow with the square of the number of places.
    const SEATS_APART: usize = if W::BITS > u64::BITS { 1 } else { 2 };

    /// What a battle is worth to the attacker.
    #[inline]
    fn battle_worth(&self, mv: Move, defender: PieceKind, left: Battle) -> i32 {
        let attacker = self.kind_at(mv.from);
        match left {
            Battle::Attacker => {
                let theirs = self.sides[self.turn.opponent().index()];
                if theirs.len() == 1 { WIN } else { WON + self.worth(defender, false) }
            }
            Battle::Nobody => TIED + self.worth(defender, false) - self.worth(attacker, true),
            Battle::Defender => LOST - self.worth(attacker, true),
        }
    }

    /// What a piece of this kind is worth to the side to move, or to the other.
    #[inline]
    fn worth(&self, kind: PieceKind, is_mine: bool) -> i32 {
        let enemy = if is_mine { self.turn.opponent() } else { self.turn };
        let enemies =
            |of: PieceKind| (self.kinds[of.index()] & self.sides[enemy.index()]).len() as i32;
        PAIR * (enemies(kind.prey()) - enemies(kind.hunter()))
    }
}

/// The number of a step's direction.
#[inline]
fn direction<W: Cells>(from: usize, to: usize) -> usize {
    let step = from.abs_diff(to);
    // The four steps up are 1 and three around the stride.
    let number = if step == 1 { 0 } else { step + 2 - W::STRIDE };
    if to > from { number } else { number + DIRECTIONS / 2 }
}
