//! Agents by their names.

use agon_core::{Hints, Variant};
use agon_search::agents;
use agon_search::spec::AgentInfo;
use agon_search::{AgentError, AgentSpec};

use crate::player::Player;

/// What stands behind an agent's name.
///
/// Agents from the crates above (a program that is spoken to in text, a remote player) will be one
/// more case, which holds how to start one, and one more arm in [`Registry::player`], which wraps
/// it in a [`Player`] that writes position and moves as text and checks what comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A strategy of `agon-search`.
    BuiltIn,
    /// A person, who cannot play in a match.
    Person,
}

/// The agents there are.
#[derive(Clone, Debug)]
pub struct Registry {
    kinds: Vec<(AgentInfo, Kind)>,
}

const HUMAN: AgentInfo = AgentInfo {
    name: "human",
    about: "a person at this keyboard",
    seats: &[2, 3, 4],
    options: &[],
};

impl Registry {
    /// The built-in agents, and `human`.
    pub fn built_in() -> Registry {
        let strategies = agents::AGENTS.iter().map(|info| (*info, Kind::BuiltIn));
        Registry { kinds: strategies.chain([(HUMAN, Kind::Person)]).collect() }
    }

    /// All agents with their kinds, for lists and help.
    pub fn kinds(&self) -> &[(AgentInfo, Kind)] {
        &self.kinds
    }

    /// Makes a player for a variant, whose positions must be of type `G`. The seed is for agents
    /// that play at random.
    pub fn player<G: Hints>(
        &self,
        variant: &Variant,
        spec: &AgentSpec,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, AgentError> {
        match self.kinds.iter().find(|(info, _)| info.name == spec.name) {
            Some((_, Kind::BuiltIn)) => Ok(Box::new(agents::strategy(variant, spec, seed)?)),
            Some((_, Kind::Person)) => {
                let problem = "a person cannot sit in a match; agon play is for people";
                Err(AgentError::new(spec, problem))
            }
            None => {
                let players = self.kinds.iter().filter(|(_, kind)| *kind != Kind::Person);
                let names: Vec<&str> = players.map(|(info, _)| info.name).collect();
                Err(spec.unknown("agent", &spec.name, &names))
            }
        }
    }
}

impl Default for Registry {
    fn default() -> Self {
        Registry::built_in()
    }
}

#[cfg(test)]
mod tests {
    use agon_games::{Playable, Visitor, with_game};

    use super::*;

    /// Makes a player at the start of a game, or says why not.
    struct Making<'a>(&'a str);

    impl Visitor for Making<'_> {
        type Output = Result<(), String>;

        fn visit<G: Playable>(self, variant: Variant, _: G) -> Self::Output {
            let made = self
                .0
                .parse()
                .and_then(|spec| Registry::built_in().player::<G>(&variant, &spec, 0));
            made.map(|_| ()).map_err(|error| error.to_string())
        }
    }

    fn make(variant: &str, agent: &str) -> Result<(), String> {
        with_game(&variant.parse().unwrap(), Making(agent)).unwrap()
    }

    #[test]
    fn every_built_in_agent_can_be_made() {
        for info in agents::AGENTS {
            assert_eq!(make("congo", info.name), Ok(()));
        }
    }

    #[test]
    fn bad_agents_are_told_what_there_is() {
        for (agent, words) in [
            ("human", &["agon play"][..]),
            ("mnimax", &["did you mean minimax", "alphabeta"]),
            ("alphabeta:dept=3", &["did you mean depth"]),
            ("alphabeta:eval=smple", &["did you mean simple"]),
            ("", &["alphabeta:depth=4"]),
        ] {
            let error = make("congo", agent).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{agent}: {error}");
        }
        assert!(make("fauhalma:star3", "alphabeta").unwrap_err().contains("games of two"));
    }
}
