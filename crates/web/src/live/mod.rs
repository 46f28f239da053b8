//! Games that people play or watch on the pages.
//!
//! A [`Document`] is what the store keeps of a game, written after every move before any page is
//! notified. [`Playing`] is the same game in memory, as a session of the arena. The [`Hub`] holds the
//! games in use, lets agents think, and notifies every page of changes. Games that another process
//! plays are only followed. [`Owners`] says who may play the seats of people.

mod document;
mod driver;
mod follower;
mod game;
mod hub;
mod owners;
mod playing;
mod room;

pub use document::{Details, Document, Holder, Watch};
pub use game::{ClockView, GameView, ListedGame, PlayedView, PlayerView};
pub use hub::{Hub, LiveGame, Watcher, new_id};
pub(crate) use owners::{Claim, token_fits, token_kept};
pub use owners::{Owners, SeatToken, Tokens};
pub use playing::Playing;
pub(crate) use playing::check_position;
