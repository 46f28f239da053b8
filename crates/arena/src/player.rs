//! Who sits at a seat.

use std::fmt;
use std::time::Duration;

use agon_core::{Game, Seat};
use agon_search::{Budget, Root, Strategy};

use crate::clock::{Clock, Pace};
use crate::openings::Opening;
use crate::referee::Ply;
use crate::verdict::Fault;

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
    /// How long it took, where that was measured closer to the player than the referee sits: at
    /// the pipe of a program.
    pub time: Option<Duration>,
    /// How much of that time the player does not account for: the way of request and answer.
    pub latency: Duration,
}

impl<M> Answer<M> {
    /// An answer whose time is what the referee measures.
    pub fn new(action: Action<M>, nodes: u64) -> Answer<M> {
        Answer { action, nodes, time: None, latency: Duration::ZERO }
    }
}

/// Why there is no answer: whatever it is, it costs the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// What was done wrong.
    pub fault: Fault,
    /// What exactly, in words, with the last lines of a program.
    pub evidence: String,
}

impl Breach {
    /// A fault and what shows it.
    pub fn new(fault: Fault, evidence: impl Into<String>) -> Breach {
        Breach { fault, evidence: evidence.into() }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.fault.reason(), self.evidence)
    }
}

/// What a player is told when it is its turn.
#[derive(Debug)]
pub struct Turn<'a, G: Game> {
    /// The position, which is not over and has a legal move, and what led to it.
    pub root: Root<'a, G>,
    /// What the player may use for this move.
    pub budget: &'a Budget,
    /// Who is asked.
    pub seat: Seat,
    /// How the game began.
    pub opening: &'a Opening<G>,
    /// What was played since.
    pub plies: &'a [Ply<G::Move>],
    /// The clocks of all seats.
    pub clocks: &'a [Clock],
    /// What limits the players in this game.
    pub pace: &'a Pace,
}

/// Somebody who can be asked for a move. A [`Strategy`] always has one; a player may also give up,
/// and may be wrong.
pub trait Player<G: Game>: Send {
    /// Answers in a position that is not over and has a legal move.
    fn answer(&mut self, turn: &Turn<'_, G>) -> Result<Answer<G::Move>, Breach>;
}

/// A strategy plays on to the end.
impl<G: Game> Player<G> for Box<dyn Strategy<G>> {
    fn answer(&mut self, turn: &Turn<'_, G>) -> Result<Answer<G::Move>, Breach> {
        let choice = self.choose(turn.root, turn.budget, &mut |_| {});
        Ok(Answer::new(Action::Play(choice.mv), choice.statistics.nodes))
    }
}

impl<G: Game> Player<G> for Box<dyn Player<G>> {
    fn answer(&mut self, turn: &Turn<'_, G>) -> Result<Answer<G::Move>, Breach> {
        (**self).answer(turn)
    }
}
