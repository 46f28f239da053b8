//! A game of the pages as it is stored: everything needed to resume it.

use agon_arena::session::StoredSession;
use agon_arena::store::Sitting;
use agon_core::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::owners::{Owners, Tokens};

/// The version of the format.
const FORMAT: u32 = 1;

/// A game as it is stored.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Document {
    format: u32,
    /// The game itself.
    #[serde(flatten)]
    pub session: StoredSession,
    /// What the pages know besides.
    #[serde(flatten)]
    pub details: Details,
}

/// What the pages know about a game besides the game itself.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Details {
    /// Who sits where.
    pub seats: Vec<Holder>,
    /// Who may play the seats of people.
    #[serde(default, skip_serializing_if = "Owners::is_empty")]
    pub owners: Owners,
    /// The random seed.
    pub seed: u64,
    /// The pace of a game without people.
    pub watch: Option<Watch>,
    /// The rematch, once there is one.
    pub rematch: Option<String>,
    /// Whether anybody ever took a move back.
    #[serde(default)]
    pub taken_back: bool,
    /// Grows with every change.
    pub version: u64,
    /// When it started, in milliseconds since 1970.
    pub created_at: i64,
    /// When it last changed.
    pub updated_at: i64,
}

/// Who sits at a seat.
#[derive(Serialize, Deserialize, ToSchema, Clone, PartialEq, Eq, Debug)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Holder {
    /// A person at a page.
    Human {},
    /// An agent by its text.
    Agent {
        /// The text.
        #[schema(example = "engine:level=3")]
        agent: String,
    },
    /// A player of another process. The server shows the game and never changes it.
    Elsewhere {
        /// The player's name.
        #[schema(example = "white at 127.0.0.1")]
        name: String,
    },
}

impl Holder {
    /// The agent's text, if it is one.
    pub fn agent(&self) -> Option<&str> {
        match self {
            Holder::Agent { agent } => Some(agent),
            Holder::Human {} | Holder::Elsewhere { .. } => None,
        }
    }

    /// Whether this is a player of another process.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self, Holder::Elsewhere { .. })
    }

    /// Whether this is a person.
    pub fn is_human(&self) -> bool {
        matches!(self, Holder::Human {})
    }
}

/// The pace of a game without people.
#[derive(Serialize, Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Watch {
    /// Whether it is paused.
    pub paused: bool,
    /// How long to wait between moves, in milliseconds.
    pub delay_ms: u64,
}

impl Details {
    /// A game that starts now.
    pub fn new(seats: Vec<Holder>, seed: u64, now: i64) -> Details {
        Details {
            seats,
            owners: Owners::default(),
            seed,
            watch: None,
            rematch: None,
            taken_back: false,
            version: 1,
            created_at: now,
            updated_at: now,
        }
    }

    /// Whether another process plays it, so that it is only shown here.
    pub fn is_elsewhere(&self) -> bool {
        self.seats.iter().any(Holder::is_elsewhere)
    }

    /// Whether it is a game without people.
    pub(crate) fn is_watched(&self) -> bool {
        !self.seats.iter().any(Holder::is_human)
    }

    /// The text of the agent at a seat, if there is one.
    pub fn agent_at(&self, seat: Seat) -> Option<&str> {
        self.seats.get(seat.index())?.agent()
    }

    /// The seats that a client with these tokens may play: all those of people, if they have no
    /// owners.
    pub fn yours(&self, tokens: &Tokens) -> Vec<usize> {
        match self.owners.is_empty() {
            true => (0..self.seats.len()).filter(|&seat| self.seats[seat].is_human()).collect(),
            false => self.owners.seats(tokens).collect(),
        }
    }

    /// Whether a person sits there.
    pub(crate) fn is_person(&self, seat: Seat) -> bool {
        self.seats.get(seat.index()).is_some_and(Holder::is_human)
    }
}

impl Document {
    /// A game as it is now.
    pub fn new(session: StoredSession, details: Details) -> Document {
        Document { format: FORMAT, session, details }
    }

    /// Reads what [`sitting`](Document::sitting) wrote. The version jumps ahead of any unstored one
    /// that a page may have seen; always by the same amount, so that of two documents read the newer
    /// one has the higher version.
    pub fn read(text: &str) -> Result<Document, String> {
        const JUMP: u64 = 1000;
        let mut document: Document =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        if document.format != FORMAT {
            return Err(format!("format {} instead of {FORMAT}", document.format));
        }
        document.details.version = document.details.version.saturating_add(JUMP);
        Ok(document)
    }

    /// The game as a record of the store.
    pub fn sitting(&self, id: &str, over: bool) -> Result<Sitting, serde_json::Error> {
        Ok(Sitting {
            id: id.to_string(),
            document: serde_json::to_string(self)?,
            open: !over,
            public: self.details.is_watched(),
            updated_at: self.details.updated_at,
        })
    }

    /// The same game from its start, with the players rotated by one seat.
    pub fn again(self, seed: u64, now: i64) -> Document {
        let Details { mut seats, owners, watch, .. } = self.details;
        seats.rotate_right(1);
        let owners = owners.rotated();
        let details = Details { watch, owners, ..Details::new(seats, seed, now) };
        let session = StoredSession { played: Vec::new(), end: None, ..self.session };
        Document::new(session, details)
    }

    /// A new game from an earlier position of this one, with the same players at their seats. The
    /// moves up to there are kept, with their times, so that repetitions count and the clocks show
    /// what they showed then. Like a game with moves taken back, it is not rated.
    pub fn from_ply(self, ply: usize, seed: u64, now: i64) -> Document {
        let Details { seats, owners, watch, .. } = self.details;
        let fresh = Details::new(seats, seed, now);
        let details = Details { watch, owners, taken_back: true, ..fresh };
        let mut session = StoredSession { end: None, ..self.session };
        session.played.truncate(ply);
        Document::new(session, details)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read_as_written_except_for_its_version() {
        // As the first version of the format was written.
        let text = r#"{"format":1,"variant":"congo","start":null,
            "seats":[{"kind":"human"},{"kind":"agent","agent":"engine:level=3"}],"time":"1m+1s",
            "seed":18446744073709551615,"played":[{"text":"d2d3","seat":0,"ms":2500}],
            "end":{"kind":"resigned","seat":1},"watch":null,"rematch":null,"version":7,
            "created_at":5,"updated_at":6}"#;
        let document = Document::read(text).unwrap();
        assert_eq!(document.session.played[0].ms, 2500);
        assert!(document.details.version > 7 && !document.details.taken_back);
        let again = Document::read(&document.sitting("a", true).unwrap().document).unwrap();
        assert_eq!((&again.session, again.details.seed), (&document.session, u64::MAX));
        assert!(Document::read("{}").is_err());
    }

    #[test]
    fn a_newer_document_has_a_higher_version_when_read() {
        let seats = vec![Holder::Elsewhere { name: "white at 127.0.0.1".into() }, Holder::Human {}];
        let json = serde_json::to_value(&seats).unwrap();
        assert_eq!(json[0], serde_json::json!({"kind": "elsewhere", "name": "white at 127.0.0.1"}));
        let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
        let session = agon_arena::session::Session::at_table(table, Default::default()).stored();
        let mut document = Document::new(session, Details::new(seats, 0, 5));
        let read = |document: &Document| {
            let read = Document::read(&document.sitting("a", false).unwrap().document).unwrap();
            assert_eq!(read.details.seats, document.details.seats);
            read.details.version
        };
        let first = read(&document);
        document.details.version += 1;
        assert_eq!(read(&document), first + 1);
    }
}
