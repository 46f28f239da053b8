//! Agents that are derived from others: with something turned off, on, or set.

use agon_arena::Agent;
use agon_arena::agent::AgentKind;
use agon_arena::document::{FileError, Section, Value};
use agon_arena::remote::Settings;
use agon_arena::tournament::Entrant;
use agon_arena::tournament::entries::{checked_name, folder_of};
use agon_search::spec::choices;
use agon_search::{AgentSpec, agents};

use super::Reader;

/// The values of a switch in the list of an agent's options.
const SWITCH: &str = "on, off";

impl<'d, 'a> Reader<'_, 'd, 'a> {
    /// The spec of a built-in agent; programs have no switches that we know.
    pub(super) fn spec_of(
        &self,
        agent: usize,
        place: &Value<'d, 'a>,
    ) -> Result<AgentSpec, FileError> {
        let entrant = &self.agents[agent].0;
        match entrant.agent.kind() {
            AgentKind::BuiltIn(spec) => Ok(spec.clone()),
            AgentKind::Outside(_) => {
                let problem = format!(
                    "{} is a program, whose switches are not known: list its versions in an \
                     evolution instead",
                    entrant.name
                );
                Err(place.error(problem))
            }
        }
    }

    /// Adds a built-in agent by its spec.
    pub(super) fn add_spec(
        &mut self,
        name: String,
        spec: AgentSpec,
        place: &Value<'d, 'a>,
    ) -> Result<usize, FileError> {
        // The option list of a text is what its errors are about.
        let agent = Agent::built_in(spec);
        self.add(Entrant { name, agent, options: Vec::new() }, place)
    }

    /// One step of a build-up: the agent before with something added, or another agent.
    pub(super) fn step(
        &mut self,
        before: usize,
        value: &Value<'d, 'a>,
    ) -> Result<usize, FileError> {
        if !value.is_section() {
            let switch = value.text("a switch such as \"tt\", or a table with a name")?;
            let mut spec = self.spec_of(before, value)?;
            change(&mut spec, switch, "on", value)?;
            return self.add_spec(format!("with {switch}"), spec, value);
        }
        let step = value.section("a step")?;
        step.has_only(&["name", "agent", "on", "off", "set"])?;
        let name = step.require("name", "name = \"alpha-beta\"")?;
        let name = name.read("a name", checked_name)?;
        let Some(text) = step.get("agent") else {
            let mut spec = self.spec_of(before, value)?;
            changes(&mut spec, &step)?;
            return self.add_spec(name, spec, value);
        };
        let agent = text.text("an agent such as \"alphabeta\"")?;
        let settings = Settings { folder: folder_of(self.file), ..Settings::default() };
        let agent = self.registry.agent(agent, &settings);
        let agent = agent.map_err(|error| text.error(error.to_string()))?;
        match agent.kind() {
            AgentKind::BuiltIn(spec) => {
                let mut spec = spec.clone();
                changes(&mut spec, &step)?;
                self.add_spec(name, spec, value)
            }
            AgentKind::Outside(_) => self.add(Entrant { name, agent, options: Vec::new() }, value),
        }
    }
}

/// Applies the changes of a step, in the order off, on, set.
fn changes(spec: &mut AgentSpec, step: &Section<'_, '_>) -> Result<(), FileError> {
    if let Some(off) = step.get("off") {
        if !off.is_list() && off.text("switches").is_ok_and(|text| text == "all") {
            for switch in switches(spec) {
                set(spec, switch, "off");
            }
        } else {
            for value in off.list() {
                change(spec, value.text("a switch")?, "off", &value)?;
            }
        }
    }
    for (key, value) in [("on", "on"), ("set", "")] {
        for entry in step.get(key).map_or_else(Vec::new, |list| list.list()) {
            change(spec, entry.text("a switch or an option")?, value, &entry)?;
        }
    }
    Ok(())
}

/// Sets `OPTION=VALUE`, or a switch to this state.
pub(super) fn change(
    spec: &mut AgentSpec,
    text: &str,
    state: &str,
    place: &Value<'_, '_>,
) -> Result<(), FileError> {
    if let Some((option, value)) = text.split_once('=') {
        set(spec, option.trim(), value.trim());
        return Ok(());
    }
    if state.is_empty() {
        return Err(
            place.error(format!("expected OPTION=VALUE such as eval=simple, found {text:?}"))
        );
    }
    // Only what can be turned on and off; books and the like are set.
    let known = switches(spec);
    if !known.contains(&text) {
        let problem = format!("{} has no switch {text:?}", spec.name);
        let problem = choices(&problem, text, &known);
        return Err(place.error(format!("{problem}; OPTION=VALUE sets any other option")));
    }
    set(spec, text, state);
    Ok(())
}

/// The switches of a built-in agent.
fn switches(spec: &AgentSpec) -> Vec<&'static str> {
    let options = agents::info(&spec.name).map_or(&[][..], |info| info.options);
    options.iter().filter(|option| option.values == SWITCH).map(|option| option.name).collect()
}

/// Sets an option, replacing its value if it has one.
pub(super) fn set(spec: &mut AgentSpec, option: &str, value: &str) {
    match spec.options.iter_mut().find(|(name, _)| name == option) {
        Some((_, old)) => *old = value.to_string(),
        None => spec.options.push((option.to_string(), value.to_string())),
    }
}
