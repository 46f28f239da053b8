//! A session as it is stored: all that is needed to resume it.

use std::time::Duration;

use agon_core::{Seat, Variant};
use agon_games::Catalog;
use agon_search::Score;
use serde::{Deserialize, Serialize};

use super::{Session, TableSession};
use crate::clock::{Pace, TimeControl, duration_text, read_duration};
use crate::game_summary::written;
use crate::score_json::ScoreJson;
use crate::store::StoredGame;
use crate::verdict::{End, Fault, Verdict};

/// A game on a table as it is stored.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct StoredSession {
    /// The variant in its canonical text.
    pub variant: String,
    /// Where it began, if not at the variant's start.
    pub start: Option<String>,
    /// The time of each side for the whole game: `5m+3s`.
    pub time: Option<String>,
    /// The time for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_move: Option<String>,
    /// The moves so far.
    pub played: Vec<StoredPly>,
    /// What ended it, if not the rules of the game.
    pub end: Option<StoredEnd>,
}

/// A move that was made.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct StoredPly {
    /// The move in canonical text.
    pub text: String,
    /// Who made it.
    pub seat: usize,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// How many nodes its player reports; 0 if none.
    #[serde(default, skip_serializing_if = "is_none")]
    pub nodes: u64,
    /// The depth in plies that its player reports; 0 if none.
    #[serde(default, skip_serializing_if = "is_none")]
    pub depth: u32,
    /// Its player's evaluation, if it reports one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreJson>,
}

/// Whether a number stands for nothing known.
fn is_none<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

impl StoredPly {
    /// A move of which nothing else is known.
    pub fn silent(text: String) -> StoredPly {
        StoredPly { text, seat: 0, ms: 0, nodes: 0, depth: 0, score: None }
    }
}

/// An end other than by the rules of the game.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum StoredEnd {
    /// This seat resigned.
    Resigned {
        /// The seat.
        seat: usize,
    },
    /// This seat committed a fault.
    Fault {
        /// The seat.
        seat: usize,
        /// The fault's code.
        code: String,
        /// The evidence.
        evidence: String,
    },
    /// All agreed to a draw.
    Agreed {},
    /// It reached the length limit.
    TooLong {},
}

impl StoredEnd {
    fn of(verdict: &Verdict) -> Option<StoredEnd> {
        Some(match verdict.end {
            End::Board | End::NoMove | End::History => return None,
            End::Resignation(seat) => StoredEnd::Resigned { seat: seat.index() },
            End::Agreement => StoredEnd::Agreed {},
            End::TooLong => StoredEnd::TooLong {},
            End::Fault(seat, fault) => StoredEnd::Fault {
                seat: seat.index(),
                code: fault.code().to_string(),
                evidence: verdict.evidence.clone().unwrap_or_default(),
            },
        })
    }

    fn verdict(&self, seats: usize) -> Result<Verdict, String> {
        let at_table = |seat: usize| match seat < seats {
            true => Ok(Seat::new(seat)),
            false => Err(format!("seat {seat} at a table for {seats}")),
        };
        Ok(match self {
            StoredEnd::Resigned { seat } => Verdict::resignation(seats, at_table(*seat)?),
            StoredEnd::Agreed {} => Verdict::agreed(seats),
            StoredEnd::TooLong {} => Verdict::too_long(seats),
            StoredEnd::Fault { seat, code, evidence } => {
                let fault = Fault::from_code(code).unwrap_or(Fault::Crash);
                Verdict::fault(seats, at_table(*seat)?, fault, evidence.clone())
            }
        })
    }
}

impl TableSession {
    /// The session as it is stored.
    pub fn stored(&self) -> StoredSession {
        let ply = |ply: &super::Ply<String>| StoredPly {
            text: ply.mv.clone(),
            seat: ply.seat.index(),
            ms: u64::try_from(ply.time.as_millis()).unwrap_or(u64::MAX),
            nodes: ply.nodes,
            depth: ply.depth,
            score: ply.score.map(ScoreJson::from),
        };
        let TimeControl { game, per_move } = self.pace.time;
        StoredSession {
            variant: self.board.variant().to_string(),
            start: self.board.custom_start().map(str::to_string),
            time: game.map(|time| time.to_string()),
            per_move: per_move.map(duration_text),
            played: self.plies.iter().map(ply).collect(),
            end: self.verdict().and_then(StoredEnd::of),
        }
    }

    /// The game as a record, once it is over. The players are not known here.
    pub fn record(&self) -> Option<StoredGame> {
        let table = &self.board;
        Some(StoredGame {
            start: table.custom_start().map(str::to_string),
            moves: table.played().join(" "),
            signature: table.signature(),
            ..written(table.variant(), &self.pace, &self.plies, self.verdict()?)
        })
    }

    /// Resumes a stored session, with the clocks as they were after the last move.
    pub fn resume(catalog: &Catalog, stored: &StoredSession) -> Result<TableSession, String> {
        let variant: Variant = stored.variant.parse().map_err(text)?;
        let moves: Vec<&str> = stored.played.iter().map(|ply| ply.text.as_str()).collect();
        let table = catalog.open_at(&variant, stored.start.as_deref(), &moves).map_err(text)?;
        let game = stored.time.as_deref().map(str::parse).transpose().map_err(text)?;
        let per_move = stored.per_move.as_deref().map(read_duration).transpose().map_err(text)?;
        let pace = Pace { time: TimeControl { game, per_move }, ..Pace::default() };
        let mut session = Session::at_table(table, pace);
        for (ply, stored) in session.plies.iter_mut().zip(&stored.played) {
            ply.time = Duration::from_millis(stored.ms);
            (ply.nodes, ply.depth) = (stored.nodes, stored.depth);
            ply.score = stored.score.map(Score::from);
        }
        if let Some(end) = &stored.end {
            session.state = Err(end.verdict(session.board.seats())?);
        }
        session.set_clocks();
        Ok(session)
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
