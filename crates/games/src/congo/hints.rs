//! Hints for searches: what a move takes, whether a lion is in danger, and when a null move is
//! allowed.

use agon_core::hints::{Foreseen, Slot};
use agon_core::{Game, Hints, Seat, Tables};

use super::board::{FAR, PieceKind, SQUARES, Set};
use super::tuned::worth;
use super::{BLACK, BLACK_TO_MOVE, Congo, Move, WHITE};
use crate::endgame;

/// Capturing the lion comes before everything else.
const LION_TAKEN: i32 = 1_000_000;
/// The weight of the victim relative to the attacker (MVV-LVA): captures of a more valuable victim
/// come before those of a lesser one, and among equals the cheapest attacker comes first.
const PREY: i32 = 16;
/// With fewer men than this besides the lion, zugzwang is likely and passing may be an advantage.
const ENOUGH_TO_PASS: u32 = 3;

impl Hints for Congo {
    /// Twice the fitted value: with narrower margins the engine measurably played worse.
    const SCALE: i32 = 200;
    const WAYS: usize = SQUARES * SQUARES;
    const PLACES: usize = PieceKind::ALL.len() * SQUARES;

    #[inline]
    fn slot(&self, mv: Move) -> Slot {
        let to = mv.to().index();
        Slot { way: mv.from().index() * SQUARES + to, place: mv.kind() as usize * SQUARES + to }
    }

    #[inline]
    fn urgency(&self, mv: Move) -> Option<i32> {
        let to = Set::from(mv.to());
        let prey = mv.jumped() | (to & self.sides[self.turn.opponent().index()]);
        let promotes = self.is_promotion(mv);
        if prey.is_empty() && !promotes {
            return None;
        }
        let value = |prey| match self.kind_on(prey) {
            PieceKind::Lion => LION_TAKEN,
            kind => worth(kind),
        };
        let gained =
            if promotes { worth(PieceKind::Superpawn) - worth(PieceKind::Pawn) } else { 0 };
        Some(PREY * (prey.into_iter().map(value).sum::<i32>() + gained) - worth(mv.kind()))
    }

    /// Where the pawns of both sides stand, and where all others.
    #[inline]
    fn structures(&self) -> [u64; 2] {
        let pawns = [WHITE, BLACK].map(|seat| self.men(seat, PieceKind::Pawn));
        let others = |seat: Seat| self.sides[seat.index()] - pawns[seat.index()];
        let both = |white: Set, black: Set| white.hashed() ^ black.hashed().rotate_left(29);
        [both(pawns[0], pawns[1]), both(others(WHITE), others(BLACK))]
    }

    /// The mover's lion is in check.
    #[inline]
    fn is_tense(&self) -> bool {
        self.can_take_lion(self.turn.opponent())
    }

    #[inline]
    fn pass(&self) -> Option<Congo> {
        let men = self.sides[self.turn.index()] - self.men(self.turn, PieceKind::Lion);
        // A man in the river would drown, so this would not be a null move.
        if self.wet().any() || men.len() < ENOUGH_TO_PASS {
            return None;
        }
        Some(Congo { turn: self.turn.opponent(), key: self.key ^ BLACK_TO_MOVE, ..*self })
    }

    #[inline]
    fn tabled(&self, tables: &Tables) -> Option<Foreseen> {
        endgame::foreseen(self, tables)
    }

    #[inline]
    fn foreseen(&self) -> Option<Foreseen> {
        // In this order: hardly ever is there a lion to take, and more rarely is the game over then.
        (self.can_take_lion(self.turn) && self.to_move().is_some()).then_some(Foreseen::Win(1))
    }
}

impl Congo {
    /// Whether a move of the side to move makes a superpawn.
    #[inline]
    pub(super) fn is_promotion(&self, mv: Move) -> bool {
        let last = FAR[self.turn.index()];
        self.promotion && mv.kind() == PieceKind::Pawn && last.contains(mv.to())
    }
}
