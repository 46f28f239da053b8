//! The monkey's captures: chains of jumps, and the routes that spell them.
//!
//! How a chain can continue depends only on where the monkey is and what it has jumped, so chains
//! that agree in both are the same move, and an extension of a chain that is not the first route of
//! its move is not a first route either. Generation follows first routes only: each move is found
//! exactly once, without a list of those found before.

use agon_core::sink::GO_ON;
use agon_core::{Flow, Square};

use super::board::{BOARD, JUMPABLE, PieceKind, Set, behind, jumped_between};
use super::moves::Walker;
use super::{Congo, Move};

/// The longest chain: a monkey's landing squares lie two apart, at most four by four of them,
/// with 33 squares in between to jump over.
const LONGEST: usize = 33;

/// The shortest chain that can have more than one route.
const AMBIGUOUS: u32 = 3;

/// A chain of jumps: the squares visited after the start.
#[derive(Clone, Copy)]
pub(super) struct Route {
    squares: [Square; LONGEST],
    len: usize,
}

impl Route {
    #[inline]
    fn new() -> Route {
        Route { squares: [Square::new(0); LONGEST], len: 0 }
    }

    #[inline]
    fn push(&mut self, square: Square) {
        self.squares[self.len] = square;
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) {
        self.len -= 1;
    }

    /// The squares visited after the start, in order.
    #[inline]
    pub(super) fn squares(&self) -> &[Square] {
        &self.squares[..self.len]
    }
}

/// The squares that one monkey can jump over and land on.
#[derive(Clone, Copy)]
pub(super) struct Jumps {
    start: Square,
    prey: Set,
    /// Empty squares; the start counts as one.
    free: Set,
    /// Jumping the lion ends the game, and so the chain.
    lion: Set,
}

impl Jumps {
    /// The jumps of the monkey of the side to move on `start`.
    #[inline]
    pub(super) fn new(position: &Congo, start: Square) -> Jumps {
        let them = position.turn.opponent();
        Jumps {
            start,
            prey: position.sides[them.index()],
            free: (BOARD - position.occupied()) | start.into(),
            lion: position.men(them, PieceKind::Lion),
        }
    }

    /// Passes every capture to `walker`, shorter chains before their extensions.
    #[inline]
    pub(super) fn walk<W: Walker>(&self, walker: &mut W) -> Flow {
        if !JUMPABLE.at(self.start).meets(self.prey) {
            return GO_ON;
        }
        self.go_on(self.start, Set::EMPTY, &mut Route::new(), walker)
    }

    fn go_on<W: Walker>(&self, at: Square, jumped: Set, route: &mut Route, walker: &mut W) -> Flow {
        for over in JUMPABLE.at(at) & (self.prey - jumped) {
            let to = behind(at, over);
            if !self.free.contains(to) {
                continue;
            }
            let jumped = jumped | over.into();
            route.push(to);
            if jumped.len() < AMBIGUOUS || self.is_first(route, jumped) {
                walker.jump(Move::capture(self.start, to, jumped))?;
                if !self.lion.contains(over) {
                    self.go_on(to, jumped, route, walker)?;
                }
            }
            route.pop();
        }
        GO_ON
    }

    fn is_first(&self, route: &Route, jumped: Set) -> bool {
        let to = route.squares()[route.len - 1];
        self.first_route(to, jumped).is_some_and(|first| first.squares() == route.squares())
    }

    /// The alphabetically first route to `to` after jumping exactly the men on `jumped`.
    pub(super) fn first_route(&self, to: Square, jumped: Set) -> Option<Route> {
        let mut first = None;
        let _ = self.routes(to, jumped, &mut |route| {
            first = Some(*route);
            Flow::Break(())
        });
        first
    }

    /// All routes to `to` after jumping exactly the men on `jumped`, in alphabetical order.
    pub(super) fn routes(
        &self,
        to: Square,
        jumped: Set,
        visit: &mut impl FnMut(&Route) -> Flow,
    ) -> Flow {
        self.ways(self.start, to, jumped, &mut Route::new(), visit)
    }

    fn ways(
        &self,
        at: Square,
        to: Square,
        left: Set,
        route: &mut Route,
        visit: &mut impl FnMut(&Route) -> Flow,
    ) -> Flow {
        if left.is_empty() {
            return if at == to { visit(route) } else { GO_ON };
        }
        for over in JUMPABLE.at(at) & left & self.prey {
            let landing = behind(at, over);
            let left = left - over.into();
            if !self.free.contains(landing) || (self.lion.contains(over) && left.any()) {
                continue;
            }
            route.push(landing);
            self.ways(landing, to, left, route, visit)?;
            route.pop();
        }
        GO_ON
    }

    /// The capture that visits these squares in this order, if that can be done.
    pub(super) fn along(&self, squares: &[Square]) -> Option<Move> {
        let (mut at, mut jumped) = (self.start, Set::EMPTY);
        for &to in squares {
            let over = jumped_between(at, to)?;
            let ended = self.lion.meets(jumped);
            if ended || !(self.prey - jumped).contains(over) || !self.free.contains(to) {
                return None;
            }
            jumped.insert(over);
            at = to;
        }
        Some(Move::capture(self.start, at, jumped))
    }
}
