//! `agon tables`: tables of exact values in files.

mod endgames;

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use agon_arena::files::shown;
use agon_arena::tables::{NotBuilt, TableFolder, TableId, Unusable};
use agon_core::Flow;
use agon_core::sink::GO_ON;
use agon_games::{
    GameInfo, TableInfo, TableProgress, endgames_by_game, endgames_of, games_with_tables,
};
use agon_search::StopFlag;
use anyhow::anyhow;
use cpu_time::ProcessTime;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::{TablesBuildArgs, TablesCommand};
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::interrupt;
use crate::output::{print_json, thousands};

/// Builds, lists or checks tables.
pub(crate) fn run(command: &TablesCommand, data: &Data) -> anyhow::Result<()> {
    let folder = data.folder()?;
    let store = TableFolder::new(&folder);
    match command {
        TablesCommand::Build(args) => build(args, &store),
        TablesCommand::List(args) => list(args.json, &folder).map(drop),
        TablesCommand::Check(args) => {
            match list(args.json, &folder)? {
                0 => {}
                1 => return Err(anyhow!("a table is damaged")),
                damaged => return Err(anyhow!("{damaged} tables are damaged")),
            }
            if args.full { endgames::check(&store, args) } else { Ok(()) }
        }
        TablesCommand::Stats(args) => endgames::stats(&store, args),
    }
}

fn build(args: &TablesBuildArgs, store: &TableFolder) -> anyhow::Result<()> {
    if let Some(family) = endgames_of(&args.game) {
        return endgames::build(args, store, family);
    }
    let (game, tables) = wanted(args)?;
    let threads = threads(args.threads);
    for table in tables {
        let id = TableId::of(game.name, table);
        let name = styled(BOLD, &file_name(&store.file(&id)));
        if !args.force && store.open(&id).is_ok() {
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

/// How many threads to use: one per core by default.
fn threads(given: Option<u32>) -> usize {
    let cores = available_parallelism().map_or(1, usize::from);
    given.map_or(cores, |threads| threads as usize)
}

/// The game, and those of its tables that were asked for.
fn wanted(args: &TablesBuildArgs) -> anyhow::Result<(&GameInfo<'static>, Vec<&TableInfo>)> {
    let Some((game, tables)) = games_with_tables().find(|(game, _)| game.name == args.game) else {
        let endgames = endgames_by_game().map(|(game, _)| game.name);
        let names: Vec<&str> =
            games_with_tables().map(|(game, _)| game.name).chain(endgames).collect();
        let names = names.join(", ");
        return Err(bad_input(format!("no tables for {}, only for {names}", args.game)));
    };
    if args.men.is_some() || args.material.is_some() {
        let problem = format!("{} has no endgame tables: choose with --only NAME", game.name);
        return Err(bad_input(problem));
    }
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
    let mut watch = Watch::new((table.entries)() as u64);
    watch.name(table.name);
    let built = store.build(game, table, threads, &mut |progress| watch.see(progress));
    watch.finish();
    built.map_err(|problem| match problem {
        NotBuilt::Stopped => anyhow!("stopped; nothing was written"),
        problem => unbuilt(problem, &store.file(&TableId::of(game, table))),
    })
}

/// The error for a table that could not be built or written.
fn unbuilt(problem: NotBuilt, file: &Path) -> anyhow::Error {
    match problem {
        NotBuilt::Unwritten(error) => {
            anyhow::Error::new(error).context(format!("cannot write {}", shown(file)))
        }
        problem => anyhow::Error::new(problem).context(format!("cannot build {}", shown(file))),
    }
}

/// Watches over long work: a bar in a terminal, and Ctrl-C.
struct Watch {
    bar: Option<ProgressBar>,
    stop: StopFlag,
    shown_at: Instant,
    /// What was done before the current table.
    before: u64,
}

impl Watch {
    fn new(length: u64) -> Watch {
        let bar = std::io::stderr().is_terminal().then(|| {
            let template = "{msg} {wide_bar} {human_pos}/{human_len} {eta}";
            let style = ProgressStyle::with_template(template);
            let bar = ProgressBar::new(length);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Watch { bar, stop: interrupt::stop_flag(), shown_at: Instant::now(), before: 0 }
    }

    /// Shows what is being worked on.
    fn name(&self, name: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(name.to_string());
        }
    }

    /// Shows progress, and says whether to go on.
    fn see(&mut self, TableProgress { settled, .. }: TableProgress) -> Flow {
        const INTERVAL: Duration = Duration::from_millis(100);
        if let Some(bar) = &self.bar
            && self.shown_at.elapsed() >= INTERVAL
        {
            self.shown_at = Instant::now();
            bar.set_position(self.before + settled);
        }
        if self.stop.is_set() { Flow::Break(()) } else { GO_ON }
    }

    /// A table of this many entries is done.
    fn done(&mut self, entries: u64) {
        self.before += entries;
    }

    /// Prints a line above the bar.
    fn say(&self, line: &str) -> anyhow::Result<()> {
        let print = || writeln!(anstream::stdout(), "{line}");
        match &self.bar {
            Some(bar) => bar.suspend(print)?,
            None => print()?,
        }
        Ok(())
    }

    fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

#[derive(Serialize)]
struct ListJson {
    folder: String,
    tables: Vec<TableJson>,
    endgames: Vec<endgames::GroupJson>,
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
fn list(json: bool, folder: &Path) -> anyhow::Result<usize> {
    let store = TableFolder::new(folder);
    let all = games_with_tables()
        .flat_map(|(game, tables)| tables.iter().map(move |table| (game.name, table)));
    let tables: Vec<TableJson> = all.map(|(game, table)| table_json(&store, game, table)).collect();
    let endgames = endgames::groups(&store);
    let damaged = tables.iter().filter(|table| table.state == "damaged").count()
        + endgames.iter().map(|group| group.damaged.len()).sum::<usize>();
    if json {
        print_json(&ListJson { folder: folder.display().to_string(), tables, endgames })?;
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
    endgames.iter().try_for_each(|group| group.print(&mut out))?;
    Ok(damaged)
}

fn table_json(store: &TableFolder, game: &str, table: &TableInfo) -> TableJson {
    let id = TableId::of(game, table);
    let file = store.file(&id);
    let (state, problem) = match store.open(&id) {
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
