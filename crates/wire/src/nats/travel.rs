//! Agents that travel: their texts and settings, and the files that their commands name.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use agon_arena::agent::AgentKind;
use agon_arena::files::read_whole;
use agon_arena::fingerprint::checksum;
use agon_arena::remote::{Limits, Settings};
use agon_arena::{Agent, Registry};
use agon_isolation::Level;
use agon_search::{AgentSpec, agents};
use serde::{Deserialize, Serialize};

use super::NatsError;
use super::messages::is_checksum;
use super::names::LARGEST_FILE;

/// The most files that an agent may bring.
const MOST_FILES: usize = 64;
/// Where files go whose own places mean nothing elsewhere.
const ELSEWHERE: &str = "given";

/// An agent on its way to a worker.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Traveller {
    /// Its text, with the paths that its files have where it runs.
    pub text: String,
    /// Nothing for a built-in agent.
    pub luggage: Option<Luggage>,
}

/// What a program needs besides its command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Luggage {
    pub files: Vec<TravelFile>,
    pub options: Vec<(String, String)>,
    pub threads: usize,
    pub isolation: Level,
    pub pondering: bool,
    pub patience_ms: u64,
    pub start_ms: u64,
    pub memory: u64,
    pub processes: usize,
    pub tasks: usize,
    pub cpu_ms: Option<u64>,
    pub file_size: u64,
    pub scratch: u64,
    pub open_files: u64,
    /// Programs of the machine that its command starts, such as `java`.
    pub commands: Vec<String>,
}

/// A file that travels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TravelFile {
    /// Its place in the agent's folder.
    pub path: String,
    pub checksum: String,
    pub size: u64,
    pub executable: bool,
}

/// A file to be sent: its contents are read when they are needed.
pub(crate) struct Parcel {
    pub file: PathBuf,
    pub checksum: String,
}

/// Packs an agent: what the worker is told, and the files to be sent.
pub(crate) fn pack(agent: &Agent) -> Result<(Traveller, Vec<Parcel>), NatsError> {
    let refused = |problem: String| NatsError::Agent { agent: agent.text().into(), problem };
    let AgentKind::Outside(outside) = agent.kind() else {
        check_built_in(agent.text()).map_err(refused)?;
        return Ok((Traveller { text: agent.text().to_string(), luggage: None }, Vec::new()));
    };
    if outside.plays_one_game() {
        let problem = "it is one running program; play it without --nats";
        return Err(refused(problem.into()));
    }
    let settings = outside
        .settings()
        .cloned()
        .ok_or_else(|| refused("how it is started is not known; play it without --nats".into()))?;
    let mut packing = Packing::new(settings.folder.clone());
    let text = packing.text(agent.text()).map_err(&refused)?;
    check_paths(&text).map_err(&refused)?;
    let Packing { files, parcels, commands, .. } = packing;
    let limits = &settings.limits;
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let luggage = Luggage {
        files,
        options: settings.options.clone(),
        threads: agent.threads(),
        isolation: outside.isolation(),
        pondering: settings.pondering,
        patience_ms: millis(settings.patience),
        start_ms: millis(settings.start),
        memory: limits.memory,
        processes: limits.processes,
        tasks: limits.tasks,
        cpu_ms: limits.cpu.map(millis),
        file_size: limits.file_size,
        scratch: limits.scratch,
        open_files: limits.open_files,
        commands,
    };
    Ok((Traveller { text, luggage: Some(luggage) }, parcels))
}

/// Collects the files that a command names.
struct Packing {
    folder: PathBuf,
    files: Vec<TravelFile>,
    parcels: Vec<Parcel>,
    commands: Vec<String>,
}

impl Packing {
    fn new(folder: Option<PathBuf>) -> Packing {
        let (files, parcels, commands) = (Vec::new(), Vec::new(), Vec::new());
        Packing { folder: folder.unwrap_or_default(), files, parcels, commands }
    }

    /// The agent's text as it is understood where it goes.
    fn text(&mut self, text: &str) -> Result<String, String> {
        let (kind, command) = text.split_once(':').unwrap_or((text, ""));
        let words = shell_words::split(command).map_err(|error| error.to_string())?;
        if kind == "python" {
            let word = words.first().cloned().unwrap_or_default();
            let (file, class) = word.split_once('#').unwrap_or((&word, ""));
            let at = self.add(file)?.ok_or_else(|| format!("there is no file {file:?}"))?;
            self.commands.push(super::requirement::PYTHON.to_string());
            let class = if class.is_empty() { String::new() } else { format!("#{class}") };
            return Ok(format!("{kind}:{}", shell_words::quote(&format!("{at}{class}"))));
        }
        let mut moved = Vec::with_capacity(words.len());
        for (index, word) in words.iter().enumerate() {
            moved.push(match index {
                0 if !word.contains('/') => {
                    self.commands.push(word.clone());
                    word.clone()
                }
                0 => match self.add(word)? {
                    Some(at) => format!("./{at}"),
                    None => return Err(format!("there is no file {word:?}")),
                },
                _ => self.argument(word)?,
            });
        }
        match moved == words {
            true => Ok(text.to_string()),
            false => Ok(format!("{kind}:{}", shell_words::join(moved))),
        }
    }

    /// An argument, which may name a file by itself or after an equals sign.
    fn argument(&mut self, word: &str) -> Result<String, String> {
        if let Some(at) = self.add(word)? {
            return Ok(at);
        }
        if let Some((option, value)) = word.split_once('=')
            && let Some(at) = self.add(value)?
        {
            return Ok(format!("{option}={at}"));
        }
        Ok(word.to_string())
    }

    /// Adds a file if there is one of this name. Returns its place in the agent's folder.
    fn add(&mut self, name: &str) -> Result<Option<String>, String> {
        let path = self.folder.join(name);
        if name.is_empty() || !path.is_file() {
            return Ok(None);
        }
        let contents = read_whole(&path, LARGEST_FILE)
            .map_err(|error| format!("{name:?} cannot be read: {error}"))?;
        let inside: PathBuf =
            Path::new(name).components().filter(|part| *part != Component::CurDir).collect();
        let place = match is_inside(&inside) {
            true => inside.to_string_lossy().into_owned(),
            false => {
                let file = inside.file_name().unwrap_or_default().to_string_lossy();
                format!("{ELSEWHERE}/{}-{file}", self.files.len())
            }
        };
        let sum = checksum(&contents);
        let mode = fs::metadata(&path).map_or(0, |data| data.permissions().mode());
        if self.files.len() >= MOST_FILES {
            return Err(format!("it names more than {MOST_FILES} files"));
        }
        self.files.push(TravelFile {
            path: place.clone(),
            checksum: sum.clone(),
            size: contents.len() as u64,
            executable: mode & 0o111 != 0,
        });
        self.parcels.push(Parcel { file: path, checksum: sum });
        Ok(Some(place))
    }
}

/// A built-in agent may name no files: what is read where it plays is not for strangers to choose.
fn check_built_in(text: &str) -> Result<(), String> {
    let Ok(spec) = text.parse::<AgentSpec>() else { return Ok(()) };
    let named = agents::file_of(&spec).map(|(_, file)| file);
    let mut values = spec.options.iter().map(|(_, value)| value.as_str());
    match named.or_else(|| values.find(|value| value.contains('/'))) {
        Some(file) => Err(format!(
            "{file:?} is a file; on a worker, built-in agents read none, and books are those of its \
             data folder: book=on"
        )),
        None => Ok(()),
    }
}

/// A program may name no files but its own: whatever its command names can be read in its sandbox.
fn check_paths(text: &str) -> Result<(), String> {
    let (_, command) = text.split_once(':').unwrap_or((text, ""));
    let words = shell_words::split(command).map_err(|error| error.to_string())?;
    for word in &words {
        let value = word.split_once('=').map_or("", |(_, value)| value);
        let leads_out = |path: &str| {
            let path = Path::new(path);
            path.is_absolute() || path.components().any(|part| part == Component::ParentDir)
        };
        if leads_out(word) || leads_out(value) {
            return Err(format!(
                "{word:?} names a place on another machine; only files that are here can be sent"
            ));
        }
    }
    Ok(())
}

/// Whether a path stays in the folder it starts from.
fn is_inside(path: &Path) -> bool {
    let mut parts = path.components();
    path.components().next().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

impl Luggage {
    /// Refuses what no coordinator of ours would have packed.
    pub fn check(&self) -> Result<(), String> {
        if self.files.len() > MOST_FILES || self.commands.len() > MOST_FILES {
            return Err("it names too many files".into());
        }
        for file in &self.files {
            let short = file.path.len() <= 255 && !file.path.contains('\0');
            if !(short && is_inside(Path::new(&file.path)) && is_checksum(&file.checksum)) {
                return Err(format!(
                    "{:?} is no place for a file",
                    super::names::short(&file.path)
                ));
            }
            if file.size > LARGEST_FILE {
                return Err(format!("{:?} is too large", file.path));
            }
        }
        Ok(())
    }

    /// The settings of the program where it runs, isolated at least this far.
    pub fn settings(&self, folder: PathBuf, at_least: Level) -> Settings {
        let millis = Duration::from_millis;
        let longest = Duration::from_secs(24 * 3600);
        Settings {
            options: self.options.clone(),
            threads: Some(self.threads.clamp(1, 1024)),
            limits: Limits {
                memory: self.memory,
                processes: self.processes,
                tasks: self.tasks,
                cpu: self.cpu_ms.map(millis),
                file_size: self.file_size,
                scratch: self.scratch,
                open_files: self.open_files,
                ..Limits::default()
            },
            patience: millis(self.patience_ms).min(longest),
            start: millis(self.start_ms).min(longest),
            folder: Some(folder),
            isolation: Some(self.isolation.max(at_least)),
            pondering: self.pondering,
            ..Settings::default()
        }
    }
}

impl Traveller {
    /// Whether its program is one of its own files, rather than one that the machine has and that
    /// does what its arguments say, such as a shell.
    pub fn is_file_of_its_own(&self) -> bool {
        let Some(luggage) = &self.luggage else { return false };
        let (kind, command) = self.text.split_once(':').unwrap_or((&self.text, ""));
        let Ok(words) = shell_words::split(command) else { return false };
        let word = words.first().map_or("", String::as_str);
        let file = match kind {
            "python" => word.split('#').next().unwrap_or_default(),
            _ => word.strip_prefix("./").unwrap_or_default(),
        };
        luggage.files.iter().any(|it| it.path == file)
    }

    /// The agent, ready to play in this folder.
    pub fn unpack(
        &self,
        registry: &Registry,
        folder: PathBuf,
        at_least: Level,
    ) -> Result<Agent, String> {
        match &self.luggage {
            Some(_) => check_paths(&self.text)?,
            None => check_built_in(&self.text)?,
        }
        let settings = match &self.luggage {
            Some(luggage) => luggage.settings(folder, at_least),
            None if registry.is_program(&self.text) => {
                return Err("a program without settings".into());
            }
            None => Settings::default(),
        };
        let agent = registry.agent(&self.text, &settings).map_err(|error| error.to_string())?;
        // Somebody else's address would be contacted in our name.
        match agent.plays_one_game() {
            true => Err("it is not a program that is started here".into()),
            false => Ok(agent),
        }
    }
}

#[cfg(test)]
mod tests;
