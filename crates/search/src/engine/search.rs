//! How the engine searches.
//! A search to depth *d* asks: what is the position worth if both sides play optimally for *d*
//!plies? `Searcher::node` answers for one position by asking the same, one ply less deep, for each
//!position after a move; `Searcher::quiesce` answers at the bottom. Everything else here is about
//!avoiding most of these questions.
//!
//! **Windows.** The caller passes the value it already has (`alpha`) and the value that its
//! opponent will not allow (`beta`). A node whose value turns out to be `beta` or more is cut off:
//! it will not be reached. In a tree with good move ordering there are three kinds of node. On the
//! *principal variation* the window is open and the exact value is needed. After the first move of
//! a node, all others are only tested for being better at all: their window is empty
//! (`beta = alpha + 1`), and the answer is yes or no. Of these *null-window* nodes, *cut nodes* are
//! expected to have a refutation, and *all nodes* to have none. If a null-window search on the
//! principal variation fails high, it is repeated with the open window.
//!
//! **Order.** A cut node costs least if its refutation is tried first. The table holds the best
//! move of a position from earlier iterations; exchanges come next; then quiet moves by history
//! (`picker`, `experience`).
//!
//! **Sound shortcuts**: the transposition table, proven results (`foresight`), and mate-distance
//! pruning. **Unsound shortcuts**, each with a switch: positions that are far above `beta` are cut
//! off (`pruning`), as are those where even passing is good enough (`nullmove`); late quiet moves
//! are reduced (`lmr`) and re-searched if they fail high, or near the leaves skipped (`skipping`,
//! `pruning`); positions that are not in the table are searched less deeply (`iir`), forced ones
//! more deeply (`extensions`).
//!
//! **Draws.** A position that occurred before in the same line is scored as a draw at once, as it
//! could be repeated again; one from before the root needs as many occurrences as the rules
//! require. Counters that end a game are part of the positions and end it inside the tree as well.
//!
//! With `exact=on` only the sound shortcuts remain, the history rules apply literally, and two
//! positions share a table entry only if their histories are equivalent too: the value at the root
//! is then that of minimax to the same depth.

use agon_core::evaluate::EVALUATION_LIMIT;
use agon_core::{Hints, Progress, Seat, Slot, Which};

use super::experience::{CONTEXTS, Context};
use super::parameters as p;
use super::picker::{Candidate, Guides, Picker, Stage};
use super::reductions::late_reduction;
use super::searcher::{LOWEST, Question, Searcher, is_forced, win_at};
use super::table::{Bound, Entry};
use crate::budget::Stopped;

impl<G: Hints> Searcher<'_, G> {
    /// The value of a position, searched to a depth.
    pub(super) fn node<const PV: bool>(
        &mut self,
        mut question: Question<'_, G>,
    ) -> Result<i32, Stopped> {
        let Question { position, me, ply, .. } = question;
        self.clear_line(ply);
        if let Some(result) = self.settled(position, me, ply) {
            return Ok(result);
        }
        if let Some(exact) = self.tabled(position, ply) {
            return Ok(exact);
        }
        if question.depth <= 0 {
            return if self.switches.quiescence {
                self.quiesce(question, 0)
            } else {
                Ok(self.evaluate(position, me))
            };
        }
        if ply >= p::MAX_PLY {
            return Ok(self.evaluate(position, me));
        }
        // Mate-distance pruning: no line is better than a win with the next move, or worse than a
        // loss now.
        question.alpha = question.alpha.max(-win_at(ply));
        question.beta = question.beta.min(win_at(ply + 1));
        if question.alpha >= question.beta {
            return Ok(question.alpha);
        }
        // While the prefetched cache line is loading.
        if let Some(result) = self.foreseen(position, ply) {
            return Ok(result);
        }
        let key = self.table_key(position);
        let known = self.remember(key, ply);
        if let Some(value) = known.filter(|_| !PV).and_then(|entry| self.answer(&entry, &question))
        {
            return Ok(value);
        }
        let evaluation = self.outlook(&question, known);
        if let Some(value) = self.is_clear::<PV>(&question, evaluation)? {
            return Ok(value);
        }
        let is_unknown = known.is_none_or(|entry| entry.best.is_none());
        if self.switches.iir && is_unknown && question.depth >= p::REDUCTION_WITHOUT_MOVE {
            question.depth -= 1;
        }
        self.moves::<PV>(question, key, known, evaluation)
    }

    /// The value of a position from the table, if that answers the question.
    #[inline]
    fn answer(&self, entry: &Entry, question: &Question<'_, G>) -> Option<i32> {
        let depth = i32::from(entry.depth);
        let is_deep = if self.exact { depth == question.depth } else { depth >= question.depth };
        (is_deep && entry.answers(question.alpha, question.beta)).then_some(entry.value)
    }

    /// The static evaluation of a node, unless it is tense.
    #[inline]
    fn outlook(&mut self, question: &Question<'_, G>, known: Option<Entry>) -> Option<i32> {
        let Question { position, me, ply, .. } = *question;
        let wanted = self.switches.pruning || self.switches.nullmove;
        let evaluation = if wanted && !position.is_tense() {
            let stored = known.and_then(|entry| entry.evaluation);
            Some(stored.unwrap_or_else(|| self.evaluate(position, me)))
        } else {
            None
        };
        self.frames[ply].evaluation = evaluation;
        evaluation
    }

    /// Whether the evaluation of the side to move has improved since its last turn.
    #[inline]
    fn is_improving(&self, ply: usize, evaluation: Option<i32>) -> bool {
        let before = ply.checked_sub(2).and_then(|ply| self.frames[ply].evaluation);
        matches!((before, evaluation), (Some(before), Some(now)) if now > before)
    }

    /// Whether a null-window node can be cut off by its static evaluation, or after a null move.
    fn is_clear<const PV: bool>(
        &mut self,
        question: &Question<'_, G>,
        evaluation: Option<i32>,
    ) -> Result<Option<i32>, Stopped> {
        let Question { position, me, beta, depth, ply, .. } = *question;
        let Some(evaluation) = evaluation else { return Ok(None) };
        if PV || is_forced(beta) || evaluation < beta {
            return Ok(None);
        }
        let plies = depth - i32::from(self.is_improving(ply, Some(evaluation)));
        if self.switches.pruning
            && depth <= p::ENOUGH_DEPTH
            && evaluation - p::scaled::<G>(p::ENOUGH_MARGIN) * plies >= beta
        {
            return Ok(Some(evaluation));
        }
        let may_pass = self.switches.nullmove
            && depth >= p::NULL_DEPTH
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
        let value = -self.node::<false>(Question {
            position: &passed,
            me: me.opponent(),
            alpha: -beta,
            beta: 1 - beta,
            depth: depth - 1 - p::NULL_REDUCTION - depth / p::NULL_DIVISOR,
            ply: ply + 1,
            cut: !question.cut,
        })?;
        self.undo();
        // A null move does not prove a forced result.
        Ok((value >= beta).then_some(if is_forced(value) { beta } else { value }))
    }

    /// Searches the moves of a node.
    fn moves<const PV: bool>(
        &mut self,
        question: Question<'_, G>,
        key: u64,
        known: Option<Entry>,
        evaluation: Option<i32>,
    ) -> Result<i32, Stopped> {
        let Question { position, me, mut alpha, beta, depth, ply, cut } = question;
        let mut list = self.take_list();
        list.generate(position, Which::All);
        self.statistics.expanded += 1;
        if list.len() == 0 {
            self.give_list(list);
            return Ok(self.stuck(position, me, ply));
        }
        let is_forced_move = list.len() == 1 || evaluation.is_none() && position.is_tense();
        let extension = i32::from(
            self.switches.extensions && is_forced_move && ply < p::EXTENSION_LIMIT * self.iteration,
        );
        let improving = self.is_improving(ply, evaluation);
        self.frames[ply + 1].killers = [None; 2];
        let context = self.context(ply);
        let mut picker = Picker::new(list, known.and_then(|entry| entry.best));
        let (mut best, mut best_number, mut searched) = (LOWEST, None, 0);
        while let Some((candidate, stage)) = self.pick(&mut picker, position, me, ply, &context) {
            let is_quiet = stage == Stage::Quiet
                || stage == Stage::Remembered && position.urgency(candidate.mv).is_none();
            let can_skip = !PV && is_quiet && best > -EVALUATION_LIMIT;
            if can_skip && self.is_hopeless(depth, searched, alpha, evaluation, improving) {
                picker.skip_quiets();
                continue;
            }
            let slot = position.slot(candidate.mv);
            let child = self.play(position, (candidate.mv, slot), ply)?;
            let reduction = if is_quiet && searched >= p::LATE_REDUCTION_MOVES {
                let past = self.experience.score(self.lessons(), me, &context, slot);
                self.reduction::<PV>(depth, searched, past, improving, cut)
            } else {
                0
            };
            let below = Question {
                position: &child,
                me: me.opponent(),
                alpha: -beta,
                beta: -alpha,
                depth: depth - 1 + extension,
                ply: ply + 1,
                cut: !PV && !cut,
            };
            let value = self.child_value::<PV>(below, searched == 0, reduction)?;
            self.undo();
            searched += 1;
            if value > best {
                best = value;
                if value > alpha {
                    best_number = Some(candidate.number);
                    alpha = value;
                    if PV {
                        self.improve_line(ply, candidate.mv);
                    }
                }
            }
            if alpha >= beta {
                self.cut_off(&question, &picker, is_quiet, &context, searched);
                break;
            }
        }
        self.give_list(picker.into_list());
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best_number.is_some() => Bound::Exact,
            _ => Bound::Upper,
        };
        let depth = depth.clamp(0, 255) as u8;
        self.memorise(key, ply, Entry { value: best, evaluation, depth, bound, best: best_number });
        Ok(best)
    }

    #[inline]
    fn pick(
        &self,
        picker: &mut Picker<G::Move>,
        position: &G,
        seat: Seat,
        ply: usize,
        context: &[Option<Slot>; CONTEXTS],
    ) -> Option<(Candidate<G::Move>, Stage)> {
        let killers = if self.switches.killers { self.frames[ply].killers } else { [None; 2] };
        let guides = Guides {
            experience: &*self.experience,
            lessons: self.lessons(),
            killers,
            context: *context,
            seat,
        };
        picker.pick(position, &guides)
    }

    /// Whether a quiet move of a null-window node is not worth a search.
    #[inline]
    fn is_hopeless(
        &self,
        depth: i32,
        searched: usize,
        alpha: i32,
        evaluation: Option<i32>,
        improving: bool,
    ) -> bool {
        if is_forced(alpha) || evaluation.is_none() {
            return false;
        }
        let enough = (p::LATE_MOVES_BASE + depth * depth) / (2 - i32::from(improving));
        let late = depth <= p::LATE_MOVES_DEPTH && searched as i32 >= enough;
        let futile = evaluation.is_some_and(|evaluation| {
            self.switches.pruning
                && depth <= p::FUTILITY_DEPTH
                && evaluation + p::scaled::<G>(p::FUTILITY_BASE + p::FUTILITY_PER_PLY * depth)
                    <= alpha
        });
        self.switches.skipping && late || futile
    }

    /// The reduction of a late quiet move.
    #[inline]
    fn reduction<const PV: bool>(
        &self,
        depth: i32,
        searched: usize,
        past: i32,
        improving: bool,
        cut: bool,
    ) -> i32 {
        if !self.switches.lmr || depth < p::LATE_REDUCTION_DEPTH {
            return 0;
        }
        let plain = late_reduction(depth, searched);
        let adjusted = plain + i32::from(cut) + i32::from(!improving)
            - i32::from(PV)
            - past / p::HISTORY_PER_PLY;
        adjusted.clamp(0, depth - 2)
    }

    /// The value of a move for the side that makes it, within the window of [`Question`] `below`:
    /// first reduced, then with a null window, then in full, as far as necessary.
    pub(super) fn child_value<const PV: bool>(
        &mut self,
        below: Question<'_, G>,
        is_first: bool,
        reduction: i32,
    ) -> Result<i32, Stopped> {
        let Question { position, me, alpha, beta, depth, ply, cut } = below;
        if !self.switches.pvs {
            if reduction > 0 {
                let less = Question { alpha: beta - 1, depth: depth - reduction, ..below };
                let value = -self.node::<false>(less)?;
                if value <= -beta {
                    return Ok(value);
                }
            }
            return Ok(-self.node::<PV>(Question {
                position,
                me,
                alpha,
                beta,
                depth,
                ply,
                cut,
            })?);
        }
        let wide = Question { position, me, alpha, beta, depth, ply, cut };
        if is_first {
            return Ok(-self.node::<PV>(wide)?);
        }
        let narrow = |depth, cut| Question { position, me, alpha: beta - 1, beta, depth, ply, cut };
        let expects_cut = PV || cut;
        let first = narrow(depth - reduction, reduction > 0 || expects_cut);
        let mut value = -self.node::<false>(first)?;
        if value > -beta && reduction > 0 {
            value = -self.node::<false>(narrow(depth, expects_cut))?;
        }
        if PV && value > -beta && value < -alpha {
            value = -self.node::<true>(wide)?;
        }
        Ok(value)
    }

    /// Learns from a cut-off.
    fn cut_off(
        &mut self,
        question: &Question<'_, G>,
        picker: &Picker<G::Move>,
        is_quiet: bool,
        context: &Context,
        searched: usize,
    ) {
        let Question { position, me, depth, ply, .. } = *question;
        self.statistics.cutoffs += 1;
        self.statistics.first_move_cutoffs += u64::from(searched == 1);
        let Some((last, before)) = picker.picked().split_last().filter(|_| is_quiet) else {
            return;
        };
        let killers = &mut self.frames[ply].killers;
        if killers[0] != Some(last.mv) {
            *killers = [Some(last.mv), killers[0]];
        }
        self.experience.learn(me, context, position.slot(last.mv), depth, true);
        for candidate in before.iter().filter(|tried| position.urgency(tried.mv).is_none()) {
            self.experience.learn(me, context, position.slot(candidate.mv), depth, false);
        }
        self.experience.learn_answer(me, context, last.mv);
    }
}
