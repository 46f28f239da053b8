//! How late things happen on this machine, and the safety margin for it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The assumption before anything was measured.
const AT_FIRST: Duration = Duration::from_millis(10);
/// What an answer always needs: to be written, sent, and read.
const WAY: Duration = Duration::from_millis(20);

/// How much later than requested sleeping threads have woken up lately. On a busy machine nothing
/// happens on time; threads waiting for an answer keep measuring the delay, and the next answer is
/// given that much earlier. Old delays decay slowly.
#[derive(Debug)]
pub(super) struct Punctuality(AtomicU64);

impl Default for Punctuality {
    fn default() -> Self {
        Punctuality(AtomicU64::new(micros(AT_FIRST)))
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl Punctuality {
    /// Records a delay.
    pub(super) fn note(&self, late: Duration) {
        self.0.fetch_max(micros(late), Relaxed);
    }

    /// After a move: the worst delay decays a little.
    pub(super) fn forget_some(&self) {
        let least = micros(AT_FIRST) / 5;
        let less = |late: u64| Some((late - late / 8).max(least));
        let _ = self.0.fetch_update(Relaxed, Relaxed, less);
    }

    fn late(&self) -> Duration {
        Duration::from_micros(self.0.load(Relaxed))
    }

    /// How long before the end of the clock the answer has to be sent.
    pub(super) fn reply_margin(&self, clock: Duration) -> Duration {
        (WAY + self.late() * 2).min(clock / 3)
    }

    /// How long before the end of the clock the search has to end by itself: so that its result,
    /// which is a little better than what it has reported, is there before the reply is due.
    pub(super) fn search_margin(&self, clock: Duration) -> Duration {
        (WAY * 2 + self.late() * 3).min(clock / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn more_is_kept_back_where_things_happen_late_and_less_when_they_do_not() {
        let punctuality = Punctuality::default();
        let at_first = punctuality.search_margin(SECOND);
        assert!(at_first < SECOND / 10, "{at_first:?}");
        punctuality.note(Duration::from_millis(40));
        let later = punctuality.search_margin(SECOND);
        assert!(later > Duration::from_millis(120), "{later:?}");
        (0..100).for_each(|_| punctuality.forget_some());
        assert!(punctuality.search_margin(SECOND) < at_first);
        punctuality.note(Duration::from_secs(10));
        assert!(punctuality.search_margin(SECOND) <= SECOND / 2, "there is time left to think");
        assert!(punctuality.reply_margin(SECOND) < punctuality.search_margin(SECOND));
    }
}
