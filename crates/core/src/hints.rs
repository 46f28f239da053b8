//! What a game can tell a search beyond its rules.
//!
//! Everything here has a default, so that a new game can be searched at once; each hint it gives
//! makes the search better. None of them changes the rules.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::evaluate::{Evaluate, Evaluation, Evaluator};
use crate::game::Which;
use crate::seat::{PerSeat, Seat};
use crate::sink::{Flow, Sink};
use crate::tables::Tables;
use crate::tuning::Tunable;

/// A result that game knowledge proves without a search, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreseen {
    /// A win within this many plies.
    Win(u32),
    /// A loss that can be delayed by this many plies.
    Loss(u32),
    /// Neither side can win any more.
    Draw,
    /// A draw or a win.
    AtLeastDraw,
    /// A draw or a loss.
    AtMostDraw,
}

/// Where a search keeps its history scores for a move: similar moves share a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The index of the from–to pair, below [`Hints::WAYS`].
    pub way: usize,
    /// The index of the piece and its destination, below [`Hints::PLACES`].
    pub place: usize,
}

/// A game's advice to a search.
pub trait Hints: Evaluate + Tunable {
    /// The number of ways; see [`Slot::way`].
    const WAYS: usize = 1024;
    /// The number of places; see [`Slot::place`]. Tables for pairs of moves have its square as
    /// their size.
    const PLACES: usize = 64;

    /// The scale of the best evaluation, as fitted by `agon tune`: the lead, in hundredths of the
    /// game's unit, at which a win is about three times as likely as a loss.
    const SCALE: i32 = 200;

    /// The names of engine improvements that measurably hurt in this game.
    const UNHELPFUL: &'static [&'static str] = &[];

    /// Parameters of the engine that are better set otherwise in this game, as `agon tune --search`
    /// finds them.
    const PARAMETERS: &'static [(&'static str, i32)] = &[];

    /// The scale of the evaluation with this name: [`SCALE`](Hints::SCALE) unless it has its own.
    fn scale(evaluation: &str) -> i32 {
        let _ = evaluation;
        Self::SCALE
    }

    /// An evaluation with the tables at hand and by its model, if it has one, for positions of the same
    /// variant as `self`. Games with tables override this for the evaluations that use them.
    fn evaluator(&self, evaluation: Evaluation<Self>, tables: &Tables) -> Evaluator<Self> {
        let evaluator = Evaluator::new(evaluation, tables);
        match self.model(evaluation.name, tables, None) {
            Some(model) => evaluator.by_model(model),
            None => evaluator,
        }
    }

    /// The value of an evaluation for every seat. Games of several players override this where the
    /// seats share most of the work.
    fn judge_all(&self, evaluator: &Evaluator<Self>) -> PerSeat<i32> {
        judge_each(self, evaluator)
    }

    /// The position as if it were this seat's turn, the seats in between having passed; `None` if
    /// the seat could not move or may be in zugzwang. For searches in which only one of several
    /// opponents replies.
    fn with_turn(&self, seat: Seat) -> Option<Self> {
        if self.to_move() == Some(seat) { Some(self.clone()) } else { None }
    }

    /// The points of a seat whose place is decided while the game goes on for the others: already
    /// home, or out. `None` as long as they can change. Must be exact, never a guess.
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

    /// How much a move changes the balance at once (larger is searched earlier); `None` for a quiet
    /// move. What [`Which::Noisy`] gives is never quiet.
    fn urgency(&self, mv: Self::Move) -> Option<i32> {
        let _ = mv;
        None
    }

    /// Hashes of what changes slowly and shapes the evaluation, such as the pawns of each side:
    /// evaluations of positions with the same structure tend to err alike.
    fn structures(&self) -> [u64; 2] {
        [0; 2]
    }

    /// The prior for ordering quiet moves before the search has statistics on them, in hundredths
    /// of the game's unit: larger first.
    fn bias(&self, mv: Self::Move) -> i32 {
        let _ = mv;
        0
    }

    /// Whether the side to move is under pressure (a forced capture, a lion attacked), so that a
    /// static evaluation is unreliable and the search should extend by a ply.
    fn is_tense(&self) -> bool {
        false
    }

    /// The position after a null move, where passing is normally worse than the best move. `None`
    /// where the side to move may be in zugzwang. Only for positions that are not
    /// [tense](Hints::is_tense): a search knows that already, and so it is not tested again.
    fn pass(&self) -> Option<Self> {
        None
    }

    /// An optimal move in a pure race, where the opponents can no longer interfere and the shortest
    /// way home is known: a search would only find the same, more slowly.
    fn race_move(&self, tables: &Tables) -> Option<Self::Move> {
        let _ = tables;
        None
    }

    /// A result that the position alone proves. Must be exact, never a guess.
    fn foreseen(&self) -> Option<Foreseen> {
        None
    }

    /// The value of the position by the endgame tables at hand, if it is in them: exact by the rules
    /// of the board, without those on repetition and on the length of a game.
    fn tabled(&self, tables: &Tables) -> Option<Foreseen> {
        let _ = tables;
        None
    }

    /// How many plies without progress the counters of the position leave until they end the game
    /// in a draw; `None` if they do not.
    fn plies_to_draw(&self) -> Option<u32> {
        None
    }

    /// The moves among which a solver needs to look. A game may leave out moves that are no better
    /// than one of the others, such as those that lose at once. There is one wherever there is a
    /// legal move.
    fn contenders<S: Sink<Self::Move>>(&self, into: &mut S) -> Flow {
        self.generate(Which::All, into)
    }

    /// How soon a solver should try a move that leads to the position `after`: larger first, in
    /// steps of 1 that outweigh what it has learned about similar moves. `None` to leave it to the
    /// solver, which tries noisy moves first, then those that leave few replies.
    fn promise(&self, mv: Self::Move, after: &Self) -> Option<i32> {
        let _ = (mv, after);
        None
    }

    /// A key shared by all positions that are symmetric to each other (mirrored, colours swapped)
    /// and so have the same value for the side to move.
    fn canonical_key(&self) -> u64 {
        self.key()
    }

    /// A rough estimate of how many positions it takes to solve this one; `None` if that is out of
    /// reach.
    fn effort(&self) -> Option<u64> {
        None
    }
}

/// The value of an evaluation for each seat in turn.
pub fn judge_each<G: Evaluate>(position: &G, evaluator: &Evaluator<G>) -> PerSeat<i32> {
    let mut judged = PerSeat::filled(position.seats(), 0);
    for seat in Seat::all(position.seats()) {
        judged[seat] = evaluator.judge(position, seat);
    }
    judged
}

/// Checks every hint of a position against its contract; for the tests of games.
///
/// # Panics
/// If one does not keep it.
pub fn check<G: Hints>(position: &G) {
    check_with(position, &Tables::default());
}

/// The same with these tables at hand.
///
/// # Panics
/// If a hint does not keep its contract.
pub fn check_with<G: Hints>(position: &G, tables: &Tables) {
    use crate::sink::MoveList;
    let mut noisy = MoveList::new();
    let _ = position.generate(Which::Noisy, &mut noisy);
    for mv in position.moves() {
        let Slot { way, place } = position.slot(mv);
        assert!(way < G::WAYS && place < G::PLACES, "{mv:?} in slot {way}, {place}");
        let is_loud = position.urgency(mv).is_some();
        assert!(is_loud || !noisy.contains(&mv), "{mv:?} is noisy, but not urgent");
    }
    let mut contenders = MoveList::new();
    let _ = position.contenders(&mut contenders);
    assert!(contenders.iter().all(|&mv| position.is_legal(mv)), "a contender is not legal");
    assert_eq!(contenders.is_empty(), position.moves().is_empty(), "no contender");
    for evaluation in G::evaluations() {
        let evaluator = position.evaluator(*evaluation, tables);
        let (all, each) = (position.judge_all(&evaluator), judge_each(position, &evaluator));
        assert_eq!(all, each, "{} for all seats at once", evaluation.name);
    }
    if let Some(mv) = position.race_move(tables) {
        assert!(position.is_legal(mv), "{mv:?} is not a legal race move");
    }
    let passed = if position.is_tense() { None } else { position.pass() };
    if let Some(passed) = passed {
        assert_ne!(passed.to_move(), position.to_move(), "a pass gives the turn away");
        assert_ne!(passed.key(), position.key(), "a pass is another position");
    }
}
