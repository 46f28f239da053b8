//! The Universal Game Interface: the protocol of chess engines, for any game.
//!
//! A client's line is a [`Command`], an engine's line an [`EngineLine`]; both are read and written
//! in one place, for either side. [`UgiEngine`] is the engine's side: it keeps the game, reacts to
//! every command at once and lets an agent think in a thread of its own.
//!
//! ```
//! use agon_wire::ugi::{UgiEngine, Settings};
//! let settings = Settings::new("breakthrough:5x5".parse().unwrap(), "random".parse().unwrap());
//! let session = UgiEngine::new(settings).unwrap();
//! let mut output = Vec::new();
//! session.run(&b"isready\nposition startpos moves b2b3\nquery p2turn\n"[..], &mut output).unwrap();
//! assert_eq!(output, b"readyok\nresponse true\n");
//! ```

mod board;
mod client;
mod command;
mod engine;
mod lines;
mod options;
mod output;
mod search;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;

pub(crate) use client::UgiAgent;
pub use client::{UgiAgents, UgiClockAgents};
pub use command::{Command, Go, GoClock, Query, Start};
pub use engine::UgiEngine;
pub use lines::{EngineLine, Info, OptionKind, OptionLine};
pub use options::Settings;

/// The first word of a text and what follows it, without surrounding spaces.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}
