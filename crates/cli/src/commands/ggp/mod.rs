//! `agon ggp`: a player for GGP controllers, and a controller.

mod controller;
mod json;
mod watch;
mod words;

use std::io::{ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::sync_channel;
use std::thread;

use agon_search::{AgentSpec, agents};
use agon_wire::ggp::player::{Event, Listener, Options, Player, Server, ServerLimits};
use watch::Watch;

use crate::args::{GgpArgs, GgpTask};
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;
use crate::failure::bad_input;

/// Runs the player until it is stopped, or the controller of one match.
pub(crate) fn run(args: &GgpArgs, data: &Data) -> anyhow::Result<()> {
    match &args.task {
        Some(GgpTask::Match(args)) => controller::run(args),
        None => play(args, data),
    }
}

fn play(args: &GgpArgs, data: &Data) -> anyhow::Result<()> {
    let options = Options {
        catalog: data.catalog().clone(),
        agent: agent(&args.agent)?,
        ponder: args.ponder,
        depth: args.effort.depth,
        nodes: args.effort.nodes,
        seed: args.seed,
    };
    let (watch, page) = match watchable(args, data) {
        Ok(Some((watch, page))) => (Some(watch), Some(page)),
        Ok(None) => (None, None),
        Err(problem) => {
            anstream::eprintln!("note: matches cannot be watched in the browser: {problem}");
            (None, None)
        }
    };
    let player = Arc::new(Player::new(options, listener(args, watch))?);
    let server = Server::bind(&addresses(args), player, ServerLimits::default());
    let server = server.map_err(|error| {
        let hint = match error.kind() {
            ErrorKind::AddrInUse => "; use --port N for another",
            _ => "",
        };
        bad_input(format!("cannot listen on port {}: {error}{hint}", args.port))
    })?;
    greet(args, &server.addresses(), page.as_deref())?;
    Ok(server.run()?)
}

/// Makes the matches watchable through the data folder, and returns the address of their page.
fn watchable(args: &GgpArgs, data: &Data) -> Result<Option<(Watch, String)>, String> {
    if args.no_watch {
        return Ok(None);
    }
    let folder = data.folder().map_err(|error| error.to_string())?;
    Watch::open(&folder, data.catalog().clone(), &args.agent).map(Some)
}

/// The agent, which must be a built-in one.
fn agent(text: &str) -> anyhow::Result<AgentSpec> {
    let (name, _) = text.split_once(':').unwrap_or((text, ""));
    let names: Vec<&str> = agents::AGENTS.iter().map(|info| info.name).collect();
    match names.contains(&name) {
        true => Ok(text.parse()?),
        false => Err(AgentSpec { name: name.to_string(), options: Vec::new() }
            .unknown("agent", name, &names)
            .into()),
    }
}

/// Where to listen: by default at both loopback addresses, as controllers differ in which of them
/// they take for `localhost`.
fn addresses(args: &GgpArgs) -> Vec<SocketAddr> {
    if let Some(ip) = args.listen {
        return vec![SocketAddr::new(ip, args.port)];
    }
    let four = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), args.port);
    let six = SocketAddr::new(IpAddr::V6(Ipv6Addr::LOCALHOST), args.port);
    // Only IPv4 on machines without IPv6, or if the system chooses the port.
    match args.port != 0 && TcpListener::bind(six).is_ok() {
        true => vec![four, six],
        false => vec![four],
    }
}

/// Prints where the player listens.
fn greet(args: &GgpArgs, addresses: &[SocketAddr], page: Option<&str>) -> anyhow::Result<()> {
    let port = addresses.first().map_or(args.port, SocketAddr::port);
    if args.json {
        let line = serde_json::json!({
            "event": "listening", "port": port, "agent": args.agent, "watch": page,
        });
        crate::output::print_json(&line)?;
        return Ok(());
    }
    let host = args.listen.map_or("localhost".to_string(), |ip| ip.to_string());
    let mut out = anstream::stdout().lock();
    writeln!(
        out,
        "{} plays Breakthrough for GGP controllers at {} {}",
        styled(HEADING, &args.agent),
        styled(BOLD, &format!("{host} {port}")),
        styled(DIM, "(Ctrl-C stops)"),
    )?;
    if let Some(page) = page {
        let how = format!("agon serve with the same data folder shows its matches at {page}");
        writeln!(out, "{}", styled(DIM, &how))?;
    }
    Ok(out.flush()?)
}

/// Prints events. A separate thread writes, so that no answer waits for a suspended terminal or a
/// full pipe; if too many events are waiting, further ones are dropped, with a note.
fn listener(args: &GgpArgs, watch: Option<Watch>) -> Listener {
    const WAITING: usize = 4096;
    let (json, left_out) = (args.json, AtomicU64::new(0));
    let (lines, written) = sync_channel::<String>(WAITING);
    thread::spawn(move || {
        for text in written {
            let _ = anstream::stdout().lock().write_all(text.as_bytes());
        }
    });
    Box::new(move |event: &Event<'_>| {
        if let Some(watch) = &watch {
            watch.show(event);
        }
        let shown = |event: &Event<'_>| if json { json::line(event) } else { words::of(event) };
        let Some(mut text) = shown(event) else { return };
        let before = left_out.swap(0, Relaxed);
        if before > 0 {
            let note = format!("output was blocked: {before} events were dropped here");
            text = shown(&Event::Note { text: &note }).unwrap_or_default() + &text;
        }
        if lines.try_send(text).is_err() {
            left_out.fetch_add(before + 1, Relaxed);
        }
    })
}
