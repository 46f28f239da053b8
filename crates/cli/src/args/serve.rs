//! The arguments of `agon serve`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::PythonArgs;

#[derive(Args, Debug, Default, PartialEq)]
#[command(after_help = "\
Examples:
  agon serve                              on this machine, at the first free port from 7300
  agon serve --listen 8080                on this machine, at this port
  agon serve --listen 0.0.0.0:7300        for everybody who can reach this machine
  agon serve --only aisysproj             the FAUhalma course's server alone (docs/aisysproj.md)
  agon serve --name agon.example.org      behind a proxy that others know by this name
  agon serve --allow-programs             lets people play against their own programs, as
                                          ugi:./my-engine or python:agent.py

Games are kept after every move: stop the server and start it again, and they go on. One server at a
time has the games of a data folder; where one runs already, agon prints its address. The API is
described at /api/openapi.json. Ctrl-C ends it; a second one at once.

With --allow-programs, agent texts such as ugi:COMMAND start programs on this machine. Where others
can reach the server, that takes the secret it prints when it starts.")]
pub(crate) struct ServeArgs {
    /// Where to listen: ADDRESS:PORT, or the port alone. Fails if it is taken; without it, the
    /// first free port of this machine from 7300
    #[arg(long, value_name = "WHERE", value_parser = read_listen)]
    pub(crate) listen: Option<SocketAddr>,

    /// What others call this server if a proxy stands before it, such as agon.example.org; then
    /// it may listen on this machine alone
    #[arg(long, value_name = "HOST")]
    pub(crate) name: Option<String>,

    /// Agent texts of games may start programs on this machine
    #[arg(long)]
    pub(crate) allow_programs: bool,

    #[command(flatten)]
    pub(crate) python: PythonArgs,

    /// Nothing but this part: aisysproj is the server of the FAUhalma course, with its pages
    #[arg(long, value_name = "PART")]
    pub(crate) only: Option<ServePart>,

    /// A file with environments for agents that play over the network, besides the course's
    #[arg(long, value_name = "FILE")]
    pub(crate) environments: Option<PathBuf>,

    /// What the runs there get their chance from: who begins, and what random opponents do; chosen
    /// at random if not given
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// How many searches run at a time; one less than there are processors if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Option<u32>,
}

/// A part of the server.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ServePart {
    /// The AISysProj server
    Aisysproj,
}

fn read_listen(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix(':').unwrap_or(text).parse();
    if let Ok(port) = port {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    let named = text.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    if let Some(port) = named {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    let expected = "expected a port or ADDRESS:PORT, such as 8080, 127.0.0.1:8080 or [::]:8080";
    text.parse().map_err(|_| expected.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_means_this_machine() {
        for text in ["8080", ":8080", "127.0.0.1:8080", "localhost:8080"] {
            assert_eq!(read_listen(text).unwrap().to_string(), "127.0.0.1:8080", "{text}");
        }
        assert_eq!(read_listen("0.0.0.0:1").unwrap().to_string(), "0.0.0.0:1");
        for text in ["", "x", "99999", "1.2.3.4", "example.org:80"] {
            assert!(read_listen(text).unwrap_err().contains("such as 8080"), "{text}");
        }
    }
}
