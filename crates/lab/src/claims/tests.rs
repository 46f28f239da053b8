use std::path::Path;

use agon_arena::statistics::Sprt;
use agon_arena::store::{GameId, SeriesId};
use agon_arena::{Ledger, Registry};
use agon_core::Rng;
use proptest::prelude::*;

use super::*;
use crate::results::{Game, Played};
use crate::unit::{Build, Unit};

/// An experiment of so many comparisons, some of them sequential.
pub(crate) fn experiment(fixed: usize, sequential: usize) -> Experiment {
    let mut text =
        "variant = \"breakthrough:5x5\"\nagents = [\"random\", \"greedy\"]\n".to_string();
    for index in 0..fixed + sequential {
        text.push_str("[[compare]]\nkind = \"list\"\nbaseline = \"random\"\ngames = 100000\n");
        if index >= fixed {
            text.push_str("sprt = \"0,40\"\n");
        }
    }
    crate::file::parse(Path::new("x.toml"), &text, &Registry::built_in()).unwrap()
}

/// The results of a meeting from pairs of games: how many pairs the agent won twice, once, never.
fn played(sprt: Option<Sprt>, pairs: [u64; 3]) -> Played {
    let mut ledger = Ledger::new(2, 2);
    ledger.stop_judging();
    let (mut number, mut games) = (0, Vec::new());
    for (count, [first, second]) in pairs.into_iter().zip([[0, 100], [100, 100], [100, 0]]) {
        for _ in 0..count {
            for (seating, points) in [([0, 1], first), ([1, 0], second)] {
                ledger.count(&game(number, seating, points));
                games.push(row(number, seating, points));
                number += 1;
            }
        }
    }
    let state = sprt.map(|sprt| sprt.test(&agon_arena::statistics::Counts::Pairs(ledger.pairs)));
    Played {
        series: SeriesId(1),
        build: Build { version: "1".into(), signature: 0 },
        ledger,
        sprt: state,
        planned: number,
        games,
    }
}

/// A game in which the first seat got these points.
fn game(number: u64, seating: [u16; 2], points: u8) -> agon_arena::GameSummary {
    use agon_core::PerSeat;
    agon_arena::GameSummary {
        number,
        round: 0,
        seating: PerSeat::from_slice(&seating),
        plies: 10,
        effort: PerSeat::filled(2, agon_arena::game_summary::Effort::default()),
        points: PerSeat::from_slice(&[points, 100 - points]),
        reason: "".into(),
        end: agon_arena::verdict::End::Board,
        evidence: None,
        signature: 0,
        disturbed: false,
    }
}

/// The same as the report reads it, unlike any other.
fn row(number: u64, seating: [u16; 2], points: u8) -> Game {
    Game {
        id: GameId { series: SeriesId(1), number },
        group: number / 2,
        seating: seating.to_vec(),
        points: vec![points, 100 - points],
        plies: 10,
        effort: vec![(0, 0.0, 0); 2],
        end: "board".into(),
        reason: String::new(),
        disturbed: false,
        signature: number,
    }
}

fn results(experiment: &Experiment, all: Vec<Option<Played>>) -> Results {
    let units = all.into_iter().enumerate().map(|(comparison, played)| {
        let meeting = experiment.comparisons[comparison].meetings[0];
        let work = Work::Games { comparison, terms: 0, meeting };
        let found = played.map_or(Found::Nothing, |played| Found::Games(Box::new(played)));
        (Unit { key: format!("lab-{comparison}-"), work }, found)
    });
    Results { units: units.collect(), machine: None, shown: Vec::new() }
}

#[test]
fn more_games_show_smaller_differences_and_more_tests_larger_ones() {
    // By hand: 2.8016 errors of 0.05 are a score of 0.6401, which is 100 Elo.
    let hundred = detectable(100, 1).unwrap();
    assert!((hundred - 100.1).abs() < 0.5, "{hundred}");
    assert!(detectable(400, 1).unwrap() < hundred / 1.9);
    assert!(detectable(100, 20).unwrap() > hundred);
    assert_eq!(detectable(4, 100), None);
}

#[test]
fn findings_follow_the_corrected_test() {
    let alone = experiment(1, 0);
    // 60 % in 100 pairs: 30 won, 60 shared, 10 lost.
    let one = results(&alone, vec![Some(played(None, [10, 60, 30]))]);
    let test = &tests(&alone, &one)[0].clone().unwrap();
    assert_eq!(test.finding, Finding::Better);
    assert!(test.sentence(&alone).starts_with("greedy is stronger than random: 60.0 %"));
    // The same result is not enough among a thousand.
    let many = experiment(1000, 0);
    let mut all: Vec<Option<Played>> = vec![None; 1000];
    all[7] = Some(played(None, [10, 60, 30]));
    let many_results = results(&many, all);
    let test = tests(&many, &many_results)[7].clone().unwrap();
    assert_eq!(test.finding, Finding::Open);
    assert!(
        test.sentence(&many).contains("not distinguishable at 95 %"),
        "{}",
        test.sentence(&many)
    );
}

#[test]
fn sequential_tests_decide_for_themselves() {
    let experiment = experiment(0, 2);
    let sprt = experiment.comparisons[0].sprt;
    let all =
        results(&experiment, vec![Some(played(sprt, [0, 10, 200])), Some(played(sprt, [2, 3, 2]))]);
    let tests = tests(&experiment, &all);
    let finding = |index: usize| tests[index].as_ref().unwrap().finding;
    assert_eq!((finding(0), finding(1)), (Finding::Better, Finding::Open));
    let sentence = tests[1].as_ref().unwrap().sentence(&experiment);
    assert!(sentence.contains("is not decided"), "{sentence}");
    assert_eq!(tests[0].as_ref().unwrap().p, None);
}

/// An independent computation of the same probability: of the pairs that one side won, so many or
/// fewer for the loser, as heads of a coin, both ways.
fn expected_p([lost, _, won]: [u64; 3]) -> f64 {
    let (all, least) = (lost + won, lost.min(won));
    let mut choose = 1.0;
    let mut sum = 0.0;
    for k in 0..=least {
        sum += choose;
        choose *= (all - k) as f64 / (k + 1) as f64;
    }
    (2.0 * sum / 2f64.powi(all as i32)).min(1.0)
}

proptest! {
    /// A claim of "stronger" or "weaker" only where the corrected test says so, whatever the results.
    #[test]
    fn the_prose_claims_no_more_than_the_statistics(
        pairs in prop::collection::vec([0u64..60, 0..60, 0..60], 1..12),
        missing in 0usize..6,
    ) {
        let played_pairs: Vec<[u64; 3]> =
            pairs.into_iter().map(|[a, b, c]| [a, b + 1, c]).collect();
        let all = played_pairs.len() + missing;
        let experiment = experiment(all, 0);
        let found = played_pairs.iter().map(|pairs| Some(played(None, *pairs)));
        let found: Vec<_> = found.chain((0..missing).map(|_| None)).collect();
        let results = results(&experiment, found);
        let tests = tests(&experiment, &results);
        let raw: Vec<f64> = played_pairs.iter().map(|pairs| expected_p(*pairs)).collect();
        for (index, pairs) in played_pairs.iter().enumerate() {
            // Holm, by its definition: rejected if all smaller ones are rejected at their levels.
            let mut order = raw.clone();
            order.sort_by(f64::total_cmp);
            let rank = order.iter().position(|p| *p == raw[index]).unwrap();
            let rejected = (0..=rank).all(|k| order[k] < 0.05 / (all - k) as f64);
            let test = tests[index].as_ref().unwrap();
            let sentence = test.sentence(&experiment);
            let up = pairs[2] > pairs[0];
            prop_assert_eq!(sentence.contains("stronger"), rejected && up, "{} {:?}", &sentence, pairs);
            prop_assert_eq!(sentence.contains("weaker"), rejected && !up, "{} {:?}", &sentence, pairs);
            prop_assert_eq!(sentence.contains("not distinguishable"), !rejected);
        }
        // And nothing else in the report claims it.
        let report = crate::report::write(&experiment, &results);
        let page = crate::report::html::page(&report);
        let claims = |word: &str| page.matches(word).count();
        let sentences = tests.iter().flatten().map(|test| test.sentence(&experiment));
        let said = sentences.filter(|it| it.contains("is stronger than")).count();
        prop_assert_eq!(claims("is stronger than"), said);
        prop_assert!(!page.contains("clearly") && !page.contains("significantly"));
    }
}

/// Agents of known strength play so many pairs from openings that favour one side. How many of the
/// intervals hold the truth, and how many of the experiments claim something wrong.
fn simulated(families: usize, truths: &[f64], pairs: usize) -> (f64, f64) {
    let mut rng = Rng::new(pairs as u64);
    let mut uniform = move || rng.next_u64() as f64 / 2f64.powi(64);
    let experiment = experiment(truths.len(), 0);
    let (mut held, mut wrong) = (0, 0);
    for _ in 0..families {
        let found = truths.iter().map(|truth| {
            let mut counts = [0; 3];
            for _ in 0..pairs {
                // An opening that favours one side favours each agent once.
                let favour = if uniform() < 0.5 { 0.2 } else { -0.2 };
                let won = [favour, -favour].map(|by| usize::from(uniform() < truth + by));
                counts[won[0] + won[1]] += 1;
            }
            Some(played(None, counts))
        });
        let results = results(&experiment, found.collect());
        let tests = tests(&experiment, &results);
        let judged = || tests.iter().flatten().zip(truths);
        held += judged()
            .filter(|(it, truth)| it.score.low <= **truth && **truth <= it.score.high)
            .count();
        let is_wrong = |(it, truth): (&Test, &f64)| match it.finding {
            Finding::Better => *truth <= 0.5,
            Finding::Worse => *truth >= 0.5,
            Finding::Open => false,
        };
        wrong += usize::from(judged().any(is_wrong));
    }
    (held as f64 / (families * truths.len()) as f64, wrong as f64 / families as f64)
}

#[test]
fn the_promises_are_kept_in_simulation() {
    let (held, wrong) = simulated(400, &[0.5, 0.5, 0.5, 0.5, 0.55, 0.6, 0.7, 0.5], 50);
    assert!((0.935..=0.975).contains(&held), "{held} of the intervals hold the truth");
    assert!(wrong <= 0.05, "{wrong} of the experiments claim something wrong");
    // Few games and many tests, where approximations fail.
    for (tests, pairs) in [(20, 10), (50, 25), (100, 12)] {
        let (_, wrong) = simulated(200, &vec![0.5; tests], pairs);
        assert!(wrong <= 0.06, "{wrong} with {tests} tests of {pairs} pairs");
    }
}

#[test]
fn repeated_and_unfinished_games_are_no_evidence() {
    let experiment = experiment(1, 0);
    let finding = |played: Played| {
        let results = results(&experiment, vec![Some(played)]);
        tests(&experiment, &results)[0].clone().unwrap()
    };
    let clear = played(None, [0, 0, 20]);
    assert_eq!(finding(clear.clone()).finding, Finding::Better);
    let mut repeated = clear.clone();
    repeated.games.iter_mut().for_each(|game| game.signature = game.id.number % 2);
    assert_eq!(finding(repeated).p, Some(1.0));
    // Many copies of one lost pair beside a few won ones: whom the score favours is not whom the
    // evidence does.
    let mut misleading = played(None, [60, 0, 20]);
    misleading.games.iter_mut().take(120).for_each(|game| game.signature = game.id.number % 2);
    assert_eq!(finding(misleading).finding, Finding::Better);
    let unfinished = finding(Played { planned: 100, ..clear });
    assert_eq!(unfinished.finding, Finding::Open);
    let sentence = unfinished.sentence(&experiment);
    assert!(sentence.contains("nothing is claimed before the 60 missing ones"), "{sentence}");
}
