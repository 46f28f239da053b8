//! A data folder of an older version, in which a tournament and a match were killed: its games are
//! unchanged, and what was interrupted can be resumed.

mod common;

use std::fs;
use std::path::Path;

use common::{agon, json};
use serde_json::Value;
use tempfile::TempDir;

const OLD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../arena/tests/data/version-2");

fn copied() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["games.db", "cup.toml"] {
        fs::copy(Path::new(OLD).join(file), folder.path().join(file)).unwrap();
    }
    folder
}

#[track_caller]
fn printed(folder: &TempDir, arguments: &[&str]) -> String {
    let run = agon(&[arguments, &["--data", folder.path().to_str().unwrap()]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

/// Objects, one per line, without these fields.
fn objects(text: &str, without: &[&str]) -> Vec<Value> {
    let read = |line: &str| {
        let mut object: Value = serde_json::from_str(line).unwrap();
        object.as_object_mut().unwrap().retain(|name, _| !without.contains(&name.as_str()));
        object
    };
    text.lines().map(read).collect()
}

fn expected(file: &str) -> Vec<Value> {
    objects(&fs::read_to_string(Path::new(OLD).join(file)).unwrap(), &[])
}

#[test]
fn records_and_ratings_are_unchanged() {
    let folder = copied();
    let records = printed(&folder, &["records", "export", "--format", "jsonl"]);
    assert!(objects(&records, &[]).iter().all(|game| game["rated"] == true));
    let newer = ["rated", "disturbed", "depths", "scores"];
    assert_eq!(objects(&records, &newer), expected("records.jsonl"));
    let unknown = |game: &Value| game["scores"].as_array().unwrap().iter().all(Value::is_null);
    assert!(objects(&records, &[]).iter().all(unknown), "older games have no scores");
    let data = folder.path().to_str().unwrap();
    let ratings = json(&["ratings", "--json", "--data", data]).to_string();
    assert_eq!(objects(&ratings, &["unrated"]), expected("ratings.json"));
}

#[test]
fn an_interrupted_tournament_ends_with_the_games_it_would_have_had() {
    let folder = copied();
    let file = folder.path().join("cup.toml");
    printed(&folder, &["tournament", "run", file.to_str().unwrap()]);
    let games = printed(&folder, &["tournament", "export", "cup", "--format", "jsonl"]);
    let chance = ["times_ms", "latencies_ms", "finished"];
    let newer = ["rated", "disturbed", "depths", "scores"];
    let chance = [&chance[..], &newer].concat();
    assert_eq!(objects(&games, &chance), expected("cup.jsonl"));
}
