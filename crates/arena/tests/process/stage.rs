//! The hostile program, how to talk to it, and what may be left afterwards.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::process::{Launch, Program, Trouble};

/// Long enough for anything that is to happen at all, on a busy machine too.
pub const LONG: Duration = Duration::from_secs(20);

pub fn soon() -> Instant {
    Instant::now() + LONG
}

pub fn in_ms(milliseconds: u64) -> Instant {
    Instant::now() + Duration::from_millis(milliseconds)
}

/// The hostile program. Cargo builds it with all tests, but not with this one alone, so it is built
/// here where it is missing or old.
fn hostile() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = env::current_exe().unwrap();
        let folder = test.parent().and_then(Path::parent).unwrap();
        let program = folder.join("examples/hostile");
        if !is_current(&program) {
            build_hostile(folder);
        }
        program
    })
}

fn is_current(program: &Path) -> bool {
    let changed = |file: &Path| file.metadata().and_then(|data| data.modified()).ok();
    let sources = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/hostile"));
    let sources = sources.into_iter().flatten().flatten();
    program.exists() && sources.map(|file| changed(&file.path())).max() <= Some(changed(program))
}

fn build_hostile(folder: &Path) {
    let mut build = Command::new(env!("CARGO"));
    // The profile of the tests, so that nothing else has to be built again.
    let profile = if folder.ends_with("release") { "release" } else { "test" };
    build.args(["build", "--offline", "--profile", profile, "--example", "hostile"]);
    build.arg("--manifest-path");
    build.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
    build.arg("--target-dir").arg(folder.parent().unwrap());
    assert!(build.status().unwrap().success(), "the example `hostile` does not build");
}

/// How to start the hostile program, with arguments in one text.
pub fn launch(arguments: &str) -> Launch {
    let mut launch = Launch::new(hostile());
    launch.arguments = arguments.split_whitespace().map(Into::into).collect();
    launch
}

/// Starts a program and has it greet.
pub fn greeted(launch: &Launch) -> Program {
    let mut program = Program::start(launch).unwrap();
    program.send("ugi\nisready\n", soon()).unwrap();
    assert_eq!(lines_until(&mut program, "readyok", soon()).unwrap().unwrap().len(), 3);
    program
}

/// All lines up to one that begins so, or `None` at the deadline.
pub fn lines_until(
    program: &mut Program,
    last: &str,
    deadline: Instant,
) -> Result<Option<Vec<String>>, Trouble> {
    let mut lines = Vec::new();
    while let Some(line) = program.read_line(deadline)? {
        lines.push(line.text.into_owned());
        if lines.last().is_some_and(|line| line.starts_with(last)) {
            return Ok(Some(lines));
        }
    }
    Ok(None)
}

/// Asks for a move and gives the answer; what is said before is not kept.
pub fn asked(program: &mut Program, deadline: Instant) -> Result<Option<String>, Trouble> {
    program.send("go\n", deadline)?;
    while let Some(line) = program.read_line(deadline)? {
        if line.text.starts_with("bestm") {
            return Ok(Some(line.text.into_owned()));
        }
    }
    Ok(None)
}

/// A time in which nobody else starts programs here. At its end nothing may be left.
pub struct Stage {
    _alone: MutexGuard<'static, ()>,
    files: usize,
}

impl Stage {
    pub fn enter() -> Stage {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        hostile();
        Stage { _alone: alone, files: open_files() }
    }

    /// Whether everything is as it was.
    pub fn leave(self) {
        assert_eq!(children(), Vec::<String>::new(), "processes are left");
        assert_eq!(open_files(), self.files, "files are left open");
        let alive = hostile_processes();
        assert!(alive.is_empty(), "processes of {} got away: {alive:?}", std::process::id());
    }
}

/// Pipes and handles of processes that are open here. Plain files are not counted: a test that has
/// left the stage may still be tidying up.
fn open_files() -> usize {
    let files = fs::read_dir("/proc/self/fd").unwrap().flatten();
    let targets = files
        .filter_map(|file| fs::read_link(file.path()).ok()?.into_os_string().into_string().ok());
    targets.filter(|target| target.starts_with("pipe:") || target.contains("pidfd")).count()
}

/// The children of this process, dead or alive.
pub fn children() -> Vec<String> {
    let threads = fs::read_dir("/proc/self/task").unwrap().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().map(str::to_string).collect::<Vec<_>>()).collect()
}

/// All processes of the machine that were started for this one, wherever they went. Those without
/// a mark can be told only by their parent.
pub fn hostile_processes() -> Vec<String> {
    let mark = format!("AGON_PROGRAM={}-", std::process::id());
    let is_ours = |pid: &String| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry.starts_with(mark.as_bytes()))
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_ours).collect()
}

/// A number from a file like `/proc/self/status`.
pub fn status_number(file: &str, field: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim_start_matches(':').split_whitespace().next().unwrap().parse().unwrap()
}

/// Waits until something is so.
pub fn eventually(what: &str, test: impl Fn() -> bool) {
    let deadline = soon();
    while !test() {
        assert!(Instant::now() < deadline, "never happened: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
