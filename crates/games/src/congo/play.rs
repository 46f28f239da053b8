//! Playing a move.

use agon_core::{Bitboard, Progress, Square};

use super::board::{FAR, LEFT_FOR_GOOD, PieceKind, RIVER, Set};
use super::{BLACK, BLACK_TO_MOVE, Congo, Move, WHITE, key_of};

impl Congo {
    /// The position after a move of the side to move, which is white if `UP`.
    ///
    /// The side is a constant, and all but what is rare is inlined: so the new position is in registers
    /// until it is complete.
    #[inline(always)]
    pub(super) fn advanced<const UP: bool>(&self, mv: Move) -> (Congo, Progress) {
        let (me, them) = if UP { (WHITE, BLACK) } else { (BLACK, WHITE) };
        let (from, to, kind) = (Set::from(mv.from()), Set::from(mv.to()), mv.kind());
        debug_assert!(self.man_on(mv.from()) == Some((me, kind)), "{mv:?}");
        let wet = self.wet_of(me);
        let removed = mv.jumped() | (to & self.sides[them.index()]) | (wet - from);
        let drowns = wet.meets(from) & RIVER.meets(to);
        let is_pawn = kind == PieceKind::Pawn;
        let promotes = self.promotion & is_pawn & FAR[me.index()].meets(to);
        let mut sides = self.sides;
        sides[me.index()] ^= from | to;
        let after = Congo {
            sides,
            kinds: toggled(self.kinds, kind, from | to),
            key: self.key ^ BLACK_TO_MOVE ^ key_of(me, kind, mv.from()) ^ key_of(me, kind, mv.to()),
            number: self.number.saturating_add(me.index() as u32),
            turn: them,
            promotion: self.promotion,
        };
        // One branch for all that is rare.
        if removed.any() | drowns | promotes {
            let arriving = if promotes { PieceKind::Superpawn } else { kind };
            let landed = if drowns { None } else { Some((arriving, mv.to())) };
            return (self.removing::<UP>(mv, removed, landed), Progress::Irreversible);
        }
        // Pawns do not come back to where they leave for good.
        let far = if self.promotion { FAR[me.index()] } else { Set::EMPTY };
        match is_pawn & (LEFT_FOR_GOOD[me.index()] | far).meets(from) {
            true => (after, Progress::Irreversible),
            false => (after, Progress::Reversible),
        }
    }

    /// The position after a move with which these men are removed; the one that moves lands as this
    /// kind there, unless it drowns.
    #[inline(never)]
    fn removing<const UP: bool>(
        &self,
        mv: Move,
        removed: Set,
        landed: Option<(PieceKind, Square)>,
    ) -> Congo {
        let me = if UP { WHITE } else { BLACK };
        let gone = removed | mv.from().into();
        let mut key = self.key ^ BLACK_TO_MOVE;
        for owner in [WHITE, BLACK] {
            for square in gone & self.sides[owner.index()] {
                key ^= key_of(owner, self.kind_on(square), square);
            }
        }
        let mut sides = self.sides.map(|set| set - gone);
        let mut kinds = self.kinds.map(|set| set - gone);
        if let Some((kind, to)) = landed {
            sides[me.index()].insert(to);
            kinds = toggled(kinds, kind, to.into());
            key ^= key_of(me, kind, to);
        }
        let number = self.number.saturating_add(me.index() as u32);
        Congo { sides, kinds, key, number, turn: me.opponent(), promotion: self.promotion }
    }
}

/// The kinds with a man of this kind toggled on some squares.
#[inline]
fn toggled([low, middle, high]: [Set; 3], kind: PieceKind, squares: Set) -> [Set; 3] {
    // A mask instead of a branch: the kind is hard to predict.
    let bit = |number: u32| {
        let is_set = kind as u64 >> number & 1;
        squares & Bitboard(is_set.wrapping_neg())
    };
    [low ^ bit(0), middle ^ bit(1), high ^ bit(2)]
}
