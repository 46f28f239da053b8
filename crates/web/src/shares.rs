//! Places that clients share: nobody takes more than is left for everybody else.
//!
//! A client alone gets half of the places, of two that take what they can each gets a third, and
//! whoever comes next always finds room. So one person may open many tabs, and a class may sit behind
//! one address, but no client can lock out the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::clients::Client;

/// Whether a client that has `mine` of the `taken` places may have another.
pub fn is_fair(mine: usize, taken: usize, places: usize) -> bool {
    mine < places.saturating_sub(taken)
}

/// Places, and how many each client has.
#[derive(Clone)]
pub(crate) struct Shares {
    places: usize,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Default)]
struct Taken {
    all: usize,
    by: HashMap<Client, usize>,
}

/// A place that is taken until this is dropped.
pub(crate) struct Share {
    shares: Shares,
    /// Whose it is; nobody's share, where it is a proxy's.
    of: Option<Client>,
}

impl Shares {
    /// So many places, all free.
    pub fn new(places: usize) -> Shares {
        Shares { places, taken: Arc::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for this client; `None` if it has its share.
    pub fn take(&self, client: Client) -> Option<Share> {
        let mut taken = self.lock();
        let all = taken.all;
        let mine = taken.by.entry(client).or_default();
        if !is_fair(*mine, all, self.places) {
            if *mine == 0 {
                taken.by.remove(&client);
            }
            return None;
        }
        *mine += 1;
        taken.all += 1;
        Some(Share { shares: self.clone(), of: Some(client) })
    }

    /// A place for somebody who stands for many; `None` if all are taken.
    pub fn take_any(&self) -> Option<Share> {
        let mut taken = self.lock();
        if taken.all >= self.places {
            return None;
        }
        taken.all += 1;
        Some(Share { shares: self.clone(), of: None })
    }

    /// How many places are taken.
    pub fn taken(&self) -> usize {
        self.lock().all
    }

    /// Whether more than half of the places are taken.
    pub fn are_scarce(&self) -> bool {
        self.taken() > self.places / 2
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut taken = self.shares.lock();
        taken.all -= 1;
        let Some(client) = self.of else { return };
        if let Some(mine) = taken.by.get_mut(&client) {
            *mine -= 1;
            if *mine == 0 {
                taken.by.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::Clients;

    #[test]
    fn whoever_comes_next_finds_room() {
        let shares = Shares::new(12);
        let clients = Clients::new(false);
        let client = |number: u8| clients.at([192, 0, 2, number].into());
        let take_all =
            |number| -> Vec<Share> { std::iter::from_fn(|| shares.take(client(number))).collect() };
        let first = take_all(1);
        assert_eq!(first.len(), 6);
        let second = take_all(2);
        assert_eq!(second.len(), 3);
        assert!(shares.take(client(1)).is_none() && shares.are_scarce());
        assert!(shares.take(client(3)).is_some());
        drop(first);
        assert_eq!(take_all(1).len(), 5, "a second client is there");
        drop(second);
        assert!(shares.take_any().is_some());
        assert_eq!((shares.taken(), shares.lock().by.len()), (0, 0), "nothing is remembered");
    }

    #[test]
    fn one_who_stands_for_many_gets_every_place() {
        let shares = Shares::new(4);
        let taken: Vec<Share> = std::iter::from_fn(|| shares.take_any()).collect();
        assert_eq!(taken.len(), 4);
        assert!(shares.take(Client::default()).is_none());
        assert!(shares.lock().by.is_empty());
    }
}
