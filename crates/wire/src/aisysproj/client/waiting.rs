//! How long to wait, and how to wait.

use std::thread;
use std::time::{Duration, Instant};

use agon_core::Rng;
use agon_search::StopFlag;

/// How often to check for a stop while waiting.
const LOOK: Duration = Duration::from_millis(20);

/// The timeouts and pauses of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// The shortest pause after a failure; each next one is about twice as long.
    pub shortest: Duration,
    /// The longest pause.
    pub longest: Duration,
    /// The pause when there is nothing to do; it grows a few times over.
    pub idle: Duration,
    /// The minimum time between requests that answer nothing.
    pub between: Duration,
    /// How long to wait for a connection.
    pub connect: Duration,
    /// How long to wait for an answer.
    pub answer: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            shortest: Duration::from_millis(500),
            longest: Duration::from_secs(60),
            idle: Duration::from_secs(1),
            between: Duration::from_millis(50),
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(60),
        }
    }
}

/// Growing random pauses, so that many clients do not retry at once.
#[derive(Clone, Debug)]
pub(super) struct Backoff {
    shortest: Duration,
    longest: Duration,
    tries: u32,
}

impl Backoff {
    pub(super) fn new(shortest: Duration, longest: Duration) -> Backoff {
        Backoff { shortest, longest, tries: 0 }
    }

    /// The next pause: random between the shortest and twice that, then doubled each time up to the
    /// longest.
    pub(super) fn next(&mut self, rng: &mut Rng) -> Duration {
        const MOST_DOUBLINGS: u32 = 20;
        let least = self.shortest * (1 << self.tries.min(MOST_DOUBLINGS));
        self.tries += 1;
        let least = least.min(self.longest / 2);
        least + least.mul_f64(rng.below(1000) as f64 / 1000.0)
    }

    /// It works again.
    pub(super) fn reset(&mut self) {
        self.tries = 0;
    }
}

/// Waits this long, or until `stop` is set.
pub(super) fn rest(pause: Duration, stop: &StopFlag) {
    let begun = Instant::now();
    while !stop.is_set() {
        let Some(left) = pause.checked_sub(begun.elapsed()).filter(|left| !left.is_zero()) else {
            return;
        };
        thread::sleep(left.min(LOOK));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_the_longest_and_begin_anew() {
        let patience = Patience::default();
        let mut backoff = Backoff::new(patience.shortest, patience.longest);
        let mut rng = Rng::new(3);
        for tries in 0..100u32 {
            let least = patience.shortest * (1 << tries.min(6));
            let pause = backoff.next(&mut rng);
            assert!(pause >= least.min(patience.longest / 2), "{tries}: {pause:?}");
            assert!(pause <= (least * 2).min(patience.longest), "{tries}: {pause:?}");
        }
        backoff.reset();
        assert!(backoff.next(&mut rng) <= patience.shortest * 2);
    }

    #[test]
    fn pauses_differ() {
        let mut rng = Rng::new(1);
        let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(2));
        let pauses: std::collections::HashSet<Duration> =
            (0..50).map(|_| backoff.next(&mut rng)).collect();
        assert!(pauses.len() > 20);
    }

    #[test]
    fn whoever_is_stopped_does_not_wait() {
        let stop = StopFlag::default();
        stop.stop();
        rest(Duration::from_secs(3600), &stop);
    }
}
