//! `agon isolation`, and levels that a machine can or cannot give: as root, as another user, and where
//! there are no user namespaces.
#![cfg(target_os = "linux")]

#[path = "../../wire/tests/process/hostile.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod hostile;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use hostile::hostile;

const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// A user without rights.
const NOBODY: u32 = 65534;

/// Runs a command and returns its exit status, its output and its errors.
fn done(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn agon(arguments: &[&str]) -> (Option<i32>, String, String) {
    done(Command::new(AGON).args(arguments))
}

/// Whether level sandbox can be had; if not, that is said, and may not be.
fn has_sandbox() -> bool {
    let (code, words, _) = agon(&["isolation"]);
    let required = std::env::var_os("AGON_ISOLATION").is_some_and(|it| it == "required");
    assert!(code == Some(0) || !required, "{words}");
    if code != Some(0) {
        eprintln!("\n*** NOT TESTED: level sandbox is not available on this machine\n{words}");
    }
    code == Some(0)
}

#[test]
fn every_level_is_tried_and_told() {
    let (code, out, _) = agon(&["isolation", "--json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    let levels = answer["levels"].as_array().unwrap();
    let names: Vec<&str> = levels.iter().map(|it| it["level"].as_str().unwrap()).collect();
    assert_eq!(names, ["sandbox", "weak", "none"]);
    assert_eq!(levels[2]["available"], true);
    assert_eq!(levels[0]["available"] == true, code == Some(0));
    let reasons = levels.iter().filter(|it| it["available"] == false);
    assert!(reasons.into_iter().all(|it| it["reason"].as_str().is_some()), "{answer}");
}

#[test]
fn a_level_that_does_not_exist_is_refused() {
    let arguments = ["match", "congo", "random", "random", "--isolation", "strong"];
    let (code, _, words) = agon(&arguments);
    assert_eq!(code, Some(2));
    assert!(words.contains("expected sandbox, weak or none"), "{words}");
}

/// In a user namespace in which no other can be made, there are no sandboxes.
#[test]
fn a_level_that_cannot_be_had_is_refused_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |arguments: &str| {
        let script = format!(
            "echo 0 > /proc/sys/user/max_user_namespaces && exec '{AGON}' {arguments} --data data"
        );
        let mut command = Command::new("unshare");
        done(command.args(["--user", "--map-root-user", "sh", "-c", &script]).current_dir(&folder))
    };
    let (code, out, words) = inside("isolation");
    if code.is_none_or(|code| code > 2) || words.starts_with("unshare") {
        eprintln!("\n*** NOT TESTED: no user namespace to try it in\n{words}");
        return;
    }
    assert_eq!(code, Some(1), "{out}{words}");
    assert!(out.contains("sandbox   not available\n          cannot make namespaces"), "{out}");
    assert!(out.contains("sysctl user.max_user_namespaces="), "{out}");
    let refused = |arguments: &str| {
        let (code, out, words) = inside(arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{words}");
        assert!(words.contains("cannot be isolated at level sandbox here"), "{words}");
        assert!(words.contains("sysctl user.max_user_namespaces="), "{words}");
    };
    let program = format!("ugi:{AGON} ugi congo --agent random");
    refused(&format!("match congo '{program}' random --isolation sandbox"));
    refused("serve --listen 0 --allow-programs");
    let file = format!(
        "format = \"round-robin\"\nvariant = \"congo\"\ndepth = 1\nagents = ['{program}', 'random']\n"
    );
    fs::write(folder.path().join("cup.toml"), file).unwrap();
    refused("tournament run cup.toml");
    // What is not asked for is not needed.
    let (code, _, words) = inside(&format!("match congo '{program}' random --games 2 --no-store"));
    assert_eq!(code, Some(0), "{words}");
}

/// A folder that everybody may read, with the programs in it.
fn open_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let everybody = || Permissions::from_mode(0o755);
    fs::set_permissions(folder.path(), everybody()).unwrap();
    fs::create_dir(folder.path().join("bots")).unwrap();
    for (program, place) in [(Path::new(AGON), "agon"), (hostile(), "bots/hostile")] {
        fs::copy(program, folder.path().join(place)).unwrap();
        fs::set_permissions(folder.path().join(place), everybody()).unwrap();
    }
    folder
}

/// Root needs no user namespaces, everybody else does. What holds for the one holds for the others.
#[test]
fn a_user_without_rights_has_sandboxes_too() {
    let root = rustix::process::geteuid().is_root();
    if !root || !has_sandbox() {
        // If this is not root, all other tests have shown it.
        return;
    }
    let folder = open_folder();
    let as_nobody = |arguments: &[&str]| {
        let mut command = Command::new(folder.path().join("agon"));
        done(command.args(arguments).uid(NOBODY).gid(NOBODY).env("HOME", "/").current_dir(&folder))
    };
    let (code, out, _) = as_nobody(&["isolation"]);
    if code != Some(0) {
        eprintln!("\n*** NOT TESTED: only root has sandboxes on this machine\n{out}");
        return;
    }
    let attacks = ["kill-everything", "kill-the-cell", "limit-everything", "cheer-on"];
    for attack in attacks.into_iter().chain(["thaw-itself --amount 4", "all-threads", "spy"]) {
        let hostile = format!("ugi:bots/hostile {attack} --game breakthrough:5x5");
        let honest = "ugi:bots/hostile nothing --game breakthrough:5x5";
        let mut arguments = vec!["match", "breakthrough:5x5", &hostile, honest];
        arguments.extend(["--games", "2", "--isolation", "sandbox", "--no-store", "--json"]);
        arguments.extend(["--per-move", "2s", "--openings", "start"]);
        let (code, out, words) = as_nobody(&arguments);
        assert_eq!(code, Some(0), "{attack}: {words}");
        let answer: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(answer["games"], 2, "{attack}: {answer}");
        assert_eq!(answer["agents"][1]["faults"], 0, "{attack}: {answer}");
        // Who kills its own processes has crashed.
        let suicidal = attack == "kill-the-cell";
        assert_eq!(answer["agents"][0]["faults"] != 0, suicidal, "{attack}: {answer}");
    }
}

/// A player that is reached over the network has one of its own.
#[test]
fn a_ggp_player_is_reached_in_its_sandbox() {
    if !has_sandbox() {
        return;
    }
    let player = format!("ggp:{AGON} ggp --port {{port}} --agent random");
    let mut arguments = vec!["match", "breakthrough:5x5", &player, "random", "--games", "2"];
    arguments.extend(["--per-move", "1s", "--isolation", "sandbox", "--no-store", "--json"]);
    let (code, out, words) = agon(&arguments);
    assert_eq!(code, Some(0), "{words}");
    assert!(words.contains("isolation of programs: sandbox"), "{words}");
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["agents"][0]["faults"], 0, "{answer}");
    assert_eq!(answer["games"], 2, "{answer}");
}

/// A player that answers once and ends: nothing about it is the system's fault, not even while a
/// connection to it is being made. Before it accepts the first one, it keeps it waiting.
const LEAVING_PLAYER: &str = "\
import os, socket, sys, time
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(('127.0.0.1', int(sys.argv[1])))
server.listen(0)
time.sleep(0.5)
while True:
    client, _ = server.accept()
    text = b''
    while b'\\r\\n\\r\\n' not in text:
        text += client.recv(65536)
    head, body = text.split(b'\\r\\n\\r\\n', 1)
    lengths = [line.split(b':')[1] for line in head.lower().split(b'\\r\\n') if b'content-length' in line]
    while len(body) < int(lengths[0]):
        body += client.recv(65536)
    starts = b'START' in body[:20].upper()
    answer = b'READY' if starts else b'(move 1 2 1 3)'
    client.sendall(b'HTTP/1.0 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n%s' % (len(answer), answer))
    client.close()
    if not starts:
        os._exit(3)
";

#[test]
fn a_ggp_player_that_leaves_is_charged_for_it() {
    let python = Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) || !has_sandbox() {
        eprintln!("\n*** NOT TESTED: it needs python3 and a sandbox\n");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("player.py"), LEAVING_PLAYER).unwrap();
    let mut command = Command::new(AGON);
    command.args(["match", "breakthrough:5x5", "ggp:python3 player.py {port}", "random"]);
    command.args(["--games", "2", "--per-move", "1s", "--isolation", "sandbox"]);
    command.args(["--no-store", "--json", "--openings", "start"]).current_dir(folder.path());
    let (_, out, words) = done(&mut command);
    let answer: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{words}"));
    assert_eq!(answer["agents"][0]["faults"], 2, "{answer}");
    assert_eq!(answer["agents"][1]["faults"], 0, "{answer}");
}

/// What a program does not see is the likely reason if it does not start, and can be shown to it.
#[test]
fn a_script_that_needs_a_program_elsewhere_is_told_how_to_reach_it() {
    if !has_sandbox() {
        return;
    }
    let folder = open_folder();
    let script = folder.path().join("bots/agent.sh");
    fs::write(&script, "#!/bin/sh\nexec ../agon ugi breakthrough:5x5 --agent random\n").unwrap();
    fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    let played = |more: &[&str]| {
        let mut command = Command::new(AGON);
        command.args(["match", "breakthrough:5x5", "ugi:./agent.sh", "random", "--games", "2"]);
        command.args(["--isolation", "sandbox", "--no-store"]).args(more);
        done(command.current_dir(folder.path().join("bots")))
    };
    let (code, _, words) = played(&[]);
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains("--readable PATH shows it more"), "{words}");
    let (code, _, words) = played(&["--readable", "../agon"]);
    assert_eq!(code, Some(0), "{words}");
}
