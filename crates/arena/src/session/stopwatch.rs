//! The time of a turn.

use std::time::{Duration, Instant};

/// Measures a turn without its pauses.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Stopwatch {
    before: Duration,
    since: Option<Instant>,
}

impl Stopwatch {
    /// Starts or resumes, unless it is running.
    pub(super) fn start(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// Pauses.
    pub(super) fn stop(&mut self) {
        self.before = self.time();
        self.since = None;
    }

    /// Whether it is running.
    pub(super) fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// The time measured.
    pub(super) fn time(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}
