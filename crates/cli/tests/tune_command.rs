//! `agon tune` as people and scripts use it.

mod common;

use std::fs;

use common::agon;

const QUICK: [&str; 8] = [
    "tune",
    "fauhalma:rhombus2",
    "--games",
    "12",
    "--agent",
    "alphabeta:depth=1,eval=tuned",
    "--seed",
    "4",
];

fn tune(more: &[&str]) -> common::Run {
    agon(&[&QUICK[..], more].concat())
}

#[test]
fn the_weights_are_printed_as_the_game_reads_them() {
    let run = tune(&["--threads", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let (comments, weights): (Vec<&str>, Vec<&str>) =
        run.out.lines().partition(|line| line.starts_with('#'));
    assert!(comments[0].starts_with("# agon tune fauhalma:rhombus2 --games 12"), "{comments:?}");
    assert_eq!(weights[0], "step 100");
    for line in &weights {
        let (name, weight) = line.split_once(' ').unwrap();
        assert!(!name.is_empty() && weight.parse::<i32>().is_ok(), "{line}");
    }
    assert!(run.err.contains("old") && run.err.contains("held out"), "{}", run.err);
    assert_eq!(tune(&["--threads", "3"]).out, run.out, "threads make no difference");
}

#[test]
fn files_hold_what_would_be_printed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (out, saved) = (path("tuned.txt"), path("positions.tsv"));
    let run = tune(&["--out", &out, "--save", &saved]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(fs::read_to_string(&out).unwrap(), tune(&[]).out);
    assert!(run.out.contains("held out"), "{}", run.out);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no part of a file is left");
    let again = ["tune", "fauhalma:rhombus2", "--positions", &saved, "--json"];
    let (answer, first) = (common::json(&again), common::json(&[&QUICK[..], &["--json"]].concat()));
    assert_eq!(answer["features"], first["features"]);
    assert_eq!(answer["loss"], first["loss"]);
    assert_eq!(first["games"], 12);
    assert!(first["positions"].as_u64().unwrap() > 100);
    let count = |key: &str| first[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 12);
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let three = agon(&["tune", "fauhalma:star3"]);
    assert_eq!(three.code, 2);
    assert!(three.err.contains("nothing to tune"), "{}", three.err);
    for wrong in [
        &["tune", "halma"][..],
        &["tune", "fauhalma:star2", "--agent", "nobody"],
        &["tune", "fauhalma:star2", "--blend", "2"],
        &["tune", "fauhalma:star2", "--positions", "a", "--games", "3"],
    ] {
        assert_eq!(agon(wrong).code, 2, "{wrong:?}");
    }
    assert_eq!(agon(&["tune", "fauhalma:star2", "--positions", "/nowhere/at/all"]).code, 1);
}

#[test]
fn new_weights_play_without_a_build() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new.txt").to_str().unwrap().to_string();
    assert_eq!(tune(&["--out", &out]).code, 0);
    let agent = format!("engine:weights={out}");
    let command =
        ["match", "fauhalma:rhombus2", &agent, "engine", "--games", "2", "--nodes", "200"];
    let run = agon(&command);
    assert_eq!(run.code, 0, "{}", run.err);

    let text = fs::read_to_string(&out).unwrap().replacen("rear ", "rare ", 1);
    fs::write(&out, text).unwrap();
    let refused = agon(&command);
    assert_eq!(refused.code, 2, "{}", refused.err);
    let words = "line 8: expected the weight of rear, found \"rare\"; did you mean rear?";
    assert!(refused.err.contains(&out) && refused.err.contains(words), "{}", refused.err);
    fs::remove_file(&out).unwrap();
    let missing = agon(&command);
    assert_eq!(missing.code, 2, "{}", missing.err);
    assert!(missing.err.contains("expected a file of weights"), "{}", missing.err);
}
