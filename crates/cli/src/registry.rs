//! The agents of the command line: the built-in ones and those of the protocols.

use std::collections::BTreeSet;
use std::path::Path;

use agon_arena::agent::AgentKind;
use agon_arena::conversation_log::ConversationLog;
use agon_arena::remote::Settings;
use agon_arena::{Agent, Registry};
use agon_isolation::{Level, try_level};
use anyhow::Context;

use crate::args::ProgramArgs;
use crate::data::Data;
use crate::failure::bad_input;

/// Opens the log, if one was asked for.
pub(crate) fn open_log(file: Option<&Path>) -> anyhow::Result<Option<ConversationLog>> {
    let open = |file: &Path| {
        let log = ConversationLog::create(file);
        log.with_context(|| format!("cannot write to {}", file.display()))
    };
    file.map(open).transpose()
}

/// Warns if the log is incomplete.
pub(crate) fn warn_about(log: Option<&ConversationLog>) {
    if let Some(problem) = log.and_then(ConversationLog::problem) {
        anstream::eprintln!("warning: {problem}");
    }
}

/// All agents, and the games they play, for somebody's own programs: they are not isolated unless
/// that is asked for.
pub(crate) fn registry(programs: &ProgramArgs, data: &Data) -> Registry {
    let agents = agon_wire::registry(programs.python.as_deref());
    let agents = agents.with_isolation(programs.isolation.unwrap_or(Level::None));
    let readable = programs.readable.iter().filter_map(|path| std::path::absolute(path).ok());
    let agents = agents.with_readable(readable);
    agents.with_catalog(data.catalog().clone()).with_data(data.for_programs())
}

/// The same where programs may be anybody's: they are isolated unless something else is asked for.
pub(crate) fn registry_for_strangers(programs: &ProgramArgs, data: &Data) -> Registry {
    registry(programs, data).with_isolation(programs.isolation.unwrap_or(Level::Sandbox))
}

/// How far the programs among these agents are isolated, in words; `None` if there are none.
pub(crate) fn isolation_words<'a>(agents: impl IntoIterator<Item = &'a Agent>) -> Option<String> {
    let levels = agents.into_iter().filter_map(|agent| match agent.kind() {
        AgentKind::Outside(outside) => Some(outside.isolation()),
        AgentKind::BuiltIn(_) => None,
    });
    let levels: BTreeSet<Level> = levels.collect();
    let levels: Vec<Level> = levels.into_iter().collect();
    (!levels.is_empty()).then(|| isolation_line(&levels))
}

/// How far programs are isolated, in words.
pub(crate) fn isolation_line(levels: &[Level]) -> String {
    let levels: Vec<&str> = levels.iter().map(|level| level.name()).collect();
    format!("isolation of programs: {}", levels.join(", "))
}

/// Refuses a level that this machine cannot give.
pub(crate) fn check_level(level: Level) -> anyhow::Result<()> {
    try_level(level).map_err(|unavailable| {
        let problem = format!("programs cannot be isolated at level {level} here: {unavailable}");
        bad_input(format!("{problem}; agon isolation shows what this machine can give"))
    })
}

/// The agents of these texts.
pub(crate) fn agents(
    texts: &[String],
    settings: &Settings,
    registry: &Registry,
) -> anyhow::Result<Vec<Agent>> {
    let agent = |text: &String| {
        let agent = registry.agent(text, settings);
        agent.map_err(|error| bad_input(error.to_string()))
    };
    texts.iter().map(agent).collect()
}
