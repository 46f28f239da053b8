//! The connection to an external program: what every protocol on the arena's side needs.

use std::ffi::OsString;
use std::fmt;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use agon_arena::files::shown;
use agon_arena::player::{Breach, NoAnswer, SystemTrouble};
use agon_arena::remote::Settings;
use agon_arena::verdict::Fault;
use agon_core::printable;
use agon_isolation::Level;
use agon_search::{AgentError, StopFlag};

use crate::process::{Launch, Parting, Program, Trouble, TroubleKind};

/// How long after the deadline a program may still answer, so that it counts as late and not as
/// stalled, and need not be restarted.
const GRACE: Duration = Duration::from_secs(1);
/// How often to check whether the answer is still wanted.
const LOOK: Duration = Duration::from_millis(100);
/// How long a program may take to quit when told to.
const FAREWELL: Duration = Duration::from_millis(500);

/// The variable in which a program that is Agon itself finds the data folder, with its tables.
const DATA: &str = "AGON_DATA";

/// A parsed command line, and the settings of its program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CommandLine {
    words: Vec<String>,
    /// Variables besides those that every program gets.
    environment: Vec<(OsString, OsString)>,
    /// Whether it listens at a port.
    network: bool,
    /// Whether its program did not come with an agent, wherever it is.
    trusted: bool,
    /// Files that it needs besides those that it names.
    needed: Vec<PathBuf>,
    pub(crate) settings: Settings,
}

impl CommandLine {
    /// Parses a command as a shell would: words, quotes and backslashes, and nothing else.
    pub(crate) fn read(
        kind: &str,
        command: &str,
        settings: &Settings,
    ) -> Result<CommandLine, AgentError> {
        let text = format!("{kind}:{command}");
        let words = shell_words::split(command)
            .map_err(|_| AgentError::new(&text, "a quote is missing in the command"))?;
        if words.is_empty() {
            let problem = format!("expected {kind}:COMMAND, such as {kind}:./my-engine");
            return Err(AgentError::new(&text, problem));
        }
        Ok(CommandLine::of_words(words, settings))
    }

    /// A command whose words are known.
    pub(crate) fn of_words(words: Vec<String>, settings: &Settings) -> CommandLine {
        CommandLine {
            words,
            environment: Vec::new(),
            network: false,
            trusted: false,
            needed: Vec::new(),
            settings: settings.clone(),
        }
    }

    /// The same command, which also inherits this variable.
    pub(crate) fn with_variable(mut self, name: &str) -> CommandLine {
        self.environment.extend(std::env::var_os(name).map(|value| (name.into(), value)));
        self
    }

    /// The same command, whose program may read these paths.
    pub(crate) fn with_readable(mut self, paths: Vec<PathBuf>) -> CommandLine {
        self.settings.readable.extend(paths);
        self
    }

    /// The same command, which needs this file.
    pub(crate) fn with_file(mut self, file: PathBuf) -> CommandLine {
        self.needed.push(file);
        self
    }

    /// The same command, whose program did not come with an agent.
    pub(crate) fn with_trust(mut self) -> CommandLine {
        self.trusted = true;
        self
    }

    /// The same command, which listens at a port.
    pub(crate) fn with_network(mut self) -> CommandLine {
        self.network = true;
        self
    }

    /// The same command with a placeholder replaced by a value.
    pub(crate) fn filled(&self, name: &str, value: &str) -> CommandLine {
        let words = self.words.iter().map(|word| word.replace(name, value)).collect();
        CommandLine { words, ..self.clone() }
    }

    fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// The command as it could be typed.
    pub(crate) fn text(&self) -> String {
        shell_words::join(&self.words)
    }

    /// The path of the program, if there is one: a path is relative to the agent's folder, a bare
    /// name is looked up in `PATH`.
    pub(crate) fn find(&self) -> Result<PathBuf, String> {
        let name = self.program();
        if name.contains('/') {
            let folder = self.settings.folder.as_deref().unwrap_or(Path::new(""));
            let path = folder.join(name);
            return match path.metadata() {
                Ok(data) if !data.is_file() => Err(format!("{} is not a program", shown(&path))),
                Ok(data) if !is_executable(&data) => Err(format!(
                    "{} cannot be executed; chmod +x makes it executable",
                    shown(&path)
                )),
                Ok(_) => std::path::absolute(&path).map_err(|error| error.to_string()),
                Err(error) => Err(format!("cannot find the program {}: {error}", shown(&path))),
            };
        }
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let mut candidates = std::env::split_paths(&folders).map(|folder| folder.join(name));
        let fits = |path: &PathBuf| {
            path.metadata().is_ok_and(|data| data.is_file() && is_executable(&data))
        };
        candidates.find(fits).ok_or_else(|| {
            let name = printable(name);
            format!("there is no program {name} in PATH; for one in this folder write ./{name}")
        })
    }

    /// Whether it can be started, as far as that is known before.
    pub(crate) fn check(&self) -> Result<(), String> {
        check_level(self.isolation())?;
        self.find().map(drop)
    }

    /// Whether its program was chosen by whoever wrote the command, and is not a file of an agent's.
    fn is_trusted(&self) -> bool {
        let name = self.program();
        self.trusted || Path::new(name).is_absolute() || !name.contains('/')
    }

    /// How far its program is isolated.
    pub(crate) fn isolation(&self) -> Level {
        self.settings.isolation.unwrap_or_default()
    }

    /// The files that the command names: the program, and arguments such as a script, a `jar` or
    /// `--net=FILE`.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let folder = self.settings.folder.as_deref().unwrap_or(Path::new(""));
        let argument = |word: &String| {
            let value = word.split_once('=').map(|(_, value)| value);
            let candidates = [Some(word.as_str()), value].into_iter().flatten();
            candidates.map(|name| folder.join(name)).find(|path| path.is_file())
        };
        self.find().into_iter().chain(self.words.iter().skip(1).filter_map(argument)).collect()
    }

    /// What to start.
    pub(crate) fn launch(&self) -> Result<Launch, String> {
        let mut launch = Launch::new(self.find()?);
        launch.arguments = self.words.iter().skip(1).map(Into::into).collect();
        launch.folder = self.settings.folder.clone();
        launch.limits = self.settings.limits.clone();
        launch.log = self.settings.log.clone();
        launch.environment = self.environment.clone();
        launch.isolation = self.settings.isolation.unwrap_or_default();
        launch.trusted = self.is_trusted();
        launch.files = self.files().into_iter().chain(self.needed.iter().cloned()).collect();
        launch.readable = self.settings.readable.clone();
        launch.threads = self.settings.threads.unwrap_or(1);
        launch.network = self.network;
        launch.pondering = self.settings.pondering;
        if let Some(data) = &self.settings.data {
            launch.environment.push((DATA.into(), data.into()));
            launch.private.push(data.clone());
        }
        Ok(launch)
    }
}

/// Whether programs can be isolated this far here. It is tried once.
pub(crate) fn check_level(level: Level) -> Result<(), String> {
    static TRIED: [OnceLock<Result<(), String>>; Level::ALL.len()] =
        [const { OnceLock::new() }; Level::ALL.len()];
    let Some(tried) = TRIED.get(level as usize) else { return Ok(()) };
    tried
        .get_or_init(|| {
            agon_isolation::try_level(level).map_err(|unavailable| {
                format!(
                    "programs cannot be isolated at level {level} here: {unavailable}; agon \
                     isolation shows what this machine can give"
                )
            })
        })
        .clone()
}

fn is_executable(data: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    data.permissions().mode() & 0o111 != 0
}

/// A running program.
pub(crate) struct Link {
    program: Option<Program>,
    /// The line that asks it to quit.
    farewell: &'static str,
    broken: bool,
    /// How far it is isolated, and whether it has ever answered.
    isolation: Level,
    answered: bool,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pid = self.program.as_ref().map(Program::pid);
        f.debug_struct("Link").field("pid", &pid).field("broken", &self.broken).finish()
    }
}

/// An answer.
pub(crate) struct AnswerLine {
    /// The line.
    pub(crate) text: String,
    /// When its end was read.
    pub(crate) at: Instant,
}

impl Link {
    /// Starts a program.
    pub(crate) fn start(command: &CommandLine, farewell: &'static str) -> Result<Link, NoAnswer> {
        let launch = command.launch().map_err(|problem| Breach::new(Fault::NoStart, problem))?;
        let isolation = launch.isolation;
        let program = Program::start(&launch).map_err(|trouble| match trouble.kind {
            TroubleKind::System => NoAnswer::System(SystemTrouble(trouble.evidence)),
            _ => {
                let evidence = trouble.evidence + hint(isolation);
                NoAnswer::from(Breach::new(Fault::NoStart, evidence))
            }
        })?;
        Ok(Link { program: Some(program), farewell, broken: false, isolation, answered: false })
    }

    /// Its process id; 0 when it is no longer running.
    pub(crate) fn process(&self) -> u32 {
        self.program.as_ref().map_or(0, Program::pid)
    }

    /// Writes a whole message. Returns the time at which it was written.
    pub(crate) fn send(&mut self, text: &str, deadline: Instant) -> Result<Instant, NoAnswer> {
        let sent = self.program.as_mut().map(|program| program.send(text, deadline));
        match sent {
            Some(Ok(())) => Ok(Instant::now()),
            Some(Err(trouble)) => Err(self.failed(trouble)),
            None => Err(Breach::new(Fault::Disconnected, "it is not running").into()),
        }
    }

    /// Reads lines until `wanted` accepts one, and returns what it makes of it. `None` if the
    /// deadline passes first.
    pub(crate) fn wait<T>(
        &mut self,
        deadline: Instant,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<Option<(T, Instant)>, NoAnswer> {
        let Some(program) = &mut self.program else {
            return Err(Breach::new(Fault::Disconnected, "it is not running").into());
        };
        let trouble = loop {
            match program.read_line(deadline) {
                Ok(Some(line)) => {
                    if let Some(found) = wanted(line.text.trim()) {
                        let at = line.at;
                        self.answered = true;
                        program.rest();
                        return Ok(Some((found, at)));
                    }
                }
                Ok(None) => return Ok(None),
                Err(trouble) => break trouble,
            }
        };
        Err(self.failed(trouble))
    }

    /// Discards what it printed before it was asked.
    pub(crate) fn drain(&mut self) -> Result<(), NoAnswer> {
        match self.program.as_mut().map(Program::drain) {
            Some(Err(trouble)) => Err(self.failed(trouble)),
            _ => Ok(()),
        }
    }

    /// Connects to a port inside its cell; `None` if it is not in one.
    pub(crate) fn dial(&self, port: u16, deadline: Instant) -> Option<std::io::Result<TcpStream>> {
        self.program.as_ref().and_then(|program| program.dial(port, deadline))
    }

    /// Nothing is asked of it any more, until the next message.
    pub(crate) fn rest(&mut self) {
        self.program.iter_mut().for_each(Program::rest);
    }

    /// Reads what it printed meanwhile, which nobody waits for, and checks its health.
    pub(crate) fn look_after(&mut self) -> Result<(), NoAnswer> {
        match self.program.as_mut().map(Program::look_after) {
            Some(Err(trouble)) => Err(self.failed(trouble)),
            _ => Ok(()),
        }
    }

    /// Waits until the deadline or until the answer is no longer wanted.
    fn wait_unless<T>(
        &mut self,
        stop: &StopFlag,
        deadline: Instant,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<Option<(T, Instant)>, NoAnswer> {
        loop {
            let soon = deadline.min(Instant::now() + LOOK);
            let found = self.wait(soon, &mut wanted)?;
            if found.is_some() || soon == deadline || stop.is_set() {
                return Ok(found);
            }
        }
    }

    /// Waits for the answer to a question sent at `asked`. At the deadline, or when the answer is
    /// no longer wanted, the program is told to stop, if the protocol has a word for that, and a
    /// little later it is given up.
    pub(crate) fn answer(
        &mut self,
        asked: Instant,
        time: Duration,
        (hurry, stop): (&str, &StopFlag),
        mut wanted: impl FnMut(&str) -> Option<String>,
    ) -> Result<AnswerLine, NoAnswer> {
        let due = asked.checked_add(time).unwrap_or(asked);
        let mut found = self.wait_unless(stop, due, &mut wanted)?;
        if found.is_none() {
            let last = Instant::now() + GRACE;
            if !hurry.is_empty() {
                self.send(hurry, last)?;
            }
            found = self.wait(last, &mut wanted)?;
        }
        match found {
            Some((text, at)) => Ok(AnswerLine { text, at }),
            None => {
                let waited = asked.elapsed().as_secs_f64();
                Err(self.fault(Fault::Stalled, format!("no answer in {waited:.1} s")).into())
            }
        }
    }

    /// A fault with the last lines, after which the program cannot be used.
    pub(crate) fn fault(&mut self, fault: Fault, evidence: impl fmt::Display) -> Breach {
        self.broken = true;
        Breach::new(fault, format!("{evidence}{}", self.last_lines()))
    }

    /// What ended the conversation, and whether that is the program's fault.
    fn failed(&mut self, trouble: Trouble) -> NoAnswer {
        let fault = match trouble.kind {
            TroubleKind::System => {
                self.broken = true;
                return NoAnswer::System(SystemTrouble(trouble.evidence));
            }
            TroubleKind::CannotStart => Fault::NoStart,
            TroubleKind::Exited => Fault::Disconnected,
            TroubleKind::Crashed => Fault::Crash,
            TroubleKind::ClosedPipe => Fault::ClosedPipe,
            TroubleKind::NotReading => Fault::Stalled,
            TroubleKind::Flood => Fault::Flood,
            TroubleKind::LineTooLong => Fault::LongLine,
            TroubleKind::Memory => Fault::Memory,
            TroubleKind::Processes => Fault::Processes,
            TroubleKind::CpuTime => Fault::CpuTime,
            TroubleKind::FileSize => Fault::FileSize,
            TroubleKind::ChildrenLeft => Fault::Children,
        };
        let ended = matches!(fault, Fault::NoStart | Fault::Disconnected | Fault::Crash);
        let hint = if ended && !self.answered { hint(self.isolation) } else { "" };
        self.fault(fault, trouble.evidence + hint).into()
    }

    /// Asks it to quit. Reports faults while quitting, and kills whatever is left of it.
    pub(crate) fn leave(&mut self, patience: Duration) -> Result<(), Breach> {
        let Some(program) = self.program.take() else { return Ok(()) };
        match program.close(self.farewell, patience) {
            Ok(Parting::Left) => Ok(()),
            Ok(Parting::Ended) => {
                let (word, seconds) = (self.farewell.trim(), patience.as_secs_f64());
                let evidence = format!(
                    "{seconds:.1} s after {word:?} and the end of its input it was still running"
                );
                Err(Breach::new(Fault::Stalled, evidence))
            }
            Err(trouble) => match self.failed(trouble) {
                NoAnswer::Breach(breach) => Err(breach),
                NoAnswer::System(_) => Ok(()),
            },
        }
    }

    /// The last lines sent and received, each preceded by a line break, to go below a sentence;
    /// empty if there are none.
    pub(crate) fn last_lines(&self) -> String {
        let said = self.program.as_ref().map(Program::last_lines).unwrap_or_default();
        said.iter().map(|line| format!("\n{line}")).collect()
    }
}

/// What may be the reason if an isolated program does not even start.
fn hint(isolation: Level) -> &'static str {
    match isolation {
        Level::None => "",
        Level::Weak | Level::Sandbox => {
            " (isolated, it sees only the system's folders and its own; readable = [\"PATH\"] in a \
             tournament file or --readable PATH shows it more)"
        }
    }
}

/// A program that ends before it is ready has failed to start.
pub(crate) fn at_start(reason: NoAnswer) -> NoAnswer {
    let NoAnswer::Breach(mut breach) = reason else { return reason };
    breach.fault = match breach.fault {
        Fault::Crash | Fault::Disconnected | Fault::ClosedPipe => Fault::NoStart,
        Fault::Stalled => Fault::NotReady,
        fault => fault,
    };
    breach.into()
}

impl Drop for Link {
    /// A program without a fault is asked to quit, any other is killed.
    fn drop(&mut self) {
        if let Some(program) = self.program.take()
            && !self.broken
        {
            // Its games are over: what it leaves behind is killed without a penalty.
            let _ = program.close(self.farewell, FAREWELL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_made_of_the_files_it_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bot.py", "net.bin", "book"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        let settings =
            Settings { folder: Some(folder.path().to_path_buf()), ..Settings::default() };
        let files = |command: &str| {
            let command = CommandLine::read("ugi", command, &settings).unwrap();
            let found = command.files().into_iter();
            found.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        let found: Vec<String> = files("sh bot.py --net=net.bin --level 3 book nothing .");
        assert_eq!(found, ["sh", "bot.py", "net.bin", "book"], "sh is found in PATH");
        let found: Vec<String> = files("./nowhere bot.py");
        assert_eq!(found, ["bot.py"]);
    }
}
