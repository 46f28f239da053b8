//! The state of one search thread: its line, limits and counters.

use agon_core::evaluate::EVALUATION_LIMIT;
use agon_core::{Foreseen, Hints, History, LineEvaluator, Seat, Slot, Status, rng::mix};

use super::corrections::Sight;
use super::experience::{Context, Experience, Lessons};
use super::options::Switches;
use super::parameters::{self as p, Parameters};
use super::picker::Candidates;
use super::reductions::Reductions;
use super::table::{Entry, TranspositionTable};
use super::timing::Watch;
use crate::budget::Stopped;
use crate::report::Statistics;
use crate::score::Score;
use crate::tabled;

/// Below every value.
pub(super) const LOWEST: i32 = Score::LOWEST.value();
/// Above every value.
pub(super) const HIGHEST: i32 = Score::HIGHEST.value();

/// A win of the side to move at this ply.
pub(super) fn win_at(ply: usize) -> i32 {
    Score::win_in(ply as u32).value()
}

/// Whether a value is a forced result.
pub(super) fn is_forced(value: i32) -> bool {
    value.abs() > EVALUATION_LIMIT
}

/// A value as stored in the table: the distance of forced results counted from the position, not
/// the root.
pub(crate) fn to_table(value: i32, ply: usize) -> i32 {
    match is_forced(value) {
        true => value + value.signum() * ply as i32,
        false => value,
    }
}

/// The reverse of [`to_table`].
pub(crate) fn from_table(value: i32, ply: usize) -> i32 {
    match is_forced(value) {
        true => value - value.signum() * ply as i32,
        false => value,
    }
}

/// The state of one ply of the current line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<M> {
    /// The slot of the move played here; none for a null move.
    pub(super) slot: Option<Slot>,
    /// The static evaluation, if there was one.
    pub(super) evaluation: Option<i32>,
    /// The killer moves of this ply.
    pub(super) killers: [Option<M>; 2],
}

/// A position to search, with its window and depth.
#[derive(Debug)]
pub(super) struct Question<'a, G> {
    pub(super) position: &'a G,
    /// The side to move.
    pub(super) me: Seat,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    /// Plies below the root.
    pub(super) ply: usize,
    /// Whether a cut-off is expected.
    pub(super) cut: bool,
}

/// The static evaluation of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// What the evaluation says.
    pub(super) raw: i32,
    /// The same, corrected by what its errors have been.
    pub(super) corrected: i32,
    /// Where its error is learned.
    pub(super) sight: Option<Sight>,
}

/// One thread's search.
pub(super) struct Searcher<'a, G: Hints> {
    pub(super) switches: Switches,
    pub(super) exact: bool,
    pub(super) parameters: &'a Parameters,
    pub(super) reductions: &'a Reductions,
    pub(super) evaluation: LineEvaluator<G>,
    pub(super) table: &'a TranspositionTable,
    pub(super) watch: &'a Watch,
    pub(super) experience: &'a mut Experience<G::Move>,
    pub(super) statistics: Statistics,
    pub(super) history: History,
    /// The depth of the iteration.
    pub(super) iteration: usize,
    /// `false` until the first iteration is complete.
    pub(super) may_stop: bool,
    root_plies: usize,
    /// One for each ply of the line.
    pub(super) frames: Vec<Frame<G::Move>>,
    lines: Vec<Vec<G::Move>>,
    spare: Vec<Candidates<G::Move>>,
}

impl<'a, G: Hints> Searcher<'a, G> {
    /// A search that starts after `history`.
    pub(super) fn new(
        switches: Switches,
        exact: bool,
        (parameters, reductions): (&'a Parameters, &'a Reductions),
        evaluation: LineEvaluator<G>,
        (table, watch): (&'a TranspositionTable, &'a Watch),
        experience: &'a mut Experience<G::Move>,
        history: &History,
    ) -> Self {
        let frame = Frame { slot: None, evaluation: None, killers: [None; 2] };
        Searcher {
            switches,
            exact,
            parameters,
            reductions,
            evaluation,
            table,
            watch,
            experience,
            statistics: Statistics::default(),
            history: history.clone(),
            iteration: 0,
            may_stop: false,
            root_plies: history.plies(),
            frames: vec![frame; p::MAX_PLY + 2],
            lines: vec![Vec::new(); p::MAX_PLY + 2],
            spare: Vec::new(),
        }
    }

    /// Plays a move, given with its slot: one node. Every call is followed by
    /// [`undo`](Searcher::undo).
    #[inline]
    pub(super) fn play(
        &mut self,
        position: &G,
        (mv, slot): (G::Move, Slot),
        ply: usize,
    ) -> Result<G, Stopped> {
        if self.may_stop {
            self.watch.check(self.statistics.nodes)?;
        }
        self.statistics.nodes += 1;
        let (child, progress) = position.after(mv);
        if self.switches.tt && !self.exact {
            self.table.prefetch(child.key());
        }
        self.history.push(&child, progress);
        self.evaluation.play(position, Some(mv), &child);
        self.frames[ply].slot = Some(slot);
        Ok(child)
    }

    /// Returns to the root after an interrupted search.
    pub(super) fn rewind(&mut self) {
        self.evaluation.rewind();
        while self.history.plies() > self.root_plies {
            self.history.pop();
        }
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn undo(&mut self) {
        self.history.pop();
        self.evaluation.undo();
    }

    /// The value of a position where the game is over, for `me`.
    #[inline]
    pub(super) fn settled(&self, position: &G, me: Seat, ply: usize) -> Option<i32> {
        let status = if self.exact {
            self.history.status(position)
        } else if self.history.recurs(ply) {
            return Some(Score::DRAW.value());
        } else if self.history.is_too_long() {
            self.history.status(position)
        } else {
            position.status()
        };
        match status {
            Status::ToMove(_) => None,
            Status::Over(outcome) => Some(Score::of(&outcome, me, ply as u32).value()),
        }
    }

    /// The value of a position whose player has no move.
    pub(super) fn stuck(&self, position: &G, me: Seat, ply: usize) -> i32 {
        Score::of(&position.when_stuck(), me, ply as u32).value()
    }

    /// A result that game knowledge proves without a search.
    #[inline]
    pub(super) fn foreseen(&self, position: &G, ply: usize) -> Option<i32> {
        if !self.switches.foresight {
            return None;
        }
        match position.foreseen()? {
            Foreseen::Win(plies) => Some(win_at(ply + plies as usize)),
            Foreseen::Loss(plies) => Some(-win_at(ply + plies as usize)),
            Foreseen::Draw => Some(Score::DRAW.value()),
            Foreseen::AtLeastDraw | Foreseen::AtMostDraw => None,
        }
    }

    /// The value of a position by the endgame tables.
    #[inline]
    pub(super) fn tabled(&self, position: &G, ply: usize) -> Option<i32> {
        if !self.switches.tablebase {
            return None;
        }
        match tabled::verdict(position, &self.history, self.evaluation.evaluator().tables())? {
            Foreseen::Win(plies) => Some(win_at(ply + plies as usize)),
            Foreseen::Loss(plies) => Some(-win_at(ply + plies as usize)),
            _ => Some(Score::DRAW.value()),
        }
    }

    /// The static evaluation of a position.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &G, me: Seat) -> i32 {
        self.statistics.evaluations += 1;
        Score::units(self.evaluation.judge(position, me)).value()
    }

    /// The table key of a position.
    #[inline]
    pub(super) fn table_key(&self, position: &G) -> u64 {
        if !self.exact {
            return position.key();
        }
        position.key() ^ mix(position.counters()) ^ mix(self.history.digest())
    }

    /// The table entry of a position, with the distance of forced results counted from the root.
    #[inline]
    pub(super) fn remember(&self, key: u64, ply: usize) -> Option<Entry> {
        let entry = if self.switches.tt { self.table.probe(key)? } else { return None };
        Some(Entry { value: from_table(entry.value, ply), ..entry })
    }

    /// Stores an entry for a position.
    #[inline]
    pub(super) fn memorise(&mut self, key: u64, ply: usize, entry: Entry) {
        if self.switches.tt {
            self.table.store(key, Entry { value: to_table(entry.value, ply), ..entry });
        }
    }

    /// The moves that led here, the latest first.
    #[inline]
    pub(super) fn context(&self, ply: usize) -> Context {
        std::array::from_fn(|back| self.frames[..ply].iter().nth_back(back)?.slot)
    }

    pub(super) fn lessons(&self) -> Lessons {
        let Switches { history, continuation, counters, .. } = self.switches;
        Lessons { history, continuation, counters }
    }

    /// A list for the moves of one position.
    pub(super) fn take_list(&mut self) -> Candidates<G::Move> {
        self.spare.pop().unwrap_or_default()
    }

    /// Returns a list for reuse.
    pub(super) fn give_list(&mut self, list: Candidates<G::Move>) {
        self.spare.push(list);
    }

    /// Clears the best line from a ply on.
    pub(super) fn clear_line(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// Sets the best line from a ply on to this move and the best line after it.
    pub(super) fn improve_line(&mut self, ply: usize, mv: G::Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }

    /// The best line from a ply on.
    pub(super) fn line(&self, ply: usize) -> &[G::Move] {
        &self.lines[ply]
    }
}
