//! Games are put into a store, and the table is computed from them.

use std::time::Duration;

use agon_core::Seat;
use tempfile::TempDir;

use super::*;
use crate::store::{Entrant, NewSeries, SeriesKind};

fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

/// A series of these agents, under other names.
fn series(store: &Store, agents: &[&str]) -> SeriesId {
    let entrant = |(number, agent): (usize, &&str)| Entrant {
        name: format!("nr. {number}"),
        agent: agent.to_string(),
    };
    let entrants = agents.iter().enumerate().map(entrant).collect();
    let new =
        NewSeries { kind: SeriesKind::Match, name: None, plan: "{}".into(), seed: 0, entrants };
    store.begin_series(&new).unwrap()
}

fn game(number: u64, seats: &[u32], points: &[u8]) -> StoredGame {
    StoredGame {
        number,
        round: 0,
        pairing: 0,
        leg: 0,
        variant: if seats.len() == 2 { "fenix" } else { "fauhalma:star3" }.into(),
        pace: String::new(),
        seats: PerSeat::from_slice(seats),
        start: None,
        opening: String::new(),
        moves: "a1a2".into(),
        movers: vec![Seat::FIRST],
        times: vec![Duration::ZERO],
        nodes: vec![0],
        latencies: vec![Duration::ZERO],
        depths: vec![0],
        scores: vec![None],
        points: PerSeat::from_slice(points),
        reason: "because".into(),
        end: "board".into(),
        offender: None,
        evidence: None,
        signature: 0,
        finished_at: 0,
        rated: true,
        disturbed: false,
        resources: None,
        played_by: None,
    }
}

/// Pairs of games between the entrants 0 and 1, of which 0 wins this many of four.
fn put_pairs(store: &Store, series: SeriesId, games: u64, wins_of_four: u64) {
    for number in 0..games {
        let won = number / 2 % 4 < wins_of_four;
        let seats = if number % 2 == 0 { [0, 1] } else { [1, 0] };
        let first_wins = won == (number % 2 == 0);
        let points = if first_wins { [100, 0] } else { [0, 100] };
        store.put(series, &game(number, &seats, &points)).unwrap();
    }
}

fn rated(store: &Store) -> RatingTable {
    RatingTable::of(store, &Filter::default()).unwrap()
}

fn agents(group: &[RatedAgent]) -> Vec<&str> {
    group.iter().map(|rated| rated.agent.as_str()).collect()
}

#[test]
fn agents_are_joined_by_their_texts_over_all_series() {
    let (_folder, store) = store();
    put_pairs(&store, series(&store, &["weak", "middle"]), 400, 1);
    put_pairs(&store, series(&store, &["strong", "middle"]), 400, 3);
    let table = rated(&store);
    assert_eq!((table.games(), table.left_out, table.groups.len()), (800, 0, 1));
    let group = &table.groups[0];
    assert_eq!(agents(group), ["strong", "middle", "weak"]);
    let elo: Vec<f64> = group.iter().map(|rated| rated.elo.unwrap().value).collect();
    assert!((elo[0] - elo[1] - 191.0).abs() < 3.0, "{elo:?}");
    assert!((elo[1] - elo[2] - 191.0).abs() < 3.0, "{elo:?}");
    let Results { games, wins, draws, losses, points, faults, .. } = group[1].results;
    assert_eq!((games, wins, draws, losses, points, faults), (800, 400, 0, 400, 40_000, 0));
    assert_eq!(group[0].results.score(), 0.75);
    assert!(group[0].over_next.unwrap() > 0.999);
    assert_eq!(group[2].over_next, None);
}

#[test]
fn who_never_met_is_in_another_group_and_has_no_superiority() {
    let (_folder, store) = store();
    put_pairs(&store, series(&store, &["a", "b"]), 4, 2);
    let three = series(&store, &["c", "d", "e"]);
    store.put(three, &game(0, &[0, 1, 2], &[100, 50, 0])).unwrap();
    let alone = series(&store, &["self"]);
    store.put(alone, &game(0, &[0, 0], &[50, 50])).unwrap();
    let table = rated(&store);
    let groups: Vec<Vec<&str>> = table.groups.iter().map(|group| agents(group)).collect();
    assert_eq!(groups, [vec!["c", "d", "e"], vec!["a", "b"], vec!["self"]]);
    let alone = &table.groups[2][0];
    assert_eq!((alone.elo, alone.over_next, alone.results.draws), (None, None, 2));
    let variants: Vec<(&str, u64)> =
        table.variants.iter().map(|(variant, &games)| (variant.as_str(), games)).collect();
    assert_eq!(variants, [("fauhalma:star3", 1), ("fenix", 5)]);
}

#[test]
fn only_the_offender_has_a_fault_and_games_of_the_withdrawn_do_not_count() {
    let (_folder, store) = store();
    let id = series(&store, &["a", "b", "gone"]);
    let fault = |end: &str| StoredGame {
        end: end.into(),
        offender: Some(Seat::SECOND),
        ..game(0, &[0, 1], &[100, 0])
    };
    store.put(id, &fault("fault:illegal-move")).unwrap();
    store.put(id, &StoredGame { number: 1, ..fault("resignation") }).unwrap();
    let seats = PerSeat::from_slice(&[0, 2]);
    store.put(id, &StoredGame { number: 2, seats, ..fault("fault:withdrawn") }).unwrap();
    let table = rated(&store);
    assert_eq!((table.games(), table.left_out), (2, 1));
    assert_eq!(agents(&table.groups[0]), ["a", "b"]);
    let faults: Vec<u64> = table.groups[0].iter().map(|rated| rated.results.faults).collect();
    assert_eq!(faults, [0, 1]);
}

#[test]
fn games_of_three_have_the_points_of_the_course() {
    let (_folder, store) = store();
    let id = series(&store, &["a", "b", "c"]);
    for number in 0..60 {
        let points = if number < 10 { [0, 50, 100] } else { [100, 50, 0] };
        store.put(id, &game(number, &[0, 1, 2], &points)).unwrap();
    }
    store.put(id, &game(60, &[0, 1], &[0, 100])).unwrap();
    let table = rated(&store);
    let first = table.groups[0].iter().find(|rated| rated.agent == "a").unwrap();
    assert_eq!((first.results.games, first.results.wins, first.results.losses), (61, 50, 11));
    let course = first.course.as_ref().unwrap();
    let mean = course.mean_points().unwrap();
    assert!((mean.value - 100.0 / 60.0).abs() < 1e-9, "{mean:?}");
    assert!(mean.low < mean.value && mean.high <= 2.0, "{mean:?}");
    assert_eq!((course.rating.current(), course.rating.best()), (Some(2.0), Some(2.0)));
}

#[test]
fn only_games_that_fit_are_rated() {
    let (_folder, store) = store();
    let id = series(&store, &["a", "b", "c"]);
    put_pairs(&store, id, 2, 4);
    store.put(id, &game(2, &[0, 1, 2], &[0, 50, 100])).unwrap();
    let filter = Filter { variant: Some("fenix".into()), ..Filter::default() };
    let table = RatingTable::of(&store, &filter).unwrap();
    assert_eq!((table.games(), agents(&table.groups[0])), (2, vec!["a", "b"]));
    assert!(table.groups[0][0].course.is_none());
    let none = Filter { variant: Some("congo".into()), ..Filter::default() };
    assert!(RatingTable::of(&store, &none).unwrap().groups.is_empty());
}

/// The two games of a pair are not independent: if both always end alike, they tell no more than
/// one.
#[test]
fn games_of_one_opening_are_one_group() {
    let (_folder, store) = store();
    let [pairs, apart] = [["a", "b"], ["c", "d"]].map(|agents| series(&store, &agents));
    put_pairs(&store, pairs, 200, 2);
    for found in store.games(&Filter::of(pairs)).unwrap() {
        let (_, game) = found.unwrap();
        // Every second number is left out, so no two are of one opening.
        store.put(apart, &StoredGame { number: 2 * game.number, ..game }).unwrap();
    }
    let table = rated(&store);
    let error = |agent: &str| {
        let mut all = table.groups.iter().flatten();
        let elo = all.find(|rated| rated.agent == agent).unwrap().elo.unwrap();
        elo.high - elo.value
    };
    let ratio = error("a") / error("c");
    assert!((ratio - 2f64.sqrt()).abs() < 0.1, "{ratio}");
}
