//! Counts the connections of each address, so that nobody gets all of them.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use crate::limits;

/// The number of open connections by address.
#[derive(Clone, Default)]
pub(crate) struct Connections(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A counted connection, until this is dropped.
pub struct Connection {
    connections: Connections,
    from: IpAddr,
}

impl Connections {
    /// Counts another connection from an address; `None` if it has reached its limit.
    pub fn admit(&self, from: IpAddr) -> Option<Connection> {
        let from = network(from);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let connected = counts.entry(from).or_default();
        if *connected >= limits::CONNECTIONS_OF_ONE {
            return None;
        }
        *connected += 1;
        Some(Connection { connections: self.clone(), from })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut counts = self.connections.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(connected) = counts.get_mut(&self.from) {
            *connected -= 1;
            if *connected == 0 {
                counts.remove(&self.from);
            }
        }
    }
}

/// The address to count by: whoever has one IPv6 address has all of its /64 network.
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
        let connections = Connections::default();
        let [one, other]: [IpAddr; 2] = ["192.0.2.1", "2001:db8::1"].map(|it| it.parse().unwrap());
        let mut open: Vec<Connection> =
            (0..limits::CONNECTIONS_OF_ONE).map(|_| connections.admit(one).unwrap()).collect();
        assert!(connections.admit(one).is_none());
        assert!(connections.admit(other).is_some());
        open.pop();
        assert!(connections.admit(one).is_some());
        drop(open);
        assert!(connections.0.lock().unwrap().is_empty(), "closed connections are forgotten");
    }

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let [a, b, c, d]: [IpAddr; 4] =
            ["2001:db8::1", "2001:db8::2:1", "2001:db8:0:1::1", "::ffff:192.0.2.1"]
                .map(|text| network(text.parse().unwrap()));
        assert!(a == b && a != c);
        assert_eq!(d, "192.0.2.1".parse::<IpAddr>().unwrap());
    }
}
