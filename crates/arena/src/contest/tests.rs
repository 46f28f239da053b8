use std::collections::{BTreeMap, BTreeSet};

use agon_core::text::split_moves;

use super::*;
use crate::clock::GameTime;

fn contest(variant: &str, agents: &[&str], games: u64) -> Contest {
    Contest {
        variant: variant.parse().unwrap(),
        agents: agents.iter().map(|agent| Agent::built_in(agent.parse().unwrap())).collect(),
        games,
        pace: Pace::default(),
        openings: Openings::Random(4),
        seed: 1,
        concurrency: 2,
        sprt: None,
    }
}

/// A game as text: number, seating, opening, moves, verdict.
fn told(record: &dyn AnyRecord) -> String {
    let summary = record.summary();
    let moves: Vec<String> = record.moves().into_iter().map(|mv| mv.text).collect();
    format!(
        "{} {:?} {} | {} | {:?}",
        summary.game,
        summary.seating,
        record.opening_moves().join(" "),
        moves.join(" "),
        summary.verdict,
    )
}

fn play(contest: &Contest) -> (Vec<String>, Standings) {
    let mut games = Vec::new();
    let standings = contest.play(&StopFlag::default(), &mut |event| {
        if let Event::Game { record, .. } = event {
            games.push(told(record));
        }
    });
    (games, standings.unwrap())
}

#[test]
fn the_same_seed_gives_the_same_match_on_any_number_of_threads() {
    let mut matches = vec![
        contest("breakthrough:5x5", &["random", "greedy"], 60),
        contest("fauhalma:star3", &["random", "greedy", "random"], 6),
        contest("wumpus:6", &["alphabeta:depth=2", "ordered"], 8),
        contest("congo", &["minimax", "random"], 4),
    ];
    matches[2].pace.depth = Some(3);
    matches[3].pace.nodes = Some(2000);
    for mut contest in matches {
        contest.concurrency = 1;
        let (games, standings) = play(&contest);
        assert_eq!(games.len() as u64, contest.games);
        for concurrency in [2, 5] {
            contest.concurrency = concurrency;
            let (again, standings_again) = play(&contest);
            assert_eq!(games, again, "{}", contest.variant);
            assert_eq!(standings.signature, standings_again.signature);
        }
        contest.seed = 2;
        let (other, other_standings) = play(&contest);
        assert_ne!(games, other);
        assert_ne!(standings.signature, other_standings.signature);
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
        let (games, _) = play(&contest(variant, agents, 12));
        let openings: Vec<String> = games.iter().map(opening_of).collect();
        let groups: Vec<&[String]> = openings.chunks(size).collect();
        for group in &groups {
            assert!(group.iter().all(|opening| *opening == group[0]), "{group:?}");
        }
        assert!(groups[0] != groups[1], "another opening for the next group");
    }
}

#[test]
fn agents_given_twice_still_take_every_seat_equally_often() {
    let contest = contest("fauhalma:star3", &["random", "greedy", "greedy"], 12);
    let mut orders: BTreeMap<Vec<u16>, u64> = BTreeMap::new();
    let mut seats = [[0; 3]; 3];
    let played = contest.play(&StopFlag::default(), &mut |event| {
        let Event::Game { record, .. } = event else { return };
        let seating = &record.summary().seating;
        *orders.entry(seating.as_slice().to_vec()).or_default() += 1;
        for (seat, &agent) in seating.iter() {
            seats[usize::from(agent)][seat.index()] += 1;
        }
    });
    assert_eq!(played.unwrap().games, 12);
    assert_eq!(orders.len(), 6, "{orders:?}");
    assert!(orders.values().all(|games| *games == 2), "{orders:?}");
    assert_eq!(seats, [[4; 3]; 3]);
}

#[test]
fn two_equal_agents_play_different_games() {
    let mut contest = contest("breakthrough:5x5", &["random", "random"], 20);
    contest.openings = Openings::Start;
    let (games, standings) = play(&contest);
    let moves = |game: &String| game.split('|').nth(1).unwrap().to_string();
    let different: BTreeSet<String> = games.iter().map(moves).collect();
    assert_eq!(different.len(), 20);
    assert_eq!(standings.pairs.iter().sum::<u64>(), 10);
}

#[test]
fn greedy_beats_random_clearly() {
    let (_, standings) = play(&contest("breakthrough:6x6", &["greedy", "random"], 200));
    let elo = standings.agents[0].elo().unwrap();
    assert!(elo.low > 50.0, "{elo:?}");
    assert!(elo.value - elo.error() > 50.0);
    assert_eq!(standings.games, 200);
    assert_eq!(standings.agents[0].faults + standings.agents[1].faults, 0);
}

#[test]
fn agents_keep_to_their_clocks() {
    let mut contest = contest("breakthrough:5x5", &["alphabeta", "ordered"], 2);
    let millis = std::time::Duration::from_millis;
    contest.concurrency = 1;
    contest.pace.time.game = Some(GameTime { base: millis(400), increment: millis(5) });
    contest.pace.time.per_move = Some(millis(50));
    let (games, standings) = play(&contest);
    assert_eq!(standings.agents.iter().map(|agent| agent.faults).sum::<u64>(), 0, "{games:?}");
}

#[test]
fn a_stopped_match_has_the_games_so_far() {
    let contest = contest("breakthrough:5x5", &["random", "random"], 1_000_000_000);
    let stop = StopFlag::default();
    let mut shown = 0;
    let standings = contest.play(&stop, &mut |event| {
        let Event::Game { standings, .. } = event else { return };
        shown += 1;
        assert_eq!(standings.games, shown);
        if shown == 25 {
            stop.stop();
        }
    });
    let standings = standings.unwrap();
    assert_eq!(standings.games, shown);
    assert!((25..100_000).contains(&shown), "{shown}");
}

#[test]
fn what_is_wrong_is_found_before_the_first_game() {
    let cases = [
        (contest("chess", &["random", "random"], 2), "bad variant"),
        (contest("congo", &["random"], 2), "congo is for 2 agents, not 1"),
        (contest("fauhalma:star3", &["random", "random"], 2), "for 3 agents, not 2"),
        (contest("congo", &["random", "mnimax"], 2), "did you mean minimax"),
        (
            Contest {
                openings: Openings::File("no such file".into()),
                ..contest("congo", &["random", "random"], 2)
            },
            "cannot read openings from no such file",
        ),
    ];
    for (contest, words) in cases {
        let error = contest.play(&StopFlag::default(), &mut |_| panic!("no game should be played"));
        let error = error.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}
