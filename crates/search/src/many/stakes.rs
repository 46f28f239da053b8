//! What is still at stake: places already decided, and what the others can still get.
//!
//! In a multi-player game a player can be finished while the others go on. Its points are then
//! final, and those of the others lie between the best and the worst place left. An evaluation does
//! not know that: with a large enough lead it may promise more than there is to get, and a search
//! that believes it never comes home. So expectations are kept strictly within what is left.

use agon_core::outcome::WIN;
use agon_core::{Evaluator, Hints, MAX_SEATS, PerSeat, Seat};

use crate::expected::chance;
use crate::score::Score;

/// The resolution of points.
pub(super) const POINT: i32 = 10_000;
/// All points of a win.
pub(super) const FULL: i32 = WIN as i32 * POINT;

/// What is still at stake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stakes {
    /// The points of those whose place is decided.
    pub(super) secured: PerSeat<Option<u8>>,
    /// The points of the worst place left.
    pub(super) low: i32,
    /// The points of the best place left.
    pub(super) high: i32,
}

impl Stakes {
    /// The stakes of a position. Assumes that places are equally spaced in points, with a mean of
    /// half a win, as in every game of the catalog.
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

    /// Whether no place is decided yet.
    #[inline]
    pub(super) fn is_whole(&self) -> bool {
        self.high - self.low == FULL
    }
}

/// A lead of this many times the evaluation's scale is worth half of what the largest lead adds.
const STEEPNESS: f32 = 4.0;

/// The value of a lead, strictly between 0 and 1: it keeps growing with the lead, where the
/// probability of winning soon saturates. A player who is far ahead still has to see progress.
#[inline]
fn progress(lead: f32, scale: i32) -> f32 {
    0.5 + 0.5 * lead / (lead.abs() + STEEPNESS * scale as f32)
}

/// The mean lead of `seat` over the others that are still on their way, as `valued`.
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

/// The evaluation of every seat.
#[inline]
fn judge_all<G: Hints>(position: &G, evaluation: &Evaluator<G>) -> PerSeat<f32> {
    let mut judged = PerSeat::filled(position.seats(), 0.0);
    for seat in Seat::all(position.seats()) {
        judged[seat] = evaluation.judge(position, seat) as f32;
    }
    judged
}

/// The value of a position that is not over, for a seat whose place is not decided.
#[inline]
pub(super) fn outlook<G: Hints>(position: &G, evaluation: &Evaluator<G>, seat: Seat) -> Score {
    let stakes = Stakes::of(position);
    if stakes.is_whole() {
        return Score::units(evaluation.judge(position, seat));
    }
    let (judged, scale) = (judge_all(position, evaluation), G::scale(evaluation.name()));
    let share = mean_over_rivals(&judged, &stakes, seat, |lead| progress(lead, scale));
    let points = stakes.low + (share * (stakes.high - stakes.low) as f32) as i32;
    // On the scale of `Score::of`, in hundredths of a point from the middle.
    const HUNDREDTH: i32 = POINT / 100;
    let points = points.clamp(stakes.low + HUNDREDTH, stakes.high - HUNDREDTH);
    Score::units((points - FULL / 2) / HUNDREDTH)
}

/// Points of every seat, in the units of [`POINT`].
pub(super) type Points = PerSeat<i32>;

/// The maximum distance of a result. This many units at both ends of the range are reserved for
/// results, whose value depends on their distance; no expectation gets there.
pub(super) const FARTHEST: i32 = 1000;

/// The share of [`progress`] in an expectation, as opposed to probability.
const PROGRESS_PART: f32 = 0.05;

/// The expected points of every seat in a position that is not over.
pub(super) fn expectations<G: Hints>(position: &G, evaluation: &Evaluator<G>) -> Points {
    let stakes = Stakes::of(position);
    let (judged, scale) = (judge_all(position, evaluation), G::scale(evaluation.name()));
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

/// The maximum sum of the points of all seats: those of a result, plus what rounding, distances and
/// one more ply can add.
pub(super) fn total(seats: usize) -> i32 {
    seats as i32 * (FULL / 2 + FARTHEST + 2)
}
