//! Who comes in: those who show the password of their account. Whoever shows wrong ones is made to
//! wait, longer each time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::guests::network;
use crate::limits;

/// The first wait after a wrong password. Each one after it is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// How often the wait is doubled at most.
const DOUBLINGS: u32 = 4;
/// After how long without a wrong password an address starts again.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// Remembers from where wrong passwords came.
#[derive(Default)]
pub struct Door {
    strangers: Mutex<HashMap<IpAddr, Stranger>>,
}

/// Somebody who has shown wrong passwords.
struct Stranger {
    wrong: u32,
    last: Instant,
    /// How many requests from there are waiting at the moment.
    waiting: usize,
}

impl Door {
    /// Whether so many requests from an address wait for having been wrong that no other is looked
    /// at.
    pub fn is_crowded(&self, from: IpAddr) -> bool {
        let strangers = self.strangers();
        let waiting = strangers.get(&network(from)).map_or(0, |stranger| stranger.waiting);
        waiting >= limits::WRONG_AT_ONCE
    }

    /// Waits as long as a wrong password from this address is worth. Where many wait already, it
    /// comes back at once: they are not looked at.
    pub async fn wait(&self, from: IpAddr) {
        let Some(wait) = self.begin(network(from), Instant::now()) else { return };
        let _waiting = Waiting { door: self, from: network(from) };
        tokio::time::sleep(wait).await;
    }

    /// Notes a wrong password and tells how long to wait for it.
    fn begin(&self, from: IpAddr, now: Instant) -> Option<Duration> {
        let mut strangers = self.strangers();
        if strangers.len() >= limits::STRANGERS && !strangers.contains_key(&from) {
            let recent = |last: Instant| now.duration_since(last) < FORGOTTEN;
            strangers.retain(|_, stranger| stranger.waiting > 0 || recent(stranger.last));
            if strangers.len() >= limits::STRANGERS {
                return None;
            }
        }
        let stranger =
            strangers.entry(from).or_insert(Stranger { wrong: 0, last: now, waiting: 0 });
        if now.duration_since(stranger.last) >= FORGOTTEN {
            stranger.wrong = 0;
        }
        if stranger.waiting >= limits::WRONG_AT_ONCE {
            return None;
        }
        let wait = FIRST_WAIT * 2_u32.pow(stranger.wrong.min(DOUBLINGS));
        stranger.wrong = stranger.wrong.saturating_add(1);
        stranger.last = now;
        stranger.waiting += 1;
        Some(wait)
    }

    fn strangers(&self) -> MutexGuard<'_, HashMap<IpAddr, Stranger>> {
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who waits; not any more when this is dropped, also if the connection breaks.
struct Waiting<'a> {
    door: &'a Door,
    from: IpAddr,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(stranger) = self.door.strangers().get_mut(&self.from) {
            stranger.waiting = stranger.waiting.saturating_sub(1);
        }
    }
}

/// Whether two hashes are equal, found out in a time that does not tell where they differ.
pub fn is_same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    one.iter().zip(other).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// How fast requests of one account are taken: some at once, then one after the other.
#[derive(Default)]
pub struct Pace {
    /// When the next one would come if all came as fast as they may.
    due: Mutex<Option<Instant>>,
}

impl Pace {
    /// How long the next request has to wait.
    pub fn next(&self, now: Instant) -> Duration {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let at = due.map_or(now, |due| due.max(now));
        *due = Some(at + limits::AGENT_PACE);
        (at - now).saturating_sub(limits::AGENT_PACE * limits::AGENT_BURST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_passwords_wait_longer_each_time_and_are_forgotten() {
        let (door, now) = (Door::default(), Instant::now());
        let [guesser, other]: [IpAddr; 2] =
            ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().unwrap());
        let waits: Vec<u128> =
            (0..6).map(|_| door.begin(guesser, now).unwrap().as_millis()).collect();
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 8000]);
        assert_eq!(door.begin(other, now), Some(FIRST_WAIT), "nobody else waits for it");
        assert_eq!(door.begin(guesser, now + FORGOTTEN), Some(FIRST_WAIT));
        for _ in 7..limits::WRONG_AT_ONCE {
            assert!(!door.is_crowded(guesser));
            door.begin(guesser, now);
        }
        assert!(door.is_crowded(guesser) && !door.is_crowded(other));
        assert_eq!(door.begin(guesser, now), None);
        drop(Waiting { door: &door, from: guesser });
        assert!(!door.is_crowded(guesser), "there is a place again");
    }

    #[test]
    fn memory_of_strangers_has_an_end() {
        let (door, now) = (Door::default(), Instant::now());
        for number in 0..2 * limits::STRANGERS as u32 {
            let from = IpAddr::V4(std::net::Ipv4Addr::from_bits(number));
            door.begin(from, now);
            drop(Waiting { door: &door, from });
        }
        assert_eq!(door.strangers().len(), limits::STRANGERS);
        let later = now + FORGOTTEN;
        assert!(door.begin("203.0.113.1".parse().unwrap(), later).is_some());
        assert_eq!(door.strangers().len(), 1);
    }

    #[test]
    fn hashes_are_equal_or_not() {
        let (one, mut other) = ([7; 32], [7; 32]);
        assert!(is_same(&one, &other));
        other[31] = 6;
        assert!(!is_same(&one, &other));
    }

    #[test]
    fn a_burst_is_free_and_then_there_is_a_pace() {
        let (pace, now) = (Pace::default(), Instant::now());
        for _ in 0..=limits::AGENT_BURST {
            assert_eq!(pace.next(now), Duration::ZERO);
        }
        assert_eq!(pace.next(now), limits::AGENT_PACE);
        assert_eq!(pace.next(now), limits::AGENT_PACE * 2);
        let later = now + limits::AGENT_PACE * (limits::AGENT_BURST + 5);
        assert_eq!(pace.next(later), Duration::ZERO, "who waits may be fast again");
    }
}
