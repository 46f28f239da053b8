//! The order in which moves are searched, found out only as far as it is needed.
//!
//! All moves come from one generation. The remembered move goes first, without a look at the
//! others; then those that change the balance, the most urgent first; then the quiet ones, killers
//! and answers before the rest by experience; last the bad exchanges.

use agon_core::sink::GO_ON;
use agon_core::{Flow, Hints, Seat, Sink, Slot, Which};

use super::experience::{Context, Experience, Lessons};
use super::parameters::{BIAS_WEIGHT, COUNTER_BONUS, KILLER_BONUS};

/// A move that waits for its turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// Its number in the order of generation.
    pub(super) number: u16,
    /// How early it should come.
    rank: i32,
}

/// Candidates, in a list that is used again and again.
#[derive(Clone, Debug)]
pub(super) struct Candidates<M>(Vec<Candidate<M>>);

impl<M> Default for Candidates<M> {
    fn default() -> Self {
        Candidates(Vec::new())
    }
}

impl<M> Sink<M> for Candidates<M> {
    #[inline]
    fn push(&mut self, mv: M) -> Flow {
        let number = self.0.len().min(usize::from(u16::MAX)) as u16;
        self.0.push(Candidate { mv, number, rank: 0 });
        GO_ON
    }
}

impl<M> Candidates<M> {
    /// The moves of a position in place of what was here.
    pub(super) fn generate<G: Hints<Move = M>>(&mut self, position: &G, which: Which) {
        self.0.clear();
        let _ = position.generate(which, self);
    }

    /// How many there are, picked or not.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// What kind of move was picked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    /// The remembered move.
    Remembered,
    /// Changes the balance, and not for the worse at first sight.
    Noisy,
    /// Killers, answers, and the rest.
    Quiet,
    /// Changes the balance, for the worse at first sight.
    Bad,
}

/// What the order of quiet moves depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guides<'a, M> {
    pub(super) experience: &'a Experience<M>,
    pub(super) lessons: Lessons,
    pub(super) killers: [Option<M>; 2],
    pub(super) context: Context,
    pub(super) seat: Seat,
}

/// Hands out the candidates of one position, best first.
#[derive(Debug)]
pub(super) struct Picker<M> {
    list: Candidates<M>,
    stage: Stage,
    /// Candidates before this place were picked.
    next: usize,
    /// Up to here the noisy ones, then to `quiets` the quiet ones, then the bad ones.
    noisy: usize,
    quiets: usize,
    remembered: Option<u16>,
    sorted: bool,
}

impl<M: Copy + Eq> Picker<M> {
    /// Begins with the move of this number, if there is one.
    pub(super) fn new(list: Candidates<M>, remembered: Option<u16>) -> Self {
        let (noisy, quiets) = (list.len(), list.len());
        let stage = Stage::Remembered;
        Picker { list, stage, next: 0, noisy, quiets, remembered, sorted: false }
    }

    /// The candidates picked so far, in their order; those that were skipped before the last one
    /// are among them.
    pub(super) fn picked(&self) -> &[Candidate<M>] {
        &self.list.0[..self.next]
    }

    /// Gives the list back to be used again.
    pub(super) fn into_list(self) -> Candidates<M> {
        self.list
    }

    /// Whether a move was picked, and which.
    pub(super) fn pick<G: Hints<Move = M>>(
        &mut self,
        position: &G,
        guides: &Guides<'_, M>,
    ) -> Option<(Candidate<M>, Stage)> {
        if self.stage == Stage::Remembered {
            self.stage = Stage::Noisy;
            let place = self.remembered.map(usize::from).filter(|&at| at < self.list.len());
            if let Some(at) = place {
                self.list.0.swap(0, at);
                self.next = 1;
                return Some((self.list.0[0], Stage::Remembered));
            }
        }
        if self.stage == Stage::Noisy {
            if !self.sorted {
                self.divide(position);
            }
            if let Some(candidate) = self.best_before(self.noisy) {
                return Some((candidate, Stage::Noisy));
            }
            self.stage = Stage::Quiet;
            self.rank_quiets(position, guides);
        }
        if self.stage == Stage::Quiet {
            if let Some(candidate) = self.best_before(self.quiets) {
                return Some((candidate, Stage::Quiet));
            }
            self.stage = Stage::Bad;
        }
        self.best_before(self.list.len()).map(|candidate| (candidate, Stage::Bad))
    }

    /// Passes over the quiet moves that are left.
    pub(super) fn skip_quiets(&mut self) {
        if self.stage == Stage::Quiet {
            self.next = self.quiets;
        }
    }

    /// Sorts the rest into good exchanges, quiet moves and bad exchanges.
    fn divide<G: Hints<Move = M>>(&mut self, position: &G) {
        self.sorted = true;
        let list = &mut self.list.0;
        let (mut at, mut noisy, mut quiets) = (self.next, self.next, list.len());
        while at < quiets {
            match position.urgency(list[at].mv) {
                None => at += 1,
                Some(urgency) if urgency < 0 => {
                    list[at].rank = urgency;
                    quiets -= 1;
                    list.swap(at, quiets);
                }
                Some(urgency) => {
                    list[at].rank = urgency;
                    list.swap(at, noisy);
                    noisy += 1;
                    at += 1;
                }
            }
        }
        (self.noisy, self.quiets) = (noisy, quiets);
    }

    fn rank_quiets<G: Hints<Move = M>>(&mut self, position: &G, guides: &Guides<'_, M>) {
        let Guides { experience, lessons, killers, context, seat } = guides;
        let answer = experience.answer(*lessons, *seat, context);
        for candidate in &mut self.list.0[self.next..self.quiets] {
            let mv = Some(candidate.mv);
            let slot: Slot = position.slot(candidate.mv);
            let mut rank = experience.score(*lessons, *seat, context, slot);
            rank += BIAS_WEIGHT * position.bias(candidate.mv);
            rank += if mv == killers[0] {
                KILLER_BONUS + 1
            } else if mv == killers[1] {
                KILLER_BONUS
            } else if mv == answer {
                COUNTER_BONUS
            } else {
                0
            };
            candidate.rank = rank;
        }
    }

    /// Takes the best of the candidates before `end`.
    #[inline]
    fn best_before(&mut self, end: usize) -> Option<Candidate<M>> {
        let waiting = &mut self.list.0[self.next..end.max(self.next)];
        let mut best = 0;
        for at in 1..waiting.len() {
            if waiting[at].rank > waiting[best].rank {
                best = at;
            }
        }
        if waiting.is_empty() {
            return None;
        }
        waiting.swap(0, best);
        let candidate = waiting[0];
        self.next += 1;
        Some(candidate)
    }
}
