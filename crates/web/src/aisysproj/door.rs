//! Slows down clients: wrong passwords are answered later each time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::clients::Client;
use crate::limits;

/// The delay after the first wrong password. It doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// How many times the delay doubles at most.
const DOUBLINGS: u32 = 4;
/// After how long without a wrong password a client starts over.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// Remembers which clients sent wrong passwords.
#[derive(Default)]
pub struct Door {
    strangers: Mutex<HashMap<Client, Stranger>>,
}

/// The wrong passwords of a client.
struct Stranger {
    wrong: u32,
    last: Instant,
}

impl Door {
    /// Counts a wrong password from a client, and returns how long to delay the answer. A client has
    /// a limited number of connections, so only a few requests wait at a time. Requests with the right
    /// password never wait.
    pub fn wait_for(&self, from: Client, now: Instant) -> Duration {
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

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::clients::Clients;

    #[test]
    fn wrong_passwords_wait_longer_each_time_and_are_forgotten() {
        let (door, now) = (Door::default(), Instant::now());
        let clients = Clients::new(false);
        let [guesser, other] = [1, 2].map(|number| clients.at([192, 0, 2, number].into()));
        let waits = [(); 6].map(|()| door.wait_for(guesser, now).as_millis());
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 8000]);
        assert_eq!(door.wait_for(other, now), FIRST_WAIT, "other clients do not wait");
        assert_eq!(door.wait_for(guesser, now + FORGOTTEN), FIRST_WAIT);
    }

    #[test]
    fn the_number_of_remembered_clients_is_limited() {
        let (door, now, clients) = (Door::default(), Instant::now(), Clients::new(false));
        let known = || door.strangers.lock().unwrap().len();
        for number in 0..2 * limits::STRANGERS as u32 {
            let wait = door.wait_for(clients.at(Ipv4Addr::from_bits(number).into()), now);
            assert!(wait >= FIRST_WAIT);
        }
        assert_eq!(known(), limits::STRANGERS);
        door.wait_for(clients.at([203, 0, 113, 1].into()), now + FORGOTTEN);
        assert_eq!(known(), 1);
    }

    #[test]
    fn hashes_are_equal_or_not() {
        let (one, mut other) = ([7; 32], [7; 32]);
        assert!(is_same(&one, &other));
        other[31] = 6;
        assert!(!is_same(&one, &other));
    }
}
