//! Games that people play or watch on pages.
//!
//! A [`Document`] is what is kept of a game in the store, written after every move before anybody
//! is told. [`Playing`] is the same game in memory, as a session of the arena. The [`Hub`] has the games that
//! somebody looks at, lets agents think for them, and tells every page what changes. Games that
//! another process plays it only follows.

mod document;
mod driver;
mod follower;
mod game;
mod hub;
mod playing;

pub use document::{Details, Document, Holder, Watch};
pub use game::{ClockView, GameView, ListedGame, PlayedView, PlayerView};
pub use hub::{Hub, LiveGame, Watcher, new_id};
pub use playing::Playing;
