//! Hints for searches.

use agon_core::hints::Slot;
use agon_core::sink::GO_ON;
use agon_core::{Bitboard, Flow, Foreseen, Hints, Sink};

use super::board::Cells;
use super::moves::completions;
use super::{Connect4, Move};

/// A disc that makes four in a row.
const WIN: i32 = 10_000;
/// A disc that keeps the opponent from it.
const BLOCK: i32 = 5_000;

/// What a line of four through a cell adds to the bias of a disc there.
const LINE: i32 = 5;

/// How much more promising a cell that would complete four makes a move than a line through its
/// disc does. Measured: with 2 to 100, solving 6x6 and 7x5 takes up to a tenth more nodes.
const THREAT: i32 = 4;

/// The doublings of the effort per 100 empty cells: the starts of 6x6 and 7x6, and nine random
/// positions of ten from 5x5 to 9x6, take no more.
const DOUBLINGS: u32 = 65;
/// More than this is out of reach.
const MOST_DOUBLINGS: u32 = 36;

impl<W: Cells> Hints for Connect4<W> {
    const SCALE: i32 = 433;
    const WAYS: usize = 2 * W::BITS as usize;
    const PLACES: usize = 2 * W::BITS as usize;

    #[inline]
    fn slot(&self, mv: Move) -> Slot {
        let index = self.turn.index() * W::BITS as usize + mv.to.index();
        Slot { way: index, place: index }
    }

    #[inline]
    fn urgency(&self, mv: Move) -> Option<i32> {
        let to = Bitboard::from(mv.to);
        if completions(self.board, self.mine).meets(to) {
            Some(WIN)
        } else {
            completions(self.board, self.theirs()).meets(to).then_some(BLOCK)
        }
    }

    #[inline]
    fn is_tense(&self) -> bool {
        self.playable().meets(completions(self.board, self.theirs()))
    }

    #[inline]
    fn bias(&self, mv: Move) -> i32 {
        LINE * i32::from(self.board.lines[mv.to.index()])
    }

    #[inline]
    fn foreseen(&self) -> Option<Foreseen> {
        self.foresight()
    }

    #[inline]
    fn contenders<S: Sink<Move>>(&self, into: &mut S) -> Flow {
        for to in self.sensible() {
            into.push(Move { to })?;
        }
        GO_ON
    }

    #[inline]
    fn promise(&self, mv: Move, after: &Self) -> Option<i32> {
        let threats = completions(self.board, after.theirs()) - after.all;
        Some(THREAT * threats.len() as i32 + i32::from(self.board.lines[mv.to.index()]))
    }

    #[inline]
    fn canonical_key(&self) -> u64 {
        self.image_key()
    }

    fn effort(&self) -> Option<u64> {
        let doublings = DOUBLINGS * (self.board.cells - self.all).len() / 100;
        (doublings <= MOST_DOUBLINGS).then(|| 1 << doublings)
    }
}
