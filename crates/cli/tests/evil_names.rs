//! Names and texts that would control a terminal, fake a line or break a table.
#![cfg(unix)]

#[allow(dead_code, reason = "other tests use more of it")]
mod common;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use common::{Run, agon};

/// Clears the screen and starts a new line.
const EVIL: &str = "evil\u{1b}[2J\nerror: fake";

/// Nothing of it has reached the terminal unescaped, and it is still recognisable.
fn assert_tame(what: &str, run: &Run) {
    for text in [&run.out, &run.err] {
        assert!(!text.contains('\u{1b}'), "{what}: {text:?}");
        assert!(!text.lines().any(|line| line.starts_with("error: fake")), "{what}: {text:?}");
    }
    let both = format!("{}{}", run.out, run.err);
    assert!(both.contains("evil\\u{1b}[2J\\nerror: fake"), "{what}: {both:?}");
}

#[test]
fn files_with_evil_names_are_named_in_escapes() {
    let folder = tempfile::tempdir().unwrap();
    let evil = folder.path().join(EVIL);
    fs::create_dir(&evil).unwrap();
    let path = |name: &str| evil.join(name).to_str().unwrap().to_string();
    fs::write(evil.join("cup.toml"), "format = \"none\"\n").unwrap();
    fs::write(evil.join("openings"), "nonsense\n").unwrap();
    fs::write(evil.join("games.db"), "no store".repeat(500)).unwrap();
    let data = evil.to_str().unwrap();
    for arguments in [
        &["tournament", "run", &path("cup.toml")][..],
        &["tournament", "run", &path("none.toml")],
        &["match", "congo", "random", "random", "--openings", &path("openings"), "--no-store"],
        &["match", "congo", "random", "random", "--openings", &path("none"), "--no-store"],
        &["match", "congo", "random", "random", "--data", data],
        &["records", "list", "--data", data],
        &["play", "--load", &path("none")],
        &["solve", "--check", &path("none")],
        &["serve", "--environments", &path("none")],
        &["match", "congo", &format!("ugi:'{}'", path("none")), "random", "--no-store"],
        &["tables", "list", "--data", data],
    ] {
        assert_tame(&arguments.join(" "), &agon(arguments));
    }
}

#[test]
fn programs_with_evil_names_and_words_are_tame_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join(EVIL);
    let says = "#!/bin/sh\nprintf 'id name evil\\033[2J\\ninfo \\033[2J\\r\\nugiok\\n'\nexit 3\n";
    fs::write(&program, says).unwrap();
    fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    let (agent, data) = (format!("ugi:'{}'", program.display()), folder.path().join("data"));
    let data = data.to_str().unwrap();
    let on = |arguments: &[&str]| agon(&[arguments, &["--data", data]].concat());
    assert_tame("match", &on(&["match", "congo", &agent, "random", "--games", "2"]));
    assert_tame("check", &on(&["check", "congo", &agent]));
    let shown = on(&["records", "show", "1.0"]);
    let agent = shown.out.lines().find(|line| line.starts_with("WhiteAgent"));
    assert!(agent.is_some_and(|line| line.ends_with("\\nerror: fake'")), "{}", shown.out);
    for arguments in [
        &["records", "list"][..],
        &["records", "show", "1.0"],
        &["records", "export", "--format", "pgn"],
        &["records", "export", "--format", "csv"],
        &["ratings"],
    ] {
        assert_tame(&arguments.join(" "), &on(arguments));
    }
    let file = folder.path().join("cup.toml");
    let cup =
        "format = \"round-robin\"\nvariant = \"congo\"\nagents = [\"ugi:./evil*\", \"random\"]";
    fs::write(&file, cup).unwrap();
    assert_tame("tournament", &on(&["tournament", "run", file.to_str().unwrap()]));
    for arguments in [
        &["tournament", "status", "cup"][..],
        &["tournament", "status", "cup", "--pairs"],
        &["tournament", "export", "cup", "--crosstable"],
    ] {
        assert_tame(&arguments.join(" "), &on(arguments));
    }
}

#[test]
fn devices_and_pipes_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for file in ["/dev/zero", pipe.to_str().unwrap()] {
        for arguments in [
            &["match", "congo", "random", "random", "--no-store", "--openings", file][..],
            &["tournament", "run", file],
            &["play", "--load", file],
            &["solve", "--check", file],
        ] {
            let run = agon(arguments);
            assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
            assert!(run.err.contains("a device or a pipe"), "{arguments:?}: {}", run.err);
        }
    }
}
