//! Whether this process itself was stopped for a while.
//!
//! A stopped arena (`SIGSTOP`, a debugger, a machine that hangs) hears an answer too late and would
//! charge the player for it. So a thread beats a few times a second while programs play, and a gap
//! between two beats shows that nobody here could listen.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often it beats.
const BEAT: Duration = Duration::from_millis(50);

/// How much later than that a beat must be to count as a gap. A busy machine delays a thread that
/// sleeps most of the time by much less.
const GAP: Duration = Duration::from_millis(500);

/// How many gaps are remembered.
const REMEMBERED: usize = 32;

struct Beats {
    last: Option<Instant>,
    /// The ends of the latest gaps, and how long they were.
    gaps: VecDeque<(Instant, Duration)>,
}

static BEATS: Mutex<Beats> = Mutex::new(Beats { last: None, gaps: VecDeque::new() });

fn beats() -> MutexGuard<'static, Beats> {
    BEATS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Beats {
    fn beat(&mut self, now: Instant) {
        let late = self.late(now);
        if late > Duration::ZERO {
            self.gaps.push_back((now, late));
            if self.gaps.len() > REMEMBERED {
                self.gaps.pop_front();
            }
        }
        self.last = Some(now);
    }

    /// How long the current beat has been missing, if that is a gap.
    fn late(&self, now: Instant) -> Duration {
        let since = self.last.map_or(Duration::ZERO, |last| now.duration_since(last));
        if since > BEAT + GAP { since - BEAT } else { Duration::ZERO }
    }

    fn longest_since(&self, begun: Instant, now: Instant) -> Duration {
        let gaps = self.gaps.iter().filter(|(end, _)| *end >= begun).map(|(_, length)| *length);
        gaps.chain([self.late(now)]).max().unwrap_or_default()
    }
}

/// Begins to beat, if it does not yet.
pub(crate) fn begin() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        beats().last = Some(Instant::now());
        let beat = || {
            loop {
                thread::sleep(BEAT);
                beats().beat(Instant::now());
            }
        };
        // Without the thread there would be nothing but a gap.
        if thread::Builder::new().name("heartbeat".into()).spawn(beat).is_err() {
            beats().last = None;
        }
    });
}

/// The longest time since `begun` in which this process was stopped; zero if it was not.
pub(crate) fn longest_gap_since(begun: Instant) -> Duration {
    beats().longest_since(begun, Instant::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_beat_is_noticed_at_once_and_remembered() {
        let ms = Duration::from_millis;
        let start = Instant::now();
        let mut beats = Beats { last: None, gaps: VecDeque::new() };
        for beat in 0..10 {
            beats.beat(start + beat * BEAT);
        }
        assert_eq!(beats.longest_since(start, start + ms(600)), Duration::ZERO);
        // Nobody has beaten since, and somebody asks.
        assert_eq!(beats.longest_since(start, start + ms(3450)), ms(2950));
        beats.beat(start + ms(3450));
        beats.beat(start + ms(3500));
        assert_eq!(beats.longest_since(start, start + ms(3500)), ms(2950));
        assert_eq!(beats.longest_since(start + ms(3460), start + ms(3500)), Duration::ZERO);
    }

    #[test]
    fn only_the_latest_gaps_are_kept() {
        let start = Instant::now();
        let mut beats = Beats { last: None, gaps: VecDeque::new() };
        (0..100).for_each(|beat| beats.beat(start + beat * 2 * GAP));
        assert_eq!(beats.gaps.len(), REMEMBERED);
    }
}
