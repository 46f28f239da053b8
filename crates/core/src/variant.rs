//! What is fixed before the first move, as text: `GAME[:SETUP]`.

use std::fmt;
use std::str::FromStr;

use crate::text::TextError;

/// The name of a game and its setup, such as `breakthrough:8x8,classic`.
///
/// The text is only split here; the game itself parses the setup.
///
/// ```
/// use agon_core::Variant;
/// let variant: Variant = "wumpus:6,seed=3".parse().unwrap();
/// assert_eq!(variant.game(), "wumpus");
/// assert_eq!(variant.setup(), "6,seed=3");
/// assert_eq!(variant.to_string(), "wumpus:6,seed=3");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    game: String,
    setup: String,
}

impl Variant {
    /// A variant from its parts; an empty setup means the game's default.
    pub fn new(game: &str, setup: &str) -> Variant {
        Variant { game: game.to_string(), setup: setup.to_string() }
    }

    /// The game's name.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The setup, empty for the game's default.
    pub fn setup(&self) -> &str {
        &self.setup
    }

    /// An error about a part of the setup, marked within the whole text of the variant.
    /// `part` must be a slice of [`setup`](Variant::setup); anything else marks all of it.
    pub fn error(&self, part: &str, expected: impl Into<String>) -> TextError {
        let text = self.to_string();
        let setup_at = text.len() - self.setup.len();
        let part_at = (part.as_ptr() as usize).wrapping_sub(self.setup.as_ptr() as usize);
        let at = if part_at <= self.setup.len() && part_at + part.len() <= self.setup.len() {
            setup_at + part_at..setup_at + part_at + part.len()
        } else {
            setup_at..text.len()
        };
        TextError::new(&self.game, "variant", &text, at, expected)
    }
}

impl FromStr for Variant {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Variant, TextError> {
        let (game, setup) = text.split_once(':').unwrap_or((text, ""));
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if game.is_empty() || !game.chars().all(is_name) {
            let expected = "GAME or GAME:SETUP, such as congo or breakthrough:8x8";
            return Err(TextError::new("agon", "variant", text, 0..game.len(), expected));
        }
        Ok(Variant::new(game, setup))
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.setup.is_empty() {
            write!(f, "{}", self.game)
        } else {
            write!(f, "{}:{}", self.game, self.setup)
        }
    }
}
