//! The one trait every rule set implements.

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;

use crate::history::HistoryRules;
use crate::outcome::{Outcome, Status};
use crate::rng::Rng;
use crate::seat::Seat;
use crate::sink::{Contains, Counter, Flow, MoveList, Sink};

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Every legal move.
    All,
    /// Only those that change the balance at once (captures, battles, wins): a subset of all.
    Noisy,
}

/// Whether the positions before a move can come back after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// An earlier position may recur.
    Reversible,
    /// Nothing from before can ever recur (a capture, a pawn's step).
    Irreversible,
}

/// A position of a turn-based game of perfect information.
///
/// Self-contained, small and cheap to copy; the geometry of the board is shared (`&'static`
/// tables), never copied with it. Searches copy a position and [`play`](Game::play) on the copy.
///
/// Equality compares everything, counters included. [`key`](Game::key) leaves out what
/// [`counters`](Game::counters) holds and anything that cannot influence the game.
pub trait Game: Clone + Eq + Debug + Send + Sync + 'static {
    /// A move: small, `Copy`, and in one position two equal moves lead to the same position.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// How many players there are: 2, 3 or 4.
    fn seats(&self) -> usize;

    /// Whose turn it is, or how the game ended. Cheap: nothing is generated, so a player who is
    /// stuck shows only when [`generate`](Game::generate) yields no move.
    fn status(&self) -> Status;

    /// Generates the moves of the seat to move, each once, in a fixed order. Must not be called on
    /// a finished game. Stops early and returns `Break` when the sink has had enough.
    fn generate<S: Sink<Self::Move>>(&self, which: Which, into: &mut S) -> Flow;

    /// The result if [`generate`](Game::generate) yields no move at all.
    fn when_stuck(&self) -> Outcome;

    /// Why this game ended as it did, in words a person can read.
    fn reason_text(&self, outcome: &Outcome) -> Cow<'static, str> {
        outcome.reason().text()
    }

    /// How many moves [`generate`](Game::generate) would yield. Games override this where a
    /// popcount is faster than listing the moves.
    fn count_moves(&self) -> u64 {
        let mut counter = Counter::default();
        let _ = self.generate(Which::All, &mut counter);
        counter.count()
    }

    /// Plays a legal move without checking it: a move from outside goes through
    /// [`try_play`](Game::try_play) or [`Notation::read_move`](crate::Notation::read_move).
    fn play(&mut self, mv: Self::Move) -> Progress;

    /// The position after a legal move, for searches that go on from both. The default plays on a
    /// copy. Reading parts of a copy back that has just been written as a whole can cost more than
    /// the move itself: games can make the new position at once instead.
    #[inline]
    fn after(&self, mv: Self::Move) -> (Self, Progress) {
        let mut after = self.clone();
        let progress = after.play(mv);
        (after, progress)
    }

    /// A hash of the position, kept up to date by [`play`](Game::play).
    fn key(&self) -> u64;

    /// What this game's repetition rule compares.
    #[inline]
    fn repetition_key(&self) -> u64 {
        self.key()
    }

    /// The counters that can end the game and that [`key`](Game::key) leaves out, packed.
    #[inline]
    fn counters(&self) -> u64 {
        0
    }

    /// The rules of this game that depend on more than the position.
    fn history_rules(&self) -> HistoryRules {
        HistoryRules::NONE
    }

    /// A legal move chosen uniformly at random, or `None` if there is none. `scratch` is a buffer
    /// for games that have to list their moves first.
    #[inline]
    fn sample(&self, rng: &mut Rng, scratch: &mut MoveList<Self::Move>) -> Option<Self::Move> {
        scratch.clear();
        let _ = self.generate(Which::All, scratch);
        rng.choose(scratch).copied()
    }

    /// The seat to move, or `None` when the game is over.
    #[inline]
    fn to_move(&self) -> Option<Seat> {
        self.status().to_move()
    }

    /// The legal moves in generation order; none when the game is over.
    fn moves(&self) -> MoveList<Self::Move> {
        let mut list = MoveList::new();
        if self.to_move().is_some() {
            let _ = self.generate(Which::All, &mut list);
        }
        list
    }

    /// The outcome of this position alone, including that of a player without a move.
    fn outcome(&self) -> Option<Outcome> {
        match self.status() {
            Status::Over(outcome) => Some(outcome),
            Status::ToMove(_) => (self.count_moves() == 0).then(|| self.when_stuck()),
        }
    }

    /// Whether `mv` may be played here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.to_move().is_some() && {
            let mut wanted = Contains::new(mv);
            self.generate(Which::All, &mut wanted).is_break()
        }
    }

    /// Plays `mv` if it is legal: for moves from untrusted sources.
    fn try_play(&mut self, mv: Self::Move) -> Option<Progress> {
        self.is_legal(mv).then(|| self.play(mv))
    }
}
