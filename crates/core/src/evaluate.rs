//! Judging a position without searching.

use std::fmt;
use std::sync::Arc;

use crate::game::Game;
use crate::model::Model;
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

/// An evaluation, ready to be used by a search: with the tables at hand, and with its model if it has
/// one.
pub struct Evaluator<G: Evaluate> {
    evaluation: Evaluation<G>,
    model: Option<Arc<G::Model>>,
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

impl<G: Evaluate> Evaluator<G> {
    /// An evaluation that uses no table itself.
    pub fn new(evaluation: Evaluation<G>, tables: &Tables) -> Evaluator<G> {
        Evaluator { evaluation, model: None, exact: None, tables: tables.clone() }
    }

    /// The same evaluation by its model, which knows more than the function.
    pub fn by_model(self, model: G::Model) -> Evaluator<G> {
        Evaluator { model: Some(Arc::new(model)), ..self }
    }

    /// The same evaluation, judging by a table.
    pub fn by_table(mut self, table: TableBytes, judge: JudgeByTable<G>) -> Evaluator<G> {
        self.exact = Some(Exact { judge, table });
        self
    }

    /// How good the position is for a seat; see [`Evaluation::judge`].
    #[inline]
    pub fn judge(&self, position: &G, seat: Seat) -> i32 {
        match (&self.model, &self.exact) {
            (Some(model), _) => model.judge(position, seat),
            (None, Some(Exact { judge, table })) => judge(position, seat, (**table).as_ref()),
            (None, None) => (self.evaluation.judge)(position, seat),
        }
    }

    /// The model that it judges by, if it does.
    #[inline]
    pub fn model(&self) -> Option<&G::Model> {
        self.model.as_deref()
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

impl<G: Evaluate> From<Evaluation<G>> for Evaluator<G> {
    fn from(evaluation: Evaluation<G>) -> Evaluator<G> {
        Evaluator::new(evaluation, &Tables::default())
    }
}

impl<G: Evaluate> Clone for Evaluator<G> {
    fn clone(&self) -> Self {
        let Evaluator { evaluation, model, exact, tables } = self;
        let exact = exact.as_ref().map(|exact| Exact { table: exact.table.clone(), ..*exact });
        let (model, tables) = (model.clone(), tables.clone());
        Evaluator { evaluation: *evaluation, model, exact, tables }
    }
}

impl<G: Evaluate> fmt::Debug for Evaluator<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Evaluator").field(&self.name()).finish_non_exhaustive()
    }
}

/// Games whose positions can be judged.
pub trait Evaluate: Game {
    /// The evaluations that are more than a function; [`NoModel`](crate::NoModel) if none is.
    type Model: Model<Self>;

    /// The evaluations of this game: first `simple`, then the strongest, then any others.
    fn evaluations() -> &'static [Evaluation<Self>];

    /// The model of the evaluation with this name, for positions of the same variant as `self`; `None`
    /// for one that is just its function. Both give the same values, unless the model is given other
    /// weights than those of the program: one for each feature, for an evaluation that has such weights;
    /// any other has no model then.
    fn model(
        &self,
        evaluation: &str,
        tables: &Tables,
        weights: Option<&[i32]>,
    ) -> Option<Self::Model> {
        let _ = (evaluation, tables, weights);
        None
    }

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
