//! The agents of the command line: the built-in ones and those of the protocols.

use agon_arena::remote::Settings;
use agon_arena::{Agent, Registry};

use crate::args::PythonArgs;
use crate::failure::bad_input;

/// All agents there are, those in Python with this interpreter.
pub(crate) fn registry(python: &PythonArgs) -> Registry {
    agon_wire::registry(python.python.as_deref())
}

/// The agents of these texts.
pub(crate) fn agents(
    texts: &[String],
    settings: &Settings,
    python: &PythonArgs,
) -> anyhow::Result<Vec<Agent>> {
    let registry = registry(python);
    let agent = |text: &String| {
        let agent = registry.agent(text, settings);
        agent.map_err(|error| bad_input(error.to_string()))
    };
    texts.iter().map(agent).collect()
}
