//! How static evaluations err, as far as it shows: the difference between what a position seemed to
//! be worth and what a search found is remembered for positions of the same structure and after the
//! same moves, and added to their evaluations later.

use agon_core::{Hints, Seat};

use super::experience::Context;
use super::parameters::{Parameters, SCALE};

/// How many structures are told apart.
const STRUCTURES: usize = 1 << 12;
/// The bound of every counter.
const LIMIT: i32 = 1024;
/// A counter moves by at most this part of its limit at a time.
const STEP: i32 = LIMIT / 4;
/// A difference counts in full from this depth on.
const FULL_DEPTH: i32 = 8;
/// A counter at its limit corrects an evaluation by this part of its limit, in hundredths of the unit
/// for which margins are set.
const GRAIN: i32 = 8;

/// What a position is known by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    structures: [usize; 2],
    context: Option<usize>,
}

/// What one thread has learned about the errors of its evaluation.
#[derive(Clone, Debug)]
pub(super) struct Corrections {
    places: usize,
    /// By seat, side whose pieces are meant, and their structure.
    by_structure: Vec<i16>,
    /// By the places of the last two moves.
    by_context: Vec<i16>,
}

impl Corrections {
    /// Nothing yet.
    pub(super) fn new<G: Hints>() -> Corrections {
        Corrections {
            places: G::PLACES,
            by_structure: vec![0; 2 * 2 * STRUCTURES],
            by_context: vec![0; 2 * G::PLACES * G::PLACES],
        }
    }

    /// Where to look for a position with this seat to move.
    #[inline]
    pub(super) fn sight<G: Hints>(&self, position: &G, seat: Seat, context: &Context) -> Sight {
        let seat = seat.index() % 2;
        let [first, second] = position.structures();
        // The upper bits of a hash are the best mixed ones.
        let row = |side: usize, key: u64| {
            (2 * seat + side) * STRUCTURES + (key >> (u64::BITS - STRUCTURES.ilog2())) as usize
        };
        let context = match *context {
            [Some(last), Some(before)] => {
                let (last, before) = (last.place, before.place);
                Some((seat * self.places + before) * self.places + last)
            }
            _ => None,
        };
        Sight { structures: [row(0, first), row(1, second)], context }
    }

    /// What to add to the evaluation.
    #[inline]
    pub(super) fn of<G: Hints>(&self, sight: &Sight, parameters: &Parameters) -> i32 {
        let sum: i32 = sight.structures.iter().map(|&at| i32::from(self.by_structure[at])).sum();
        let context = sight.context.map_or(0, |at| i32::from(self.by_context[at]));
        let weighted =
            sum * parameters.correction_structure + context * parameters.correction_context;
        weighted / (100 * GRAIN) * G::SCALE / SCALE
    }

    /// Learns that a search to this depth found a value that differs so much from the evaluation.
    pub(super) fn learn<G: Hints>(&mut self, sight: &Sight, depth: i32, difference: i32) {
        let difference = i64::from(difference) * i64::from(SCALE) / i64::from(G::SCALE);
        let weighted = difference * i64::from(depth.min(2 * FULL_DEPTH)) / i64::from(FULL_DEPTH);
        let step = weighted.clamp(i64::from(-STEP), i64::from(STEP)) as i32;
        for &at in &sight.structures {
            nudge(&mut self.by_structure[at], step);
        }
        if let Some(at) = sight.context {
            nudge(&mut self.by_context[at], step);
        }
    }
}

/// Moves a counter by a step, which is smaller the closer it is to its limit.
#[inline]
fn nudge(value: &mut i16, step: i32) {
    let old = i32::from(*value);
    *value = (old + step - old * step.abs() / LIMIT) as i16;
}
