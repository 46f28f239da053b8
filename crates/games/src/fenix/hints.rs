//! Hints for searches: what a capture takes, when one is forced, and when a null move is allowed.

use agon_core::hints::{Foreseen, Slot};
use agon_core::{Game, Hints, Tables};

use super::board::{HEIGHT, Squares, WIDTH};
use super::{Fenix, Move, PLIES_OF_SETUP, PieceKind, QUIET_LIMIT};
use crate::endgame;

const SQUARES: usize = WIDTH * HEIGHT;

/// The worth of a captured unit, in units of the capturing piece.
const PREY: i32 = 4;
/// Making a new king: the game is lost otherwise.
const CORONATION: i32 = 1000;
/// Taking the king, on top of its units: the other side can only make a new one.
const KING_TAKEN: i32 = 100;
/// Making a new general, which is possible now or never.
const PROMOTION: i32 = 1;
/// With fewer pieces than this, zugzwang is likely and passing may be an advantage.
const ENOUGH_TO_PASS: u32 = 5;

impl Hints for Fenix {
    const SCALE: i32 = 303;
    const UNHELPFUL: &'static [&'static str] = &["skipping"];
    const WAYS: usize = SQUARES * SQUARES;
    const PLACES: usize = PieceKind::ALL.len() * SQUARES;

    #[inline]
    fn slot(&self, mv: Move) -> Slot {
        let (from, to) = (mv.from.index(), mv.to.index());
        let kind = self.mover_kind(mv.from) as usize;
        Slot { way: from * SQUARES + to, place: kind * SQUARES + to }
    }

    #[inline]
    fn urgency(&self, mv: Move) -> Option<i32> {
        let [_, generals, kings] = self.pieces[self.mover().opponent().index()];
        let count = |set: Squares| set.len() as i32;
        if mv.captured.any() {
            let (generals, kings) = (mv.captured & generals, mv.captured & kings);
            let units = count(mv.captured) + count(generals) + 2 * count(kings);
            let mover = i32::from(self.mover_kind(mv.from).height());
            return Some(PREY * units + KING_TAKEN * count(kings) - mover);
        }
        let [soldiers, generals, _] = self.pieces[self.mover().index()];
        if self.turn < PLIES_OF_SETUP {
            None
        } else if generals.contains(mv.to) {
            Some(CORONATION)
        } else {
            soldiers.contains(mv.to).then_some(PROMOTION)
        }
    }

    /// Where each side's pieces stand.
    #[inline]
    fn structures(&self) -> [u64; 2] {
        self.pieces.map(|[soldiers, generals, kings]| {
            let lower = soldiers.hashed() ^ generals.hashed().rotate_left(19);
            lower ^ kings.hashed().rotate_left(37)
        })
    }

    /// A capture is forced, or the king has just been taken.
    #[inline]
    fn is_tense(&self) -> bool {
        self.turn >= PLIES_OF_SETUP && (self.may_create_king || self.has_capture())
    }

    #[inline]
    fn pass(&self) -> Option<Fenix> {
        let mover = self.mover();
        let is_calm = self.turn >= PLIES_OF_SETUP
            && self.quiet + 1 < QUIET_LIMIT
            && !self.may_create_general
            && !self.may_create_king
            && self.pieces[mover.index()][PieceKind::King as usize].any()
            && self.army(mover).len() >= ENOUGH_TO_PASS;
        is_calm.then(|| Fenix { turn: self.turn + 1, quiet: self.quiet + 1, ..*self })
    }

    #[inline]
    fn tabled(&self, tables: &Tables) -> Option<Foreseen> {
        endgame::foreseen(self, tables)
    }

    fn plies_to_draw(&self) -> Option<u32> {
        Some(u32::from(QUIET_LIMIT.saturating_sub(self.quiet)))
    }

    #[inline]
    fn foreseen(&self) -> Option<Foreseen> {
        (self.is_doomed() && self.to_move().is_some()).then_some(Foreseen::Loss(1))
    }
}

impl Fenix {
    /// Whether the mover can capture, after the setup.
    #[inline]
    pub(super) fn has_capture(&self) -> bool {
        self.reach(self.mover()).prey().any()
    }
}
