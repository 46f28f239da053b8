//! A position of any game, type-erased: immutable, shared, and with its whole history.
//!
//! A [`Table`](agon_games::Table) is a game in progress, and speaks text. A Python position never
//! changes, and a search in Python creates thousands of them per second; so here moves are indices
//! in generation order, and text is only created on demand.

use std::any::Any;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

use agon_core::scene::Trace;
use agon_core::{Ended, Game, History, MoveList, Perft, Scene, Seat, TextError, Variant, Which};
use agon_games::{Playable, Visitor};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::moves::Move;

/// A position with its history.
pub trait Place: Send + Sync {
    /// The variant it belongs to.
    fn variant(&self) -> &Arc<Variant>;
    /// How many players there are.
    fn seats(&self) -> usize;
    /// The name of a seat.
    fn seat_name(&self, seat: Seat) -> &str;
    /// Who has to move and can, or how the game ended.
    fn turn(&self) -> Result<Seat, Ended>;
    /// Why the game is over, in words; `None` while it goes on.
    fn reason(&self) -> Option<Cow<'static, str>>;
    /// How many legal moves there are; none when the game is over.
    fn count_moves(&self) -> usize;
    /// The text of the move with this number.
    fn move_text(&self, number: usize) -> String;
    /// The move with this number as a drawing.
    fn trace(&self, number: usize) -> Trace;
    /// The number of a move, from any spelling that can be read.
    fn read_move(&self, text: &str) -> Result<usize, TextError>;
    /// The Python objects of all moves, in the order of their numbers.
    fn actions<'py>(self: Arc<Self>, py: Python<'py>) -> PyResult<Bound<'py, PyList>>;
    /// The number of a known move.
    fn find(&self, mv: &KnownMove) -> Option<usize>;
    /// The position after the move with this number.
    fn play(self: Arc<Self>, number: usize) -> Arc<dyn Place>;
    /// The position as text.
    fn text(&self) -> String;
    /// Another position of the same variant, without a history.
    fn read_position(&self, text: &str) -> Result<Arc<dyn Place>, TextError>;
    /// A hash that is the same for equal positions.
    fn hash(&self) -> u64;
    /// Whether the other is the same position of the same variant, regardless of history.
    fn is_same(&self, other: &dyn Place) -> bool;
    /// The position before and the number of the move that led here.
    fn before(&self) -> Option<(Arc<dyn Place>, usize)>;
    /// How many moves led here.
    fn plies(&self) -> usize;
    /// Whether this is the start of the variant.
    fn is_start(&self) -> bool;
    /// The start of the variant.
    fn start(&self) -> Arc<dyn Place>;
    /// The position as a drawing.
    fn scene(&self) -> Scene;
    /// What the player to move is asked to do where it is not an ordinary turn.
    fn guide(&self) -> Option<String>;
    /// The value of an evaluation for the seat to move; `None` if there is no such evaluation.
    fn evaluate(&self, name: &str) -> Option<i32>;
    /// The names of the evaluations.
    fn evaluations(&self) -> Vec<&'static str>;
    /// Counts move sequences, separately for every first move, as long as `go_on` returns `true`.
    fn perft(
        &self,
        perft: &Perft,
        depth: u32,
        go_on: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> Option<Vec<(usize, u64)>>;
    /// For downcasting.
    fn as_any(&self) -> &dyn Any;
}

/// The start position of a variant.
pub fn open(variant: &Variant) -> Result<Arc<dyn Place>, TextError> {
    agon_games::with_game(variant, Opener)
}

/// The initial position, and the texts of the moves that led from it to a position.
pub fn past(place: &Arc<dyn Place>) -> (Arc<dyn Place>, Vec<String>) {
    let (mut at, mut moves) = (place.clone(), Vec::with_capacity(place.plies()));
    while let Some((before, number)) = at.before() {
        moves.push(before.move_text(number));
        at = before;
    }
    moves.reverse();
    (at, moves)
}

struct Opener;

impl Visitor for Opener {
    type Output = Arc<dyn Place>;

    fn visit<G: Playable>(self, variant: Variant, start: G) -> Arc<dyn Place> {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let id = OPENED.fetch_add(1, Relaxed);
        let (variant, known) = (Arc::new(variant), Mutex::default());
        let origin = Arc::new(Origin { id, variant, start, known });
        Arc::new(Node::begin(origin.clone(), origin.start.clone()))
    }
}

/// The data shared by all positions of one `Game`.
struct Origin<G: Game> {
    /// A unique number.
    id: u64,
    variant: Arc<Variant>,
    start: G,
    /// The Python objects of moves that have one text everywhere. Creating one costs more than all
    /// the rest of listing a move.
    known: Mutex<Known<G::Move>>,
}

type Known<M> = HashMap<M, Py<Move>, BuildHasherDefault<QuickHasher>>;

/// The maximum number of cached objects; there could be any number of captures.
const MOST_KNOWN: usize = 1 << 14;

/// A move independent of a position, and the [`Origin`] for which it is valid.
pub struct KnownMove {
    origin: u64,
    mv: Box<dyn Any + Send + Sync>,
}

/// Moves are a few small numbers, and not chosen by an attacker.
#[derive(Default)]
struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        // The hash table uses the highest bits.
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

struct Node<G: Game> {
    origin: Arc<Origin<G>>,
    position: G,
    history: History,
    /// The position before and the number of the move.
    before: Option<(Arc<Node<G>>, u32)>,
    turn: OnceLock<Result<Seat, Ended>>,
    /// The legal moves, none if the game is over.
    moves: OnceLock<MoveList<G::Move>>,
}

impl<G: Playable> Node<G> {
    fn begin(origin: Arc<Origin<G>>, position: G) -> Node<G> {
        let history = History::new(&position);
        let (turn, moves) = (OnceLock::new(), OnceLock::new());
        Node { origin, position, history, before: None, turn, moves }
    }

    fn moves(&self) -> &MoveList<G::Move> {
        self.moves.get_or_init(|| {
            let mut list = MoveList::with_capacity(48);
            let turn = self.turn.get_or_init(|| {
                self.history.turn_if(&self.position, || {
                    let _ = self.position.generate(Which::All, &mut list);
                    !list.is_empty()
                })
            });
            match turn {
                // The turn may have been computed before, without listing the moves.
                Ok(_) if list.is_empty() => self.position.moves(),
                Ok(_) => list,
                Err(_) => MoveList::new(),
            }
        })
    }
}

impl<G: Playable> Node<G> {
    /// The objects of all moves, from the cache as far as possible.
    fn objects<'py>(
        self: &Arc<Self>,
        py: Python<'py>,
        known: &mut Known<G::Move>,
    ) -> PyResult<Vec<Bound<'py, Move>>> {
        let mut objects = Vec::with_capacity(self.moves().len());
        for (number, mv) in self.moves().iter().enumerate() {
            if let Some(object) = known.get(mv) {
                objects.push(object.bind(py).clone());
                continue;
            }
            let object = if G::has_one_text(*mv) && known.len() < MOST_KNOWN {
                let value = KnownMove { origin: self.origin.id, mv: Box::new(*mv) };
                let text = self.position.move_text(*mv);
                let object = Bound::new(py, Move::known(py, value, &text))?;
                known.insert(*mv, object.clone().unbind());
                object
            } else {
                let place: Arc<dyn Place> = self.clone();
                Bound::new(py, Move::of(&place, number))?
            };
            objects.push(object);
        }
        Ok(objects)
    }
}

impl<G: Playable> Place for Node<G> {
    fn variant(&self) -> &Arc<Variant> {
        &self.origin.variant
    }

    fn seats(&self) -> usize {
        self.position.seats()
    }

    fn seat_name(&self, seat: Seat) -> &str {
        self.position.seat_name(seat)
    }

    fn turn(&self) -> Result<Seat, Ended> {
        *self.turn.get_or_init(|| self.history.turn(&self.position))
    }

    fn reason(&self) -> Option<Cow<'static, str>> {
        self.turn().err().map(|ended| self.position.reason_text(&ended.outcome))
    }

    fn count_moves(&self) -> usize {
        self.moves().len()
    }

    fn move_text(&self, number: usize) -> String {
        self.position.move_text(self.moves()[number])
    }

    fn trace(&self, number: usize) -> Trace {
        self.position.trace(self.moves()[number])
    }

    fn read_move(&self, text: &str) -> Result<usize, TextError> {
        if let Err(ended) = self.turn() {
            let expected = format!(
                "no move: the game is over ({})",
                self.position.reason_text(&ended.outcome)
            );
            let game = self.origin.variant.game();
            return Err(TextError::new(game, "move", text, 0..text.len(), expected));
        }
        let mv = self.position.read_move(text)?;
        let number = self.moves().iter().position(|&known| known == mv);
        Ok(number.expect("a move that was read is legal"))
    }

    fn actions<'py>(self: Arc<Self>, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        // Creating objects can run arbitrary Python code, which may list moves as well: that goes
        // without the cache.
        let objects = match self.origin.known.try_lock() {
            Ok(mut known) => self.objects(py, &mut known)?,
            Err(_) => {
                let place: Arc<dyn Place> = self.clone();
                let object = |number| Bound::new(py, Move::of(&place, number));
                (0..self.moves().len()).map(object).collect::<PyResult<_>>()?
            }
        };
        PyList::new(py, objects)
    }

    fn find(&self, mv: &KnownMove) -> Option<usize> {
        let mv: &G::Move = mv.mv.downcast_ref().filter(|_| mv.origin == self.origin.id)?;
        self.moves().iter().position(|other| other == mv)
    }

    fn play(self: Arc<Self>, number: usize) -> Arc<dyn Place> {
        let mv = self.moves()[number];
        let mut position = self.position.clone();
        let progress = position.play(mv);
        let mut history = self.history.clone();
        history.push(&position, progress);
        Arc::new(Node {
            origin: self.origin.clone(),
            position,
            history,
            before: Some((self, number as u32)),
            turn: OnceLock::new(),
            moves: OnceLock::new(),
        })
    }

    fn text(&self) -> String {
        self.position.position_text()
    }

    fn read_position(&self, text: &str) -> Result<Arc<dyn Place>, TextError> {
        let position = self.origin.start.read_position(text)?;
        Ok(Arc::new(Node::begin(self.origin.clone(), position)))
    }

    fn hash(&self) -> u64 {
        self.position.key() ^ agon_core::rng::mix(self.position.counters())
    }

    fn is_same(&self, other: &dyn Place) -> bool {
        let other = other.as_any().downcast_ref::<Node<G>>();
        other.is_some_and(|other| {
            self.position == other.position && self.origin.variant == other.origin.variant
        })
    }

    fn before(&self) -> Option<(Arc<dyn Place>, usize)> {
        let (before, number) = self.before.as_ref()?;
        Some((before.clone(), *number as usize))
    }

    fn plies(&self) -> usize {
        self.history.plies()
    }

    fn is_start(&self) -> bool {
        self.before.is_none() && self.position == self.origin.start
    }

    fn start(&self) -> Arc<dyn Place> {
        Arc::new(Node::begin(self.origin.clone(), self.origin.start.clone()))
    }

    fn scene(&self) -> Scene {
        self.position.scene()
    }

    fn guide(&self) -> Option<String> {
        self.turn().ok()?;
        self.position.guide()
    }

    fn evaluate(&self, name: &str) -> Option<i32> {
        let evaluation = G::evaluation(name)?;
        let seat = self.turn().ok()?;
        Some((evaluation.judge)(&self.position, seat))
    }

    fn evaluations(&self) -> Vec<&'static str> {
        G::evaluations().iter().map(|evaluation| evaluation.name).collect()
    }

    fn perft(
        &self,
        perft: &Perft,
        depth: u32,
        go_on: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> Option<Vec<(usize, u64)>> {
        if self.turn().is_err() {
            return Some(Vec::new());
        }
        // In the order of generation, which is that of the numbers.
        let counts = perft.divide_while(&self.position, depth, go_on)?;
        Some(counts.into_iter().map(|(_, count)| count).enumerate().collect())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl<G: Game> Drop for Node<G> {
    /// A long game is a long chain: dropped in a loop, as the default drop would recurse once per
    /// move.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some((node, _)) = before {
            before = Arc::into_inner(node).and_then(|mut node| node.before.take());
        }
    }
}
