//! `agon perft`: counts move sequences.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use agon_core::{Leaves, Perft};
use agon_games::Table;
use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::PerftArgs;
use crate::data::Data;
use crate::draw::palette::BOLD;
use crate::draw::styled;
use crate::output::{print_json, thousands};
use crate::setup;

#[derive(Serialize)]
struct PerftJson {
    variant: String,
    position: String,
    nodes: Vec<u64>,
    seconds: f64,
    cpu_seconds: f64,
    nps: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<DivideJson>>,
}

#[derive(Serialize)]
struct DivideJson {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

/// One depth, counted and timed.
struct Count {
    by_move: Vec<(String, u64)>,
    nodes: u64,
    wall: Duration,
    cpu: Duration,
}

impl Count {
    fn per_second(&self) -> u64 {
        (self.nodes as f64 / self.wall.as_secs_f64().max(1e-9)) as u64
    }
}

/// Counts every depth up to the given one.
pub(crate) fn run(args: &PerftArgs, data: &Data) -> anyhow::Result<()> {
    let table = setup::table(data.catalog(), &args.position)?;
    let perft = Perft {
        leaves: if args.leaves { Leaves::Played } else { Leaves::Counted },
        threads: args.threads as usize,
        hash_mib: args.hash as usize,
    };
    if args.json { run_json(args, &*table, &perft) } else { run_table(args, &*table, &perft) }
}

fn run_json(args: &PerftArgs, table: &dyn Table, perft: &Perft) -> anyhow::Result<()> {
    let counts: Vec<Count> = (1..=args.depth).map(|depth| count(table, perft, depth)).collect();
    let deepest = &counts[counts.len() - 1];
    let by_move = deepest.by_move.iter();
    let divide = by_move.map(|(mv, nodes)| DivideJson { mv: mv.clone(), nodes: *nodes });
    print_json(&PerftJson {
        variant: table.variant().to_string(),
        position: table.position(),
        nodes: counts.iter().map(|count| count.nodes).collect(),
        seconds: deepest.wall.as_secs_f64(),
        cpu_seconds: deepest.cpu.as_secs_f64(),
        nps: deepest.per_second(),
        divide: args.divide.then(|| divide.collect()),
    })?;
    Ok(())
}

fn run_table(args: &PerftArgs, table: &dyn Table, perft: &Perft) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let header = format!(
        "{:>5} {:>24} {:>12} {:>12} {:>18}",
        "depth", "nodes", "seconds", "CPU", "nodes a second"
    );
    writeln!(out, "{}", styled(BOLD, &header))?;
    let mut last = Vec::new();
    for depth in 1..=args.depth {
        let count = count(table, perft, depth);
        let (wall, cpu) = (count.wall.as_secs_f64(), count.cpu.as_secs_f64());
        let (nodes, rate) = (thousands(count.nodes), thousands(count.per_second()));
        writeln!(out, "{depth:>5} {nodes:>24} {wall:>12.6} {cpu:>12.6} {rate:>18}")?;
        last = count.by_move;
    }
    if args.divide {
        writeln!(out)?;
        for (mv, nodes) in last {
            writeln!(out, "{mv:<24} {:>24}", thousands(nodes))?;
        }
    }
    Ok(())
}

/// Counts one depth, with a bar in a terminal if it takes long.
fn count(table: &dyn Table, perft: &Perft, depth: u32) -> Count {
    let bar = std::io::stderr().is_terminal().then(|| progress_bar(depth));
    let report = |done: usize, of: usize| {
        if let Some(bar) = &bar {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
        }
    };
    // On a shared machine, CPU time is more accurate than wall time.
    let (started, cpu_started) = (Instant::now(), ProcessTime::now());
    let by_move = table.perft(perft, depth, &report);
    let (wall, cpu) = (started.elapsed(), cpu_started.elapsed());
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let nodes = by_move.iter().map(|(_, nodes)| nodes).sum();
    Count { by_move, nodes, wall, cpu }
}

fn progress_bar(depth: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("depth {msg} {wide_bar} {percent}% {eta}");
    ProgressBar::new(0)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_message(depth.to_string())
}
