//! `agon show`: draws a position.

use std::io::Write;

use agon_core::Seat;
use agon_core::scene::CellShape;
use agon_games::Table;
use serde_json::{Value, json};

use crate::args::ShowArgs;
use crate::data::Data;
use crate::draw;
use crate::draw::palette::{DIM, HEADING};
use crate::output::{OutcomeJson, print_json};
use crate::setup;

/// Draws a position.
pub(crate) fn run(args: &ShowArgs, data: &Data) -> anyhow::Result<()> {
    let table = setup::table(data.catalog(), &args.position)?;
    if args.json {
        print_json(&scene_json(&*table))?;
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}\n", draw::styled(HEADING, &table.variant().to_string()))?;
    write!(out, "{}", draw::table(&*table))?;
    writeln!(out, "{}", draw::styled(DIM, &table.position()))?;
    Ok(())
}

/// The scene as data, for programs that draw it themselves.
fn scene_json(table: &dyn Table) -> Value {
    let scene = table.scene();
    let name = |cell: &usize| scene.cells[*cell].name.clone();
    let owner = |seat: Option<Seat>| seat.map(|seat| table.seat_name(seat));
    let cells = scene.cells.iter().map(|cell| json!({"name": cell.name, "x": cell.x, "y": cell.y}));
    let regions = scene.regions.iter().map(|region| {
        json!({
            "kind": format!("{:?}", region.kind).to_lowercase(),
            "label": region.label,
            "owner": owner(region.owner),
            "cells": region.cells.iter().map(name).collect::<Vec<_>>(),
        })
    });
    let pieces = scene.pieces.iter().map(|piece| {
        json!({
            "cell": name(&piece.cell),
            "owner": owner(Some(piece.owner)),
            "letter": piece.letter,
            "name": piece.name,
            "height": piece.height,
        })
    });
    let supplies = scene.supplies.iter().map(|it| {
        json!({
            "owner": owner(Some(it.owner)),
            "letter": it.letter,
            "name": it.name,
            "left": it.left,
        })
    });
    json!({
        "variant": table.variant().to_string(),
        "position": table.position(),
        "to_move": table.to_move(),
        "outcome": OutcomeJson::of(table),
        "shape": match scene.shape {
            CellShape::Square => "square",
            CellShape::Hexagon => "hexagon",
            CellShape::Hole => "hole",
        },
        "cells": cells.collect::<Vec<_>>(),
        "regions": regions.collect::<Vec<_>>(),
        "pieces": pieces.collect::<Vec<_>>(),
        "supplies": supplies.collect::<Vec<_>>(),
    })
}
