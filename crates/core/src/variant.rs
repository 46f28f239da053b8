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

    /// Checks that there is no setup, for games with nothing to choose.
    pub fn without_setup(&self) -> Result<(), TextError> {
        match self.setup.is_empty() {
            true => Ok(()),
            false => Err(self.error(&self.setup, format!("nothing after {}", self.game))),
        }
    }

    /// An error about a part of the setup, marked within the whole text of the variant.
    /// `part` must be a slice of [`setup`](Variant::setup); anything else marks all of it.
    pub fn error(&self, part: &str, expected: impl Into<String>) -> TextError {
        let text = self.to_string();
        let setup_at = text.len() - self.setup.len();
        let part_at = (part.as_ptr() as usize).wrapping_sub(self.setup.as_ptr() as usize);
        let at = match part_at.checked_add(part.len()) {
            Some(end) if end <= self.setup.len() => setup_at + part_at..setup_at + end,
            _ => setup_at..text.len(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_a_setup_are_told_apart() {
        for (text, game, setup) in [
            ("congo", "congo", ""),
            ("wumpus:6,seed=3", "wumpus", "6,seed=3"),
            ("my-own_game2:a:b", "my-own_game2", "a:b"),
        ] {
            let variant: Variant = text.parse().unwrap();
            assert_eq!((variant.game(), variant.setup()), (game, setup));
            assert_eq!(variant.to_string(), text);
        }
        // An empty setup is none.
        assert_eq!("congo:".parse::<Variant>().unwrap().to_string(), "congo");
    }

    #[test]
    fn a_bad_name_is_marked() {
        for (text, marked) in [("", 0..0), (":8x8", 0..0), ("con go:1", 0..6), ("bre/ak", 0..6)] {
            let error = text.parse::<Variant>().unwrap_err();
            assert_eq!(error.at(), marked, "{text}");
            assert!(error.expected().contains("GAME:SETUP"), "{text}");
        }
    }

    #[test]
    fn the_wrong_part_of_a_setup_is_marked_in_the_whole_text() {
        assert!(Variant::new("congo", "").without_setup().is_ok());
        let error = Variant::new("congo", "7").without_setup().unwrap_err().to_string();
        assert_eq!(error, "congo: bad variant: expected nothing after congo\n  congo:7\n        ^");
        let variant = Variant::new("wumpus", "6,seed=x");
        let setup = variant.setup();
        let marked = |part: &str| variant.error(part, "a number").at();
        assert_eq!(marked(setup), 7..15);
        assert_eq!(marked(&setup[..1]), 7..8);
        assert_eq!(marked(&setup[7..]), 14..15);
        assert_eq!(marked(&setup[8..]), 15..15, "where the text ends too early");
        assert_eq!(marked("elsewhere"), 7..15);
        assert_eq!(marked(&variant.clone().setup()[..1]), 7..15, "an equal text elsewhere");
        assert_eq!(variant.error(&setup[7..], "a number").expected(), "a number");
    }
}
