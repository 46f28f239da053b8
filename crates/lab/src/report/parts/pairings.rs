//! Every pairing, with all its numbers.

use agon_arena::fixture::Terms;

use crate::claims::Test;
use crate::experiment::{Comparison, Meeting, budget_label};
use crate::report::{Block, Cell, Column, Material, Table};
use crate::results::{Found, Played};
use crate::unit::Work;

/// The games of one meeting on one of the terms.
pub(super) struct Row<'a> {
    pub(super) agent: &'a str,
    pub(super) opponent: &'a str,
    pub(super) meeting: Meeting,
    /// The index of the comparison, and that of the terms in it.
    pub(super) place: (usize, usize),
    pub(super) terms: &'a Terms,
    pub(super) played: &'a Played,
    pub(super) test: Option<&'a Test>,
}

impl Row<'_> {
    /// A name with the terms, if the comparison has several.
    pub(super) fn with_terms(&self, comparison: &Comparison, name: &str) -> String {
        if comparison.terms.len() == 1 {
            return name.to_string();
        }
        format!("{name} ({}, {})", self.terms.variant, budget_label(&self.terms.pace))
    }

    /// The agent, with the terms if the comparison has several.
    pub(super) fn label(&self, comparison: &Comparison) -> String {
        self.with_terms(comparison, self.agent)
    }

    /// Both agents, with the terms if the comparison has several.
    pub(super) fn pairing(&self, comparison: &Comparison) -> String {
        self.with_terms(comparison, &format!("{} – {}", self.agent, self.opponent))
    }
}

/// The meetings of a comparison that have games.
pub(super) fn rows_of<'a>(
    material: &'a Material<'_>,
    index: usize,
) -> impl Iterator<Item = Row<'a>> {
    let experiment = material.experiment;
    material.results.of_comparison(index).filter_map(move |(number, unit, found)| {
        let (&Work::Games { comparison, terms, meeting }, Found::Games(played)) =
            (&unit.work, found)
        else {
            return None;
        };
        Some(Row {
            agent: experiment.name_of(meeting.agent),
            opponent: experiment.name_of(meeting.opponent),
            meeting,
            place: (comparison, terms),
            terms: &experiment.comparisons[comparison].terms[terms],
            played,
            test: material.tests[number].as_ref(),
        })
    })
}

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let rows: Vec<Row<'_>> =
        (0..material.experiment.comparisons.len()).flat_map(|it| rows_of(material, it)).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Heading("Every pairing".into())];
    blocks.push(Block::Table(results(material, &rows)));
    blocks.push(Block::Table(effort(&rows)));
    blocks.push(Block::Table(ends(&rows)));
    blocks
}

/// The cells that name a pairing.
pub(super) fn named(row: &Row<'_>) -> Vec<Cell> {
    vec![
        Cell::Text(row.agent.into()),
        Cell::Text(row.opponent.into()),
        Cell::Code(row.terms.variant.to_string()),
        Cell::Text(budget_label(&row.terms.pace)),
    ]
}

/// The columns that name a pairing, and more.
pub(super) fn columns(more: Vec<Column>) -> Vec<Column> {
    ["Agent", "Against", "Variant", "Budget"].map(Column::text).into_iter().chain(more).collect()
}

fn results(material: &Material<'_>, rows: &[Row<'_>]) -> Table {
    let more = vec![
        Column::number("Games"),
        Column::record("W–D–L"),
        Column::interval("Score (95 %)"),
        Column::interval("Elo (95 %)"),
        Column::number("p"),
        Column::number("Faults"),
        Column::text("Build"),
    ];
    let mut table = Table::new("pairings", "Every pairing: results", columns(more));
    for row in rows {
        let agent = row.played.ledger.agent(0);
        let mut cells = named(row);
        cells.extend([
            Cell::Count(row.played.ledger.games()),
            Cell::Record([agent.results.wins, agent.results.draws, agent.results.losses]),
            Cell::maybe(agent.score(), Cell::Score),
            Cell::maybe(agent.elo(), Cell::EloRange),
            row.test.and_then(|test| test.p).map_or(Cell::Empty, Cell::Probability),
            Cell::Count(agent.results.faults),
            material.build_cell(&row.played.build),
        ]);
        table.rows.push(cells);
    }
    table.without_dull(&["Variant", "Budget", "Build", "Faults"])
}

fn effort(rows: &[Row<'_>]) -> Table {
    let more = vec![
        Column::number("ms a move"),
        Column::number("nodes a move"),
        Column::number("its ms a move"),
        Column::number("its nodes a move"),
        Column::number("Disturbed"),
    ];
    let mut table = Table::new("effort", "Every pairing: time and nodes", columns(more));
    for row in rows {
        let mut cells = named(row);
        for agent in [0, 1] {
            let effort = row.played.ledger.agent(agent).effort;
            cells.push(Cell::Number(1000.0 * effort.seconds_per_move(), 1));
            cells.push(Cell::Number(effort.nodes_per_move(), 0));
        }
        cells.push(Cell::Count(row.played.ledger.disturbed));
        table.rows.push(cells);
    }
    table.note = Some(
        "The second pair of columns is the opponent's. Disturbed: games in which a busy machine \
         limited the thinking even after replays."
            .to_string(),
    );
    table.without_dull(&["Variant", "Budget"])
}

fn ends(rows: &[Row<'_>]) -> Table {
    let more = vec![
        Column::number("Shortest"),
        Column::number("Mean"),
        Column::number("Longest"),
        Column::text("How games ended"),
    ];
    let mut table = Table::new("ends", "Every pairing: lengths in plies, and ends", columns(more));
    for row in rows {
        let ledger = &row.played.ledger;
        let reasons =
            ledger.reasons().into_iter().map(|(reason, count)| format!("{reason} {count}"));
        let mut cells = named(row);
        cells.extend([
            Cell::Count(u64::from(ledger.lengths.least)),
            Cell::Number(ledger.mean_plies(), 1),
            Cell::Count(u64::from(ledger.lengths.most)),
            Cell::Text(reasons.collect::<Vec<_>>().join(", ")),
        ]);
        table.rows.push(cells);
    }
    table.without_dull(&["Variant", "Budget"])
}
