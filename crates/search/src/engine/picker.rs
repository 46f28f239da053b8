//! Move ordering, sorted lazily.
//!
//! All moves come from one generation. The table move goes first, without scoring the others; then
//! noisy moves, the most urgent first; then quiet ones: killers, the counter-move, and the rest by
//! history; bad exchanges last.

use agon_core::sink::GO_ON;
use agon_core::{Flow, Hints, Seat, Sink, Slot, Which};

use super::experience::{Context, Experience, Lessons};
use super::parameters::BIAS_WEIGHT;

/// A move to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    /// Its index in generation order.
    pub(super) number: u16,
    /// Its ordering score, larger first.
    rank: i32,
}

/// Candidates, in a reusable list.
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
    /// Replaces the list by the moves of a position.
    pub(super) fn generate<G: Hints<Move = M>>(&mut self, position: &G, which: Which) {
        self.0.clear();
        let _ = position.generate(which, self);
    }

    /// How many there are, picked or not.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The stage in which a move was picked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    /// The table move.
    Remembered,
    /// A noisy move that does not lose material at first sight.
    Noisy,
    /// Killers, the counter-move, and the rest.
    Quiet,
    /// A noisy move that loses material at first sight.
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

/// Moves that come before all other quiet ones.
const FAVOURITES: usize = 3;

impl<M: Copy> Guides<'_, M> {
    /// The killers, then the counter-move.
    #[inline]
    fn favourite(&self, number: usize) -> Option<M> {
        match number {
            0 | 1 => self.killers[number],
            _ => self.experience.answer(self.lessons, self.seat, &self.context),
        }
    }
}

/// Hands out the candidates of one position, best first.
#[derive(Debug)]
pub(super) struct Picker<M> {
    list: Candidates<M>,
    stage: Stage,
    /// Candidates before this index have been picked.
    next: usize,
    /// The end of the noisy ones; the quiet ones end at `quiets`, and the bad ones follow.
    noisy: usize,
    quiets: usize,
    remembered: Option<u16>,
    /// Whether the candidates have been split into stages, and the quiet ones scored.
    divided: bool,
    ranked: bool,
    /// The next of [`Guides::favourite`] to try.
    favourite: usize,
}

impl<M: Copy + Eq> Picker<M> {
    /// Starts with the move of this index, if there is one.
    pub(super) fn new(list: Candidates<M>, remembered: Option<u16>) -> Self {
        let (noisy, quiets) = (list.len(), list.len());
        let stage = Stage::Remembered;
        let (divided, ranked, favourite) = (false, false, 0);
        Picker { list, stage, next: 0, noisy, quiets, remembered, divided, ranked, favourite }
    }

    /// The candidates picked so far, in order, including those that were skipped before the last
    /// one.
    pub(super) fn picked(&self) -> &[Candidate<M>] {
        &self.list.0[..self.next]
    }

    /// Returns the list for reuse.
    pub(super) fn into_list(self) -> Candidates<M> {
        self.list
    }

    /// The next move and its stage, if any is left.
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
            if !self.divided {
                self.divide(position);
            }
            if let Some(candidate) = self.best_before(self.noisy) {
                return Some((candidate, Stage::Noisy));
            }
            self.stage = Stage::Quiet;
        }
        if self.stage == Stage::Quiet {
            while self.favourite < FAVOURITES {
                self.favourite += 1;
                if let Some(candidate) = self.find_quiet(guides.favourite(self.favourite - 1)) {
                    return Some((candidate, Stage::Quiet));
                }
            }
            if !self.ranked {
                self.rank_quiets(position, guides);
            }
            if let Some(candidate) = self.best_before(self.quiets) {
                return Some((candidate, Stage::Quiet));
            }
            self.stage = Stage::Bad;
        }
        self.best_before(self.list.len()).map(|candidate| (candidate, Stage::Bad))
    }

    /// Skips the remaining quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        if self.stage == Stage::Quiet {
            (self.next, self.favourite) = (self.quiets, FAVOURITES);
        }
    }

    /// Splits the rest into good exchanges, quiet moves and bad exchanges.
    fn divide<G: Hints<Move = M>>(&mut self, position: &G) {
        self.divided = true;
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

    /// Takes this move out of the quiet ones, if it is there.
    #[inline]
    fn find_quiet(&mut self, mv: Option<M>) -> Option<Candidate<M>> {
        let (mv, waiting) = (mv?, &self.list.0[self.next..self.quiets.max(self.next)]);
        let place = self.next + waiting.iter().position(|candidate| candidate.mv == mv)?;
        self.list.0.swap(self.next, place);
        self.next += 1;
        Some(self.list.0[self.next - 1])
    }

    fn rank_quiets<G: Hints<Move = M>>(&mut self, position: &G, guides: &Guides<'_, M>) {
        self.ranked = true;
        let Guides { experience, lessons, context, seat, .. } = guides;
        for candidate in &mut self.list.0[self.next..self.quiets] {
            let slot: Slot = position.slot(candidate.mv);
            candidate.rank = experience.score(*lessons, *seat, context, slot)
                + BIAS_WEIGHT * position.bias(candidate.mv);
        }
    }

    /// Takes the best of the candidates before `end`.
    #[inline]
    fn best_before(&mut self, end: usize) -> Option<Candidate<M>> {
        let waiting = &mut self.list.0[self.next..end.max(self.next)];
        let (mut best, mut highest) = (0, waiting.first()?.rank);
        for (at, candidate) in waiting.iter().enumerate() {
            if candidate.rank > highest {
                (best, highest) = (at, candidate.rank);
            }
        }
        waiting.swap(0, best);
        let candidate = waiting[0];
        self.next += 1;
        Some(candidate)
    }
}
