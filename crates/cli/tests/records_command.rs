//! `agon records` and `agon ratings` as people and scripts use them, on a store with a match of
//! two, one of three, and a game that ended with a fault.

mod common;

use std::fs;
use std::path::Path;

use agon_arena::remote::Settings;
use agon_arena::store::export::pgn::read_pgn;
use agon_arena::store::{
    Entrant, Filter, NewSeries, PageGame, SeriesId, SeriesKind, Sitting, SittingChange, Store,
    StoredGame,
};
use agon_arena::{Match, News, Openings, Pace, Registry};
use agon_core::Seat;
use agon_search::StopFlag;
use common::{Run, agon, agon_with_input};
use serde_json::Value;
use tempfile::TempDir;

/// Plays a match into a store.
fn play(store: &Store, variant: &str, agents: &[&str], games: u64) -> SeriesId {
    let (registry, settings) = (Registry::built_in(), Settings::default());
    let setup = Match {
        catalog: agon_games::Catalog::built_in(),
        variant: variant.parse().unwrap(),
        agents: agents.iter().map(|text| registry.agent(text, &settings).unwrap()).collect(),
        games,
        pace: Pace::default(),
        openings: Openings::Random(2),
        seed: 1,
        concurrency: 1,
        sprt: None,
        replay_disturbed: false,
        reference_speed: None,
    };
    let entrant = |agent: &&str| Entrant { name: format!("the {agent}"), agent: agent.to_string() };
    let entrants = agents.iter().map(entrant).collect();
    let new =
        NewSeries { kind: SeriesKind::Match, name: None, plan: "{}".into(), seed: 1, entrants };
    let series = store.begin_series(&new).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let scratch = Store::open(folder.path()).unwrap();
    let run = setup.play(Some(&scratch), &StopFlag::default(), &mut |news| {
        if let News::Game { game, .. } = news {
            store.put(series, game.stored.as_deref().unwrap()).unwrap();
        }
    });
    assert_eq!(run.unwrap().ledger.games(), games);
    series
}

/// Series 1 has ten games of two and a fault, series 2 six games of three.
fn filled() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let two = play(&store, "breakthrough:5x5", &["greedy", "random"], 10);
    let (_, game) = store.games(&Filter::of(two)).unwrap().next().unwrap().unwrap();
    let fault = StoredGame {
        number: 10,
        end: "fault:illegal-move".into(),
        reason: "illegal move".into(),
        offender: Some(Seat::SECOND),
        evidence: Some("said \u{1b}[31mb9\nand left".into()),
        ..without_last_move(game)
    };
    store.put(two, &fault).unwrap();
    play(&store, "fauhalma:star3,limit=8", &["greedy", "random", "greedy:eval=simple"], 6);
    folder
}

/// Without the last move, so that the board alone does not show the result.
fn without_last_move(mut game: StoredGame) -> StoredGame {
    let (rest, _) = game.moves.rsplit_once(' ').unwrap();
    game.moves = rest.to_string();
    game.movers.pop();
    game.times.pop();
    game.nodes.pop();
    game.latencies.pop();
    game.depths.pop();
    game.scores.pop();
    game
}

#[test]
fn disturbed_games_are_marked_in_the_list() {
    let folder = filled();
    let store = Store::open(folder.path()).unwrap();
    let (series, game) = store.games(&Filter::default()).unwrap().next().unwrap().unwrap();
    store.replace(series, &StoredGame { disturbed: true, ..game }).unwrap();
    let list = printed(&folder, &["records", "list"]);
    let marked: Vec<&str> = list.lines().filter(|line| line.ends_with("(disturbed)")).collect();
    assert!(matches!(marked[..], [line] if line.starts_with("1.0 ")), "{list}");
    let list = json(&folder, &["records", "list"]);
    let games = list["games"].as_array().unwrap();
    assert!(games.iter().all(|game| game["disturbed"] == (game["id"] == "1.0")), "{list}");
}

fn run(folder: &TempDir, arguments: &[&str]) -> Run {
    agon(&[arguments, &["--data", folder.path().to_str().unwrap()]].concat())
}

#[track_caller]
fn printed(folder: &TempDir, arguments: &[&str]) -> String {
    let run = run(folder, arguments);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

#[track_caller]
fn json(folder: &TempDir, arguments: &[&str]) -> Value {
    let data = ["--json", "--data", folder.path().to_str().unwrap()];
    common::json(&[arguments, &data].concat())
}

#[track_caller]
fn refused(folder: &TempDir, arguments: &[&str], code: i32, words: &str) {
    let run = run(folder, arguments);
    assert_eq!(run.code, code, "{}{}", run.out, run.err);
    assert!(run.err.contains(words), "{}", run.err);
}

fn ids(list: &Value) -> Vec<&str> {
    list["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect()
}

#[test]
fn lists_are_newest_first_and_filtered() {
    let folder = filled();
    let list = |more: &[&str]| json(&folder, &[&["records", "list"], more].concat());
    let all = list(&[]);
    assert_eq!((all["total"].as_u64(), ids(&all).len()), (Some(17), 17));
    assert_eq!(ids(&all)[..2], ["2.5", "2.4"]);
    assert_eq!(ids(&list(&["--limit", "2", "--offset", "5"])), ["2.0", "1.10"]);
    assert_eq!(ids(&list(&["--faults"])), ["1.10"]);
    assert_eq!(ids(&list(&["--fault"])), ["1.10"]);
    assert_eq!(ids(&list(&["--fault", "illegal-move", "--result", "first"])), ["1.10"]);
    assert_eq!(list(&["--fault", "crash"])["total"], 0);
    assert_eq!(list(&["--since", "2020-01-01"])["total"], 17);
    assert_eq!(list(&["--until", "2020-01-01T12:00"])["total"], 0);
    let results = ["first", "second", "third", "draw"].map(|result| list(&["--result", result]));
    let totals = results.iter().map(|list| list["total"].as_u64().unwrap());
    assert_eq!(totals.sum::<u64>(), 17, "every game has one result");
    assert_eq!(list(&["--series", "1"])["total"], 11);
    assert_eq!(list(&["--variant", "breakthrough:5x5"])["total"], 11);
    assert_eq!(list(&["--agent", "greedy:eval=simple"])["total"], 6);
    assert_eq!(list(&["--agent", "the random"])["total"], 17);
    assert_eq!(list(&["--agent", "nobody"])["total"], 0);
    let fault = &list(&["--faults"])["games"][0];
    assert_eq!(fault["offender"], "black");
    assert_eq!(fault["players"][0]["seat"], "white");
    assert_eq!(fault["players"][0]["agent"], "greedy");
    let text = printed(&folder, &["records", "list", "--series", "1", "--limit", "3"]);
    assert!(text.contains("illegal move (black)") && text.contains("the greedy "), "{text}");
    assert!(text.contains("1 to 3 of 11"), "{text}");
    let text = printed(&folder, &["records", "list", "--offset", "40"]);
    assert!(text.contains("only 17 matching games"), "{text}");
}

#[test]
fn a_game_is_shown_with_its_moves_and_the_evidence() {
    let folder = filled();
    let text = printed(&folder, &["records", "show", "1.10"]);
    for words in ["breakthrough:5x5", "the greedy", "illegal move", "fault:illegal-move", "black"] {
        assert!(text.contains(words), "no {words} in {text}");
    }
    assert!(!text.contains('\u{1b}'), "no sequence that a program has sent: {text:?}");
    assert!(text.contains("said \\u{1b}[31mb9\n"), "{text}");
    let game = json(&folder, &["records", "show", "1.10"]);
    let (_, table) = text.split_once(" nodes").unwrap();
    let (_, table) = table.split_once('\n').unwrap();
    let shown: Vec<&str> =
        table.lines().map(|line| line.split_whitespace().nth(2).unwrap()).collect();
    assert_eq!(Value::from(shown), game["moves"], "{text}");
    assert_eq!(game["evidence"], "said \u{1b}[31mb9\nand left");
    for list in ["nodes", "depths", "scores"] {
        let [list, moves] = [&game[list], &game["moves"]].map(|list| list.as_array().unwrap());
        assert_eq!(list.len(), moves.len());
    }
    let greedy = &game["scores"][0];
    assert!(greedy.is_number() || greedy.is_object(), "the greedy agent has scores: {game}");
    assert!(text.contains("score"), "{text}");
}

#[test]
fn a_replay_draws_every_board_and_how_it_ended() {
    let folder = filled();
    let show = json(&folder, &["records", "show", "1.10"]);
    let count = |key: &str| show[key].as_array().unwrap().len();
    let plies = count("opening") + count("moves");
    let boards = |text: &str| text.lines().filter(|line| line.contains(" ply ")).count();
    let text = printed(&folder, &["records", "replay", "1.10"]);
    assert_eq!(boards(&text), plies + 1);
    assert!(text.contains("opening: ") && text.contains("white plays "), "{text}");
    let end = "illegal move (black): white 100, black 0";
    assert_eq!(text.lines().filter(|line| line.contains(end)).count(), 1, "{text}");
    let last = plies.to_string();
    let text = printed(&folder, &["records", "replay", "1.10", "--at", &last]);
    assert!(boards(&text) == 1 && text.contains(end), "{text}");
    let from = (plies - 2).to_string();
    assert_eq!(boards(&printed(&folder, &["records", "replay", "1.10", "--from", &from])), 3);
    let text = printed(&folder, &["records", "replay", "1.10", "--at", "0"]);
    assert!(text.contains("white to move") && !text.contains("plays"), "{text}");
    // Games of every series can be replayed.
    assert!(boards(&printed(&folder, &["records", "replay", "2.3"])) > 2);
    let beyond = (plies + 1).to_string();
    let range = format!("plies 0 to {plies}");
    refused(&folder, &["records", "replay", "1.10", "--at", &beyond], 2, &range);
}

#[test]
fn exports_go_to_standard_output_or_to_a_file() {
    let folder = filled();
    let text = printed(&folder, &["records", "export"]);
    let pgn = read_pgn(&text).unwrap();
    assert_eq!(pgn.len(), 17);
    assert_eq!(pgn[0].tag("White"), Some("the greedy"));
    let file = folder.path().join("games.csv");
    let name = file.to_str().unwrap();
    let run = run(&folder, &["records", "export", "--series", "2", "--output", name]);
    assert!(run.code == 0 && run.out.is_empty() && run.err.contains("6 games in"), "{}", run.err);
    let csv = fs::read_to_string(&file).unwrap();
    assert_eq!(csv.lines().count(), 7, "the name says which format: {csv}");
    let format = ["records", "export", "--format", "jsonl", "--faults"];
    let line: Value = serde_json::from_str(printed(&folder, &format).trim_end()).unwrap();
    assert_eq!(line, json(&folder, &["records", "show", "1.10"]));
    refused(&folder, &["records", "export", "--format", "xml"], 2, "expected pgn, jsonl or csv");
    let nowhere = folder.path().join("no/such/games.pgn");
    let arguments = ["records", "export", "--output", nowhere.to_str().unwrap()];
    refused(&folder, &arguments, 1, "cannot write");
}

#[test]
fn a_series_is_deleted_only_after_confirmation() {
    let folder = filled();
    let total = || json(&folder, &["records", "list"])["total"].as_u64();
    let delete = ["records", "delete", "1", "--data", folder.path().to_str().unwrap()];
    for answer in ["", "n\n", "\n"] {
        let run = agon_with_input(&delete, answer);
        assert_eq!(run.code, 1, "{}", run.err);
        assert!(run.err.contains("match-1 with 11 games"), "{}", run.err);
        assert!(run.err.contains("nothing was deleted"), "{}", run.err);
        assert_eq!(total(), Some(17));
    }
    assert_eq!(agon_with_input(&delete, "y\n").code, 0);
    assert_eq!(total(), Some(6));
    assert!(printed(&folder, &["records", "delete", "2", "--yes"]).contains("deleted series 2"));
    assert_eq!(total(), Some(0));
}

#[test]
fn games_of_the_pages_are_among_the_others() {
    let folder = filled();
    let store = Store::open(folder.path()).unwrap();
    let (_, game) = store.games(&Filter::default()).unwrap().next().unwrap().unwrap();
    for (id, rated) in [("a", true), ("b", false)] {
        let (id, document) = (id.to_string(), String::new());
        let sitting = Sitting { id, document, open: false, public: false, updated_at: 0 };
        let players = vec![Entrant::person(), Entrant::agent("greedy")];
        let page = PageGame { players, game: StoredGame { rated, ..game.clone() } };
        let finish = SittingChange::Finish(sitting, Box::new(page));
        store.change_sittings(&[finish]).unwrap();
    }
    let list = json(&folder, &["records", "list", "--agent", "human"]);
    assert_eq!((ids(&list), &list["games"][0]["rated"]), (vec!["3.1", "3.0"], &Value::Bool(false)));
    let text = printed(&folder, &["records", "show", "3.1"]);
    assert!(text.contains("person") && text.contains("Rated         no"), "{text}");
    assert!(printed(&folder, &["records", "replay", "3.0"]).contains("plays"));
    let pgn = read_pgn(&printed(&folder, &["records", "export", "--series", "pages"])).unwrap();
    let rated: Vec<_> = pgn.iter().map(|game| game.tag("Rated")).collect();
    assert_eq!((pgn[0].tag("White"), rated), (Some("person"), vec![None, Some("no")]));
    let ratings = json(&folder, &["ratings"]);
    assert_eq!((&ratings["games"], &ratings["unrated"]), (&18.into(), &1.into()));
    let text = printed(&folder, &["ratings"]);
    assert!(text.contains("\nhuman ") && text.contains("1 games in which a move"), "{text}");
    let text = printed(&folder, &["records", "delete", "pages", "--yes"]);
    assert!(text.contains("deleted series 3, that of the pages with 2 games"), "{text}");
    assert_eq!(json(&folder, &["records", "list"])["total"], 17);
}

#[test]
fn errors_name_what_is_wrong_and_what_would_be_right() {
    let folder = filled();
    let advised = [
        (&["records", "show", "1.99"][..], 1, "no game 1.99: 11 are stored, 1.0 to 1.10"),
        (&["records", "replay", "9.1"], 1, "no series 9: the newest is 2, match-2"),
        (&["records", "list", "--series", "9"], 1, "no series 9"),
        (&["records", "list", "--series", "spring"], 1, "no tournament \"spring\""),
        (&["records", "delete", "9", "--yes"], 1, "no series 9"),
        (&["records", "show", "1-10"], 2, "such as 7.120"),
        (&["records", "list", "--tournament", "spring"], 2, "no tournament \"spring\""),
        (&["records", "list", "--result", "1-0"], 2, "first, second"),
        (&["records", "list", "--fault", "boredom"], 2, "illegal-move"),
        (&["records", "export", "--since", "soon"], 2, "such as 2026-01-31"),
        (&["records", "list", "--variant", "chess"], 2, "chess"),
        (&["ratings", "--variant", "chess"], 2, "chess"),
        (&["records"], 2, "Usage"),
    ];
    for (arguments, code, words) in advised {
        refused(&folder, arguments, code, words);
    }
    let empty = tempfile::tempdir().unwrap();
    for arguments in [&["records", "list"][..], &["ratings"], &["records", "delete", "1"]] {
        refused(&empty, arguments, 1, "no games are stored here yet");
    }
    assert_eq!(files(empty.path()), 0, "reading makes no store");
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn ratings_are_of_all_games_or_of_one_variant() {
    let folder = filled();
    let all = json(&folder, &["ratings"]);
    assert_eq!((all["games"].as_u64(), all["left_out"].as_u64()), (Some(17), Some(0)));
    assert_eq!(all["variants"].as_array().unwrap().len(), 2);
    let groups = all["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 1, "greedy and random join both matches: {all}");
    let agents = groups[0].as_array().unwrap();
    assert_eq!(agents.len(), 3);
    let find = |name: &str| agents.iter().find(|agent| agent["agent"] == name).unwrap();
    let (greedy, random) = (find("greedy"), find("random"));
    assert_eq!((greedy["games"].as_u64(), random["faults"].as_u64()), (Some(17), Some(1)));
    assert!(greedy["elo"].as_f64().unwrap() > random["elo"].as_f64().unwrap(), "{all}");
    assert!(greedy["course"]["points"].as_f64().unwrap() > 0.0, "{all}");
    for agent in agents {
        let number = |key: &str| agent[key].as_u64().unwrap();
        assert_eq!(number("wins") + number("draws") + number("losses"), number("games"));
    }
    let two = json(&folder, &["ratings", "--variant", "breakthrough:5x5"]);
    assert_eq!(two["games"], 11);
    assert!(two["groups"][0][0].get("course").is_none(), "{two}");
    let text = printed(&folder, &["ratings"]);
    assert!(text.contains("2 variants together") && text.contains("points of 2"), "{text}");
    assert!(!text.contains("no chain of games"), "{text}");
    let none = printed(&folder, &["ratings", "--variant", "congo"]);
    assert_eq!(none, "no matching games\n");
}

#[test]
fn agents_that_never_met_are_in_separate_tables() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    play(&store, "breakthrough:5x5", &["greedy", "random"], 2);
    play(&store, "breakthrough:5x5", &["minimax:depth=1", "alphabeta:depth=1"], 2);
    let text = printed(&folder, &["ratings"]);
    assert!(text.contains("2 tables, as no chain of games connects their agents"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("agent ")).count(), 2, "{text}");
}
