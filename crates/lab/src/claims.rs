//! What may be said about the results, and how certain it is.
//!
//! Every meeting is a test of "these two are equally strong", exact for any number of games
//! ([`chance::exchange_test`]). The more tests an experiment makes, the likelier one of them looks
//! like a difference by chance, so they are corrected together: those with a fixed number of games by
//! Holm's method, sequential ones by dividing their errors by the number of all tests, which was done
//! when the file was read. Comparisons of the sizes of searches are tests of the same family. Each
//! kind gets its share of the 5 %.

pub mod chance;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use agon_arena::estimate::{Estimate, elo};
use agon_arena::fixture::group_size;
use agon_arena::statistics::normal::quantile;
use agon_arena::statistics::sprt::SprtVerdict;
use agon_arena::words;

use crate::experiment::{Comparison, Experiment, Meeting, budget_label};
use crate::results::{Found, Played, Results};
use crate::unit::Work;
use chance::{exchange_test, holm};

/// The risk that any claim of a report is wrong.
pub const RISK: f64 = 0.05;

/// How often a difference should be found that is as large as the smallest one that a table says it
/// could show.
const POWER: f64 = 0.8;

/// The same in words.
pub(crate) const POWER_IN_WORDS: &str = "four times out of five";

/// Beyond this a difference in score is not a matter of Elo any more.
const LARGEST_SCORE: f64 = 0.995;

/// What a test says about an agent and its opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// It is stronger.
    Better,
    /// It is weaker.
    Worse,
    /// They cannot be told apart.
    Open,
}

/// The test of one meeting.
#[derive(Clone, PartialEq, Debug)]
pub struct Test {
    /// Who met whom.
    pub meeting: Meeting,
    /// The index of the comparison, and that of the terms in it.
    pub place: (usize, usize),
    /// How many games were counted.
    pub games: u64,
    /// How many are missing. Before all are played nothing is claimed, or who looks often enough would
    /// find something by chance.
    pub missing: u64,
    /// The mean score, as a share of 1.
    pub score: Estimate,
    /// The same as a difference in Elo.
    pub elo: Estimate,
    /// Whom the games favour that the test counts.
    pub lead: Ordering,
    /// The probability of a result at least this lopsided between equals, corrected for all tests;
    /// `None` for a sequential test, whose bounds are corrected instead.
    pub p: Option<f64>,
    /// A sequential test: its hypotheses in Elo and its decision.
    pub sequential: Option<([f64; 2], SprtVerdict)>,
    /// What it says.
    pub finding: Finding,
}

/// The tests of all meetings with games, by the index of their unit.
pub fn tests(experiment: &Experiment, results: &Results) -> Vec<Option<Test>> {
    let mut tests: Vec<Option<Test>> = results
        .units
        .iter()
        .map(|(unit, found)| match (&unit.work, found) {
            (&Work::Games { comparison, terms, meeting }, Found::Games(played)) => {
                test(&experiment.comparisons[comparison], (comparison, terms), meeting, played)
            }
            _ => None,
        })
        .collect();
    let of_kind = |sequential: bool| -> usize {
        let those = experiment.comparisons.iter().filter(|it| it.sprt.is_some() == sequential);
        those.map(|it| it.meetings.len() * it.terms.len()).sum()
    };
    let (fixed, all) = (of_kind(false), experiment.tests());
    let raw: Vec<f64> = tests.iter().flatten().filter_map(|test| test.p).collect();
    let share = all as f64 / fixed.max(1) as f64;
    let mut corrected =
        holm(&raw, fixed).into_iter().map(|p| (p * share).min(1.0)).collect::<Vec<_>>().into_iter();
    for test in tests.iter_mut().flatten().filter(|test| test.p.is_some()) {
        test.p = corrected.next();
        test.finding = test.find();
    }
    tests
}

fn test(
    comparison: &Comparison,
    place: (usize, usize),
    meeting: Meeting,
    played: &Played,
) -> Option<Test> {
    let agent = played.ledger.agents().first()?;
    let (score, elo) = (agent.score()?, agent.elo()?);
    let sequential = comparison.sprt.map(|sprt| {
        let verdict = played.sprt.map_or(SprtVerdict::Continue, |state| state.verdict);
        (sprt.hypotheses(), verdict)
    });
    let groups = deviations(comparison.seats, played);
    let lead = groups.iter().map(|group| group[0]).sum::<i64>().cmp(&0);
    let p = if sequential.is_none() { Some(exchange_test(&groups)) } else { None };
    let (games, missing) = (played.ledger.games(), played.missing());
    let finding = Finding::Open;
    let mut test =
        Test { meeting, place, games, missing, score, elo, lead, p, sequential, finding };
    test.finding = test.find();
    Some(test)
}

/// How far each agent was from an even result in each group of games, the one that is judged first.
/// Groups that were not finished, and those that repeat an earlier one move by move, are left out: they
/// are not evidence, or not new.
fn deviations(seats: usize, played: &Played) -> Vec<Vec<i64>> {
    let mut groups: BTreeMap<u64, (Vec<i64>, Vec<u64>)> = BTreeMap::new();
    for game in &played.games {
        let (deviations, signatures) =
            groups.entry(game.group).or_insert_with(|| (vec![0; seats], Vec::new()));
        for (agent, deviation) in (0..).zip(deviations) {
            *deviation += game.deviation(agent);
        }
        signatures.push(game.signature);
    }
    let mut seen = BTreeSet::new();
    let whole = group_size(seats) as usize;
    let groups = groups.into_values().filter(|(_, games)| games.len() == whole);
    groups.filter(|(_, games)| seen.insert(games.clone())).map(|(group, _)| group).collect()
}

/// The smallest difference in Elo that so many independent games of one of `tests` meetings find four
/// times out of five, whatever the share of draws. `None` if no difference is that large.
pub fn detectable(games: u64, tests: usize) -> Option<f64> {
    let risk = RISK / tests.max(1) as f64;
    let errors = quantile(1.0 - risk / 2.0) + quantile(POWER);
    // A game has the largest spread if it is won or lost.
    let score = 0.5 + errors * 0.5 / (games.max(1) as f64).sqrt();
    (score < LARGEST_SCORE).then(|| elo(score))
}

/// What so many games of a meeting could show, in words. At a table of three, two seatings that differ
/// only in which of two equal opponents sits where may be the same game.
pub fn detectable_in_words(games: u64, seats: usize, tests: usize) -> String {
    let independent = if seats > 2 { games / 2 } else { games };
    let games = words::thousands(games);
    match detectable(independent, tests) {
        Some(elo) => {
            format!("{games} games find a difference of about {elo:.0} Elo {POWER_IN_WORDS}")
        }
        None => format!("{games} games are too few to find a difference reliably"),
    }
}

/// A probability in words: `p = 0.013`, `p < 0.001`.
pub fn p_in_words(p: f64) -> String {
    if p < 0.001 { "p < 0.001".into() } else { format!("p = {p:.3}") }
}

impl Test {
    fn find(&self) -> Finding {
        match (self.sequential, self.p) {
            (Some(([elo0, _], SprtVerdict::Accept1)), _) if elo0 >= 0.0 => Finding::Better,
            (Some(([_, elo1], SprtVerdict::Accept0)), _) if elo1 <= 0.0 => Finding::Worse,
            (None, Some(p)) if p < RISK && self.missing == 0 => match self.lead {
                Ordering::Greater => Finding::Better,
                Ordering::Less => Finding::Worse,
                Ordering::Equal => Finding::Open,
            },
            _ => Finding::Open,
        }
    }

    /// What it says, in a sentence that claims no more.
    pub fn sentence(&self, experiment: &Experiment) -> String {
        let comparison = &experiment.comparisons[self.place.0];
        let [agent, opponent] =
            [self.meeting.agent, self.meeting.opponent].map(|agent| experiment.name_of(agent));
        let alone = if comparison.seats > 2 { " (alone against two of it)" } else { "" };
        let place = self.place_in_words(comparison);
        let games = words::thousands(self.games);
        let result = format!(
            "{} of the score, {} Elo",
            words::percent(self.score.value),
            words::elo(self.elo)
        );
        match self.finding {
            Finding::Better => format!(
                "{agent} is stronger than {opponent}{alone}{place}: {result} in {games} games ({}).",
                self.certainty()
            ),
            Finding::Worse => format!(
                "{agent} is weaker than {opponent}{alone}{place}: {result} in {games} games ({}).",
                self.certainty()
            ),
            Finding::Open => match self.sequential {
                Some((hypotheses, verdict)) => {
                    let what = undecided(hypotheses, verdict);
                    format!(
                        "{agent} against {opponent}{place}: {what} ({result} in {games} games)."
                    )
                }
                None if self.missing > 0 => format!(
                    "{agent} against {opponent}{alone}{place}: {result} in {games} games so far; \
                     nothing is claimed before the {} missing ones are played.",
                    words::thousands(self.missing)
                ),
                None => format!(
                    "{agent} and {opponent}{alone}{place} are not distinguishable at 95 %: {result} \
                     in {games} games ({}); {}.",
                    self.certainty(),
                    detectable_in_words(self.games, comparison.seats, experiment.tests())
                ),
            },
        }
    }

    /// Where it was played, if the comparison has several terms.
    fn place_in_words(&self, comparison: &Comparison) -> String {
        let Some(terms) = comparison.terms.get(self.place.1).filter(|_| comparison.terms.len() > 1)
        else {
            return String::new();
        };
        format!(" in {} at {}", terms.variant, budget_label(&terms.pace))
    }

    /// How certain it is.
    fn certainty(&self) -> String {
        match self.p {
            Some(p) => format!("{} after correction", p_in_words(p)),
            None => "by its sequential test".to_string(),
        }
    }
}

/// What a sequential test says that found no better and no worse.
fn undecided([elo0, elo1]: [f64; 2], verdict: SprtVerdict) -> String {
    match verdict {
        SprtVerdict::Accept0 => format!("less than {elo1} Elo better, by the sequential test"),
        SprtVerdict::Accept1 => format!("at most {} Elo worse, by the sequential test", -elo0),
        SprtVerdict::Continue => {
            format!("the sequential test of {elo0} against {elo1} Elo is not decided")
        }
    }
}

#[cfg(test)]
mod tests;
