//! `agon tables`: tables of exact values in files.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use agon_arena::files::shown;
use agon_arena::tables::{NotBuilt, TableFolder, Unusable};
use agon_games::fauhalma::race::{Progress, Shape};
use anyhow::anyhow;
use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::{TablesBuildArgs, TablesCommand, TablesListArgs};
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::interrupt;
use crate::output::{print_json, thousands};

/// The game that has tables.
const GAME: &str = "fauhalma";

/// Builds, lists or checks tables.
pub(crate) fn run(command: &TablesCommand, data: &Data) -> anyhow::Result<()> {
    let folder = data.folder()?;
    match command {
        TablesCommand::Build(args) => build(args, &TableFolder::new(&folder)),
        TablesCommand::List(args) => list(args, &folder).map(drop),
        TablesCommand::Check(args) => match list(args, &folder)? {
            0 => Ok(()),
            1 => Err(anyhow!("a table is damaged")),
            damaged => Err(anyhow!("{damaged} tables are damaged")),
        },
    }
}

fn build(args: &TablesBuildArgs, store: &TableFolder) -> anyhow::Result<()> {
    if args.game != GAME {
        return Err(bad_input(format!("no tables for {}, only for {GAME}", args.game)));
    }
    let chosen = args.board.map(Shape::from);
    let cores = available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or(cores, |threads| threads as usize);
    for shape in Shape::ALL.into_iter().filter(|&shape| chosen.is_none_or(|c| c == shape)) {
        let file = store.file(shape);
        let name = styled(BOLD, &file_name(&file));
        if !args.force && store.open(shape).is_ok() {
            writeln!(anstream::stdout(), "{name}  kept: it is intact")?;
            continue;
        }
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        build_one(store, shape, threads)?;
        let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu_started.elapsed().as_secs_f64());
        let placements = thousands(shape.placements() as u64);
        let effort = format!("{placements} placements in {wall:.1} s, {cpu:.1} s of CPU time");
        writeln!(anstream::stdout(), "{name}  {}", styled(DIM, &effort))?;
    }
    Ok(())
}

/// Computes a table and writes it, with a bar in a terminal.
fn build_one(store: &TableFolder, shape: Shape, threads: usize) -> anyhow::Result<()> {
    const INTERVAL: Duration = Duration::from_millis(100);
    let stop = interrupt::stop_flag();
    let bar = std::io::stderr().is_terminal().then(|| progress_bar(shape));
    let mut shown_at = Instant::now();
    let built = store.build(shape, threads, &mut |Progress { settled, .. }| {
        if let Some(bar) = &bar
            && shown_at.elapsed() >= INTERVAL
        {
            shown_at = Instant::now();
            bar.set_position(settled);
        }
        if stop.is_set() { std::ops::ControlFlow::Break(()) } else { agon_core::sink::GO_ON }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    built.map_err(|problem| match problem {
        NotBuilt::Stopped => anyhow!("stopped; nothing was written"),
        NotBuilt::Unwritten(error) => {
            anyhow::Error::new(error).context(format!("cannot write {}", shown(&store.file(shape))))
        }
    })
}

fn progress_bar(shape: Shape) -> ProgressBar {
    let template = "{msg} {wide_bar} {human_pos}/{human_len} {eta}";
    let style = ProgressStyle::with_template(template);
    let bar = ProgressBar::new(shape.placements() as u64).with_message(shape.name());
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

#[derive(Serialize)]
struct ListJson {
    folder: String,
    tables: Vec<TableJson>,
}

#[derive(Serialize)]
struct TableJson {
    name: String,
    file: String,
    /// The size of the file, if there is one.
    bytes: Option<u64>,
    state: &'static str,
    /// What is wrong, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// Prints the state of all tables, and returns how many are damaged.
fn list(args: &TablesListArgs, folder: &Path) -> anyhow::Result<usize> {
    let store = TableFolder::new(folder);
    let tables: Vec<TableJson> = Shape::ALL.map(|shape| table_json(&store, shape)).into();
    let damaged = tables.iter().filter(|table| table.state == "damaged").count();
    if args.json {
        print_json(&ListJson { folder: folder.display().to_string(), tables })?;
        return Ok(damaged);
    }
    let mut out = anstream::stdout();
    writeln!(out, "{}", styled(DIM, &shown(folder)))?;
    for TableJson { name, bytes, state, problem, .. } in tables {
        let size = bytes.map_or(String::new(), |bytes| format!("{} bytes", thousands(bytes)));
        let problem = problem.unwrap_or_default();
        let line =
            format!("{}  {size:>17}  {state}  {problem}", styled(BOLD, &format!("{name:<22}")));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(damaged)
}

fn table_json(store: &TableFolder, shape: Shape) -> TableJson {
    let file = store.file(shape);
    let (state, problem) = match store.open(shape) {
        Ok(_) => ("ok", None),
        Err(Unusable::Missing) => ("missing", None),
        Err(problem) => ("damaged", Some(problem.to_string())),
    };
    TableJson {
        name: file_name(&file),
        bytes: std::fs::metadata(&file).ok().map(|about| about.len()),
        file: file.display().to_string(),
        state,
        problem,
    }
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
