//! How many connections come from where: nobody gets all of them.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use crate::limits;

/// Who is connected.
#[derive(Clone, Default)]
pub struct Guests(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// Somebody who is connected, until this is dropped.
pub struct Guest {
    guests: Guests,
    from: IpAddr,
}

impl Guests {
    /// One connection more from an address; `None` if it has as many as it may have.
    pub fn welcome(&self, from: IpAddr) -> Option<Guest> {
        let from = network(from);
        let mut guests = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let connected = guests.entry(from).or_default();
        if *connected >= limits::CONNECTIONS_OF_ONE {
            return None;
        }
        *connected += 1;
        Some(Guest { guests: self.clone(), from })
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut guests = self.guests.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(connected) = guests.get_mut(&self.from) {
            *connected -= 1;
            if *connected == 0 {
                guests.remove(&self.from);
            }
        }
    }
}

/// Who has one address of version 6 has all of its network.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        old => old,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_all_connections() {
        let guests = Guests::default();
        let [one, other]: [IpAddr; 2] = ["192.0.2.1", "2001:db8::1"].map(|it| it.parse().unwrap());
        let mut here: Vec<Guest> =
            (0..limits::CONNECTIONS_OF_ONE).map(|_| guests.welcome(one).unwrap()).collect();
        assert!(guests.welcome(one).is_none());
        assert!(guests.welcome(other).is_some());
        here.pop();
        assert!(guests.welcome(one).is_some());
        drop(here);
        assert!(guests.0.lock().unwrap().is_empty(), "nobody is remembered");
    }

    #[test]
    fn a_network_of_version_6_is_one_address() {
        let [a, b, c, d]: [IpAddr; 4] =
            ["2001:db8::1", "2001:db8::2:1", "2001:db8:0:1::1", "::ffff:192.0.2.1"]
                .map(|text| network(text.parse().unwrap()));
        assert!(a == b && a != c);
        assert_eq!(d, "192.0.2.1".parse::<IpAddr>().unwrap());
    }
}
