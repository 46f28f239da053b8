//! Analyses: a game with variations, comments, signs and evaluations.
//!
//! As JSON an analysis is a flat list of moves, each with the number of the move before it; as text it
//! is a game in the style of PGN ([`Analysis::text`], [`read`]). Both come from outside, so nothing is
//! believed: [`Analysis::check`] plays every line.

mod error;
#[cfg(test)]
mod fuzz;
mod replay;
mod reviewed;
#[cfg(test)]
mod tests;
mod text;

use std::collections::HashSet;

use agon_core::Variant;
use agon_core::evaluate::EVALUATION_LIMIT;
use agon_games::{Catalog, Table};
use agon_search::{Forced, Score};
use serde::{Deserialize, Serialize};

use crate::game_text::LONGEST_FORCED;
use crate::score_json::ScoreJson;
use crate::session::TableSession;
use replay::{Replayed, replay};

pub use error::{AnalysisError, Place};
pub use text::{Reading, read, read_any};

/// The most moves.
pub const NODES: usize = 10_000;
/// The longest line, in plies.
pub const PLIES: usize = 4000;
/// The longest comment, in characters.
pub const COMMENT: usize = 4000;
/// The longest title or name of a player, in characters.
pub const TITLE: usize = 200;
/// The longest text of a variant, in bytes.
const VARIANT: usize = 300;
/// The longest text of a position, in bytes.
const POSITION: usize = 8 << 10;
/// The most text in an analysis, in bytes.
pub const TEXT: usize = 1 << 20;

/// A game with variations, comments and evaluations.
///
/// ```
/// use agon_arena::analysis::{self, Analysis};
/// let catalog = agon_games::Catalog::built_in();
/// let text = "[Variant \"congo\"]\n\n1. d2d3! {solid} d6d5 ( 1... c6c5?! ) *";
/// let analysis = analysis::read(&catalog, text, None, 1).unwrap().analysis;
/// assert_eq!((analysis.nodes[2].mv.as_str(), analysis.nodes[2].parent), ("c6c5", 1));
/// assert!(analysis.text(&catalog).unwrap().ends_with("1. d2d3! {solid} d6d5 ( 1... c6c5?! ) *\n\n"));
/// ```
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Default, Debug)]
#[serde(deny_unknown_fields)]
pub struct Analysis {
    /// The variant.
    pub variant: String,
    /// The start position, if it is not the variant's own.
    #[serde(default)]
    pub start: Option<String>,
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// What there is to say about the start.
    #[serde(default)]
    pub comment: String,
    /// The names of the players, by seat; none if nobody has one.
    #[serde(default)]
    pub names: Vec<String>,
    /// How many moves of the main line nobody chose: those of an opening.
    #[serde(default)]
    pub opening: usize,
    /// The moves. Number 0 is the start, and each has the number of its place in this list, from 1.
    /// Of several moves in a position the first is the main line.
    #[serde(default)]
    pub nodes: Vec<Node>,
}

/// A move, and what there is to say about it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Default, Debug)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// The number of the move before it, which is smaller than its own; 0 is the start.
    #[serde(default)]
    pub parent: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// A comment on it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// A sign behind it.
    #[serde(default, skip_serializing_if = "Sign::is_none")]
    pub sign: Sign,
    /// The score of the position after it, for the player who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreJson>,
    /// How deep the search was that found the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Whether the score is known exactly.
    #[serde(default, skip_serializing_if = "is_false")]
    pub exact: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// What is written behind a move.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Sign {
    /// Nothing.
    #[default]
    #[serde(rename = "")]
    None,
    /// A good move.
    #[serde(rename = "!")]
    Good,
    /// A mistake.
    #[serde(rename = "?")]
    Mistake,
    /// A brilliant move.
    #[serde(rename = "!!")]
    Brilliant,
    /// A blunder.
    #[serde(rename = "??")]
    Blunder,
    /// An interesting move.
    #[serde(rename = "!?")]
    Interesting,
    /// A dubious move.
    #[serde(rename = "?!")]
    Dubious,
}

impl Sign {
    /// All signs, in the order of their numbers in PGN: `$1` is a good move.
    pub const ALL: [Sign; 6] = [
        Sign::Good,
        Sign::Mistake,
        Sign::Brilliant,
        Sign::Blunder,
        Sign::Interesting,
        Sign::Dubious,
    ];

    /// The sign as it is written.
    pub fn text(self) -> &'static str {
        match self {
            Sign::None => "",
            Sign::Good => "!",
            Sign::Mistake => "?",
            Sign::Brilliant => "!!",
            Sign::Blunder => "??",
            Sign::Interesting => "!?",
            Sign::Dubious => "?!",
        }
    }

    /// The sign with this text.
    pub fn read(text: &str) -> Option<Sign> {
        Sign::ALL.into_iter().find(|sign| sign.text() == text)
    }

    fn is_none(&self) -> bool {
        *self == Sign::None
    }
}

impl Analysis {
    /// The same with variant, position and moves in their canonical texts, if it keeps to the rules and
    /// the limits.
    pub fn check(self, catalog: &Catalog) -> Result<Analysis, AnalysisError> {
        self.checked(catalog).map(|(analysis, _)| analysis)
    }

    /// The same, and who made which move.
    fn checked(self, catalog: &Catalog) -> Result<(Analysis, Replayed), AnalysisError> {
        self.check_sizes()?;
        self.check_numbers()?;
        let table = opened(catalog, &self.variant, self.start.as_deref())?;
        let moves: Vec<(usize, &str)> =
            self.nodes.iter().map(|node| (node.parent, node.mv.as_str())).collect();
        let replayed = replay(table, &moves)
            .map_err(|(node, problem)| AnalysisError::at_node(node, problem))?;
        Ok((self.settled(&replayed)?, replayed))
    }

    /// The same in canonical texts, as its moves were played.
    fn settled(mut self, replayed: &Replayed) -> Result<Analysis, AnalysisError> {
        let mut known = HashSet::new();
        for (number, (node, mv)) in (1..).zip(self.nodes.iter_mut().zip(&replayed.moves)) {
            if !known.insert((node.parent, mv)) {
                let problem = format!("the move {mv} is there already, after the same move");
                return Err(AnalysisError::at_node(number, problem));
            }
            node.mv.clone_from(mv);
            // Both say something about the score.
            node.depth = node.depth.filter(|&depth| depth > 0 && node.score.is_some());
            node.exact &= node.score.is_some();
        }
        let table = &replayed.table;
        if !self.names.is_empty() && self.names.len() != table.seats() {
            let (names, seats) = (self.names.len(), table.seats());
            let problem =
                format!("there are {names} names: expected one for each of {seats} seats");
            return Err(AnalysisError::whole(problem));
        }
        if self.names.iter().all(String::is_empty) {
            self.names.clear();
        }
        self.variant = table.variant().to_string();
        self.start = table.custom_start().map(String::from);
        Ok(self)
    }

    /// The numbers of the moves of the main line.
    pub fn main_line(&self) -> Vec<usize> {
        let mut line = Vec::new();
        for (number, node) in (1..).zip(&self.nodes) {
            if node.parent == line.last().copied().unwrap_or(0) {
                line.push(number);
            }
        }
        line
    }

    fn check_sizes(&self) -> Result<(), AnalysisError> {
        if self.nodes.len() > NODES {
            let count = self.nodes.len();
            return Err(AnalysisError::whole(format!("there are {count} moves: at most {NODES}")));
        }
        let is_long = |text: &str, most: usize| text.len() > most && text.chars().count() > most;
        let too_long = |what: &str, most| format!("{what} is too long: at most {most} characters");
        if is_long(&self.title, TITLE) {
            return Err(AnalysisError::whole(too_long("the title", TITLE)));
        }
        if self.names.iter().any(|name| is_long(name, TITLE)) {
            return Err(AnalysisError::whole(too_long("a player's name", TITLE)));
        }
        if is_long(&self.comment, COMMENT) {
            return Err(AnalysisError::whole(too_long("the comment on the start", COMMENT)));
        }
        let mut bytes = self.title.len() + self.comment.len();
        bytes += self.names.iter().map(String::len).sum::<usize>();
        for (number, node) in (1..).zip(&self.nodes) {
            if is_long(&node.comment, COMMENT) {
                return Err(AnalysisError::at_node(number, too_long("the comment", COMMENT)));
            }
            bytes += node.mv.len() + node.comment.len();
            if bytes > TEXT {
                let problem = format!("there is too much text: at most {TEXT} bytes altogether");
                return Err(AnalysisError::at_node(number, problem));
            }
        }
        Ok(())
    }

    fn check_numbers(&self) -> Result<(), AnalysisError> {
        let mut plies = vec![0];
        for (number, node) in (1..).zip(&self.nodes) {
            let Some(before) = plies.get(node.parent).copied() else {
                let parent = node.parent;
                let problem = format!("bad parent {parent}: expected a number below {number}");
                return Err(AnalysisError::at_node(number, problem));
            };
            if before == PLIES {
                let problem = format!("the line is too long: at most {PLIES} moves");
                return Err(AnalysisError::at_node(number, problem));
            }
            plies.push(before + 1);
            if let Some(score) = node.score.filter(|score| !is_sound(*score)) {
                let score = serde_json::to_string(&score).unwrap_or_default();
                let problem = format!("bad score {score}: expected a number up to 100000");
                return Err(AnalysisError::at_node(number, problem));
            }
        }
        let line = self.main_line().len();
        if self.opening > line {
            let opening = self.opening;
            let problem = format!("bad opening {opening}: the main line has {line} moves");
            return Err(AnalysisError::whole(problem));
        }
        Ok(())
    }
}

impl From<&TableSession> for Analysis {
    /// A game with what its players thought of their moves.
    fn from(session: &TableSession) -> Analysis {
        let table = session.table();
        let mut nodes: Vec<Node> = (0..)
            .zip(table.played())
            .map(|(parent, mv)| Node { parent, mv: mv.clone(), ..Node::default() })
            .collect();
        // The last moves are those of the players.
        for (node, ply) in nodes.iter_mut().rev().zip(session.plies().iter().rev()) {
            (node.score, node.depth) = (ply.score.map(after_move), Some(ply.depth));
        }
        Analysis {
            variant: table.variant().to_string(),
            start: table.custom_start().map(String::from),
            nodes,
            ..Analysis::default()
        }
    }
}

/// Whether a search could have found this score.
fn is_sound(score: ScoreJson) -> bool {
    match score {
        ScoreJson::Units(value) => value.unsigned_abs() <= EVALUATION_LIMIT.unsigned_abs(),
        ScoreJson::WinIn { win_in: plies } | ScoreJson::LossIn { loss_in: plies } => {
            plies < LONGEST_FORCED
        }
    }
}

/// The score before a move of one after it, for the player who makes the move.
fn before_move(score: ScoreJson) -> Score {
    match score {
        ScoreJson::Units(value) => Score::units(value),
        ScoreJson::WinIn { win_in } => Score::win_in(win_in.saturating_add(1)),
        ScoreJson::LossIn { loss_in } => Score::loss_in(loss_in.saturating_add(1)),
    }
}

/// The score after a move of one before it, if that was the best move.
fn after_move(score: Score) -> ScoreJson {
    match score.forced() {
        None => ScoreJson::Units(score.value()),
        Some(Forced::WinIn(plies)) => ScoreJson::WinIn { win_in: plies.saturating_sub(1) },
        Some(Forced::LossIn(plies)) => ScoreJson::LossIn { loss_in: plies.saturating_sub(1) },
    }
}

/// Opens a variant, at a position if one is given.
fn opened(
    catalog: &Catalog,
    variant: &str,
    position: Option<&str>,
) -> Result<Box<dyn Table>, AnalysisError> {
    if variant.len() > VARIANT || position.is_some_and(|text| text.len() > POSITION) {
        let problem = format!(
            "the variant or the position is too long: at most {VARIANT} and {POSITION} bytes"
        );
        return Err(AnalysisError::whole(problem));
    }
    let variant: Variant = variant.parse().map_err(AnalysisError::whole)?;
    catalog.open_at::<&str>(&variant, position, &[]).map_err(AnalysisError::whole)
}
