//! Inside: what this program does when it is started as a cell.
//!
//! It has just been started, has one thread and holds nothing of the arena's but a socket. At level
//! `sandbox` it makes the namespaces and stays as the process that the arena knows; its child is
//! the first process of the new process namespace, sets everything up, starts the program, and
//! freezes it on request. At level `weak` it becomes the program itself.
#![allow(unsafe_code)]

mod init;
mod mounts;
mod privileges;

use std::fs;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::net::{RecvAncillaryBuffer, RecvFlags, SendFlags, recvmsg, send};
use rustix::process::{Signal, WaitOptions, getpid, set_parent_process_death_signal, waitpid};
use rustix::thread::{UnshareFlags, unshare_unsafe};

use crate::fences;
use crate::filter::{Reach, Sockets, filters};
use crate::handle::received_file;
use crate::order::{LONGEST, Order, Refusal, Report, at};
use crate::{Level, NAME};

pub(crate) use mounts::SCRATCH;

/// Runs as a cell, with the arena at the other end of this file.
pub(crate) fn main(file: RawFd) -> ExitCode {
    // SAFETY: the arena left this file open for this purpose alone, and nothing else uses it.
    let arena = unsafe { OwnedFd::from_raw_fd(file) };
    match run(&arena) {
        Ok(code) => code,
        Err(refusal) => {
            tell(&arena, &Report::NoCell(refusal));
            ExitCode::FAILURE
        }
    }
}

fn run(arena: &OwnedFd) -> Result<ExitCode, Refusal> {
    // Neither the program nor anything it starts may have this file.
    rustix::io::fcntl_setfd(arena, rustix::io::FdFlags::CLOEXEC).map_err(at("keep a file"))?;
    privileges::OWNER.store(getpid().as_raw_pid() as u32, std::sync::atomic::Ordering::Relaxed);
    let (order, door) = receive(arena)?;
    match order.level {
        Level::Weak => become_weak(arena, &order),
        Level::Sandbox => make_cell(arena, &order, door),
        Level::None => Err(Refusal { step: "isolate at level none".into(), errno: 0 }),
    }
}

/// What to start, and the door of a control group for it, if there is one.
fn receive(arena: &OwnedFd) -> Result<(Order, Option<OwnedFd>), Refusal> {
    let mut message = vec![0; LONGEST];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut extra = RecvAncillaryBuffer::new(&mut space);
    let mut parts = [io::IoSliceMut::new(&mut message)];
    let got = recvmsg(arena, &mut parts, &mut extra, RecvFlags::CMSG_CLOEXEC)
        .map_err(at("be told what to start"))?;
    let order = serde_json::from_slice(&message[..got.bytes])
        .map_err(|error| Refusal { step: format!("read what to start: {error}"), errno: 0 })?;
    Ok((order, received_file(&mut extra)))
}

/// Tells the arena something. If it no longer listens, it has no use for this either.
fn tell(arena: impl AsFd, report: &Report) {
    if let Ok(text) = serde_json::to_vec(report) {
        let _ = send(arena, &text, SendFlags::NOSIGNAL);
    }
}

/// Makes the namespaces and waits for the end of what happens inside.
fn make_cell(arena: &OwnedFd, order: &Order, door: Option<OwnedFd>) -> Result<ExitCode, Refusal> {
    let everything = UnshareFlags::NEWNS
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWNET
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWCGROUP;
    let everything = match privileges::has_all_ids() {
        true => everything,
        false => everything | UnshareFlags::NEWUSER,
    };
    // Without them, programs of root's can read only what everybody can.
    let ids = privileges::has_all_ids().then(privileges::own_ids).and_then(Result::ok);
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    // SAFETY: the files of this process are not shared with another, and it has one thread.
    unsafe { unshare_unsafe(everything) }.map_err(at("make namespaces"))?;
    if everything.contains(UnshareFlags::NEWUSER) {
        let write = |file: &str, text: String| {
            fs::write(format!("/proc/self/{file}"), text).map_err(at("keep its user id"))
        };
        write("setgroups", "deny".into())?;
        write("uid_map", format!("{user} {user} 1"))?;
        write("gid_map", format!("{group} {group} 1"))?;
    }
    rustix::system::sethostname(b"agon").map_err(at("name the machine"))?;
    // It dies with the arena, although its rights have just changed.
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(at("die with the arena"))?;
    // SAFETY: this process has one thread, so its child may do anything.
    match unsafe { libc::fork() } {
        -1 => Err(Refusal::new("start the first process", &io::Error::last_os_error())),
        0 => init::main(arena, order, ids.as_ref(), door),
        _ => {
            // Only the program may hold its pipes.
            close_streams();
            Ok(wait_for_all())
        }
    }
}

/// Lets go of the pipes of the program: the arena sees their end when it closes them.
fn close_streams() {
    if let Ok(null) = fs::OpenOptions::new().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
        let _ = rustix::stdio::dup2_stderr(&null);
    }
}

/// Waits for the first process, which reports the end of the program itself.
fn wait_for_all() -> ExitCode {
    loop {
        match waitpid(None, WaitOptions::empty()) {
            Ok(Some((_, status))) if status.exited() || status.signaled() => {
                return ExitCode::from(status.exit_status().unwrap_or(1) as u8);
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return ExitCode::FAILURE,
        }
    }
}

/// Gives up what can be given up without namespaces, and becomes the program.
fn become_weak(arena: &OwnedFd, order: &Order) -> Result<ExitCode, Refusal> {
    take_scratch(order)?;
    let sockets = if order.network { Sockets::Internet } else { Sockets::None };
    let _ = privileges::FirstToDie::begin();
    let signals = fences::put_up(order)?;
    let filters = filters(Reach { sockets, signals, own_files: false })
        .map_err(at("write the filter of system calls"))?;
    let Some(mut command) = command(order) else {
        tell(arena, &Report::Started);
        return Ok(ExitCode::SUCCESS);
    };
    privileges::give_up(&mut command, order, filters, None);
    std::env::set_current_dir(&order.folder).map_err(at("change to the program's folder"))?;
    // If it works, the arena sees this socket closed without a report.
    let error = command.exec();
    tell(arena, &Report::NoProgram { errno: error.raw_os_error().unwrap_or(0) });
    Ok(ExitCode::FAILURE)
}

/// The folder for the files of a program that gets a user id of its own belongs to it.
fn take_scratch(order: &Order) -> Result<(), Refusal> {
    let Some(folder) = order.scratch.as_ref().filter(|_| privileges::has_all_ids()) else {
        return Ok(());
    };
    if order.program.is_none() {
        return Ok(());
    }
    let id = privileges::own_id();
    std::os::unix::fs::chown(folder, Some(id), Some(id)).map_err(at("own a folder"))
}

/// The program, with nothing but its own environment.
fn command(order: &Order) -> Option<Command> {
    let mut command = Command::new(order.program.as_ref()?);
    command.args(&order.arguments).env_clear().envs(order.environment.iter().cloned());
    Some(command)
}

/// Runs as a cell if this program was started as one, and then does not return.
pub(crate) fn enter_if_asked() {
    let mut arguments = std::env::args_os();
    if arguments.next().is_none_or(|name| name != NAME) {
        return;
    }
    let file = arguments.next().and_then(|file| file.to_str()?.parse::<RawFd>().ok());
    let is_open = |&file: &RawFd| {
        // SAFETY: it is only asked whether there is such a file.
        file > 2 && rustix::io::fcntl_getfd(unsafe { BorrowedFd::borrow_raw(file) }).is_ok()
    };
    let code = match file.filter(is_open) {
        Some(file) => main(file),
        None => ExitCode::from(2),
    };
    // SAFETY: ends the process without running what was registered for an ordinary end: there is
    // nothing to be flushed.
    unsafe { libc::_exit(i32::from(code != ExitCode::SUCCESS)) }
}
