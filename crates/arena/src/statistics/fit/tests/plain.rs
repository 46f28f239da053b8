//! The same fit by other means: from a table of text, by a coordinate search without derivatives;
//! and by a program in another language.

use std::collections::BTreeMap;

use super::{close, random_games};
use crate::statistics::{Draws, ELO_PER_NAT, Fit, GameResult};
use agon_core::{PerSeat, Seat};

/// Group (or empty), seating and points.
fn write(games: &[GameResult]) -> String {
    let list = |numbers: Vec<String>| numbers.join(" ");
    let line = |game: &GameResult| {
        let group = game.group.map_or(String::new(), |group| group.to_string());
        let seating = list(game.seating.as_slice().iter().map(u32::to_string).collect());
        let points = list(game.points.as_slice().iter().map(u8::to_string).collect());
        format!("{group},{seating},{points}\n")
    };
    std::iter::once("group,seating,points\n".to_string()).chain(games.iter().map(line)).collect()
}

fn read(text: &str) -> Vec<GameResult> {
    let game = |line: &str| {
        let parts: Vec<&str> = line.split(',').collect();
        let seating: Vec<u32> = parts[1].split(' ').map(|agent| agent.parse().unwrap()).collect();
        let points: Vec<u8> = parts[2].split(' ').map(|points| points.parse().unwrap()).collect();
        GameResult {
            seating: PerSeat::from_slice(&seating),
            points: PerSeat::from_slice(&points),
            group: parts[0].parse().ok(),
        }
    };
    text.lines().skip(1).map(game).collect()
}

/// What a parameter belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Agent(u32),
    Seat(usize, usize),
    Draw,
}

type Values = BTreeMap<Of, f64>;

/// The values minus the mean of their kind.
fn centred(values: &Values) -> Values {
    let kind = |of: &Of| match of {
        Of::Agent(_) => 0,
        Of::Seat(players, _) => *players,
        Of::Draw => usize::MAX,
    };
    let mean = |of: &Of| {
        let alike: Vec<f64> =
            values.iter().filter(|(other, _)| kind(other) == kind(of)).map(|(_, v)| *v).collect();
        if *of == Of::Draw { 0.0 } else { alike.iter().sum::<f64>() / alike.len() as f64 }
    };
    values.iter().map(|(of, value)| (*of, value - mean(of))).collect()
}

/// The logarithm of the likelihood, straight from the formulas.
fn log_likelihood(games: &[GameResult], values: &Values) -> f64 {
    let values = &centred(values);
    let nu = values.get(&Of::Draw).map(|log| log.exp());
    let mut sum = 0.0;
    for game in games {
        let (agents, points) = (game.seating.as_slice(), game.points.as_slice());
        let strength =
            |seat: usize| values[&Of::Agent(agents[seat])] + values[&Of::Seat(agents.len(), seat)];
        for a in 0..agents.len() {
            for b in a + 1..agents.len() {
                let [one, other] = [a, b].map(|seat| strength(seat).exp());
                let tie = nu.unwrap_or(0.0) * (one * other).sqrt();
                let [win, draw, loss] =
                    [one, tie, other].map(|part| (part / (one + tie + other)).ln());
                sum += match (points[a].cmp(&points[b]), nu) {
                    (std::cmp::Ordering::Greater, _) => win,
                    (std::cmp::Ordering::Less, _) => loss,
                    (std::cmp::Ordering::Equal, Some(_)) => draw,
                    (std::cmp::Ordering::Equal, None) => (win + loss) / 2.0,
                };
            }
        }
    }
    for (of, value) in values {
        let odds = if *of == Of::Draw { value.exp() / 2.0 } else { value.exp() };
        sum += 0.5 * (odds / (1.0 + odds)).ln() + 0.5 * (1.0 / (1.0 + odds)).ln();
    }
    sum
}

/// The maximum of a unimodal function, by golden-section search.
fn golden(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let part = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut a, mut b) = (high - part * (high - low), low + part * (high - low));
    let (mut at_a, mut at_b) = (function(a), function(b));
    while high - low > 1e-8 {
        if at_a > at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - part * (high - low);
            at_a = function(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + part * (high - low);
            at_b = function(b);
        }
    }
    (low + high) / 2.0
}

/// The best values, one parameter after another, until they converge.
fn maximise(games: &[GameResult], draws: Draws) -> Values {
    let mut values = Values::new();
    for game in games {
        for (seat, agent) in game.seating.iter() {
            values.insert(Of::Agent(*agent), 0.0);
            values.insert(Of::Seat(game.seating.seats(), seat.index()), 0.0);
        }
    }
    if draws == Draws::Davidson {
        values.insert(Of::Draw, 0.0);
    }
    let parameters: Vec<Of> = values.keys().copied().collect();
    let mut reach = 4.0;
    loop {
        let before = centred(&values);
        for of in &parameters {
            let at = values[of];
            let best = golden(at - reach, at + reach, |value| {
                let mut changed = values.clone();
                changed.insert(*of, value);
                log_likelihood(games, &changed)
            });
            values.insert(*of, best);
        }
        let after = centred(&values);
        let moved = before.iter().map(|(of, value)| (after[of] - value).abs()).fold(0.0, f64::max);
        if moved < 1e-7 {
            return after;
        }
        reach = (10.0 * moved).min(reach);
    }
}

#[test]
fn a_search_without_derivatives_finds_the_same() {
    for (seed, draws) in [(1, Draws::HalfWins), (2, Draws::Davidson)] {
        let games = random_games(seed, &[0, 1, 2, 7], 60);
        let text = write(&games);
        let again = read(&text);
        assert_eq!(again, games);
        let (fit, plain) = (Fit::of(&games, draws), maximise(&again, draws));
        for (of, wanted) in &plain {
            let found = match *of {
                Of::Agent(agent) => fit.elo(agent).unwrap().value,
                Of::Seat(players, seat) => {
                    let (seat, first) = (Seat::new(seat), plain[&Of::Seat(players, 0)]);
                    let over = fit.seat_advantage(players, seat, Seat::FIRST).unwrap().value;
                    over + ELO_PER_NAT * first
                }
                Of::Draw => ELO_PER_NAT * fit.draw_parameter().unwrap().value.ln(),
            };
            close(found, ELO_PER_NAT * wanted, 0.01);
        }
    }
}

#[test]
fn another_language_finds_the_same_values_and_errors() {
    // The program that made these files is beside them.
    let games_of_two = read(include_str!("../vectors/games_of_two.csv"));
    let games_of_three = read(include_str!("../vectors/games_of_three.csv"));
    let expected = include_str!("../vectors/expected.csv");
    let mut checked = 0;
    for line in expected.lines().skip(1) {
        let parts: Vec<&str> = line.split(',').collect();
        let games = if parts[0] == "games_of_two" { &games_of_two } else { &games_of_three };
        let draws = if parts[1] == "Davidson" { Draws::Davidson } else { Draws::HalfWins };
        let fit = Fit::of(games, draws);
        let words: Vec<&str> = parts[2].split(' ').collect();
        let number = |index: usize| words[index].parse::<u32>().unwrap();
        let estimate = match words[..] {
            ["agent", _] => fit.elo(number(1)),
            ["agent", _, "over", _] => fit.difference(number(1), number(3)),
            ["seat", _, "over", _] => {
                let [seat, over] = [number(1), number(3)].map(|seat| Seat::new(seat as usize));
                fit.seat_advantage(games[0].seating.seats(), seat, over)
            }
            _ => fit.draw_parameter(),
        };
        let mut estimate = estimate.unwrap();
        if words[0] == "log" {
            (estimate.value, estimate.high) = (estimate.value.ln(), estimate.high.ln());
        }
        let [value, half_width] = [3, 4].map(|part| parts[part].parse::<f64>().unwrap());
        close(estimate.value, value, 0.01);
        close(estimate.high - estimate.value, half_width, 0.01);
        checked += 1;
    }
    assert_eq!(checked, 30);
}
