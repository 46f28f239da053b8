//! `agon workers`: who is there, and what they do.

use std::io::Write;
use std::thread::sleep;
use std::time::{Duration, Instant};

use agon_arena::fleet::{Fleet, Lookout, RunStatus, WorkerStatus};
use agon_wire::nats::Watch;
use anyhow::anyhow;

use crate::args::WorkersArgs;
use crate::draw::palette::{DIM, HEADING};
use crate::draw::styled;
use crate::elsewhere::access;
use crate::interrupt;
use crate::output::{print_json, rough_time, thousands};
use crate::table::{NOTHING, write_aligned};

/// How often it is shown again.
const INTERVAL: Duration = Duration::from_secs(2);

/// Shows everyone.
pub(crate) fn run(args: &WorkersArgs) -> anyhow::Result<()> {
    let watch = Watch::open(&access(&args.nats, &args.access)?).map_err(|error| anyhow!(error))?;
    let seen = || watch.fleet().map_err(|problem| anyhow!(problem));
    if args.json {
        return Ok(print_json(&seen()?)?);
    }
    if !args.watch {
        return print(&seen()?);
    }
    let stop = interrupt::stop_flag();
    while !stop.is_set() {
        // The screen is cleared and written from the top.
        anstream::print!("\x1b[2J\x1b[H");
        match seen() {
            Ok(fleet) => print(&fleet)?,
            Err(problem) => anstream::println!("{problem}"),
        }
        let shown = Instant::now();
        while shown.elapsed() < INTERVAL && !stop.is_set() {
            sleep(Duration::from_millis(50));
        }
    }
    interrupt::forget_ctrl_c();
    Ok(())
}

fn print(fleet: &Fleet) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    if fleet.runs.is_empty() && fleet.workers.is_empty() {
        writeln!(out, "nobody is there; agon worker --nats URL starts a worker")?;
        return Ok(());
    }
    if !fleet.runs.is_empty() {
        writeln!(out, "{}", styled(HEADING, "Runs"))?;
        write_aligned(&mut out, &[0, 6], &run_rows(&fleet.runs))?;
        for warning in fleet.runs.iter().filter_map(|run| run.warnings.last()) {
            let warning = agon_core::printable(warning).into_owned();
            writeln!(out, "{}", styled(DIM, &warning))?;
        }
        writeln!(out)?;
    }
    let slots: usize = fleet.workers.iter().map(|worker| worker.slots).sum();
    let rate: f64 = fleet.workers.iter().map(|worker| worker.games_per_hour).sum();
    let count = fleet.workers.len();
    let rate = thousands(rate.round() as u64);
    writeln!(out, "{}", styled(HEADING, "Workers"))?;
    writeln!(out, "{count} workers, {slots} slots, {rate} games an hour")?;
    write_aligned(&mut out, &[0, 1, 4, 10], &worker_rows(&fleet.workers))?;
    Ok(())
}

fn run_rows(runs: &[RunStatus]) -> Vec<Vec<String>> {
    let headings = ["run", "games", "of", "waiting", "workers", "left", "coordinator"];
    let mut rows = vec![headings.map(String::from).to_vec()];
    rows.extend(runs.iter().map(|run| {
        let left = run.seconds_left.map(|left| rough_time(Duration::from_secs(left)));
        vec![
            run.name.clone(),
            thousands(run.done),
            thousands(run.games),
            thousands(run.waiting),
            run.workers.to_string(),
            left.unwrap_or_else(|| NOTHING.into()),
            run.coordinator.clone(),
        ]
    }));
    rows
}

fn worker_rows(workers: &[WorkerStatus]) -> Vec<Vec<String>> {
    let headings = [
        "worker", "build", "cores", "slots", "programs", "Mnodes/s", "playing", "games",
        "per hour", "faults", "remarks",
    ];
    let mut rows = vec![headings.map(String::from).to_vec()];
    rows.extend(workers.iter().map(|worker| {
        let abilities = &worker.abilities;
        let playing: u64 = worker.playing.iter().map(|playing| playing.games).sum();
        let refusals = worker.refused.iter().map(|refusal| refusal.reason.clone());
        let leaving = worker.leaving.then(|| "leaving".to_string());
        let remarks: Vec<String> = leaving.into_iter().chain(refusals.take(1)).collect();
        let programs = match (abilities.takes_programs, abilities.programs.len()) {
            (true, _) => format!("yes, {}", abilities.isolation),
            (false, 0) => "no".to_string(),
            (false, count) => format!("{count} of its own, {}", abilities.isolation),
        };
        vec![
            worker.name.clone(),
            format!("{}-{}", abilities.version, abilities.signature),
            abilities.cores.to_string(),
            worker.slots.to_string(),
            programs,
            format!("{:.2}", abilities.speed as f64 / 1e6),
            if playing == 0 { NOTHING.into() } else { playing.to_string() },
            thousands(worker.games),
            thousands(worker.games_per_hour.max(0.0).round() as u64),
            worker.faults.to_string(),
            remarks.join("; "),
        ]
    }));
    rows
}
