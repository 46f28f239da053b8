//! Converting evaluations into expected points.
//!
//! Searches that average (Monte Carlo) or compare several players' results (max^n) need every
//! player's expected points, not a lead. Everybody is compared with everybody: the points of a seat
//! are the mean of its probabilities of finishing ahead of each of the others. With two players
//! that is the probability of winning; with three players and 100, 50 and 0 points it is the
//! expected result, and the points of all add up to the same total as those of a result.

use agon_core::outcome::WIN;
use agon_core::{Evaluator, Hints, Outcome, PerSeat, Seat, Tables, Variant};
use agon_games::{Playable, Table, Visitor};

use crate::score::Score;

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

/// The expected shares of every seat in the position on a table, from 0 to 1, if a search for the
/// side to move found this score and this line.
///
/// With two players the score says it all. With more it is about one of them only, so the position
/// at the end of the line is judged for everybody.
pub fn shares_of_line(table: &dyn Table, score: Score, line: &[String]) -> Vec<f64> {
    let Some(mover) = table.status().to_move() else { return shares_on(table) };
    if table.seats() == 2 {
        let share = score.share(table.scale());
        let of = |seat| if seat == mover { share } else { 1.0 - share };
        return Seat::all(2).map(of).collect();
    }
    let mut end = table.fork();
    for mv in line {
        // A line that is not legal says nothing from there on.
        if end.play(mv).is_err() {
            break;
        }
    }
    shares_on(&*end)
}

/// The expected shares of every seat in the position on a table: those of the result if the game is
/// over, else by the game's best evaluation.
pub fn shares_on(table: &dyn Table) -> Vec<f64> {
    let in_list = |shares: Shares| shares.as_slice().iter().map(|&share| share.into()).collect();
    if let Some(outcome) = table.outcome() {
        return in_list(shares_of(&outcome));
    }
    let (variant, catalog) = (table.variant(), table.catalog());
    let judged = Judge { position: table.position(), tables: catalog.tables(variant) };
    let judged = catalog.with_game(variant, judged).ok().flatten();
    judged.map_or_else(|| vec![0.5; table.seats()], in_list)
}

/// Judges a position for every seat.
struct Judge {
    position: String,
    tables: Tables,
}

impl Visitor for Judge {
    type Output = Option<Shares>;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Option<Shares> {
        let position = start.read_position(&self.position).ok()?;
        let evaluation = position.evaluator(G::best_evaluation(), &self.tables);
        Some(expected(&position, &evaluation, G::SCALE))
    }
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
    fn two_share_what_the_score_says_and_three_what_the_line_leads_to() {
        let table = agon_games::open_at(&"congo".parse().unwrap(), None, &["d2d3"]).unwrap();
        let ahead = Score::units(table.scale());
        let shares = shares_of_line(&*table, ahead, &[]);
        assert!((shares[1] - 0.75).abs() < 1e-6 && (shares[0] - 0.25).abs() < 1e-6, "{shares:?}");
        assert_eq!(shares_of_line(&*table, Score::loss_in(4), &[]), [1.0, 0.0]);

        let table = agon_games::open(&"fauhalma:star3".parse().unwrap()).unwrap();
        let line = [table.moves().remove(0), "nonsense".to_string()];
        let shares = shares_of_line(&*table, Score::units(500), &line);
        let mut after = table.fork();
        after.play(&line[0]).unwrap();
        assert_eq!(shares, shares_on(&*after), "the rest of the line is not legal");
        assert!((shares.iter().sum::<f64>() - 1.5).abs() < 1e-4);
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
