//! Machine, build, seeds, openings, games, clocks.

use agon_arena::words::thousands;

use super::{counted, listed};
use crate::claims::detectable_in_words;
use crate::experiment::{
    Comparison, Experiment, Kind, Measure, MeasureKind, budgets_of, variants_of,
};
use crate::report::{Block, Material};

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let Material { experiment, results, .. } = material;
    let mut blocks = Vec::new();
    let machine = results.machine.as_ref().map(|it| {
        format!(
            "Everything ran on {} with {} ({}).",
            it.processor,
            counted(it.cores, "core"),
            it.system
        )
    });
    let builds = builds_in_words(material);
    let seed = format!("The seed is {}.", experiment.seed);
    let first = [machine, Some(builds), Some(seed)].into_iter().flatten().collect::<Vec<_>>();
    blocks.push(Block::Paragraph(first.join(" ")));
    let conditions = experiment.comparisons.iter().map(|it| comparison(it, experiment));
    let conditions = conditions.chain(experiment.measures.iter().map(measure));
    blocks.push(Block::List(conditions.collect()));
    if !experiment.comparisons.is_empty() {
        blocks.push(Block::Paragraph(correction(experiment)));
    }
    blocks
}

/// The builds that made the results.
fn builds_in_words(material: &Material<'_>) -> String {
    let builds = &material.builds;
    let named: Vec<String> =
        builds.iter().map(|(game, build)| format!("{build} for {game}")).collect();
    match (builds.as_slice(), material.has_mixed_builds()) {
        ([], _) => "There are no results yet.".to_string(),
        ([(_, build)], _) => {
            format!("All results are from build {build}: version and signature of the bench.")
        }
        (_, false) => format!(
            "All results are from one program, build {}: version and signature of each game's bench.",
            listed(&named)
        ),
        (_, true) => format!(
            "The results are from several builds (version and signature of the bench): {}. Tables \
             say which row is from which.",
            listed(&named)
        ),
    }
}

fn comparison(comparison: &Comparison, experiment: &Experiment) -> String {
    let Comparison { title, terms, games, meetings, seats, .. } = comparison;
    let what = match comparison.kind {
        Kind::Baseline => "each agent against the baseline",
        Kind::All => "every agent against every other",
        Kind::Against => "one agent against each of the others",
        Kind::Evolution => "each version against the baseline and against the one before",
        Kind::Ablation => "the agent against itself with one thing turned off",
        Kind::BuildUp => "each step against the plain agent and against the step before",
    };
    let (variants, budgets) = (variants_of(terms), budgets_of(terms));
    let openings = terms.first().map_or_else(String::new, |it| it.openings.to_string());
    let tests = experiment.tests();
    let games = match comparison.sprt {
        Some(sprt) => {
            let [elo0, elo1] = sprt.hypotheses();
            format!(
                "a sequential test of {elo0} against {elo1} Elo, at most {} games",
                thousands(*games)
            )
        }
        None => format!(
            "{} games a pairing; {}",
            thousands(*games),
            detectable_in_words(*games, *seats, tests)
        ),
    };
    let seated = match seats {
        2 => "seats swapped after every game".to_string(),
        more => format!("{more} players, the opponent at all other seats, in every order"),
    };
    format!(
        "{title}: {what} ({}), in {} at {}; {games}; openings {openings}; {seated}.",
        counted(meetings.len(), "pairing"),
        listed(&variants),
        listed(&budgets)
    )
}

fn measure(measure: &Measure) -> String {
    let Measure { title, terms, positions, .. } = measure;
    let (variants, budgets) = (variants_of(terms), budgets_of(terms));
    let openings = terms.first().map_or_else(String::new, |it| it.openings.to_string());
    match measure.kind {
        MeasureKind::Solve => format!("{title}: {}, from the start.", listed(&variants)),
        _ => format!(
            "{title}: {} of {} (openings {openings}), the same for every agent, at {}; one search \
             at a time, each with empty tables.",
            counted(*positions as usize, "position"),
            listed(&variants),
            listed(&budgets)
        ),
    }
}

fn correction(experiment: &Experiment) -> String {
    let tests = experiment.tests();
    let groups = "The games of one opening, in which everybody sat everywhere, are a group: between \
                  equals, the result of the one might as well have been that of the other, and this \
                  is all that the test assumes. Games that repeat others move by move are left out of \
                  it.";
    let sequential = experiment.comparisons.iter().filter(|it| it.sprt.is_some()).count();
    let method = match sequential {
        0 => "corrected by Holm's method",
        some if some == experiment.comparisons.len() => {
            "sequential, with their errors divided by their number"
        }
        _ => {
            "corrected by Holm's method, sequential ones with their errors divided by the number of all"
        }
    };
    match tests {
        1 => format!("One comparison is tested, at 95 %. {groups}"),
        _ => format!(
            "{tests} comparisons are tested together, {method}: the risk that any difference claimed \
             here is due to chance is at most 5 %. Intervals of Elo are those of each comparison \
             alone, at 95 %. {groups}"
        ),
    }
}
