//! Games played at random from a seed.

use crate::game::{Game, Progress};
use crate::history::HistoryRules;
use crate::outcome::{Outcome, Status};
use crate::rng::Rng;
use crate::sink::MoveList;

/// The result of a random game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// How many moves were made.
    pub plies: u32,
    /// How it ended.
    pub outcome: Outcome,
}

/// Plays uniformly random legal moves from `position` to the end.
///
/// Repetition is ignored: random play breaks out of it by itself, and games that need more have a
/// counter or a limit on plies, which is respected.
pub fn play_out<G: Game>(
    mut position: G,
    rng: &mut Rng,
    scratch: &mut MoveList<G::Move>,
) -> Playout {
    let HistoryRules { plies: limit, .. } = position.history_rules();
    let mut plies = 0;
    loop {
        if let Status::Over(outcome) = position.status() {
            return Playout { plies, outcome };
        }
        if let Some(limit) = limit
            && plies >= limit.count
        {
            return Playout { plies, outcome: Outcome::draw(position.seats(), limit.reason) };
        }
        let Some(mv) = position.sample(rng, scratch) else {
            return Playout { plies, outcome: position.when_stuck() };
        };
        let _: Progress = position.play(mv);
        plies += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Nim, Walk};

    #[test]
    fn the_same_seed_gives_the_same_game() {
        let play = |seed| play_out(Nim::new(50), &mut Rng::new(seed), &mut MoveList::new());
        assert_eq!(play(7), play(7));
        assert!((0..20).any(|seed| play(seed) != play(7)));
    }

    #[test]
    fn a_limit_on_plies_ends_an_endless_game() {
        let playout = play_out(Walk::new(), &mut Rng::new(1), &mut MoveList::new());
        assert_eq!(playout.plies, 100);
        assert_eq!(playout.outcome.reason(), "a hundred plies");
    }
}
