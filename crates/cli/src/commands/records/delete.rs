//! `agon records delete`.

use std::io::{self, BufRead, Write};

use agon_arena::store::{Filter, SeriesKind};
use agon_core::printable;
use anyhow::anyhow;

use super::find_series;
use crate::args::DeleteArgs;
use crate::data::Data;
use crate::output::thousands;

/// Deletes a series, after confirmation.
pub(super) fn run(args: &DeleteArgs, data: &Data) -> anyhow::Result<()> {
    // Read-only first, so that no store is created.
    let series = find_series(&data.games_to_read()?, &args.series)?;
    let store = data.games()?;
    let (games, _) = store.count_games(&Filter::of(series.id))?;
    let called = match series.kind {
        SeriesKind::Pages => "that of the pages".into(),
        kind => format!("the {} {}", kind.name(), printable(&series.name)),
    };
    let what = format!("series {}, {called} with {} games", series.id, thousands(games));
    if !args.yes && !confirmed(&what)? {
        return Err(anyhow!("nothing was deleted"));
    }
    store.delete_series(series.id)?;
    writeln!(anstream::stdout(), "deleted {what}")?;
    Ok(())
}

/// Asks for confirmation on standard input.
fn confirmed(what: &str) -> io::Result<bool> {
    anstream::eprint!("Delete {what}? This cannot be undone. [y/N] ");
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer)?;
    if read == 0 {
        anstream::eprintln!();
    }
    Ok(["y", "yes"].contains(&answer.trim().to_lowercase().as_str()))
}
