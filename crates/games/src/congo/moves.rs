//! Move generation: sets of target squares, which are counted or split into single moves.

use agon_core::sink::GO_ON;
use agon_core::{Flow, Seat, Sink, Square, Which};

use super::board::{
    BEYOND, BOARD, CASTLE, ELEPHANT, FAR, LONG_STEPS, NEAR, PieceKind, SIGHT, STEPS, Set, ZEBRA,
    between_lions, crocodile,
};
use super::jumps::Jumps;
use super::{Congo, Move};

/// What to do with the moves: count them, list them, or pick one.
pub(super) trait Walker {
    /// All men of one kind that move by `stride` bits, given by their targets.
    fn stride(&mut self, kind: PieceKind, stride: i32, targets: Set) -> Flow;
    /// One man and its targets.
    fn man(&mut self, kind: PieceKind, from: Square, targets: Set) -> Flow;
    /// One capture of a monkey.
    fn jump(&mut self, mv: Move) -> Flow;
}

/// Counts moves, by popcount where they come as sets.
#[derive(Default)]
pub(super) struct Count(u32);

impl Count {
    #[inline]
    pub(super) fn total(self) -> u64 {
        u64::from(self.0)
    }
}

impl Walker for Count {
    #[inline]
    fn stride(&mut self, _: PieceKind, _: i32, targets: Set) -> Flow {
        self.0 += targets.len();
        GO_ON
    }

    #[inline]
    fn man(&mut self, _: PieceKind, _: Square, targets: Set) -> Flow {
        self.0 += targets.len();
        GO_ON
    }

    #[inline]
    fn jump(&mut self, _: Move) -> Flow {
        self.0 += 1;
        GO_ON
    }
}

/// Pushes every single move into a sink. The loops are not inlined: there are many places that have
/// moves, and what the sink does with one, such as playing it, is then inlined only here.
pub(super) struct Emit<'a, S>(pub(super) &'a mut S);

impl<S: Sink<Move>> Walker for Emit<'_, S> {
    #[inline(never)]
    fn stride(&mut self, kind: PieceKind, stride: i32, targets: Set) -> Flow {
        for to in targets {
            self.0.push(Move::step(kind, origin(to, stride), to))?;
        }
        GO_ON
    }

    #[inline(never)]
    fn man(&mut self, kind: PieceKind, from: Square, targets: Set) -> Flow {
        for to in targets {
            self.0.push(Move::step(kind, from, to))?;
        }
        GO_ON
    }

    #[inline]
    fn jump(&mut self, mv: Move) -> Flow {
        self.0.push(mv)
    }
}

/// Stops at the move with a given number, skipping whole sets at a time.
pub(super) struct Pick {
    before: u32,
    found: Option<Move>,
}

impl Pick {
    /// Picks the move with `before` others before it.
    #[inline]
    pub(super) fn new(before: u32) -> Pick {
        Pick { before, found: None }
    }

    #[inline]
    pub(super) fn found(self) -> Option<Move> {
        self.found
    }

    #[inline]
    fn pass(&mut self, targets: Set, name: impl FnOnce(Square) -> Move) -> Flow {
        if self.before < targets.len() {
            self.found = Some(name(targets.nth(self.before)));
            return Flow::Break(());
        }
        self.before -= targets.len();
        GO_ON
    }
}

impl Walker for Pick {
    #[inline]
    fn stride(&mut self, kind: PieceKind, stride: i32, targets: Set) -> Flow {
        self.pass(targets, |to| Move::step(kind, origin(to, stride), to))
    }

    #[inline]
    fn man(&mut self, kind: PieceKind, from: Square, targets: Set) -> Flow {
        self.pass(targets, |to| Move::step(kind, from, to))
    }

    #[inline]
    fn jump(&mut self, mv: Move) -> Flow {
        self.pass(mv.to().into(), |_| mv)
    }
}

/// The origin of a man that arrived on `to` by `stride`.
#[inline]
fn origin(to: Square, stride: i32) -> Square {
    Square::new((to.index() as i32 - stride) as usize)
}

/// The bit offsets of the directions; forward is up for white (`UP`).
struct Strides<const UP: bool>;

impl<const UP: bool> Strides<UP> {
    const AHEAD: i32 = if UP { 1 } else { -1 };
    const SIDE: i32 = super::board::SIZE as i32;
    const FORWARD: [i32; 3] = [Self::AHEAD - Self::SIDE, Self::AHEAD, Self::AHEAD + Self::SIDE];
    const BACK: [i32; 3] = [-Self::AHEAD - Self::SIDE, -Self::AHEAD, -Self::AHEAD + Self::SIDE];
}

/// Shifts a set by `stride`. Squares that would leave their file at the ends must not be in the
/// set; what leaves the board sideways has to be masked off.
#[inline]
fn shift(set: Set, stride: i32) -> Set {
    if stride >= 0 { set << stride as u32 } else { set >> -stride as u32 }
}

/// The squares from the point of view of the side to move.
#[derive(Clone, Copy)]
struct View {
    me: Seat,
    occupied: Set,
    /// Empty squares that may be entered: none where only noisy moves are wanted.
    quiet: Set,
    /// Squares that may be entered by men that capture as they move.
    open: Set,
    /// Empty squares where pawns are promoted, which is never quiet.
    promoting: Set,
}

impl Congo {
    /// Passes all moves of the side to move to `walker`, whether or not the game is over.
    #[inline]
    pub(super) fn walk<W: Walker>(&self, which: Which, walker: &mut W) -> Flow {
        match self.turn {
            super::WHITE => self.walk_as::<true, W>(which, walker),
            _ => self.walk_as::<false, W>(which, walker),
        }
    }

    #[inline]
    fn walk_as<const UP: bool, W: Walker>(&self, which: Which, walker: &mut W) -> Flow {
        let me = if UP { super::WHITE } else { super::BLACK };
        let occupied = self.occupied();
        let quiet = if which == Which::All { BOARD - occupied } else { Set::EMPTY };
        let open = quiet | self.sides[me.opponent().index()];
        let promoting = if self.promotion { FAR[me.index()] - occupied } else { Set::EMPTY };
        let view = View { me, occupied, quiet, open, promoting };
        self.pawns::<UP, W>(view, walker)?;
        self.superpawns::<UP, W>(view, walker)?;
        self.others(view, walker)?;
        self.monkeys(view, walker)
    }

    #[inline]
    fn pawns<const UP: bool, W: Walker>(&self, view: View, walker: &mut W) -> Flow {
        let pawns = self.men(view.me, PieceKind::Pawn);
        let ahead = pawns - FAR[view.me.index()];
        let open = view.open | view.promoting;
        for stride in Strides::<UP>::FORWARD {
            walker.stride(PieceKind::Pawn, stride, shift(ahead, stride) & open)?;
        }
        let back = -Strides::<UP>::AHEAD;
        let one = shift(pawns & BEYOND[view.me.index()], back) & view.quiet;
        walker.stride(PieceKind::Pawn, back, one)?;
        walker.stride(PieceKind::Pawn, 2 * back, shift(one, back) & view.quiet)
    }

    #[inline]
    fn superpawns<const UP: bool, W: Walker>(&self, view: View, walker: &mut W) -> Flow {
        let superpawns = self.men(view.me, PieceKind::Superpawn);
        if superpawns.is_empty() {
            return GO_ON;
        }
        let ahead = superpawns - FAR[view.me.index()];
        for stride in Strides::<UP>::FORWARD {
            walker.stride(PieceKind::Superpawn, stride, shift(ahead, stride) & view.open)?;
        }
        for stride in [-Strides::<UP>::SIDE, Strides::<UP>::SIDE] {
            walker.stride(PieceKind::Superpawn, stride, shift(superpawns, stride) & view.open)?;
        }
        let near = NEAR[view.me.index()];
        for stride in Strides::<UP>::BACK {
            let one = shift(superpawns - near, stride) & view.quiet;
            walker.stride(PieceKind::Superpawn, stride, one)?;
            let two = shift(one - near, stride) & view.quiet;
            walker.stride(PieceKind::Superpawn, 2 * stride, two)?;
        }
        GO_ON
    }

    /// Lion, crocodile, elephant, giraffe and zebra.
    #[inline]
    fn others<W: Walker>(&self, view: View, walker: &mut W) -> Flow {
        for from in self.men(view.me, PieceKind::Lion) {
            let steps = STEPS.at(from) & CASTLE[view.me.index()] & view.open;
            walker.man(PieceKind::Lion, from, steps | self.lion_across(view, from))?;
        }
        for from in self.men(view.me, PieceKind::Crocodile) {
            walker.man(PieceKind::Crocodile, from, crocodile(from, view.occupied) & view.open)?;
        }
        for from in self.men(view.me, PieceKind::Elephant) {
            walker.man(PieceKind::Elephant, from, ELEPHANT.at(from) & view.open)?;
        }
        for from in self.men(view.me, PieceKind::Giraffe) {
            let targets = (STEPS.at(from) & view.quiet) | (LONG_STEPS.at(from) & view.open);
            walker.man(PieceKind::Giraffe, from, targets)?;
        }
        for from in self.men(view.me, PieceKind::Zebra) {
            walker.man(PieceKind::Zebra, from, ZEBRA.at(from) & view.open)?;
        }
        GO_ON
    }

    /// The enemy lion, if the lion on `from` sees it over the river with nothing in between.
    #[inline]
    fn lion_across(&self, view: View, from: Square) -> Set {
        let prey = SIGHT.at(from) & self.men(view.me.opponent(), PieceKind::Lion);
        match prey.first() {
            Some(at) if !between_lions(from, at).meets(view.occupied) => prey,
            _ => Set::EMPTY,
        }
    }

    #[inline]
    fn monkeys<W: Walker>(&self, view: View, walker: &mut W) -> Flow {
        for from in self.men(view.me, PieceKind::Monkey) {
            walker.man(PieceKind::Monkey, from, STEPS.at(from) & view.quiet)?;
            Jumps::new(self, from).walk(walker)?;
        }
        GO_ON
    }
}
