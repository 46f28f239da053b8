//! The games of a series in numbers, read once and kept up to date.
//!
//! A page that shows a tournament asks every few seconds, and most of the games are the same as
//! before. So it is first looked up which games there are, which is cheap, and only what is new is
//! read.

use std::collections::BTreeMap;

use super::summary::TournamentSummary;
use crate::game_summary::GameSummary;
use crate::store::{Filter, GameId, Series, SeriesId, Stamp, Store, StoreError};

/// Up to this many new games are read one by one; more are read page by page with all others.
const FEW: usize = 256;
/// How many bytes of the evidence of a fault are kept. All of it is in the store.
const MOST_EVIDENCE: usize = 2000;

/// A game in numbers, and when it ended.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The game.
    pub game: GameSummary,
    /// Its variant.
    pub variant: String,
    stamp: Stamp,
}

impl Counted {
    /// When it ended, in milliseconds since 1970.
    pub fn finished_at(&self) -> i64 {
        self.stamp.finished_at
    }
}

/// The games of a series.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    games: BTreeMap<u64, Counted>,
    /// How often games that had been read were replaced or deleted, or one came before them.
    revisions: u64,
}

impl Tally {
    /// Reads what is new. Returns whether anything was.
    pub fn update(&mut self, store: &Store, series: SeriesId) -> Result<bool, StoreError> {
        let stamps: BTreeMap<u64, Stamp> = store.stamps(series)?.into_iter().collect();
        let before = self.games.len();
        self.games.retain(|number, known| stamps.get(number) == Some(&known.stamp));
        let gone = before - self.games.len();
        let new: Vec<(u64, Stamp)> =
            stamps.into_iter().filter(|(number, _)| !self.games.contains_key(number)).collect();
        // Games end in any order: one that comes before others changes what was counted up to them.
        let last = self.games.last_key_value().map(|(number, _)| *number);
        let is_early =
            new.first().is_some_and(|(number, _)| last.is_some_and(|last| *number < last));
        self.revisions += u64::from(gone > 0 || is_early);
        if new.len() <= FEW {
            for &(number, stamp) in &new {
                let game = store.game(GameId { series, number })?;
                self.add(game, stamp);
            }
        } else {
            let stamps: BTreeMap<u64, Stamp> = new.iter().copied().collect();
            for game in store.games(&Filter::of(series))? {
                let (_, game) = game?;
                if let Some(&stamp) = stamps.get(&game.number) {
                    self.add(game, stamp);
                }
            }
        }
        Ok(gone > 0 || !new.is_empty())
    }

    fn add(&mut self, stored: crate::store::StoredGame, stamp: Stamp) {
        let mut game = GameSummary::of(&stored);
        if let Some(evidence) = &mut game.evidence {
            evidence.truncate(evidence.floor_char_boundary(MOST_EVIDENCE));
        }
        self.games.insert(stored.number, Counted { game, variant: stored.variant, stamp });
    }

    /// The games, in the order of their numbers.
    pub fn games(&self) -> impl DoubleEndedIterator<Item = &Counted> {
        self.games.values()
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Changes when what was counted before is no longer so.
    pub fn revisions(&self) -> u64 {
        self.revisions
    }

    /// The state of the tournament.
    pub fn summary(&self, series: Series) -> TournamentSummary {
        TournamentSummary::of_games(series, self.games.values().map(|counted| &counted.game))
    }
}

#[cfg(test)]
mod tests {
    use agon_core::PerSeat;
    use agon_search::StopFlag;

    use super::*;
    use crate::registry::Registry;
    use crate::store::StoredGame;
    use crate::tournament::{read, run::run};

    #[test]
    fn only_what_is_new_or_changed_is_counted_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cup.toml");
        let text = "format = \"round-robin\"\nvariant = \"breakthrough:4x4\"\ngames = 100\n\
                    agents = [\"random\", \"greedy\", \"minimax:depth=1\"]\n";
        std::fs::write(&file, text).unwrap();
        let tournament = read(&file, &Registry::built_in()).unwrap();
        let store = Store::open(folder.path()).unwrap();
        run(&tournament, Some(&store), 2, &StopFlag::default(), &mut |_| {}).unwrap();
        let series = store.find_tournament("cup").unwrap().unwrap();
        let id = series.id;
        let last = store.game(GameId { series: id, number: 299 }).unwrap();
        store.delete_from(id, 299).unwrap();
        let mut tally = Tally::default();
        assert!(tally.is_empty() && tally.update(&store, id).unwrap());
        assert_eq!((tally.len(), tally.revisions()), (299, 0));
        assert!(!tally.update(&store, id).unwrap());
        store.put(id, &last).unwrap();
        let seventh = store.game(GameId { series: id, number: 7 }).unwrap();
        let points = PerSeat::from_slice(&[50, 50]);
        let finished_at = seventh.finished_at + 1;
        store.replace(id, &StoredGame { finished_at, points, ..seventh }).unwrap();
        assert!(tally.update(&store, id).unwrap());
        assert_eq!((tally.len(), tally.revisions()), (300, 1));
        let from_tally = tally.summary(series.clone());
        let from_store = TournamentSummary::of(&store, series).unwrap();
        assert_eq!(from_tally.ranking(), from_store.ranking());
        for agent in 0..3 {
            assert_eq!(from_tally.points(agent), from_store.points(agent));
        }
        assert_eq!(from_tally.ledger.signature, from_store.ledger.signature);
    }
}
