//! Shows a game of another process on the pages.

use std::path::Path;

use agon_arena::session::StoredSession;
use agon_arena::store::{SittingChange, Store, StoreError, now};
use agon_games::Catalog;

use crate::limits;
use crate::live::{Details, Document, Holder, Playing, new_id};

/// The longest name of a player, in characters. Names may come from anywhere.
const NAME: usize = 60;

/// A game of this process that the pages of the same data folder show live.
///
/// All games of a broadcast share one page, and the last game stays there. Nothing is recorded. If a
/// call fails, the next one shows the whole game.
///
/// ```
/// use agon_arena::session::Session;
/// use agon_web::Broadcast;
///
/// let folder = tempfile::tempdir().unwrap();
/// let mut broadcast = Broadcast::open(folder.path(), Default::default()).unwrap();
/// let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
/// let mut session = Session::at_table(table, Default::default());
/// session.play("d2d3".into(), Default::default()).unwrap();
/// let players = ["Leo".to_string(), "Gisa".to_string()];
/// broadcast.show(&session.stored(), &players).unwrap();
/// println!("see /play/{}", broadcast.id());
/// ```
pub struct Broadcast {
    catalog: Catalog,
    store: Store,
    id: String,
    /// The game that was shown last.
    last: Option<Document>,
}

/// Why a game cannot be shown.
#[derive(thiserror::Error, Debug)]
pub enum BroadcastError {
    /// It cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is not a valid game.
    #[error("the game cannot be shown: {0}")]
    Game(String),
    /// No name could be made for its page.
    #[error("the game has no page: {0}")]
    Name(String),
}

impl Broadcast {
    /// Opens the store of the folder, for games of this catalog. Nothing is shown yet.
    pub fn open(folder: &Path, catalog: Catalog) -> Result<Broadcast, BroadcastError> {
        let store = Store::open(folder)?;
        store.set_patience(limits::SHOWING)?;
        let id = new_id().map_err(|problem| BroadcastError::Name(problem.to_string()))?;
        Ok(Broadcast { catalog, store, id, last: None })
    }

    /// The name of the page, the same for all games: `/play/ID`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Shows a game as it is now; a new game replaces the last one. There must be a name for every
    /// seat. Waits only briefly for others who write to the store.
    pub fn show(
        &mut self,
        session: &StoredSession,
        players: &[String],
    ) -> Result<(), BroadcastError> {
        let seats = players.iter().map(|name| Holder::Elsewhere { name: shortened(name) });
        let document = Document::new(session.clone(), self.details(session, seats.collect()));
        // What cannot be opened here could not be opened by the server either.
        let playing =
            Playing::open(&self.catalog, document.clone()).map_err(BroadcastError::Game)?;
        let sitting = document
            .sitting(&self.id, playing.is_over())
            .map_err(|error| BroadcastError::Game(error.to_string()))?;
        self.last = Some(document);
        Ok(self.store.change_sittings(&[SittingChange::Put(sitting)])?)
    }

    /// The details of the game. Versions grow from game to game, so that open pages accept the next
    /// game as news, and no two games have the same start time, so that pages can tell them apart.
    fn details(&self, session: &StoredSession, seats: Vec<Holder>) -> Details {
        let now = now();
        let details = Details::new(seats, 0, now);
        let Some(Document { session: before, details: last, .. }) = &self.last else {
            return details;
        };
        let is_same = last.seats == details.seats && continues(before, session);
        let created_at = if is_same { last.created_at } else { now.max(last.created_at + 1) };
        Details { version: last.version + 1, created_at, ..details }
    }
}

/// Whether this is the same game as before, perhaps with more moves.
fn continues(before: &StoredSession, now: &StoredSession) -> bool {
    let StoredSession { variant, start, time, per_move, played, end } = before;
    (variant, start, time, per_move) == (&now.variant, &now.start, &now.time, &now.per_move)
        && now.played.starts_with(played)
        && (end.is_none() || end == &now.end)
}

/// A name cut to fit the page.
fn shortened(name: &str) -> String {
    let name = name.trim();
    match name.char_indices().nth(NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_arena::session::{Session, TableSession};
    use std::time::Duration;

    fn session(variant: &str) -> TableSession {
        let table = agon_games::open(&variant.parse().unwrap()).unwrap();
        Session::at_table(table, Default::default())
    }

    fn shown(broadcast: &Broadcast) -> Document {
        let sitting = broadcast.store.sitting(broadcast.id()).unwrap().unwrap();
        Document::read(&sitting.document).unwrap()
    }

    fn names() -> Vec<String> {
        ["a", "b"].map(str::to_string).to_vec()
    }

    #[test]
    fn the_next_game_is_newer_and_began_later() {
        let folder = tempfile::tempdir().unwrap();
        let mut broadcast = Broadcast::open(folder.path(), Default::default()).unwrap();
        let mut game = session("congo");
        let mut see = |game: &TableSession, names: &[String]| {
            broadcast.show(&game.stored(), names).unwrap();
            let Document { session, details, .. } = shown(&broadcast);
            assert_eq!(session, game.stored());
            (details.version, details.created_at)
        };
        let first = see(&game, &names());
        game.play("d2d3".into(), Duration::ZERO).unwrap();
        assert_eq!(see(&game, &names()), (first.0 + 1, first.1), "the same game, newer");
        let second = see(&session("congo"), &names());
        assert!(second.0 == first.0 + 2 && second.1 > first.1, "another game, newer and later");
        let names: Vec<String> = names().into_iter().rev().collect();
        let third = see(&session("congo"), &names);
        assert!(third.0 == first.0 + 3 && third.1 > second.1, "other players, another game");
        assert_eq!(broadcast.store.count_sittings().unwrap(), 1);
    }

    #[test]
    fn an_invalid_game_is_refused_and_the_last_one_stays() {
        let folder = tempfile::tempdir().unwrap();
        let mut broadcast = Broadcast::open(folder.path(), Default::default()).unwrap();
        let good = session("congo").stored();
        broadcast.show(&good, &names()).unwrap();
        let no_seat = broadcast.show(&good, &names()[..1]).unwrap_err();
        assert!(no_seat.to_string().contains("1 seats instead of 2"), "{no_seat}");
        let nonsense = StoredSession { variant: "chess".into(), ..good.clone() };
        assert!(broadcast.show(&nonsense, &names()).is_err());
        assert_eq!(shown(&broadcast).session, good);
    }

    #[test]
    fn long_names_are_cut_between_characters() {
        assert_eq!(shortened("  Ana "), "Ana");
        assert_eq!(shortened(&"ä".repeat(60)), "ä".repeat(60));
        assert_eq!(shortened(&"ä".repeat(61)), "ä".repeat(60) + "…");
    }
}
