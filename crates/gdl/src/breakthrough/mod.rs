//! Breakthrough in GDL: our rules text, and recognising the game in other texts.

mod compare;
mod moves;
mod position;
mod recognise;
mod scrambled;
mod text;

#[cfg(test)]
mod tests;

use agon_core::Variant;

pub use moves::{move_term, move_text};
pub use recognise::{Reading, Unknown, recognise};
pub use text::rules_text;

/// The game's name in the catalog.
const GAME: &str = "breakthrough";
/// The roles, in the order of the seats.
const ROLES: [&str; 2] = ["white", "black"];
/// The move of a role that is not on turn.
const NOOP: &str = "noop";

/// The parameters of a variant of Breakthrough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Setup {
    width: usize,
    height: usize,
    classic: bool,
}

impl Setup {
    /// Parses the canonical text of a variant.
    fn of(variant: &Variant) -> Option<Setup> {
        let (size, rules) = variant.setup().split_once(',').unwrap_or((variant.setup(), ""));
        let (width, height) = size.split_once('x')?;
        let (width, height) = (width.parse().ok()?, height.parse().ok()?);
        Some(Setup { width, height, classic: rules == "classic" })
    }

    fn variant(self) -> Variant {
        let rules = if self.classic { ",classic" } else { "" };
        Variant::new(GAME, &format!("{}x{}{rules}", self.width, self.height))
    }
}
