//! `agon check` as automatic tests of a course use it.

// An agent that fails has an answer in JSON too.
#[allow(dead_code)]
mod common;

use std::fs;
use std::path::Path;

use common::{Run, agon};
use serde_json::Value;

/// Agents of fixed depth are quick, and have time enough on a busy machine.
const TERMS: &[&str] = &["--per-move", "5s", "--time", "1m", "--games", "4"];

fn checked(variant: &str, agent: &str, more: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    agon(&[&["check", variant, agent, "--data", data], TERMS, more].concat())
}

/// The answer in JSON, with the exit code that belongs to it.
fn answer(variant: &str, agent: &str, more: &[&str]) -> Value {
    let run = checked(variant, agent, &[&["--json"], more].concat());
    let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    let passed = answer["passed"].as_bool().unwrap();
    assert_eq!(run.code, if passed { 0 } else { 1 }, "{}", run.err);
    let failed = checks(&answer).iter().any(|check| check["verdict"] == "failed");
    assert_eq!(failed, !passed, "{answer:#}");
    answer
}

fn checks(answer: &Value) -> &[Value] {
    answer["checks"].as_array().unwrap()
}

fn verdict<'a>(answer: &'a Value, name: &str) -> &'a str {
    let check = checks(answer).iter().find(|check| check["name"] == name);
    check.unwrap_or_else(|| panic!("no {name} in {answer:#}"))["verdict"].as_str().unwrap()
}

fn detail<'a>(answer: &'a Value, name: &str) -> &'a str {
    let check = checks(answer).iter().find(|check| check["name"] == name);
    check.unwrap_or_else(|| panic!("no {name} in {answer:#}"))["detail"].as_str().unwrap()
}

/// This program, with arguments, as an agent of this kind.
fn ourselves(kind: &str, arguments: &str) -> String {
    format!("{kind}:'{}' {arguments}", env!("CARGO_BIN_EXE_agon"))
}

/// A program made of these lines of shell.
fn script(folder: &Path, lines: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("agent.sh");
    fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    format!("'{}'", path.display())
}

#[test]
fn the_engine_passes_and_the_json_has_all_fields() {
    let answer = answer("breakthrough:5x5", "engine:depth=6", &[]);
    assert_eq!(answer["passed"], true, "{answer:#}");
    assert_eq!(answer["variant"], "breakthrough:5x5");
    assert_eq!(answer["agent"], "engine:depth=6");
    for check in checks(&answer) {
        assert!(check["seconds"].as_f64().unwrap() >= 0.0);
        assert!(!check["detail"].as_str().unwrap().is_empty());
    }
}

#[test]
fn people_get_a_line_per_check_and_a_sentence() {
    let run = checked("breakthrough:5x5", "random", &[]);
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{}", run.out);
    for (beginning, word) in [
        ("✓ starts ", "first move"),
        ("✗ beats random ", " % in 4 games"),
        ("– leaves quietly ", "skipped: "),
    ] {
        let told = |line: &str| line.starts_with(beginning) && line.contains(word);
        assert!(run.out.lines().any(told), "{beginning}: {}", run.out);
    }
    let last = run.out.lines().last().unwrap();
    assert!(last.starts_with("random failed ") && last.contains(" passed, 3 skipped"), "{last}");
}

#[test]
fn a_program_that_speaks_ugi_passes_like_the_agent_in_it() {
    let agent = ourselves("ugi", "ugi --agent alphabeta:depth=6");
    let answer = answer("breakthrough:5x5", &agent, &[]);
    assert_eq!(answer["passed"], true, "{answer:#}");
    for check in checks(&answer) {
        assert_eq!(check["verdict"], "passed", "{check}");
    }
}

#[test]
fn a_program_of_the_congo_course_is_asked_in_every_scenario() {
    let agent = ourselves("congo", "congo engine --agent ordered:depth=3");
    let answer = answer("congo", &agent, &[]);
    assert_eq!(answer["passed"], true, "{answer:#}");
    let scenario = |check: &&Value| check["name"].as_str().unwrap().starts_with("scenario: ");
    let known = agon_games::Catalog::built_in().scenarios(&"congo".parse().unwrap()).unwrap();
    assert_eq!(checks(&answer).iter().filter(scenario).count(), known.len());
    assert!(!known.is_empty());
}

#[test]
fn three_players_are_checked_from_three_seats() {
    let agent = ourselves("ugi", "ugi --agent greedy");
    let answer = answer("fauhalma:star3", &agent, &[]);
    assert_eq!(verdict(&answer, "plays by the rules"), "passed", "{answer:#}");
    assert_eq!(detail(&answer, "plays by the rules").matches(" as ").count(), 3);
    assert_eq!(verdict(&answer, "leaves quietly"), "passed");
}

#[test]
fn programs_that_are_no_engines_do_not_start() {
    for (agent, word) in [
        ("ugi:cat", "never got ready"),
        ("ugi:true", "could not be started"),
        ("ugi:false", "could not be started"),
        ("ugi:./no-such-program", "cannot find the program"),
        ("ugi:no-such-program-anywhere", "there is no program"),
        ("congo:true", "disconnected"),
        ("congo:false", "crash"),
    ] {
        let answer = answer("congo", agent, &["--patience", "1s"]);
        assert_eq!(verdict(&answer, "starts"), "failed", "{answer:#}");
        assert!(detail(&answer, "starts").contains(word), "{agent}: {answer:#}");
        let skipped = |check: &&Value| check["verdict"] == "skipped";
        assert_eq!(checks(&answer).iter().filter(skipped).count(), 8, "{answer:#}");
    }
}

#[test]
fn an_invalid_answer_breaks_the_rules() {
    let answer = answer("congo", "congo:cat", &[]);
    assert_eq!(verdict(&answer, "starts"), "passed", "{answer:#}");
    assert_eq!(verdict(&answer, "plays by the rules"), "failed");
    assert!(detail(&answer, "plays by the rules").contains("newgame"), "{answer:#}");
    assert_eq!(verdict(&answer, "beats random"), "skipped");
}

#[test]
fn a_program_that_stays_or_leaves_children_is_found_out() {
    let program = env!("CARGO_BIN_EXE_agon");
    let engine = format!("'{program}' ugi --agent greedy");
    for (lines, word) in [
        (format!("{engine}\nexec sleep 1000"), "still running"),
        (format!("sleep 1000 &\n{engine}"), "left children behind"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let agent = format!("ugi:{}", script(folder.path(), &lines));
        let answer = answer("breakthrough:5x5", &agent, &[]);
        assert_eq!(verdict(&answer, "plays by the rules"), "passed", "{answer:#}");
        assert_eq!(verdict(&answer, "leaves quietly"), "failed");
        assert!(detail(&answer, "leaves quietly").contains(word), "{answer:#}");
    }
}

#[test]
fn bad_usage_is_no_verdict() {
    for (arguments, word) in [
        (&["check", "chess", "engine"][..], "breakthrough"),
        (&["check", "congo", "enigne"], "did you mean engine"),
        (&["check", "congo", "human"], "agon play"),
        (&["check", "congo", "ugi:"], "expected ugi:COMMAND"),
        (&["check", "congo", "engine", "--per-move", "5"], "such as 5m"),
        (&["check", "congo"], "AGENT"),
    ] {
        let run = agon(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(word), "{arguments:?}: {}", run.err);
    }
}

/// The example engine of the documentation.
const SMALL_ENGINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/engine.py");

#[test]
fn the_example_engine_of_the_documentation_passes() {
    let agent = format!("ugi:python3 '{SMALL_ENGINE}'");
    let answer = answer("breakthrough:5x5", &agent, &[]);
    assert_eq!(answer["passed"], true, "{answer:#}");
    assert!(checks(&answer).iter().all(|check| check["verdict"] == "passed"), "{answer:#}");
    let speed = detail(&answer, "nodes a second");
    assert!(speed.contains(" nodes a second in 4 fixed positions, mean depth "), "{speed}");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/protocols.md");
    let (page, engine) =
        (fs::read_to_string(page).unwrap(), fs::read_to_string(SMALL_ENGINE).unwrap());
    assert!(
        page.contains(&format!("```python\n{engine}```\n")),
        "docs/protocols.md shows docs/engine.py"
    );
}

/// Answers only if it is given clocks, always with the same move.
const CLOCK_ONLY: &str = "while read line; do case \"$line\" in ugi) echo ugiok;; isready) \
                          echo readyok;; *p1time*) echo bestmove a2a3;; quit) exit;; esac; done";

#[test]
fn a_program_that_reads_only_clocks_gets_advice_and_the_conversation() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("talk.log");
    let program = script(folder.path(), CLOCK_ONLY);
    let terms = ["--per-move", "10ms", "--time", "5s", "--log", log.to_str().unwrap()];
    let data = folder.path().join("data").display().to_string();
    let run = |kind: &str| {
        let agent = format!("{kind}:{program}");
        let arguments = ["check", "breakthrough:5x5", &agent, "--games", "2", "--data", &data];
        agon(&[&arguments[..], &terms].concat())
    };
    let told = run("ugi");
    assert_eq!(told.code, 1, "{}", told.err);
    for words in [
        "    position: ppppp/",
        "    sent: go movetime 10\n",
        "    sent: stop\n",
        &format!(
            "but not a time per move: ugi-clock:{} sends it clocks only",
            program.replace('\'', "")
        ),
    ] {
        assert!(told.out.contains(words), "{words} in {}", told.out);
    }
    let lines = fs::read_to_string(&log).unwrap();
    for words in
        [" > go movetime 10\n", " < readyok\n", " > go p1time 5000 p2time 5000\n", " = started "]
    {
        assert!(lines.contains(words), "{words} in {lines}");
    }
    let heard = run("ugi-clock");
    let first = heard.out.lines().next().unwrap();
    assert!(
        first.starts_with("✓ starts") && first.contains("its first move took"),
        "{}",
        heard.out
    );
    let lines = fs::read_to_string(&log).unwrap();
    assert!(lines.contains(" > go p1time 10 p2time 10 p1inc 5 p2inc 5\n"), "{lines}");
}
