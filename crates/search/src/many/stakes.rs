//! What is still to be won: places that are taken, and what the others can hope for.
//!
//! In a game of several a player can be through while the others go on. Its points are then sure,
//! and those of the others lie between the best and the worst place that is left. An evaluation
//! knows nothing of that: far enough ahead, it may promise more than there is to get, and a search
//! that believes it does not come home. So expectations are kept strictly within what is left.

use agon_core::outcome::WIN;
use agon_core::{Evaluation, Hints, MAX_SEATS, PerSeat, Seat};

use crate::expected::chance;
use crate::score::Score;

/// How finely points are counted.
pub(super) const POINT: i32 = 10_000;
/// All points of a win.
pub(super) const FULL: i32 = WIN as i32 * POINT;

/// What is left to play for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stakes {
    /// The points of those whose place is decided.
    pub(super) secured: PerSeat<Option<u8>>,
    /// Those of the worst place that is left.
    pub(super) low: i32,
    /// Those of the best place that is left.
    pub(super) high: i32,
}

impl Stakes {
    /// What is left in a position. Places are worth equally much more from one to the next, and
    /// together half a win for each seat, as in every game of the catalog.
    #[inline]
    pub(super) fn of<G: Hints>(position: &G) -> Stakes {
        let seats = position.seats();
        let mut secured = PerSeat::filled(seats, None);
        let (mut open, mut left) = (seats as i32, seats as i32 * FULL / 2);
        for seat in Seat::all(seats) {
            secured[seat] = position.secured(seat);
            if let Some(points) = secured[seat] {
                open -= 1;
                left -= i32::from(points) * POINT;
            }
        }
        if open == seats as i32 || open == 0 {
            return Stakes { secured, low: 0, high: FULL };
        }
        let spread = FULL / (seats as i32 - 1) * (open - 1);
        let low = (left / open - spread / 2).clamp(0, FULL);
        Stakes { secured, low, high: (low + spread).min(FULL) }
    }

    /// Whether nobody is through yet.
    #[inline]
    pub(super) fn is_whole(&self) -> bool {
        self.high - self.low == FULL
    }
}

/// A player whose lead is so many times the evaluation's scale has half of what even the largest
/// lead adds.
const STEEPNESS: f32 = 4.0;

/// What a lead is worth, from 0 to 1 and never either: it grows with the lead for ever, where a
/// chance to win is soon as good as 1. Who is far ahead still has to see that it gets on.
#[inline]
fn progress(lead: f32, scale: i32) -> f32 {
    0.5 + 0.5 * lead / (lead.abs() + STEEPNESS * scale as f32)
}

/// How far `seat` is ahead of the others that are still on their way, on the mean, and how that is
/// `valued`.
#[inline]
fn mean_over_rivals(
    judged: &PerSeat<f32>,
    stakes: &Stakes,
    seat: Seat,
    valued: impl Fn(f32) -> f32,
) -> f32 {
    let (mut sum, mut rivals) = (0.0, 0.0);
    for other in Seat::all(judged.seats()) {
        if other != seat && stakes.secured[other].is_none() {
            sum += valued((judged[seat] - judged[other]) / 2.0);
            rivals += 1.0;
        }
    }
    if rivals == 0.0 { 0.5 } else { sum / rivals }
}

/// How every seat is judged.
#[inline]
fn judge_all<G: Hints>(position: &G, evaluation: &Evaluation<G>) -> PerSeat<f32> {
    let mut judged = PerSeat::filled(position.seats(), 0.0);
    for seat in Seat::all(position.seats()) {
        judged[seat] = (evaluation.judge)(position, seat) as f32;
    }
    judged
}

/// What a position that is not over is worth to a seat whose place is not decided.
#[inline]
pub(super) fn outlook<G: Hints>(position: &G, evaluation: &Evaluation<G>, seat: Seat) -> Score {
    let stakes = Stakes::of(position);
    if stakes.is_whole() {
        return Score::units((evaluation.judge)(position, seat));
    }
    let (judged, scale) = (judge_all(position, evaluation), G::scale(evaluation.name));
    let share = mean_over_rivals(&judged, &stakes, seat, |lead| progress(lead, scale));
    let points = stakes.low + (share * (stakes.high - stakes.low) as f32) as i32;
    // On the scale of `Score::of`, in hundredths of a point from the middle.
    const HUNDREDTH: i32 = POINT / 100;
    let points = points.clamp(stakes.low + HUNDREDTH, stakes.high - HUNDREDTH);
    Score::units((points - FULL / 2) / HUNDREDTH)
}

/// Points of every seat, in the units of [`POINT`].
pub(super) type Points = PerSeat<i32>;

/// No result is further away than this. So many units at both ends of what is left to get are for
/// results, which are worth the more or the less the further away they are; no expectation gets
/// there.
pub(super) const FARTHEST: i32 = 1000;

/// The part of an expectation that is [`progress`] and not a chance.
const PROGRESS_PART: f32 = 0.05;

/// What every seat can expect in a position that is not over.
pub(super) fn expectations<G: Hints>(position: &G, evaluation: &Evaluation<G>) -> Points {
    let stakes = Stakes::of(position);
    let (judged, scale) = (judge_all(position, evaluation), G::scale(evaluation.name));
    let valued =
        |lead| (1.0 - PROGRESS_PART) * chance(lead, scale) + PROGRESS_PART * progress(lead, scale);
    let mut points = PerSeat::filled(position.seats(), 0);
    for seat in Seat::all(position.seats()) {
        points[seat] = match stakes.secured[seat] {
            Some(points) => i32::from(points) * POINT,
            None => {
                let share = mean_over_rivals(&judged, &stakes, seat, valued);
                let points = stakes.low + (share * (stakes.high - stakes.low) as f32) as i32;
                points.clamp(stakes.low + FARTHEST + 1, stakes.high - FARTHEST - 1)
            }
        };
    }
    points
}

/// The points of a result.
pub(super) fn exact(points: PerSeat<u8>) -> Points {
    let mut all = [0; MAX_SEATS];
    for (seat, &points) in points.iter() {
        all[seat.index()] = i32::from(points) * POINT;
    }
    PerSeat::from_slice(&all[..points.seats()])
}

/// The most that the points of all seats add up to: those of a result, and what rounding, distances
/// and one ply more can change.
pub(super) fn total(seats: usize) -> i32 {
    seats as i32 * (FULL / 2 + FARTHEST + 2)
}
