//! How long a turn has taken.

use std::time::{Duration, Instant};

/// Measures a turn, pauses left out.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Stopwatch {
    before: Duration,
    since: Option<Instant>,
}

impl Stopwatch {
    /// Goes on, if it does not run already.
    pub(super) fn start(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// Stands still.
    pub(super) fn stop(&mut self) {
        self.before = self.time();
        self.since = None;
    }

    /// Whether it runs.
    pub(super) fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// What it shows.
    pub(super) fn time(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}
