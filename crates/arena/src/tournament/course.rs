//! How the strength of the agents took its course: ratings or Elo after more and more games.

use std::collections::BTreeMap;

use super::summary::TournamentSummary;
use super::tally::Tally;
use crate::statistics::{Draws, Fit};

/// How many points a course has at most.
const MOST_POINTS: usize = 16;
/// Rounds are shown where there are at least so many; otherwise points are taken every few games.
const FEW_ROUNDS: u32 = 4;

/// A point of the course.
#[derive(Clone, PartialEq, Debug)]
pub struct CoursePoint {
    /// After how many rounds, or games.
    pub after: u64,
    /// The Elo or rating of every agent, by number; none before its first game.
    pub values: Vec<Option<f64>>,
}

/// The course of a tournament. Old points stay what they are, so they are computed once.
#[derive(Clone, Debug, Default)]
pub struct Course {
    fitted: BTreeMap<usize, Vec<Option<f64>>>,
    revisions: u64,
    /// Whether points are after rounds, not after games.
    pub by_round: bool,
    /// The points, in order.
    pub points: Vec<CoursePoint>,
}

impl Course {
    /// Brings the course up to date with the games of a tournament.
    pub fn update(&mut self, tally: &Tally, summary: &TournamentSummary) {
        if self.revisions != tally.revisions() {
            self.fitted.clear();
            self.revisions = tally.revisions();
        }
        self.by_round = summary.rounds >= FEW_ROUNDS;
        if !summary.history.is_empty() {
            self.by_round = true;
            let history = (1..).zip(&summary.history);
            self.points = history
                .map(|(after, values)| CoursePoint { after, values: values.clone() })
                .collect();
            thin(&mut self.points);
            return;
        }
        let marks = if self.by_round { round_ends(tally) } else { every_few_games(summary) };
        self.fitted.retain(|results, _| marks.iter().any(|(_, mark)| mark == results));
        let agents = summary.series.entrants.len();
        self.points = marks
            .into_iter()
            .map(|(after, results)| {
                let fit = || elo_after(summary, results, agents);
                let values = self.fitted.entry(results).or_insert_with(fit).clone();
                CoursePoint { after, values }
            })
            .collect();
    }
}

fn elo_after(summary: &TournamentSummary, results: usize, agents: usize) -> Vec<Option<f64>> {
    let results = summary.ledger.results().get(..results).unwrap_or_default();
    let fit = Fit::of(results, Draws::HalfWins);
    (0..agents as u32).map(|agent| fit.elo(agent).map(|elo| elo.value)).collect()
}

/// The ends of rounds, with the numbers of results until then; the last round may still go on.
fn round_ends(tally: &Tally) -> Vec<(u64, usize)> {
    let mut ends: Vec<(u64, usize)> = Vec::new();
    let played = tally.games().filter(|counted| !counted.game.is_forfeit());
    for (results, counted) in (1..).zip(played) {
        let round = u64::from(counted.game.round) + 1;
        match ends.last_mut() {
            Some((known, end)) if *known == round => *end = results,
            _ => ends.push((round, results)),
        }
    }
    thin(&mut ends);
    ends
}

/// Ever larger numbers of results, at regular steps, with the last one.
fn every_few_games(summary: &TournamentSummary) -> Vec<(u64, usize)> {
    let all = summary.ledger.results().len();
    let mut step = summary.series.entrants.len().max(2).next_power_of_two();
    while all / step >= MOST_POINTS {
        step *= 2;
    }
    let steps = (1..=all / step).map(|at| at * step);
    let last = Some(all).filter(|all| !all.is_multiple_of(step));
    steps.chain(last).map(|results| (results as u64, results)).collect()
}

/// Leaves every second, fourth, eighth, … and the last, so that those that are left were there before.
fn thin<T>(points: &mut Vec<T>) {
    let mut step = 1;
    while points.len() / step >= MOST_POINTS {
        step *= 2;
    }
    let count = points.len();
    let mut at = 0;
    points.retain(|_| {
        at += 1;
        at % step == 0 || at == count
    });
}

#[cfg(test)]
mod tests {
    use agon_search::StopFlag;

    use super::*;
    use crate::registry::Registry;
    use crate::store::Store;
    use crate::tournament::{read, run::run};

    fn course_of(text: &str) -> (Course, TournamentSummary) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cup.toml");
        let text = format!("variant = \"breakthrough:4x4\"\n{text}");
        std::fs::write(&file, text).unwrap();
        let tournament = read(&file, &Registry::built_in()).unwrap();
        let store = Store::open(folder.path()).unwrap();
        run(&tournament, Some(&store), 2, &StopFlag::default(), &mut |_| {}).unwrap();
        let series = store.find_tournament("cup").unwrap().unwrap();
        let mut tally = Tally::default();
        tally.update(&store, series.id).unwrap();
        let summary = tally.summary(series);
        let mut course = Course::default();
        course.update(&tally, &summary);
        let again = course.clone();
        course.update(&tally, &summary);
        assert_eq!(again.points, course.points);
        (course, summary)
    }

    const AGENTS: &str =
        "agents = [\"random\", \"greedy\", \"minimax:depth=1\", \"minimax:depth=2\"]\n";

    #[test]
    fn the_last_point_is_the_present() {
        let (course, summary) = course_of(&format!("format = \"gauntlet\"\ngames = 30\n{AGENTS}"));
        assert!(!course.by_round && course.points.len() > 5 && course.points.len() <= MOST_POINTS);
        let last = course.points.last().unwrap();
        assert_eq!(last.after, summary.ledger.games());
        for agent in 0..4 {
            let elo = summary.fit.elo(agent).map(|elo| elo.value);
            assert_eq!(last.values[agent as usize], elo);
        }
    }

    #[test]
    fn contests_and_many_rounds_are_shown_round_by_round() {
        let (course, summary) =
            course_of(&format!("format = \"contest\"\nrounds = 60\nsettled = 0.0\n{AGENTS}"));
        assert!(course.by_round && course.points.len() <= MOST_POINTS);
        let last = course.points.last().unwrap();
        assert_eq!(last.after, 60);
        let rating = summary.rating(1).map(|rating| rating.value);
        assert_eq!(last.values[1], rating);
        let (course, _) = course_of(&format!("format = \"swiss\"\nrounds = 5\n{AGENTS}"));
        let rounds: Vec<u64> = course.points.iter().map(|point| point.after).collect();
        assert_eq!(rounds, [1, 2, 3, 4, 5]);
    }
}
