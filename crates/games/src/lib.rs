//! The rule sets of Agon and the catalog that lists them.
//!
//! Each game is one folder of the same shape: `mod` (the position and its rules), `board`
//! (geometry), `moves` (generation), `notation`, `scene`, `evaluation`, `scenarios` (positions to
//! check agents with), `rules` (the game for people), `tests` and `naive`, the plain twin the tests
//! compare it with. The list below is the only place that names them all.
//!
//! Two doors lead in from outside. [`with_game`] hands a [`Visitor`] the start position as its
//! own type, so that a search is compiled for exactly that game; [`open`] gives an erased
//! [`Table`] that speaks text, for the command line, pages and other edges.

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
pub mod fauhalma;
pub mod fenix;
pub mod wumpus;

pub use catalog::{Family, GameInfo, KnownPerft, Playable, VariantInfo, Visitor};
pub use form::{Field, FieldKind, Form};
pub use rules::{Example, Practice, Rules, Section};
pub use scenario::{Scenario, Task, scenarios};
pub use table::{LastMove, Table, Threat, open, open_at};

catalog::catalog![fenix, breakthrough, congo, wumpus, fauhalma];
