//! The agents and their evaluations, in the catalog's own words.

use std::collections::BTreeSet;

use agon_arena::agent::AgentKind;
use agon_core::Variant;
use agon_games::Catalog;
use agon_search::spec::Manner;
use agon_search::{AgentSpec, agents};

use crate::experiment::Experiment;
use crate::report::{Block, Cell, Column, Material, Table};

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let experiment = material.experiment;
    if experiment.agents.is_empty() {
        return Vec::new();
    }
    let columns = vec![Column::text("Agent"), Column::text("Text"), Column::text("What it is")];
    let mut table = Table::new("agents", "The agents", columns);
    for entrant in &experiment.agents {
        let text = Cell::Code(entrant.agent.text().to_string());
        let about = Cell::Text(about(entrant.agent.kind()));
        table.rows.push(vec![Cell::Text(entrant.name.clone()), text, about]);
    }
    let mut blocks = vec![Block::Table(table)];
    let options = options(experiment);
    if !options.rows.is_empty() {
        blocks.push(Block::Table(options));
    }
    blocks.extend(evaluations(experiment));
    blocks
}

fn about(kind: &AgentKind) -> String {
    match kind {
        AgentKind::BuiltIn(spec) => {
            agents::info(&spec.name).map_or_else(String::new, |info| info.about.to_string())
        }
        AgentKind::Outside(_) => "a program".to_string(),
    }
}

fn specs(experiment: &Experiment) -> impl Iterator<Item = &AgentSpec> {
    experiment.agents.iter().filter_map(|entrant| match entrant.agent.kind() {
        AgentKind::BuiltIn(spec) => Some(spec),
        AgentKind::Outside(_) => None,
    })
}

/// The options that the agents' texts use.
fn options(experiment: &Experiment) -> Table {
    let columns = vec![Column::text("Option"), Column::text("Of"), Column::text("What it does")];
    let mut table = Table::new("options", "The options in the agents' texts", columns);
    let mut seen = BTreeSet::new();
    for spec in specs(experiment) {
        let Some(info) = agents::info(&spec.name) else { continue };
        for (option, _) in &spec.options {
            let known = info.options.iter().find(|it| it.name == option);
            if let Some(known) = known.filter(|_| seen.insert((info.name, option.clone()))) {
                let cells = [Cell::Code(option.clone()), Cell::Code(info.name.into())];
                let about = Cell::Text(known.about.to_string());
                table.rows.push(cells.into_iter().chain([about]).collect());
            }
        }
    }
    table
}

/// The evaluations of the games, where an agent evaluates.
fn evaluations(experiment: &Experiment) -> Option<Block> {
    let mut games: Vec<(&Catalog, &Variant)> = Vec::new();
    let comparisons = experiment.comparisons.iter().flat_map(|it| &it.terms);
    let measures = experiment.measures.iter().flat_map(|it| &it.terms);
    for terms in comparisons.chain(measures) {
        if games.iter().all(|(_, variant)| variant.game() != terms.variant.game()) {
            games.push((&terms.catalog, &terms.variant));
        }
    }
    let columns =
        vec![Column::text("Game"), Column::text("Evaluation"), Column::text("What it counts")];
    let mut table = Table::new("evaluations", "The evaluations", columns);
    for (catalog, variant) in games {
        let Ok(opened) = catalog.open(variant) else { continue };
        for (name, about) in opened.evaluations() {
            let game = Cell::Text(variant.game().to_string());
            table.rows.push(vec![game, Cell::Code(name.into()), Cell::Text(about.into())]);
        }
    }
    let table = table.without_dull(&["Game"]);
    let by_chance = |spec: &AgentSpec| {
        agents::info(&spec.name).is_none_or(|info| info.manner == Manner::ByChance)
    };
    let evaluates = specs(experiment).any(|spec| !by_chance(spec));
    (!table.rows.is_empty() && evaluates).then_some(Block::Table(table))
}
