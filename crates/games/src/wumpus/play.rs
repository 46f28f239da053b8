//! Playing a move.

use agon_core::{Bitboard, Progress, Seat};

use super::board::Cells;
use super::{AGENT_TO_MOVE, Battle, Meeting, Move, Wumpus, piece_key};

impl<W: Cells> Wumpus<W> {
    /// The position after a move of the side to move, which has the index `ME`.
    ///
    /// The side is a constant, and all but meetings is inlined: so the new position is in registers
    /// until it is complete.
    #[inline(always)]
    pub(super) fn advanced<const ME: usize>(&self, mv: Move) -> (Self, Progress) {
        debug_assert!(self.sides[ME].contains(mv.from));
        debug_assert!(self.board.cells.contains(mv.to) && !self.sides[ME].contains(mv.to));
        let (from, to) = (Bitboard::from(mv.from), Bitboard::from(mv.to));
        if (self.sides[1 - ME] | self.pits).meets(to) {
            return (self.after_meeting::<ME>(mv), Progress::Irreversible);
        }
        // All three, whichever kind moves: that is hard to predict.
        let moved = |set: Bitboard<W>| if set.meets(from) { set ^ (from | to) } else { set };
        let [wumpuses, heroes, mages] = self.kinds;
        let mut sides = self.sides;
        sides[ME] ^= from | to;
        let kind = self.kind_at(mv.from);
        let key = |square| piece_key(Seat::new(ME), kind, square);
        let after = Wumpus {
            sides,
            kinds: [moved(wumpuses), moved(heroes), moved(mages)],
            key: self.key ^ AGENT_TO_MOVE ^ key(mv.from) ^ key(mv.to),
            turn: Seat::new(1 - ME),
            quiet: self.quiet.saturating_add(1),
            ..*self
        };
        (after, Progress::Reversible)
    }

    /// The position after a piece has met a pit or an enemy.
    #[inline(never)]
    fn after_meeting<const ME: usize>(&self, mv: Move) -> Self {
        let (me, kind) = (Seat::new(ME), self.kind_at(mv.from));
        let (from, to) = (Bitboard::from(mv.from), Bitboard::from(mv.to));
        let mut key = self.key ^ AGENT_TO_MOVE ^ piece_key(me, kind, mv.from);
        let (mut lost, mut landed) = (Bitboard::EMPTY, Bitboard::EMPTY);
        if let Meeting::Enemy(defender, left) = self.meeting(mv) {
            if left != Battle::Defender {
                lost = to;
                key ^= piece_key(me.opponent(), defender, mv.to);
            }
            if left == Battle::Attacker {
                landed = to;
                key ^= piece_key(me, kind, mv.to);
            }
        }
        let mut sides = self.sides;
        sides[ME] = (sides[ME] - from) | landed;
        sides[1 - ME] -= lost;
        let mut kinds = self.kinds.map(|set| set - (from | lost));
        for (number, set) in kinds.iter_mut().enumerate() {
            *set |= if number == kind.index() { landed } else { Bitboard::EMPTY };
        }
        Wumpus { sides, kinds, key, turn: me.opponent(), quiet: 0, ..*self }
    }
}
