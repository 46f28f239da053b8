//! `agon serve`, and plain `agon`: the workbench in the browser.

mod browser;
mod qr;
mod reach;

use std::io::{self, IsTerminal as _, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use agon_arena::contest::Environments;
use agon_arena::files::{read_text, shown};
use agon_arena::fleet::Lookout;
use agon_games::Catalog;
use agon_isolation::Level;
use agon_web::{Options, OtherServer, Server, StartError, page_address};
use agon_wire::nats::Watch;
use anyhow::{Context as _, anyhow};
use ratatui::crossterm::terminal;
use tracing_subscriber::filter::LevelFilter;

use crate::args::{ServeArgs, ServePart};
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;
use crate::elsewhere::access;
use crate::failure::bad_input;
use crate::registry::{check_level, isolation_line, registry_for_strangers};
use browser::Opening;

/// Runs the server until it is stopped.
pub(crate) fn run(args: &ServeArgs, data: &Data) -> anyhow::Result<()> {
    run_at(args, "", data)
}

/// Opens a page in the browser, such as `/analyse?variant=congo`: of the server that uses the data
/// folder, or of a new one.
pub(crate) fn open(page: &str, data: &Data) -> anyhow::Result<()> {
    run_at(&ServeArgs { open: true, ..ServeArgs::default() }, page, data)
}

/// Runs the server; `page` is the one to open in the browser, if one is to be opened.
fn run_at(args: &ServeArgs, page: &str, data: &Data) -> anyhow::Result<()> {
    // The client of a broker would report every attempt to reach it.
    let log = tracing_subscriber::fmt().with_max_level(LevelFilter::WARN);
    log.with_writer(io::stderr).with_target(false).init();
    let folder = data.folder()?;
    let registry = registry_for_strangers(&args.programs, data);
    let level = args.allow_programs.then(|| registry.isolation());
    if let Some(level) = level {
        check_level(level)?;
    }
    let options = Options {
        data: folder.clone(),
        listen: args.listen,
        name: args.name.clone(),
        allow_programs: args.allow_programs,
        threads: args.threads.map(|threads| threads as usize),
        registry,
        environments: environments(data.catalog(), args.environments.as_deref())?,
        seed: args.seed.map_or_else(random_seed, Ok)?,
        only_contest: args.only == Some(ServePart::Aisysproj),
        lookout: lookout(args)?,
    };
    let server = match Server::bind(options) {
        // Without options, the running server is all that is wanted.
        Err(StartError::Taken { by: Some(other), .. }) if args.asks_for_nothing_special() => {
            point_to(&other, &folder)?;
            if args.open {
                Opening::start(&(page_address(other.address) + page)).wait();
            }
            return Ok(());
        }
        bound => bound.map_err(|error| match error {
            StartError::Listen(..) => bad_input(error.to_string()),
            other => other.into(),
        })?,
    };
    open_tables(data.catalog());
    let greeting = Greeting {
        address: server.address(),
        secret: server.secret().map(str::to_string),
        programs: level,
        alone: server.is_alone(),
        folder: shown(&folder),
    };
    greeting.write(&mut anstream::stdout().lock())?;
    if args.open {
        Opening::start(&(page_address(server.address()) + page));
    }
    let runtime = tokio::runtime::Runtime::new().context("cannot start threads")?;
    runtime.block_on(server.run(asked_to_stop()))?;
    // There is no need to wait for searches that were just stopped.
    runtime.shutdown_background();
    Ok(())
}

/// Sees the workers of the broker in the arguments, if there is one.
fn lookout(args: &ServeArgs) -> anyhow::Result<Option<Arc<dyn Lookout>>> {
    let Some(url) = &args.nats else { return Ok(None) };
    let watch = Watch::open(&access(url, &args.access)?).map_err(|error| anyhow!(error))?;
    Ok(Some(Arc::new(watch)))
}

/// Prints the address of the server that is already running.
fn point_to(other: &OtherServer, folder: &Path) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", styled(HEADING, "Agon is already running"))?;
    writeln!(out, "\n  {}\n", styled(BOLD, &page_address(other.address)))?;
    let (folder, process) = (shown(folder), other.process);
    let note = format!("It is process {process} and uses the data folder {folder}.");
    writeln!(out, "{}", styled(DIM, &note))?;
    out.flush()
}

/// A seed that cannot be guessed: agents must not be able to predict their opponents.
fn random_seed() -> anyhow::Result<u64> {
    getrandom::u64().map_err(|error| anyhow::anyhow!("no random numbers: {error}"))
}

/// Opens all tables, so that nobody has to wait for them later.
fn open_tables(catalog: &Catalog) {
    catalog.games(|game| {
        let variants = game.variants.iter().filter_map(|variant| variant.text.parse().ok());
        variants.for_each(|variant| drop(catalog.tables(&variant)));
    });
}

/// The environments of the course, and those of a file.
pub(crate) fn environments(catalog: &Catalog, file: Option<&Path>) -> anyhow::Result<Environments> {
    let built_in = Environments::built_in(catalog).map_err(anyhow::Error::msg)?;
    let Some(file) = file else { return Ok(built_in) };
    const LARGEST: u64 = 1 << 20;
    let shown = shown(file);
    let text = read_text(file, LARGEST)
        .map_err(|error| bad_input(format!("cannot read {shown}: {error}")))?;
    let own = Environments::read(catalog, &text);
    let own = own.map_err(|why| bad_input(format!("{shown}: {why}")))?;
    Ok(built_in.with(own))
}

/// The text at the start.
struct Greeting {
    address: SocketAddr,
    secret: Option<String>,
    /// How far programs are isolated, if agent texts may start any.
    programs: Option<Level>,
    /// Whether only this machine can reach the server.
    alone: bool,
    folder: String,
}

impl Greeting {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Greeting { address, secret, programs, alone, folder } = self;
        writeln!(out, "{}", styled(HEADING, "Agon, the workbench for adversarial-search agents"))?;
        writeln!(out, "\n  {}\n", styled(BOLD, &page_address(*address)))?;
        if !address.ip().is_loopback() {
            write_reach(*address, out)?;
            let note = format!(
                "Everybody who can reach this machine can play, on port {}.",
                address.port()
            );
            writeln!(out, "{note}")?;
        }
        if let Some(secret) = secret {
            let what = match (programs, alone) {
                (Some(_), true) => "Programs, in games and tournaments, require",
                (Some(_), false) => "Programs and all tournaments require",
                (None, _) => "Tournaments are begun and changed with",
            };
            let address = format!("{}/#secret={secret}", page_address(*address));
            writeln!(out, "{what} this secret: {secret}")?;
            writeln!(out, "This address tells it to your browser: {}", styled(BOLD, &address))?;
        }
        if let Some(level) = programs {
            writeln!(out, "{}", isolation_line(&[*level]))?;
        }
        let notes = format!(
            "Games are kept in {folder}. Ctrl-C stops the server; agon help lists all commands."
        );
        writeln!(out, "{}", styled(DIM, &notes))?;
        out.flush()
    }
}

/// What others type to get here and, in a terminal, what their phones can read instead.
fn write_reach(listen: SocketAddr, out: &mut dyn Write) -> io::Result<()> {
    let addresses = reach::addresses(listen, &reach::interfaces());
    let addresses: Vec<String> = addresses.into_iter().map(page_address).collect();
    let Some(first) = addresses.first() else { return Ok(()) };
    writeln!(out, "Others open{}", if addresses.len() == 1 { "" } else { " one of" })?;
    for address in &addresses {
        writeln!(out, "  {}", styled(BOLD, address))?;
    }
    let columns = terminal::size().map_or(0, |(columns, _)| columns);
    if let Some(code) = qr::code(first, columns).filter(|_| io::stdout().is_terminal()) {
        write!(out, "\n{code}")?;
    }
    writeln!(out)
}

/// Waits for the first Ctrl-C or SIGTERM. A second one exits at once.
async fn asked_to_stop() {
    first_signal().await;
    anstream::eprintln!("Stopping; games are kept. Ctrl-C again stops at once.");
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
