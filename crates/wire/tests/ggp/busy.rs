//! One-second clocks while all processors are busy.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use crate::harness::{Contest, Dialect, Stage};
use crate::noise::soak;

/// Keeps every processor busy while `work` runs.
fn while_busy<T>(work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    let cores = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut number = 1u64;
                while !done.load(Relaxed) {
                    number = std::hint::black_box(number.wrapping_mul(6_364_136_223_846_793_005));
                }
            });
        }
        let result = work();
        done.store(true, Relaxed);
        result
    })
}

/// Plays on a board in both roles, never late.
fn in_time(variant: &str, steps: usize) {
    let stage = Stage::new("engine");
    for (role, dialect) in [("white", Dialect::Course), ("black", Dialect::Base)] {
        let contest =
            Contest { stage: &stage, dialect, variant, role, clock: 1, steps, seed: steps as u64 };
        contest.play(&mut |_, _| {});
    }
}

#[test]
fn busy_no_answer_is_late() {
    // In a soak run, every game is played to its end.
    let some = if soak() > 1 { 500 } else { 4 };
    while_busy(|| {
        thread::scope(|scope| {
            scope.spawn(|| {
                in_time("breakthrough:3x5", 500);
                in_time("breakthrough:2x4", some);
                in_time("breakthrough:6x6", some);
                in_time("breakthrough:10x4", some);
                in_time("breakthrough:10x10", some);
            });
            scope.spawn(|| {
                in_time("breakthrough:5x5", 500);
                in_time("breakthrough:8x8", some);
                in_time("breakthrough:9x9", some);
            });
        });
    });
}
