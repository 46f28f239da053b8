//! The rule sets of Agon and the catalog that lists them.
//!
//! Each game is one folder of the same shape: `mod` (the position and its rules), `board`
//! (geometry), `moves` (generation), `notation`, `scene`, `evaluation`, `scenarios` (positions to
//! check agents with), `rules` (the game for people), `tests` and `naive`, the simple
//! implementation that the tests compare it with. The list below is the only place that names them
//! all.
//!
//! A [`Catalog`] also has the games that are loaded at run time. There are two ways in from outside:
//! [`Catalog::with_game`] passes a [`Visitor`] the start position as its concrete type, so that a
//! search is compiled for exactly that game; [`Catalog::open`] returns a type-erased [`Table`] that
//! speaks text, for the command line and the web pages. The functions of the same names know only
//! the games that are compiled in; they are for tests, examples and programs for one game.

use agon_core::{TextError, Variant};

mod books;
mod catalog;
pub mod endgame;
mod features;
mod form;
mod info;
mod loaded;
mod rules;
pub mod sample;
mod scenario;
mod simple;
mod table;
mod tables;
mod weights;

#[cfg(test)]
mod battery;

pub mod breakthrough;
pub mod congo;
pub mod connect4;
pub mod fauhalma;
pub mod fenix;
pub mod wumpus;

pub use books::{BookSource, ShippedOpenings};
pub use catalog::{
    Catalog, Family, GameEndgames, GameTables, Playable, Visitor, endgames_by_game, endgames_of,
    games_with_tables, shipped_openings,
};
pub use form::{Field, FieldKind, Form};
pub use info::{GameInfo, KnownPerft, VariantInfo};
pub use loaded::{LoadedRules, Loader};
pub use rules::{Example, Practice, Rules, Section};
pub use scenario::{Scenario, Task};
pub use simple::{Grid, Simple, SimpleRules, open_simple};
pub use table::{LastMove, Table, Threat};
pub use tables::{Stopped, TableInfo, TableProgress, TableSource, TableWatcher};
pub use weights::WeightsSource;

catalog::catalog![fenix, breakthrough, congo, wumpus, fauhalma, connect4];

/// Opens a variant of the games that are compiled in, without tables; see [`Catalog::with_game`].
pub fn with_game<V: Visitor>(variant: &Variant, visitor: V) -> Result<V::Output, TextError> {
    Catalog::built_in().with_game(variant, visitor)
}

/// Opens a variant of the games that are compiled in at its start; see [`Catalog::open`].
///
/// ```
/// let variant = "breakthrough:5x5".parse().unwrap();
/// let mut table = agon_games::open(&variant).unwrap();
/// table.play("b2b3").unwrap();
/// assert_eq!(table.to_move(), Some("black"));
/// assert!(table.play("b2b3").is_err());
/// ```
pub fn open(variant: &Variant) -> Result<Box<dyn Table>, TextError> {
    Catalog::built_in().open(variant)
}

/// Opens a variant of the games that are compiled in, at a position if one is given, and plays the
/// moves; see [`Catalog::open_at`].
pub fn open_at<T: AsRef<str>>(
    variant: &Variant,
    position: Option<&str>,
    moves: &[T],
) -> Result<Box<dyn Table>, TextError> {
    Catalog::built_in().open_at(variant, position, moves)
}
