//! Captures: chains of jumps, of which only those that take the most units are legal.

use std::collections::HashSet;

use agon_core::sink::GO_ON;
use agon_core::{Flow, Sink, Square};

use super::board::{ORTHOGONAL, Squares, behind, king_hops, soldier_hops};
use super::{Fenix, Move, PieceKind};

/// The board as a capturing piece sees it, the same during a whole chain: captured pieces and the
/// square the chain began on stay occupied until its end.
#[derive(Clone, Copy)]
pub(super) struct Field {
    occupied: Squares,
    enemies: Squares,
    enemy_generals: Squares,
    enemy_kings: Squares,
}

impl Field {
    #[inline]
    pub(super) fn of(position: &Fenix) -> Field {
        let [soldiers, generals, kings] = position.pieces[position.mover().opponent().index()];
        Field {
            occupied: position.occupied(),
            enemies: soldiers | generals | kings,
            enemy_generals: generals,
            enemy_kings: kings,
        }
    }

    /// Calls back with the single jumps of a piece from `at`: the square jumped and the square
    /// landed on.
    #[inline(always)]
    pub(super) fn jumps(
        &self,
        kind: PieceKind,
        at: Square,
        captured: Squares,
        mut visit: impl FnMut(Square, Square),
    ) {
        let prey = self.enemies - captured;
        let hops = match kind {
            PieceKind::Soldier => soldier_hops(at),
            PieceKind::King => king_hops(at),
            PieceKind::General => return self.flying_jumps(at, prey, visit),
        };
        for over in hops & prey {
            let landing = behind(at, over);
            if !self.occupied.contains(landing) {
                visit(over, landing);
            }
        }
    }

    #[inline(always)]
    fn flying_jumps(&self, at: Square, prey: Squares, mut visit: impl FnMut(Square, Square)) {
        for direction in ORTHOGONAL {
            let Some(over) = direction.first_met(at, self.occupied) else { continue };
            if !prey.contains(over) {
                continue;
            }
            let mut landings = direction.ray(over);
            if let Some(wall) = direction.first_met(over, self.occupied) {
                landings = (landings - direction.ray(wall)) - wall.into();
            }
            for landing in landings {
                visit(over, landing);
            }
        }
    }

    /// The worth of the piece on a square.
    #[inline]
    fn units(&self, square: Square) -> u32 {
        1 + u32::from(self.enemy_generals.contains(square))
            + 2 * u32::from(self.enemy_kings.contains(square))
    }
}

/// A chain so far.
#[derive(Clone, Copy)]
struct Chain {
    start: Square,
    at: Square,
    captured: Squares,
    units: u32,
}

impl Chain {
    #[inline]
    fn new(start: Square) -> Chain {
        Chain { start, at: start, captured: Squares::EMPTY, units: 0 }
    }

    #[inline]
    fn jump(self, field: &Field, over: Square, landing: Square) -> Chain {
        Chain {
            at: landing,
            captured: self.captured | over.into(),
            units: self.units + field.units(over),
            ..self
        }
    }

    #[inline]
    fn into_move(self) -> Move {
        Move { from: self.start, to: self.at, captured: self.captured }
    }
}

/// How many captures fit without heap allocation; only the rest goes on the heap.
const FEW: usize = 16;

/// After this many jumps the simple search gives up: with so many chains, many must transpose, and
/// the search with a memo is faster.
const PATIENCE: u32 = 2000;

/// The captures found so far that take the most units, each once.
pub(super) struct Captures {
    units: u32,
    len: usize,
    few: [Move; FEW],
    more: Vec<Move>,
    jumps: u32,
}

impl Captures {
    fn new() -> Captures {
        let none = Move::step(Square::new(0), Square::new(0));
        Captures { units: 0, len: 0, few: [none; FEW], more: Vec::new(), jumps: 0 }
    }

    /// All legal captures of the pieces on `starts`, each of which must be able to jump.
    pub(super) fn find(position: &Fenix, starts: Squares) -> Captures {
        let field = Field::of(position);
        let mut found = Captures::new();
        for start in starts {
            found.search(&field, position.mover_kind(start), Chain::new(start));
        }
        if found.jumps >= PATIENCE { found.find_again(position, starts) } else { found }
    }

    /// The same for a position with very many chains.
    #[cold]
    fn find_again(mut self, position: &Fenix, starts: Squares) -> Captures {
        let field = Field::of(position);
        self.clear();
        for start in starts {
            let mut seen = HashSet::new();
            let kind = position.mover_kind(start);
            self.search_remembering(&field, kind, Chain::new(start), &mut seen);
        }
        self
    }

    /// Follows all chains. A chain that can be extended is never the best, so only complete ones
    /// are kept.
    fn search(&mut self, field: &Field, kind: PieceKind, chain: Chain) {
        let mut ended = true;
        field.jumps(kind, chain.at, chain.captured, |over, landing| {
            ended = false;
            if self.jumps < PATIENCE {
                self.jumps += 1;
                self.search(field, kind, chain.jump(field, over, landing));
            }
        });
        if ended && chain.units >= self.units {
            let mv = chain.into_move();
            if chain.units > self.units || !self.contains(mv) {
                self.keep(mv, chain.units);
            }
        }
    }

    /// Follows all chains, but extends each pair of square and captures only once.
    fn search_remembering(
        &mut self,
        field: &Field,
        kind: PieceKind,
        chain: Chain,
        seen: &mut HashSet<(Square, Squares)>,
    ) {
        if !seen.insert((chain.at, chain.captured)) {
            return;
        }
        let mut ended = true;
        field.jumps(kind, chain.at, chain.captured, |over, landing| {
            ended = false;
            self.search_remembering(field, kind, chain.jump(field, over, landing), seen);
        });
        if ended && chain.units >= self.units {
            self.keep(chain.into_move(), chain.units);
        }
    }

    #[inline]
    fn keep(&mut self, mv: Move, units: u32) {
        if units > self.units {
            self.clear();
            self.units = units;
        }
        match self.few.get_mut(self.len) {
            Some(place) => *place = mv,
            None => self.more.push(mv),
        }
        self.len += 1;
    }

    fn clear(&mut self) {
        self.units = 0;
        self.len = 0;
        self.more.clear();
    }

    fn few(&self) -> &[Move] {
        &self.few[..self.len.min(FEW)]
    }

    fn contains(&self, mv: Move) -> bool {
        self.few().contains(&mv) || self.more.contains(&mv)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The capture with this index.
    pub(super) fn get(&self, number: usize) -> Option<Move> {
        self.few().iter().chain(&self.more).nth(number).copied()
    }

    pub(super) fn emit<S: Sink<Move>>(&self, into: &mut S) -> Flow {
        for &mv in self.few().iter().chain(&self.more) {
            into.push(mv)?;
        }
        GO_ON
    }
}
