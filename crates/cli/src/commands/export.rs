//! `agon export`: files for other programs.

use std::io::Write;
use std::path::Path;

use agon_core::Variant;
use agon_games::Catalog;
use agon_gdl::breakthrough::rules_text;

use crate::args::{ExportCommand, ExportFenixAgentArgs, ExportGdlArgs};
use crate::data::Data;
use crate::failure::bad_input;
use crate::files::write_whole;

/// Tested with the Python package, against the course's interface.
const FENIX_AGENT: &str = include_str!("../../../../python/examples/fenix_agent.py");

/// Writes the file.
pub(crate) fn run(command: &ExportCommand, data: &Data) -> anyhow::Result<()> {
    match command {
        ExportCommand::Gdl(args) => gdl(args, data.catalog()),
        ExportCommand::FenixAgent(ExportFenixAgentArgs { output }) => {
            write(output.as_deref(), FENIX_AGENT)
        }
    }
}

fn gdl(args: &ExportGdlArgs, catalog: &Catalog) -> anyhow::Result<()> {
    let variant: Variant = args.variant.parse()?;
    // Opened here as well, because these errors show the position of the mistake.
    let table = catalog.open_at::<&str>(&variant, args.position.as_deref(), &[])?;
    let text = rules_text(table.variant(), args.position.as_deref()).map_err(bad_input)?;
    write(args.output.as_deref(), &text)
}

/// Writes to a file, or to standard output.
fn write(output: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match output {
        Some(path) => write_whole(path, text),
        None => Ok(std::io::stdout().lock().write_all(text.as_bytes())?),
    }
}
