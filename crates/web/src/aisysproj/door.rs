//! Slows down clients: wrong passwords are answered later each time, and the requests of one account
//! are paced.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::connections::network;
use crate::limits;

/// The delay after the first wrong password. It doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// How many times the delay doubles at most.
const DOUBLINGS: u32 = 4;
/// After how long without a wrong password an address starts over.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// Remembers which addresses sent wrong passwords.
#[derive(Default)]
pub struct Door {
    strangers: Mutex<HashMap<IpAddr, Stranger>>,
}

/// The wrong passwords of an address.
struct Stranger {
    wrong: u32,
    last: Instant,
}

impl Door {
    /// Counts a wrong password from an address, and returns how long to delay the answer. An address
    /// has a limited number of connections, so only a few requests wait at a time. Requests with the
    /// right password never wait.
    pub fn wait_for(&self, from: IpAddr, now: Instant) -> Duration {
        let from = network(from);
        let mut strangers = self.strangers.lock().unwrap_or_else(PoisonError::into_inner);
        if strangers.len() >= limits::STRANGERS && !strangers.contains_key(&from) {
            strangers.retain(|_, stranger| now.duration_since(stranger.last) < FORGOTTEN);
            if strangers.len() >= limits::STRANGERS {
                return FIRST_WAIT * 2_u32.pow(DOUBLINGS);
            }
        }
        let stranger = strangers.entry(from).or_insert(Stranger { wrong: 0, last: now });
        if now.duration_since(stranger.last) >= FORGOTTEN {
            stranger.wrong = 0;
        }
        let wait = FIRST_WAIT * 2_u32.pow(stranger.wrong.min(DOUBLINGS));
        (stranger.wrong, stranger.last) = (stranger.wrong.saturating_add(1), now);
        wait
    }
}

/// Compares two hashes in constant time.
pub fn is_same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    one.iter().zip(other).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// Limits the rate of one account's requests, after an initial burst.
#[derive(Default)]
pub struct Pace {
    /// When the next request is due at the highest allowed rate.
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
        let waits = [(); 6].map(|()| door.wait_for(guesser, now).as_millis());
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 8000]);
        assert_eq!(door.wait_for(other, now), FIRST_WAIT, "other addresses do not wait");
        assert_eq!(door.wait_for(guesser, now + FORGOTTEN), FIRST_WAIT);
    }

    #[test]
    fn the_number_of_remembered_addresses_is_limited() {
        let (door, now) = (Door::default(), Instant::now());
        let known = || door.strangers.lock().unwrap().len();
        for number in 0..2 * limits::STRANGERS as u32 {
            let wait = door.wait_for(IpAddr::V4(std::net::Ipv4Addr::from_bits(number)), now);
            assert!(wait >= FIRST_WAIT);
        }
        assert_eq!(known(), limits::STRANGERS);
        door.wait_for("203.0.113.1".parse().unwrap(), now + FORGOTTEN);
        assert_eq!(known(), 1);
    }

    #[test]
    fn hashes_are_equal_or_not() {
        let (one, mut other) = ([7; 32], [7; 32]);
        assert!(is_same(&one, &other));
        other[31] = 6;
        assert!(!is_same(&one, &other));
    }

    #[test]
    fn a_burst_passes_at_once_and_then_requests_are_paced() {
        let (pace, now) = (Pace::default(), Instant::now());
        for _ in 0..=limits::AGENT_BURST {
            assert_eq!(pace.next(now), Duration::ZERO);
        }
        assert_eq!(pace.next(now), limits::AGENT_PACE);
        assert_eq!(pace.next(now), limits::AGENT_PACE * 2);
        let later = now + limits::AGENT_PACE * (limits::AGENT_BURST + 5);
        assert_eq!(pace.next(later), Duration::ZERO, "a pause allows another burst");
    }
}
