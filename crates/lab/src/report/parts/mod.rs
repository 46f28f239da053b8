//! The sections of a report.

mod agents;
mod comparisons;
mod games;
mod interpretation;
mod measures;
mod pairings;
mod setup;

use super::{Block, Material, paragraphs};
use crate::experiment::Part;

/// What a section says by itself.
pub(super) fn blocks(part: Part, material: &Material<'_>) -> Vec<Block> {
    match part {
        Part::Question => question(material),
        Part::Agents => agents::blocks(material),
        Part::Setup => setup::blocks(material),
        Part::Results => {
            let mut blocks = comparisons::blocks(material);
            blocks.extend(measures::blocks(material));
            blocks
        }
        Part::NoHelp => interpretation::no_help(material),
        Part::Interpretation => interpretation::blocks(material),
        Part::Appendix => {
            let mut blocks = pairings::blocks(material);
            blocks.extend(games::blocks(material));
            blocks
        }
    }
}

fn question(material: &Material<'_>) -> Vec<Block> {
    paragraphs(&material.experiment.question).map(Block::Paragraph).collect()
}

/// `one thing`, `2 things`.
fn counted(count: usize, what: &str) -> String {
    let count = agon_arena::words::thousands(count as u64);
    if count == "1" { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
