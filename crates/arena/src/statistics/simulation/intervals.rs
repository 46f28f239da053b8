//! Bias and coverage of the intervals.

use agon_core::{PerSeat, Seat};

use super::{DrawModel, Duel, Random, trials};
use crate::estimate::{Estimate, Z95, elo, expected_score};
use crate::statistics::{Counts, Draws, ELO_PER_NAT, Fit, GameResult};

/// The record of an estimate over many tournaments.
struct Record {
    name: &'static str,
    truth: f64,
    errors: Vec<f64>,
    held: usize,
    widths: f64,
}

impl Record {
    fn new(name: &'static str, truth: f64) -> Record {
        Record { name, truth, errors: Vec::new(), held: 0, widths: 0.0 }
    }

    fn add(&mut self, estimate: Estimate) {
        self.errors.push(estimate.value - self.truth);
        self.held += usize::from((estimate.low..=estimate.high).contains(&self.truth));
        self.widths += (estimate.high - estimate.low) / 2.0 / Z95;
    }

    /// The mean is right up to its sampling error and 0.15 errors of one estimate (an estimate of
    /// odds from n games has a bias of the order 1/n); the interval contains the truth in 93 to 97
    /// % of the cases.
    #[track_caller]
    fn check(&self, scenario: &str) {
        let count = self.errors.len() as f64;
        let bias = self.errors.iter().sum::<f64>() / count;
        let squares: f64 = self.errors.iter().map(|error| (error - bias).powi(2)).sum();
        let deviation = (squares / (count - 1.0)).sqrt();
        let (coverage, stated) = (self.held as f64 / count, self.widths / count);
        let text = format!(
            "{scenario}, {} {:.1}: bias {bias:.3} ± {:.3}, deviation {deviation:.3}, stated \
             {stated:.3}, coverage {:.1} % of {count}",
            self.name,
            self.truth,
            deviation / count.sqrt(),
            100.0 * coverage,
        );
        println!("{text}");
        assert!(bias.abs() < 4.0 * deviation / count.sqrt() + 0.15 * deviation, "{text}");
        assert!((0.93..=0.97).contains(&coverage), "{text}");
    }
}

/// Fits many tournaments and checks the estimates taken from each.
#[track_caller]
fn check_fits<const N: usize>(
    scenario: &str,
    draws: Draws,
    mut records: [Record; N],
    mut play: impl FnMut(&mut Random) -> Vec<GameResult>,
    read: impl Fn(&Fit) -> [Option<Estimate>; N],
) {
    let mut random = Random::new(scenario.len() as u64);
    for _ in 0..trials(3000) {
        let fit = Fit::of(&play(&mut random), draws);
        for (record, estimate) in records.iter_mut().zip(read(&fit)) {
            record.add(estimate.unwrap());
        }
    }
    records.iter().for_each(|record| record.check(scenario));
}

const SIX: [f64; 6] = [-150.0, -90.0, -20.0, 30.0, 80.0, 150.0];

/// The first seat of two over the second.
fn first_seat(fit: &Fit) -> Option<Estimate> {
    fit.seat_advantage(2, Seat::FIRST, Seat::SECOND)
}

#[test]
fn two_agents_without_draws() {
    let duel = Duel { draws: DrawModel::Share(0.0), first_seat: 0.0, shared: 0.0 };
    let records = [Record::new("difference", 100.0), Record::new("elo", 50.0)];
    check_fits(
        "two agents, 100 games",
        Draws::HalfWins,
        records,
        |random| duel.round_robin(random, &[50.0, -50.0], 50),
        |fit| [fit.difference(0, 1), fit.elo(0)],
    );
}

#[test]
fn two_agents_with_draws_seats_and_pairs_that_belong_together() {
    let duel = Duel { draws: DrawModel::Share(0.5), first_seat: 60.0, shared: 0.6 };
    // If a seat has an advantage, the balanced score over both seats counts.
    let records = [Record::new("difference", 120.0), Record::new("first seat", 60.0)];
    check_fits(
        "two agents, 200 games, half wins, pairs alike",
        Draws::HalfWins,
        records,
        |random| duel.round_robin(random, &[60.0, -60.0], 100),
        |fit| [fit.difference(0, 1), first_seat(fit)],
    );
}

#[test]
fn six_agents_without_draws() {
    let duel = Duel { draws: DrawModel::Share(0.0), first_seat: 40.0, shared: 0.3 };
    let records = [
        Record::new("elo", -150.0),
        Record::new("elo", 30.0),
        Record::new("difference", 170.0),
        Record::new("first seat", 40.0),
    ];
    check_fits(
        "six agents, 300 games",
        Draws::HalfWins,
        records,
        |random| duel.round_robin(random, &SIX, 10),
        |fit| [fit.elo(0), fit.elo(3), fit.difference(5, 2), first_seat(fit)],
    );
}

#[test]
fn six_agents_with_the_draws_of_davidson() {
    let nu: f64 = 0.8;
    let duel = Duel { draws: DrawModel::Nu(nu), first_seat: 50.0, shared: 0.5 };
    let records = [
        Record::new("elo", -150.0),
        Record::new("difference", 170.0),
        Record::new("first seat", 50.0),
        Record::new("ln ν", nu.ln()),
    ];
    check_fits(
        "six agents, 300 games, Davidson",
        Draws::Davidson,
        records,
        |random| duel.round_robin(random, &SIX, 10),
        |fit| {
            let log_nu = fit.draw_parameter().map(|Estimate { value, low, high }| Estimate {
                value: value.ln(),
                low: low.ln(),
                high: high.ln(),
            });
            [fit.elo(0), fit.difference(5, 2), first_seat(fit), log_nu]
        },
    );
}

#[test]
fn few_and_lopsided_games_have_honest_intervals_too() {
    let duel = Duel { draws: DrawModel::Share(0.2), first_seat: 30.0, shared: 0.3 };
    let mut random = Random::new(11);
    for (name, strengths, pairs) in [
        ("two agents, 10 games", &[30.0, -30.0][..], 5),
        ("two agents, 20 games", &[150.0, -150.0], 10),
        ("two agents, 40 games", &[200.0, -200.0], 20),
        ("six agents, 60 games", &SIX, 2),
    ] {
        let difference = strengths[0] - strengths[strengths.len() - 1];
        let other = strengths.len() as u32 - 1;
        let mut record = Record::new("difference", difference);
        for _ in 0..trials(2000) {
            let games = duel.round_robin(&mut random, strengths, pairs);
            record.add(Fit::of(&games, Draws::HalfWins).difference(0, other).unwrap());
        }
        let coverage = record.held as f64 / record.errors.len() as f64;
        println!("{name}, {difference} Elo: coverage {:.1} %", 100.0 * coverage);
        assert!((0.92..=0.99).contains(&coverage), "{name}: {coverage}");
    }
}

/// Three at a table after Plackett and Luce: every two are compared as in a game of two.
struct SimulatedTable {
    strengths: [f64; 4],
    seats: [f64; 3],
    /// How often the luck of a seat is the same in all games of an opening.
    shared: f64,
    /// Players slower by no more than this factor share the place.
    tie: f64,
}

impl SimulatedTable {
    /// The six games of an opening.
    fn opening(&self, random: &mut Random, agents: [usize; 3], group: u64) -> Vec<GameResult> {
        let favour = [(); 3].map(|()| random.uniform());
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let play = |order: [usize; 3]| {
            let seating = order.map(|index| agents[index]);
            let times = [0, 1, 2].map(|seat| {
                let own = random.uniform();
                let luck = if random.uniform() < self.shared { favour[seat] } else { own };
                let strength = self.strengths[seating[seat]] + self.seats[seat];
                -luck.ln() / (strength / ELO_PER_NAT).exp()
            });
            let behind = |time: f64| times.iter().filter(|other| **other > time * self.tie).count();
            GameResult {
                seating: PerSeat::from_slice(&seating.map(|agent| agent as u32)),
                points: PerSeat::from_slice(&times.map(|time| 50 * behind(time) as u8)),
                group: Some(group),
            }
        };
        orders.into_iter().map(play).collect()
    }

    /// This many openings for every three of the four agents.
    fn tournament(&self, random: &mut Random, openings: usize) -> Vec<GameResult> {
        let tables = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]].repeat(openings);
        let numbered = tables.into_iter().zip(0..);
        numbered.flat_map(|(agents, group)| self.opening(random, agents, group)).collect()
    }
}

const FOUR_AT_THREE: SimulatedTable = SimulatedTable {
    strengths: [-120.0, -30.0, 40.0, 110.0],
    seats: [40.0, 0.0, -40.0],
    shared: 0.3,
    tie: 1.0,
};

#[test]
fn three_at_a_table() {
    let records = [
        Record::new("elo", -120.0),
        Record::new("difference", 140.0),
        Record::new("first seat over third", 80.0),
    ];
    check_fits(
        "four agents at tables of three, 240 games",
        Draws::HalfWins,
        records,
        |random| FOUR_AT_THREE.tournament(random, 10),
        |fit| {
            let seat = fit.seat_advantage(3, Seat::FIRST, Seat::THIRD);
            [fit.elo(0), fit.difference(3, 1), seat]
        },
    );
}

#[test]
fn three_at_a_table_who_share_places() {
    // The model of draws does not quite fit these games. The truth is estimated from many games.
    let table = SimulatedTable { tie: 1.3, ..FOUR_AT_THREE };
    let many = table.tournament(&mut Random::new(1), 8000);
    for (draws, scenario) in [
        (Draws::HalfWins, "shared places, half wins"),
        (Draws::Davidson, "shared places, Davidson"),
    ] {
        let truth = Fit::of(&many, draws);
        let records = [
            Record::new("elo", truth.elo(0).unwrap().value),
            Record::new("difference", truth.difference(3, 1).unwrap().value),
        ];
        check_fits(
            scenario,
            draws,
            records,
            |random| table.tournament(random, 10),
            |fit| [fit.elo(0), fit.difference(3, 1)],
        );
    }
}

#[test]
fn games_of_a_pair_that_are_taken_as_independent_are_misjudged() {
    // The reason for groups: without them the interval is too wide here, far from 95 of 100.
    let duel = Duel { draws: DrawModel::Share(0.0), first_seat: 0.0, shared: 0.7 };
    let mut random = Random::new(3);
    let mut held = [0; 2];
    let count = trials(1000);
    for _ in 0..count {
        let grouped = duel.round_robin(&mut random, &[25.0, -25.0], 60);
        let single: Vec<GameResult> =
            grouped.iter().map(|game| GameResult { group: None, ..*game }).collect();
        for (held, games) in held.iter_mut().zip([grouped, single]) {
            let found = Fit::of(&games, Draws::HalfWins).difference(0, 1).unwrap();
            *held += usize::from((found.low..=found.high).contains(&50.0));
        }
    }
    let [grouped, single] = held.map(|held| held as f64 / count as f64);
    assert!((0.925..=0.975).contains(&grouped), "{grouped}");
    assert!(single > 0.985, "{single}");
}

#[test]
fn counts_of_pairs() {
    for (pairs, difference, first_seat, share, shared) in
        [(50, 0.0, 0.0, 0.3, 0.0), (100, 100.0, 60.0, 0.5, 0.6), (300, -250.0, 20.0, 0.2, 0.3)]
    {
        let duel = Duel { draws: DrawModel::Share(share), first_seat, shared };
        let scores = [1.0, -1.0].map(|sign| expected_score(difference + sign * first_seat));
        let mean = (scores[0] + scores[1]) / 2.0;
        let mut random = Random::new(pairs);
        // The true normalised Elo is estimated from very many pairs.
        let truth = counts(&duel, &mut random, difference, 400_000).normalised_elo().unwrap().value;
        let mut by_elo = Record::new("elo", elo(mean));
        let mut by_deviation = Record::new("normalised elo", truth);
        for _ in 0..trials(3000) {
            let counts = counts(&duel, &mut random, difference, pairs);
            by_elo.add(counts.elo().unwrap());
            by_deviation.add(counts.normalised_elo().unwrap());
        }
        by_elo.check(&format!("{pairs} pairs"));
        by_deviation.check(&format!("{pairs} pairs"));
    }
}

/// The counts of this many pairs.
fn counts(duel: &Duel, random: &mut Random, difference: f64, pairs: u64) -> Counts {
    let mut counts = [0; 5];
    for _ in 0..pairs {
        let halves: u8 = duel.pair(random, difference).iter().sum();
        counts[usize::from(halves)] += 1;
    }
    Counts::Pairs(counts)
}
