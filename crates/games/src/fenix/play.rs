//! Playing a move.

use agon_core::{Bitboard, Progress, Seat, Square};

use super::board::Squares;
use super::{Fenix, Move, PLIES_OF_SETUP, PieceKind, piece_key};

impl Fenix {
    /// The position after a move of the seat to move, which has the index `ME`.
    ///
    /// The seat is a constant, and all but what is rare is inlined: so the new position is in registers
    /// until it is complete.
    #[inline(always)]
    pub(super) fn advanced<const ME: usize>(&self, mv: Move) -> (Fenix, Progress) {
        let [soldiers, generals, kings] = self.pieces[ME];
        let (from, to) = (Squares::from(mv.from), Squares::from(mv.to));
        debug_assert!((soldiers | generals | kings).meets(from));
        let stacks = (soldiers | generals | kings).meets(to);
        if stacks | mv.captured.any() {
            return (self.after_rare(mv, stacks), Progress::Irreversible);
        }
        // Masks instead of branches: which kind moves is hard to predict.
        let moved = |set: Squares| set ^ ((from | to) & only_if(set.meets(from)));
        let mut pieces = self.pieces;
        pieces[ME] = [moved(soldiers), moved(generals), moved(kings)];
        let kind = usize::from(generals.meets(from)) + 2 * usize::from(kings.meets(from));
        let key = |square| piece_key(Seat::new(ME), PieceKind::from_number(kind), square);
        let after = Fenix {
            pieces,
            pieces_key: self.pieces_key ^ key(mv.from) ^ key(mv.to),
            turn: self.turn + 1,
            quiet: self.quiet_after(true),
            may_create_general: false,
            may_create_king: false,
        };
        (after, Progress::Reversible)
    }

    /// The position after a move that captures or puts a soldier on another piece.
    #[inline(never)]
    fn after_rare(&self, mv: Move, stacks: bool) -> Fenix {
        let (mover, mut after) = (self.mover(), *self);
        (after.may_create_general, after.may_create_king) = (false, false);
        after.quiet = self.quiet_after(mv.captured.is_empty());
        after.turn += 1;
        if stacks {
            after.stack(mover, mv);
        } else {
            let kind = self.mover_kind(mv.from);
            after.toggle(mover, kind, mv.from);
            after.toggle(mover, kind, mv.to);
        }
        after.capture(mover.opponent(), mv.captured);
        after
    }

    /// The plies since the last capture after one more, which counts unless it is one of the setup.
    #[inline(always)]
    fn quiet_after(&self, is_quiet: bool) -> u16 {
        let counts = is_quiet & (self.turn >= PLIES_OF_SETUP);
        self.quiet.saturating_add(u16::from(counts))
    }

    /// Puts a soldier on a soldier or a general.
    fn stack(&mut self, owner: Seat, Move { from, to, .. }: Move) {
        let onto = self.kind_of(owner, to);
        debug_assert!(onto != PieceKind::King);
        self.toggle(owner, PieceKind::Soldier, from);
        self.toggle(owner, onto, to);
        self.toggle(owner, PieceKind::from_number(onto as usize + 1), to);
    }

    /// Takes pieces of `owner` off the board, if there are any to take, which gives it the right to
    /// create.
    fn capture(&mut self, owner: Seat, captured: Squares) {
        if captured.is_empty() {
            return;
        }
        let [_, generals, kings] = self.pieces[owner.index()];
        self.may_create_general = captured.meets(generals);
        self.may_create_king = captured.meets(kings);
        for square in captured {
            self.toggle(owner, self.kind_of(owner, square), square);
        }
        self.quiet = 0;
    }

    /// Toggles a piece of `seat`: puts it on the square or takes it away.
    #[inline]
    fn toggle(&mut self, seat: Seat, kind: PieceKind, square: Square) {
        self.pieces[seat.index()][kind as usize] ^= square.into();
        self.pieces_key ^= piece_key(seat, kind, square);
    }
}

/// All squares if that is so, else none.
#[inline]
fn only_if(condition: bool) -> Squares {
    Bitboard(u64::from(condition).wrapping_neg())
}
