//! Converting evaluations into expected points.
//!
//! Searches that average (Monte Carlo) or compare several players' results (max^n) need every
//! player's expected points, not a lead. Everybody is compared with everybody: the points of a seat
//! are the mean of its probabilities of finishing ahead of each of the others. With two players
//! that is the probability of winning; with three players and 100, 50 and 0 points it is the
//! expected result, and the points of all add up to the same total as those of a result.

use agon_core::outcome::WIN;
use agon_core::{Evaluator, Hints, Outcome, PerSeat, Seat};

/// Points of every seat as a share of a win, 0 to 1.
pub(crate) type Shares = PerSeat<f32>;

/// The shares of every seat in a result.
#[inline]
pub(crate) fn shares_of(outcome: &Outcome) -> Shares {
    let points = outcome.points();
    let mut shares = PerSeat::filled(points.seats(), 0.0);
    for (seat, &points) in points.iter() {
        shares[seat] = f32::from(points) / f32::from(WIN);
    }
    shares
}

/// The expected shares of every seat in a position that is not over, by an evaluation with the
/// scale `scale` (see [`Hints::scale`]).
#[inline]
pub fn expected<G: Hints>(position: &G, evaluation: &Evaluator<G>, scale: i32) -> Shares {
    let seats = position.seats();
    let mut shares = PerSeat::filled(seats, 0.0);
    if seats == 2 {
        let lead = evaluation.judge(position, Seat::FIRST);
        shares[Seat::FIRST] = chance(lead as f32, scale);
        shares[Seat::SECOND] = 1.0 - shares[Seat::FIRST];
        return shares;
    }
    let judged = position.judge_all(evaluation);
    for seat in Seat::all(seats) {
        for other in Seat::all(seats).filter(|&other| other != seat) {
            shares[seat] += chance((judged[seat] - judged[other]) as f32 / 2.0, scale);
        }
        shares[seat] /= (seats - 1) as f32;
    }
    shares
}

/// The probability of finishing ahead of another player with this lead: three to one at the scale.
#[inline]
pub fn chance(lead: f32, scale: i32) -> f32 {
    const LOG2_OF_3: f32 = 1.584_962_5;
    1.0 / (1.0 + (-lead * LOG2_OF_3 / scale as f32).exp2())
}

/// The lead at which the probability is this: the inverse of [`chance`], clamped to the range of
/// evaluations.
pub fn lead(chance: f32, scale: i32) -> i32 {
    let odds = (chance / (1.0 - chance)).clamp(1e-6, 1e6);
    (odds.ln() / 3f32.ln() * scale as f32) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_three_to_one() {
        assert!((chance(200.0, 200) - 0.75).abs() < 1e-6);
        assert!((chance(-200.0, 200) - 0.25).abs() < 1e-6);
        assert_eq!(chance(0.0, 200), 0.5);
        for wanted in [-900, -30, 0, 7, 400] {
            assert!((lead(chance(wanted as f32, 200), 200) - wanted).abs() <= 1, "{wanted}");
        }
        assert!(lead(1.0, 200) > 2000 && lead(0.0, 200) < -2000);
    }

    #[test]
    fn points_add_up_for_two_and_three() {
        use agon_games::{Playable, Visitor, with_game};
        struct Sum;
        impl Visitor for Sum {
            type Output = f32;
            fn visit<G: Playable>(self, _: agon_core::Variant, start: G) -> f32 {
                let simple = G::evaluations()[0];
                let shares = expected(&start, &simple.into(), G::SCALE);
                assert!(shares.as_slice().iter().all(|share| (0.0..=1.0).contains(share)));
                shares.as_slice().iter().sum()
            }
        }
        for (variant, wanted) in [("fauhalma:star3", 1.5), ("congo", 1.0), ("fenix", 1.0)] {
            let sum = with_game(&variant.parse().unwrap(), Sum).unwrap();
            assert!((sum - wanted).abs() < 1e-5, "{variant}: {sum}");
        }
    }
}
