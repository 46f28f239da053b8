//! How a game describes itself, and how a variant's text becomes a typed position.

use agon_core::nearest::nearest;
use agon_core::{Draw, Game, Hints, Notation, TextError, Tunable, Variant};

use crate::form::Form;
use crate::rules::Rules;
use crate::scenario::Scenario;

/// All that a game in the catalog can do.
pub trait Playable: Game + Notation + Draw + Hints + Tunable {}
impl<G: Game + Notation + Draw + Hints + Tunable> Playable for G {}

/// A game's description of itself.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The name in variant texts.
    pub name: &'static str,
    /// The name shown to people.
    pub title: &'static str,
    /// The game in a sentence.
    pub summary: &'static str,
    /// The names of the seats in order; a variant may use fewer.
    pub seats: &'static [&'static str],
    /// Typical variants; the first is the default.
    pub variants: &'static [VariantInfo],
    /// The form for choosing a variant.
    pub form: Form,
    /// The rules for people.
    pub rules: Rules,
    /// How a position is written, in a sentence.
    pub position_notation: &'static str,
    /// How a move is written, in a sentence with examples.
    pub move_notation: &'static str,
    /// Known perft numbers.
    pub perft: &'static [KnownPerft],
    /// Positions with a task, for checking agents.
    pub scenarios: &'static [Scenario],
}

/// A variant worth knowing.
#[derive(Clone, Copy, Debug)]
pub struct VariantInfo {
    /// Its text.
    pub text: &'static str,
    /// What is special about it.
    pub about: &'static str,
}

/// The numbers of move sequences of 1, 2, 3 … plies from a position, checked elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct KnownPerft {
    /// The variant's text.
    pub variant: &'static str,
    /// The position, or `None` for the variant's start.
    pub position: Option<&'static str>,
    /// The counts for depth 1, 2, 3 …
    pub counts: &'static [u64],
}

/// A game with all its variants: an entry of the catalog.
pub trait Family {
    /// The game's description of itself.
    const INFO: GameInfo;

    /// Reads the setup and passes the start position to the visitor, as its concrete type.
    fn open<V: Visitor>(variant: &Variant, visitor: V) -> Result<V::Output, TextError>;
}

/// An operation on a start position whose concrete type only the game knows.
pub trait Visitor {
    /// The result.
    type Output;

    /// Receives the start position and the variant in its canonical text.
    fn visit<G: Playable>(self, variant: Variant, start: G) -> Self::Output;
}

/// Defines [`GAMES`](crate::GAMES) and [`with_game`](crate::with_game) from the names of the game
/// modules, each of which has a `Family`.
macro_rules! catalog {
    ($($game:ident),* $(,)?) => {
        /// The games, in the order they are listed to people.
        pub static GAMES: &[GameInfo] = &[$(<$game::Family as Family>::INFO),*];

        /// Opens a variant and passes its start position to the visitor as its concrete type.
        pub fn with_game<V: Visitor>(
            variant: &agon_core::Variant,
            visitor: V,
        ) -> Result<V::Output, agon_core::TextError> {
            $(
                if variant.game() == <$game::Family as Family>::INFO.name {
                    return <$game::Family as Family>::open(variant, visitor);
                }
            )*
            Err(catalog::unknown_game(variant))
        }
    };
}
pub(crate) use catalog;

/// The error for a game that is not in the catalog.
pub(crate) fn unknown_game(variant: &Variant) -> TextError {
    let names: Vec<&str> = crate::GAMES.iter().map(|game| game.name).collect();
    let text = variant.to_string();
    let mut expected = format!("a game: {}", names.join(", "));
    if let Some(name) = nearest(variant.game(), &names) {
        let meant = Variant::new(name, variant.setup());
        expected = format!("{expected}; did you mean {meant}?");
    }
    TextError::new("agon", "variant", &text, 0..variant.game().len(), expected)
}
