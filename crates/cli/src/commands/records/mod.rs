//! `agon records`: stored games.

mod delete;
pub(crate) mod export;
mod list;
mod replay;
mod show;

use agon_arena::store::{
    Filter, GameId, Series, SeriesId, Store, StoreError, StoreProblem, StoredGame,
};
use agon_core::{Seat, Variant};
use agon_games::Catalog;
use anyhow::anyhow;

use crate::args::{FilterArgs, RecordsCommand};
use crate::commands::tournament::find as find_tournament;
use crate::data::Data;

/// Lists, shows, replays, exports or deletes.
pub(crate) fn run(command: &RecordsCommand, data: &Data) -> anyhow::Result<()> {
    match command {
        RecordsCommand::List(args) => list::run(args, data),
        RecordsCommand::Show(args) => show::run(args, data),
        RecordsCommand::Replay(args) => replay::run(args, data),
        RecordsCommand::Export(args) => export::run(args, data),
        RecordsCommand::Delete(args) => delete::run(args, data),
    }
}

/// The filter of the arguments.
fn filter(args: &FilterArgs, store: &Store, catalog: &Catalog) -> anyhow::Result<Filter> {
    let FilterArgs { series, agent, variant, tournament, result, fault, since, until } = args;
    let series = match (series, tournament) {
        (Some(text), _) => Some(find_series(store, text)?.id),
        (None, Some(name)) => Some(find_tournament(store, name)?.id),
        (None, None) => None,
    };
    let variant = variant.as_deref().map(|variant| canonical(catalog, variant)).transpose()?;
    let (since, until) = (since.as_ref().map(|it| it.start), until.as_ref().map(|it| it.end));
    Ok(Filter {
        series,
        agent: agent.clone(),
        variant,
        result: *result,
        fault: *fault,
        since,
        until,
    })
}

/// A variant as the store spells it.
pub(crate) fn canonical(catalog: &Catalog, variant: &str) -> anyhow::Result<String> {
    let variant: Variant = variant.parse()?;
    Ok(catalog.open(&variant)?.variant().to_string())
}

/// A series by its number, or by its name if it is a tournament or that of the pages.
fn find_series(store: &Store, text: &str) -> anyhow::Result<Series> {
    if let Ok(id) = text.parse::<SeriesId>() {
        return store.series(id).map_err(|error| with_advice(store, error));
    }
    store.find_by_text(text)?.ok_or_else(|| {
        anyhow!(
            "there is no tournament {text:?}: expected its name, the number of a series or pages"
        )
    })
}

/// A game and its series.
pub(crate) fn find_game(store: &Store, id: GameId) -> anyhow::Result<(Series, StoredGame)> {
    let found = store.series(id.series).and_then(|series| Ok((series, store.game(id)?)));
    found.map_err(|error| with_advice(store, error))
}

/// Adds to an error what there is instead.
fn with_advice(store: &Store, error: StoreError) -> anyhow::Error {
    let instead = match error.problem() {
        StoreProblem::NoSeries(_) => store.list_series().ok().map(|all| match all.first() {
            Some(newest) => {
                let newest = &newest.series;
                format!("the newest is {}, {}", newest.id, newest.name)
            }
            None => "there are none yet".into(),
        }),
        StoreProblem::NoGame(id) => store.finished_numbers(id.series).ok().map(|numbers| {
            match (numbers.first(), numbers.last()) {
                (Some(first), Some(last)) => {
                    let series = id.series;
                    format!("{} are stored, {series}.{first} to {series}.{last}", numbers.len())
                }
                _ => format!("series {} has none yet", id.series),
            }
        }),
        _ => None,
    };
    match instead {
        Some(instead) => anyhow!("{error}: {instead}"),
        None => error.into(),
    }
}

/// The names of the seats of a variant; empty if this version does not know it.
pub(crate) fn seat_names(catalog: &Catalog, variant: &str) -> Vec<String> {
    let table = variant.parse::<Variant>().and_then(|variant| catalog.open(&variant));
    let Ok(table) = table else { return Vec::new() };
    Seat::all(table.seats()).map(|seat| table.seat_name(seat).to_string()).collect()
}
