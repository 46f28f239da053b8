//! Every number of the engine, by name.
//!
//! Scores are in hundredths of a game's unit (a pawn, a soldier, a step), depths in plies. Where a
//! number was chosen by measurement, `docs/benchmarks.md` has the table.

use agon_core::Hints;

/// The scale that the margins below are made for; see [`Hints::SCALE`].
const SCALE: i32 = 200;

/// A margin as it is in this game.
#[inline]
pub(super) const fn scaled<G: Hints>(margin: i32) -> i32 {
    margin * G::SCALE / SCALE
}

/// The deepest line the engine follows, extensions and quiescence included.
pub(super) const MAX_PLY: usize = 250;
/// The depth of a search that has no limit at all.
pub(super) const DEFAULT_DEPTH: u32 = 10;
/// The deepest iteration.
pub(super) const DEEPEST: u32 = 200;

/// Nodes between two looks at the clock.
pub(super) const CHECK_INTERVAL: u64 = 512;

/// The table's size in MiB if nobody says.
pub(super) const DEFAULT_HASH: u32 = 64;
/// How many nodes a second a thread may fill the table with, at most.
pub(super) const FILLING_SPEED: f64 = 4_000_000.0;
/// How many bytes of the table a node of one search is worth: a small table stays in the cache,
/// and what a search cannot fill is better not touched at all.
pub(super) const BYTES_A_NODE: f64 = 64.0;

/// Iterations before this depth have the full window: their scores jump.
pub(super) const ASPIRATION_DEPTH: u32 = 4;
/// Half the width of the first window around the last score.
pub(super) const ASPIRATION_WINDOW: i32 = 30;
/// How many times wider the window gets when the score falls outside.
pub(super) const ASPIRATION_GROWTH: i32 = 3;
/// A window wider than this is opened fully.
pub(super) const ASPIRATION_WIDEST: i32 = 1000;

/// Quiescence follows forced positions only so far; then it judges them as they stand.
pub(super) const TENSE_QUIESCENCE: usize = 6;
/// Quiescence goes no deeper than this.
pub(super) const DEEPEST_QUIESCENCE: usize = 16;

/// A position this much better than needed, for each ply left, is not searched.
pub(super) const ENOUGH_MARGIN: i32 = 70;
/// The deepest for which that holds.
pub(super) const ENOUGH_DEPTH: i32 = 7;

/// Quiet moves are skipped where the position is worse than needed by this and
/// [`FUTILITY_PER_PLY`] for each ply left.
pub(super) const FUTILITY_BASE: i32 = 80;
/// See [`FUTILITY_BASE`].
pub(super) const FUTILITY_PER_PLY: i32 = 80;
/// The deepest for which that holds.
pub(super) const FUTILITY_DEPTH: i32 = 6;

/// After so many moves, and the square of the depth more, quiet moves are skipped.
pub(super) const LATE_MOVES_BASE: i32 = 4;
/// The deepest for which that holds.
pub(super) const LATE_MOVES_DEPTH: i32 = 5;

/// The shallowest null move.
pub(super) const NULL_DEPTH: i32 = 3;
/// A null move is searched this much shallower, and by a further ply for every
/// [`NULL_DIVISOR`] plies of depth.
pub(super) const NULL_REDUCTION: i32 = 3;
/// See [`NULL_REDUCTION`].
pub(super) const NULL_DIVISOR: i32 = 4;

/// From this depth on, a position without a remembered move is searched a ply shallower.
pub(super) const REDUCTION_WITHOUT_MOVE: i32 = 4;

/// From this depth on, late moves are searched shallower.
pub(super) const LATE_REDUCTION_DEPTH: i32 = 3;
/// The first moves of a position, which are not reduced.
pub(super) const LATE_REDUCTION_MOVES: usize = 2;
/// Reductions are this plus the product of the logarithms of depth and number over
/// [`LATE_REDUCTION_DIVISOR`].
pub(super) const LATE_REDUCTION_BASE: f64 = 0.5;
/// See [`LATE_REDUCTION_BASE`].
pub(super) const LATE_REDUCTION_DIVISOR: f64 = 2.2;
/// So much history is worth a ply of reduction.
pub(super) const HISTORY_PER_PLY: i32 = 8192;

/// Extensions stop where a line is so many times as deep as the iteration.
pub(super) const EXTENSION_LIMIT: usize = 2;

/// The bound of every history counter.
pub(super) const HISTORY_LIMIT: i32 = 16_384;
/// What a cut-off at each depth adds, up to [`HISTORY_BONUS_LIMIT`].
pub(super) const HISTORY_BONUS: i32 = 140;
/// See [`HISTORY_BONUS`].
pub(super) const HISTORY_BONUS_LIMIT: i32 = 1600;

/// How much a game's own bias counts beside history.
pub(super) const BIAS_WEIGHT: i32 = 16;

/// A clock's share for one move may be overdrawn so many times when the best move wavers.
pub(super) const MOST_OVERDRAFT: f64 = 3.0;
/// The share of the time after which no new iteration begins, with a steady best move.
pub(super) const STEADY_SHARE: f64 = 0.5;
/// What each change of the best move adds to that share; older changes count half as much with
/// every iteration.
pub(super) const WAVERING_SHARE: f64 = 0.4;
/// A fall of the score by so much adds as much as one change.
pub(super) const ALARMING_FALL: i32 = 100;

/// Of a search's time or nodes, the part that may go into solving a small position first.
pub(super) const SOLVING_SHARE: f64 = 0.4;
/// Roughly how many nodes a second the solver plays.
pub(super) const SOLVING_SPEED: f64 = 2_000_000.0;
/// The most nodes that go into it where nothing but the depth is limited.
pub(super) const SOLVING_NODES: u64 = 1_000_000;
/// The solver's memory in MiB.
pub(super) const SOLVING_HASH: usize = 16;
