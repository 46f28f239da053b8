//! Type-erased strategies: for the game on any table, with moves as text.

use agon_core::{Game, History, Variant};
use agon_games::{Playable, Table, Visitor};

use crate::agents;
use crate::at_hand::AtHand;
use crate::book::shelf::{self, Chosen};
use crate::budget::Budget;
use crate::report::{Choice, Iteration};
use crate::spec::{AgentError, AgentSpec};
use crate::strategy::{Reporter, Root, Strategy};

/// Picks moves for a game on a [`Table`].
pub trait Adviser: Send {
    /// Picks a move for the player to move, within the budget; `None` if the game is over.
    fn choose(
        &mut self,
        table: &dyn Table,
        budget: &Budget,
        report: Reporter<'_, String>,
    ) -> Option<Choice<String>>;

    /// The search it delegates to, as an agent's text, where its own text does not say.
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
    let (catalog, variant) = (table.catalog(), table.variant());
    let at_hand = &AtHand::of(catalog, variant, spec)?;
    let book = shelf::chosen(catalog, variant, spec)?;
    let built = catalog.with_game(variant, Builder { spec, at_hand, book, seed });
    built.map_err(|error| AgentError::new(spec, error.to_string()))?
}

struct Builder<'a> {
    spec: &'a AgentSpec,
    at_hand: &'a AtHand,
    book: Option<Chosen>,
    seed: u64,
}

impl Visitor for Builder<'_> {
    type Output = Result<Box<dyn Adviser>, AgentError>;

    fn visit<G: Playable>(self, _: Variant, start: G) -> Self::Output {
        let strategy = agents::build_with(self.spec, &start, self.at_hand, self.seed)?;
        let strategy = agents::with_book(strategy, self.book, self.seed);
        Ok(Box::new(TypedAdviser { start, strategy, seen: None }))
    }
}

struct TypedAdviser<G: Game> {
    start: G,
    strategy: Box<dyn Strategy<G>>,
    /// The game at the last call, so that only the moves since then are replayed.
    seen: Option<Replay<G>>,
}

/// The game on a table, played again with types.
struct Replay<G> {
    custom_start: Option<String>,
    played: Vec<String>,
    position: G,
    history: History,
}

impl<G: Playable> Replay<G> {
    /// The beginning of the game on the table. `None` if it is another game's table.
    fn begin(start: &G, table: &dyn Table) -> Option<Replay<G>> {
        let custom_start = table.custom_start().map(str::to_string);
        let position = match &custom_start {
            Some(text) => start.read_position(text).ok()?,
            None => start.clone(),
        };
        let history = History::new(&position);
        Some(Replay { custom_start, played: Vec::new(), position, history })
    }

    /// Whether the game on the table is this one, or its continuation.
    fn leads_to(&self, table: &dyn Table) -> bool {
        self.custom_start.as_deref() == table.custom_start()
            && table.played().starts_with(&self.played)
    }

    /// Plays the moves on the table that are missing here.
    fn catch_up(&mut self, table: &dyn Table) -> Option<()> {
        for text in table.played().get(self.played.len()..)? {
            let mv = self.position.read_move(text).ok()?;
            let progress = self.position.play(mv);
            self.history.push(&self.position, progress);
            self.played.push(text.clone());
        }
        Some(())
    }
}

/// The game on the table, played again with types. `None` if it is another game's table.
pub(crate) fn replay<G: Playable>(start: &G, table: &dyn Table) -> Option<(G, History)> {
    let mut replay = Replay::begin(start, table)?;
    replay.catch_up(table)?;
    Some((replay.position, replay.history))
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
        let mut replay = match self.seen.take().filter(|seen| seen.leads_to(table)) {
            Some(seen) => seen,
            None => Replay::begin(&self.start, table)?,
        };
        replay.catch_up(table)?;
        let Replay { position, history, .. } = &*self.seen.insert(replay);
        let mut in_text = |iteration: &Iteration<G::Move>| {
            let Iteration { depth, rank, score, nodes, expanded, time, ref pv } = *iteration;
            let pv = line_text(position, pv);
            report(&Iteration { depth, rank, score, pv, nodes, expanded, time });
        };
        let root = Root { position, history };
        let choice = self.strategy.choose(root, budget, &mut in_text);
        Some(Choice {
            mv: position.move_text(choice.mv),
            score: choice.score,
            pv: line_text(position, &choice.pv),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adviser_that_follows_a_game_sees_what_a_new_one_sees() {
        let variant = "congo".parse().unwrap();
        let spec = "alphabeta:depth=1".parse().unwrap();
        let mut table = agon_games::open(&variant).unwrap();
        let mut following = adviser(&*table, &spec, 0).unwrap();
        let mut same_answer = |table: &dyn Table| {
            let mut fresh = adviser(table, &spec, 0).unwrap();
            let ask = |agent: &mut Box<dyn Adviser>| {
                let choice = agent.choose(table, &Budget::default(), &mut |_| {}).unwrap();
                (choice.pv, choice.score)
            };
            assert_eq!(ask(&mut following), ask(&mut fresh), "{}", table.position());
        };
        let mut rng = agon_core::Rng::new(1);
        for ply in 0..60 {
            // Now and then a move is taken back, and once the game starts from another position.
            if ply % 7 == 6 {
                table.undo();
            }
            if ply == 40 {
                table.set_position("3l3/7/7/7/7/6P/3L3 w 0").unwrap();
            }
            let Some(mv) = table.random_move(&mut rng) else { break };
            table.play(&mv).unwrap();
            if table.to_move().is_some() {
                same_answer(&*table);
            }
        }
    }
}
