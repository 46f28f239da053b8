//! The rating of an account: the mean over its last runs, and its best so far.

use std::collections::VecDeque;

/// The rating of an account.
#[derive(Clone, PartialEq, Debug)]
pub struct Rating {
    window: usize,
    /// The outcomes of the last runs, the latest last.
    outcomes: VecDeque<f64>,
    finished: u64,
    best: Option<f64>,
}

impl Rating {
    /// A rating over `window` runs, from the outcomes of the last runs and the totals so far.
    pub fn new(window: usize, last: &[f64], finished: u64, best: Option<f64>) -> Rating {
        let outcomes = last.iter().copied().skip(last.len().saturating_sub(window)).collect();
        Rating { window: window.max(1), outcomes, finished, best }
    }

    /// Adds the outcome of a run.
    pub fn add(&mut self, outcome: f64) {
        self.finished += 1;
        self.outcomes.push_back(outcome);
        if self.outcomes.len() > self.window {
            self.outcomes.pop_front();
        }
        if self.is_full()
            && let Some(current) = self.current()
        {
            self.best = Some(self.best.map_or(current, |best| best.max(current)));
        }
    }

    /// How many runs are finished.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// Whether enough runs are finished for the rating to count.
    pub fn is_full(&self) -> bool {
        self.finished >= self.window as u64
    }

    /// The mean over the last runs, or over all of them while there are fewer; `None` before the
    /// first.
    pub fn current(&self) -> Option<f64> {
        let sum: f64 = self.outcomes.iter().sum();
        (!self.outcomes.is_empty()).then(|| sum / self.outcomes.len() as f64)
    }

    /// The best rating since there were enough runs.
    pub fn best(&self) -> Option<f64> {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_window_counts_from_the_first_whole_one_on() {
        let mut rating = Rating::new(50, &[], 0, None);
        let add = |count: usize, outcome: f64, rating: &mut Rating| {
            (0..count).for_each(|_| rating.add(outcome));
        };
        add(30, 1.0, &mut rating);
        add(19, 0.0, &mut rating);
        assert_eq!(rating.current(), Some(30.0 / 49.0));
        assert_eq!(rating.best(), None);
        add(1, 0.0, &mut rating);
        assert_eq!((rating.current(), rating.best()), (Some(0.6), Some(0.6)));
        add(7, 2.0, &mut rating);
        assert_eq!(rating.current(), Some(0.74));
        add(20, 0.0, &mut rating);
        assert_eq!((rating.current(), rating.best()), (Some(0.34), Some(0.74)));
        assert_eq!(rating.finished(), 77);
        // As it is read again from a store.
        let again = Rating::new(50, &[0.5; 80], 77, Some(0.74));
        assert_eq!((again.current(), again.best()), (Some(0.5), Some(0.74)));
    }
}
