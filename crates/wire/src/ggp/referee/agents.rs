//! GGP players as agents of the arena: `ggp:HOST:PORT`, and `ggp:COMMAND` with `{port}` in it.

use std::path::PathBuf;
use std::time::Duration;

use agon_arena::clock::Pace;
use agon_arena::player::NoAnswer;
use agon_arena::remote::{Outside, OutsideKind, Remote, Settings};
use agon_core::Variant;
use agon_isolation::Level;
use agon_search::AgentError;
use agon_search::spec::{AgentInfo, Manner};

use super::client::GgpClient;
use super::exchange::Address;
use crate::link::CommandLine;

/// The name of these agents.
const NAME: &str = "ggp";
/// The only game whose rules are known as text.
const GAME: &str = "breakthrough";
/// The placeholder for the port in a command.
pub(super) const PORT: &str = "{port}";

/// Players that speak the protocol of general game playing.
#[derive(Clone, Copy, Debug)]
pub struct GgpAgents;

impl OutsideKind for GgpAgents {
    fn info(&self) -> AgentInfo {
        AgentInfo {
            name: NAME,
            about: "ggp:HOST:PORT, a GGP player that is running, or ggp:COMMAND with {port} in it",
            seats: &[2],
            options: &[],
            manner: Manner::Anytime,
        }
    }

    fn outside(&self, command: &str, settings: &Settings) -> Result<Box<dyn Outside>, AgentError> {
        let text = format!("{NAME}:{command}");
        if let Some((option, _)) = settings.options.first() {
            let problem = format!("the protocol has no options, so {option} cannot be set");
            return Err(AgentError::new(text, problem));
        }
        let place = if command.contains(PORT) {
            Place::Command(Box::new(CommandLine::read(NAME, command, settings)?))
        } else {
            let problem = "expected a running player such as ggp:localhost:4001, or a command with \
                           the port to listen at, such as ggp:'java -jar player.jar {port}'";
            Place::At(Address::read(command).ok_or_else(|| AgentError::new(text, problem))?)
        };
        Ok(Box::new(GgpAgent { place, settings: settings.clone() }))
    }
}

/// Where a player is found.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// It is running there.
    At(Address),
    /// It has to be started.
    Command(Box<CommandLine>),
}

#[derive(Debug)]
struct GgpAgent {
    place: Place,
    settings: Settings,
}

impl Outside for GgpAgent {
    fn check(&self, variant: &Variant) -> Result<(), String> {
        if variant.game() != GAME {
            return Err(format!(
                "only the rules of {GAME} are known as GDL, not those of {variant}"
            ));
        }
        match &self.place {
            Place::At(_) => Ok(()),
            Place::Command(command) => command.check(),
        }
    }

    fn isolation(&self) -> Level {
        match &self.place {
            Place::At(_) => Level::None,
            Place::Command(command) => command.isolation(),
        }
    }

    fn settings(&self) -> Option<&Settings> {
        match &self.place {
            Place::At(_) => None,
            Place::Command(command) => Some(&command.settings),
        }
    }

    fn check_pace(&self, pace: &Pace) -> Result<(), String> {
        if pace.time.game.is_some() {
            let problem = "GGP has no game clock: give a time for each move, such as \
                           1s a move (--per-move 1s)";
            return Err(problem.into());
        }
        match pace.time.per_move {
            Some(time) if time != Duration::from_secs(time.as_secs()) => Err(format!(
                "GGP clocks are whole seconds, not {}: give 1s, 2s, … a move",
                agon_arena::clock::duration_text(time)
            )),
            _ => Ok(()),
        }
    }

    fn plays_one_game(&self) -> bool {
        matches!(self.place, Place::At(_))
    }

    fn files(&self) -> Vec<PathBuf> {
        match &self.place {
            Place::At(_) => Vec::new(),
            Place::Command(command) => command.files(),
        }
    }

    fn begins_anywhere(&self) -> bool {
        false
    }

    fn start(&self, variant: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        Ok(Box::new(GgpClient::start(&self.place, variant, &self.settings)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(command: &str) -> Result<Box<dyn Outside>, String> {
        GgpAgents.outside(command, &Settings::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn addresses_and_commands_are_told_apart() {
        assert!(agent("localhost:4001").unwrap().plays_one_game());
        assert!(agent("[::1]:4001").unwrap().plays_one_game());
        assert!(!agent("java -jar player.jar {port}").unwrap().plays_one_game());
        for wrong in ["", "localhost", "localhost:", "localhost:99999", "java -jar x.jar", ":1"] {
            assert!(agent(wrong).unwrap_err().contains("localhost:4001"), "{wrong}");
        }
    }

    #[test]
    fn only_breakthrough_at_whole_seconds() {
        let agent = agent("localhost:4001").unwrap();
        assert!(agent.check(&"breakthrough:5x5,classic".parse().unwrap()).is_ok());
        assert!(agent.check(&"congo".parse().unwrap()).unwrap_err().contains("breakthrough"));
        let pace = |game: Option<&str>, per_move: Option<u64>| {
            let mut pace = Pace::default();
            pace.time.game = game.and_then(|text| text.parse().ok());
            pace.time.per_move = per_move.map(Duration::from_millis);
            agent.check_pace(&pace)
        };
        assert!(pace(None, None).is_ok() && pace(None, Some(2000)).is_ok());
        assert!(pace(None, Some(1500)).unwrap_err().contains("not 1500ms"));
        assert!(pace(Some("10s+1s"), None).unwrap_err().contains("--per-move 1s"));
    }
}
