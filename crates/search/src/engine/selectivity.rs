//! What is cut off, skipped, reduced or extended: the unsound shortcuts, and how static evaluations
//! are corrected. [`search`](super::search) has the summary.

use agon_core::evaluate::EVALUATION_LIMIT;
use agon_core::{Hints, Progress};

use super::parameters as p;
use super::reductions::PLY;
use super::search::{Course, Node};
use super::searcher::{Outlook, Question, Searcher, is_forced};
use super::table::{Bound, Entry};
use crate::budget::Stopped;

/// A singular move was found by a search that was at most so many plies less deep.
const SINGULAR_SHALLOWER: i32 = 3;
/// The unit of the margin of singular moves.
const TENTHS: i32 = 10;

/// What decides about late moves of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    pub(super) depth: i32,
    pub(super) alpha: i32,
    pub(super) evaluation: Option<i32>,
    pub(super) improving: bool,
    pub(super) cut: bool,
}

/// What a search without the table's move says about that move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It is to be searched so many plies deeper.
    Further(i32),
    /// Others are good enough, too: the node can be cut off with this value.
    CutOff(i32),
}

impl<G: Hints> Searcher<'_, G> {
    /// The evaluation of a position that is not tense, from the table if it is there.
    #[inline]
    pub(super) fn look(
        &mut self,
        position: &G,
        me: agon_core::Seat,
        ply: usize,
        known: Option<&Entry>,
    ) -> Outlook {
        let stored = known.and_then(|entry| entry.evaluation);
        let raw = stored.unwrap_or_else(|| self.evaluate(position, me));
        if !self.switches.corrections {
            return Outlook { raw, corrected: raw, sight: None };
        }
        let corrections = &self.experience.corrections;
        let sight = corrections.sight(position, me, &self.context(ply));
        let corrected = raw + corrections.of::<G>(&sight, self.parameters);
        let limit = EVALUATION_LIMIT - 1;
        Outlook { raw, corrected: corrected.clamp(-limit, limit), sight: Some(sight) }
    }

    /// Learns how far the evaluation of a node was from the value that its search found, where they
    /// can be compared: captures change what an evaluation is about, and a bound says nothing on the
    /// side where it is open.
    #[inline]
    pub(super) fn learn_error(
        &mut self,
        question: &Question<'_, G>,
        outlook: &Outlook,
        course: &Course,
        bound: Bound,
    ) {
        let Some(sight) = &outlook.sight else { return };
        let difference = course.best - outlook.corrected;
        let says_nothing = match bound {
            Bound::Exact => false,
            Bound::Lower => difference <= 0,
            Bound::Upper => difference >= 0,
        };
        if says_nothing || !course.is_quiet || is_forced(course.best) {
            return;
        }
        self.experience.corrections.learn::<G>(sight, question.depth, difference);
    }

    /// Whether the evaluation of the side to move has improved since its last turn.
    #[inline]
    pub(super) fn is_improving(&self, ply: usize, evaluation: Option<i32>) -> bool {
        let before = ply.checked_sub(2).and_then(|ply| self.frames[ply].evaluation);
        matches!((before, evaluation), (Some(before), Some(now)) if now > before)
    }

    /// The value of a null-window node that can be cut off by its static evaluation, or after a null
    /// move.
    #[inline]
    pub(super) fn is_clear<const PV: bool>(
        &mut self,
        question: &Question<'_, G>,
        known: Option<&Entry>,
        outlook: Option<Outlook>,
    ) -> Result<Option<i32>, Stopped> {
        let Question { beta, depth, ply, .. } = *question;
        let Some(Outlook { corrected, .. }) = outlook else { return Ok(None) };
        let evaluation = known.map_or(corrected, |entry| entry.refine(corrected));
        if PV || is_forced(beta) || evaluation < beta {
            return Ok(None);
        }
        let p = self.parameters;
        let plies = depth - i32::from(self.is_improving(ply, Some(corrected)));
        if self.switches.pruning
            && depth <= p.enough_depth
            && evaluation - p::scaled::<G>(p.enough_margin) * plies >= beta
        {
            return Ok(Some(evaluation));
        }
        self.pass(question)
    }

    /// The value of a node where even passing is good enough.
    fn pass(&mut self, question: &Question<'_, G>) -> Result<Option<i32>, Stopped> {
        let Question { position, me, beta, depth, ply, .. } = *question;
        let p = self.parameters;
        let may_pass = self.switches.nullmove
            && depth >= p.null_depth
            && ply > 0
            && self.frames[ply - 1].slot.is_some();
        if !may_pass {
            return Ok(None);
        }
        // There is an evaluation, so the position is not tense.
        let Some(passed) = position.pass() else { return Ok(None) };
        if self.may_stop {
            self.watch.check(self.statistics.nodes)?;
        }
        self.statistics.nodes += 1;
        self.history.push(&passed, Progress::Irreversible);
        self.evaluation.play(position, None, &passed);
        self.frames[ply].slot = None;
        let reduction = p.null_base + depth / p.null_divisor;
        let value = -self.node::<false>(Question {
            position: &passed,
            me: me.opponent(),
            alpha: -beta,
            beta: 1 - beta,
            depth: depth - 1 - reduction,
            ply: ply + 1,
            cut: !question.cut,
        })?;
        self.undo();
        // A null move does not prove a forced result.
        Ok((value >= beta).then_some(if is_forced(value) { beta } else { value }))
    }

    /// Whether the move of the table is so much better than all others that it deserves a deeper
    /// search, or others are good enough as well. The question is asked at half the depth.
    #[inline]
    pub(super) fn singular(
        &mut self,
        question: &Question<'_, G>,
        node: &Node,
        number: u16,
    ) -> Result<Verdict, Stopped> {
        let Question { depth, ply, beta, .. } = *question;
        let none = Ok(Verdict::Further(0));
        let Some(entry) = node.known else { return none };
        let is_candidate = self.switches.singular
            && node.excluded.is_none()
            && depth >= self.parameters.singular_depth
            && i32::from(entry.depth) + SINGULAR_SHALLOWER >= depth
            && entry.bound != Bound::Upper
            && !is_forced(entry.value)
            && ply < p::EXTENSION_LIMIT * self.iteration;
        if !is_candidate {
            return none;
        }
        let margin = p::scaled::<G>(self.parameters.singular_margin * depth) / TENTHS;
        let target = entry.value - margin.max(1);
        let others =
            Question { alpha: target - 1, beta: target, depth: (depth - 1) / 2, ..*question };
        let value = self.moves::<false>(others, Node { excluded: Some(number), ..*node })?;
        Ok(if value < target {
            let double = p::scaled::<G>(self.parameters.singular_double);
            Verdict::Further(1 + i32::from(value < target - double))
        } else if target >= beta {
            Verdict::CutOff(target)
        } else {
            Verdict::Further(0)
        })
    }

    /// How many moves of a node come before the late ones.
    #[inline]
    pub(super) fn first_late(&self) -> usize {
        self.parameters.reduction_moves as usize
    }

    /// Whether a quiet move of a null-window node, and all that come after it, are not worth a
    /// search.
    #[inline]
    pub(super) fn is_hopeless(&self, late: &Late, searched: usize) -> bool {
        let Late { depth, alpha, evaluation, improving, .. } = *late;
        let Some(evaluation) = evaluation else { return false };
        if is_forced(alpha) {
            return false;
        }
        let p = self.parameters;
        let enough = p.late_base + p.late_factor * depth * depth / 100;
        let is_late =
            depth <= p.late_depth && searched as i32 >= enough / (2 - i32::from(improving));
        let is_futile = self.switches.pruning
            && depth <= p.futility_depth
            && evaluation + p::scaled::<G>(p.futility_base + p.futility_per_ply * depth) <= alpha;
        self.switches.skipping && is_late || is_futile
    }

    /// The reduction of a late quiet move, in plies.
    #[inline]
    pub(super) fn reduction<const PV: bool>(&self, late: &Late, searched: usize, past: i32) -> i32 {
        let p = self.parameters;
        if !self.switches.lmr || late.depth < p.reduction_depth {
            return 0;
        }
        let adjusted = self.reductions.of(late.depth, searched)
            + p.reduction_cut * i32::from(late.cut)
            + p.reduction_stagnant * i32::from(!late.improving)
            - p.reduction_pv * i32::from(PV)
            - past * PLY / p.reduction_history;
        (adjusted / PLY).clamp(0, late.depth - 2)
    }
}
