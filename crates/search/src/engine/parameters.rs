//! All numeric parameters of the engine.
//!
//! Scores are in hundredths of a game's unit (a pawn, a soldier, a step), depths in plies. Where a
//! number was chosen by measurement, `docs/benchmarks.md` has the table.

use agon_core::Hints;

/// The scale for which the margins below are set; see [`Hints::SCALE`].
const SCALE: i32 = 200;

/// A margin, scaled to this game.
#[inline]
pub(super) const fn scaled<G: Hints>(margin: i32) -> i32 {
    margin * G::SCALE / SCALE
}

/// The maximum ply, including extensions and quiescence search.
pub(super) const MAX_PLY: usize = 250;
/// The depth of a search without any limit.
pub(super) const DEFAULT_DEPTH: u32 = 10;
/// The deepest iteration.
pub(super) const DEEPEST: u32 = 200;

/// Nodes between two checks of the clock.
pub(super) const CHECK_INTERVAL: u64 = 512;

/// The default size of the table in MiB.
pub(crate) const DEFAULT_HASH: u32 = 64;
/// The maximum number of nodes per second with which a thread fills the table.
pub(super) const FILLING_SPEED: f64 = 4_000_000.0;
/// The bytes of table provided for each node of a search: a small table stays in the cache, and
/// memory that a search cannot fill is better left untouched.
pub(super) const BYTES_A_NODE: f64 = 64.0;

/// Iterations below this depth use the full window: their scores jump.
pub(super) const ASPIRATION_DEPTH: u32 = 4;
/// Half the width of the first window around the last score.
pub(super) const ASPIRATION_WINDOW: i32 = 30;
/// How many times wider the window gets when the score falls outside.
pub(super) const ASPIRATION_GROWTH: i32 = 3;
/// A window wider than this is opened fully.
pub(super) const ASPIRATION_WIDEST: i32 = 1000;

/// How many plies quiescence search follows tense positions; beyond, it uses the static evaluation.
pub(super) const TENSE_QUIESCENCE: usize = 6;
/// The maximum depth of quiescence search.
pub(super) const DEEPEST_QUIESCENCE: usize = 16;

/// Reverse futility: a position this much better than beta, per ply left, is not searched.
pub(super) const ENOUGH_MARGIN: i32 = 70;
/// The maximum depth for that.
pub(super) const ENOUGH_DEPTH: i32 = 7;

/// Quiet moves are skipped where the evaluation is below alpha by this plus [`FUTILITY_PER_PLY`]
/// for each ply left.
pub(super) const FUTILITY_BASE: i32 = 80;
/// See [`FUTILITY_BASE`].
pub(super) const FUTILITY_PER_PLY: i32 = 80;
/// The maximum depth for that.
pub(super) const FUTILITY_DEPTH: i32 = 6;

/// Quiet moves are skipped after this many moves plus the square of the depth.
pub(super) const LATE_MOVES_BASE: i32 = 4;
/// The maximum depth for that.
pub(super) const LATE_MOVES_DEPTH: i32 = 5;

/// The minimum depth for a null move.
pub(super) const NULL_DEPTH: i32 = 3;
/// A null move is searched with its depth reduced by this, plus one ply for every
/// [`NULL_DIVISOR`] plies of depth.
pub(super) const NULL_REDUCTION: i32 = 3;
/// See [`NULL_REDUCTION`].
pub(super) const NULL_DIVISOR: i32 = 4;

/// From this depth on, a position without a table move is searched one ply less deeply.
pub(super) const REDUCTION_WITHOUT_MOVE: i32 = 4;

/// From this depth on, late moves are reduced.
pub(super) const LATE_REDUCTION_DEPTH: i32 = 3;
/// The first moves of a position, which are not reduced.
pub(super) const LATE_REDUCTION_MOVES: usize = 2;
/// Reductions are this plus the product of the logarithms of depth and number over
/// [`LATE_REDUCTION_DIVISOR`].
pub(super) const LATE_REDUCTION_BASE: f64 = 0.5;
/// See [`LATE_REDUCTION_BASE`].
pub(super) const LATE_REDUCTION_DIVISOR: f64 = 2.2;
/// The history score that is worth a ply of reduction.
pub(super) const HISTORY_PER_PLY: i32 = 8192;

/// Extensions stop where a line is this many times as deep as the iteration.
pub(super) const EXTENSION_LIMIT: usize = 2;

/// The bound of every history counter.
pub(super) const HISTORY_LIMIT: i32 = 16_384;
/// The bonus per ply of depth for a cut-off, up to [`HISTORY_BONUS_LIMIT`].
pub(super) const HISTORY_BONUS: i32 = 140;
/// See [`HISTORY_BONUS`].
pub(super) const HISTORY_BONUS_LIMIT: i32 = 1600;

/// The weight of a game's bias relative to history.
pub(super) const BIAS_WEIGHT: i32 = 16;

/// How many times its share of the clock a move may take when the best move is unstable.
pub(super) const MOST_OVERDRAFT: f64 = 3.0;
/// The share of the time after which no new iteration starts, with a stable best move.
pub(super) const STEADY_SHARE: f64 = 0.5;
/// What each change of the best move adds to that share; older changes count half as much with
/// every iteration.
pub(super) const WAVERING_SHARE: f64 = 0.4;
/// A drop of the score by this much counts as one change.
pub(super) const ALARMING_FALL: i32 = 100;

/// The share of a search's time or nodes that may be spent on solving a small position first.
pub(super) const SOLVING_SHARE: f64 = 0.4;
/// The approximate speed of the solver in nodes per second.
pub(super) const SOLVING_SPEED: f64 = 2_000_000.0;
/// The maximum number of nodes for it where only the depth is limited.
pub(super) const SOLVING_NODES: u64 = 1_000_000;
/// The solver's memory in MiB.
pub(super) const SOLVING_HASH: usize = 16;
