//! The vocabulary of Agon.
//!
//! Everything above this crate is written in these terms: a [`Game`] is a position that knows its
//! rules, a [`Seat`] is a player, an [`Outcome`] gives points to every seat, a [`Sink`] receives
//! moves, a [`History`] knows what happened before, a [`Scene`] is a drawing as data, and
//! [`Notation`] turns positions and moves into text and back.
//!
//! The crate depends on nothing and holds no game. Two tiny but complete games in [`mod@sample`]
//! serve the examples and tests.

pub mod arrange;
pub mod bitboard;
pub mod evaluate;
pub mod fen;
pub mod game;
pub mod hints;
pub mod history;
pub mod model;
pub mod nearest;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod playout;
pub mod printable;
pub mod rng;
pub mod sample;
pub mod scene;
pub mod seat;
pub mod sink;
pub mod tables;
pub mod text;
pub mod tuning;
pub mod variant;
pub mod zobrist;

mod wide;

pub use arrange::Arrange;
pub use bitboard::{Bitboard, Square, Word};
pub use evaluate::{Evaluate, Evaluation, Evaluator};
pub use game::{Game, Progress, Which};
pub use hints::{Foreseen, Hints, Slot};
pub use history::{Ended, Ending, History, HistoryRules};
pub use model::{LineEvaluator, Model, NoModel, Step};
pub use notation::{Invalid, Notation};
pub use outcome::{Outcome, Reason, Status};
pub use perft::{Leaves, Perft};
pub use printable::{printable, printable_lines};
pub use rng::Rng;
pub use scene::{Draw, Scene};
pub use seat::{MAX_SEATS, PerSeat, Seat};
pub use sink::{Flow, MoveList, Sink};
pub use tables::{TableBytes, Tables};
pub use text::TextError;
pub use tuning::{Tally, Tunable};
pub use variant::Variant;
pub use wide::U256;
