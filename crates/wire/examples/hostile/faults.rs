//! The faults by name.
#![allow(unsafe_code)]

use std::env;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Write};
use std::process::{Command, Stdio, abort, exit};
use std::sync::Once;
use std::thread;
use std::time::Duration;

use crate::{Options, attacks, say};

/// Faults at startup, and what the child processes of other faults do.
pub fn at_start(options: &Options) {
    match options.fault.as_str() {
        "crash-at-start" => abort(),
        "exit-at-start" => exit(0),
        "flood-at-start" => flood(io::stdout().lock(), b"info string flood\n"),
        "hang-at-start" | "deaf" | "linger" => forever(),
        "stubborn" => ignore(libc::SIGTERM),
        "busy-stubborn" => ignore(libc::SIGXCPU),
        "detach" => {
            leave_session();
            start("linger", &[]);
            exit(0);
        }
        "detach-session" => {
            leave_session();
            forever();
        }
        "flee" => {
            leave_session();
            if let Some(fewer) = options.amount.unwrap_or(0).checked_sub(1) {
                start("flee", &["--amount", &fewer.to_string()]);
            }
            exit(0);
        }
        "spin" => attacks::spin(),
        "breed" => breed(options.amount.unwrap_or(0)),
        "hold" => {
            hold(options.amount.unwrap_or(0));
            forever();
        }
        _ => {}
    }
}

/// Faults at a request. True if there is to be an answer. What precedes a move depends on the
/// protocol.
pub fn at_go(options: &Options, word: &str) -> bool {
    let amount = options.amount;
    match options.fault.as_str() {
        "illegal" => say(&format!("{word}z99z99")),
        "garbled" => print(b"bestm\xffo\x1b[2Jve;; \x00\r\n"),
        "garbled-move" => print(&[word.as_bytes(), b"\xff\x1b[2J\x07\n"].concat()),
        "no-move" => say(word),
        "half-line" => print(b"bestmo"),
        "trickle" => trickle(b"x"),
        "chatter" => trickle(b"info string nearly there\n"),
        "stop-itself" => raise(libc::SIGSTOP),
        "segfault" => {
            restore(libc::SIGSEGV);
            raise(libc::SIGSEGV);
        }
        "crash" => {
            eprintln!("assertion failed: everything is fine");
            abort();
        }
        "exit-3" => exit(3),
        "exit" => exit(0),
        "exit-with-child" => {
            start("linger", &[]);
            exit(3);
        }
        "hang" => {}
        "flood" => flood(io::stdout().lock(), b"info string flood\n"),
        "flood-errors" => flood(io::stderr().lock(), b"oh no, oh no, oh no\n"),
        "long-line" => flood(io::stdout().lock(), &[b'x'; 4096]),
        "close-output" => {
            let _ = rustix::stdio::dup2_stdout(nothing());
            forever();
        }
        "close-input" => {
            let _ = rustix::stdio::dup2_stdin(nothing());
            forever();
        }
        "memory" => hold(amount.unwrap_or(4096)),
        "memory-of-children" => {
            let share = (amount.unwrap_or(4096) / 4).to_string();
            (0..4).for_each(|_| start("hold", &["--amount", &share]));
        }
        "fork-bomb" => breed(amount.unwrap_or(6)),
        "busy" | "busy-stubborn" => busy(),
        "huge-file" => huge_file(options),
        "sparse-file" => {
            let _ = File::create(&options.file).and_then(|file| file.set_len(1 << 40));
        }
        _ => return may_answer(options),
    }
    false
}

/// Faults that do not affect the answer.
fn may_answer(options: &Options) -> bool {
    match options.fault.as_str() {
        "late" => thread::sleep(Duration::from_millis(options.amount.unwrap_or(1000))),
        "children" => once(|| start("linger", &[])),
        "children-session" => once(|| start("detach-session", &[])),
        "children-detached" => once(|| start("detach", &[])),
        "children-bare" => once(|| start_bare("detach")),
        "children-fleeing" => once(|| start("flee", &["--amount", "5000"])),
        "noisy" => (0..options.amount.unwrap_or(1000)).for_each(|number| {
            say(&format!("info depth {number} string \u{1f3b2} still thinking"));
            eprintln!("debug: {number}");
        }),
        "confess" => confess(),
        _ => once(|| attacks::at_first_go(options)),
    }
    true
}

/// Faults after the answer.
pub fn after_answer(options: &Options) {
    if options.fault == "exit-after-answer" {
        exit(0);
    }
}

/// Faults at the end of the input.
pub fn at_end(options: &Options) {
    if options.fault == "stubborn" {
        forever();
    }
}

/// Does something only at the first request.
fn once(action: impl FnOnce()) {
    static DONE: Once = Once::new();
    DONE.call_once(action);
}

fn forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1000));
    }
}

fn ignore(signal: i32) {
    // SAFETY: ignoring a signal runs no code.
    unsafe { libc::signal(signal, libc::SIG_IGN) };
}

/// Restores the default action of a signal, which the runtime changed.
fn restore(signal: i32) {
    // SAFETY: the default action runs no code of ours.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

fn raise(signal: i32) {
    // SAFETY: the signal goes to this process; its effect is what is wanted.
    unsafe { libc::raise(signal) };
}

fn leave_session() {
    let _ = rustix::process::setsid();
}

/// Starts this program once more with another fault.
fn start(fault: &str, arguments: &[&str]) {
    if let Ok(program) = env::current_exe() {
        let _ = Command::new(program).arg(fault).args(arguments).stdin(Stdio::null()).spawn();
    }
}

/// The same without anything in the environment that could identify it.
fn start_bare(fault: &str) {
    if let Ok(program) = env::current_exe() {
        let _ = Command::new(program).arg(fault).env_clear().stdin(Stdio::null()).spawn();
    }
}

/// Forks this many times, each process in a session of its own: 127 processes after 6 times, which
/// no machine minds.
fn breed(generations: u64) {
    leave_session();
    if generations > 0 {
        let fewer = (generations.min(6) - 1).to_string();
        (0..2).for_each(|_| start("breed", &["--amount", &fewer]));
    }
    forever();
}

/// Allocates mebibytes and holds them.
fn hold(mebibytes: u64) {
    let mut held = Vec::new();
    for _ in 0..mebibytes.div_ceil(4) {
        held.push(vec![1_u8; 4 << 20]);
        thread::sleep(Duration::from_millis(1));
    }
    black_box(&mut held);
    std::mem::forget(held);
}

fn busy() -> ! {
    let mut number = 1_u64;
    loop {
        number = black_box(number.wrapping_mul(3));
    }
}

/// Writes a gibibyte, if it can.
fn flood(mut out: impl Write, text: &[u8]) {
    let chunk = text.repeat(65_536 / text.len());
    for _ in 0..(1 << 30) / chunk.len() {
        if out.write_all(&chunk).is_err() {
            return;
        }
    }
}

/// Prints any bytes.
fn print(bytes: &[u8]) {
    let _ = io::stdout().write_all(bytes);
    let _ = io::stdout().flush();
}

/// Prints the same again and again, but never enough to be a flood.
fn trickle(bytes: &[u8]) -> ! {
    loop {
        print(bytes);
        thread::sleep(Duration::from_millis(2));
    }
}

fn nothing() -> File {
    File::open("/dev/null").unwrap_or_else(|_| exit(1))
}

fn huge_file(options: &Options) {
    if let Ok(file) = File::create(&options.file) {
        flood(file, &[b'x'; 4096]);
    }
}

/// Reports what it got from the arena.
fn confess() {
    for (name, _) in env::vars_os() {
        say(&format!("variable {}", name.display()));
    }
    let files = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    // One of them is open for counting.
    say(&format!("files {}", files.saturating_sub(1)));
    let own = rustix::process::getsid(None).is_ok_and(|id| id == rustix::process::getpid());
    say(&format!("session {}", if own { "own" } else { "shared" }));
    if let Ok(folder) = env::current_dir() {
        say(&format!("folder {}", folder.display()));
    }
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    limits.lines().for_each(|line| say(&format!("limit {line}")));
}
