//! Which games a report shows: few, and chosen by a rule, not by hand.

use std::collections::BTreeSet;

use agon_arena::game_summary::FAULT;
use agon_arena::store::{Store, StoreError, StoredGame};

use crate::experiment::Experiment;
use crate::results::{Found, Game, Played};
use crate::unit::{Unit, Work};

/// The most games of a report.
const MOST_GAMES: usize = 3;

/// A game to be shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// Why it was chosen.
    pub why: String,
    /// Who played, by seat.
    pub players: Vec<String>,
    /// Where the comparison's terms are: the index of the comparison and of its terms.
    pub place: (usize, usize),
    /// The game.
    pub game: StoredGame,
}

/// Chooses from the last pairing of each comparison, where the most developed agents meet: the
/// shortest wins first, then the shortest defeats, then the longest games.
pub(crate) fn choose(
    experiment: &Experiment,
    units: &[(Unit, Found)],
    store: &Store,
) -> Result<Vec<Shown>, StoreError> {
    let mut found = Vec::new();
    for index in 0..experiment.comparisons.len() {
        let last = units.iter().rev().find_map(|(unit, found)| match (&unit.work, found) {
            (&Work::Games { comparison, terms, meeting }, Found::Games(played))
                if comparison == index =>
            {
                Some((terms, meeting, played))
            }
            _ => None,
        });
        let Some((terms, meeting, played)) = last else { continue };
        let names = [meeting.agent, meeting.opponent].map(|it| experiment.name_of(it).to_string());
        for (rank, (why, game)) in candidates(played).enumerate() {
            found.push((rank, why, game, names.clone(), (index, terms)));
        }
    }
    found.sort_by_key(|(rank, _, _, _, place)| (*rank, *place));
    let mut shown: Vec<Shown> = Vec::new();
    let mut seen = BTreeSet::new();
    for (_, why, game, names, place) in found {
        if shown.len() == MOST_GAMES || !seen.insert(game.id) {
            continue;
        }
        let players = game.seating.iter().map(|agent| names[usize::from(*agent != 0)].clone());
        let (why, players) = (why.to_string(), players.collect());
        // A running process may just be replaying it.
        let Ok(game) = store.game(game.id) else { continue };
        shown.push(Shown { why, players, place, game });
    }
    Ok(shown)
}

fn candidates(played: &Played) -> impl Iterator<Item = (&'static str, &Game)> {
    // A game that ended by a fault shows nothing about the game.
    let games = || played.games.iter().filter(|game| !game.end.starts_with(FAULT));
    let points = |game: &&Game| {
        let seat = game.seating.iter().position(|agent| *agent == 0);
        seat.and_then(|seat| game.points.get(seat)).copied().unwrap_or(0)
    };
    let won = games().filter(move |game| points(game) == 100).min_by_key(|game| game.plies);
    let lost = games().filter(move |game| points(game) == 0).min_by_key(|game| game.plies);
    let longest = games().max_by_key(|game| game.plies);
    let found = [
        ("the shortest win of the agent in its comparison", won),
        ("the shortest defeat", lost),
        ("the longest game", longest),
    ];
    found.into_iter().filter_map(|(why, game)| Some((why, game?)))
}
