//! The totals.

use std::collections::VecDeque;

use agon_arena::course_rating::CourseRating;

use super::event::{Finished, Totals};

/// How many finished runs are remembered, so that none is counted twice.
const REMEMBERED: usize = 1000;

/// Counts runs and their outcomes.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) totals: Totals,
    rating: Option<CourseRating>,
    finished: VecDeque<String>,
}

impl Tally {
    /// Sets the number of players at a table.
    pub(super) fn set_players(&mut self, players: usize) {
        self.rating.get_or_insert_with(|| CourseRating::new(players));
    }

    /// Whether a run was counted before.
    pub(super) fn has(&self, run: &str) -> bool {
        self.finished.iter().any(|finished| finished == run)
    }

    /// Counts a run that is over.
    pub(super) fn add(&mut self, run: &str, outcome: Option<f64>, moves: u64) -> Finished {
        if self.finished.len() == REMEMBERED {
            self.finished.pop_front();
        }
        self.finished.push_back(run.to_string());
        self.totals.finished += 1;
        if let (Some(rating), Some(outcome)) = (&mut self.rating, outcome)
            && rating.add_course_points(outcome)
        {
            self.totals.rated += 1;
            self.totals.mean = rating.current();
            self.totals.window = rating.games();
            self.totals.best = rating.best();
        }
        Finished { run: run.to_string(), outcome, moves, totals: self.totals }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_make_the_rating_of_the_course() {
        let mut tally = Tally::default();
        tally.set_players(3);
        for (run, outcome) in (0..49).map(|run| (run.to_string(), f64::from(run % 3))) {
            tally.add(&run, Some(outcome), 1);
        }
        assert_eq!((tally.totals.finished, tally.totals.best), (49, None));
        // An unknown outcome, or one that the course does not have, does not change the mean.
        let mean = tally.totals.mean;
        tally.add("a", None, 1);
        tally.add("b", Some(7.0), 1);
        tally.add("c", Some(f64::NAN), 1);
        assert_eq!((tally.totals.finished, tally.totals.rated), (52, 49));
        assert_eq!((tally.totals.mean, tally.totals.best), (mean, None));
        // 16 times 0, 1 and 2, then 0 and 2: 50 points in 50 games.
        tally.add("d", Some(2.0), 1);
        assert!(tally.totals.best.is_some_and(|best| (best - 1.0).abs() < 1e-9));
        assert!(tally.has("d") && tally.has("0") && !tally.has("e"));
    }
}
