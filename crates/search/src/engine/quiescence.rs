//! Quiescence search: exchanges are resolved before a position is evaluated.

use agon_core::{Hints, Which};

use super::parameters as p;
use super::picker::{Guides, Picker, Stage};
use super::searcher::{LOWEST, Question, Searcher};
use super::table::{Bound, Entry};
use crate::budget::Stopped;

impl<G: Hints> Searcher<'_, G> {
    /// The value of a position when only noisy moves are searched. The side to move may also stand
    /// pat, unless it is under pressure: then all of its moves are searched. `plies` is the depth
    /// within the quiescence search.
    pub(super) fn quiesce(
        &mut self,
        question: Question<'_, G>,
        plies: usize,
    ) -> Result<i32, Stopped> {
        let Question { position, me, mut alpha, beta, ply, .. } = question;
        if let Some(result) = self.foreseen(position, ply) {
            return Ok(result);
        }
        if ply >= p::MAX_PLY || plies >= p::DEEPEST_QUIESCENCE {
            return Ok(self.evaluate(position, me));
        }
        // Probing the table means waiting for memory: it pays off at the first ply, not for every
        // exchange below.
        let key = self.table_key(position);
        let known = if plies == 0 { self.remember(key, ply) } else { None };
        if let Some(entry) = known.filter(|entry| entry.answers(alpha, beta)) {
            return Ok(entry.value);
        }
        let is_tense = plies < p::TENSE_QUIESCENCE && position.is_tense();
        let mut best = LOWEST;
        let mut evaluation = None;
        if !is_tense {
            let is_new = known.is_none_or(|entry| entry.evaluation.is_none());
            let outlook = self.look(position, me, ply, known.as_ref());
            (best, evaluation) = (outlook.corrected, Some(outlook.raw));
            if best >= beta {
                if is_new && plies == 0 {
                    let bound = Bound::Lower;
                    self.memorise(
                        key,
                        ply,
                        Entry { value: best, evaluation, depth: 0, bound, best: None },
                    );
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let mut list = self.take_list();
        list.generate(position, if is_tense { Which::All } else { Which::Noisy });
        self.statistics.expanded += 1;
        if list.len() == 0 {
            self.give_list(list);
            return Ok(if is_tense { self.stuck(position, me, ply) } else { best });
        }
        let window = Question { alpha, ..question };
        self.exchanges(window, plies, list, best, (key, evaluation))
    }

    /// Searches the moves of a position in quiescence search.
    fn exchanges(
        &mut self,
        question: Question<'_, G>,
        plies: usize,
        list: super::picker::Candidates<G::Move>,
        mut best: i32,
        (key, evaluation): (u64, Option<i32>),
    ) -> Result<i32, Stopped> {
        let Question { position, me, mut alpha, beta, ply, .. } = question;
        let mut improved = false;
        let mut picker = Picker::new(list, None);
        let mut searched = 0;
        loop {
            let guides = Guides {
                experience: &*self.experience,
                lessons: self.lessons(),
                killers: [None; 2],
                context: [None; 2],
                seat: me,
            };
            let Some((candidate, stage)) = picker.pick(position, &guides) else { break };
            // A side that may stand pat can skip bad exchanges.
            if stage == Stage::Bad && evaluation.is_some() {
                break;
            }
            let child = self.play(position, (candidate.mv, position.slot(candidate.mv)), ply)?;
            let value = match self.settled(&child, me.opponent(), ply + 1) {
                Some(result) => -result,
                None if let Some(exact) = self.tabled(&child, ply + 1) => -exact,
                None => -self.quiesce(
                    Question {
                        position: &child,
                        me: me.opponent(),
                        alpha: -beta,
                        beta: -alpha,
                        depth: 0,
                        ply: ply + 1,
                        cut: false,
                    },
                    plies + 1,
                )?,
            };
            self.undo();
            searched += 1;
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    improved = true;
                }
            }
            if alpha >= beta {
                self.statistics.cutoffs += 1;
                self.statistics.first_move_cutoffs += u64::from(searched == 1);
                break;
            }
        }
        self.give_list(picker.into_list());
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if improved => Bound::Exact,
            _ => Bound::Upper,
        };
        let entry = Entry { value: best, evaluation, depth: 0, bound, best: None };
        if plies == 0 {
            self.memorise(key, ply, entry);
        }
        Ok(best)
    }
}
