//! Where programs wait between games.

use std::collections::VecDeque;

use agon_core::Variant;

use crate::player::NoAnswer;
use crate::remote::{Outside, Remote};

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
    ) -> Result<Box<dyn Remote>, NoAnswer> {
        let fitting = |guest: &Guest| guest.agent == agent && guest.variant == *variant;
        let index = self.guests.iter().position(fitting);
        let running = index.and_then(|index| self.guests.remove(index));
        running.map_or_else(|| outside.start(variant), |guest| Ok(guest.remote))
    }

    /// Takes a program back that can be used again.
    pub(crate) fn give_back(&mut self, agent: u16, variant: &Variant, remote: Box<dyn Remote>) {
        self.guests.push_back(Guest { agent, variant: variant.clone(), remote });
        if self.guests.len() > WAITING {
            self.guests.pop_front();
        }
    }
}
