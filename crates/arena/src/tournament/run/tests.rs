//! Tournaments that are played, interrupted and resumed.

mod late;

use std::fs;
use std::path::Path;

use agon_core::{Seat, Variant};
use agon_search::AgentError;
use agon_search::spec::{AgentInfo, Manner};

use super::*;
use crate::player::{Breach, NoAnswer};
use crate::registry::Registry;
use crate::remote::{Outside, OutsideKind, Question, Remote, Reply, Settings};
use crate::verdict::Fault;

/// A stored game without what may differ between runs.
fn told(game: &StoredGame) -> String {
    let StoredGame { number, round, pairing, leg, seats, points, end, signature, .. } = game;
    let (opening, moves) = (&game.opening, &game.moves);
    format!(
        "{number} {round}.{pairing}.{leg} {} {seats:?} {opening} | {moves} | {points:?} {end} \
         {signature:x}",
        game.variant
    )
}

fn stored_games(store: &Store, name: &str) -> Vec<String> {
    let series = store.find_tournament(name).unwrap().unwrap();
    let games = store.games(&Filter::of(series.id)).unwrap();
    games.map(|game| told(&game.unwrap().1)).collect()
}

fn read(folder: &Path, text: &str) -> Tournament {
    let file = folder.join("cup.toml");
    fs::write(&file, text).unwrap();
    super::super::read(&file, &Registry::built_in().with(Faulty)).unwrap()
}

/// Plays to the end in one go.
fn play(text: &str, concurrency: usize) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let tournament = read(folder.path(), text);
    let store = Store::open(folder.path()).unwrap();
    let stop = StopFlag::default();
    assert!(run(&tournament, Some(&store), concurrency, &stop, &mut |_| {}).unwrap().is_over);
    store.check().unwrap();
    stored_games(&store, "cup")
}

/// Plays to the end, stopped after every `every` games.
fn play_in_pieces(text: &str, concurrency: usize, every: u64) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let tournament = read(folder.path(), text);
    let mut pieces = 0;
    loop {
        let store = Store::open(folder.path()).unwrap();
        let stop = StopFlag::default();
        let mut new = 0;
        let mut done_before = 0;
        let over = run(&tournament, Some(&store), concurrency, &stop, &mut |news| match news {
            News::Begins { done, .. } => done_before = done,
            News::Game { ledger, .. } if ledger.games() > done_before => {
                new += 1;
                if new >= every {
                    stop.stop();
                }
            }
            _ => {}
        });
        pieces += 1;
        if over.unwrap().is_over {
            assert!(pieces > 1, "it was never interrupted");
            store.check().unwrap();
            return stored_games(&store, "cup");
        }
    }
}

const ROBIN: &str = "
format = \"round-robin\"
games = 4
seed = 7
agents = [\"random\", \"greedy\", \"minimax\", \"alphabeta\"]
[[terms]]
variant = [\"breakthrough:5x5\", \"wumpus:3\"]
nodes = 300
";

const CONTEST: &str = "
format = \"contest\"
rounds = 5
variant = \"breakthrough:5x5\"
depth = 1
agents = [\"random\", \"greedy\", \"minimax\", \"alphabeta\", { agent = \"random\", name = \"other\" }]
";

const THREE: &str = "
format = \"swiss\"
rounds = 2
games = 6
variant = \"fauhalma:star3,limit=8\"
agents = [\"random\", \"greedy\", { agent = \"random\", name = \"b\" }, { agent = \"greedy\", name = \"c\" }]
";

#[test]
fn the_same_tournament_interrupted_or_not_on_any_number_of_threads() {
    for (text, games) in [(ROBIN, 6 * 2 * 4), (CONTEST, 5 * 2 * 2), (THREE, 2 * 6)] {
        let whole = play(text, 1);
        assert_eq!(whole.len(), games);
        assert_eq!(play(text, 3), whole);
        assert_eq!(play_in_pieces(text, 1, 3), whole);
        assert_eq!(play_in_pieces(text, 3, 5), whole);
    }
}

/// Marks every third game as disturbed, plays what is then missing, and returns how many those
/// were.
fn replayed(text: &str, wanted: bool) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let tournament = Tournament { replay_disturbed: wanted, ..read(folder.path(), text) };
    let store = Store::open(folder.path()).unwrap();
    let play = |told: Listener<'_>| {
        assert!(run(&tournament, Some(&store), 2, &StopFlag::default(), told).unwrap().is_over);
    };
    play(&mut |_| {});
    let (games, series) = (stored_games(&store, "cup"), store.find_tournament("cup").unwrap());
    let series = series.unwrap().id;
    for game in store.games(&Filter::of(series)).unwrap().step_by(3) {
        let game = StoredGame { disturbed: true, ..game.unwrap().1 };
        store.replace(series, &game).unwrap();
    }
    let mut missing = 0;
    play(&mut |news| {
        if let News::Begins { games, done } = news {
            missing = games - done;
        }
    });
    assert_eq!(stored_games(&store, "cup"), games, "limited by nodes, nothing changes");
    let still =
        store.games(&Filter::of(series)).unwrap().filter(|game| game.as_ref().unwrap().1.disturbed);
    assert_eq!(still.count() as u64 + missing, (games.len() as u64).div_ceil(3));
    missing
}

#[test]
fn disturbed_games_are_played_again_where_nothing_else_depends_on_them() {
    assert_eq!(replayed(ROBIN, true), 16);
    assert_eq!(replayed(ROBIN, false), 0);
    assert_eq!(replayed(THREE, true), 0, "pairings of later rounds follow from these results");
}

#[test]
fn another_plan_under_the_same_name_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let stop = StopFlag::default();
    run(&read(folder.path(), ROBIN), Some(&store), 2, &stop, &mut |_| {}).unwrap();
    for (before, now, words) in [
        ("seed = 7", "seed = 8", "seed: 7 before, 8 now"),
        ("games = 4", "games = 2", "games: 4 before, 2 now"),
        ("nodes = 300", "nodes = 301", "301 nodes"),
    ] {
        let changed = read(folder.path(), &ROBIN.replace(before, now));
        let error = run(&changed, Some(&store), 2, &stop, &mut |_| panic!("no game")).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let kept = || store.find_tournament("cup").unwrap().unwrap().file;
    assert_eq!(kept().as_deref(), Some(ROBIN), "a file that is refused is not kept");
    // Again with the original file: nothing is missing.
    let mut played = 0;
    let again = read(folder.path(), ROBIN);
    assert!(
        run(&again, Some(&store), 2, &stop, &mut |news| {
            if let News::Begins { games, done } = news {
                assert_eq!(games, done);
                played += 1;
            }
        })
        .unwrap()
        .is_over
    );
    assert_eq!(played, 1);
}

/// `faulty:N` is a program that crashes in game N and every later one, and before that plays the
/// first legal move.
#[derive(Debug)]
struct Faulty;

#[derive(Debug)]
struct FaultyAgent;

struct FaultyRemote;

impl OutsideKind for Faulty {
    fn info(&self) -> AgentInfo {
        AgentInfo {
            name: "faulty",
            about: "breaks down",
            seats: &[2, 3],
            options: &[],
            manner: Manner::Anytime,
        }
    }

    fn outside(&self, _: &str, _: &Settings) -> Result<Box<dyn Outside>, AgentError> {
        Ok(Box::new(FaultyAgent))
    }
}

impl Outside for FaultyAgent {
    fn check(&self, _: &Variant) -> Result<(), String> {
        Ok(())
    }

    fn start(&self, _: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        Ok(Box::new(FaultyRemote))
    }
}

impl Remote for FaultyRemote {
    fn new_game(&mut self, _: Seat) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, _: &Question<'_>) -> Result<Reply, NoAnswer> {
        Err(Breach::new(Fault::Stalled, "no answer").into())
    }

    fn last_lines(&self) -> String {
        String::new()
    }
}

#[test]
fn who_fails_three_times_in_a_row_is_withdrawn_and_all_goes_on() {
    const TEXT: &str = "
format = \"round-robin\"
games = 4
variant = \"breakthrough:5x5\"
agents = [\"random\", \"faulty:\", \"greedy\"]
";
    let alone = play(TEXT, 1);
    assert_eq!(alone.len(), 12);
    let ends = |games: &[String], end: &str| {
        games.iter().filter(|game| game.contains(&format!(" {end} "))).count()
    };
    assert_eq!(ends(&alone, "fault:stalled"), 3);
    assert_eq!(ends(&alone, "fault:withdrawn"), 5);
    assert_eq!(ends(&alone, "board"), 4);
    // Games in progress when it was withdrawn are overruled: the points are the same.
    let points = |games: Vec<String>| -> Vec<String> {
        games.iter().map(|game| game.rsplit('|').next().unwrap().to_string()).collect()
    };
    let without_hash = |points: Vec<String>| -> Vec<String> {
        points.iter().map(|it| it.rsplit_once(' ').unwrap().0.to_string()).collect()
    };
    assert_eq!(without_hash(points(play(TEXT, 4))), without_hash(points(alone)));
}

#[test]
fn only_one_runs_a_tournament_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let tournament = read(folder.path(), CONTEST);
    let store = Store::open(folder.path()).unwrap();
    let stop = StopFlag::default();
    let mut second = None;
    run(&tournament, Some(&store), 1, &stop, &mut |news| {
        if let (News::Game { .. }, None) = (news, &second) {
            let other = Store::open(folder.path()).unwrap();
            let refused = run(&tournament, Some(&other), 1, &StopFlag::default(), &mut |_| {});
            second = Some(refused.unwrap_err().to_string());
        }
    })
    .unwrap();
    let refused = second.unwrap();
    assert!(refused.contains("running") || refused.contains("process"), "{refused}");
}
