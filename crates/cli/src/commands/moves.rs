//! `agon moves`: the legal moves and the positions after them.

use std::io::Write;

use serde::Serialize;

use crate::args::MovesArgs;
use crate::data::Data;
use crate::draw;
use crate::output::{OutcomeJson, print_json};
use crate::setup;

#[derive(Serialize)]
struct MovesJson {
    variant: String,
    position: String,
    to_move: Option<String>,
    outcome: Option<OutcomeJson>,
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    position: String,
}

/// Lists the legal moves.
pub(crate) fn run(args: &MovesArgs, data: &Data) -> anyhow::Result<()> {
    let table = setup::table(data.catalog(), &args.position)?;
    if args.json {
        let moves = table.successors().into_iter().map(|(mv, position)| MoveJson { mv, position });
        print_json(&MovesJson {
            variant: table.variant().to_string(),
            position: table.position(),
            to_move: table.to_move().map(str::to_string),
            outcome: OutcomeJson::of(&*table),
            moves: moves.collect(),
        })?;
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    for mv in table.moves() {
        writeln!(out, "{mv}")?;
    }
    if table.outcome().is_some() {
        // To standard error, so that a pipe gets nothing but moves.
        anstream::eprintln!("{}", draw::status_line(&*table));
    }
    Ok(())
}
