//! `agon review` as people and scripts use it: stored games, files and standard input.

mod common;

use std::fs;
use std::path::Path;

use agon_arena::analysis::{Analysis, Sign, read_any};
use agon_arena::review::{self, Course, Game, Review};
use agon_arena::store::Store;
use agon_games::Catalog;
use agon_search::StopFlag;
use common::{Run, agon, agon_with_input, json};
use tempfile::TempDir;

const NODES: &str = "2000";

/// Black wins at once with d2d1; a1a2 lets it, and b4b5 would have won.
const LOST: &str = "[Event \"the end\"]\n[Variant \"breakthrough:5x5\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n\
    [Result \"0-1\"]\n[Points \"0-100\"]\n[Start \"5/1P3/5/3p1/P4 w\"]\n\n1. a1a2 d2d1 0-1\n";

/// A data folder with a match: its first game is 1.0.
fn filled() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let played =
        agon(&["match", "breakthrough:4x4", "random", "greedy", "--games", "2", "--data", data]);
    assert_eq!(played.code, 0, "{}", played.err);
    folder
}

fn on(data: &Path, arguments: &[&str]) -> Run {
    agon(&[arguments, &["--nodes", NODES, "--data", data.to_str().unwrap()]].concat())
}

#[test]
fn a_lost_game_shows_where_it_was_lost() {
    let run = agon_with_input(&["review", "-", "--nodes", NODES], LOST);
    assert_eq!(run.code, 0, "{}", run.err);
    for part in
        ["the end", "a1a2??", "blunder (-100), better b4b5", "Ann (white)", "Decided after move 1."]
    {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let run = agon_with_input(&["review", "-", "--nodes", NODES, "--text"], LOST);
    assert_eq!(run.code, 0, "{}", run.err);
    let catalog = Catalog::built_in();
    let analysis = read_any(&catalog, &run.out, None, 1).unwrap().analysis;
    assert_eq!(analysis.text(&catalog).unwrap(), run.out, "it is read as it was written");
    assert_eq!(analysis.names, ["Ann", "Bob"]);
    let moves: Vec<&str> = analysis.nodes.iter().map(|node| node.mv.as_str()).collect();
    assert_eq!(moves, ["a1a2", "b4b5", "d2d1"]);
    assert_eq!(analysis.nodes[0].sign, Sign::Blunder);
    assert!(analysis.nodes[0].comment.starts_with("blunder: 100 expected points lost"));
    // The analysis can be reviewed like the game.
    let again = agon_with_input(&["review", "-", "--nodes", NODES, "--json"], &run.out);
    let first = agon_with_input(&["review", "-", "--nodes", NODES, "--json"], LOST);
    assert_eq!((again.code, again.out), (0, first.out));
}

#[test]
fn json_is_the_review_of_the_pages() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.json");
    let saved =
        r#"{"format":"agon-game","version":1,"variant":"congo","moves":["d2d3","d6d5","c2c3"]}"#;
    fs::write(&file, saved).unwrap();
    let printed = json(&["review", file.to_str().unwrap(), "--nodes", NODES, "--json"]);
    let moves = ["d2d3", "d6d5", "c2c3"].map(String::from).to_vec();
    let game = Game { variant: "congo".into(), start: None, moves, opening: 0 };
    let tables = game.tables(&Catalog::built_in()).unwrap();
    let agent = review::reviewer("engine", 2).unwrap();
    let nodes = NODES.parse().unwrap();
    let opinion = |table: &dyn agon_games::Table| {
        review::opinion(table, &agent, nodes, &StopFlag::default()).unwrap().unwrap()
    };
    let mut course = Course::new(game, tables);
    while let Some(found) = course.next().map(opinion) {
        course.learn(found);
    }
    let expected = course.finish(&agent, nodes);
    assert_eq!(serde_json::from_value::<Review>(printed).unwrap(), expected);
}

#[test]
fn the_review_of_a_stored_game_is_kept_for_the_pages() {
    let folder = filled();
    let printed = on(folder.path(), &["review", "1.0", "--json"]);
    assert_eq!(printed.code, 0, "{}", printed.err);
    let review: Review = serde_json::from_str(&printed.out).unwrap();
    let store = Store::open_read_only(folder.path()).unwrap();
    let stored = store.game("1.0".parse().unwrap()).unwrap();
    let moves = stored.opening_moves().chain(stored.played_moves()).map(String::from).collect();
    let opening = stored.opening_moves().count();
    let game = Game { variant: stored.variant, start: stored.start, moves, opening };
    let agent = review::reviewer("engine", 2).unwrap();
    let key = review::key(&game, &agent, NODES.parse().unwrap());
    let kept: Review = serde_json::from_str(&store.review(&key).unwrap().unwrap()).unwrap();
    assert_eq!(kept, review);
    // It is used again.
    let change = agon_arena::store::AnalysisChange::Review(
        key,
        serde_json::to_string(&Review { decided_at: Some(99), ..review }).unwrap(),
    );
    Store::open(folder.path()).unwrap().change_analyses(&[change]).unwrap();
    let again = on(folder.path(), &["review", "1.0", "--json"]);
    assert_eq!(serde_json::from_str::<Review>(&again.out).unwrap().decided_at, Some(99));
}

#[test]
fn exported_games_and_analyses_are_chosen_by_their_number() {
    let folder = filled();
    let file = folder.path().join("games.pgn");
    let data = folder.path().to_str().unwrap();
    let exported = agon(&["records", "export", "--data", data, "--output", file.to_str().unwrap()]);
    assert_eq!(exported.code, 0, "{}", exported.err);
    for number in ["1", "2"] {
        let id = format!("1.{}", number.parse::<u32>().unwrap() - 1);
        let of_file =
            on(folder.path(), &["review", file.to_str().unwrap(), "--game", number, "--json"]);
        let stored = on(folder.path(), &["review", &id, "--json"]);
        assert_eq!((of_file.code, stored.code), (0, 0), "{}{}", of_file.err, stored.err);
        assert_eq!(of_file.out, stored.out);
    }
    let none = on(folder.path(), &["review", file.to_str().unwrap(), "--game", "3"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("there is no game 3: the text has 2"), "{}", none.err);
    let analysis = Analysis { variant: "congo".into(), ..Analysis::default() };
    let text = serde_json::to_string(&analysis).unwrap();
    let empty = agon_with_input(&["review", "-"], &text);
    assert_eq!(empty.code, 2);
    assert!(empty.err.contains("this game has no moves"), "{}", empty.err);
}

#[test]
fn wrong_input_is_refused_with_its_place() {
    let folder = filled();
    let refused = |arguments: &[&str], input: &str, part: &str| {
        let run = agon_with_input(&[&["review"], arguments].concat(), input);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(part), "{arguments:?}: {}", run.err);
    };
    refused(
        &["no-such-file"],
        "",
        "there is no file no-such-file; a stored game is a number such as",
    );
    refused(&[folder.path().to_str().unwrap()], "", "this is a folder");
    refused(&["-"], "", "standard input: ");
    refused(
        &["-"],
        "[Variant \"congo\"]\n\n1. d2d3 d2d3 *",
        "standard input: line 3, column 9: congo: bad move",
    );
    refused(&["-"], "[Variant \"congo\"]\n\n1. d2d3 ( *", "expected ) at the end of the variation");
    refused(&["-", "--agent", "nobody"], LOST, "nobody");
    refused(&["-", "--nodes", "0"], LOST, "--nodes");
    refused(&["-", "--text", "--json"], LOST, "--json");
    refused(&["7.120", "--game", "2"], "", "--game chooses from the games of a file");
    let run = on(folder.path(), &["review", "1.99"]);
    assert!(run.code != 0 && run.err.contains("1.99"), "{}", run.err);
}
