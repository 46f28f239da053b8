//! `agon tournament`: run, show, list and export tournaments.

mod question;
mod report;
mod run;

use std::io::{self, Write};

use agon_arena::files::{shown, write_whole_with};
use agon_arena::store::export::export;
use agon_arena::store::{Filter, ListedSeries, Series, SeriesKind, Store};
use agon_arena::tournament::summary::TournamentSummary;
use serde::Serialize;
use serde_json::Value;

use crate::args::{
    CrosstableForm, TableForm, TournamentCommand, TournamentExportArgs, TournamentListArgs,
    TournamentStatusArgs,
};
use crate::commands::records::export::with_cause;
use crate::commands::records::seat_names;
use crate::data::Data;
use crate::failure::bad_input;
use crate::output::{print_json, thousands};
use crate::table::write_aligned;
use report::Report;

/// Runs a subcommand.
pub(crate) fn run(command: &TournamentCommand, data: &Data) -> anyhow::Result<()> {
    match command {
        TournamentCommand::Run(args) => run::run(args, data),
        TournamentCommand::Status(args) => status(args, data),
        TournamentCommand::List(args) => list(args, data),
        TournamentCommand::Export(args) => export_games(args, data),
    }
}

fn status(args: &TournamentStatusArgs, data: &Data) -> anyhow::Result<()> {
    let store = data.games_to_read()?;
    let series = find(&store, &args.name)?;
    let summary = TournamentSummary::of(&store, series)?;
    match () {
        () if args.json => Report(&summary).print_json(),
        () if args.pairs => Report(&summary).print_pairs(),
        () => Report(&summary).print_table(),
    }
}

/// The tournament with this name.
pub(crate) fn find(store: &Store, name: &str) -> anyhow::Result<Series> {
    if let Some(series) = store.find_tournament(name)? {
        return Ok(series);
    }
    let known: Vec<String> = tournaments(store)?.into_iter().map(|it| it.series.name).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let problem = format!("there is no tournament {name:?} in {}", shown(store.file()));
    Err(bad_input(agon_search::spec::choices(&problem, name, &known)))
}

fn tournaments(store: &Store) -> anyhow::Result<Vec<ListedSeries>> {
    let mut all = store.list_series()?;
    all.retain(|listed| listed.series.kind == SeriesKind::Tournament);
    Ok(all)
}

#[derive(Serialize)]
struct ListedJson {
    name: String,
    format: String,
    agents: usize,
    games: u64,
    planned: u64,
    faults: u64,
    finished: bool,
}

impl ListedJson {
    fn of(listed: ListedSeries) -> ListedJson {
        let ListedSeries { series, games, faults } = listed;
        let plan: Value = serde_json::from_str(&series.plan).unwrap_or(Value::Null);
        ListedJson {
            format: plan["format"]["name"].as_str().unwrap_or("").to_string(),
            planned: plan["planned"].as_u64().unwrap_or(0),
            agents: series.entrants.len(),
            finished: series.finished_at.is_some(),
            name: series.name,
            games,
            faults,
        }
    }
}

fn list(args: &TournamentListArgs, data: &Data) -> anyhow::Result<()> {
    let listed: Vec<ListedJson> =
        tournaments(&data.games_to_read()?)?.into_iter().map(ListedJson::of).collect();
    if args.json {
        return Ok(print_json(&listed)?);
    }
    if listed.is_empty() {
        anstream::println!("no tournaments yet; agon tournament run FILE.toml plays one");
        return Ok(());
    }
    let headings = ["tournament", "format", "agents", "games", "of", "faults", "state"];
    let mut rows = vec![headings.map(String::from).to_vec()];
    for it in listed {
        let state = if it.finished { "finished" } else { "unfinished" };
        let (agents, faults) = (it.agents.to_string(), it.faults.to_string());
        let (games, planned) = (thousands(it.games), thousands(it.planned));
        rows.push(vec![it.name, it.format, agents, games, planned, faults, state.into()]);
    }
    Ok(write_aligned(&mut anstream::stdout().lock(), &[0, 1], &rows)?)
}

fn export_games(args: &TournamentExportArgs, data: &Data) -> anyhow::Result<()> {
    let store = data.games_to_read()?;
    let series = find(&store, &args.name)?;
    let write = |out: &mut dyn Write| -> anyhow::Result<()> {
        match table(args, &store, &series)? {
            Some(table) => out.write_all(table.as_bytes())?,
            None => {
                let names = |variant: &str| seat_names(data.catalog(), variant);
                let filter = Filter::of(series.id);
                export(&store, &filter, args.format, &names, out).map_err(with_cause)?;
            }
        }
        Ok(out.flush()?)
    };
    match &args.output {
        Some(file) => write_whole_with(file, write),
        None => write(&mut io::BufWriter::new(io::stdout().lock())),
    }
}

/// The standings or the crosstable, if one of them is wanted.
fn table(
    args: &TournamentExportArgs,
    store: &Store,
    series: &Series,
) -> anyhow::Result<Option<String>> {
    if args.standings.is_none() && args.crosstable.is_none() {
        return Ok(None);
    }
    let summary = TournamentSummary::of(store, series.clone())?;
    Ok(match (args.standings, args.crosstable) {
        (Some(TableForm::Csv), _) => Some(summary.standings_csv()),
        (Some(TableForm::Json), _) => Some(summary.standings_json()?),
        (None, Some(CrosstableForm::Csv)) => Some(summary.crosstable_csv()),
        (None, Some(CrosstableForm::Json)) => Some(summary.crosstable_json()?),
        (None, Some(CrosstableForm::Text)) => {
            let names: Vec<String> = series.entrants.iter().map(|it| it.name.clone()).collect();
            Some(summary.crosstable.text(&names, &summary.ranking()))
        }
        (None, None) => None,
    })
}
