//! Judging a position without searching.

use std::fmt;

use crate::game::Game;
use crate::seat::Seat;
use crate::tables::{TableBytes, Tables};

/// No evaluation is this far from zero: beyond it are forced results.
pub const EVALUATION_LIMIT: i32 = 100_000;

/// A named way to judge a position.
#[derive(Debug)]
pub struct Evaluation<G> {
    /// The name in agents' texts, as in `eval=simple`.
    pub name: &'static str,
    /// What it takes into account, in a sentence.
    pub about: &'static str,
    /// How good the position is for a seat, in hundredths of the game's unit. The position is
    /// not over. Two-player evaluations are zero-sum: one side's value is the other's, negated.
    pub judge: fn(&G, Seat) -> i32,
}

impl<G> Clone for Evaluation<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Evaluation<G> {}

/// An evaluation, ready to be used by a search: with the tables at hand.
#[derive(Debug)]
pub struct Evaluator<G> {
    evaluation: Evaluation<G>,
    exact: Option<Exact<G>>,
    tables: Tables,
}

/// How to judge a position with a table.
struct Exact<G> {
    judge: JudgeByTable<G>,
    table: TableBytes,
}

/// Like [`Evaluation::judge`], for an evaluation that is better with a table.
pub type JudgeByTable<G> = fn(&G, Seat, &[u8]) -> i32;

impl<G> Evaluator<G> {
    /// An evaluation that uses no table itself.
    pub fn new(evaluation: Evaluation<G>, tables: &Tables) -> Evaluator<G> {
        Evaluator { evaluation, exact: None, tables: tables.clone() }
    }

    /// The same evaluation, judging by a table.
    pub fn by_table(mut self, table: TableBytes, judge: JudgeByTable<G>) -> Evaluator<G> {
        self.exact = Some(Exact { judge, table });
        self
    }

    /// How good the position is for a seat; see [`Evaluation::judge`].
    #[inline]
    pub fn judge(&self, position: &G, seat: Seat) -> i32 {
        match &self.exact {
            None => (self.evaluation.judge)(position, seat),
            Some(Exact { judge, table }) => judge(position, seat, (**table).as_ref()),
        }
    }

    /// The name of the evaluation.
    pub fn name(&self) -> &'static str {
        self.evaluation.name
    }

    /// The table that it judges by, if it does.
    pub fn table(&self) -> Option<&[u8]> {
        self.exact.as_ref().map(|exact| (*exact.table).as_ref())
    }

    /// All tables at hand.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }
}

impl<G> From<Evaluation<G>> for Evaluator<G> {
    fn from(evaluation: Evaluation<G>) -> Evaluator<G> {
        Evaluator::new(evaluation, &Tables::default())
    }
}

impl<G> Clone for Evaluator<G> {
    fn clone(&self) -> Self {
        let Evaluator { evaluation, exact, tables } = self;
        let exact = exact.as_ref().map(|exact| Exact { table: exact.table.clone(), ..*exact });
        Evaluator { evaluation: *evaluation, exact, tables: tables.clone() }
    }
}

impl<G> fmt::Debug for Exact<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("by a table")
    }
}

/// Games whose positions can be judged.
pub trait Evaluate: Game {
    /// The evaluations of this game: first `simple`, then the strongest, then any others.
    fn evaluations() -> &'static [Evaluation<Self>];

    /// The strongest evaluation, which searches use by default.
    fn best_evaluation() -> Evaluation<Self> {
        let all = Self::evaluations();
        *all.get(1).unwrap_or(&all[0])
    }

    /// The default depth of a fixed-depth search in this game.
    fn default_depth(&self) -> u32 {
        4
    }

    /// The evaluation with this name.
    fn evaluation(name: &str) -> Option<Evaluation<Self>> {
        Self::evaluations().iter().find(|evaluation| evaluation.name == name).copied()
    }
}
