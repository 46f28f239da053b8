//! What this process knows about players at addresses.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Mutex, MutexGuard, PoisonError};

use agon_arena::player::SystemTrouble;

use super::exchange::Address;

/// Which players are playing, and which were unreachable.
struct Book {
    engaged: BTreeSet<SocketAddr>,
    absent: BTreeSet<String>,
}

static BOOK: Mutex<Book> = Mutex::new(Book { engaged: BTreeSet::new(), absent: BTreeSet::new() });

fn book() -> MutexGuard<'static, Book> {
    BOOK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether it was unreachable at its last game.
pub(super) fn was_absent(address: &Address) -> bool {
    book().absent.contains(&address.to_string())
}

/// Records whether it was reachable.
pub(super) fn note(address: &Address, absent: bool) {
    let name = address.to_string();
    match absent {
        true => drop(book().absent.insert(name)),
        false => drop(book().absent.remove(&name)),
    }
}

/// A player that listens at an address plays one game at a time; a second caller would end the
/// first game. One address may have several names.
pub(super) struct Engagement(Vec<SocketAddr>);

impl Engagement {
    /// Reserves the player, unless this process is already using it.
    pub(super) fn with(address: &Address) -> Result<Engagement, SystemTrouble> {
        // A name that cannot be resolved is reported when it is called.
        let mut sockets = address.sockets().unwrap_or_default();
        // This machine has several addresses for itself.
        for socket in sockets.iter_mut().filter(|socket| socket.ip().is_loopback()) {
            socket.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
        }
        let mut book = book();
        if sockets.iter().any(|socket| book.engaged.contains(socket)) {
            return Err(SystemTrouble(format!(
                "the GGP player at {address} is playing another game, and can play only one at a \
                 time"
            )));
        }
        book.engaged.extend(&sockets);
        Ok(Engagement(sockets))
    }
}

impl Drop for Engagement {
    fn drop(&mut self) {
        let mut book = book();
        book.engaged.retain(|socket| !self.0.contains(socket));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_engaged_once_whatever_it_is_called() {
        let at = |text: &str| Engagement::with(&Address::read(text).unwrap());
        let first = at("127.0.0.1:4711").unwrap();
        assert!(at("127.0.0.1:4711").is_err() && at("localhost:4711").is_err());
        assert!(at("[::1]:4711").is_err() && at("127.0.0.2:4711").is_err());
        assert!(at("127.0.0.1:4712").is_ok());
        drop(first);
        assert!(at("localhost:4711").is_ok());
    }
}
