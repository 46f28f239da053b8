//! Agents by name.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use agon_games::Catalog;
use agon_isolation::Level;
use agon_search::agents;
use agon_search::spec::{AgentInfo, Manner};
use agon_search::{AgentError, AgentSpec};

use crate::agent::Agent;
use crate::conversation_log::ConversationLog;
use crate::files::shown;
use crate::remote::{OutsideKind, Settings};

/// What an agent's name stands for.
#[derive(Clone, Debug)]
pub enum Provider {
    /// A strategy of `agon-search`.
    BuiltIn,
    /// A person, who cannot play in a match.
    Person,
    /// An external program; what follows the name says which.
    Outside(Arc<dyn OutsideKind>),
}

/// The known agents, and the games they play. Crates above add their own kinds.
#[derive(Clone, Debug)]
pub struct Registry {
    kinds: Vec<(AgentInfo, Provider)>,
    catalog: Catalog,
    /// What all programs are given, whatever their own settings.
    data: Option<PathBuf>,
    log: Option<ConversationLog>,
    isolation: Level,
    pondering: bool,
    readable: Vec<PathBuf>,
}

const HUMAN: AgentInfo = AgentInfo {
    name: "human",
    about: "a person at this keyboard",
    seats: &[2, 3, 4],
    options: &[],
    manner: Manner::Anytime,
};

impl Registry {
    /// The built-in agents, and `human`.
    pub fn built_in() -> Registry {
        let strategies = agents::AGENTS.iter().map(|info| (*info, Provider::BuiltIn));
        let kinds = strategies.chain([(HUMAN, Provider::Person)]).collect();
        Registry {
            kinds,
            catalog: Catalog::built_in(),
            data: None,
            log: None,
            isolation: Level::None,
            pondering: false,
            readable: Vec::new(),
        }
    }

    /// The same, with the games of this catalog.
    pub fn with_catalog(mut self, catalog: Catalog) -> Registry {
        self.catalog = catalog;
        self
    }

    /// The games that its agents can play.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The same, with a data folder in which programs that are Agon themselves find their tables.
    pub fn with_data(mut self, data: Option<PathBuf>) -> Registry {
        self.data = data;
        self
    }

    /// The same, with a log of everything that is sent to and received from programs.
    pub fn with_log(mut self, log: Option<ConversationLog>) -> Registry {
        self.log = log;
        self
    }

    /// The same, with programs isolated this far, unless their own settings say otherwise.
    pub fn with_isolation(mut self, level: Level) -> Registry {
        self.isolation = level;
        self
    }

    /// The same, with programs that may think while it is not their turn.
    pub fn with_pondering(mut self, pondering: bool) -> Registry {
        self.pondering = pondering;
        self
    }

    /// The same, with programs that may read these absolute paths when they are isolated.
    pub fn with_readable(mut self, paths: impl IntoIterator<Item = PathBuf>) -> Registry {
        self.readable.extend(paths);
        self
    }

    /// How far programs are isolated.
    pub fn isolation(&self) -> Level {
        self.isolation
    }

    /// The same and one more kind.
    pub fn with(mut self, kind: impl OutsideKind + 'static) -> Registry {
        self.kinds.push((kind.info(), Provider::Outside(Arc::new(kind))));
        self
    }

    /// Whether the agent of this text starts a program.
    pub fn is_program(&self, text: &str) -> bool {
        let name = text.split_once(':').map_or(text, |(name, _)| name);
        let mut kinds = self.kinds.iter();
        kinds.any(|(info, kind)| info.name == name && matches!(kind, Provider::Outside(_)))
    }

    /// All agents with their kinds, for lists and help.
    pub fn kinds(&self) -> &[(AgentInfo, Provider)] {
        &self.kinds
    }

    /// The same without agents that start programs.
    pub fn without_programs(&self) -> Registry {
        let mut registry = self.clone();
        registry.kinds.retain(|(_, provider)| !matches!(provider, Provider::Outside(_)));
        registry
    }

    /// The agent that a text stands for: `NAME[:OPTION=VALUE,…]`, or `NAME:COMMAND` for an external
    /// program.
    pub fn agent(&self, text: &str, settings: &Settings) -> Result<Agent, AgentError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        match self.kinds.iter().find(|(info, _)| info.name == name) {
            Some((_, Provider::Outside(kind))) => {
                let settings = Settings {
                    data: settings.data.clone().or_else(|| self.data.clone()),
                    log: settings.log.clone().or_else(|| self.log.clone()),
                    readable: settings.readable.iter().chain(&self.readable).cloned().collect(),
                    pondering: settings.pondering || self.pondering,
                    isolation: settings.isolation.or(Some(self.isolation)),
                    ..settings.clone()
                };
                let outside = kind.outside(rest, &settings)?;
                Ok(Agent::outside(text, settings.threads.unwrap_or(1), outside))
            }
            Some((_, Provider::BuiltIn)) => {
                let mut spec: AgentSpec = text.parse()?;
                spec.options.extend(settings.options.iter().cloned());
                Ok(Agent::built_in(spec))
            }
            Some((_, Provider::Person)) => {
                let problem = "a person cannot play in a match; use agon play";
                Err(AgentError::new(text, problem))
            }
            None => {
                let spec: AgentSpec = text.parse()?;
                let players =
                    self.kinds.iter().filter(|(_, kind)| !matches!(kind, Provider::Person));
                let names: Vec<&str> = players.map(|(info, _)| info.name).collect();
                Err(spec.unknown("agent", &spec.name, &names))
            }
        }
    }
}

impl Registry {
    /// Expands a text with `*`, `?` or `[` in the name of a program into the texts of all matching
    /// programs, each with a short name; any other stands for itself. Programs are looked up in
    /// `folder`.
    pub fn expand(&self, text: &str, folder: &Path) -> Result<Vec<(String, String)>, String> {
        let itself = || Ok(vec![(text.to_string(), text.to_string())]);
        let Some((name, command)) = text.split_once(':') else { return itself() };
        let outside = self.kinds.iter().find_map(|(info, kind)| match kind {
            Provider::Outside(kind) if info.name == name => Some(kind),
            _ => None,
        });
        let Some(kind) = outside else { return itself() };
        let (pattern, arguments) = kind.split_pattern(command);
        if !pattern.contains(['*', '?', '[']) {
            return itself();
        }
        // In the form of the paths that are found: without a dot for this folder.
        let plain = |path: &Path| -> PathBuf {
            path.components().filter(|part| *part != Component::CurDir).collect()
        };
        let (folder, pattern) = (&plain(folder), &plain(Path::new(pattern)));
        let escaped = glob::Pattern::escape(&folder.to_string_lossy());
        let full = Path::new(&escaped).join(pattern);
        let pattern = shown(pattern);
        let found = glob::glob(&full.to_string_lossy()).map_err(|error| {
            format!("bad pattern {pattern}: {}, at character {}", error.msg, error.pos + 1)
        })?;
        let mut texts = Vec::new();
        for path in found.flatten().filter(|path| path.is_file()) {
            // Programs run in the folder, so their paths are relative to it.
            let seen = match path.strip_prefix(folder) {
                Ok(inside) => Path::new(".").join(inside),
                Err(_) => path.clone(),
            };
            let program = shell_words::quote(&seen.to_string_lossy()).into_owned();
            let short = path.strip_prefix(folder).unwrap_or(&path);
            texts.push((
                format!("{name}:{program}{arguments}"),
                short.to_string_lossy().into_owned(),
            ));
        }
        if texts.is_empty() {
            return Err(format!("no file matches {}", shown(&folder.join(&pattern))));
        }
        Ok(texts)
    }
}

impl Default for Registry {
    fn default() -> Self {
        Registry::built_in()
    }
}

#[cfg(test)]
mod tests {
    use agon_core::Variant;
    use agon_games::{Playable, Visitor, with_game};

    use super::*;
    use crate::clock::Pace;

    /// Makes a player at the start of a game, or says why that is impossible.
    struct Making<'a>(&'a str);

    impl Visitor for Making<'_> {
        type Output = Result<(), String>;

        fn visit<G: Playable>(self, variant: Variant, _: G) -> Self::Output {
            let agent = Registry::built_in().agent(self.0, &Settings::default());
            agent
                .and_then(|agent| {
                    agent.check::<G>(&Catalog::built_in(), &variant, &Pace::default())
                })
                .map_err(|error| error.to_string())
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
        assert!(make("fauhalma:star3", "alphabeta").unwrap_err().contains("two-player games"));
    }
}
