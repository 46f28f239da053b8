//! The arguments of `agon serve`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{AccessArgs, ProgramArgs};

#[derive(Args, Debug, Default, PartialEq)]
#[command(after_help = "\
Examples:
  agon serve                              on this machine, on the first free port from 7300
  agon serve --listen 8080                on this machine, on this port
  agon serve --open                       and open the browser
  agon serve --listen 0.0.0.0:7300        for everybody who can reach this machine
  agon serve --only aisysproj             the FAUhalma course's server alone (docs/aisysproj.md)
  agon serve --name agon.example.org      behind a reverse proxy with this name
  agon serve --allow-programs             lets people play against their own programs, as
                                          ugi:./my-engine or python:agent.py
  agon serve --nats nats://broker:4222    with a page that shows the workers of this broker

Games are saved after every move and resume when the server is restarted. Only one server at a time
can use a data folder; if one is running already, agon prints its address. The API is described at
/api/openapi.json. Ctrl-C stops the server; a second Ctrl-C stops it at once.

With --allow-programs, agent texts such as ugi:COMMAND start programs on this machine. That requires
the secret that the server prints when it starts, because other users of the machine can reach the
server, too. It also prints an address that tells the secret to your browser: open it once.

If other machines can reach the server, it prints the addresses to type there, and in a terminal a
QR code of the first one for phones.

What many clients share is shared fairly between them. A client is a network address. With --name,
requests from this machine are a reverse proxy's: it must name the client in X-Forwarded-For, as
nginx does with proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for.")]
pub(crate) struct ServeArgs {
    /// Where to listen: ADDRESS:PORT, or only a port of this machine. Fails if it is in use; by
    /// default the first free port from 7300
    #[arg(long, value_name = "WHERE", value_parser = read_listen)]
    pub(crate) listen: Option<SocketAddr>,

    /// Open the pages in the browser; if there is none, the server runs all the same
    #[arg(long)]
    pub(crate) open: bool,

    /// The public host name of the server behind a reverse proxy on this machine, such as
    /// agon.example.org
    #[arg(long, value_name = "HOST")]
    pub(crate) name: Option<String>,

    /// Allow agent texts to start programs on this machine, for those who know the printed secret
    #[arg(long)]
    pub(crate) allow_programs: bool,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    /// Serve only this part: aisysproj is the server of the FAUhalma course, with its pages
    #[arg(long, value_name = "PART")]
    pub(crate) only: Option<ServePart>,

    /// A file with environments for agents that play over the network, in addition to the course's
    #[arg(long, value_name = "FILE")]
    pub(crate) environments: Option<PathBuf>,

    /// The random seed of runs in environments: who starts, and the moves of random opponents; by
    /// default a new one
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// How many searches run at a time; by default one per core, less one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) threads: Option<u32>,

    /// Show who is at this NATS broker on a page of its own, Workers: workers, and the runs they play
    /// for. Everybody who can open the pages sees the names of the machines
    #[arg(long, value_name = "URL", conflicts_with = "only", help_heading = "Many machines")]
    pub(crate) nats: Option<String>,

    #[command(flatten)]
    pub(crate) access: AccessArgs,
}

impl ServeArgs {
    /// Whether a server that is already running is as good as a new one.
    pub(crate) fn asks_for_nothing_special(&self) -> bool {
        let ServeArgs { open, .. } = *self;
        *self == ServeArgs { open, ..ServeArgs::default() }
    }
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
    use clap::Parser as _;

    use super::*;

    #[test]
    fn workers_are_watched_by_a_server_of_their_own() {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            serve: ServeArgs,
        }
        let read = |words: &str| Line::try_parse_from(words.split(' ')).map(|line| line.serve);
        let watching = read("serve --nats broker:4222 --nats-user me").unwrap();
        assert_eq!(watching.nats.as_deref(), Some("broker:4222"));
        assert!(!watching.asks_for_nothing_special());
        assert!(read("serve --open").unwrap().asks_for_nothing_special());
        // Where there is no page of workers, nobody is watched.
        for refused in ["serve --nats-user me", "serve --nats broker:4222 --only aisysproj"] {
            assert!(read(refused).is_err(), "{refused}");
        }
    }

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
