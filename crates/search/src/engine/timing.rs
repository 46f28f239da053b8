//! Time management: hard and soft limits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::parameters::{
    ALARMING_FALL, CHECK_INTERVAL, MOST_OVERDRAFT, STEADY_SHARE, WAVERING_SHARE,
};
use crate::budget::{Budget, StopFlag, Stopped, Time, is_time_to_look};

/// The limits of one search, shared by its threads.
#[derive(Debug)]
pub(super) struct Watch {
    started: Instant,
    /// The hard limit.
    deadline: Option<Instant>,
    /// The soft limit: this move's share of the clock. None with a time per move, where unused time
    /// is lost anyway.
    share: Option<Duration>,
    nodes: u64,
    /// The nodes of all threads, as far as reported.
    told: AtomicU64,
    threads: usize,
    stop: StopFlag,
    halted: AtomicBool,
}

impl Watch {
    /// Starts the clock.
    pub(super) fn start(budget: &Budget, threads: usize) -> Watch {
        let started = Instant::now();
        let (longest, share) = match budget.time {
            None => (None, None),
            Some(time @ Time::PerMove(_)) => (Some(time.allotment()), None),
            Some(time @ Time::Clock { remaining, .. }) => {
                let share = time.allotment();
                (Some(share.mul_f64(MOST_OVERDRAFT).min(remaining / 3)), Some(share))
            }
        };
        Watch {
            started,
            deadline: longest.and_then(|longest| started.checked_add(longest)),
            share,
            nodes: budget.nodes.unwrap_or(u64::MAX),
            told: AtomicU64::new(0),
            threads,
            stop: budget.stop.clone(),
            halted: AtomicBool::new(false),
        }
    }

    /// How long it has been running.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Stops all threads.
    pub(super) fn halt(&self) {
        self.halted.store(true, Relaxed);
    }

    /// Whether a thread that has played `nodes` may play another one.
    #[inline]
    pub(super) fn check(&self, nodes: u64) -> Result<(), Stopped> {
        if is_time_to_look(nodes, CHECK_INTERVAL) && self.is_over_at(nodes) {
            return Err(Stopped);
        }
        // A single thread stops at the exact node, so that searches are reproducible.
        if self.threads == 1 && nodes >= self.nodes { Err(Stopped) } else { Ok(()) }
    }

    #[cold]
    fn is_over_at(&self, nodes: u64) -> bool {
        let told = if nodes < CHECK_INTERVAL { 0 } else { CHECK_INTERVAL };
        self.told.fetch_add(told, Relaxed) + told >= self.nodes || self.is_over()
    }

    /// Whether the time is up or a stop was requested.
    pub(super) fn is_over(&self) -> bool {
        self.halted.load(Relaxed)
            || self.stop.is_set()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether to stop after an iteration.
    pub(super) fn is_enough(&self, mood: &Mood) -> bool {
        let wanted = self.share.map(|share| share.mul_f64(mood.share()));
        self.is_over() || wanted.is_some_and(|wanted| self.elapsed() >= wanted)
    }
}

/// How stable the best move is.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Mood {
    wavering: f64,
}

impl Mood {
    /// Records an iteration: whether it changed the best move, and by how much the score dropped.
    pub(super) fn note(&mut self, changed: bool, fall: i32) {
        let alarm = f64::from(fall.clamp(0, ALARMING_FALL)) / f64::from(ALARMING_FALL);
        self.wavering = self.wavering / 2.0 + f64::from(u8::from(changed)) + alarm;
    }

    /// The part of the share after which no new iteration starts.
    fn share(&self) -> f64 {
        (STEADY_SHARE + WAVERING_SHARE * self.wavering).min(MOST_OVERDRAFT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_emptied_by_one_move() {
        for millis in [0u64, 1, 10, 100, 10_000] {
            let remaining = Duration::from_millis(millis);
            let time = Some(Time::Clock { remaining, increment: Duration::from_secs(1) });
            let watch = Watch::start(&Budget { time, ..Budget::default() }, 1);
            let most = watch.deadline.unwrap().duration_since(watch.started);
            assert!(most <= remaining / 2, "{most:?} of {remaining:?}");
        }
    }

    #[test]
    fn doubts_make_a_search_longer() {
        let (mut steady, mut doubtful) = (Mood::default(), Mood::default());
        for _ in 0..4 {
            steady.note(false, -10);
            doubtful.note(true, 50);
        }
        assert!(doubtful.share() > 2.0 * steady.share());
        assert!(doubtful.share() <= MOST_OVERDRAFT);
    }

    #[test]
    fn a_slow_beginning_is_noticed_before_the_first_interval_is_over() {
        let watch = Watch::start(&Budget::per_move(Duration::ZERO), 1);
        let allowed = (1..2000).take_while(|&nodes| watch.check(nodes).is_ok()).count();
        assert_eq!(allowed, 0);
    }

    #[test]
    fn nodes_are_counted_to_the_last() {
        let watch = Watch::start(&Budget::nodes(700), 1);
        let allowed = (0..2000).take_while(|&nodes| watch.check(nodes).is_ok()).count();
        assert_eq!(allowed, 700);
    }
}
