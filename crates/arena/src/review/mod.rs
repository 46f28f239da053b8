//! The review of a finished game: what every position was worth, which moves lost something, and how
//! well each player played.
//!
//! Every position is searched by itself, by a new agent with a budget of nodes. So the numbers depend on
//! nothing else: not on the machine, not on the order, and not on who asks. An *expected share* is the
//! part of a win that a player can expect, from 0 to 1; what a move costs is the share that its player
//! loses by it.

mod course;
mod summary;
#[cfg(test)]
mod tests;

use agon_core::TextError;
use agon_games::{Catalog, Table};
use agon_search::expected::{shares_of_line, shares_on};
use agon_search::spec::Role;
use agon_search::{AgentError, AgentSpec, Budget, StopFlag, adviser, agents};
use serde::{Deserialize, Serialize};

use crate::fingerprint::checksum;
use crate::score_json::ScoreJson;

pub use course::Course;
pub use summary::{Judgement, Phase, PhaseName, PlayerReview};

/// How many nodes each position gets unless somebody says otherwise.
pub const DEFAULT_NODES: u64 = 100_000;
/// The longest line that is kept of a search.
const LONGEST_LINE: usize = 16;

/// A game to be reviewed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// The variant.
    pub variant: String,
    /// The start position, if it is not the variant's own.
    pub start: Option<String>,
    /// All moves.
    pub moves: Vec<String>,
    /// How many of them nobody chose: those of an opening.
    pub opening: usize,
}

impl Game {
    /// A table at the start of the game.
    pub fn open(&self, catalog: &Catalog) -> Result<Box<dyn Table>, TextError> {
        let variant = self.variant.parse()?;
        catalog.open_at::<&str>(&variant, self.start.as_deref(), &[])
    }

    /// Tables at every position, from the start to the end.
    pub fn tables(&self, catalog: &Catalog) -> Result<Vec<Box<dyn Table>>, TextError> {
        let mut table = self.open(catalog)?;
        let mut tables = vec![table.fork()];
        for mv in &self.moves {
            table.play(mv)?;
            tables.push(table.fork());
        }
        Ok(tables)
    }
}

/// What a search thinks of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Opinion {
    /// The expected shares of all seats.
    pub shares: Vec<f64>,
    /// The score for the player to move; none if the game is over.
    pub score: Option<ScoreJson>,
    /// Whether it is known exactly: the game is over, or tables or a solver say so.
    pub exact: bool,
    /// The best move.
    pub best: Option<String>,
    /// The best line, beginning with it.
    pub line: Vec<String>,
}

/// The agent of a review at a table of `seats`, without its opening book: a book has no opinion on the
/// moves of others.
pub fn reviewer(text: &str, seats: usize) -> Result<AgentSpec, AgentError> {
    let mut spec: AgentSpec = text.parse()?;
    let book = agents::info(&spec.name).and_then(|info| info.option(Role::Book, seats));
    if let Some(book) = book.filter(|book| spec.option(book.name).is_none()) {
        spec.options.push((book.name.to_string(), "off".to_string()));
    }
    Ok(spec)
}

/// The name of a review: the same for the same game, agent and nodes, as long as searches find
/// the same.
pub fn key(game: &Game, agent: &AgentSpec, nodes: u64) -> String {
    let Game { variant, start, moves, opening } = game;
    let (start, moves) = (start.as_deref().unwrap_or_default(), moves.join(" "));
    let build = agon_search::bench::SIGNATURE;
    let text = format!("{build}\n{variant}\n{start}\n{moves}\n{opening}\n{agent}\n{nodes}");
    let mut key = checksum(text.as_bytes());
    key.truncate(24);
    key
}

/// What an agent thinks of the position on a table after so many nodes; `None` if it was stopped.
pub fn opinion(
    table: &dyn Table,
    agent: &AgentSpec,
    nodes: u64,
    stop: &StopFlag,
) -> Result<Option<Opinion>, AgentError> {
    let over = || Opinion {
        shares: rounded(shares_on(table)),
        score: None,
        exact: true,
        best: None,
        line: Vec::new(),
    };
    if table.status().to_move().is_none() {
        return Ok(Some(over()));
    }
    let mut searcher = adviser(table, agent, 0)?;
    let budget = Budget { stop: stop.clone(), ..Budget::nodes(nodes) };
    let Some(choice) = searcher.choose(table, &budget, &mut |_| {}) else {
        return Ok(Some(over()));
    };
    if stop.is_set() {
        return Ok(None);
    }
    let shares = match choice.score {
        Some(score) => shares_of_line(table, score, &choice.pv),
        None => shares_on(table),
    };
    let mut line = choice.pv;
    line.truncate(LONGEST_LINE);
    Ok(Some(Opinion {
        shares: rounded(shares),
        score: choice.score.map(ScoreJson::from),
        exact: choice.statistics.source.is_exact(),
        best: Some(choice.mv),
        line,
    }))
}

/// To four digits, which is more than they mean.
fn rounded(shares: Vec<f64>) -> Vec<f64> {
    shares.into_iter().map(|share| (share * 1e4).round() / 1e4).collect()
}

/// A position of a reviewed game, and the move that led to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReviewedPly {
    /// The move; none at the start.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Who made it.
    pub seat: Option<usize>,
    /// What the position is worth, and what should be played in it.
    #[serde(flatten)]
    pub opinion: Opinion,
    /// The expected share that the player lost by the move; none if it was not a choice.
    pub loss: Option<f64>,
    /// How good the move was, from 0 to 100.
    pub accuracy: Option<f64>,
    /// What to call it, if it was bad.
    pub judgement: Option<Judgement>,
}

/// A reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Review {
    /// The variant.
    pub variant: String,
    /// The start position, if it is not the variant's own.
    pub start: Option<String>,
    /// Who looked at it.
    pub agent: String,
    /// How many nodes each position got.
    pub nodes: u64,
    /// The names of the seats.
    pub seats: Vec<String>,
    /// Every position, from the start to the end.
    pub plies: Vec<ReviewedPly>,
    /// How every player did.
    pub players: Vec<PlayerReview>,
    /// The parts of the game.
    pub phases: Vec<Phase>,
    /// From which position on the winner was clearly ahead.
    pub decided_at: Option<usize>,
}
