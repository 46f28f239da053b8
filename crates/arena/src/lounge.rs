//! Where programs wait between games.

use std::collections::VecDeque;

use agon_core::{Game, Notation, Variant};
use agon_search::Strategy;

use crate::player::{Answer, Breach, Player, Turn};
use crate::remote::{Correspondent, Outside, Remote};
use crate::verdict::Fault;

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
        self.take_running(agent, variant).map_or_else(|| outside.start(variant), Ok)
    }

    /// Takes the agent's program if it is running.
    pub(crate) fn take_running(
        &mut self,
        agent: u16,
        variant: &Variant,
    ) -> Option<Box<dyn Remote>> {
        let fitting = |guest: &Guest| guest.agent == agent && guest.variant == *variant;
        let index = self.guests.iter().position(fitting)?;
        self.guests.remove(index).map(|guest| guest.remote)
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

/// A seat of a game that is one move long: its player answers once, and elsewhere nobody sits.
pub(crate) struct Once<G: Game> {
    player: Option<Seated<G>>,
    asked: bool,
}

impl<G: Game> Once<G> {
    /// Somebody who will be asked, or nobody.
    pub(crate) fn new(player: Option<Seated<G>>) -> Once<G> {
        Once { player, asked: false }
    }

    /// Who sat there.
    pub(crate) fn into_player(self) -> Option<Seated<G>> {
        self.player
    }
}

impl<G: Notation> Player<G> for Once<G> {
    fn answer(&mut self, turn: &Turn<'_, G>) -> Result<Answer<G::Move>, Breach> {
        match &mut self.player {
            Some(player) if !self.asked => {
                self.asked = true;
                player.answer(turn)
            }
            _ => Err(Breach::new(Fault::Absent, "the game was to be one move long")),
        }
    }
}
