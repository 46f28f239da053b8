//! Completion in shells: the program is asked as the shells ask it, and bash is a real one.

use std::path::Path;
use std::process::Command;

#[allow(dead_code, reason = "other tests use more of it")]
mod common;

/// What is offered for the last of these words, with the data folder that the environment names.
fn offered_in(data: &Path, shell: &str, words: &[&str]) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.env("AGON_COMPLETE", shell).env("AGON_DATA", data).arg("--").arg("agon").args(words);
    // Zsh says which word is meant.
    command.env("_CLAP_COMPLETE_INDEX", words.len().to_string()).env("_CLAP_IFS", "\n");
    let output = command.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

fn offered(words: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("none");
    let offered = offered_in(&data, "bash", words);
    assert!(!data.exists(), "nothing is created");
    offered
}

#[test]
fn variants_and_games_are_offered() {
    let variants = offered(&["match", "bre"]);
    assert!(variants.contains(&"breakthrough:8x8,classic".to_string()), "{variants:?}");
    assert!(variants.iter().all(|it| it.starts_with("breakthrough:")), "{variants:?}");
    assert_eq!(offered(&["bench", "con"]), ["congo", "connect4"]);
    assert!(offered(&["records", "list", "--variant", "fe"]).contains(&"fenix".to_string()));
}

#[test]
fn agents_are_offered_with_their_options_and_the_values_of_those() {
    assert_eq!(offered(&["match", "congo", "eng"]), ["engine", "engine:"]);
    assert_eq!(offered(&["match", "congo", "engine:le"]), ["engine:level="]);
    let levels = offered(&["match", "congo", "engine:level="]);
    assert_eq!((levels.len(), &*levels[9]), (10, "engine:level=10"));
    let text = ["match", "congo", "random", "engine:level=3,tt="];
    assert_eq!(offered(&text), ["engine:level=3,tt=on", "engine:level=3,tt=off"]);
    let left = offered(&["match", "congo", "engine:level=3,l"]);
    assert!(left.contains(&"engine:level=3,lmr=".to_string()), "{left:?}");
    assert!(!left.contains(&"engine:level=3,level=".to_string()), "given already: {left:?}");
    assert_eq!(offered(&["play", "congo", "--against", "hum"]), ["human"]);
    assert_eq!(offered(&["play", "congo", "--watch", "engine", "mct"]), ["mcts", "mcts:"]);
}

#[test]
fn what_is_offered_fits_the_variant_that_is_typed() {
    let evaluations = offered(&["match", "congo", "greedy:eval="]);
    assert!(evaluations.contains(&"greedy:eval=course".to_string()), "{evaluations:?}");
    let evaluations = offered(&["match", "fenix", "greedy:eval="]);
    assert!(!evaluations.contains(&"greedy:eval=course".to_string()), "{evaluations:?}");
    let three = offered(&["match", "fauhalma:star3", "m"]);
    assert!(three.contains(&"maxn".to_string()) && !three.contains(&"minimax".to_string()));
    assert_eq!(offered(&["play", "fauhalma:star2", "--as", ""]), ["A", "B"]);
    assert_eq!(offered(&["play", "wumpus:6", "--as", "a"]), ["adversary", "agent"]);
}

#[test]
fn other_closed_sets_are_offered() {
    assert_eq!(offered(&["match", "congo", "engine", "mcts", "--openings", "ra"]), ["random:4"]);
    assert_eq!(offered(&["records", "export", "--format", ""]), ["pgn", "jsonl", "csv"]);
    assert_eq!(offered(&["tournament", "export", "x", "--format", "c"]), ["csv"]);
    assert_eq!(offered(&["lab", "new", "b"]), ["build-up"]);
    assert_eq!(offered(&["tour"]), ["tournament"]);
    assert_eq!(offered(&["serve", "--o"]), ["--open", "--only"]);
}

#[test]
fn names_come_from_the_store_of_the_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("spring.toml"));
    let plan = "variant = \"breakthrough:3x4\"\ngames = 2\n\
                format = \"round-robin\"\nagents = [\"random\", \"greedy\"]\n";
    std::fs::write(&file, plan).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_agon"));
    let run = run.args(["tournament", "run"]).arg(&file).env("AGON_DATA", &data).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(offered_in(&data, "bash", &["tournament", "status", ""]), ["spring"]);
    let given = ["--data", data.to_str().unwrap(), "tournament", "export", "sp"];
    assert_eq!(offered(&given), ["spring"]);
}

#[test]
fn a_damaged_store_is_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("games.db"), "no database").unwrap();
    assert!(
        !offered_in(folder.path(), "bash", &["tournament", "status", "s"]).contains(&"s".into())
    );
}

#[test]
fn zsh_and_fish_are_answered_in_their_own_way() {
    let none = tempfile::tempdir().unwrap();
    let zsh = offered_in(none.path(), "zsh", &["match", "congo", "engine:le"]);
    assert!(zsh[0].starts_with("engine\\:level="), "{zsh:?}");
    let fish = offered_in(none.path(), "fish", &["match", "congo", "engine:le"]);
    assert!(fish[0].starts_with("engine:level=\t"), "{fish:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = common::agon(&["completions", shell]).out;
        assert!(script.contains("AGON_COMPLETE"), "{shell}: {script}");
    }
}

/// Bash with the script, asked for the completions of a line as Tab would.
#[test]
fn bash_goes_on_after_colons_and_equals_signs() {
    let program = Path::new(env!("CARGO_BIN_EXE_agon"));
    // The words are split as bash splits a line that is edited.
    let script = r#"
        source <(agon completions bash) || exit 3
        ask() {
            COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9
            COMP_WORDS=("${@:2}")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _agon agon "${COMP_WORDS[COMP_CWORD]}" ""
            echo "${COMPREPLY[*]}"
        }
        ask 'agon match breakthrough:' agon match breakthrough :
        ask 'agon match congo engine:le' agon match congo engine : le
        ask 'agon match congo engine:level=3,tt=' agon match congo engine : level = 3,tt =
        ask "agon play congo --moves 'd2d3 d6d5' --as w" agon play congo --moves "'d2d3 d6d5'" --as w
        ask 'agon play congo --against=hum' agon play congo --against = hum
        COMP_WORDBREAKS=' '
        ask 'agon match congo engine:le' agon match congo engine:le
    "#;
    let path =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let bash = Command::new("bash").args(["--norc", "-c", script]).env("PATH", path).output();
    let Ok(output) = bash else { return eprintln!("there is no bash here") };
    let out = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = out.lines().collect();
    let expected = ["8x8 5x5 8x8,classic", "level=", "on off", "white", "human", "engine:level="];
    assert_eq!(lines, expected, "{}", String::from_utf8_lossy(&output.stderr));
}
