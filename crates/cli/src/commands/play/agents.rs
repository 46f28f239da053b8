//! Who can sit at a seat.

use std::str::FromStr;

use agon_core::Rng;
use agon_games::Table;

use crate::failure::BadInput;

/// A kind of agent, for lists and help.
pub(crate) struct AgentInfo {
    /// Its text.
    pub(crate) name: &'static str,
    /// What it does.
    pub(crate) about: &'static str,
}

/// The agents there are.
pub(crate) const AGENTS: &[AgentInfo] = &[
    AgentInfo { name: "random", about: "plays any legal move, all equally likely" },
    AgentInfo { name: "human", about: "a person at this keyboard" },
];

/// Somebody at a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Player {
    Human,
    Random,
}

impl Player {
    /// For people: who sits there.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Player::Human => "you",
            Player::Random => "random",
        }
    }

    /// The move of a player that needs no person.
    pub(crate) fn choose(self, table: &dyn Table, rng: &mut Rng) -> Option<String> {
        match self {
            Player::Human => None,
            Player::Random => table.random_move(rng),
        }
    }
}

impl FromStr for Player {
    type Err = BadInput;

    fn from_str(text: &str) -> Result<Player, BadInput> {
        match text {
            "human" => Ok(Player::Human),
            "random" => Ok(Player::Random),
            _ => {
                let known: Vec<&str> = AGENTS.iter().map(|agent| agent.name).collect();
                Err(BadInput(format!("no agent {text:?}: there are {}", known.join(", "))))
            }
        }
    }
}
