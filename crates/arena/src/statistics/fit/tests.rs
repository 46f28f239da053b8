//! Small cases by hand, the same fit by other means, and extreme results.

mod plain;

use agon_core::{PerSeat, Rng, Seat};

use super::*;
use crate::estimate::elo;

fn game(seating: &[u32], points: &[u8], group: Option<u64>) -> GameResult {
    let (seating, points) = (PerSeat::from_slice(seating), PerSeat::from_slice(points));
    GameResult { seating, points, group }
}

/// Games of two agents, half of them with either in the first seat.
fn duel(agents: [u32; 2], wins: usize, draws: usize, losses: usize) -> Vec<GameResult> {
    let [one, other] = agents;
    let results = [(wins, [100, 0]), (draws, [50, 50]), (losses, [0, 100])];
    let play = |(count, [mine, theirs]): (usize, [u8; 2])| {
        (0..count).map(move |number| {
            if number % 2 == 0 {
                game(&[one, other], &[mine, theirs], None)
            } else {
                game(&[other, one], &[theirs, mine], None)
            }
        })
    };
    results.into_iter().flat_map(play).collect()
}

#[track_caller]
fn close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() < tolerance, "{found} is not {wanted}");
}

#[test]
fn two_agents_have_the_elo_of_their_score() {
    let many = Fit::of(&duel([0, 1], 60_000, 0, 20_000), Draws::HalfWins);
    close(many.difference(0, 1).unwrap().value, 190.848, 0.01);
    close(many.elo(0).unwrap().value, 95.424, 0.01);
    close(many.elo(1).unwrap().value, -95.424, 0.01);
    let drawn = Fit::of(&duel([0, 1], 40_000, 40_000, 0), Draws::HalfWins);
    close(drawn.difference(0, 1).unwrap().value, 190.848, 0.01);
    // With few games the virtual one shows: n·(0.75 − score) = score of half the difference − 0.5.
    let few = Fit::of(&duel([0, 1], 6, 0, 2), Draws::HalfWins).difference(0, 1).unwrap();
    let score = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    close(8.0 * (0.75 - score(few.value)), score(few.value / 2.0) - 0.5, 1e-9);
    close(few.value, 176.6, 0.5);
}

#[test]
fn davidson_compares_wins_with_losses() {
    let fit = Fit::of(&duel([0, 1], 60_000, 30_000, 10_000), Draws::Davidson);
    close(fit.difference(0, 1).unwrap().value, 400.0 * 6_f64.log10(), 0.05);
    // Draws divided by the square root of wins times losses.
    close(fit.draw_parameter().unwrap().value, 1.5_f64.sqrt(), 1e-3);
    assert_eq!(Fit::of(&duel([0, 1], 6, 3, 1), Draws::HalfWins).draw_parameter(), None);
}

#[test]
fn equal_results_are_zero_and_their_error_is_that_of_a_coin() {
    for draws in [Draws::HalfWins, Draws::Davidson] {
        let fit = Fit::of(&duel([3, 9], 5000, 0, 5000), draws);
        let difference = fit.difference(3, 9).unwrap();
        close(difference.value, 0.0, 1e-9);
        // The standard error of the logarithm of odds from n games is 2/√n.
        close(difference.high, Z95 * 173.718 * 0.02, 0.01);
        close(difference.low, -difference.high, 1e-9);
        close(fit.likelihood_of_superiority(3, 9).unwrap(), 0.5, 1e-9);
        let seat = fit.seat_advantage(2, Seat::FIRST, Seat::SECOND).unwrap();
        close(seat.value, 0.0, 1e-9);
        close(seat.high, difference.high, 0.01);
    }
}

#[test]
fn an_error_that_does_not_hold_zero_is_a_superiority_of_975() {
    let fit = Fit::of(&duel([0, 1], 530, 0, 470), Draws::HalfWins);
    let difference = fit.difference(0, 1).unwrap();
    let superior = fit.likelihood_of_superiority(0, 1).unwrap();
    assert_eq!(difference.low > 0.0, superior > 0.975);
    // 1.9 errors.
    close(superior, 0.971, 0.001);
    close(fit.likelihood_of_superiority(1, 0).unwrap(), 1.0 - superior, 1e-12);
}

#[test]
fn the_first_seat_has_its_advantage_whoever_sits_there() {
    // Whoever opens wins three out of four.
    let games: Vec<GameResult> = (0..8000)
        .map(|number| {
            let seating = if number % 2 == 0 { [0, 1] } else { [1, 0] };
            game(&seating, if number % 8 < 6 { &[100, 0] } else { &[0, 100] }, None)
        })
        .collect();
    let fit = Fit::of(&games, Draws::HalfWins);
    close(fit.difference(0, 1).unwrap().value, 0.0, 1e-6);
    let first = fit.seat_advantage(2, Seat::FIRST, Seat::SECOND).unwrap();
    close(first.value, elo(0.75), 0.1);
    let second = fit.seat_advantage(2, Seat::SECOND, Seat::FIRST).unwrap();
    close(second.value, -first.value, 1e-9);
    assert_eq!(fit.seat_advantage(3, Seat::FIRST, Seat::SECOND), None);
    assert_eq!(fit.seat_advantage(2, Seat::FIRST, Seat::THIRD), None);
    assert_eq!(fit.seat_advantage(99, Seat::FIRST, Seat::SECOND), None);
}

#[test]
fn who_always_opens_may_owe_it_to_the_seat() {
    let opened = |number: u32| {
        game(&[0, 1], &[[100, 0], [0, 100]][usize::from(number.is_multiple_of(4))], None)
    };
    let games: Vec<GameResult> = (0..4000).map(opened).collect();
    let fit = Fit::of(&games, Draws::HalfWins);
    let (agent, seat) =
        (fit.difference(0, 1).unwrap(), fit.seat_advantage(2, Seat::FIRST, Seat::SECOND).unwrap());
    close(agent.value + seat.value, 190.848, 0.5);
    for estimate in [agent, seat] {
        assert!(estimate.low < 0.0 && estimate.high > 191.0, "{estimate:?}");
    }
}

#[test]
fn everything_won_is_finite_with_a_wide_error() {
    for draws in [Draws::HalfWins, Draws::Davidson] {
        let mut before = 0.0;
        for games in [1, 2, 4, 20, 200, 20_000] {
            let fit = Fit::of(&duel([0, 1], games, 0, 0), draws);
            let won = fit.difference(0, 1).unwrap();
            assert!(won.value > before, "{games}: {won:?}");
            assert!(won.high.is_finite() && won.high - won.low > 500.0, "{games}: {won:?}");
            assert_eq!(won.low > 0.0, games >= 20, "{games}: {won:?}");
            before = won.value;
            if games == 20_000 && draws == Draws::HalfWins {
                close(won.value, 400.0 * 40_000_f64.log10(), 5.0);
            }
            let lost = Fit::of(&duel([0, 1], 0, 0, games), draws).difference(0, 1).unwrap();
            close(lost.value, -won.value, 1e-6);
            close(lost.high, -won.low, 1e-6);
        }
    }
}

#[test]
fn nothing_but_draws_is_finite_too() {
    let fit = Fit::of(&duel([0, 1], 0, 500, 0), Draws::Davidson);
    let nu = fit.draw_parameter().unwrap();
    assert!(nu.value > 100.0 && nu.high.is_finite(), "{nu:?}");
    close(fit.difference(0, 1).unwrap().value, 0.0, 1e-9);
    assert!(fit.difference(0, 1).unwrap().high > 1.0);
}

#[test]
fn agents_that_never_met_are_compared_through_others_or_not_at_all() {
    let mut games = duel([0, 1], 30_000, 0, 10_000);
    games.extend(duel([1, 2], 30_000, 0, 10_000));
    games.extend(duel([7, 8], 10, 0, 30));
    // This one only played itself.
    games.push(game(&[5, 5], &[100, 0], None));
    let fit = Fit::of(&games, Draws::HalfWins);
    assert_eq!(fit.agents(), [0, 1, 2, 5, 7, 8]);
    assert_eq!(fit.components(), [vec![0, 1, 2], vec![7, 8], vec![5]]);
    close(fit.difference(0, 2).unwrap().value, 2.0 * 190.848, 0.1);
    close(fit.elo(1).unwrap().value, 0.0, 0.1);
    assert!(fit.difference(8, 7).unwrap().low > 0.0);
    for (one, other) in [(0, 7), (5, 0), (5, 5), (0, 0), (0, 99), (99, 0)] {
        assert_eq!(fit.difference(one, other), None, "{one} {other}");
        assert_eq!(fit.likelihood_of_superiority(one, other), None, "{one} {other}");
    }
    assert_eq!((fit.elo(5), fit.elo(99)), (None, None));
    // The mean of each component is zero.
    close([0, 1, 2].map(|agent| fit.elo(agent).unwrap().value).iter().sum(), 0.0, 1e-6);
    close([7, 8].map(|agent| fit.elo(agent).unwrap().value).iter().sum(), 0.0, 1e-6);
}

#[test]
fn no_game_says_nothing() {
    for draws in [Draws::HalfWins, Draws::Davidson] {
        for games in [&[][..], &[game(&[], &[], None), game(&[4], &[100], Some(1))]] {
            let fit = Fit::of(games, draws);
            assert!(fit.agents().is_empty() && fit.components().is_empty());
            assert_eq!((fit.elo(0), fit.difference(0, 1)), (None, None));
            assert_eq!(fit.draw_parameter(), None);
            assert_eq!(fit.seat_advantage(2, Seat::FIRST, Seat::SECOND), None);
        }
    }
}

#[test]
fn a_single_game_says_little() {
    for draws in [Draws::HalfWins, Draws::Davidson] {
        let fit = Fit::of(&[game(&[u32::MAX, 0], &[51, 49], Some(u64::MAX))], draws);
        let difference = fit.difference(u32::MAX, 0).unwrap();
        assert!(difference.value > 0.0 && difference.low < -200.0, "{difference:?}");
        assert!(difference.high.is_finite());
        let superior = fit.likelihood_of_superiority(u32::MAX, 0).unwrap();
        assert!((0.5..0.9).contains(&superior), "{superior}");
    }
}

#[test]
fn seats_without_points_are_left_out() {
    let whole = [game(&[0, 1], &[100, 0], None)];
    let torn = [game(&[0, 1, 2], &[100, 0], None)];
    assert_eq!(Fit::of(&torn, Draws::HalfWins), Fit::of(&whole, Draws::HalfWins));
}

/// Random games of these agents at tables of 2 to 4, in small groups.
fn random_games(seed: u64, agents: &[u32], count: u64) -> Vec<GameResult> {
    let mut rng = Rng::new(seed);
    let mut play = |number: u64| {
        let players = 2 + rng.below(3) as usize;
        let seating: Vec<u32> = (0..players).filter_map(|_| rng.choose(agents).copied()).collect();
        let points: Vec<u8> = (0..players).map(|_| 25 * rng.below(5) as u8).collect();
        game(&seating, &points, (!number.is_multiple_of(5)).then_some(number / 3))
    };
    (0..count).map(&mut play).collect()
}

#[test]
fn order_and_names_are_no_matter() {
    let games = random_games(1, &[0, 1, 2, 3, 4], 200);
    let mut turned = games.clone();
    turned.reverse();
    for game in &mut turned {
        let renamed: Vec<u32> = game.seating.as_slice().iter().map(|agent| 1000 - agent).collect();
        game.seating = PerSeat::from_slice(&renamed);
        game.group = game.group.map(|group| group ^ 0xABCD);
    }
    for draws in [Draws::HalfWins, Draws::Davidson] {
        let (one, other) = (Fit::of(&games, draws), Fit::of(&turned, draws));
        for agent in 0..5 {
            let (one, other) = (one.elo(agent).unwrap(), other.elo(1000 - agent).unwrap());
            close(one.value, other.value, 1e-5);
            close(one.high, other.high, 1e-5);
        }
    }
}

#[test]
fn a_table_of_three_is_three_comparisons() {
    // Every order of seats, with the same results: so seats are worth nothing, and the values are
    // those of the two-player games it consists of.
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let (mut tables, mut pairs) = (Vec::new(), Vec::new());
    for (count, points_of) in
        [(5, [100, 50, 0]), (2, [50, 100, 0]), (1, [0, 50, 100]), (1, [50; 3])]
    {
        for order in orders.repeat(count) {
            let points = order.map(|agent| points_of[agent]);
            tables.push(game(&order.map(|agent| agent as u32), &points, None));
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                let seating = [order[a] as u32, order[b] as u32];
                pairs.push(game(&seating, &[points[a], points[b]], None));
            }
        }
    }
    for draws in [Draws::HalfWins, Draws::Davidson] {
        let (tables, pairs) = (Fit::of(&tables, draws), Fit::of(&pairs, draws));
        for agent in 0..3 {
            let (table, pair) = (tables.elo(agent).unwrap(), pairs.elo(agent).unwrap());
            close(table.value, pair.value, 1e-6);
            // The comparisons of a table are not independent.
            assert!((table.half_width() - pair.half_width()).abs() > 1.0);
        }
        close(tables.seat_advantage(3, Seat::FIRST, Seat::THIRD).unwrap().value, 0.0, 1e-6);
    }
}

#[test]
fn fifty_agents_and_a_hundred_thousand_games_are_no_trouble() {
    let mut rng = Rng::new(5);
    let games: Vec<GameResult> = (0..100_000)
        .map(|number| {
            let (one, other) = (rng.below(50) as u32, rng.below(50) as u32);
            let won = rng.below(100) < 50 + u64::from(one) - u64::from(other).min(u64::from(one));
            game(&[one, other], if won { &[100, 0] } else { &[0, 100] }, Some(number / 2))
        })
        .collect();
    let start = std::time::Instant::now();
    let fit = Fit::of(&games, Draws::Davidson);
    println!("{:?}", start.elapsed());
    assert_eq!(fit.components().len(), 1);
    assert!(fit.difference(49, 0).unwrap().low > 0.0);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
