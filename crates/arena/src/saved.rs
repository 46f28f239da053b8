//! A game that can be gone on with, as a file or a download holds it.

use agon_core::{TextError, Variant};
use agon_games::Table;
use serde::{Deserialize, Serialize};

const FORMAT: &str = "agon-game";
const VERSION: u32 = 1;

/// A game up to some move.
///
/// ```
/// use agon_arena::saved::SavedGame;
/// let mut table = agon_games::open(&"congo".parse().unwrap()).unwrap();
/// table.play("d2d3").unwrap();
/// let text = SavedGame::of(&*table).text();
/// let again = SavedGame::read(&text).unwrap().open().unwrap();
/// assert_eq!(again.position(), table.position());
/// assert!(SavedGame::read("{}").is_err());
/// ```
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    format: String,
    version: u32,
    variant: String,
    /// Where the game began, if not at the variant's own start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    moves: Vec<String>,
}

impl SavedGame {
    /// The game on the table.
    pub fn of(table: &dyn Table) -> SavedGame {
        SavedGame {
            format: FORMAT.into(),
            version: VERSION,
            variant: table.variant().to_string(),
            position: table.custom_start().map(str::to_string),
            moves: table.played().to_vec(),
        }
    }

    /// The game as text.
    pub fn text(&self) -> String {
        // Texts and numbers always have a form in JSON.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Reads what [`text`](SavedGame::text) wrote, or says what is wrong.
    pub fn read(text: &str) -> Result<SavedGame, String> {
        let saved: SavedGame = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if saved.format != FORMAT || saved.version != VERSION {
            let SavedGame { format, version, .. } = saved;
            return Err(format!("expected {FORMAT} {VERSION}, found {format} {version}"));
        }
        Ok(saved)
    }

    /// Plays the game again up to where it was saved.
    pub fn open(&self) -> Result<Box<dyn Table>, TextError> {
        let variant: Variant = self.variant.parse()?;
        agon_games::open_at(&variant, self.position.as_deref(), &self.moves)
    }
}
