//! Doing something for every entry of a table, on several threads.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::thread;

use agon_core::sink::GO_ON;

use crate::tables::{Stopped, TableProgress, TableWatcher};

/// How many entries a thread takes at a time.
const SHARE: usize = 1 << 12;

/// Calls `each` with the index of every entry. `settled` is what is reported as progress; the calling
/// thread works too, and is the one that reports.
pub(super) fn for_every_entry(
    entries: usize,
    threads: usize,
    settled: &AtomicU64,
    report: TableWatcher<'_>,
    each: impl Fn(usize) + Sync,
) -> Result<(), Stopped> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |report: TableWatcher<'_>| {
        loop {
            let start = next.fetch_add(SHARE, Relaxed);
            if start >= entries || stop.load(Relaxed) {
                return;
            }
            (start..entries.min(start + SHARE)).for_each(&each);
            let of = entries as u64;
            let progress = TableProgress { settled: settled.load(Relaxed).min(of), of };
            if report(progress).is_break() {
                stop.store(true, Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| work(&mut |_| GO_ON));
        }
        work(report);
    });
    if stop.into_inner() { Err(Stopped) } else { Ok(()) }
}
