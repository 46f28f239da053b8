//! Who sits at a seat.

use agon_core::Game;
use agon_search::{Budget, Root, Strategy};

/// What a player does when asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<M> {
    /// Plays this move; whether it is legal, the referee finds out.
    Play(M),
    /// Gives up.
    Resign,
}

/// A player's answer and what it cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer<M> {
    /// What the player does.
    pub action: Action<M>,
    /// How many moves its search played, where it says so.
    pub nodes: u64,
}

/// Somebody who can be asked for a move. A [`Strategy`] always has one; a player may also give up,
/// and may be wrong.
pub trait Player<G: Game>: Send {
    /// Answers in a position that is not over and has a legal move.
    fn answer(&mut self, root: Root<'_, G>, budget: &Budget) -> Answer<G::Move>;
}

/// A strategy plays on to the end.
impl<G: Game> Player<G> for Box<dyn Strategy<G>> {
    fn answer(&mut self, root: Root<'_, G>, budget: &Budget) -> Answer<G::Move> {
        let choice = self.choose(root, budget, &mut |_| {});
        Answer { action: Action::Play(choice.mv), nodes: choice.statistics.nodes }
    }
}
