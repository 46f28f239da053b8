//! Who sends a request: limits per client count by this.
//!
//! A client is an IPv4 address or the /64 network of an IPv6 address. The server remembers no addresses,
//! only their hashes with keys that are drawn anew at every start, so nothing that is stored tells where
//! somebody was.

use std::convert::Infallible;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;

/// The header in which a proxy names the client.
const FORWARDED: &str = "x-forwarded-for";

/// A client. The default one is nobody in particular.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Client(u64);

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The client of a request, which the server has noted.
impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

/// Tells clients apart.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    keys: RandomState,
    /// Whether requests of this machine come from a proxy.
    behind_proxy: bool,
}

impl Clients {
    /// With new keys.
    pub fn new(behind_proxy: bool) -> Clients {
        Clients { keys: RandomState::new(), behind_proxy }
    }

    /// The client at an address.
    pub fn at(&self, address: IpAddr) -> Client {
        Client(self.keys.hash_one(network(address)))
    }

    /// Whether this address is the proxy's, which many clients share.
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        self.behind_proxy && address.to_canonical().is_loopback()
    }

    /// The client of a request that came from this address. Everybody can send the header, so it
    /// counts only if the proxy sends it; and of several addresses the last, which the proxy has added.
    pub fn of(&self, address: IpAddr, headers: &HeaderMap) -> Client {
        let forwarded = || {
            let last = headers.get_all(FORWARDED).iter().next_back()?.to_str().ok()?;
            let last = last.rsplit(',').next()?.trim();
            let with_port = || last.parse().map(|address: SocketAddr| address.ip());
            last.parse().or_else(|_| with_port()).ok()
        };
        self.at(Some(address)
            .filter(|_| !self.is_proxy(address))
            .or_else(forwarded)
            .unwrap_or(address))
    }
}

/// The address to count by: whoever has one IPv6 address has all of its /64 network.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        old => old,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_ipv6_network_counts_as_one_client() {
        let clients = Clients::new(false);
        let [a, b, c, d] = ["2001:db8::1", "2001:db8::2:1", "2001:db8:0:1::1", "::ffff:192.0.2.1"]
            .map(|text| clients.at(address(text)));
        assert!(a == b && a != c);
        assert_eq!(d, clients.at(address("192.0.2.1")));
        assert_ne!(a, Clients::new(false).at(address("2001:db8::1")), "other keys at every start");
        assert_eq!(a.to_string().len(), 16);
    }

    #[test]
    fn only_a_proxy_on_this_machine_is_believed() {
        let (direct, proxied) = (Clients::new(false), Clients::new(true));
        let of = |clients: &Clients, from: &str, headers: &[&'static str]| {
            let mut map = HeaderMap::new();
            for value in headers {
                map.append(FORWARDED, value.parse().unwrap());
            }
            clients.of(address(from), &map)
        };
        let known = |clients: &Clients, text: &str| clients.at(address(text));
        let claim = &["192.0.2.7"][..];
        assert_eq!(of(&direct, "127.0.0.1", claim), known(&direct, "127.0.0.1"));
        assert_eq!(of(&proxied, "192.0.2.1", claim), known(&proxied, "192.0.2.1"));
        assert_eq!(of(&proxied, "127.0.0.1", claim), known(&proxied, "192.0.2.7"));
        assert_eq!(of(&proxied, "::1", &["192.0.2.7:81"]), known(&proxied, "192.0.2.7"));
        let several = ["192.0.2.1", "192.0.2.2, 192.0.2.3"];
        assert_eq!(of(&proxied, "127.0.0.1", &several), known(&proxied, "192.0.2.3"));
        for none in [&["somebody"][..], &[""], &[]] {
            assert_eq!(of(&proxied, "127.0.0.1", none), known(&proxied, "127.0.0.1"));
        }
    }
}
