//! Where programs wait between games.

use std::collections::VecDeque;

use agon_core::{Game, Notation, Variant};
use agon_search::Strategy;

use crate::player::{Answer, Breach, Player, Turn};
use crate::remote::{Correspondent, Outside, Remote};

/// How many programs one thread keeps running while they do not play.
const WAITING: usize = 8;

/// The programs that one thread has running. They stay alive between games, and one that has done
/// something wrong is ended.
#[derive(Default)]
pub(crate) struct Lounge {
    /// The one used last stands last.
    guests: VecDeque<Guest>,
}

/// A program that is running for an agent and a variant.
struct Guest {
    agent: u16,
    variant: Variant,
    remote: Box<dyn Remote>,
}

impl Lounge {
    /// Takes the agent's program, which is started if it is not running.
    pub(crate) fn take(
        &mut self,
        agent: u16,
        variant: &Variant,
        outside: &dyn Outside,
    ) -> Result<Box<dyn Remote>, Breach> {
        let fitting = |guest: &Guest| guest.agent == agent && guest.variant == *variant;
        match self.guests.iter().position(fitting).and_then(|index| self.guests.remove(index)) {
            Some(guest) => Ok(guest.remote),
            None => outside.start(variant),
        }
    }

    /// Takes a program back that can be used again.
    pub(crate) fn give_back(&mut self, agent: u16, variant: &Variant, remote: Box<dyn Remote>) {
        self.guests.push_back(Guest { agent, variant: variant.clone(), remote });
        if self.guests.len() > WAITING {
            self.guests.pop_front();
        }
    }
}

/// A player of one game.
pub(crate) enum Seated<G: Game> {
    /// A strategy of ours, made for this game.
    BuiltIn(Box<dyn Strategy<G>>),
    /// A program that is running.
    Outside(Correspondent<G>),
}

impl<G: Notation> Player<G> for Seated<G> {
    fn answer(&mut self, turn: &Turn<'_, G>) -> Result<Answer<G::Move>, Breach> {
        match self {
            Seated::BuiltIn(strategy) => strategy.answer(turn),
            Seated::Outside(correspondent) => correspondent.answer(turn),
        }
    }
}
