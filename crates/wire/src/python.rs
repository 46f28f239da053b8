//! Agents that are Python files: `python:FILE[#CLASS]`.
//!
//! The Python package `agon` has a runner that loads such a file and speaks UGI for it. So an agent
//! in Python is a program like any other; this module finds the interpreter and asks the runner,
//! before the first game, whether the agent exists.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use agon_arena::player::NoAnswer;
use agon_arena::remote::{Outside, OutsideKind, Remote, Settings};
use agon_core::Variant;
use agon_isolation::Level;
use agon_search::AgentError;
use agon_search::spec::{AgentInfo, Manner};

use crate::link::{CommandLine, check_level};
use crate::process::{Launch, Program};
use crate::ugi::UgiAgent;

/// The default interpreter.
const PYTHON: &str = "python3";

/// The variable that names another one.
const VARIABLE: &str = "AGON_PYTHON";

/// The variable that says where else the interpreter finds libraries.
const LIBRARIES: &str = "PYTHONPATH";

/// The code that the interpreter runs: the same as `-m agon.runner`, but with the installed package
/// even if the current folder has something of that name.
const RUNNER: &str = "import sys; sys.path[:] = [place for place in sys.path if place]; \
                      import agon.runner; agon.runner.main()";

/// The code with which it prints where it finds libraries.
const SHOW_LIBRARIES: &str = "import sys; print('\\n'.join(sys.path))";

/// The word with which the runner confirms that an agent exists.
const OK: &str = "ok";

/// Agents that are Python files, run by one interpreter.
#[derive(Clone, Debug)]
pub(crate) struct PythonAgents {
    python: String,
}

impl PythonAgents {
    /// Agents for this interpreter, a path or a name to be looked up in `PATH`; by default the one
    /// that `AGON_PYTHON` names, else `python3`.
    pub fn new(python: Option<&str>) -> PythonAgents {
        let named = std::env::var(VARIABLE).ok().filter(|name| !name.is_empty());
        let python = python.map(str::to_string).or(named).unwrap_or_else(|| PYTHON.to_string());
        // Programs run in folders of their own, but this path is relative to the current one. Links
        // are not resolved: an interpreter finds its virtual environment through its own link.
        let python = match python.contains('/').then(|| std::path::absolute(&python)) {
            Some(Ok(path)) => path.to_string_lossy().into_owned(),
            _ => python,
        };
        PythonAgents { python }
    }
}

impl OutsideKind for PythonAgents {
    fn info(&self) -> AgentInfo {
        AgentInfo {
            name: "python",
            about: "python:FILE[#CLASS], an agent written in Python",
            seats: &[2, 3, 4],
            options: &[],
            manner: Manner::Anytime,
        }
    }

    fn outside(&self, command: &str, settings: &Settings) -> Result<Box<dyn Outside>, AgentError> {
        let text = format!("python:{command}");
        let file = match shell_words::split(command).as_deref() {
            Ok([file]) => file.clone(),
            Ok([]) => {
                let problem = "expected python:FILE[#CLASS], such as python:agent.py";
                return Err(AgentError::new(text, problem));
            }
            Ok(_) => {
                let problem = "expected one file; a name with spaces needs quotes, such as \
                               python:'my agent.py'";
                return Err(AgentError::new(text, problem));
            }
            Err(_) => return Err(AgentError::new(text, "a quote is missing in the file's name")),
        };
        if let Some((option, _)) = settings.options.first() {
            let problem = format!("agents in Python have no options, so {option} cannot be set");
            return Err(AgentError::new(text, problem));
        }
        Ok(Box::new(PythonAgent {
            python: self.python.clone(),
            file,
            settings: settings.clone(),
            checked: OnceLock::new(),
            libraries: OnceLock::new(),
        }))
    }

    fn split_pattern<'a>(&self, command: &'a str) -> (&'a str, &'a str) {
        command.split_at(command.find('#').unwrap_or(command.len()))
    }
}

/// One agent.
#[derive(Debug)]
struct PythonAgent {
    python: String,
    /// What follows the colon: the file, and a class in it.
    file: String,
    settings: Settings,
    /// The result of the check: starting an interpreter takes a while, and it does not depend on
    /// the game.
    checked: OnceLock<Result<(), String>>,
    /// Where the interpreter finds libraries.
    libraries: OnceLock<Vec<PathBuf>>,
}

impl PythonAgent {
    fn command(&self, more: &[&str]) -> CommandLine {
        let command = self.run(RUNNER, more);
        if self.isolation() == Level::None {
            return command;
        }
        let libraries = self.libraries.get_or_init(|| self.find_libraries()).clone();
        self.files().into_iter().fold(command.with_readable(libraries), CommandLine::with_file)
    }

    /// The interpreter with some code, and the agent's file as its last argument.
    fn run(&self, code: &str, more: &[&str]) -> CommandLine {
        let words = [self.python.as_str(), "-c", code].into_iter();
        let words = words.chain(more.iter().copied()).chain([self.file.as_str()]);
        let words = words.map(str::to_string).collect();
        CommandLine::of_words(words, &self.settings).with_variable(LIBRARIES).with_trust()
    }

    /// Where the interpreter finds libraries: it is asked, as packages that are being worked on are
    /// anywhere. None of the agent's code runs for that. If it does not answer, there is an error
    /// later that says why.
    fn find_libraries(&self) -> Vec<PathBuf> {
        let launch = self.run(SHOW_LIBRARIES, &[]).launch();
        let launch = launch.map(|launch| Launch { isolation: Level::None, ..launch });
        let Some(mut program) = launch.ok().and_then(|launch| Program::start(&launch).ok()) else {
            return Vec::new();
        };
        let deadline = Instant::now() + self.settings.start;
        let mut found = Vec::new();
        while let Ok(Some(line)) = program.read_line(deadline) {
            found.push(PathBuf::from(line.text.as_ref()));
        }
        found.retain(|path| path.is_absolute() && path.exists());
        found
    }

    /// Asks the runner whether the agent exists. None of its code runs for that.
    fn look(&self) -> Result<(), String> {
        let launch = self.command(&["--check"]).launch().map_err(|problem| {
            format!("{problem} (--python or {VARIABLE} choose the Python to use)")
        })?;
        let mut program = Program::start(&launch).map_err(|trouble| trouble.evidence)?;
        let line = program.read_line(Instant::now() + self.settings.start);
        match line.map(|line| line.map(|line| line.text.into_owned())) {
            Ok(Some(line)) if line == OK => Ok(()),
            Ok(Some(problem)) => Err(problem),
            Ok(None) => {
                let seconds = self.settings.start.as_secs_f64();
                Err(format!("{} did not answer in {seconds:.1} s", self.python))
            }
            Err(trouble) => Err(self.no_runner(&program, &trouble.evidence)),
        }
    }

    /// Why the runner did not answer: most often the package is missing.
    fn no_runner(&self, program: &Program, evidence: &str) -> String {
        let python = self.shown_python();
        let said = program.last_lines();
        let said: Vec<&str> = said.iter().map(|line| line.text.trim()).collect();
        let missing = |line: &&str| line.contains("No module named") && line.contains("agon");
        match said.iter().any(missing) {
            true => format!(
                "{python} does not have Agon's package. This installs it, in the folder of Agon's \
                 sources:\n  {python} -m pip install ./python\nor choose a Python that has it with \
                 --python or {VARIABLE}"
            ),
            false => format!("{python} cannot run it: {evidence}: {}", said.join(" | ")),
        }
    }

    /// The interpreter as it could be typed.
    fn shown_python(&self) -> String {
        let here = std::env::current_dir().unwrap_or_default();
        let short = Path::new(&self.python).strip_prefix(&here).map(|path| path.to_string_lossy());
        shell_words::quote(&short.unwrap_or(self.python.as_str().into())).into_owned()
    }
}

impl Outside for PythonAgent {
    fn check(&self, _: &Variant) -> Result<(), String> {
        check_level(self.isolation())?;
        self.checked.get_or_init(|| self.look()).clone()
    }

    fn isolation(&self) -> Level {
        self.settings.isolation.unwrap_or_default()
    }

    fn settings(&self) -> Option<&Settings> {
        Some(&self.settings)
    }

    /// The agent's file, and not the interpreter, which all agents share.
    fn files(&self) -> Vec<PathBuf> {
        let file = self.file.split_once('#').map_or(self.file.as_str(), |(file, _)| file);
        let folder = self.settings.folder.as_deref().unwrap_or(Path::new(""));
        Some(folder.join(file)).into_iter().filter(|path| path.is_file()).collect()
    }

    fn start(&self, variant: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        UgiAgent::new(self.command(&[])).start(variant)
    }
}
