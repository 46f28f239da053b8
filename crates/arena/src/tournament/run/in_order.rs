//! The order of the schedule, whichever game ends first.

use std::collections::BTreeMap;

use crate::game_summary::FinishedGame;
use crate::workers::Jobs;

/// Puts games that arrive in any order into the order of their numbers.
pub(super) struct InOrder<'a> {
    jobs: &'a Jobs<'a>,
    due: u64,
    waiting: BTreeMap<u64, FinishedGame>,
}

impl<'a> InOrder<'a> {
    /// Before the first game of a batch.
    pub(super) fn new(jobs: &'a Jobs<'a>) -> InOrder<'a> {
        let mut order = InOrder { jobs, due: jobs.batch.first(), waiting: BTreeMap::new() };
        order.skip();
        order
    }

    /// Whether all games have been passed on.
    pub(super) fn is_over(&self) -> bool {
        self.due >= self.jobs.batch.first() + self.jobs.batch.games()
    }

    /// Passes over games that are never played.
    fn skip(&mut self) {
        while !self.is_over() && self.jobs.is_left_out(self.due) {
            self.due += 1;
        }
    }

    /// Takes a game, and passes on all that are due now.
    pub(super) fn take(&mut self, game: FinishedGame, turn: &mut dyn FnMut(FinishedGame)) {
        if game.summary.number != self.due {
            self.waiting.insert(game.summary.number, game);
            return;
        }
        let mut next = Some(game);
        while let Some(game) = next {
            turn(game);
            self.due += 1;
            self.skip();
            next = self.waiting.remove(&self.due);
        }
    }

    /// Whether games have arrived before which others are missing.
    pub(super) fn has_gaps(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Those games, in order.
    pub(super) fn into_waiting(self) -> impl Iterator<Item = FinishedGame> {
        self.waiting.into_values()
    }
}
