//! `agon records export`.

use std::io::{self, BufWriter};

use agon_arena::files::shown;
use agon_arena::files::write_whole_with;
use agon_arena::store::export::{ExportError, Format, export};
use anyhow::{Context, Error};

use super::{filter, seat_names};
use crate::args::ExportArgs;
use crate::data::Data;
use crate::output::thousands;

/// Writes games to a file or to standard output.
pub(super) fn run(args: &ExportArgs, data: &Data) -> anyhow::Result<()> {
    let store = data.games_to_read()?;
    let filter = filter(&args.filter, &store, data.catalog())?;
    let names = |variant: &str| seat_names(data.catalog(), variant);
    let write = |out: &mut dyn io::Write| export(&store, &filter, format(args), &names, out);
    let Some(file) = &args.output else {
        let written = write(&mut BufWriter::new(io::stdout().lock()));
        return written.map(drop).map_err(with_cause);
    };
    let written = write_whole_with(file, write).map_err(with_cause);
    let games = written.with_context(|| format!("cannot write {}", shown(file)))?;
    anstream::eprintln!("{} games in {}", thousands(games), shown(file));
    Ok(())
}

/// The format given, else that of the file's extension, else PGN.
fn format(args: &ExportArgs) -> Format {
    let by_name = || args.output.as_ref()?.extension()?.to_str()?.parse().ok();
    args.format.or_else(by_name).unwrap_or(Format::Pgn)
}

/// Keeps the I/O error as the cause, to recognise a broken pipe.
pub(crate) fn with_cause(error: ExportError) -> Error {
    match error {
        ExportError::Store(error) => error.into(),
        ExportError::Output(error) => error.into(),
    }
}
