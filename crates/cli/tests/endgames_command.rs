//! Endgame tables as people and scripts build and use them.

mod common;
#[cfg(target_os = "linux")]
#[allow(dead_code, reason = "other tests use more of it")]
mod events;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use agon_arena::tables::{TableFolder, TableId};
use common::{Run, agon};
use serde_json::Value;
use tempfile::TempDir;

/// A long win: 43 plies.
const LONG: &str = "3l3/7/7/6z/7/2L4/4C2 w 0";

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Runs a command with this data folder.
fn with_data(folder: &TempDir, arguments: &[&str]) -> Run {
    agon(&[arguments, &["--data", folder.path().to_str().unwrap()]].concat())
}

/// The same, which must succeed.
fn done(folder: &TempDir, arguments: &[&str]) -> String {
    let run = with_data(folder, arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.err);
    run.out
}

fn json(folder: &TempDir, arguments: &[&str]) -> Value {
    serde_json::from_str(&done(folder, arguments)).unwrap()
}

fn build(folder: &TempDir, material: &str) -> Run {
    with_data(folder, &["tables", "build", "congo", "--material", material])
}

/// The tables in a folder by their names.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.join("tables")).into_iter().flatten().flatten();
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn an_endgame_is_built_listed_and_used() {
    let folder = folder();
    let before = done(&folder, &["tables", "list"]);
    assert!(before.contains("congo, 3 men") && before.contains("part of the program"), "{before}");
    assert!(before.contains("missing: 56 endgame tables"), "{before}");

    let built = build(&folder, "lz-lc");
    assert_eq!(built.code, 0, "{}", built.err);
    assert!(built.out.contains("2 tables are part of the program"), "{}", built.out);
    assert!(built.out.contains("1 table to build: 194,580 bytes on disk"), "{}", built.out);
    assert!(build(&folder, "LC-LZ").out.contains("1 table is kept: intact"));
    let list = json(&folder, &["tables", "list", "--json"]);
    let four = |group: &&Value| group["game"] == "congo" && group["men"] == 4;
    let group = list["endgames"].as_array().unwrap().iter().find(four).unwrap();
    assert_eq!((&group["present"], &group["state"]), (&1.into(), &"incomplete".into()));

    let stats = json(&folder, &["tables", "stats", "congo", "--material", "LC-LZ", "--json"]);
    let first = &stats["endgames"][0]["to_move"][0];
    let counts = ["wins", "draws", "losses"].map(|name| first[name].as_u64().unwrap());
    assert_eq!(counts, [131_247, 43_045, 830]);
    assert_eq!(first["longest_win"]["plies"], 43);
    let shown = done(&folder, &["tables", "stats", "congo"]);
    assert!(shown.contains("LP-L") && shown.contains("131,247"), "{shown}");

    let full = done(&folder, &["tables", "check", "--full", "--game", "congo"]);
    assert_eq!(full.matches("every position is right").count(), 8, "{full}");

    let solved = json(&folder, &["solve", "congo", "--position", LONG, "--json"]);
    assert_eq!((&solved["value"], &solved["distance"]), (&"win".into(), &43.into()));
    assert_eq!((&solved["nodes"], solved["line"].as_array().unwrap().len()), (&0.into(), 43));
    let analysed = done(&folder, &["analyse", "congo", "--position", LONG, "--per-move", "9s"]);
    assert!(analysed.contains("win in 43 plies"), "{analysed}");
    assert!(analysed.contains("known exactly"), "{analysed}");
}

#[test]
fn a_table_that_is_damaged_or_foreign_is_named_and_not_used() {
    let folder = folder();
    assert_eq!(build(&folder, "LC-LZ").code, 0);
    let whole = files(folder.path());
    let file = folder.path().join("tables/congo-LC-LZ.endgame");
    let mut bytes = fs::read(&file).unwrap();
    bytes[100_000] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let checked = with_data(&folder, &["tables", "check"]);
    assert_eq!(checked.code, 1);
    assert!(checked.out.contains("congo-LC-LZ.endgame: damaged"), "{}", checked.out);
    let search = ["analyse", "congo", "--position", LONG, "--nodes", "100"];
    let searched = with_data(&folder, &search);
    assert_eq!(searched.code, 0, "{}", searched.err);
    assert!(searched.err.contains("congo-LC-LZ.endgame is not used"), "{}", searched.err);
    assert!(!searched.out.contains("known exactly"), "{}", searched.out);
    assert_eq!(build(&folder, "LC-LZ").code, 0, "damaged tables are rebuilt");
    assert!(files(folder.path()) == whole, "the same bytes");

    let other = folder.path().join("tables/congo-LC-LM.endgame");
    fs::rename(&file, other).unwrap();
    let checked = with_data(&folder, &["tables", "check"]);
    assert_eq!(checked.code, 1);
    assert!(checked.out.contains("it is another table"), "{}", checked.out);
}

/// One that is intact as a file, but has a wrong value.
#[test]
fn a_wrong_value_is_found_by_the_full_check() {
    let folder = folder();
    assert_eq!(build(&folder, "LC-LZ").code, 0);
    let store = TableFolder::new(folder.path());
    let id = TableId { game: "congo", name: "LC-LZ", kind: "endgame", entries: 194_580 };
    let mut table = store.open(&id).unwrap().to_vec();
    // A draw becomes a win.
    let draw = table.iter().position(|&byte| byte == 0).unwrap();
    table[draw] = 5;
    store.write(&id, &table).unwrap();
    assert_eq!(with_data(&folder, &["tables", "check"]).code, 0, "the file is intact");
    let checked = with_data(&folder, &["tables", "check", "--full", "--game", "congo"]);
    assert_eq!(checked.code, 1);
    assert!(
        checked.out.contains("WRONG") && checked.out.contains("not a win in 9"),
        "{}",
        checked.out
    );
    assert!(checked.err.contains("a table is wrong"), "{}", checked.err);
}

#[test]
fn what_cannot_be_built_is_refused_with_what_would_be_right() {
    let folder = folder();
    let refused = |arguments: &[&str], because: &str| {
        let run = with_data(&folder, &[&["tables", "build"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.out);
        assert!(run.err.contains(because), "{arguments:?}: {}", run.err);
    };
    refused(&["congo", "--material", "LX-L"], "such as L");
    refused(&["congo", "--material", "LCC-LCCC"], "at most five in all");
    refused(&["congo", "--men", "5"], "280 endgames");
    refused(&["congo", "--men", "6"], "--men");
    refused(&["congo", "--material", "LCG-LE"], "--men 5 --material LCG-LE");
    refused(&["congo", "--memory", "0"], "more than --memory 0");
    refused(&["congo", "--only", "LC-LZ"], "--material");
    refused(&["fauhalma", "--men", "4"], "no endgame tables");
    refused(&["wumpus"], "only for fauhalma, fenix, congo");
    let run = with_data(&folder, &["tables", "stats", "congo", "--material", "LC-LZ"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("agon tables build congo --material LC-LZ"), "{}", run.err);
    assert_eq!(with_data(&folder, &["tables", "stats", "wumpus"]).code, 2);
    assert!(files(folder.path()).is_empty());
    let none = with_data(&folder, &["tables", "build", "congo", "--men", "3"]);
    assert_eq!(none.code, 0, "{}", none.err);
    assert!(none.out.contains("7 tables are part of the program"), "{}", none.out);
}

/// A limit on the size of files stands in for a full disk: both are errors of a write.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_half_made() {
    let folder = folder();
    let output = Command::new("sh")
        .args(["-c", "ulimit -f 100; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_agon")])
        .args(["tables", "build", "congo", "--material", "LC-LZ", "--data"])
        .arg(folder.path())
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("cannot write") && error.contains("congo-LC-LZ.endgame"), "{error}");
    assert!(files(folder.path()).is_empty());
}

/// Killed at any time and started again, a build gives the same files. `AGON_SOAK` kills more often.
#[cfg(target_os = "linux")]
#[test]
fn a_build_that_is_killed_continues_and_gives_the_same_files() {
    let (whole, killed) = (folder(), folder());
    assert_eq!(build(&whole, "LPP-L").code, 0);
    let expected = files(whole.path());
    assert_eq!(expected.len(), 3, "LSS-L, LSP-L, LPP-L");
    let kills = if std::env::var_os("AGON_SOAK").is_some() { 40 } else { 4 };
    let mut delay = 10;
    for _ in 0..kills {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(["tables", "build", "congo", "--material", "LPP-L", "--data"])
            .arg(killed.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Longer every time, so that the kills fall into all parts of the build.
        std::thread::sleep(std::time::Duration::from_millis(delay));
        delay = delay * 5 / 3 % 997;
        child.kill().unwrap();
        child.wait().unwrap();
        for (name, bytes) in files(killed.path()) {
            let is_part = name.ends_with(".part");
            assert!(is_part || expected[&name] == bytes, "{name} is half made");
        }
    }
    assert_eq!(build(&killed, "LPP-L").code, 0);
    assert!(files(killed.path()) == expected, "the same files, and nothing else");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_stops_between_tables_and_says_how_to_go_on() {
    let folder = folder();
    let child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["tables", "build", "fenix", "--data", folder.path().to_str().unwrap()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    events::interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{error}");
    assert!(error.contains("stopped; the same command continues with KGG-K"), "{error}");
    assert!(files(folder.path()).is_empty());
}
