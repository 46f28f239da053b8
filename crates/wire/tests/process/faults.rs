//! One test for every fault: its kind, its words, and nothing left behind.

use std::time::{Duration, Instant};

use agon_wire::process::{Launch, Parting, Program, Stream, Trouble, TroubleKind};

use crate::stage::{Stage, children, status_number};
use crate::talk::{asked, eventually, greeted, in_ms, launch, soon};

/// Asks a hostile program for a move and returns the resulting trouble.
fn trouble(launch: &Launch) -> Trouble {
    let stage = Stage::enter();
    let mut program = greeted(launch);
    let trouble = asked(&mut program, soon()).unwrap_err();
    // It stays the same.
    assert_eq!(program.read_line(soon()).unwrap_err(), trouble);
    assert_eq!(program.send("go\n", soon()).unwrap_err(), trouble);
    drop(program);
    stage.leave();
    trouble
}

#[track_caller]
fn assert_trouble(trouble: &Trouble, kind: TroubleKind, words: &str) {
    assert_eq!(trouble.kind, kind, "{trouble}");
    assert!(trouble.to_string().contains(words), "{trouble}");
}

#[test]
fn a_program_that_does_not_exist_is_named() {
    let stage = Stage::enter();
    for (program, words) in [
        ("no-such-agent", "\"no-such-agent\" is not in PATH"),
        ("./no/such-agent", "\"./no/such-agent\" does not exist"),
        ("/etc/passwd", "\"/etc/passwd\" is not executable"),
        ("/etc", "\"/etc\" is not executable"),
    ] {
        assert_trouble(
            &Program::start(&Launch::new(program)).unwrap_err(),
            TroubleKind::CannotStart,
            words,
        );
    }
    let elsewhere = Launch { folder: Some("/no/where".into()), ..Launch::new("cat") };
    let words = "no folder \"/no/where\"";
    assert_trouble(&Program::start(&elsewhere).unwrap_err(), TroubleKind::CannotStart, words);
    stage.leave();
}

#[test]
fn a_missing_interpreter_is_not_a_missing_program() {
    let stage = Stage::enter();
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("agent");
    std::fs::write(&script, "#!/no/python\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, mode).unwrap();
    let trouble = Program::start(&Launch::new(&script)).unwrap_err();
    assert_trouble(&trouble, TroubleKind::CannotStart, "exists, but not the interpreter");
    stage.leave();
}

#[test]
fn a_crash_at_the_start_is_a_crash() {
    let stage = Stage::enter();
    let mut program = Program::start(&launch("crash-at-start")).unwrap();
    let trouble = program.read_line(soon()).unwrap_err();
    assert_trouble(&trouble, TroubleKind::Crashed, "crashed: killed by SIGABRT");
    drop(program);
    stage.leave();
}

#[test]
fn a_crash_in_play_leaves_its_last_words() {
    let stage = Stage::enter();
    let mut program = greeted(&launch("crash"));
    assert_trouble(&asked(&mut program, soon()).unwrap_err(), TroubleKind::Crashed, "SIGABRT");
    let last: Vec<String> = program.last_lines().iter().map(ToString::to_string).collect();
    assert_eq!(last.last().unwrap(), "err: assertion failed: everything is fine");
    assert!(last.contains(&"out: readyok".to_string()));
    drop(program);
    stage.leave();
}

#[test]
fn exit_codes_are_told() {
    assert_trouble(&trouble(&launch("exit-3")), TroubleKind::Crashed, "ended with status 3");
    assert_trouble(&trouble(&launch("exit")), TroubleKind::Exited, "exited: ended with status 0");
}

#[test]
fn a_child_that_holds_the_pipe_does_not_hide_the_end_of_its_parent_and_is_named() {
    let words = "ended with status 3; it left behind hostile (process ";
    assert_trouble(&trouble(&launch("exit-with-child")), TroubleKind::Crashed, words);
}

#[test]
fn who_hangs_is_told_by_the_deadline_alone() {
    let stage = Stage::enter();
    let mut program = greeted(&launch("hang"));
    assert_eq!(asked(&mut program, in_ms(100)), Ok(None));
    drop(program);
    let mut program = Program::start(&launch("hang-at-start")).unwrap();
    program.send("ugi\n", soon()).unwrap();
    assert!(program.read_line(in_ms(100)).unwrap().is_none());
    drop(program);
    stage.leave();
}

#[test]
fn a_late_answer_is_there_with_its_time() {
    let stage = Stage::enter();
    let mut program = greeted(&launch("late --amount 200 --answer b2b3"));
    let deadline = in_ms(50);
    assert_eq!(asked(&mut program, deadline), Ok(None));
    let line = program.read_line(soon()).unwrap().unwrap();
    assert_eq!(line.text, "bestmove b2b3");
    assert!(line.at > deadline && line.at <= Instant::now());
    drop(program);
    stage.leave();
}

#[test]
fn what_it_says_is_handed_on_as_it_is() {
    let stage = Stage::enter();
    let mut program = greeted(&launch("illegal"));
    assert_eq!(asked(&mut program, soon()), Ok(Some("bestmove z99z99".into())));
    drop(program);
    let mut program = greeted(&launch("garbled"));
    let answer = asked(&mut program, soon()).unwrap().unwrap();
    assert_eq!(answer, "bestm\u{fffd}o\u{1b}[2Jve;; \0");
    let last = program.last_lines().pop().unwrap();
    assert_eq!(last.text, "bestm\u{fffd}o\\u{1b}[2Jve;; \\u{0}");
    drop(program);
    stage.leave();
}

/// The trouble with a flood, while our own memory does not grow.
fn flood(fault: &str) -> Trouble {
    let mut launch = launch(fault);
    launch.limits.output = 32 << 20;
    drop(trouble(&self::launch("exit")));
    let before = status_number("/proc/self/status", "VmRSS");
    let trouble = trouble(&launch);
    let after = status_number("/proc/self/status", "VmRSS");
    assert!(after < before + 6 * 1024, "grew from {before} to {after} KiB");
    trouble
}

#[test]
fn a_flood_is_stopped_and_costs_no_memory() {
    let words = "too much output: more than 33554432 bytes after one request";
    assert_trouble(&flood("flood"), TroubleKind::Flood, words);
}

#[test]
fn a_flood_of_complaints_is_stopped_and_costs_no_memory() {
    assert_trouble(&flood("flood-errors"), TroubleKind::Flood, "standard error");
}

#[test]
fn a_line_without_end_is_stopped_and_costs_no_memory() {
    assert_trouble(
        &flood("long-line"),
        TroubleKind::LineTooLong,
        "a line of more than 1048576 bytes",
    );
}

#[test]
fn who_floods_unheard_is_blocked() {
    let stage = Stage::enter();
    let mut program = greeted(&launch("flood"));
    program.send("go\n", soon()).unwrap();
    let file = format!("/proc/{}/io", program.pid());
    // A pipe holds this much.
    eventually("the pipe is full", || status_number(&file, "wchar") >= 1 << 16);
    std::thread::sleep(Duration::from_millis(300));
    assert!(status_number(&file, "wchar") < 1 << 20, "it went on writing");
    drop(program);
    stage.leave();
}

#[test]
fn noise_that_keeps_the_limits_is_no_fault() {
    let stage = Stage::enter();
    let mut program = greeted(&launch("noisy --amount 20000 --answer a1a2"));
    assert_eq!(asked(&mut program, soon()), Ok(Some("bestmove a1a2".into())));
    let said = program.last_lines().into_iter().filter(|line| line.stream != Stream::Input);
    assert_eq!(said.count(), 8);
    assert_eq!(program.close("quit\n", Duration::from_secs(5)), Ok(Parting::Left));
    stage.leave();
}

#[test]
fn a_closed_output_is_no_crash() {
    let words = "closed its pipe: closed its output and runs on";
    assert_trouble(&trouble(&launch("close-output")), TroubleKind::ClosedPipe, words);
}

#[test]
fn a_closed_input_is_noticed_by_the_next_request() {
    let stage = Stage::enter();
    let mut program = greeted(&launch("close-input"));
    assert_eq!(asked(&mut program, in_ms(300)), Ok(None));
    let trouble = program.send("go\n", soon()).unwrap_err();
    assert_trouble(&trouble, TroubleKind::ClosedPipe, "closed its input and runs on");
    drop(program);
    stage.leave();
}

#[test]
fn who_does_not_read_cannot_hold_us() {
    let stage = Stage::enter();
    let mut program = Program::start(&launch("deaf")).unwrap();
    let trouble = program.send(&"position\n".repeat(100_000), in_ms(100)).unwrap_err();
    assert_trouble(&trouble, TroubleKind::NotReading, "does not read: the pipe is full");
    drop(program);
    stage.leave();
}

#[test]
fn a_long_request_is_written_whole() {
    let stage = Stage::enter();
    let mut launch = Launch::new("sh");
    launch.arguments = vec!["-c".into(), "sleep 0.1; head -c 900000 | wc -c".into()];
    let mut program = Program::start(&launch).unwrap();
    program.send(&"12345678\n".repeat(100_000), soon()).unwrap();
    assert_eq!(program.read_line(soon()).unwrap().unwrap().text.trim(), "900000");
    drop(program);
    stage.leave();
}

#[test]
fn memory_is_counted_over_all_processes() {
    let mut alone = launch("memory --amount 2000");
    alone.limits.memory = 200 << 20;
    assert_trouble(&trouble(&alone), TroubleKind::Memory, "200 MiB are allowed");
    let mut shared = launch("memory-of-children --amount 600");
    shared.limits.memory = 400 << 20;
    assert_trouble(&trouble(&shared), TroubleKind::Memory, "400 MiB are allowed");
}

#[test]
fn memory_within_the_limit_is_no_fault() {
    let stage = Stage::enter();
    let mut launch = launch("memory-of-children --amount 100");
    launch.limits.memory = 400 << 20;
    let mut program = greeted(&launch);
    assert_eq!(asked(&mut program, in_ms(500)), Ok(None));
    drop(program);
    stage.leave();
}

#[test]
fn a_fork_bomb_loses() {
    let words = "too many processes: ";
    assert_trouble(&trouble(&launch("fork-bomb")), TroubleKind::Processes, words);
    // And one that has not been checked yet.
    let stage = Stage::enter();
    let mut program = greeted(&launch("fork-bomb"));
    assert_eq!(asked(&mut program, in_ms(30)), Ok(None));
    drop(program);
    stage.leave();
}

#[test]
fn processor_time_runs_out() {
    let mut busy = launch("busy");
    busy.limits.cpu = Some(Duration::from_millis(500));
    assert_trouble(&trouble(&busy), TroubleKind::CpuTime, "SIGXCPU");
    let mut stubborn = launch("busy-stubborn");
    stubborn.limits.cpu = busy.limits.cpu;
    assert_trouble(&trouble(&stubborn), TroubleKind::CpuTime, "SIGKILL");
}

#[test]
fn a_huge_file_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut launch = launch("huge-file --file out");
    launch.folder = Some(folder.path().into());
    launch.limits.file_size = 1 << 20;
    assert_trouble(&trouble(&launch), TroubleKind::FileSize, "file too large: killed by SIGXFSZ");
    assert_eq!(folder.path().join("out").metadata().unwrap().len(), 1 << 20);
}

#[test]
fn children_left_behind_are_found_ended_and_told() {
    for fault in ["children", "children-session", "children-detached", "children-bare"] {
        let stage = Stage::enter();
        let mut program = greeted(&launch(&format!("{fault} --answer c3c4")));
        assert_eq!(asked(&mut program, soon()), Ok(Some("bestmove c3c4".into())), "{fault}");
        let trouble = program.close("quit\n", Duration::from_secs(10)).unwrap_err();
        assert_trouble(
            &trouble,
            TroubleKind::ChildrenLeft,
            "children left behind: hostile (process ",
        );
        stage.leave();
    }
}

#[test]
fn who_starts_another_and_ends_does_not_get_away() {
    let stage = Stage::enter();
    let mut program = greeted(&launch("children-fleeing --answer c3c4"));
    assert!(asked(&mut program, soon()).unwrap().is_some());
    let trouble = program.close("quit\n", Duration::from_secs(10)).unwrap_err();
    assert_trouble(&trouble, TroubleKind::ChildrenLeft, "process");
    stage.leave();
}

#[test]
fn who_leaves_children_alone_while_it_runs_is_ended_with_them() {
    for fault in ["children-detached", "children-bare"] {
        let stage = Stage::enter();
        let mut program = greeted(&launch(&format!("{fault} --answer c3c4")));
        assert!(asked(&mut program, soon()).unwrap().is_some());
        let trouble = program.read_line(soon()).unwrap_err();
        assert_trouble(
            &trouble,
            TroubleKind::ChildrenLeft,
            "children left behind: hostile (process ",
        );
        assert_eq!(
            program.close("quit\n", Duration::from_secs(10)),
            Ok(Parting::Left),
            "it was told before"
        );
        stage.leave();
    }
}

#[test]
fn a_helper_that_its_program_looks_after_is_no_fault() {
    let stage = Stage::enter();
    for fault in ["children", "children-session"] {
        let mut program = greeted(&launch(&format!("{fault} --answer c3c4")));
        assert!(asked(&mut program, soon()).unwrap().is_some());
        std::thread::sleep(Duration::from_millis(400));
        assert!(asked(&mut program, soon()).unwrap().is_some(), "{fault}");
    }
    stage.leave();
}

#[test]
fn nobody_is_charged_for_an_orphan_that_may_be_somebody_elses() {
    let stage = Stage::enter();
    let mut honest = greeted(&launch("none --answer a1a2"));
    let mut hidden = greeted(&launch("children-bare --answer c3c4"));
    assert!(asked(&mut hidden, soon()).unwrap().is_some());
    // Time to become an orphan.
    std::thread::sleep(Duration::from_millis(50));
    drop(hidden);
    let own = honest.pid().to_string();
    eventually("the orphan is ended", || children().iter().all(|pid| *pid == own));
    assert!(asked(&mut honest, soon()).unwrap().is_some());
    assert_eq!(honest.close("quit\n", Duration::from_secs(10)), Ok(Parting::Left));
    stage.leave();
}

#[test]
fn who_ignores_every_word_is_ended_all_the_same() {
    let stage = Stage::enter();
    let mut program = greeted(&launch("stubborn"));
    assert!(asked(&mut program, soon()).unwrap().is_some());
    assert_eq!(program.close("quit\n", Duration::from_millis(100)), Ok(Parting::Ended));
    stage.leave();
}
