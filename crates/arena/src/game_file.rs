//! A game that can be resumed, in a file or a download.

use std::fmt::Display;

use agon_games::Catalog;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::session::{StoredPly, StoredSession, TableSession};

const FORMAT: &str = "agon-game";
const VERSION: u64 = 2;

/// A game up to some move, in a file.
#[derive(Serialize)]
struct GameFile {
    format: &'static str,
    version: u64,
    #[serde(flatten)]
    session: StoredSession,
}

/// Version 1 of the file: only the moves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MovesOnly {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    variant: String,
    #[serde(default)]
    position: Option<String>,
    moves: Vec<String>,
}

impl From<MovesOnly> for StoredSession {
    fn from(file: MovesOnly) -> StoredSession {
        let MovesOnly { variant, position: start, moves, .. } = file;
        let played = moves.into_iter().map(StoredPly::silent).collect();
        StoredSession { variant, start, time: None, per_move: None, played, end: None }
    }
}

/// The game as a file holds it.
///
/// ```
/// use agon_arena::{game_file, session::Session};
/// let catalog = agon_games::Catalog::built_in();
/// let table = catalog.open(&"congo".parse().unwrap()).unwrap();
/// let mut session = Session::at_table(table, Default::default());
/// session.play("d2d3".into(), Default::default()).unwrap();
/// let again = game_file::read(&catalog, &game_file::write(&session).unwrap()).unwrap();
/// assert_eq!(again.table().position(), session.table().position());
/// assert!(game_file::read(&catalog, "{}").is_err());
/// ```
pub fn write(session: &TableSession) -> serde_json::Result<String> {
    let file = GameFile { format: FORMAT, version: VERSION, session: session.stored() };
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}

/// Resumes the game that [`write()`] wrote, in this version or an older one, or says what is wrong.
pub fn read(catalog: &Catalog, text: &str) -> Result<TableSession, String> {
    let file: Value = serde_json::from_str(text).map_err(readable)?;
    let (format, version) = (file["format"].as_str(), file["version"].as_u64());
    let stored = match (format, version) {
        (Some(FORMAT), Some(1)) => serde_json::from_value::<MovesOnly>(file).map(Into::into),
        (Some(FORMAT), Some(VERSION)) => serde_json::from_value(file),
        _ => {
            let found = format!("{} {}", file["format"], file["version"]);
            return Err(readable(format!("expected {FORMAT} {VERSION}, found {found}")));
        }
    };
    TableSession::resume(catalog, &stored.map_err(readable)?).map_err(readable)
}

/// A problem of readable length: some quote what they found, which may be the whole file.
fn readable(problem: impl Display) -> String {
    const LONGEST: usize = 500;
    let mut text = problem.to_string();
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod fuzz;
