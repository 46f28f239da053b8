//! The life cycle of programs: what they get, what they do not get, and which processes are left
//! alone.

use std::collections::HashSet;
use std::env;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use agon_wire::process::{Launch, Program, TroubleKind};

use crate::stage::{Stage, status_number};
use crate::talk::{asked, eventually, greeted, in_ms, launch, lines_until, soon};

#[test]
fn a_program_gets_a_clean_start() {
    let stage = Stage::enter();
    let folder = tempfile::tempdir().unwrap();
    let mut launch = launch("confess");
    launch.folder = Some(folder.path().canonicalize().unwrap());
    launch.environment.push(("THREADS".into(), "2".into()));
    launch.limits.open_files = 50;
    let mut program = greeted(&launch);
    program.send("go\n", soon()).unwrap();
    let lines = lines_until(&mut program, "bestmove", soon()).unwrap().unwrap();
    let variables: HashSet<&str> =
        lines.iter().filter_map(|line| line.strip_prefix("variable ")).collect();
    for name in &variables {
        let plain = ["PATH", "HOME", "LANG", "TMPDIR", "USER", "THREADS", "AGON_PROGRAM"];
        assert!(plain.contains(name) || name.starts_with("LC_"), "{name} was handed on");
    }
    assert!(variables.contains("THREADS") && variables.contains("PATH"));
    assert!(env::vars().any(|(name, _)| name.starts_with("CARGO")), "there was nothing to hide");
    let has = |line: &str| lines.iter().any(|one| one == line);
    assert!(has("files 3") && has("session own"), "{lines:?}");
    assert!(has(&format!("folder {}", launch.folder.unwrap().display())));
    let limit = |name: &str| {
        let line = lines.iter().find_map(|line| line.strip_prefix(&format!("limit {name}")));
        line.unwrap().split_whitespace().next().unwrap().to_string()
    };
    assert_eq!(limit("Max core file size"), "0");
    assert_eq!(limit("Max open files"), "50");
    assert_eq!(limit("Max file size"), (256 << 20).to_string());
    drop(program);
    stage.leave();
}

#[test]
fn no_signal_is_ignored_from_the_start() {
    let stage = Stage::enter();
    let mut launch = Launch::new("grep");
    launch.arguments = vec!["SigIgn".into(), "/proc/self/status".into()];
    let mut program = Program::start(&launch).unwrap();
    let line = program.read_line(soon()).unwrap().unwrap();
    let ignored = u64::from_str_radix(line.text.trim_start_matches("SigIgn:\t"), 16).unwrap();
    // Signals 32 and 33 belong to the C library and cannot be changed.
    assert_eq!(ignored & !(0b11 << 31), 0, "{ignored:#x}");
    assert_eq!(program.read_line(soon()).unwrap_err().kind, TroubleKind::Exited);
    drop(program);
    stage.leave();
}

#[test]
fn children_of_others_in_this_process_are_left_alone() {
    let stage = Stage::enter();
    let mut sleeper = Command::new("sleep").arg("1000").spawn().unwrap();
    let mut ended = Command::new("true").spawn().unwrap();
    let mut program = greeted(&launch("hang"));
    assert_eq!(asked(&mut program, in_ms(400)), Ok(None));
    drop(program);
    assert!(sleeper.try_wait().unwrap().is_none(), "it was killed");
    assert!(ended.wait().unwrap().success(), "it was reaped by somebody else");
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    stage.leave();
}

#[test]
fn many_programs_at_once_do_not_mix_up() {
    let stage = Stage::enter();
    let faults = ["children", "children-detached", "exit-3", "noisy", "late", "fork-bomb"];
    thread::scope(|scope| {
        for fault in faults {
            scope.spawn(move || {
                let mut program = greeted(&launch(&format!("{fault} --amount 6")));
                let answer = asked(&mut program, soon());
                let parting = program.close("quit\n", Duration::from_secs(10));
                let kind = answer.err().or(parting.err()).map(|trouble| trouble.kind);
                let expected = match fault {
                    "exit-3" => Some(TroubleKind::Crashed),
                    "fork-bomb" => Some(TroubleKind::Processes),
                    "noisy" | "late" => None,
                    _ => Some(TroubleKind::ChildrenLeft),
                };
                assert_eq!(kind, expected, "{fault}");
            });
        }
    });
    stage.leave();
}

#[test]
fn nobody_is_awake_while_no_program_runs() {
    let stage = Stage::enter();
    drop(greeted(&launch("hang")));
    let threads = fs::read_dir("/proc/self/task").unwrap().flatten();
    let warden = threads
        .map(|thread| thread.path())
        .find(|path| fs::read_to_string(path.join("comm")).is_ok_and(|name| name == "warden\n"));
    let status = format!("{}/status", warden.unwrap().display());
    // The end of the last program is followed by at most one more check.
    thread::sleep(Duration::from_millis(250));
    let before = status_number(&status, "voluntary_ctxt_switches");
    thread::sleep(Duration::from_millis(500));
    assert_eq!(status_number(&status, "voluntary_ctxt_switches"), before);
    stage.leave();
}

/// The variable that tells the test below that it was started by the one after it.
const TO_BE_KILLED: &str = "AGON_TEST_TO_BE_KILLED";

/// Not a test by itself: the arena of the next one, which runs it in a process of its own with
/// `--ignored --exact lives::an_arena_that_is_killed`.
#[test]
#[ignore = "run by a_killed_arena_takes_its_programs_along, which kills it"]
fn an_arena_that_is_killed() {
    if let Some(file) = env::var_os(TO_BE_KILLED) {
        let mut program = greeted(&launch("hang"));
        fs::write(file, program.pid().to_string()).unwrap();
        let _ = asked(&mut program, soon());
    }
}

#[test]
fn a_killed_arena_takes_its_programs_along() {
    let stage = Stage::enter();
    // We adopt orphans from now on, and reap them.
    let watched = greeted(&launch("hang"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pid");
    let mut arena = Command::new(env::current_exe().unwrap())
        .args(["--ignored", "--exact", "lives::an_arena_that_is_killed"])
        .env(TO_BE_KILLED, &file)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pid = || fs::read_to_string(&file).ok().filter(|text| !text.is_empty());
    eventually("the program is started", || pid().is_some());
    let running = format!("/proc/{}", pid().unwrap());
    assert!(fs::exists(&running).unwrap());
    arena.kill().unwrap();
    assert_eq!(arena.wait().unwrap().signal(), Some(9));
    eventually("the program is gone", || !fs::exists(&running).unwrap());
    drop(watched);
    stage.leave();
}
