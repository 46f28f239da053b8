//! What the results mean, in sentences that claim no more than the statistics.

use super::measures;
use super::{counted, listed};
use crate::claims::chance::sign_test;
use crate::claims::{Finding, RISK, Test, p_in_words};
use crate::experiment::{Comparison, Kind, Measure, MeasureKind, budget_label};
use crate::measure::Searched;
use crate::report::{Block, Material};

pub(super) fn blocks(material: &Material<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (index, comparison) in material.experiment.comparisons.iter().enumerate() {
        let tests: Vec<&Test> = tests_of(material, index).collect();
        blocks.push(Block::Heading(comparison.title.clone()));
        blocks.push(Block::Paragraph(overview(comparison, &tests)));
        if !tests.is_empty() {
            let sentences = tests.iter().map(|test| test.sentence(material.experiment));
            blocks.push(Block::List(sentences.collect()));
        }
    }
    for (index, measure) in material.experiment.measures.iter().enumerate() {
        let sentences = match measure.kind {
            MeasureKind::Search => sizes(material, index, measure),
            _ => Vec::new(),
        };
        if !sentences.is_empty() {
            blocks.push(Block::Heading(measure.title.clone()));
            blocks.push(Block::List(sentences));
        }
    }
    if blocks.is_empty() {
        let text = "Nothing was compared by games, so there is nothing to claim; the measurements \
                    above speak for themselves.";
        blocks.push(Block::Paragraph(text.into()));
    }
    blocks
}

fn tests_of<'a>(material: &'a Material<'_>, index: usize) -> impl Iterator<Item = &'a Test> {
    material.tests.iter().flatten().filter(move |test| test.place.0 == index)
}

/// How many of the tests found what.
fn overview(comparison: &Comparison, tests: &[&Test]) -> String {
    if tests.is_empty() {
        return "No game of this comparison has been played yet.".to_string();
    }
    let count = |finding: Finding| tests.iter().filter(|test| test.finding == finding).count();
    let what = match comparison.kind {
        Kind::Evolution | Kind::BuildUp | Kind::Ablation => "comparison",
        Kind::Baseline | Kind::All | Kind::Against => "pairing",
    };
    let found = [
        (count(Finding::Better), "the agent is the stronger one"),
        (count(Finding::Worse), "the agent is the weaker one"),
        (count(Finding::Open), "the games do not decide"),
    ];
    let found: Vec<_> = found.into_iter().filter(|(count, _)| *count > 0).collect();
    match found.as_slice() {
        [(1, only)] => format!("There is one {what}: {only}."),
        [(all, only)] => format!("In all {all} {what}s, {only}."),
        _ => {
            let parts: Vec<String> =
                found.iter().map(|(count, what)| format!("in {count} {what}")).collect();
            format!("Of {} {what}s, {}.", tests.len(), listed(&parts))
        }
    }
}

/// Steps that did not make an agent stronger.
pub(super) fn no_help(material: &Material<'_>) -> Vec<Block> {
    let experiment = material.experiment;
    let steps: Vec<&Test> =
        material.tests.iter().flatten().filter(|test| test.meeting.role.is_step()).collect();
    if steps.is_empty() {
        let any =
            experiment.comparisons.iter().any(|it| it.meetings.iter().any(|it| it.role.is_step()));
        let text = match any {
            true => "No step has been played yet.",
            false => {
                "This experiment changes nothing step by step, so there is nothing to report here."
            }
        };
        return vec![Block::Paragraph(text.into())];
    }
    let failed: Vec<String> = steps
        .iter()
        .filter(|test| test.finding != Finding::Better)
        .map(|test| test.sentence(experiment))
        .collect();
    if failed.is_empty() {
        let text = match steps.len() {
            1 => "Nothing: the only step made the agent stronger.".to_string(),
            all => format!("Nothing: each of the {all} steps played made the agent stronger."),
        };
        return vec![Block::Paragraph(text)];
    }
    let text = format!(
        "Of {} played, these did not show a gain. That a difference was not found does not mean that there \
         is none: it may be smaller than so many games can show.",
        counted(steps.len(), "step")
    );
    vec![Block::Paragraph(text), Block::List(failed)]
}

/// How large the trees of the agents are beside those of the first, position by position.
fn sizes(material: &Material<'_>, index: usize, measure: &Measure) -> Vec<String> {
    let rows = measures::rows_of(material, index);
    // A tree that time ends is as large as the time.
    let by_depth = |terms: usize| measure.terms[terms].pace.depth.is_some();
    let tests = material.experiment.tests();
    let mut sentences = Vec::new();
    for terms in (0..measure.terms.len()).filter(|terms| by_depth(*terms)) {
        let here: Vec<_> = rows.iter().filter(|row| row.terms == terms).collect();
        let Some((first, others)) = here.split_first() else { continue };
        for other in others {
            let pairs: Vec<(&Searched, &Searched)> =
                other.searches.searches.iter().zip(&first.searches.searches).collect();
            let place = &measure.terms[terms];
            let place = format!("{} at {}", place.variant, budget_label(&place.pace));
            sentences.extend(size(other.name, first.name, &place, &pairs, tests));
        }
    }
    sentences
}

/// One agent's trees beside another's, in a sentence.
fn size(
    name: &str,
    first: &str,
    place: &str,
    pairs: &[(&Searched, &Searched)],
    tests: usize,
) -> Option<String> {
    if pairs.is_empty() {
        return None;
    }
    let ratio = |(one, other): &(&Searched, &Searched)| {
        (one.expanded.max(1) as f64 / other.expanded.max(1) as f64).ln()
    };
    let mean = (pairs.iter().map(ratio).sum::<f64>() / pairs.len() as f64).exp();
    let fewer = pairs.iter().filter(|(one, other)| one.expanded < other.expanded).count();
    let more = pairs.iter().filter(|(one, other)| one.expanded > other.expanded).count();
    let p = (sign_test(fewer, more) * tests.max(1) as f64).min(1.0);
    let certainty = format!("{} after correction", p_in_words(p));
    let all = pairs.len();
    let sizes = match mean {
        share if share < 0.1 => format!("{:.2} % of the positions of {first}", 100.0 * share),
        share if share < 10.0 => format!("{:.0} % of the positions of {first}", 100.0 * share),
        times => format!("{times:.0} times as many as {first}"),
    };
    let sizes = format!("{sizes} (geometric mean)");
    Some(match p < RISK {
        true if fewer > more => format!(
            "In {place}, {name} expands fewer positions, {sizes}: fewer in {fewer} of {all} \
             ({certainty})."
        ),
        true => format!(
            "In {place}, {name} expands more positions, {sizes}: more in {more} of {all} \
             ({certainty})."
        ),
        false => format!(
            "In {place}, {name} and {first} are not distinguishable by the positions they expand: \
             {sizes}, fewer in {fewer} and more in {more} of {all} ({certainty})."
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_compared_position_by_position() {
        let searched = |expanded| Searched {
            position: String::new(),
            best: String::new(),
            depth: 3,
            nodes: 0,
            expanded,
            seconds: 0.0,
            processor_seconds: 0.0,
            branching: 0.0,
            cutoffs: 0,
            first_move_cutoffs: 0,
            iterations: Vec::new(),
        };
        let say = |mine: &[u64], theirs: &[u64], tests| {
            let [mine, theirs] =
                [mine, theirs].map(|it| it.iter().map(|n| searched(*n)).collect::<Vec<_>>());
            let pairs: Vec<_> = mine.iter().zip(&theirs).collect();
            size("new", "old", "here", &pairs, tests).unwrap()
        };
        let fewer = say(&[50; 8], &[100; 8], 1);
        assert!(
            fewer.contains("new expands fewer positions, 50 % of the positions of old"),
            "{fewer}"
        );
        let more = say(&[100; 8], &[4; 8], 1);
        assert!(more.contains("new expands more positions, 25 times as many as old"), "{more}");
        // Corrected for many comparisons, the same is not enough; nor are few positions.
        for open in [
            say(&[50; 8], &[100; 8], 10),
            say(&[1, 1], &[9, 9], 1),
            say(&[5, 9, 5, 9], &[9, 5, 9, 5], 1),
        ] {
            assert!(
                open.contains("not distinguishable") && !open.contains("fewer positions,"),
                "{open}"
            );
        }
    }
}
