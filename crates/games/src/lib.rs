//! The rule sets of Agon and the catalog that lists them.
//!
//! Each game is one folder of the same shape: `mod` (the position and its rules), `board`
//! (geometry), `moves` (generation), `notation`, `scene`, `evaluation`, `scenarios` (positions to
//! check agents with), `rules` (the game for people), `tests` and `naive`, the simple
//! implementation that the tests compare it with. The list below is the only place that names them
//! all.
//!
//! There are two ways in from outside. [`with_game`] passes a [`Visitor`] the start position as its
//! concrete type, so that a search is compiled for exactly that game; [`open`] returns a
//! type-erased [`Table`] that speaks text, for the command line and the web pages.

mod catalog;
mod features;
mod form;
mod rules;
mod scenario;
mod table;

#[cfg(test)]
mod battery;

pub mod breakthrough;
pub mod congo;
pub mod connect4;
pub mod fauhalma;
pub mod fenix;
pub mod wumpus;

pub use catalog::{Family, GameInfo, KnownPerft, Playable, VariantInfo, Visitor};
pub use form::{Field, FieldKind, Form};
pub use rules::{Example, Practice, Rules, Section};
pub use scenario::{Scenario, Task, scenarios};
pub use table::{LastMove, Table, Threat, open, open_at};

catalog::catalog![fenix, breakthrough, congo, wumpus, fauhalma, connect4];
