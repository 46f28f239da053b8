//! All numeric parameters of the engine: constants, and [`Parameters`], which are tuned.
//!
//! Scores are in hundredths of a game's unit (a pawn, a soldier, a step), depths in plies. Where a
//! number was chosen by measurement, `docs/benchmarks.md` has the table.

use agon_core::Hints;

/// The scale for which the margins below are set; see [`Hints::SCALE`].
pub(super) const SCALE: i32 = 200;

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
pub(super) const BYTES_A_NODE: f64 = 16.0;

/// Iterations below this depth use the full window: their scores jump.
pub(super) const ASPIRATION_DEPTH: u32 = 4;
/// A window wider than this is opened fully.
pub(super) const ASPIRATION_WIDEST: i32 = 1000;

/// How many plies quiescence search follows tense positions; beyond, it uses the static evaluation.
pub(super) const TENSE_QUIESCENCE: usize = 6;
/// The maximum depth of quiescence search.
pub(super) const DEEPEST_QUIESCENCE: usize = 16;

/// Extensions stop where a line is this many times as deep as the iteration.
pub(super) const EXTENSION_LIMIT: usize = 2;

/// The bound of every history counter.
pub(super) const HISTORY_LIMIT: i32 = 16_384;

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

/// A parameter of the search: its name, what it is set to, and where that may lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Its value, unless a game sets another one.
    pub default: i32,
    /// The smallest sensible value.
    pub least: i32,
    /// The greatest one.
    pub most: i32,
}

/// Declares the parameters that are tuned: a field for each, and their list.
macro_rules! parameters {
    ($($(#[doc = $about:literal])+ $name:ident: $default:literal in $least:literal..=$most:literal;)*) => {
        /// What decides how selectively the engine searches; `agon tune --search` tunes it.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct Parameters {
            $($(#[doc = $about])+ pub $name: i32,)*
        }

        impl Parameters {
            /// All of them, in order.
            pub const ALL: &'static [Parameter] = &[$(Parameter {
                name: stringify!($name),
                about: concat!($($about,)+).trim_ascii(),
                default: $default,
                least: $least,
                most: $most,
            },)*];

            /// The value of one, by name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Sets one by name; `false` if there is no such name.
            pub(crate) fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $default,)* }
            }
        }
    };
}

parameters! {
    /// Half the width of the first window around the last score.
    window: 30 in 5..=150;
    /// How many times wider it gets when the score falls outside, in hundredths.
    window_growth: 300 in 130..=500;
    /// Reverse futility: a position this much better than beta, for each ply left, is not searched.
    enough_margin: 70 in 10..=250;
    /// The maximum depth for that.
    enough_depth: 7 in 2..=14;
    /// Quiet moves are skipped where the evaluation is below alpha by this …
    futility_base: 80 in 0..=300;
    /// … and this for each ply left.
    futility_per_ply: 80 in 10..=250;
    /// The maximum depth for that.
    futility_depth: 6 in 2..=14;
    /// Quiet moves are skipped after this many moves plus a share of the square of the depth.
    late_base: 4 in 1..=16;
    /// That share, in hundredths.
    late_factor: 100 in 20..=300;
    /// The maximum depth for that.
    late_depth: 5 in 2..=12;
    /// The minimum depth for a null move.
    null_depth: 3 in 1..=6;
    /// A null move is searched with its depth reduced by this …
    null_base: 3 in 1..=6;
    /// … and one ply for each so many plies of depth.
    null_divisor: 4 in 2..=10;
    /// From this depth on, a position without a table move is searched one ply less deeply.
    unknown_depth: 4 in 2..=10;
    /// From this depth on, late moves are reduced.
    reduction_depth: 3 in 2..=6;
    /// The first moves of a position, which are not reduced.
    reduction_moves: 2 in 1..=6;
    /// Reductions are this, in hundredths of a ply …
    reduction_base: 50 in -50..=200;
    /// … plus the product of the logarithms of depth and number over this, in hundredths.
    reduction_divisor: 220 in 100..=500;
    /// The reduction of late moves is greater by this, in hundredths of a ply, where a cut-off is expected, …
    reduction_cut: 100 in 0..=250;
    /// … and where the evaluation has not improved, …
    reduction_stagnant: 100 in 0..=200;
    /// … and smaller by this on the principal variation.
    reduction_pv: 100 in 0..=250;
    /// A history score that is worth a ply of reduction.
    reduction_history: 8192 in 1500..=32000;
    /// Singular extensions: the minimum depth.
    singular_depth: 6 in 4..=12;
    /// All other moves have to be worse than the table's value by this, for each ply left, in tenths.
    singular_margin: 20 in 2..=80;
    /// Worse by this much, and the extension is two plies.
    singular_double: 60 in 10..=300;
    /// The weight of corrections by structure, in hundredths.
    correction_structure: 100 in 0..=300;
    /// The weight of corrections by the last moves, in hundredths.
    correction_context: 100 in 0..=300;
    /// The bonus per ply of depth for a cut-off …
    bonus_per_ply: 140 in 20..=500;
    /// … and at most this.
    bonus_most: 1600 in 300..=4000;
}
