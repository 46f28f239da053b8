//! Programs that keep running between games.

use std::collections::VecDeque;

use agon_core::Variant;

use crate::agent::Agent;
use crate::player::NoAnswer;
use crate::remote::{Outside, Remote};

/// How many idle programs one thread keeps running.
const WAITING: usize = 8;

/// The agents of a tournament and the programs that one thread keeps running for them. They stay
/// alive between games; one that committed a fault is killed.
pub struct Guests {
    agents: Vec<Agent>,
    /// The most recently used one is last.
    running: VecDeque<Guest>,
}

/// A program that is running for an agent and a variant.
struct Guest {
    agent: u16,
    variant: Variant,
    remote: Box<dyn Remote>,
}

impl Guests {
    /// Without a running program.
    pub fn new(agents: &[Agent]) -> Guests {
        Guests { agents: agents.to_vec(), running: VecDeque::new() }
    }

    /// The agent with this number.
    pub(crate) fn agent(&self, number: u16) -> Option<&Agent> {
        self.agents.get(usize::from(number))
    }

    /// Takes the agent's program, starting it if it is not running.
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

    /// Takes a program back for further use.
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
