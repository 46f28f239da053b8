//! Where programs are started one test at a time, with a check of what is left afterwards.
//!
//! Tests of other crates use this file as well, not all of them all of it.
#![allow(dead_code)]

use std::fs;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::hostile::{hostile, started_by};

/// While this is held, no other test starts programs. At its end nothing may be left.
pub struct Stage {
    _alone: MutexGuard<'static, ()>,
    files: usize,
}

impl Stage {
    pub fn enter() -> Stage {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        hostile();
        Stage { _alone: alone, files: open_files() }
    }

    /// Checks that everything is as it was.
    pub fn leave(self) {
        assert_eq!(children(), Vec::<String>::new(), "processes are left");
        assert_eq!(open_files(), self.files, "files are left open");
        let alive = started_by(process::id());
        assert!(alive.is_empty(), "processes of {} got away: {alive:?}", process::id());
    }
}

/// Open pipes and process handles. Regular files are not counted: a test that has left the stage
/// may still be cleaning up.
fn open_files() -> usize {
    let files = fs::read_dir("/proc/self/fd").unwrap().flatten();
    let targets = files
        .filter_map(|file| fs::read_link(file.path()).ok()?.into_os_string().into_string().ok());
    targets.filter(|target| target.starts_with("pipe:") || target.contains("pidfd")).count()
}

/// The children of this process, dead or alive.
pub fn children() -> Vec<String> {
    let threads = fs::read_dir("/proc/self/task").unwrap().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_string).collect::<Vec<_>>()).collect()
}

/// A number from a file like `/proc/self/status`.
pub fn status_number(file: &str, field: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim_start_matches(':').split_whitespace().next().unwrap().parse().unwrap()
}
