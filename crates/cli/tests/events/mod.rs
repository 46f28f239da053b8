//! Waiting for events, however long they take.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Waits until a process has a handler for Ctrl-C, and then interrupts it.
pub fn interrupt(child: &Child) {
    const SIGINT: u64 = 1 << (2 - 1);
    let status = format!("/proc/{}/status", child.id());
    let caught = || {
        let status = std::fs::read_to_string(&status).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(line.trim(), 16).unwrap() & SIGINT != 0
    };
    wait_until("it handles Ctrl-C", caught);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

/// Waits for an event.
pub fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !happened() {
        assert!(Instant::now() < deadline, "never happened: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
