//! Agents against each other.
//!
//! A [`Contest`] is a match of many games between two or three agents. Each game has an
//! [`Opening`](openings::Opening), is played by a [referee](referee::play_game) who keeps a
//! [`Clock`](clock::Clock) for every side and gives a [`Verdict`], and leaves a
//! [`Record`](record::Record). From the records come the [`Standings`], with Elo and its
//! [error](rating), and the [rating](course_rating) of the FAUhalma course. A [`Registry`] makes players from agents' texts.
//!
//! Everything in the loop of a match is compiled for its game; texts are made only when somebody
//! asks for them.

pub mod clock;
pub mod contest;
pub mod course_rating;
pub mod files;
pub mod openings;
pub mod player;
#[cfg(unix)]
pub mod process;
pub mod rating;
pub mod record;
pub mod referee;
pub mod registry;
pub mod standings;
pub mod tables;
pub mod verdict;

pub use clock::{Pace, TimeControl};
pub use contest::{Contest, ContestError, Event};
pub use openings::Openings;
pub use player::Player;
pub use record::AnyRecord;
pub use registry::Registry;
pub use standings::Standings;
pub use verdict::Verdict;
