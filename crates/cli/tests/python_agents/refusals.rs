//! What cannot play is refused before anything starts, with the exit code for bad usage.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::{agon_in, folder_of, python};

const FILES: &[(&str, &str)] = &[
    ("good.py", "def choose(state, remaining):\n    return state.actions()[0]\n"),
    (
        "two.py",
        "class A:\n    def act(self, s, t): pass\nclass B:\n    def act(self, s, t): pass\n",
    ),
    ("none.py", "class Node:\n    pass\ndef helper():\n    pass\n"),
    ("wild.py", "raise SystemExit('this must not run')\nclass Mine(Agent):\n    pass\n"),
    ("my agent.py", "def choose(state):\n    return state.actions()[0]\n"),
];

/// Asserts that the command prints this and exits with 2.
fn refused(arguments: &[&str], words: &[&str]) {
    let folder = folder_of(FILES);
    let run = agon_in(folder.path(), arguments);
    assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.out, run.err);
    for word in words {
        assert!(run.err.contains(word), "{arguments:?}: {word:?} in {}", run.err);
    }
}

#[test]
fn a_missing_file_or_class_is_refused() {
    if python().is_none() {
        return;
    }
    let rows: &[(&str, &[&str])] = &[
        ("python:", &["expected python:FILE[#CLASS]", "such as python:agent.py"]),
        ("python:my agent.py", &["a name with spaces needs quotes"]),
        ("python:'my", &["a quote is missing"]),
        ("python:nowhere.py", &["there is no file nowhere.py in "]),
        ("python:nowhere/x.py", &["there is no folder "]),
        ("python:.", &["is a folder: expected a Python file"]),
        ("python:two.py", &["several agents: choose one of two.py#A, two.py#B"]),
        ("python:two.py#C", &["there is no C in two.py: its classes are A, B"]),
        ("python:two.py#", &["expected the name of a class after #"]),
        ("python:none.py", &["no agent in none.py", "choose(state, remaining)", "are Node"]),
    ];
    for (agent, words) in rows {
        refused(&["match", "congo", agent, "random", "--no-store"], words);
    }
    refused(&["play", "congo", "--against", "python:two.py#C", "--plain"], &["there is no C"]);
}

/// As with any program, the first check fails if it cannot be started.
#[test]
fn a_check_says_that_a_missing_class_cannot_start() {
    if python().is_none() {
        return;
    }
    let folder = folder_of(FILES);
    let run = agon_in(folder.path(), &["check", "congo", "python:two.py#C"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("there is no C in two.py: its classes are A, B"), "{}", run.out);
}

#[test]
fn a_name_with_blanks_can_be_quoted() {
    if python().is_none() {
        return;
    }
    let folder = folder_of(FILES);
    let agents = ["python:'my agent.py'", "random"];
    let answer = crate::matched(folder.path(), "congo", agents, &["--games", "2", "--no-store"]);
    assert_eq!(crate::faults(&answer, 0), 0);
}

#[test]
fn nothing_of_a_file_runs_before_its_first_game() {
    if python().is_none() {
        return;
    }
    let folder = folder_of(FILES);
    let arguments = ["match", "congo", "python:wild.py", "random", "--games", "2", "--no-store"];
    let run = agon_in(folder.path(), &arguments);
    assert_eq!(run.code, 1, "no game was played");
    assert!(run.err.contains("python:wild.py could not be started"), "{}", run.err);
    assert!(run.err.contains("SystemExit: this must not run"), "{}", run.err);
}

#[test]
fn a_missing_interpreter_is_refused() {
    let with = |python| ["match", "congo", "python:good.py", "random", "--python", python];
    refused(&with("python-of-nobody"), &["there is no program python-of-nobody", "--python"]);
    refused(&with("./nowhere/python"), &["cannot find the program", "nowhere/python"]);
}

/// An interpreter with nothing but the standard library.
#[test]
fn without_the_package_the_error_has_the_command_that_installs_it() {
    let Some(python) = python() else { return };
    let folder = folder_of(FILES);
    // An empty virtual environment: its file names the interpreter.
    let environment = folder.path().join("empty");
    let base = fs::canonicalize(&python).unwrap();
    fs::create_dir_all(environment.join("bin")).unwrap();
    let home = base.parent().unwrap().display();
    fs::write(environment.join("pyvenv.cfg"), format!("home = {home}\n")).unwrap();
    symlink(&base, environment.join("bin/python")).unwrap();
    let arguments = ["match", "congo", "python:good.py", "random", "--python", "empty/bin/python"];
    let run = agon_in(folder.path(), &arguments);
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("empty/bin/python -m pip install ./python"), "{}", run.err);
    assert!(run.err.contains("does not have Agon's package"), "{}", run.err);
}

#[test]
fn a_program_that_is_not_python_is_refused() {
    let folder = folder_of(&[FILES[0], ("python", "#!/bin/sh\necho I am a shell >&2\nexit 3\n")]);
    let program = folder.path().join("python");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let arguments = ["match", "congo", "python:good.py", "random", "--python", "./python"];
    let run = agon_in(folder.path(), &arguments);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("ended with status 3: I am a shell"), "{}", run.err);
}
