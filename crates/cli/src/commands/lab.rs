//! `agon lab`: experiments and their reports.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use agon_arena::Registry;
use agon_arena::files::shown;
use agon_arena::store::Store;
use agon_arena::tournament::Tournament;
use agon_lab::browser::{Browser, NO_BROWSER};
use agon_lab::report::files::{Forms, write as write_files};
use agon_lab::report::{Report, Table, data as numbers, write as write_report};
use agon_lab::run::{Progress as LabProgress, Setup, forecast, run as run_lab};
use agon_lab::samples::SAMPLES;
use agon_lab::{Experiment, file, overview, results};
use agon_search::spec::choices;
use anyhow::{Context, anyhow};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::{
    LabCommand, LabListArgs, LabNewArgs, LabReportArgs, LabRunArgs, LabStatusArgs, ProgramArgs,
};
use crate::data::Data;
use crate::draw::palette::HEADING;
use crate::draw::styled;
use crate::elsewhere;
use crate::failure::bad_input;
use crate::interrupt;
use crate::output::{print_json, rough_time, thousands};
use crate::progress::Progress;
use crate::registry::{isolation_words, registry};
use crate::table::write_aligned;

/// The tables that a terminal shows.
const SHOWN: &[&str] = &["results-", "rating-", "joint-", "searches-", "threads-", "solved-"];

/// Runs a subcommand.
pub(crate) fn run(command: &LabCommand, data: &Data) -> anyhow::Result<()> {
    match command {
        LabCommand::Run(args) => run_experiment(args, data),
        LabCommand::Status(args) => status(args, data),
        LabCommand::Report(args) => report(args, data),
        LabCommand::List(args) => list(args, data),
        LabCommand::New(args) => new(args),
    }
}

fn run_experiment(args: &LabRunArgs, data: &Data) -> anyhow::Result<()> {
    let registry = registry(&args.programs, data);
    let experiment =
        file::read(&args.file, &registry).map_err(|error| bad_input(error.to_string()))?;
    let concurrency = args.concurrency.map(|n| n as usize);
    let replay_disturbed = args.replay_disturbed;
    let setup = Setup { concurrency, replay_disturbed, ..Setup::here() };
    let plan = forecast(&experiment, &setup);
    anstream::eprintln!(
        "{}  {} games and {} measurements, about {}",
        styled(HEADING, &experiment.name),
        thousands(plan.of_games),
        thousands(plan.of_measurements),
        rough_time(plan.left),
    );
    let agents = experiment.agents.iter().map(|entrant| &entrant.agent);
    isolation_words(agents).iter().for_each(|words| anstream::eprintln!("{words}"));
    if args.dry_run {
        return Ok(());
    }
    let store = data.games()?;
    let mut bar = Bar::new();
    let orders = elsewhere::orders(&args.elsewhere, bar.progress.voice())?;
    let hire =
        |tournament: &Tournament| orders.as_ref().map(|orders| elsewhere::hire(orders, tournament));
    let stop = interrupt::stop_flag();
    let done = run_lab(&experiment, &store, &setup, &hire, &stop, &mut |it| bar.show(it));
    bar.progress.finish();
    let done = done.map_err(anyhow::Error::new)?;
    let report = write_report(&experiment, &results::read(&experiment, &store)?);
    print_report(&experiment, &report, args.json)?;
    let file = shown(&args.file);
    match done {
        true => anstream::eprintln!("done; agon lab report {file} writes the report"),
        false => anstream::eprintln!("stopped; agon lab run {file} resumes it"),
    }
    Ok(())
}

/// A progress bar in work that is done and left.
struct Bar {
    progress: Progress,
    begun: bool,
}

impl Bar {
    fn new() -> Bar {
        Bar { progress: Progress::new(), begun: false }
    }

    fn show(&mut self, news: &LabProgress) {
        let done = news.games + news.measurements;
        if !self.begun {
            self.begun = true;
            if done > 0 {
                let (games, measurements) = (thousands(news.games), thousands(news.measurements));
                anstream::eprintln!("found {games} games and {measurements} measurements");
            }
            self.progress.begin_with_estimate(news.of_games + news.of_measurements, done);
        }
        self.progress.show(done, || format!("{}, {} left", news.now, rough_time(news.left)));
    }
}

/// The experiment of a file, or the one with this name in the store.
fn find(path: &Path, registry: &Registry, store: &Store) -> anyhow::Result<Experiment> {
    let refused = |error: agon_arena::FileError| bad_input(error.to_string());
    if path.is_file() {
        return file::read(path, registry).map_err(refused);
    }
    let known = store.experiments()?;
    let name = path.to_string_lossy();
    if let Some(found) = known.iter().find(|it| it.name == name) {
        return overview::experiment(found, registry).map_err(refused);
    }
    let names: Vec<&str> = known.iter().map(|it| it.name.as_str()).collect();
    let problem = format!("there is no file {}, and no such experiment was run", shown(path));
    Err(bad_input(match names.is_empty() {
        true => problem,
        false => choices(&problem, &name, &names),
    }))
}

fn stored(
    path: &Path,
    python: &ProgramArgs,
    data: &Data,
) -> anyhow::Result<(Experiment, results::Results)> {
    let registry = registry(python, data);
    // A file with a mistake is refused before anything is said about the store.
    if path.is_file() {
        file::read(path, &registry).map_err(|error| bad_input(error.to_string()))?;
    }
    let store = data.games_to_read()?;
    let experiment = find(path, &registry, &store)?;
    let results = results::read(&experiment, &store)?;
    Ok((experiment, results))
}

fn status(args: &LabStatusArgs, data: &Data) -> anyhow::Result<()> {
    let (experiment, results) = stored(&args.experiment, &args.programs, data)?;
    let report = write_report(&experiment, &results);
    print_report(&experiment, &report, args.json)
}

/// The main tables, and what is missing.
fn print_report(experiment: &Experiment, report: &Report, json: bool) -> anyhow::Result<()> {
    let is_shown = |table: &&Table| SHOWN.iter().any(|start| table.id.starts_with(start));
    let tables = report.tables().filter(is_shown);
    if json {
        let tables: Vec<Value> = tables.map(numbers::json).collect();
        return Ok(print_json(&json!({
            "experiment": experiment.name,
            "complete": report.missing.is_none(),
            "missing": report.missing,
            "tables": tables,
        }))?);
    }
    let mut out = anstream::stdout().lock();
    for table in tables {
        writeln!(out, "\n{}", styled(HEADING, &table.caption))?;
        let mut rows = vec![table.columns.iter().map(|it| it.name.clone()).collect::<Vec<_>>()];
        rows.extend(table.rows.iter().map(|row| row.iter().map(|cell| cell.text()).collect()));
        let texts = table.columns.iter().enumerate();
        let texts = texts.filter(|(_, it)| it.kind == agon_lab::report::ColumnKind::Text);
        let texts: Vec<usize> = texts.map(|(index, _)| index).collect();
        write_aligned(&mut out, &texts, &rows)?;
        if let Some(note) = &table.note {
            writeln!(out, "{note}")?;
        }
    }
    match &report.missing {
        Some(missing) => writeln!(out, "\nmissing: {missing}")?,
        None => writeln!(out, "\ncomplete")?,
    }
    Ok(())
}

fn report(args: &LabReportArgs, data: &Data) -> anyhow::Result<()> {
    let (experiment, results) = stored(&args.experiment, &args.programs, data)?;
    let report = write_report(&experiment, &results);
    let folder = args.output.clone().unwrap_or_else(|| folder_for(&experiment.name));
    let browser = match (&args.browser, args.no_pdf) {
        (Some(program), _) => Some(Browser::at(program.clone())),
        (None, true) => None,
        (None, false) => Browser::find(),
    };
    let forms = Forms { latex: args.latex, markdown: args.markdown };
    let written = write_files(&folder, &experiment, &results, &report, forms, browser.as_ref())?;
    for file in written {
        anstream::println!("{}", shown(&file));
    }
    if browser.is_none() && !args.no_pdf {
        anstream::eprintln!("note: {NO_BROWSER}");
    }
    if let Some(missing) = &report.missing {
        anstream::eprintln!("note: unfinished, the report says so; missing: {missing}");
    }
    Ok(())
}

/// A folder named after an experiment, whatever characters its name has.
fn folder_for(name: &str) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    PathBuf::from(format!("{}-report", name.trim_start_matches('.')))
}

#[derive(Serialize)]
struct ListedJson {
    name: String,
    games: u64,
    of_games: u64,
    measurements: u64,
    of_measurements: u64,
    complete: bool,
    problem: Option<String>,
}

fn list(args: &LabListArgs, data: &Data) -> anyhow::Result<()> {
    let store = data.games_to_read()?;
    let registry = agon_wire::registry(None).with_catalog(data.catalog().clone());
    let mut listed = Vec::new();
    for found in store.experiments()? {
        listed.push(match overview::of(&found, &registry, &store) {
            Ok(it) => ListedJson {
                name: found.name,
                games: it.games,
                of_games: it.of_games,
                measurements: it.measurements,
                of_measurements: it.of_measurements,
                complete: it.complete,
                problem: None,
            },
            Err(problem) => ListedJson {
                name: found.name,
                games: 0,
                of_games: 0,
                measurements: 0,
                of_measurements: 0,
                complete: false,
                problem: Some(problem.to_string()),
            },
        });
    }
    if args.json {
        return Ok(print_json(&listed)?);
    }
    if listed.is_empty() {
        anstream::println!("no experiments yet; agon lab run FILE.toml runs one");
        return Ok(());
    }
    let headings = ["experiment", "games", "of", "measurements", "of", "state"];
    let mut rows = vec![headings.map(String::from).to_vec()];
    for it in listed {
        let counts = [it.games, it.of_games, it.measurements, it.of_measurements].map(thousands);
        let state = match (it.complete, it.problem) {
            (_, Some(problem)) => problem.lines().next().unwrap_or_default().to_string(),
            (true, None) => "complete".into(),
            (false, None) => "unfinished".into(),
        };
        rows.push([it.name].into_iter().chain(counts).chain([state]).collect());
    }
    Ok(write_aligned(&mut anstream::stdout().lock(), &[0, 5], &rows)?)
}

fn new(args: &LabNewArgs) -> anyhow::Result<()> {
    let Some(sample) = SAMPLES.iter().find(|sample| sample.kind == args.kind) else {
        let kinds: Vec<&str> = SAMPLES.iter().map(|sample| sample.kind).collect();
        let problem = format!("unknown kind {:?}", args.kind);
        return Err(bad_input(choices(&problem, &args.kind, &kinds)));
    };
    let Some(file) = &args.file else {
        anstream::print!("{}", sample.text);
        return Ok(());
    };
    let created = OpenOptions::new().write(true).create_new(true).open(file);
    let mut created = created.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            bad_input(format!("{} exists already; choose another name", shown(file)))
        }
        _ => anyhow!(error).context(format!("cannot write {}", shown(file))),
    })?;
    let written = created.write_all(sample.text.as_bytes());
    written.with_context(|| format!("cannot write {}", shown(file)))?;
    let file = shown(file);
    anstream::eprintln!("wrote {file}; agon lab run {file} runs it");
    Ok(())
}
