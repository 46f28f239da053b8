//! `agon tables`: tables of exact values in files.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use agon_arena::files::shown;
use agon_arena::tables::{NotBuilt, TableFolder, Unusable};
use agon_games::{GameInfo, TableInfo, TableProgress, games_with_tables};
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
    let (game, tables) = wanted(args)?;
    let cores = available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or(cores, |threads| threads as usize);
    for table in tables {
        let name = styled(BOLD, &file_name(&store.file(game.name, table)));
        if !args.force && store.open(game.name, table).is_ok() {
            writeln!(anstream::stdout(), "{name}  kept: it is intact")?;
            continue;
        }
        let (started, cpu_started) = (Instant::now(), ProcessTime::now());
        build_one(store, game.name, table, threads)?;
        let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu_started.elapsed().as_secs_f64());
        let entries = thousands((table.entries)() as u64);
        let effort = format!("{entries} entries in {wall:.1} s, {cpu:.1} s of CPU time");
        writeln!(anstream::stdout(), "{name}  {}", styled(DIM, &effort))?;
    }
    Ok(())
}

/// The game, and those of its tables that were asked for.
fn wanted(args: &TablesBuildArgs) -> anyhow::Result<(&GameInfo<'static>, Vec<&TableInfo>)> {
    let Some((game, tables)) = games_with_tables().find(|(game, _)| game.name == args.game) else {
        let names: Vec<&str> = games_with_tables().map(|(game, _)| game.name).collect();
        let names = names.join(", ");
        return Err(bad_input(format!("no tables for {}, only for {names}", args.game)));
    };
    let is_wanted = |table: &&TableInfo| args.only.as_ref().is_none_or(|name| name == table.name);
    let chosen: Vec<&TableInfo> = tables.iter().filter(is_wanted).collect();
    match (&args.only, &chosen[..]) {
        (Some(name), []) => {
            let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
            let problem =
                format!("{} has no table {name}: there are {}", game.name, names.join(", "));
            Err(bad_input(problem))
        }
        _ => Ok((game, chosen)),
    }
}

/// Computes a table and writes it, with a bar in a terminal.
fn build_one(
    store: &TableFolder,
    game: &str,
    table: &TableInfo,
    threads: usize,
) -> anyhow::Result<()> {
    const INTERVAL: Duration = Duration::from_millis(100);
    let stop = interrupt::stop_flag();
    let bar = std::io::stderr().is_terminal().then(|| progress_bar(table));
    let mut shown_at = Instant::now();
    let built = store.build(game, table, threads, &mut |TableProgress { settled, .. }| {
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
            let file = shown(&store.file(game, table));
            anyhow::Error::new(error).context(format!("cannot write {file}"))
        }
    })
}

fn progress_bar(table: &TableInfo) -> ProgressBar {
    let template = "{msg} {wide_bar} {human_pos}/{human_len} {eta}";
    let style = ProgressStyle::with_template(template);
    let bar = ProgressBar::new((table.entries)() as u64).with_message(table.name);
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
    let all = games_with_tables()
        .flat_map(|(game, tables)| tables.iter().map(move |table| (game.name, table)));
    let tables: Vec<TableJson> = all.map(|(game, table)| table_json(&store, game, table)).collect();
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

fn table_json(store: &TableFolder, game: &str, table: &TableInfo) -> TableJson {
    let file = store.file(game, table);
    let (state, problem) = match store.open(game, table) {
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
