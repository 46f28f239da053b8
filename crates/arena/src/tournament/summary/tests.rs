use std::fs;

use agon_search::StopFlag;

use super::*;
use crate::registry::Registry;
use crate::tournament::run::run;
use crate::tournament::{Tournament, read};

fn tournament(folder: &std::path::Path, text: &str) -> Tournament {
    let file = folder.join("cup.toml");
    fs::write(&file, text).unwrap();
    read(&file, &Registry::built_in()).unwrap()
}

/// Plays all games, leaves the first so many in the store, and reads what is there.
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
