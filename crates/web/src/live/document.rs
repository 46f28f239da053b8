//! A game on a page as it is kept: all that is needed to go on with it.

use agon_arena::clock::{Clock, GameTime, Pace, TimeControl};
use agon_arena::store::Sitting;
use agon_core::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::limits;

/// The version of the format.
const FORMAT: u32 = 1;

/// A game as it is kept.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Document {
    format: u32,
    /// The variant in its canonical text.
    pub variant: String,
    /// Where it began, if not where its variant does.
    pub start: Option<String>,
    /// Who sits where.
    pub seats: Vec<Holder>,
    /// The time of each side for the whole game, if there are clocks.
    pub time: Option<String>,
    /// What chance comes from.
    pub seed: u64,
    /// The moves so far.
    pub played: Vec<Played>,
    /// What ended it, if not the rules of the game.
    pub end: Option<End>,
    /// How a game without people goes on.
    pub watch: Option<Watch>,
    /// The game that was begun as its rematch.
    pub rematch: Option<String>,
    /// Grows with every change.
    pub version: u64,
    /// When it began, in milliseconds since 1970.
    pub created_at: i64,
    /// When it last changed.
    pub updated_at: i64,
}

/// Who sits at a seat.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Holder {
    /// Somebody at a page.
    Human {},
    /// An agent by its text.
    Agent {
        /// The text.
        #[schema(example = "engine:level=3")]
        agent: String,
    },
}

impl Holder {
    /// The agent's text, if it is one.
    pub fn agent(&self) -> Option<&str> {
        match self {
            Holder::Human {} => None,
            Holder::Agent { agent } => Some(agent),
        }
    }

    /// Whether somebody at a page sits there.
    pub fn is_human(&self) -> bool {
        matches!(self, Holder::Human {})
    }
}

/// A move that was made.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move in canonical text.
    pub text: String,
    /// Who made it.
    pub seat: usize,
    /// How long it took, in milliseconds.
    pub ms: u64,
}

/// An end that is not by the rules of the game.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum End {
    /// This seat gave up.
    Resigned {
        /// Who.
        seat: usize,
    },
    /// This seat did something wrong.
    Fault {
        /// Who.
        seat: usize,
        /// What, as the arena's code.
        code: String,
        /// What exactly.
        evidence: String,
    },
    /// It went on for longer than any game may.
    TooLong {},
}

/// How a game without people goes on.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watch {
    /// Nothing happens until it is told to.
    pub paused: bool,
    /// How long to wait between moves, in milliseconds.
    pub delay_ms: u64,
}

impl Document {
    /// A game that begins.
    pub fn new(variant: String, start: Option<String>, seats: Vec<Holder>, now: i64) -> Document {
        Document {
            format: FORMAT,
            variant,
            start,
            seats,
            time: None,
            seed: 0,
            played: Vec::new(),
            end: None,
            watch: None,
            rematch: None,
            version: 1,
            created_at: now,
            updated_at: now,
        }
    }

    /// Reads what [`sitting`](Document::sitting) wrote. Versions jump, so that no page takes what
    /// it saw before for newer.
    pub fn read(text: &str) -> Result<Document, String> {
        const JUMP: u64 = 1000;
        let mut document: Document =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        if document.format != FORMAT {
            return Err(format!("format {} instead of {FORMAT}", document.format));
        }
        document.version = document.version.saturating_add(JUMP);
        Ok(document)
    }

    /// The game as the store keeps it.
    pub fn sitting(&self, id: &str, over: bool) -> Sitting {
        Sitting {
            id: id.to_string(),
            document: serde_json::to_string(self).unwrap_or_default(),
            open: !over,
            public: self.is_watched(),
            updated_at: self.updated_at,
        }
    }

    /// The same game from its beginning, with everybody one seat further.
    pub fn again(&self, seed: u64, now: i64) -> Document {
        let mut seats = self.seats.clone();
        seats.rotate_right(1);
        let again = Document::new(self.variant.clone(), self.start.clone(), seats, now);
        Document { time: self.time.clone(), watch: self.watch, seed, ..again }
    }

    /// Whether it is a game without people.
    pub fn is_watched(&self) -> bool {
        !self.seats.iter().any(Holder::is_human)
    }

    /// The text of the agent at a seat, if there is one.
    pub fn agent_at(&self, seat: Seat) -> Option<&str> {
        self.seats.get(seat.index())?.agent()
    }

    /// What limits the players.
    pub fn pace(&self) -> Pace {
        let game = self.time.as_deref().and_then(|time| time.parse::<GameTime>().ok());
        Pace { time: TimeControl { game, per_move: None }, ..Pace::default() }
    }

    /// What is left on every clock after the moves so far; nothing without clocks.
    pub fn clocks(&self) -> Vec<Clock> {
        let pace = self.pace();
        if pace.time.game.is_none() {
            return Vec::new();
        }
        let mut clocks = vec![Clock::new(pace.time); self.seats.len()];
        for played in &self.played {
            if let Some(clock) = clocks.get_mut(played.seat) {
                // Who was late has lost already.
                let _ = clock.spend(std::time::Duration::from_millis(played.ms));
            }
        }
        clocks
    }

    /// The moves so far as texts.
    pub fn moves(&self) -> Vec<String> {
        self.played.iter().map(|played| played.text.clone()).collect()
    }

    /// Whether it is as long as any game may be.
    pub fn is_full(&self) -> bool {
        self.played.len() >= limits::PLIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read_as_it_was_written_but_for_its_version() {
        let agent = Holder::Agent { agent: "engine:level=3".into() };
        let seats = vec![Holder::Human {}, agent];
        let mut document = Document::new("congo".into(), None, seats, 5);
        document.time = Some("1m+1s".into());
        document.played.push(Played { text: "d2d3".into(), seat: 0, ms: 2500 });
        document.end = Some(End::Resigned { seat: 1 });
        let read = Document::read(&document.sitting("a", true).document).unwrap();
        assert!(read.version > document.version);
        assert_eq!(Document { version: document.version, ..read }, document);
        assert!(Document::read("{}").is_err());
    }

    #[test]
    fn clocks_follow_from_the_moves() {
        let mut document = Document::new("congo".into(), None, vec![Holder::Human {}; 2], 0);
        assert!(document.clocks().is_empty());
        document.time = Some("1m+1s".into());
        document.played.push(Played { text: "d2d3".into(), seat: 0, ms: 2500 });
        let left: Vec<u128> = document
            .clocks()
            .iter()
            .filter_map(|clock| clock.remaining().map(|left| left.as_millis()))
            .collect();
        assert_eq!(left, [58_500, 60_000]);
    }
}
