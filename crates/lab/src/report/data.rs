//! Tables as CSV and JSON, and every game as CSV: the numbers behind the report.

use agon_arena::store::export::csv::joined;
use serde_json::{Map, Value};

use super::Table;
use crate::experiment::{Experiment, budget_label};
use crate::results::{Found, Results};
use crate::unit::Work;

/// A table as CSV, with full precision: an interval takes three columns.
pub fn csv(table: &Table) -> String {
    let headings = table.columns.iter().flat_map(|column| column.machine_names());
    let mut text = joined(headings);
    for row in &table.rows {
        let values =
            row.iter().zip(&table.columns).flat_map(|(cell, column)| cell.values(column.kind));
        text.push_str(&joined(values.map(|value| plain(&value))));
    }
    text
}

/// A table as JSON: its caption, its note, and an object for each row.
pub fn json(table: &Table) -> Value {
    let row = |cells: &Vec<super::Cell>| {
        let mut object = Map::new();
        for (cell, column) in cells.iter().zip(&table.columns) {
            for (name, value) in column.machine_names().into_iter().zip(cell.values(column.kind)) {
                object.insert(name, value);
            }
        }
        Value::Object(object)
    };
    serde_json::json!({
        "table": table.id,
        "caption": table.caption,
        "note": table.note,
        "rows": table.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

/// Every game that the report counts, one a line.
pub fn games_csv(experiment: &Experiment, results: &Results) -> String {
    let headings = [
        "comparison",
        "variant",
        "budget",
        "agent",
        "against",
        "build",
        "game",
        "opening",
        "seat",
        "points",
        "seat_points",
        "plies",
        "agent_moves",
        "agent_seconds",
        "agent_nodes",
        "end",
        "reason",
        "disturbed",
    ];
    let mut text = joined(headings.map(String::from));
    for (unit, found) in &results.units {
        let (&Work::Games { comparison, terms, meeting }, Found::Games(played)) =
            (&unit.work, found)
        else {
            continue;
        };
        let place = &experiment.comparisons[comparison].terms[terms];
        for game in &played.games {
            let seat = game.seating.iter().position(|agent| *agent == 0).unwrap_or(0);
            let points: Vec<String> = game.points.iter().map(ToString::to_string).collect();
            let (moves, seconds, nodes) = game.effort.get(seat).copied().unwrap_or_default();
            text.push_str(&joined([
                (comparison + 1).to_string(),
                place.variant.to_string(),
                budget_label(&place.pace),
                experiment.name_of(meeting.agent).to_string(),
                experiment.name_of(meeting.opponent).to_string(),
                played.build.to_string(),
                game.id.to_string(),
                game.group.to_string(),
                (seat + 1).to_string(),
                points.get(seat).cloned().unwrap_or_default(),
                points.join(" "),
                game.plies.to_string(),
                moves.to_string(),
                seconds.to_string(),
                nodes.to_string(),
                game.end.clone(),
                game.reason.clone(),
                u8::from(game.disturbed).to_string(),
            ]));
        }
    }
    text
}

/// Every search that the report counts, one a line.
pub fn searches_csv(experiment: &Experiment, results: &Results) -> String {
    let headings = [
        "measurement",
        "variant",
        "budget",
        "agent",
        "build",
        "position",
        "best",
        "depth",
        "nodes",
        "expanded",
        "seconds",
        "processor_seconds",
        "branching",
        "cutoffs",
        "first_move_cutoffs",
    ];
    let mut text = joined(headings.map(String::from));
    for (unit, found) in &results.units {
        let (&Work::Search { measure, terms, agent }, Found::Searches(searches, build)) =
            (&unit.work, found)
        else {
            continue;
        };
        let place = &experiment.measures[measure].terms[terms];
        for it in &searches.searches {
            text.push_str(&joined([
                (measure + 1).to_string(),
                place.variant.to_string(),
                budget_label(&place.pace),
                experiment.name_of(agent).to_string(),
                build.to_string(),
                it.position.clone(),
                it.best.clone(),
                it.depth.to_string(),
                it.nodes.to_string(),
                it.expanded.to_string(),
                it.seconds.to_string(),
                it.processor_seconds.to_string(),
                it.branching.to_string(),
                it.cutoffs.to_string(),
                it.first_move_cutoffs.to_string(),
            ]));
        }
    }
    text
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
