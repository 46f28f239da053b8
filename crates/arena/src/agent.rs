//! An agent, made from its text and ready to play.

use std::fmt;
use std::sync::Arc;

use agon_core::{Hints, Variant, printable};
use agon_games::{Catalog, Table};
use agon_search::spec::Role;
use agon_search::{AgentError, AgentSpec, adviser, agents};

use crate::clock::Pace;
use crate::remote::Outside;

/// An agent that can play any number of games. [`Registry`](crate::Registry) makes them from texts.
#[derive(Clone, Debug)]
pub struct Agent {
    text: String,
    threads: usize,
    pub(crate) kind: AgentKind,
}

/// How an agent is implemented.
#[derive(Clone, Debug)]
pub enum AgentKind {
    /// A strategy of `agon-search`.
    BuiltIn(AgentSpec),
    /// An external program.
    Outside(Arc<dyn Outside>),
}

impl Agent {
    /// A built-in agent.
    pub fn built_in(spec: AgentSpec) -> Agent {
        let threads = agents::value_of(&spec, Role::Threads).and_then(|n| n.parse().ok());
        Agent {
            text: spec.to_string(),
            threads: threads.unwrap_or(1),
            kind: AgentKind::BuiltIn(spec),
        }
    }

    /// An external program, with the agent's whole text.
    pub fn outside(text: impl Into<String>, threads: usize, outside: Box<dyn Outside>) -> Agent {
        let kind = AgentKind::Outside(outside.into());
        Agent { text: text.into(), threads: threads.max(1), kind }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How it is implemented.
    pub fn kind(&self) -> &AgentKind {
        &self.kind
    }

    /// How many threads it thinks with.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether it is an external program.
    pub fn is_outside(&self) -> bool {
        matches!(self.kind, AgentKind::Outside(_))
    }

    /// Whether it can play at this table, as far as that is known before a game.
    pub fn check_at(&self, table: &dyn Table) -> Result<(), AgentError> {
        match &self.kind {
            AgentKind::BuiltIn(spec) => adviser(table, spec, 0).map(drop),
            AgentKind::Outside(outside) => self.check_outside(&**outside, table.variant()),
        }
    }

    fn check_outside(&self, outside: &dyn Outside, variant: &Variant) -> Result<(), AgentError> {
        outside.check(variant).map_err(|problem| AgentError::new(&self.text, problem))
    }

    /// Whether it can play this variant at this pace, as far as that is known before a game.
    pub fn check<G: Hints>(
        &self,
        catalog: &Catalog,
        variant: &Variant,
        pace: &Pace,
    ) -> Result<(), AgentError> {
        match &self.kind {
            AgentKind::BuiltIn(spec) => {
                agents::strategy::<G>(catalog, variant, spec, 0).map(|_| ())
            }
            AgentKind::Outside(outside) => {
                self.check_outside(&**outside, variant)?;
                let checked = outside.check_pace(pace);
                checked.map_err(|problem| AgentError::new(&self.text, problem))
            }
        }
    }

    /// Whether it can play only one game at a time, no matter who uses it.
    pub fn plays_one_game(&self) -> bool {
        matches!(&self.kind, AgentKind::Outside(outside) if outside.plays_one_game())
    }

    /// Whether it can be asked about any position, not only about games from the start.
    pub fn begins_anywhere(&self) -> bool {
        !matches!(&self.kind, AgentKind::Outside(outside) if !outside.begins_anywhere())
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printable(&self.text))
    }
}
