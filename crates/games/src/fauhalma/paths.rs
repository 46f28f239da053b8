//! The paths of a move: checking, printing and listing them.

use agon_core::{Bitboard, Square};

use super::board::{NEIGHBOURS, Set, Space, space};
use super::moves::Ground;
use super::notation::SEAT_NAMES;
use super::{Fauhalma, Move};

/// Why a path is not legal.
pub(super) struct Fault {
    /// The index of the space that is wrong.
    pub(super) nth: usize,
    /// What was expected there.
    pub(super) expected: String,
}

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// The shortest path of a move; among equals the lexicographically smallest.
    pub(super) fn path(&self, mv: Move) -> Vec<Square> {
        let mut routes = self.routes(mv, 1);
        routes.pop().unwrap_or_else(|| vec![mv.from, mv.to])
    }

    /// The paths of a move that visit no space twice, at most `most`: shorter ones first, and among
    /// equals in lexicographical order.
    pub(super) fn routes(&self, mv: Move, most: usize) -> Vec<Vec<Square>> {
        if NEIGHBOURS[mv.from.index()].contains(mv.to) {
            return vec![vec![mv.from, mv.to]];
        }
        let ground = self.ground(self.turn);
        let between = (self.board.spaces - self.occupied()) | mv.from.into();
        let near = near(&ground, between, mv.to);
        let mut search = Search { ground, near, to: mv.to, most, found: Vec::new() };
        // A path has at most as many hops as there are spaces to visit.
        for hops in 1..=search.within(usize::MAX).len() as usize {
            search.extend(&mut vec![mv.from], mv.from.into(), hops);
        }
        search.found
    }

    /// The move with this path, or where and why the rules forbid it. The spaces, two or
    /// more, must be on the board.
    pub(super) fn follow(&self, path: &[Space]) -> Result<Move, Fault> {
        let fault = |nth, expected: String| Err(Fault { nth, expected });
        let squares: Vec<Square> = path.iter().filter_map(|&s| self.board.square(s)).collect();
        let (from, to, last) = (squares[0], squares[squares.len() - 1], path.len() - 1);
        let name = SEAT_NAMES[self.turn.index()];
        if !self.pegs[self.turn.index()].contains(from) {
            return fault(0, format!("a space with one of {name}'s pegs"));
        }
        let empty = (self.board.spaces - self.occupied()) | from.into();
        for nth in 1..path.len() {
            let (here, there) = (path[nth - 1], path[nth]);
            match here.straight_to(there) {
                Some((_, 1)) if last == 1 => {}
                Some((_, 1)) => {
                    let expected = format!("a hop from {here}: a step is a separate move");
                    return fault(nth, expected);
                }
                Some((unit, 2)) if self.is_hurdle(here.neighbour(unit), from) => {}
                Some((unit, 2)) => {
                    let over = here.neighbour(unit);
                    return fault(nth, format!("a hop over a peg, but {over} is empty"));
                }
                _ => return fault(nth, format!("a space one step or one hop from {here}")),
            }
            if nth < last && !empty.contains(squares[nth]) {
                return fault(nth, "an empty space in the middle of a chain".to_string());
            }
        }
        if from == to {
            return fault(last, "a move that ends on another space than it began".to_string());
        }
        if !(empty | self.swaps(self.turn)).contains(to) {
            let expected = format!("an empty space, or an opponent's peg in {name}'s home");
            return fault(last, expected);
        }
        Ok(Move { from, to })
    }

    /// Whether a peg that began on `start` can hop over a cell.
    fn is_hurdle(&self, over: Space, start: Square) -> bool {
        match self.board.square(over) {
            Some(square) => square != start && self.occupied().contains(square),
            None => over == Space::CENTRE,
        }
    }
}

/// The cells from which `to` can be reached in at most 0, 1, 2 … hops, as long as that adds any;
/// all stops lie in `between`.
fn near(ground: &Ground, between: Set, to: Square) -> Vec<Set> {
    let mut near = vec![Bitboard::from(to)];
    loop {
        let last = near[near.len() - 1];
        let more = last | (ground.hops_into(last) & between);
        if more == last {
            return near;
        }
        near.push(more);
    }
}

/// A search for all paths to a square.
struct Search {
    ground: Ground,
    near: Vec<Set>,
    to: Square,
    most: usize,
    found: Vec<Vec<Square>>,
}

impl Search {
    /// The cells from which the end is at most this many hops away.
    fn within(&self, hops: usize) -> Set {
        self.near[hops.min(self.near.len() - 1)]
    }

    /// Finds the paths with exactly `hops` more hops.
    fn extend(&mut self, way: &mut Vec<Square>, visited: Set, hops: usize) {
        if self.found.len() >= self.most {
            return;
        }
        if hops == 0 {
            self.found.push(way.clone());
            return;
        }
        let here = Bitboard::from(way[way.len() - 1]);
        let end = Bitboard::from(self.to);
        let onward = if hops == 1 { end } else { self.within(hops - 1) - end };
        let mut next: Vec<Square> =
            ((self.ground.hops(here) & onward) - visited).into_iter().collect();
        next.sort_by_key(|&square| space(square));
        for square in next {
            way.push(square);
            self.extend(way, visited | square.into(), hops - 1);
            way.pop();
        }
    }
}
