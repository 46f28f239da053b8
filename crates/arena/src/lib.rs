//! Matches and tournaments between agents.
//!
//! A [`Match`] is many games between two or three agents, a [`Tournament`](tournament::Tournament)
//! many such pairings. One [runner](tournament::run) plays both: [`Workers`](workers::Workers) play
//! the games of the [schedule](tournament::schedule), and the [`Ledger`] counts them, with Elo and
//! its [error](estimate) and the [rating](course_rating) of the FAUhalma course. Each game has an
//! [`Opening`](openings::Opening) and is played by a [referee](referee::play_game) who keeps a
//! [`Clock`](clock::Clock) for every side and gives a [`Verdict`]; the result is a [`GameSummary`],
//! and a [`StoredGame`](store::StoredGame) where games are stored. The games of many matches feed
//! the [statistics]. A [`Registry`] makes players from agents' texts.
//!
//! Everything in the loop of a match is compiled for its game; text is only produced on demand.

pub mod agent;
pub mod analysis;
pub mod books;
pub mod check;
pub mod clock;
pub mod conclusion;
pub mod contest;
pub mod conversation_log;
pub mod cores;
pub mod course_rating;
pub mod data;
pub mod dates;
pub mod disturbance;
pub mod document;
pub mod estimate;
pub mod files;
pub mod fingerprint;
pub mod fixture;
pub mod fleet;
pub mod gallery;
pub mod game_file;
pub mod game_summary;
mod game_text;
pub mod guests;
mod heartbeat;
pub mod lock_file;
pub mod matches;
pub mod openings;
pub mod player;
pub mod rating_table;
pub mod referee;
pub mod registry;
pub mod remote;
pub mod resources;
pub mod results;
pub mod review;
pub mod score_json;
pub mod seated;
pub mod session;
pub mod speed;
pub mod statistics;
pub mod store;
pub mod tables;
pub mod tournament;
pub mod venue;
pub mod verdict;
pub mod weights;
pub mod words;
pub mod workers;

#[cfg(test)]
#[path = "../../core/tests/noise/mod.rs"]
mod noise;

pub use agent::Agent;
pub use clock::{Pace, TimeControl};
pub use conclusion::Conclusion;
pub use document::FileError;
pub use game_summary::GameSummary;
pub use matches::Match;
pub use openings::Openings;
pub use player::Player;
pub use registry::Registry;
pub use tournament::ledger::Ledger;
pub use tournament::run::{News, RunError};
pub use verdict::Verdict;
