//! The first process inside: sets everything up, starts the program, freezes and thaws it.

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags,
    SocketType, recv, sendmsg, socket_with,
};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, pidfd_open, set_dumpable_behavior,
    set_parent_process_death_signal, wait, waitpid,
};

use super::{SCRATCH, close_streams, command, mounts, privileges, tell};
use crate::be_prompt;
use crate::filter::{Reach, Signals, Sockets, filters};
use crate::order::{End, Order, Refusal, Report, at, command as request};

/// How long processes that the program started may take to end after it.
const GRACE: Duration = Duration::from_millis(100);

/// How many orphans are reaped before the arena is heard again.
const AT_ONCE: usize = 32;

pub(super) fn main(
    arena: &OwnedFd,
    order: &Order,
    ids: Option<&OwnedFd>,
    door: Option<OwnedFd>,
) -> Result<ExitCode, Refusal> {
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(at("die with the arena"))?;
    // While this can still be written.
    let first_to_die = privileges::FirstToDie::begin();
    mounts::enter(order, ids)?;
    if order.network {
        raise_loopback().map_err(at("have a network of its own"))?;
    }
    let reach = Reach { sockets: Sockets::Own, signals: Signals::Any, own_files: true };
    let filters = filters(reach).map_err(at("write the filter of system calls"))?;
    let Some(mut command) = command(order) else {
        tell(arena, &Report::Started);
        return Ok(ExitCode::SUCCESS);
    };
    for name in ["HOME", "TMPDIR"] {
        command.env(name, SCRATCH);
    }
    privileges::give_up(&mut command, order, filters, door);
    // Nothing inside may look into this process or attach to it.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(at("be closed to others"))?;
    let program = match command.spawn() {
        Ok(program) => Pid::from_child(&program),
        Err(error) => {
            tell(arena, &Report::NoProgram { errno: error.raw_os_error().unwrap_or(0) });
            return Ok(ExitCode::FAILURE);
        }
    };
    drop(command);
    first_to_die.into_iter().for_each(privileges::FirstToDie::end);
    close_streams();
    be_prompt();
    tell(arena, &Report::Started);
    serve(arena, program);
    let report = Report::Ended { end: reap(program), left: left_behind() };
    tell(arena, &report);
    // The system now kills whatever is left in the cell.
    Ok(ExitCode::SUCCESS)
}

/// Does what the arena asks until the program ends or the arena hangs up.
fn serve(arena: &OwnedFd, program: Pid) {
    let Ok(handle) = pidfd_open(program, PidfdFlags::empty()) else { return };
    let mut message = [0; 8];
    loop {
        let mut both = [PollFd::new(arena, PollFlags::IN), PollFd::new(&handle, PollFlags::IN)];
        // Orphans become children of this process. They are reaped now and then.
        let second = Timespec { tv_sec: 1, tv_nsec: 0 };
        match poll(&mut both, Some(&second)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            // Whatever it is, nobody else freezes the program.
            Err(_) => {
                std::thread::sleep(Duration::from_millis(1));
                continue;
            }
        }
        if !both[1].revents().is_empty() {
            return;
        }
        if !both[0].revents().is_empty() {
            match recv(arena, &mut message, RecvFlags::empty()) {
                Ok((0, _)) | Err(_) => return,
                Ok((length, _)) => obey(arena, &message[..length]),
            }
        }
        reap_orphans(program);
    }
}

fn obey(arena: &OwnedFd, message: &[u8]) {
    match *message {
        [request::FREEZE] => freeze(),
        [request::LOOK] if !all_are_stopped() => freeze(),
        [request::THAW] => signal_all(libc::SIGCONT),
        [request::SOCKET] => hand_out_socket(arena),
        _ => {}
    }
}

fn freeze() {
    signal_all(libc::SIGSTOP);
    stop_busy_threads();
}

/// Whether nobody runs, or has yet to notice that it is stopped.
fn all_are_stopped() -> bool {
    others().filter_map(name_and_state).all(|(_, state)| matches!(state, 'T' | 'Z' | 'X'))
}

/// The name of a process, which is its own choice, and what it does, as the system abbreviates it.
fn name_and_state(process: i32) -> Option<(String, char)> {
    let text = fs::read(format!("/proc/{process}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text);
    let (front, rest) = text.rsplit_once(')')?;
    let name = front.split_once('(')?.1.escape_debug().to_string();
    Some((name, rest.trim_start().chars().next()?))
}

/// All processes of the cell but this one.
fn others() -> impl Iterator<Item = i32> {
    numbers_in("/proc").filter(|&process| process > 1)
}

/// Sends a signal to all other processes of the cell at once: none can be started meanwhile that
/// does not get it.
#[allow(unsafe_code)]
fn signal_all(signal: i32) {
    // SAFETY: sends a signal. This is the first process of its namespace, so -1 means all others in
    // it and nobody outside.
    unsafe { libc::kill(-1, signal) };
}

/// Stops every thread by itself. A signal to a process goes to its first thread, which passes it on;
/// but if the others are busy on all its cores, that thread may have to wait for milliseconds until it
/// gets in. A thread that runs gets its own signal at once.
#[allow(unsafe_code)]
fn stop_busy_threads() {
    for process in others() {
        for thread in numbers_in(&format!("/proc/{process}/task")) {
            // SAFETY: sends a signal to a thread of this cell, or to nobody if it has ended: numbers
            // are not used again so soon.
            unsafe { libc::syscall(libc::SYS_tgkill, process, thread, libc::SIGSTOP) };
        }
    }
}

/// The entries of a folder that are numbers.
fn numbers_in(folder: &str) -> impl Iterator<Item = i32> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn reap_orphans(program: Pid) {
    // A stream of them must not keep us from the arena.
    for orphan in (0..AT_ONCE).map_while(|_| first_zombie(program)) {
        let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
    }
}

/// A child other than the program that has ended and waits to be reaped.
fn first_zombie(program: Pid) -> Option<Pid> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::All, options).ok()??;
    let children = fs::read_to_string("/proc/thread-self/children").ok()?;
    let children = children.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?));
    children
        .filter(|&pid| pid != program)
        .find(|&pid| waitid(WaitId::Pid(pid), options).is_ok_and(|status| status.is_some()))
}

/// How the program ended.
fn reap(program: Pid) -> End {
    loop {
        match waitpid(Some(program), WaitOptions::empty()) {
            Ok(Some((_, status))) => match (status.exit_status(), status.terminating_signal()) {
                (Some(code), _) => return End::Status(code),
                (_, Some(signal)) => return End::Signal(signal),
                _ => {}
            },
            Err(rustix::io::Errno::INTR) => {}
            // The arena hung up, and the program is killed with this process.
            Ok(None) | Err(_) => return End::Signal(libc::SIGKILL),
        }
    }
}

/// The names of the processes that do not end soon after the program.
fn left_behind() -> Vec<String> {
    let deadline = Instant::now() + GRACE;
    loop {
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        let left = names_of_the_living();
        if left.is_empty() || Instant::now() >= deadline {
            return left;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The names of some processes of the cell that have not ended.
fn names_of_the_living() -> Vec<String> {
    const MOST: usize = 10;
    let living = others().filter_map(name_and_state).filter(|(_, state)| !"ZX".contains(*state));
    living.map(|(name, _)| name).take(MOST).collect()
}

/// Hands out a socket of the network inside; nothing if there is none to be had.
fn hand_out_socket(arena: &OwnedFd) {
    let socket = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None);
    let Ok(socket) = socket else { return };
    let files = [socket.as_fd()];
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut extra = SendAncillaryBuffer::new(&mut space);
    extra.push(SendAncillaryMessage::ScmRights(&files));
    let answer = [io::IoSlice::new(&[request::SOCKET])];
    let _ = sendmsg(arena, &answer, &mut extra, SendFlags::NOSIGNAL);
}

/// Brings up the loopback device of the network namespace, in which there is no other.
#[allow(unsafe_code)]
fn raise_loopback() -> io::Result<()> {
    let socket = rustix::net::socket(AddressFamily::INET, SocketType::DGRAM, None)?;
    // SAFETY: the structure is plain numbers and characters, for which all zeros is a value.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = *from as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as i16;
    let file = std::os::fd::AsRawFd::as_raw_fd(&socket);
    // SAFETY: the request is of the type that this call reads.
    match unsafe { libc::ioctl(file, libc::SIOCSIFFLAGS, &request) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
