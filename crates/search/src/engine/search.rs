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
use agon_core::{Hints, Seat, Slot, Which};

use super::experience::{CONTEXTS, Context};
use super::parameters as p;
use super::picker::{Candidate, Guides, Picker, Stage};
use super::searcher::{LOWEST, Outlook, Question, Searcher, win_at};
use super::selectivity::{Late, Verdict};
use super::table::{Bound, Entry};
use crate::budget::Stopped;

/// What is known about a node before its moves are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) key: u64,
    pub(super) known: Option<Entry>,
    /// None if the position is tense.
    pub(super) outlook: Option<Outlook>,
    /// The number of a move to leave out: what are the others worth?
    pub(super) excluded: Option<u16>,
}

/// How the search of a node's moves goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// The best value so far.
    pub(super) best: i32,
    /// The number of the move that raised alpha last, and whether it is quiet.
    number: Option<u16>,
    pub(super) is_quiet: bool,
    searched: usize,
}

impl Default for Course {
    fn default() -> Course {
        Course { best: LOWEST, number: None, is_quiet: true, searched: 0 }
    }
}

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
        let outlook = self.outlook(&question, known);
        if let Some(value) = self.is_clear::<PV>(&question, known.as_ref(), outlook)? {
            return Ok(value);
        }
        let is_unknown = known.is_none_or(|entry| entry.best.is_none());
        if self.switches.iir && is_unknown && question.depth >= self.parameters.unknown_depth {
            question.depth -= 1;
        }
        self.moves::<PV>(question, Node { key, known, outlook, excluded: None })
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
    fn outlook(&mut self, question: &Question<'_, G>, known: Option<Entry>) -> Option<Outlook> {
        let Question { position, me, ply, .. } = *question;
        let wanted = self.switches.pruning || self.switches.nullmove || self.switches.corrections;
        let outlook = if wanted && !position.is_tense() {
            Some(self.look(position, me, ply, known.as_ref()))
        } else {
            None
        };
        self.frames[ply].evaluation = outlook.map(|outlook| outlook.corrected);
        outlook
    }

    /// Searches the moves of a node.
    pub(super) fn moves<const PV: bool>(
        &mut self,
        question: Question<'_, G>,
        node: Node,
    ) -> Result<i32, Stopped> {
        let Question { position, me, mut alpha, beta, depth, ply, cut } = question;
        let evaluation = node.outlook.map(|outlook| outlook.corrected);
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
        let late = Late { depth, alpha, evaluation, improving, cut };
        self.frames[ply + 1].killers = [None; 2];
        let context = self.context(ply);
        let mut picker = Picker::new(list, node.known.and_then(|entry| entry.best));
        let mut course = Course::default();
        while let Some((candidate, stage)) = self.pick(&mut picker, position, me, ply, &context) {
            if node.excluded == Some(candidate.number) {
                continue;
            }
            let is_quiet = stage == Stage::Quiet
                || stage == Stage::Remembered && position.urgency(candidate.mv).is_none();
            let can_skip = !PV && is_quiet && course.best > -EVALUATION_LIMIT;
            if can_skip && self.is_hopeless(&Late { alpha, ..late }, course.searched) {
                picker.skip_quiets();
                continue;
            }
            let further = match stage {
                Stage::Remembered => match self.singular(&question, &node, candidate.number)? {
                    Verdict::Further(plies) => extension.max(plies),
                    Verdict::CutOff(value) => {
                        self.give_list(picker.into_list());
                        return Ok(value);
                    }
                },
                _ => extension,
            };
            let slot = position.slot(candidate.mv);
            let child = self.play(position, (candidate.mv, slot), ply)?;
            let reduction = if is_quiet && course.searched >= self.first_late() {
                let past = self.experience.score(self.lessons(), me, &context, slot);
                self.reduction::<PV>(&late, course.searched, past)
            } else {
                0
            };
            let below = Question {
                position: &child,
                me: me.opponent(),
                alpha: -beta,
                beta: -alpha,
                depth: depth - 1 + further,
                ply: ply + 1,
                cut: !PV && !cut,
            };
            let value = self.child_value::<PV>(below, course.searched == 0, reduction)?;
            self.undo();
            course.searched += 1;
            if value > course.best {
                course.best = value;
                if value > alpha {
                    (course.number, course.is_quiet) = (Some(candidate.number), is_quiet);
                    alpha = value;
                    if PV {
                        self.improve_line(ply, candidate.mv);
                    }
                }
            }
            if alpha >= beta {
                self.cut_off(&question, &picker, is_quiet, &context, course.searched);
                break;
            }
        }
        self.give_list(picker.into_list());
        if node.excluded.is_none() {
            self.conclude(&question, &node, &course);
        }
        Ok(course.best)
    }

    /// Stores what was found at a node, and learns from it.
    #[inline]
    fn conclude(&mut self, question: &Question<'_, G>, node: &Node, course: &Course) {
        let (value, best) = (course.best, course.number);
        let bound = match value {
            _ if value >= question.beta => Bound::Lower,
            _ if best.is_some() => Bound::Exact,
            _ => Bound::Upper,
        };
        if let Some(outlook) = &node.outlook {
            self.learn_error(question, outlook, course, bound);
        }
        let depth = question.depth.clamp(0, 255) as u8;
        let evaluation = node.outlook.map(|outlook| outlook.raw);
        self.memorise(node.key, question.ply, Entry { value, evaluation, depth, bound, best });
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
        let bonus = (self.parameters.bonus_per_ply * depth).min(self.parameters.bonus_most);
        self.experience.learn(me, context, position.slot(last.mv), bonus);
        for candidate in before.iter().filter(|tried| position.urgency(tried.mv).is_none()) {
            self.experience.learn(me, context, position.slot(candidate.mv), -bonus);
        }
        self.experience.learn_answer(me, context, last.mv);
    }
}
