use std::collections::BTreeSet;

use agon_core::Rng;

use super::super::ledger::tests::{fault, game};
use super::super::roster::{Roster, Stay};
use super::super::{Changed, Entrant};
use super::*;
use crate::agent::Agent;
use crate::clock::Pace;
use crate::fixture::Terms;
use crate::game_summary::GameSummary;
use crate::openings::Openings;
use crate::verdict::Fault;

fn tournament(format: Format, agents: usize, variants: &[&str], games: u64) -> Tournament {
    let entrant = |number: usize| Entrant {
        name: format!("agent {number}"),
        agent: Agent::built_in("random".parse().unwrap()),
        options: Vec::new(),
    };
    let terms = |variant: &&str| Terms {
        catalog: agon_games::Catalog::built_in(),
        variant: variant.parse().unwrap(),
        pace: Pace::default(),
        openings: Openings::Random(4),
    };
    let seats = if variants[0].contains("star3") { 3 } else { 2 };
    Tournament {
        name: "test".into(),
        format,
        entrants: (0..agents).map(entrant).collect(),
        terms: variants.iter().map(terms).collect(),
        seats,
        games,
        seed: 1,
        concurrency: None,
        oversubscribe: false,
        sprt: None,
        replay_disturbed: false,
        reference_speed: None,
        source: None,
        changed: Changed::default(),
    }
}

/// Random results in which the stronger (smaller) number wins more often, as a function of the game
/// alone.
fn result(fixture: &Fixture) -> GameSummary {
    let mut rng = Rng::new(fixture.number);
    let mut order: Vec<(u64, usize)> = fixture
        .seating
        .as_slice()
        .iter()
        .enumerate()
        .map(|(seat, agent)| (u64::from(*agent) * 40 + rng.below(200), seat))
        .collect();
    order.sort_unstable();
    let mut points = vec![0; order.len()];
    points[order[0].1] = 100;
    if order.len() == 3 {
        points[order[1].1] = 50;
    }
    game(fixture.number, fixture.seating.as_slice(), &points)
}

fn fixtures(batch: &Batch) -> Vec<Fixture> {
    let all: Vec<Fixture> = (0..).map_while(|index| batch.fixture(index)).collect();
    assert_eq!(all.len() as u64, batch.games());
    assert_eq!(all[0].number, batch.first());
    all
}

fn all_games(tournament: &Tournament) -> (Vec<Fixture>, Ledger, u32) {
    let mut schedule = Schedule::new(Outline::of(tournament));
    let mut ledger = Ledger::for_ratings(tournament.entrants.len(), tournament.seats);
    let mut all = Vec::new();
    while let Some(batch) = schedule.next(&ledger) {
        for fixture in fixtures(&batch) {
            ledger.count(&result(&fixture));
            all.push(fixture);
        }
    }
    (all, ledger, schedule.round())
}

#[test]
fn games_are_numbered_and_everybody_takes_every_seat() {
    for (variants, agents, games) in
        [(&["breakthrough:5x5", "breakthrough:6x6"][..], 5, 4), (&["fauhalma:star3"], 4, 6)]
    {
        let tournament = tournament(Format::RoundRobin, agents, variants, games);
        let (all, ledger, _) = all_games(&tournament);
        assert_eq!(all.len() as u64, Schedule::games(&tournament));
        assert!(all.iter().enumerate().all(|(number, it)| it.number == number as u64));
        let totals: BTreeSet<u64> =
            ledger.agents().iter().map(|totals| totals.results.games).collect();
        assert_eq!(totals.len(), 1, "everybody plays as much: {totals:?}");
        // Every seating of a group is different, with the same opening.
        let distinct: BTreeSet<(u16, u64, Vec<u16>)> =
            all.iter().map(|it| (it.terms, it.group, it.seating.as_slice().to_vec())).collect();
        assert_eq!(distinct.len(), all.len());
        for agent in 0..agents as u16 {
            let at =
                |seat: usize| all.iter().filter(|it| it.seating.as_slice()[seat] == agent).count();
            assert!((1..tournament.seats).all(|seat| at(seat) == at(0)));
        }
    }
}

#[test]
fn a_gauntlet_is_about_its_champion() {
    let (all, ledger, _) =
        all_games(&tournament(Format::Gauntlet { champions: 1 }, 6, &["congo"], 2));
    assert_eq!(all.len(), 10);
    assert_eq!(ledger.agent(0).results.games, 10);
    assert!((1..6).all(|agent| ledger.agent(agent).results.games == 2));
}

#[test]
fn a_swiss_tournament_finds_the_best_in_few_rounds() {
    let (all, ledger, rounds) =
        all_games(&tournament(Format::Swiss { rounds: 5 }, 16, &["congo"], 2));
    assert_eq!((all.len(), rounds), (5 * 16, 5));
    let mut ranking: Vec<u16> = (0..16).collect();
    ranking.sort_by_key(|&agent| std::cmp::Reverse(ledger.agent(agent).results.points));
    assert!(ranking[..4].contains(&0), "{ranking:?}");
    assert!(ranking[12..].contains(&15), "{ranking:?}");
}

#[test]
fn a_contest_ends_when_ratings_have_settled_or_rounds_are_over() {
    let few = Format::Contest { rounds: 4, settled: 1.0, groups: 2 };
    let (_, _, rounds) = all_games(&tournament(few, 8, &["congo"], 2));
    assert_eq!(rounds, 4);
    let loose = Format::Contest { rounds: 500, settled: 60.0, groups: 2 };
    let (all, _, rounds) = all_games(&tournament(loose, 8, &["congo"], 2));
    assert!((4..100).contains(&rounds), "{rounds}");
    // Those who have just met do not meet again at once.
    for pair in all.windows(1 + 8).filter(|games| games[0].round + 1 == games[8].round) {
        let sorted = |it: &Fixture| {
            let mut agents = it.seating.as_slice().to_vec();
            agents.sort_unstable();
            agents
        };
        let next = all.iter().filter(|it| it.round == pair[8].round);
        assert!(next.clone().all(|it| sorted(it) != sorted(&pair[0])), "{pair:?}");
    }
}

#[test]
fn the_same_results_give_the_same_games() {
    for format in
        [Format::Swiss { rounds: 6 }, Format::Contest { rounds: 10, settled: 5.0, groups: 1 }]
    {
        for (variants, agents, games) in [(&["congo"], 9, 2), (&["fauhalma:star3"], 8, 6)] {
            let tournament = tournament(format, agents, variants, games);
            assert_eq!(all_games(&tournament).0, all_games(&tournament).0);
        }
    }
}

#[test]
fn the_withdrawn_are_not_paired_any_more() {
    let tournament = tournament(Format::Swiss { rounds: 4 }, 6, &["congo"], 4);
    let mut schedule = Schedule::new(Outline::of(&tournament));
    let mut ledger = Ledger::new(6, 2);
    let first = fixtures(&schedule.next(&ledger).unwrap());
    let culprit = first[0].seating.as_slice()[0];
    for fixture in &first {
        let seat = fixture.seating.iter().find(|(_, agent)| **agent == culprit);
        let played = match seat {
            Some((seat, _)) => {
                fault(fixture.number, fixture.seating.as_slice(), seat, Fault::Stalled)
            }
            None => result(fixture),
        };
        ledger.count(&played);
    }
    assert!(ledger.is_withdrawn(culprit));
    let second = fixtures(&schedule.next(&ledger).unwrap());
    assert_eq!(second.len(), 2 * 4, "five are left, one of them sits out");
    assert!(second.iter().all(|it| !it.seating.as_slice().contains(&culprit)));
}

/// The fixtures as they were listed before they were computed from their index: data folders depend
/// on them.
fn listed(rounds: &[Vec<Meeting>], terms: usize, games: u64) -> Vec<Fixture> {
    let mut all = Vec::new();
    let mut groups = vec![0; terms];
    for (round, meetings) in (0..).zip(rounds) {
        for (pairing, agents) in (0..).zip(meetings) {
            let size = group_size(agents.len());
            let mut leg = 0;
            for (terms, first) in (0..).zip(&mut groups) {
                for game in 0..games {
                    let (group, seating) = (*first + game / size, seating(agents, game % size));
                    let number = all.len() as u64;
                    all.push(Fixture { number, round, pairing, leg, terms, group, seating });
                    leg += 1;
                }
                *first += games / size;
            }
        }
    }
    all
}

#[test]
fn games_have_the_places_they_always_had() {
    let two = ["breakthrough:5x5", "breakthrough:6x6", "congo"];
    for (format, agents, variants, games) in [
        (Format::RoundRobin, 7, &two[..], 4),
        (Format::RoundRobin, 5, &["fauhalma:star3"], 12),
        (Format::Gauntlet { champions: 2 }, 6, &two[..2], 2),
        (Format::Gauntlet { champions: 1 }, 5, &["fauhalma:star3"], 6),
    ] {
        let tournament = tournament(format, agents, variants, games);
        let rounds = match format {
            Format::Gauntlet { champions } => {
                vec![pairing::gauntlet(agents as u16, champions, tournament.seats)]
            }
            _ => pairing::everybody(agents as u16, tournament.seats),
        };
        assert_eq!(all_games(&tournament).0, listed(&rounds, variants.len(), games));
    }
    // Rounds that depend on results: as many batches, with consecutive numbers.
    let swiss = tournament(Format::Swiss { rounds: 4 }, 7, &two, 2);
    let (all, ..) = all_games(&swiss);
    let meetings = |round: u32| -> Vec<Meeting> {
        let first = all.iter().filter(|it| it.round == round && it.leg == 0);
        first.map(|it| it.seating.as_slice().to_vec()).collect()
    };
    assert_eq!(all, listed(&(0..4).map(meetings).collect::<Vec<_>>(), 3, 2));
}

#[test]
fn a_match_is_one_opening_a_round_however_many_there_are() {
    for (agents, variant, size) in [(2, "congo", 2), (3, "fauhalma:star3", 6)] {
        let everybody: Meeting = (0..agents as u16).collect();
        let rounds = 1_000_000_000_000 / size;
        let tournament = tournament(Format::Match { rounds }, agents, &[variant], size);
        assert_eq!(Schedule::games(&tournament), rounds * size);
        let mut schedule = Schedule::new(Outline::of(&tournament));
        let ledger = Ledger::new(agents, agents);
        let batch = schedule.next(&ledger).unwrap();
        assert_eq!(batch.games(), rounds * size);
        for number in [0, 1, 7, 1_000_003, rounds * size - 1] {
            let (group, leg) = (number / size, number % size);
            let round = u32::try_from(group).unwrap_or(u32::MAX);
            let seating = seating(&everybody, leg);
            let expected =
                Fixture { number, round, pairing: 0, leg: leg as u32, terms: 0, group, seating };
            assert_eq!(batch.fixture(number), Some(expected));
        }
        assert_eq!(batch.fixture(rounds * size), None);
        assert!(schedule.next(&ledger).is_none());
    }
}

/// All games of an outline up to a round, with the results that depend on the game alone.
fn games_before(outline: &Outline, round: u32) -> Vec<Fixture> {
    let mut schedule = Schedule::new(outline.clone());
    let mut ledger = Ledger::for_ratings(outline.roster.agents().into(), outline.seats);
    let mut all = Vec::new();
    while let Some(batch) = schedule.next(&ledger) {
        let batch = fixtures(&batch).into_iter().filter(|it| it.round < round);
        let before = all.len();
        for fixture in batch {
            ledger.count(&result(&fixture));
            all.push(fixture);
        }
        if all.len() == before {
            break;
        }
    }
    all
}

#[test]
fn who_joins_or_leaves_changes_nothing_that_was_played_before() {
    let mut rng = Rng::new(11);
    for case in 0..60 {
        let format = match case % 2 {
            0 => Format::Swiss { rounds: 8 },
            // Never settled, not even where every meeting ends in a draw and no rating moves.
            _ => Format::Contest { rounds: 8, settled: -1.0, groups: 1 },
        };
        let (variant, games) = if case % 3 == 0 { ("fauhalma:star3", 6) } else { ("congo", 2) };
        let start = 3 + rng.below(6) as usize;
        let outline = Outline::of(&tournament(format, start, &[variant], games));
        let mut stays = vec![Stay::default(); start];
        for round in 1..8 {
            let before = Outline { roster: Roster::new(stays.clone()), ..outline.clone() };
            for _ in 0..rng.below(3) {
                stays.push(Stay { joined: round, retired: None });
            }
            let leaver = rng.below(stays.len() as u64) as usize;
            let active = Roster::new(stays.clone()).active();
            if active > 4 && stays[leaver].joined < round && stays[leaver].retired.is_none() {
                stays[leaver].retired = Some(round);
            }
            let now = Outline { roster: Roster::new(stays.clone()), ..outline.clone() };
            assert_eq!(games_before(&now, round), games_before(&before, round), "case {case}");
            let present = |it: &Fixture| {
                let agents = it.seating.as_slice().iter();
                agents.clone().all(|&agent| now.roster.plays_in(agent, it.round))
            };
            let all = games_before(&now, 8);
            assert!(all.iter().all(present), "case {case}");
            assert_eq!(all.len() as u64, now.planned(), "case {case}");
        }
    }
}

#[test]
fn later_waves_meet_everybody_once_after_all_games_before() {
    for (format, variant, games) in [
        (Format::RoundRobin, "congo", 4),
        (Format::RoundRobin, "fauhalma:star3", 6),
        (Format::Gauntlet { champions: 2 }, "congo", 2),
        (Format::Gauntlet { champions: 1 }, "fauhalma:star3", 6),
    ] {
        let whole = Outline::of(&tournament(format, 9, &[variant], games));
        let stays = [0, 0, 0, 0, 1, 1, 2, 4, 4].map(|joined| Stay { joined, retired: None });
        let mut before: Vec<Fixture> = Vec::new();
        for agents in [4, 6, 7, 9] {
            let roster = Roster::new(stays[..agents].to_vec());
            let late = games_before(&Outline { roster, ..whole.clone() }, u32::MAX);
            assert!(late.starts_with(&before), "{format:?}");
            before = late;
        }
        let meetings = |fixtures: &[Fixture]| -> BTreeSet<(Vec<u16>, u32)> {
            let sorted = |it: &Fixture| {
                let mut agents = it.seating.as_slice().to_vec();
                agents.sort_unstable();
                (agents, it.leg)
            };
            fixtures.iter().map(sorted).collect()
        };
        let at_once = games_before(&whole, u32::MAX);
        assert_eq!(before.len(), at_once.len());
        assert_eq!(meetings(&before), meetings(&at_once));
        assert_eq!(before.len() as u64, whole.planned());
    }
}
