use std::fs;

use agon_core::{PerSeat, Seat};
use agon_search::StopFlag;

use super::*;
use crate::game_summary::end_code;
use crate::registry::Registry;
use crate::store::StoredGame;
use crate::tournament::run::run;
use crate::tournament::{Tournament, read};
use crate::verdict::{End, Fault};

fn tournament(folder: &std::path::Path, text: &str) -> Tournament {
    let file = folder.join("cup.toml");
    fs::write(&file, text).unwrap();
    read(&file, &Registry::built_in()).unwrap()
}

/// Plays all games, leaves only the first ones in the store, and reads the summary.
fn after(text: &str, games: u64) -> TournamentSummary {
    let folder = tempfile::tempdir().unwrap();
    let tournament = tournament(folder.path(), text);
    let store = Store::open(folder.path()).unwrap();
    run(&tournament, Some(&store), 1, &StopFlag::default(), &mut |_| {}).unwrap();
    let series = store.find_tournament("cup").unwrap().unwrap();
    store.delete_from(series.id, games).unwrap();
    TournamentSummary::of(&store, series).unwrap()
}

/// More games than there are.
const ALL: u64 = 1000;

const SWISS: &str = "
format = \"swiss\"
rounds = 3
variant = \"breakthrough:5x5\"
agents = [\"random\", \"greedy\", \"random\", \"greedy\", \"random\"]
";

#[test]
fn who_sits_out_a_round_has_won_it_and_who_waits_has_not() {
    let all = after(SWISS, ALL);
    assert_eq!((all.ledger.games(), all.planned, all.rounds), (12, 12, 3));
    assert_eq!((0..5).map(|agent| all.byes(agent)).sum::<u64>(), 3);
    assert!((0..5).all(|agent| all.byes(agent) <= 1));
    // Two points for a won meeting of two games.
    assert_eq!((0..5).map(|agent| all.points(agent)).sum::<u64>(), 1200 + 3 * 200);
    let early = after(SWISS, 1);
    assert_eq!(early.ledger.games(), 1);
    assert_eq!((0..5).map(|agent| early.byes(agent)).sum::<u64>(), 0);
}

#[test]
fn the_table_of_a_contest_is_cut_into_groups_by_rating() {
    let text = SWISS.replace("swiss", "contest") + "groups = 2\n";
    let summary = after(&text, ALL);
    let ranking = summary.ranking();
    let ratings: Vec<f64> = ranking.iter().map(|it| summary.rating(*it).unwrap().value).collect();
    assert!(ratings.is_sorted_by(|better, worse| better >= worse), "{ratings:?}");
    let groups: Vec<usize> = (0..5).map(|place| summary.group(place).unwrap()).collect();
    assert_eq!(groups, [0, 0, 0, 1, 1]);
    assert_eq!(summary.points(0), summary.ledger.agent(0).results.points, "no points for byes");
}

#[test]
fn every_two_are_counted_from_both_sides() {
    let text = SWISS.replace("swiss", "round-robin").replace("rounds = 3\n", "");
    let summary = after(&text, ALL);
    let mut games = 0;
    for ((first, second), pair) in summary.pairs.iter() {
        games += pair.games();
        assert_eq!(pair.points[0], 100 * pair.wins + 50 * pair.draws);
        assert_eq!(pair.points[1], 100 * pair.losses + 50 * pair.draws);
        let crossed = summary.crosstable.against(first.into(), second.into());
        assert_eq!((crossed.points, crossed.games), (pair.points[0], pair.games()));
    }
    assert_eq!(games, summary.ledger.games());
    assert_eq!(games, 20);
}

/// A tournament of three in which the first agent won everything and then crashed in the last games
/// of the second pairing.
fn with_a_withdrawal() -> TournamentSummary {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = \"round-robin\"\ngames = 8\nvariant = \"breakthrough:5x5\"\n\
                agents = [\"random\", \"greedy\", { name = \"third\", agent = \"random\" }]\n";
    let tournament = tournament(folder.path(), text);
    let store = Store::open(folder.path()).unwrap();
    run(&tournament, Some(&store), 1, &StopFlag::default(), &mut |_| {}).unwrap();
    let series = store.find_tournament("cup").unwrap().unwrap();
    let games: Vec<StoredGame> =
        store.games(&Filter::of(series.id)).unwrap().map(|game| game.unwrap().1).collect();
    let mut played = 0;
    for mut game in games {
        let Some(seat) = game.seats.iter().find(|(_, agent)| **agent == 0).map(|(seat, _)| seat)
        else {
            continue;
        };
        played += 1;
        let seats = game.seats.seats();
        let fault = match played {
            ..=12 => None,
            13..=15 => Some(Fault::Crash),
            _ => Some(Fault::Withdrawn),
        };
        let points: Vec<u8> = Seat::all(seats)
            .map(|other| if (other == seat) == fault.is_none() { 100 } else { 0 })
            .collect();
        game.points = PerSeat::from_slice(&points);
        if let Some(fault) = fault {
            (game.end, game.offender) = (end_code(End::Fault(seat, fault)), Some(seat));
        }
        store.replace(series.id, &game).unwrap();
    }
    let series = store.find_tournament("cup").unwrap().unwrap();
    TournamentSummary::of(&store, series).unwrap()
}

#[test]
fn who_was_withdrawn_comes_last_in_the_one_ranking() {
    let summary = with_a_withdrawal();
    assert!(summary.ledger.is_withdrawn(0) && summary.ledger.agents()[0].results.wins == 12);
    let ranking = summary.ranking();
    assert_eq!(ranking.last(), Some(&0), "{ranking:?}");
    assert!(summary.points(0) > summary.points(2), "by points it would be first or second");
    assert!(summary.ranking_rule().contains("withdrawn agents last"));
    let names = ["random", "greedy", "third"].map(String::from);
    let table = summary.crosstable.text(&names, &ranking);
    let order: Vec<&str> =
        table.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
    let wanted: Vec<&str> = ranking.iter().map(|it| names[usize::from(*it)].as_str()).collect();
    assert_eq!(order, wanted, "{table}");
    assert_eq!(
        summary.shortfall().as_deref(),
        Some("1 not played, and lost by withdrawn agents: random")
    );
}

#[test]
fn a_tournament_with_fewer_games_than_planned_says_why() {
    let mut summary = with_a_withdrawal();
    summary.planned += 20;
    let shortfall = summary.shortfall().unwrap();
    assert!(
        shortfall.starts_with("20 fewer than planned: random withdrawn and no longer paired; 1 "),
        "{shortfall}"
    );
    summary.series.finished_at = None;
    assert!(!summary.shortfall().unwrap().contains("planned"), "it is still being played");
    let settled = after(&(SWISS.replace("swiss", "contest") + "settled = 1000\n"), ALL);
    let rounds = settled.rounds;
    match settled.shortfall() {
        Some(words) => assert!(words.contains(&format!("after {rounds} of 3 rounds")), "{words}"),
        None => assert_eq!(rounds, 3),
    }
    assert_eq!(after(SWISS, ALL).shortfall(), None);
}

#[test]
fn tables_have_the_numbers_of_the_summary() {
    let three = "
        format = \"round-robin\"
        games = 6
        variant = \"fauhalma:star3,limit=8\"
        agents = [\"greedy\", \"random\", \"random\"]
    ";
    let contest = SWISS.replace("swiss", "contest") + "groups = 2\n";
    for text in [three, &contest] {
        let summary = after(text, ALL);
        let (places, ranking) = (summary.places(), summary.ranking());
        let points: Vec<u64> = ranking.iter().map(|&agent| summary.points(agent)).collect();
        assert!(places.iter().map(|place| place.points).eq(points));
        assert_eq!(places[0].rating.is_some(), summary.format == "contest");
        assert!(places[0].last_50.is_some());
        let csv = summary.standings_csv();
        assert_eq!(csv.lines().count(), 1 + places.len(), "{csv}");
        let columns = |line: &str| line.split(',').count();
        assert!(csv.lines().all(|line| columns(line) == 25), "{csv}");
        let json: Value = serde_json::from_str(&summary.crosstable_json().unwrap()).unwrap();
        for (row, place) in places.iter().enumerate() {
            assert_eq!(json["agents"][row], place.name);
            assert_eq!(json["totals"][row]["games"], place.games);
            for (column, [points, games]) in place.against.iter().enumerate() {
                let score = &json["scores"][row][column];
                assert_eq!(score["games"].as_u64().unwrap_or(0), *games);
                assert_eq!(score["points"].as_u64().unwrap_or(0), *points);
            }
        }
        let csv = summary.crosstable_csv();
        let width = 2 + 2 * places.len() + 2;
        assert!(csv.lines().all(|line| columns(line) == width), "{csv}");
    }
}
