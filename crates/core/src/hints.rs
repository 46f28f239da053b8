//! What a search may know about a game beyond its rules.
//!
//! Everything here has a default, so that a new game can be searched at once; each hint it gives
//! makes the search better. None of them changes the rules.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::evaluate::{Evaluate, Evaluation};
use crate::game::Game;
use crate::seat::{PerSeat, Seat};

/// A result that a game's own knowledge sees without a search, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreseen {
    /// A win within so many plies.
    Win(u32),
    /// A loss; it can be put off for so many plies.
    Loss(u32),
    /// Neither side can win any more.
    Draw,
}

/// Where a search keeps what it learned about a move: moves that are alike share a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// From where to where, below [`Hints::WAYS`].
    pub way: usize,
    /// What arrives where, below [`Hints::PLACES`].
    pub place: usize,
}

/// A game's advice to a search.
pub trait Hints: Evaluate {
    /// How many ways there are; see [`Slot::way`].
    const WAYS: usize = 1024;
    /// How many places there are; see [`Slot::place`]. Tables hold their square.
    const PLACES: usize = 64;

    /// How far ahead, in hundredths of the game's unit, is a lead that makes a win about three
    /// times as likely as a loss: what the best evaluation's scale is, as `agon tune` tells it.
    const SCALE: i32 = 200;

    /// Improvements of the engine that were measured to hurt in this game, by their names.
    const UNHELPFUL: &'static [&'static str] = &[];

    /// The scale of the evaluation with this name: [`SCALE`](Hints::SCALE) unless it is known to
    /// be another.
    fn scale(evaluation: &str) -> i32 {
        let _ = evaluation;
        Self::SCALE
    }

    /// What an evaluation of this game says to every seat. Games of several players override this
    /// where the seats have most of the work in common.
    fn judge_all(&self, evaluation: &Evaluation<Self>) -> PerSeat<i32> {
        judge_each(self, evaluation)
    }

    /// The position as if it were this seat's turn, those in between having passed; `None` if it
    /// could not move, or may be better off without the duty to move. For searches that let only
    /// one of several opponents answer.
    fn with_turn(&self, seat: Seat) -> Option<Self> {
        if self.to_move() == Some(seat) { Some(self.clone()) } else { None }
    }

    /// The points of a seat whose place is decided while the game goes on for the others: who is
    /// home already, or out. `None` as long as anything can change them. It must be right.
    fn secured(&self, seat: Seat) -> Option<u8> {
        let _ = seat;
        None
    }

    /// The slot of a move of this position.
    fn slot(&self, mv: Self::Move) -> Slot {
        let mut hasher = DefaultHasher::new();
        mv.hash(&mut hasher);
        let hash = hasher.finish() as usize;
        Slot { way: hash % Self::WAYS, place: hash / Self::WAYS % Self::PLACES }
    }

    /// How much a move changes the balance at once, larger first in the order of search; `None`
    /// for a quiet move. What [`Which::Noisy`](crate::Which::Noisy) gives is never quiet.
    fn urgency(&self, mv: Self::Move) -> Option<i32> {
        let _ = mv;
        None
    }

    /// A word on the order of quiet moves before anything is known about them, in hundredths of
    /// the game's unit: larger first.
    fn bias(&self, mv: Self::Move) -> i32 {
        let _ = mv;
        0
    }

    /// Whether the side to move is under pressure (a forced capture, a lion attacked), so that
    /// the position cannot be judged as it stands and a line through it is worth a ply more.
    fn is_tense(&self) -> bool {
        false
    }

    /// The position with the other side to move, where doing nothing is worse than the best move
    /// as a rule. `None` where a player may be better off without the duty to move.
    fn pass(&self) -> Option<Self> {
        None
    }

    /// A best move where nothing but the own way to the goal matters any more, and that way is
    /// known: a search would only find the same later.
    fn plain_run(&self) -> Option<Self::Move> {
        None
    }

    /// A result that can be told from the position alone. It must be right.
    fn foreseen(&self) -> Option<Foreseen> {
        None
    }

    /// A key that is the same for all positions that are images of each other (mirrored, colours
    /// exchanged) and so have the same value for the side to move.
    fn canonical_key(&self) -> u64 {
        self.key()
    }

    /// Roughly how many positions it takes to solve this one; `None` if that is out of reach.
    fn effort(&self) -> Option<u64> {
        None
    }
}

/// What an evaluation says to one seat after the other.
pub fn judge_each<G: Game>(position: &G, evaluation: &Evaluation<G>) -> PerSeat<i32> {
    let mut judged = PerSeat::filled(position.seats(), 0);
    for seat in Seat::all(position.seats()) {
        judged[seat] = (evaluation.judge)(position, seat);
    }
    judged
}

/// Whether every hint of a position fits what is said of it; for the tests of games.
///
/// # Panics
/// If one does not.
pub fn check<G: Hints>(position: &G) {
    use crate::game::Which;
    use crate::sink::MoveList;
    let mut noisy = MoveList::new();
    let _ = position.generate(Which::Noisy, &mut noisy);
    for mv in position.moves() {
        let Slot { way, place } = position.slot(mv);
        assert!(way < G::WAYS && place < G::PLACES, "{mv:?} in slot {way}, {place}");
        let is_loud = position.urgency(mv).is_some();
        assert!(is_loud || !noisy.contains(&mv), "{mv:?} is noisy, but not urgent");
    }
    for evaluation in G::evaluations() {
        let (all, each) = (position.judge_all(evaluation), judge_each(position, evaluation));
        assert_eq!(all, each, "{} for all seats at once", evaluation.name);
    }
    if let Some(mv) = position.plain_run() {
        assert!(position.is_legal(mv), "{mv:?} is no move to run with");
    }
    if let Some(passed) = position.pass() {
        assert_ne!(passed.to_move(), position.to_move(), "a pass gives the turn away");
        assert_ne!(passed.key(), position.key(), "a pass is another position");
    }
}
