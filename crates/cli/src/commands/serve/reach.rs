//! The addresses at which other machines reach the server.

use std::net::{IpAddr, SocketAddr};

/// A network interface with one of its addresses.
pub(super) struct Interface {
    pub(super) name: String,
    pub(super) address: IpAddr,
}

/// The interfaces of this machine; none if the system does not tell.
pub(super) fn interfaces() -> Vec<Interface> {
    let found = if_addrs::get_if_addrs().unwrap_or_default();
    found.into_iter().map(|it| Interface { address: it.ip(), name: it.name }).collect()
}

/// What others can type to reach a server that listens here: none on this machine's own address,
/// IPv4 first, and networks of virtual machines and containers last.
pub(super) fn addresses(listen: SocketAddr, interfaces: &[Interface]) -> Vec<SocketAddr> {
    let ip = listen.ip();
    if !ip.is_unspecified() {
        return if is_for_others(ip) { vec![listen] } else { Vec::new() };
    }
    // A server at [::] is reached by IPv4, too.
    let meant =
        |it: &&Interface| is_for_others(it.address) && (ip.is_ipv6() || it.address.is_ipv4());
    let mut meant: Vec<&Interface> = interfaces.iter().filter(meant).collect();
    meant.sort_by_key(|it| (it.address.is_ipv6(), is_virtual(&it.name)));
    let mut addresses: Vec<SocketAddr> = Vec::new();
    for it in meant {
        let address = SocketAddr::new(it.address, listen.port());
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

/// Not of this machine alone, and not one that needs the name of an interface with it.
fn is_for_others(ip: IpAddr) -> bool {
    let link_local = match ip {
        IpAddr::V4(ip) => ip.is_link_local() || ip.is_broadcast(),
        IpAddr::V6(ip) => ip.is_unicast_link_local() || ip.to_ipv4_mapped().is_some(),
    };
    !(link_local || ip.is_loopback() || ip.is_multicast() || ip.is_unspecified())
}

fn is_virtual(name: &str) -> bool {
    ["docker", "br-", "veth", "virbr", "vmnet", "vboxnet"].iter().any(|it| name.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(listen: &str) -> Vec<String> {
        let interfaces = [
            ("lo", "127.0.0.1"),
            ("lo", "::1"),
            ("docker0", "172.17.0.1"),
            ("wlan0", "fe80::1"),
            ("wlan0", "2001:db8::7"),
            ("wlan0", "192.168.1.20"),
            ("eth1", "169.254.3.4"),
            ("eth0", "10.0.0.5"),
            ("eth0:1", "10.0.0.5"),
        ];
        let interfaces = interfaces.map(|(name, address)| Interface {
            name: name.to_string(),
            address: address.parse().unwrap(),
        });
        let found = addresses(listen.parse().unwrap(), &interfaces);
        found.iter().map(SocketAddr::to_string).collect()
    }

    #[test]
    fn everywhere_means_the_addresses_of_the_network_ipv4_first() {
        let four = ["192.168.1.20:7300", "10.0.0.5:7300", "172.17.0.1:7300"];
        assert_eq!(reached("0.0.0.0:7300"), four);
        let both: Vec<&str> = four.into_iter().chain(["[2001:db8::7]:7300"]).collect();
        assert_eq!(reached("[::]:7300"), both);
    }

    #[test]
    fn one_address_is_itself_and_this_machine_is_nobody_elses() {
        assert_eq!(reached("192.168.1.20:80"), ["192.168.1.20:80"]);
        assert!(reached("127.0.0.1:80").is_empty() && reached("[::1]:80").is_empty());
    }

    #[test]
    fn the_interfaces_of_this_machine_are_found() {
        assert!(interfaces().iter().any(|it| it.address.is_loopback()));
    }
}
