//! How long a search may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A flag that asks a search to stop, from any thread.
#[derive(Clone, Debug, Default)]
pub struct StopFlag {
    own: Arc<AtomicBool>,
    parent: Option<Arc<StopFlag>>,
}

impl StopFlag {
    /// Asks the search to stop soon.
    pub fn stop(&self) {
        self.own.store(true, Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn is_set(&self) -> bool {
        self.own.load(Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_set())
    }

    /// A flag that is set as soon as this one is, and can be set without this one.
    pub fn child(&self) -> StopFlag {
        StopFlag { own: Arc::default(), parent: Some(Arc::new(self.clone())) }
    }
}

/// The time for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// This long for this move.
    PerMove(Duration),
    /// A clock for the whole game.
    Clock {
        /// The time left on it.
        remaining: Duration,
        /// The time added after every move.
        increment: Duration,
    },
}

impl Time {
    /// How long to think: all of a move's time but a margin, or a fair share of the clock.
    pub fn allotment(self) -> Duration {
        const SHARE: u32 = 30;
        match self {
            Time::PerMove(time) => time - margin(time),
            Time::Clock { remaining, increment } => {
                let wanted = remaining / SHARE + increment * 3 / 4;
                let most = (remaining - margin(remaining)) / 2;
                wanted.min(most)
            }
        }
    }
}

/// The safety margin for delivering the answer: a twentieth, at most 20 ms.
fn margin(time: Duration) -> Duration {
    (time / 20).min(Duration::from_millis(20))
}

/// The limits of a search. What is not set is unlimited; with no limit at all, a strategy uses its
/// default depth.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The time, for this move or for the game.
    pub time: Option<Time>,
    /// The maximum depth in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes: moves played by the search.
    pub nodes: Option<u64>,
    /// Stop when this is set.
    pub stop: StopFlag,
}

impl Budget {
    /// A budget of plies.
    pub fn depth(plies: u32) -> Budget {
        Budget { depth: Some(plies), ..Budget::default() }
    }

    /// A budget of nodes.
    pub fn nodes(nodes: u64) -> Budget {
        Budget { nodes: Some(nodes), ..Budget::default() }
    }

    /// A budget of time for one move.
    pub fn per_move(time: Duration) -> Budget {
        Budget { time: Some(Time::PerMove(time)), ..Budget::default() }
    }

    /// What is left of it after some time.
    pub fn less(&self, spent: Duration) -> Budget {
        let time = self.time.map(|time| match time {
            Time::PerMove(time) => Time::PerMove(time.saturating_sub(spent)),
            Time::Clock { remaining, increment } => {
                Time::Clock { remaining: remaining.saturating_sub(spent), increment }
            }
        });
        Budget { time, ..self.clone() }
    }

    /// Whether something other than depth ends the search, so that it should deepen step by step.
    pub(crate) fn is_open_ended(&self) -> bool {
        self.time.is_some() || self.nodes.is_some()
    }
}

/// Whether to look at the clock after so many nodes: once in an interval, and before the first one
/// is over after 1, 2, 4, 8 nodes and so on. A search may be slow at first, when nothing it needs
/// is in the cache or even in memory yet.
#[inline]
pub(crate) fn is_time_to_look(nodes: u64, interval: u64) -> bool {
    nodes.is_multiple_of(interval) || (nodes < interval && nodes.is_power_of_two())
}

/// The search was told to stop before it was through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Watches a budget while a search runs.
#[derive(Debug)]
pub struct Limits {
    stop: StopFlag,
    deadline: Option<Instant>,
    nodes: u64,
}

impl Limits {
    /// The clock and the flag are checked once every this many nodes.
    const INTERVAL: u64 = 256;

    /// Starts the clock.
    pub fn start(budget: &Budget) -> Limits {
        let deadline = budget.time.and_then(|time| Instant::now().checked_add(time.allotment()));
        Limits { stop: budget.stop.clone(), deadline, nodes: budget.nodes.unwrap_or(u64::MAX) }
    }

    /// Whether the search may play another node after `nodes`.
    #[inline]
    pub fn check(&self, nodes: u64) -> Result<(), Stopped> {
        if nodes >= self.nodes || (is_time_to_look(nodes, Self::INTERVAL) && self.is_over()) {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Whether the time is over or the flag is set.
    pub fn is_over(&self) -> bool {
        self.stop.is_set() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_used_up_at_once() {
        for millis in [0, 1, 10, 100, 1000, 300_000] {
            for increment in [0, 50, 5000] {
                let remaining = Duration::from_millis(millis);
                let increment = Duration::from_millis(increment);
                let allotment = Time::Clock { remaining, increment }.allotment();
                assert!(allotment <= remaining / 2, "{remaining:?} {increment:?} {allotment:?}");
            }
        }
    }

    #[test]
    fn the_clock_is_looked_at_early_and_then_now_and_then() {
        let looks: Vec<u64> = (0..40).filter(|&nodes| is_time_to_look(nodes, 16)).collect();
        assert_eq!(looks, [0, 1, 2, 4, 8, 16, 32]);
        let late = Budget { time: Some(Time::PerMove(Duration::ZERO)), ..Budget::default() };
        assert_eq!(Limits::start(&late).check(1), Err(Stopped));
        assert_eq!(Limits::start(&late).check(3), Ok(()));
    }

    #[test]
    fn a_child_stops_with_its_parent_and_alone() {
        let parent = StopFlag::default();
        let [one, other] = [parent.child(), parent.child()];
        one.stop();
        assert!(one.is_set() && !other.is_set() && !parent.is_set());
        parent.stop();
        assert!(other.is_set());
    }

    #[test]
    fn a_margin_is_kept_of_the_time_for_a_move() {
        let allotment = |millis| Time::PerMove(Duration::from_millis(millis)).allotment();
        assert_eq!(allotment(100), Duration::from_millis(95));
        assert_eq!(allotment(10_000), Duration::from_millis(9980));
    }
}
