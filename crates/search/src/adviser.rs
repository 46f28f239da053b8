//! The erased door: a strategy for whatever game is on the table, spoken to in text.

use agon_core::{Game, History, Variant};
use agon_games::{Playable, Table, Visitor, with_game};

use crate::agents;
use crate::budget::Budget;
use crate::report::{Choice, Iteration};
use crate::spec::{AgentError, AgentSpec};
use crate::strategy::{Reporter, Root, Strategy};

/// Somebody who picks moves for a game on a [`Table`].
pub trait Adviser: Send {
    /// Picks a move for the player to move, within the budget; `None` if the game is over.
    fn choose(
        &mut self,
        table: &dyn Table,
        budget: &Budget,
        report: Reporter<'_, String>,
    ) -> Option<Choice<String>>;

    /// What it uses, as an agent's text, where that is not plain from its own.
    fn method(&self) -> Option<String>;
}

/// Makes an adviser from an agent's text, for the variant on this table.
///
/// ```
/// use agon_search::{Budget, adviser};
/// let table = agon_games::open(&"breakthrough:5x5".parse().unwrap()).unwrap();
/// let mut agent = adviser(&*table, &"alphabeta:depth=2".parse().unwrap(), 0).unwrap();
/// let choice = agent.choose(&*table, &Budget::default(), &mut |_| {}).unwrap();
/// assert!(table.moves().contains(&choice.mv));
/// ```
pub fn adviser(
    table: &dyn Table,
    spec: &AgentSpec,
    seed: u64,
) -> Result<Box<dyn Adviser>, AgentError> {
    let built = with_game(table.variant(), Builder { spec, seed });
    built.map_err(|error| AgentError::new(spec, error.to_string()))?
}

struct Builder<'a> {
    spec: &'a AgentSpec,
    seed: u64,
}

impl Visitor for Builder<'_> {
    type Output = Result<Box<dyn Adviser>, AgentError>;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        let strategy = agents::build(self.spec, &start, self.seed)?;
        Ok(Box::new(TypedAdviser { start, strategy }))
    }
}

struct TypedAdviser<G: Game> {
    start: G,
    strategy: Box<dyn Strategy<G>>,
}

/// The game on the table, played again with types. `None` if it is another game's table.
pub(crate) fn replay<G: Playable>(start: &G, table: &dyn Table) -> Option<(G, History)> {
    let mut position = match table.custom_start() {
        Some(text) => start.read_position(text).ok()?,
        None => start.clone(),
    };
    let mut history = History::new(&position);
    for text in table.played() {
        let mv = position.read_move(text).ok()?;
        let progress = position.play(mv);
        history.push(&position, progress);
    }
    Some((position, history))
}

impl<G: Playable> Adviser for TypedAdviser<G> {
    fn method(&self) -> Option<String> {
        self.strategy.method()
    }

    fn choose(
        &mut self,
        table: &dyn Table,
        budget: &Budget,
        report: Reporter<'_, String>,
    ) -> Option<Choice<String>> {
        table.to_move()?;
        let (position, history) = replay(&self.start, table)?;
        let mut in_text = |iteration: &Iteration<G::Move>| {
            let Iteration { depth, rank, score, nodes, time, ref pv } = *iteration;
            report(&Iteration { depth, rank, score, pv: line_text(&position, pv), nodes, time });
        };
        let root = Root { position: &position, history: &history };
        let choice = self.strategy.choose(root, budget, &mut in_text);
        Some(Choice {
            mv: position.move_text(choice.mv),
            score: choice.score,
            pv: line_text(&position, &choice.pv),
            statistics: choice.statistics,
        })
    }
}

/// A line of moves as text.
pub(crate) fn line_text<G: Playable>(position: &G, line: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let text = |&mv: &G::Move| {
        let text = position.move_text(mv);
        position.play(mv);
        text
    };
    line.iter().map(text).collect()
}
