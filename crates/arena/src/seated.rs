//! The players at the seats of a game: built-in strategies or external programs.

use agon_games::Table;
use agon_search::{Adviser, Budget, Strategy, adviser};

use crate::agent::{Agent, AgentKind};
use crate::player::{Answer, Breach, NoAnswer, Player, Turn};
use crate::remote::{Correspondent, TextBoard};
use crate::session::{Session, TypedBoard};
use crate::verdict::Fault;

/// A player of one game.
pub enum Seated<B: TextBoard, S> {
    /// A built-in strategy, made for this game.
    BuiltIn(S),
    /// A running program.
    Outside(Correspondent<B>),
}

/// A player of a game on typed positions.
pub(crate) type TypedPlayer<G> = Seated<TypedBoard<G>, Box<dyn Strategy<G>>>;

/// A player of a game on a table.
pub type TablePlayer = Seated<Box<dyn Table>, Box<dyn Adviser>>;

impl<B: TextBoard, S: Player<B>> Player<B> for Seated<B, S> {
    fn game_begins(&mut self, budget: &Budget) {
        match self {
            Seated::BuiltIn(strategy) => strategy.game_begins(budget),
            Seated::Outside(correspondent) => correspondent.game_begins(budget),
        }
    }

    fn answer(&mut self, turn: &Turn<'_, B>) -> Result<Answer<B::Move>, NoAnswer> {
        match self {
            Seated::BuiltIn(strategy) => strategy.answer(turn),
            Seated::Outside(correspondent) => correspondent.answer(turn),
        }
    }

    fn game_over(&mut self, session: &Session<B>) {
        match self {
            Seated::BuiltIn(strategy) => strategy.game_over(session),
            Seated::Outside(correspondent) => correspondent.game_over(session),
        }
    }
}

impl TablePlayer {
    /// Gets the agent ready to play; a program is started.
    pub fn new(agent: &Agent, table: &dyn Table, seed: u64) -> Result<TablePlayer, NoAnswer> {
        match agent.kind() {
            AgentKind::BuiltIn(spec) => {
                let made = adviser(table, spec, seed);
                let refused = |error| Breach::new(Fault::NoStart, format!("{error}"));
                Ok(Seated::BuiltIn(made.map_err(refused)?))
            }
            AgentKind::Outside(outside) => {
                Ok(Seated::Outside(Correspondent::new(Ok(outside.start(table.variant())?))))
            }
        }
    }
}
