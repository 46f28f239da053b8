//! What files about agents and games have in common: the list of agents, their names and limits,
//! and openings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Entrant;
use crate::clock::read_duration;
use crate::document::{FileError, Section, Value};
use crate::openings::Openings;
use crate::registry::Registry;
use crate::remote::{Limits, Settings};

/// The maximum number of agents in a file.
const MOST_AGENTS: usize = 2000;

/// The keys of an agent.
const AGENT_KEYS: &[&str] = &[
    "name",
    "agent",
    "options",
    "threads",
    "patience",
    "start",
    "memory_mib",
    "processes",
    "tasks",
    "cpu",
    "file_mib",
    "scratch_mib",
    "open_files",
];

/// A name of one line.
pub fn checked_name(name: &str) -> Result<String, String> {
    let name = name.trim();
    let fits = !name.is_empty() && name.chars().count() <= 100;
    if fits && !name.chars().any(char::is_control) {
        Ok(name.to_string())
    } else {
        Err("expected a name of 1 to 100 characters on one line".to_string())
    }
}

/// A path of openings is relative to the file that names it.
pub fn beside(file: &Path, openings: Openings) -> Openings {
    match openings {
        // An absolute path stays what it is.
        Openings::File(path) => Openings::File(file.parent().unwrap_or(Path::new("")).join(path)),
        other => other,
    }
}

/// An agent, and where the file says so.
pub type Placed<'d, 'a> = (Entrant, Value<'d, 'a>);

/// Reads who takes part: texts, or tables with a name and settings.
pub fn read_entrants<'d, 'a>(
    section: &Section<'d, 'a>,
    file: &Path,
    registry: &Registry,
) -> Result<Vec<Placed<'d, 'a>>, FileError> {
    let list = section.require("agents", "agents = [\"engine:level=3\", \"random\"]")?;
    let mut entrants: Vec<Placed<'d, 'a>> = Vec::new();
    let mut named = Vec::new();
    for value in list.list() {
        let (text, name, settings) = if value.is_section() {
            read_entry(&value, file)?
        } else {
            let settings = Settings { folder: folder_of(file), ..Settings::default() };
            (value.clone(), None, settings)
        };
        let written = text.text("an agent such as \"engine:level=3\"")?;
        let texts = registry.expand(written, file.parent().unwrap_or(Path::new("")));
        let texts = texts.map_err(|problem| text.error(problem))?;
        let alone = texts.len() == 1;
        for (written, short) in texts {
            let agent = registry.agent(&written, &settings);
            let agent = agent.map_err(|error| text.error(error.to_string()))?;
            let given = name.is_some();
            let name = match &name {
                Some(name) if alone => name.clone(),
                Some(name) => format!("{name} {short}"),
                None => short,
            };
            let options = settings.options.clone();
            named.push(given);
            entrants.push((Entrant { name, agent, options }, value.clone()));
        }
        if entrants.len() > MOST_AGENTS {
            return Err(list.error(format!("more than {MOST_AGENTS} agents")));
        }
    }
    number_doubles(&mut entrants, &named)?;
    Ok(entrants)
}

/// The folder of a file, in which the programs that it names run; none for the current one.
pub fn folder_of(file: &Path) -> Option<PathBuf> {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_path_buf)
}

/// An agent with a name or settings of its own.
pub(super) fn read_entry<'d, 'a>(
    value: &Value<'d, 'a>,
    file: &Path,
) -> Result<(Value<'d, 'a>, Option<String>, Settings), FileError> {
    let entry = value.section("an agent")?;
    entry.has_only(AGENT_KEYS)?;
    let text = entry.require("agent", "agent = \"engine:level=3\"")?;
    let name = entry.get("name").map(|name| name.read("a name", checked_name)).transpose()?;
    let mut settings = Settings { folder: folder_of(file), ..Settings::default() };
    if let Some(options) = entry.get("options") {
        for (option, value) in options.section("a table of options")?.entries() {
            settings.options.push((option.to_string(), value.setting()?));
        }
    }
    settings.threads = entry.number("threads", "threads", 1..=1024)?.map(|n| n as usize);
    read_limits(&entry, &mut settings.limits)?;
    if let Some(patience) = entry.get("patience") {
        settings.patience = patience.read("a time such as 60s", read_duration)?;
    }
    if let Some(start) = entry.get("start") {
        settings.start = start.read("a time such as 10s", read_duration)?;
    }
    Ok((text, name, settings))
}

/// The resource limits of a program, if given.
fn read_limits(entry: &Section<'_, '_>, limits: &mut Limits) -> Result<(), FileError> {
    let memory = entry.number("memory_mib", "MiB of memory", 1..=1 << 20)?;
    limits.memory = memory.map_or(limits.memory, |mib| mib << 20);
    let processes = entry.number("processes", "processes", 1..=100_000)?;
    limits.processes = processes.map_or(limits.processes, |n| n as usize);
    let tasks = entry.number("tasks", "processes and threads", 1..=100_000)?;
    limits.tasks = tasks.map_or(limits.tasks, |n| n as usize);
    if let Some(time) = entry.get("cpu") {
        limits.cpu = Some(time.read("a time such as 10m", read_duration)?);
    }
    let size = entry.number("file_mib", "MiB of a file", 0..=1 << 20)?;
    limits.file_size = size.map_or(limits.file_size, |mib| mib << 20);
    let scratch = entry.number("scratch_mib", "MiB of files", 1..=1 << 16)?;
    limits.scratch = scratch.map_or(limits.scratch, |mib| mib << 20);
    let files = entry.number("open_files", "open files", 8..=1 << 20)?;
    limits.open_files = files.unwrap_or(limits.open_files);
    Ok(())
}

/// Given names must differ; any other gets a number if it is taken.
fn number_doubles(entrants: &mut [Placed<'_, '_>], given: &[bool]) -> Result<(), FileError> {
    let mut names = BTreeSet::new();
    for ((entrant, place), _) in entrants.iter().zip(given).filter(|(_, given)| **given) {
        if !names.insert(entrant.name.clone()) {
            let problem = format!("the name {:?} is given twice", entrant.name);
            return Err(place.error(problem));
        }
    }
    for ((entrant, _), _) in entrants.iter_mut().zip(given).filter(|(_, given)| !**given) {
        let numbered = (2..).map(|number| format!("{} #{number}", entrant.name));
        let mut candidates = std::iter::once(entrant.name.clone()).chain(numbered);
        if let Some(name) = candidates.find(|name| !names.contains(name)) {
            names.insert(name.clone());
            entrant.name = name;
        }
    }
    Ok(())
}
