//! Rates: so many at once, and then one after another.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::clients::Client;
use crate::limits;

/// A highest rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// How many may come at once.
    pub burst: u32,
    /// The least time between two after that.
    pub interval: Duration,
}

impl Rate {
    /// How long the next one has to wait, and when the one after it is due; `due` is when this one is.
    fn next(self, due: Option<Instant>, now: Instant) -> (Duration, Instant) {
        let at = due.map_or(now, |due| due.max(now));
        ((at - now).saturating_sub(self.interval * self.burst), at + self.interval)
    }
}

/// Paces those who wait for their turn.
#[derive(Debug)]
pub(crate) struct Pace {
    rate: Rate,
    due: Mutex<Option<Instant>>,
}

impl Pace {
    /// Nobody has come yet.
    pub fn new(rate: Rate) -> Pace {
        Pace { rate, due: Mutex::default() }
    }

    /// How long the next one has to wait.
    pub fn next(&self, now: Instant) -> Duration {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let (wait, next) = self.rate.next(*due, now);
        *due = Some(next);
        wait
    }
}

/// Paces every client on its own, and turns away those who come too early.
#[derive(Debug)]
pub(crate) struct Paces {
    rate: Rate,
    due: Mutex<HashMap<Client, Instant>>,
}

impl Paces {
    /// Nobody has come yet.
    pub fn new(rate: Rate) -> Paces {
        Paces { rate, due: Mutex::default() }
    }

    /// Counts a client in, or says how much too early it is.
    pub fn admit(&self, client: Client, now: Instant) -> Result<(), Duration> {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        let (wait, next) = self.rate.next(due.get(&client).copied(), now);
        if !wait.is_zero() {
            return Err(wait);
        }
        // Those who have not come for a while are as good as new.
        if due.len() >= limits::STRANGERS && !due.contains_key(&client) {
            due.retain(|_, due| *due > now);
        }
        if due.len() < limits::STRANGERS || due.contains_key(&client) {
            due.insert(client, next);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::Clients;

    const RATE: Rate = Rate { burst: 20, interval: Duration::from_secs(1) };

    #[test]
    fn a_burst_passes_at_once_and_then_requests_are_paced() {
        let (pace, now) = (Pace::new(RATE), Instant::now());
        for _ in 0..=RATE.burst {
            assert_eq!(pace.next(now), Duration::ZERO);
        }
        assert_eq!(pace.next(now), RATE.interval);
        assert_eq!(pace.next(now), RATE.interval * 2);
        let later = now + RATE.interval * (RATE.burst + 5);
        assert_eq!(pace.next(later), Duration::ZERO, "a pause allows another burst");
    }

    #[test]
    fn who_is_too_early_is_told_how_much_and_others_are_not() {
        let (paces, clients, now) = (Paces::new(RATE), Clients::new(false), Instant::now());
        let [one, other] = [1, 2].map(|number| clients.at([192, 0, 2, number].into()));
        for _ in 0..=RATE.burst {
            assert_eq!(paces.admit(one, now), Ok(()));
        }
        for _ in 0..3 {
            assert_eq!(paces.admit(one, now), Err(RATE.interval), "refusals do not count");
        }
        assert_eq!(paces.admit(other, now), Ok(()));
        assert_eq!(paces.admit(one, now + RATE.interval), Ok(()));
        for number in 0..2 * limits::STRANGERS as u32 {
            let _ = paces.admit(clients.at(std::net::Ipv4Addr::from_bits(number).into()), now);
        }
        assert!(paces.due.lock().unwrap().len() <= limits::STRANGERS);
    }
}
