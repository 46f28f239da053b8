//! `agon worker`: plays games for coordinators elsewhere.

use std::thread::available_parallelism;

use agon_arena::fleet::Abilities;
use agon_core::printable;
use agon_isolation::{Level, try_level};
use agon_search::StopFlag;
use agon_wire::nats::{Build, Worker, WorkerNews, WorkerSettings, host_name};
use anyhow::anyhow;

use crate::args::WorkerArgs;
use crate::data::Data;
use crate::draw::palette::{ERROR, HEADING};
use crate::draw::styled;
use crate::elsewhere::access;
use crate::failure::bad_input;
use crate::interrupt;
use crate::output::thousands;

/// Plays until it is told to leave.
pub(crate) fn run(args: &WorkerArgs, data: &Data) -> anyhow::Result<()> {
    let cores = available_parallelism().map_or(1, usize::from);
    let slots = args.slots.map_or(cores, |slots| slots as usize);
    if slots > cores {
        anstream::eprintln!("note: {cores} games at a time, one per core: clocks must be honest");
    }
    if let Some(folder) = args.agents.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(bad_input(format!("--agents: there is no folder {}", folder.display())));
    }
    check_isolation(args)?;
    let registry = agon_wire::registry(args.python.as_deref())
        .with_catalog(data.catalog().clone())
        .with_data(data.for_programs());
    let access = access(&args.nats, &args.access)?;
    anstream::eprintln!("measuring the speed of this machine");
    let settings = WorkerSettings {
        access,
        build: Build::here(),
        name: args.name.clone().unwrap_or_else(host_name),
        slots: slots.min(cores),
        agents: args.agents.clone(),
        allow_programs: args.allow_programs,
        at_least: args.isolation,
        registry,
        python: args.python.clone(),
        cache: data.folder()?.join("worker"),
        metrics: args.metrics,
    };
    let (url, name, slots) = (settings.access.shown(), settings.name.clone(), settings.slots);
    let (leave, halt) = (StopFlag::default(), StopFlag::default());
    interrupt::leave_then_halt(&leave, &halt)?;
    let status = Worker::run(settings, &leave, &halt, move |news| match news {
        WorkerNews::Ready(abilities) => ready(&name, &url, slots, &abilities),
        WorkerNews::Played { .. } => {}
        WorkerNews::Remark(text) => anstream::eprintln!("{}", printable(&text)),
        WorkerNews::Warning(text) => {
            anstream::eprintln!("{} {}", styled(ERROR, "warning:"), printable(&text));
        }
    });
    let status = status.map_err(|error| anyhow!(error))?;
    anstream::eprintln!("played {} games", thousands(status.games));
    Ok(())
}

/// A worker that could not isolate programs would only say so to coordinators.
fn check_isolation(args: &WorkerArgs) -> anyhow::Result<()> {
    let runs_programs = args.allow_programs || args.agents.is_some();
    if !runs_programs || args.isolation == Level::None {
        return Ok(());
    }
    try_level(args.isolation).map_err(|unavailable| {
        let level = args.isolation;
        bad_input(format!(
            "programs cannot be isolated at level {level} here: {unavailable}; agon isolation shows \
             what this machine can give, and --isolation chooses another level"
        ))
    })
}

fn ready(name: &str, url: &str, slots: usize, abilities: &Abilities) {
    let Abilities { version, signature, speed, .. } = abilities;
    anstream::eprintln!(
        "{}  waiting for games at {url}: {slots} at a time, {} nodes/s, version {version}, \
         bench signature {signature}",
        styled(HEADING, &printable(name)),
        thousands(*speed),
    );
}
