//! What a program gives up before it runs.
#![allow(unsafe_code)]

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::pipe::PipeFlags;
use rustix::process::{Pid, Resource, Signal, WaitOptions, kill_process, waitpid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, CpuSet, UnshareFlags, sched_setaffinity, set_capabilities,
    set_no_new_privs, unshare_unsafe,
};
use seccompiler::BpfProgram;

use crate::cgroup::ENTER;
use crate::filter;
use crate::order::Order;
use crate::{Level, OWN_TASKS, restrict};

/// The first of the user ids that programs get if the arena runs as root, one for each.
const FIRST_ID: u32 = 0x7000_0000;

/// Whether this is the machine's root, or a container's with all user ids: then a program can get an
/// id of its own, and needs no user namespace for that.
pub(crate) fn has_all_ids() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let all = map.split_whitespace().nth(2).and_then(|count| count.parse::<u64>().ok());
    rustix::process::geteuid().is_root() && all.is_some_and(|count| count > u64::from(FIRST_ID) * 2)
}

/// The id of the program in this cell: no other running program has it.
pub(crate) fn own_id() -> u32 {
    // Set by the process that made the cell, whose id is unique on the machine.
    FIRST_ID | OWNER.load(std::sync::atomic::Ordering::Relaxed)
}

pub(crate) static OWNER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(1);

/// A user namespace in which root's id is that of the program in this cell. A mount with it shows
/// root's files as the program's own: otherwise a program of root's could not read a folder that is
/// closed to others.
pub(crate) fn own_ids() -> io::Result<OwnedFd> {
    let (ready, told) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    // SAFETY: this process has one thread, so its child may do anything.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            // SAFETY: nothing is shared with another process, and there is one thread.
            if unsafe { unshare_unsafe(UnshareFlags::NEWUSER) }.is_ok() {
                let _ = rustix::io::write(&told, b"x");
            }
            drop(told);
            loop {
                std::thread::park();
            }
        }
        child => {
            drop(told);
            let made = rustix::io::read(&ready, &mut [0; 1]).map_err(io::Error::from);
            let ids = made.and_then(|_| {
                let map = format!("0 {} 1", own_id());
                std::fs::write(format!("/proc/{child}/uid_map"), &map)?;
                std::fs::write(format!("/proc/{child}/gid_map"), &map)?;
                Ok(std::fs::File::open(format!("/proc/{child}/ns/user"))?.into())
            });
            if let Some(child) = Pid::from_raw(child) {
                let _ = kill_process(child, Signal::KILL);
                let _ = waitpid(Some(child), WaitOptions::empty());
            }
            ids
        }
    }
}

/// Whether this process, and what it starts meanwhile, is the first to die when the machine runs out
/// of memory: programs are, before the arena and our own processes.
pub(crate) struct FirstToDie {
    file: std::fs::File,
    before: String,
}

impl FirstToDie {
    /// From now on it is. Best effort: nothing that is promised depends on it.
    pub fn begin() -> Option<FirstToDie> {
        const FILE: &str = "/proc/self/oom_score_adj";
        let before = std::fs::read_to_string(FILE).ok()?;
        let file = std::fs::OpenOptions::new().write(true).open(FILE).ok()?;
        (&file).write_all(b"1000").ok()?;
        Some(FirstToDie { file, before })
    }

    /// Now it is not any more.
    pub fn end(mut self) {
        let _ = self.file.write_all(self.before.trim().as_bytes());
    }
}

/// Makes a command give up everything before it becomes the program, and enter its control group, if
/// there is one.
pub(crate) fn give_up(
    command: &mut Command,
    order: &Order,
    filters: Vec<BpfProgram>,
    door: Option<OwnedFd>,
) {
    let (limits, in_sandbox) = (&order.limits, order.level == Level::Sandbox);
    if has_all_ids() {
        // Without a user namespace, setting the user also takes away root's other groups.
        command.uid(own_id()).gid(own_id());
    }
    // In a user namespace our own processes have the program's id, too.
    let ours = if has_all_ids() { 0 } else { OWN_TASKS };
    let tasks = in_sandbox.then_some(limits.tasks + ours);
    let cores = cores(order);
    let limits = [
        // 0 would not stop a program of the system's that collects what crashed ones held.
        (Resource::Core, Some(1)),
        (Resource::Fsize, Some(limits.file_size)),
        (Resource::Nofile, Some(limits.open_files)),
        (Resource::Cpu, limits.cpu_seconds),
        (Resource::Nproc, tasks),
        (Resource::Memlock, Some(64 << 10)),
        (Resource::Msgqueue, Some(0)),
    ];
    // SAFETY: this process has one thread, so its child may do anything between fork and exec.
    unsafe {
        command.pre_exec(move || {
            if let Some(door) = &door {
                // If it is not let in, the arena sees an empty group and does without.
                let _ = rustix::io::write(door, ENTER);
            }
            // Out of the group of our own process outside, which a signal to the group would reach.
            if in_sandbox {
                rustix::process::setpgid(None, None)?;
            }
            for (resource, limit) in limits {
                limit.map_or(Ok(()), |limit| restrict(resource, limit))?;
            }
            // Our own processes may use all cores: those of the program may be busy.
            cores.as_ref().map_or(Ok(()), |cores| sched_setaffinity(None, cores))?;
            for signal in 1..=64 {
                // The default action calls no code of ours. Some signals refuse, as they should.
                libc::signal(signal, libc::SIG_DFL);
            }
            let none = CapabilitySet::empty();
            let none = CapabilitySets { effective: none, permitted: none, inheritable: none };
            set_capabilities(None, none)?;
            set_no_new_privs(true)?;
            filter::apply(&filters)
        });
    }
}

/// The cores that the program may use, if not all.
fn cores(order: &Order) -> Option<CpuSet> {
    let mut set = CpuSet::new();
    order.cores.iter().filter(|&&core| core < CpuSet::MAX_CPU).for_each(|&core| set.set(core));
    (set.count() > 0).then_some(set)
}
