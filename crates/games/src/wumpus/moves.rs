//! Move generation: a move is a pair of neighbours of which exactly one holds an own piece.

use agon_core::sink::GO_ON;
use agon_core::{Bitboard, Flow, Rng, Sink, Square, Which};

use super::board::Cells;
use super::{Move, Wumpus};

/// The pairs of neighbouring cells with a piece of the side to move on exactly one of the two:
/// each of them is one move. A pair is stored at its lower cell, in the set for the step
/// ([`Cells::STEPS`]) that leads to the higher one.
#[derive(Clone, Copy)]
pub(super) struct Fronts<W: Cells> {
    pairs: [Bitboard<W>; 4],
    mine: Bitboard<W>,
}

impl<W: Cells> Wumpus<W> {
    /// The moves of the side to move.
    #[inline]
    pub(super) fn fronts(&self) -> Fronts<W> {
        let mine = self.sides[self.turn.index()];
        let pairs = |i: usize| (mine ^ (mine >> W::STEPS[i])) & self.board.steps_from[i];
        Fronts { pairs: [pairs(0), pairs(1), pairs(2), pairs(3)], mine }
    }
}

impl<W: Cells> Fronts<W> {
    /// Only what `which` asks for: battles are noisy, and nothing else can win. A step into a pit
    /// never gains anything at once and is quiet.
    #[inline]
    pub(super) fn restrict(mut self, position: &Wumpus<W>, which: Which) -> Self {
        if which == Which::Noisy {
            let theirs = position.sides[position.turn.opponent().index()];
            for (pairs, step) in self.pairs.iter_mut().zip(W::STEPS) {
                *pairs &= theirs | (theirs >> step);
            }
        }
        self
    }

    #[inline]
    pub(super) fn count(self) -> u64 {
        u64::from(self.pairs.into_iter().map(Bitboard::len).sum::<u32>())
    }

    #[inline]
    pub(super) fn emit<S: Sink<Move>>(self, into: &mut S) -> Flow {
        for (pairs, step) in self.pairs.into_iter().zip(W::STEPS) {
            for low in pairs {
                into.push(self.between(low, step))?;
            }
        }
        GO_ON
    }

    /// One of the moves, chosen uniformly.
    #[inline]
    pub(super) fn sample(self, rng: &mut Rng) -> Option<Move> {
        let all = self.count();
        if all == 0 {
            return None;
        }
        let mut chosen = rng.below(all) as u32;
        for (pairs, step) in self.pairs.into_iter().zip(W::STEPS) {
            match chosen.checked_sub(pairs.len()) {
                None => return Some(self.between(pairs.nth(chosen), step)),
                Some(rest) => chosen = rest,
            }
        }
        None
    }

    /// The move of the pair of `low` and the cell one `step` higher.
    #[inline]
    fn between(self, low: Square, step: u32) -> Move {
        let high = Square::new(low.index() + step as usize);
        if self.mine.contains(low) {
            Move { from: low, to: high }
        } else {
            Move { from: high, to: low }
        }
    }
}
