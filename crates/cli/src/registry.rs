//! The agents of the command line: the built-in ones and those of the protocols.

use std::path::Path;

use agon_arena::conversation_log::ConversationLog;
use agon_arena::remote::Settings;
use agon_arena::{Agent, Registry};
use anyhow::Context;

use crate::args::PythonArgs;
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

/// All agents, and the games they play; those in Python run in this interpreter.
pub(crate) fn registry(python: &PythonArgs, data: &Data) -> Registry {
    let agents = agon_wire::registry(python.python.as_deref());
    agents.with_catalog(data.catalog().clone()).with_data(data.for_programs())
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
