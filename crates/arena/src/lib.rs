//! Agents against each other.
//!
//! A [`Contest`] is a match of many games between two or three agents. Each game has an
//! [`Opening`](openings::Opening), is played by a [referee](referee::play_game) who keeps a
//! [`Clock`](clock::Clock) for every side and gives a [`Verdict`], and leaves a
//! [`Record`](record::Record). From the records come the [`Standings`], with Elo and its
//! [error](rating), and the [rating](course_rating) of the FAUhalma course; from the games of many
//! matches, the [statistics]. A [`Registry`] makes players from agents' texts.
//!
//! Everything in the loop of a match is compiled for its game; texts are made only when somebody
//! asks for them.

pub mod agent;
pub mod check;
pub mod clock;
pub mod contest;
pub mod course_rating;
pub mod files;
pub mod fixture;
pub mod game_file;
pub mod hall;
mod lounge;
pub mod openings;
pub mod player;
#[cfg(unix)]
pub mod process;
pub mod rating;
pub mod ratings;
pub mod record;
pub mod referee;
pub mod registry;
pub mod remote;
pub mod results;
pub mod seated;
pub mod session;
pub mod standings;
pub mod statistics;
pub mod store;
pub mod stored;
pub mod tables;
pub mod tournament;
pub mod venue;
pub mod verdict;

pub use agent::Agent;
pub use clock::{Pace, TimeControl};
pub use contest::{Contest, ContestError, Event};
pub use openings::Openings;
pub use player::Player;
pub use record::AnyRecord;
pub use registry::Registry;
pub use standings::Standings;
pub use verdict::Verdict;
