//! Starts a program: a clean environment, three pipes, limits, and a session of its own.
#![allow(unsafe_code)]

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::{self, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use agon_isolation::{Cell, KeptOpen, Level, Refusal, restrict};

use rustix::process::{self as system, Pid, Resource};

use super::cells::Inmate;
use super::trouble::{Trouble, TroubleKind};
use super::{Launch, Limits};

/// The variable that identifies a program's descendants, wherever they go.
pub(super) const TOKEN: &str = "AGON_PROGRAM";

/// Our ends of a program's pipes, all non-blocking.
pub(super) struct Pipes {
    /// Its standard input.
    pub input: OwnedFd,
    /// Its standard output.
    pub output: OwnedFd,
    /// Its standard error.
    pub errors: OwnedFd,
}

/// Starts a program, in a cell if it is to be isolated. The thread that calls this must live as long
/// as the program may: on Linux the program is killed when it ends.
pub(super) fn spawn(launch: &Launch, token: &str) -> Result<(Pid, Pipes, Option<Inmate>), Trouble> {
    if launch.isolation == Level::None {
        let (pid, pipes) = start(command(launch, token)?, launch)?;
        return Ok((pid, pipes, None));
    }
    let no_cell = |refusal: Refusal| Trouble::new(TroubleKind::System, refusal.to_string());
    let (cell, mut command, theirs) = Cell::prepare().map_err(no_cell)?;
    command.env(TOKEN, token).current_dir("/");
    give_up(&mut command, None, Some(theirs.file()));
    let (pid, pipes) = start(command, launch)?;
    drop(theirs);
    match Inmate::admit(cell, launch, token) {
        Ok(inmate) => Ok((pid, pipes, Some(inmate))),
        Err(trouble) => {
            let _ = system::kill_process(pid, system::Signal::KILL);
            let _ = system::waitpid(Some(pid), system::WaitOptions::empty());
            Err(trouble)
        }
    }
}

fn start(mut command: Command, launch: &Launch) -> Result<(Pid, Pipes), Trouble> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| cannot_start(launch, &error))?;
    let pid = Pid::from_child(&child);
    let pipes = (|| {
        let pipes = Pipes {
            input: child.stdin.take()?.into(),
            output: child.stdout.take()?.into(),
            errors: child.stderr.take()?.into(),
        };
        let ends = [&pipes.input, &pipes.output, &pipes.errors];
        ends.iter().all(|end| rustix::io::ioctl_fionbio(end, true).is_ok()).then_some(pipes)
    })();
    match pipes {
        Some(pipes) => Ok((pid, pipes)),
        None => {
            let _ = child.kill();
            let _ = child.wait();
            Err(Trouble::new(TroubleKind::System, "cannot prepare the pipes to the program"))
        }
    }
}

fn command(launch: &Launch, token: &str) -> Result<Command, Trouble> {
    let mut command = Command::new(whole_path(&launch.program)?);
    command.args(&launch.arguments);
    if let Some(folder) = &launch.folder {
        command.current_dir(folder);
    }
    command.env_clear().envs(env::vars_os().filter(|(name, _)| is_harmless(name)));
    command.envs(launch.environment.iter().cloned()).env(TOKEN, token);
    give_up(&mut command, Some(&launch.limits), None);
    Ok(command)
}

/// Makes a command leave our session and our files before it becomes the program, all but one if a
/// cell needs it.
fn give_up(command: &mut Command, limits: Option<&Limits>, kept: Option<RawFd>) {
    let limits = limits.map(resources);
    let parent = system::getpid();
    // SAFETY: between fork and exec only plain system calls are made, on values that were copied
    // before; nothing is allocated and no lock is taken.
    unsafe {
        command.pre_exec(move || {
            prepare(parent, limits.as_ref().map_or(&[], |limits| limits.as_slice()))?;
            kept.map_or(Ok(()), KeptOpen::inherit)
        });
    }
}

/// The path of a program that is named without one.
pub(super) fn in_path(name: &Path) -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// A time as the system counts it: in whole seconds, of which 0 would be no time at all.
pub(super) fn whole_seconds(time: Duration) -> u64 {
    (time.as_secs_f64().ceil() as u64).max(1)
}

/// The path of a program is relative to our folder, not to the one it will run in.
pub(super) fn whole_path(program: &OsStr) -> Result<OsString, Trouble> {
    if !program.as_encoded_bytes().contains(&b'/') {
        return Ok(program.to_owned());
    }
    let whole = path::absolute(program).map_err(|error| Trouble::system("find a path", error))?;
    Ok(whole.into_os_string())
}

/// Variables that a program needs to run, none of which is a secret.
fn is_harmless(variable: &OsStr) -> bool {
    let name = variable.to_string_lossy();
    ["PATH", "HOME", "LANG", "TMPDIR", "USER"].contains(&&*name) || name.starts_with("LC_")
}

fn resources(limits: &Limits) -> [(Resource, Option<u64>); 4] {
    let seconds = limits.cpu.map(whole_seconds);
    [
        (Resource::Core, Some(0)),
        (Resource::Fsize, Some(limits.file_size)),
        (Resource::Nofile, Some(limits.open_files)),
        (Resource::Cpu, seconds),
    ]
}

/// Runs in the child before it becomes the program.
fn prepare(parent: Pid, limits: &[(Resource, Option<u64>)]) -> io::Result<()> {
    // Out of reach of Ctrl-C, and with a process group that can be killed as a whole.
    system::setsid()?;
    #[cfg(target_os = "linux")]
    {
        system::set_parent_process_death_signal(Some(system::Signal::KILL))?;
        // If we died just before that, the child would not get the signal.
        if system::getppid() != Some(parent) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
    for &(resource, limit) in limits {
        if let Some(limit) = limit {
            restrict(resource, limit)?;
        }
    }
    for signal in 1..=64 {
        // SAFETY: the default action calls no code of ours. Some signals refuse, as they should.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    hide_files();
    Ok(())
}

/// Hides our open files. Our own are closed on exec anyway, but not those that we inherited.
fn hide_files() {
    #[cfg(target_os = "linux")]
    {
        let (first, last, flag) = (3_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
        // SAFETY: marks files to be closed on exec; it touches no memory.
        if unsafe { libc::syscall(libc::SYS_close_range, first, last, flag) } == 0 {
            return;
        }
    }
    let most = system::getrlimit(Resource::Nofile).current.unwrap_or(4096).min(4096);
    for file in 3..most as i32 {
        // SAFETY: marks a file to be closed on exec, or fails if there is none.
        unsafe { libc::fcntl(file, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

/// Why a program did not start, in words.
pub(super) fn cannot_start(launch: &Launch, error: &io::Error) -> Trouble {
    let program = &launch.program;
    let there = whole_path(program).is_ok_and(|path| Path::new(&path).exists());
    let problem = match (error.raw_os_error(), &launch.folder) {
        (Some(libc::EAGAIN | libc::ENOMEM | libc::EMFILE | libc::ENFILE), _) => {
            return Trouble::system("start another process", error);
        }
        (_, Some(folder)) if !folder.is_dir() => {
            return Trouble::new(
                TroubleKind::CannotStart,
                format!("there is no folder {folder:?}"),
            );
        }
        (Some(libc::ENOENT), _) if there => {
            "exists, but not the interpreter or loader that it names".to_string()
        }
        (Some(libc::ENOENT), _) if program.as_encoded_bytes().contains(&b'/') => {
            "does not exist".to_string()
        }
        (Some(libc::ENOENT), _) => "is not in PATH".to_string(),
        (Some(libc::EACCES), _) => "is not executable (chmod +x?)".to_string(),
        (Some(libc::ENOEXEC), _) => "is not a program that this system can run".to_string(),
        _ => format!("did not start: {error}"),
    };
    Trouble::new(TroubleKind::CannotStart, format!("{program:?} {problem}"))
}
