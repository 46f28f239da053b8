use std::collections::BTreeSet;

use agon_core::text::split_moves;

use super::*;
use crate::store::StoredGame;
use crate::tournament::ledger::Ledger;
use crate::tournament::run::News;

fn a_match(variant: &str, agents: &[&str], games: u64) -> Match {
    Match {
        catalog: agon_games::Catalog::built_in(),
        variant: variant.parse().unwrap(),
        agents: agents.iter().map(|agent| Agent::built_in(agent.parse().unwrap())).collect(),
        games,
        pace: Pace::default(),
        openings: Openings::Random(4),
        seed: 1,
        concurrency: 2,
        sprt: None,
        replay_disturbed: false,
        reference_speed: None,
    }
}

/// A game as text: number, seating, opening, moves, verdict.
fn told(game: &StoredGame) -> String {
    let StoredGame { number, seats, opening, moves, points, reason, end, evidence, .. } = game;
    format!("{number} {seats:?} {opening} | {moves} | {points:?} {reason} {end} {evidence:?}")
}

/// Plays a match into a store of its own.
fn play(it: &Match) -> (Vec<String>, Ledger) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut games = Vec::new();
    let run = it.play(Some(&store), &StopFlag::default(), &mut |news| {
        if let News::Game { game, .. } = news {
            games.push(told(game.stored.as_deref().unwrap()));
        }
    });
    (games, run.unwrap().ledger)
}

#[test]
fn the_same_seed_gives_the_same_match_on_any_number_of_threads() {
    let mut matches = vec![
        a_match("breakthrough:5x5", &["random", "greedy"], 60),
        a_match("fauhalma:star3", &["random", "greedy", "random"], 6),
        a_match("wumpus:6", &["alphabeta:depth=2", "ordered"], 8),
        a_match("congo", &["minimax", "random"], 4),
    ];
    matches[2].pace.depth = Some(3);
    matches[3].pace.nodes = Some(2000);
    for mut it in matches {
        it.concurrency = 1;
        let (games, ledger) = play(&it);
        assert_eq!(games.len() as u64, it.games);
        for concurrency in [2, 5] {
            it.concurrency = concurrency;
            let (again, ledger_again) = play(&it);
            assert_eq!(games, again, "{}", it.variant);
            assert_eq!(ledger.signature, ledger_again.signature);
        }
        it.seed = 2;
        let (other, other_ledger) = play(&it);
        assert_ne!(games, other);
        assert_ne!(ledger.signature, other_ledger.signature);
    }
}

#[test]
fn an_opening_is_played_from_every_seat() {
    let opening_of = |game: &String| {
        let (before, _) = game.split_once('|').unwrap();
        split_moves(before.split_once(']').unwrap().1).join(" ")
    };
    for (variant, agents, size) in [
        ("breakthrough:6x6", &["random", "random"][..], 2),
        ("fauhalma:star3", &["random", "random", "random"], 6),
    ] {
        let (games, _) = play(&a_match(variant, agents, 12));
        let openings: Vec<String> = games.iter().map(opening_of).collect();
        let groups: Vec<&[String]> = openings.chunks(size).collect();
        for group in &groups {
            assert!(group.iter().all(|opening| *opening == group[0]), "{group:?}");
        }
        assert!(groups[0] != groups[1], "another opening for the next group");
    }
}

#[test]
fn two_equal_agents_play_different_games() {
    let mut it = a_match("breakthrough:5x5", &["random", "random"], 20);
    it.openings = Openings::Start;
    let (games, ledger) = play(&it);
    let moves = |game: &String| game.split('|').nth(1).unwrap().to_string();
    let different: BTreeSet<String> = games.iter().map(moves).collect();
    assert_eq!(different.len(), 20);
    assert_eq!(ledger.pairs.iter().sum::<u64>(), 10);
}

#[test]
fn a_stopped_match_has_the_games_so_far() {
    let it = a_match("breakthrough:5x5", &["random", "random"], 1_000_000_000_000);
    let stop = StopFlag::default();
    let mut shown = 0;
    let run = it.play(None, &stop, &mut |news| {
        let News::Game { game, ledger } = news else { return };
        assert!(game.stored.is_none(), "moves are kept only for the store");
        shown += 1;
        assert_eq!(ledger.games(), shown);
        if shown == 25 {
            stop.stop();
        }
    });
    let run = run.unwrap();
    assert_eq!((run.ledger.games(), run.is_over), (shown, false));
    assert!((25..100_000).contains(&shown), "{shown}");
}

#[test]
fn what_is_wrong_is_found_before_the_first_game() {
    let cases = [
        (a_match("chess", &["random", "random"], 2), "bad variant"),
        (a_match("congo", &["random"], 2), "congo is for 2 agents, not 1"),
        (a_match("fauhalma:star3", &["random", "random"], 2), "for 3 agents, not 2"),
        (a_match("congo", &["random", "mnimax"], 2), "did you mean minimax"),
        (
            Match {
                catalog: agon_games::Catalog::built_in(),
                openings: Openings::File("no such file".into()),
                ..a_match("congo", &["random", "random"], 2)
            },
            "cannot read openings from no such file",
        ),
    ];
    for (it, words) in cases {
        let error =
            it.play(None, &StopFlag::default(), &mut |_| panic!("no game should be played"));
        let error = error.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_game_loaded_at_run_time_is_played_and_stored_like_any_other() {
    let loader = std::sync::Arc::new(agon_games::sample::InARow);
    let catalog = agon_games::Catalog::built_in().with_loader(loader).unwrap();
    let mut it = a_match("inarow:4x4,3", &["engine:depth=4", "random"], 20);
    it.openings = Openings::Random(2);
    assert!(it.play(None, &StopFlag::default(), &mut |_| {}).is_err(), "not in this catalog");
    it.catalog = catalog;
    let (games, ledger) = play(&it);
    assert_eq!(games.len(), 20);
    assert!(games.iter().all(|game| game.contains("in a row") || game.contains("is full")));
    assert!(games.iter().all(|game| game.ends_with("None")), "no fault");
    assert_eq!(ledger.games(), 20);
}
