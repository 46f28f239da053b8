//! `agon serve`, and `agon` alone: the workbench in the browser.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::Path;

use agon_arena::contest::Environments;
use agon_arena::files::{read_text, shown};
use agon_core::Variant;
use agon_games::GAMES;
use agon_web::{Options, OtherServer, Server, StartError, page_address};
use anyhow::Context as _;

use crate::args::{ServeArgs, ServePart};
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::registry::registry;

/// Serves pages until it is told to stop.
pub(crate) fn run(args: &ServeArgs, data: &Data) -> anyhow::Result<()> {
    tracing_subscriber::fmt().with_writer(io::stderr).with_target(false).init();
    let folder = data.folder()?;
    let options = Options {
        data: folder.clone(),
        listen: args.listen,
        name: args.name.clone(),
        allow_programs: args.allow_programs,
        threads: args.threads.map(|threads| threads as usize),
        registry: registry(&args.python).with_data(data.for_programs()),
        environments: environments(args.environments.as_deref())?,
        seed: args.seed.map_or_else(random_seed, Ok)?,
        only_contest: args.only == Some(ServePart::Aisysproj),
    };
    let server = match Server::bind(options) {
        // Who only wants the pages has them already.
        Err(StartError::Taken { by: Some(other), .. }) if *args == ServeArgs::default() => {
            return Ok(point_to(other, &folder)?);
        }
        bound => bound.map_err(|error| match error {
            StartError::Listen(..) => bad_input(error.to_string()),
            other => other.into(),
        })?,
    };
    for variant in GAMES.iter().flat_map(|game| game.variants) {
        if let Ok(variant) = variant.text.parse::<Variant>() {
            data.prepare(&variant);
        }
    }
    let told = Told {
        address: server.address(),
        secret: server.secret().map(str::to_string),
        folder: shown(&folder),
    };
    told.write(&mut anstream::stdout().lock())?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
    runtime.block_on(server.run(asked_to_stop()))?;
    // Searches that were stopped a moment ago need not be waited for.
    runtime.shutdown_background();
    Ok(())
}

/// Says where the server is that has the games already.
fn point_to(other: OtherServer, folder: &Path) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", styled(HEADING, "Agon is running already"))?;
    writeln!(out, "\n  {}\n", styled(BOLD, &page_address(other.address)))?;
    let (folder, process) = (shown(folder), other.process);
    let note = format!("It is process {process} and has the games in {folder}.");
    writeln!(out, "{}", styled(DIM, &note))?;
    out.flush()
}

/// Nobody shall know beforehand what the opponents of the next runs do.
fn random_seed() -> anyhow::Result<u64> {
    getrandom::u64().map_err(|error| anyhow::anyhow!("no random numbers: {error}"))
}

/// The environments of the course, and those of a file.
pub(crate) fn environments(file: Option<&Path>) -> anyhow::Result<Environments> {
    let built_in = Environments::built_in().map_err(anyhow::Error::msg)?;
    let Some(file) = file else { return Ok(built_in) };
    const LARGEST: u64 = 1 << 20;
    let shown = shown(file);
    let text = read_text(file, LARGEST)
        .map_err(|error| bad_input(format!("cannot read {shown}: {error}")))?;
    let own = Environments::read(&text).map_err(|why| bad_input(format!("{shown}: {why}")))?;
    Ok(built_in.with(own))
}

/// What is said at the start.
struct Told {
    address: SocketAddr,
    secret: Option<String>,
    folder: String,
}

impl Told {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Told { address, secret, folder } = self;
        writeln!(out, "{}", styled(HEADING, "Agon, the workbench for adversarial-search agents"))?;
        writeln!(out, "\n  {}\n", styled(BOLD, &page_address(*address)))?;
        if !address.ip().is_loopback() {
            let note = format!(
                "Everybody who can reach this machine can play, at port {}.",
                address.port()
            );
            writeln!(out, "{note}")?;
        }
        if let Some(secret) = secret {
            writeln!(out, "Games against programs need this secret: {secret}")?;
        }
        let notes = format!(
            "Games are kept in {folder}. Ctrl-C ends the server; agon help lists all commands."
        );
        writeln!(out, "{}", styled(DIM, &notes))?;
        out.flush()
    }
}

/// Done at the first Ctrl-C, or when the system ends the program. A second Ctrl-C ends it at once.
async fn asked_to_stop() {
    first_signal().await;
    anstream::eprintln!("Ending; games are kept. Ctrl-C again ends at once.");
    tokio::spawn(async {
        first_signal().await;
        std::process::exit(130);
    });
}

async fn first_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminated) = signal(SignalKind::terminate()) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated.recv() => {}
    }
}
