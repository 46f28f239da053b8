//! Where programs wait between games.

use std::collections::VecDeque;

use agon_core::Variant;

use crate::agent::Agent;
use crate::player::NoAnswer;
use crate::remote::{Outside, Remote};

/// How many programs one thread keeps running while they do not play.
const WAITING: usize = 8;

/// The agents of a tournament and the programs that one thread has running for them. They stay
/// alive between games, and one that has done something wrong is ended.
pub struct Guests {
    agents: Vec<Agent>,
    /// The one used last stands last.
    running: VecDeque<Guest>,
}

/// A program that is running for an agent and a variant.
struct Guest {
    agent: u16,
    variant: Variant,
    remote: Box<dyn Remote>,
}

impl Guests {
    /// Nobody is running yet.
    pub fn new(agents: &[Agent]) -> Guests {
        Guests { agents: agents.to_vec(), running: VecDeque::new() }
    }

    /// The agent with this number.
    pub(crate) fn agent(&self, number: u16) -> Option<&Agent> {
        self.agents.get(usize::from(number))
    }

    /// Takes the agent's program, which is started if it is not running.
    pub(crate) fn take(
        &mut self,
        agent: u16,
        variant: &Variant,
        outside: &dyn Outside,
    ) -> Result<Box<dyn Remote>, NoAnswer> {
        let fitting = |guest: &Guest| guest.agent == agent && guest.variant == *variant;
        let index = self.running.iter().position(fitting);
        let running = index.and_then(|index| self.running.remove(index));
        running.map_or_else(|| outside.start(variant), |guest| Ok(guest.remote))
    }

    /// Takes a program back that can be used again.
    pub(crate) fn give_back(&mut self, agent: u16, variant: &Variant, remote: Box<dyn Remote>) {
        self.running.push_back(Guest { agent, variant: variant.clone(), remote });
        if self.running.len() > WAITING {
            self.running.pop_front();
        }
    }

    /// Ends all programs that are running.
    pub(crate) fn dismiss_all(&mut self) {
        self.running.clear();
    }
}
