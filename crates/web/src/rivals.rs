//! Which agents may be asked to play, and by whom.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use agon_arena::remote::Settings;
use agon_arena::{Agent, Registry, agent::AgentKind};
use agon_games::Table;
use agon_search::spec::{OptionInfo, Role};
use agon_search::{AgentSpec, agents};

use crate::error::{ApiError, Code};
use crate::limits;

/// Whether agent texts may start programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Programs {
    /// Never.
    Refused,
    /// Whoever knows this secret may.
    WithSecret(Secret),
}

/// A secret that is printed once and stored nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// A new secret, or why there are no random numbers.
    pub fn random() -> Result<Secret, String> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
        Ok(Secret(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The secret as text, for whoever runs the server.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares in constant time.
    pub(crate) fn is(&self, text: &str) -> bool {
        let (own, other) = (self.0.as_bytes(), text.as_bytes());
        let differences = own.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b));
        own.len() == other.len() && differences == 0
    }
}

/// The agents that may be asked to play.
#[derive(Debug)]
pub struct Rivals {
    registry: Registry,
    programs: Programs,
    threads: usize,
    /// The games in which programs may play, by permission of somebody with the secret.
    allowed: Mutex<HashSet<String>>,
}

impl Rivals {
    /// The agents of this registry, each with at most this many threads.
    pub fn new(registry: Registry, programs: Programs, threads: usize) -> Rivals {
        Rivals { registry, programs, threads, allowed: Mutex::default() }
    }

    /// All available agents.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Whether agent texts may start programs.
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// An agent that was accepted when its game started. Programs need permission again after the
    /// server was restarted.
    pub(crate) fn trusted(&self, text: &str, game: &str) -> Result<Agent, ApiError> {
        let agent = self.registry.agent(text, &Settings::default()).map_err(ApiError::bad)?;
        match &self.programs {
            _ if !agent.is_outside() => Ok(agent),
            Programs::WithSecret(_) if self.allowed().contains(game) => Ok(agent),
            Programs::WithSecret(_) => Err(secret_needed(text)),
            Programs::Refused => Err(refusal(text)),
        }
    }

    /// Lets programs play in this game, if the secret is right.
    pub fn allow(&self, game: &str, secret: Option<&str>) {
        if let (Programs::WithSecret(known), Some(secret)) = (&self.programs, secret)
            && known.is(secret)
        {
            self.allowed().insert(game.to_string());
        }
    }

    fn allowed(&self) -> MutexGuard<'_, HashSet<String>> {
        self.allowed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The agent for a new game, if it is allowed and can play at this table.
    pub(crate) fn invited(
        &self,
        text: &str,
        secret: Option<&str>,
        table: &dyn Table,
    ) -> Result<Agent, ApiError> {
        if text.len() > limits::NAME {
            let message = format!("an agent's text is at most {} bytes long", limits::NAME);
            return Err(ApiError::bad(message));
        }
        let agent = self.registry.agent(text, &Settings::default()).map_err(ApiError::bad)?;
        self.check_agent(&agent, secret)?;
        agent.check_at(table).map_err(ApiError::bad)?;
        Ok(agent)
    }

    /// Whether somebody may let an agent play: with so much memory, or by starting a program.
    pub(crate) fn check_agent(&self, agent: &Agent, secret: Option<&str>) -> Result<(), ApiError> {
        match agent.kind() {
            AgentKind::BuiltIn(spec) => self.check_needs(agent.text(), spec),
            AgentKind::Outside(_) => self.check_permission(agent.text(), secret),
        }
    }

    /// Limits memory and threads, which all games share, and keeps visitors away from files.
    fn check_needs(&self, text: &str, spec: &AgentSpec) -> Result<(), ApiError> {
        let threads = u32::try_from(self.threads).unwrap_or(u32::MAX);
        let limits = [(Role::Memory, limits::AGENT_MEMORY, " MiB"), (Role::Threads, threads, "")];
        for (role, most, unit) in limits {
            let option = agents::info(&spec.name).and_then(|info| info.option(role, 0));
            let Some(OptionInfo { name, .. }) = option else { continue };
            let value = spec.option(name).and_then(|value| value.parse::<u32>().ok());
            if value.is_some_and(|value| value > most) {
                let message = format!(
                    "bad agent {text:?}: {name} may be at most {most}{unit} on this server"
                );
                return Err(ApiError::bad(message));
            }
        }
        match agents::file_of(spec) {
            None => Ok(()),
            Some((Role::Book, _)) => Err(ApiError::bad(format!(
                "bad agent {text:?}: expected book=on or book=off on this server"
            ))),
            Some(_) => Err(ApiError::bad(format!(
                "bad agent {text:?}: agents of this server read no files"
            ))),
        }
    }

    /// Whether somebody may start programs.
    pub(crate) fn check_permission(
        &self,
        text: &str,
        secret: Option<&str>,
    ) -> Result<(), ApiError> {
        match (&self.programs, secret) {
            (Programs::Refused, _) => Err(refusal(text)),
            (Programs::WithSecret(known), Some(secret)) if known.is(secret) => Ok(()),
            (Programs::WithSecret(_), Some(_)) => Err(ApiError::new(Code::Forbidden, WRONG_SECRET)),
            (Programs::WithSecret(_), None) => Err(secret_needed(text)),
        }
    }
}

/// What somebody with a wrong secret is told.
pub(crate) const WRONG_SECRET: &str = "wrong secret: the server printed it when it started";

fn secret_needed(text: &str) -> ApiError {
    let message = format!(
        "{text:?} starts a program, which needs the secret the server printed when it started"
    );
    ApiError::new(Code::Forbidden, message)
}

pub(crate) fn refusal(text: &str) -> ApiError {
    let message = format!(
        "{text:?} starts a program, which this server does not allow: start the server with agon \
         serve --allow-programs"
    );
    ApiError::new(Code::Forbidden, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invited(text: &str) -> Result<Agent, ApiError> {
        let rivals = Rivals::new(Registry::built_in(), Programs::Refused, 2);
        let table = agon_games::open(&"congo".parse().unwrap()).unwrap();
        rivals.invited(text, None, &*table)
    }

    #[test]
    fn agents_that_take_too_much_are_refused() {
        invited("engine:level=3").unwrap();
        invited("engine:threads=2,hash=64").unwrap();
        for (text, words) in [
            ("engine:threads=64", "at most 2"),
            ("engine:hash=4096", "at most 256"),
            ("mcts:memory=10000", "at most 256"),
            ("engine:book=/etc/passwd", "expected book=on or book=off"),
            ("engine:weights=/etc/passwd", "read no files"),
            ("greedy:eval=tuned,weights=on", "read no files"),
            ("human", "agon play"),
            ("engin", "did you mean engine"),
            ("", "such as"),
        ] {
            let problem = invited(text).unwrap_err();
            assert_eq!(problem.code(), Code::BadRequest);
            assert!(problem.to_string().contains(words), "{text}: {problem}");
        }
        assert!(invited(&"x".repeat(301)).is_err());
    }

    #[test]
    fn a_secret_is_compared_and_not_shown() {
        let secret = Secret::random().unwrap();
        assert!(secret.is(secret.reveal()));
        assert!(!secret.is("") && !secret.is(&secret.reveal()[1..]) && !secret.is(&"0".repeat(32)));
        assert_eq!(secret.reveal().len(), 32);
        assert!(!format!("{secret:?}").contains(secret.reveal()));
    }
}
