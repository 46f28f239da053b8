//! Which games a report shows: few, and chosen by a rule, not by hand.

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
/// shortest win, a defeat if there was one, and the longest game.
pub(crate) fn choose(
    experiment: &Experiment,
    units: &[(Unit, Found)],
    store: &Store,
) -> Result<Vec<Shown>, StoreError> {
    let mut shown: Vec<Shown> = Vec::new();
    for index in 0..experiment.comparisons.len() {
        let of_comparison =
            units.iter().rev().find_map(|(unit, found)| match (&unit.work, found) {
                (&Work::Games { comparison, terms, meeting }, Found::Games(played))
                    if comparison == index =>
                {
                    Some((terms, meeting, played))
                }
                _ => None,
            });
        let Some((terms, meeting, played)) = of_comparison else { continue };
        let names = [meeting.agent, meeting.opponent].map(|it| experiment.name_of(it).to_string());
        for (why, game) in candidates(played) {
            let known =
                shown.iter().any(|it| it.game.number == game.id.number && it.place.0 == index);
            if shown.len() == MOST_GAMES || known {
                continue;
            }
            let players = game.seating.iter().map(|agent| names[usize::from(*agent != 0)].clone());
            let (players, place) = (players.collect(), (index, terms));
            shown.push(Shown { why: why.into(), players, place, game: store.game(game.id)? });
        }
    }
    Ok(shown)
}

fn candidates(played: &Played) -> impl Iterator<Item = (&'static str, &Game)> {
    // A game that ended by a fault shows nothing about the game.
    let games = || played.games.iter().filter(|game| !game.end.starts_with("fault:"));
    let points = |game: &&Game| {
        let seat = game.seating.iter().position(|agent| *agent == 0);
        seat.and_then(|seat| game.points.get(seat)).copied().unwrap_or(0)
    };
    let won = games().filter(move |game| points(game) == 100).min_by_key(|game| game.plies);
    let lost = games().filter(move |game| points(game) == 0).min_by_key(|game| game.plies);
    let longest = games().max_by_key(|game| game.plies);
    let found = [
        ("the shortest win of the agent", won),
        ("its shortest defeat", lost),
        ("the longest game", longest),
    ];
    found.into_iter().filter_map(|(why, game)| Some((why, game?)))
}
