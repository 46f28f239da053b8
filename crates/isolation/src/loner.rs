//! Outside: stopping a program that is one process with a few threads, as most are, without asking
//! our first process inside. To wake that one for every move would cost more than everything else.
#![allow(unsafe_code)]

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The links of a process's folder of threads, besides one for each thread.
const LINKS: u64 = 2;

/// A program with more threads than this is left to the first process inside.
const FEW: u64 = 8;

/// The program of a cell, and where one sees whether it is alone there.
#[derive(Debug)]
pub(crate) struct Loner {
    program: OwnedFd,
    number: u32,
    /// The folder of its threads.
    threads: File,
    /// Its children, and those of the first process, with the program itself among them.
    children: File,
    siblings: File,
}

impl Loner {
    /// Finds the program in the cell that was started as this process.
    pub fn find(cell: u32) -> Option<Loner> {
        let first = *numbers(&children_of(cell, cell)?)?.first()?;
        let siblings = children_of(first, first)?;
        let number = *numbers(&siblings)?.first()?;
        let program =
            pidfd_open(Pid::from_raw(number.try_into().ok()?)?, PidfdFlags::empty()).ok()?;
        // If it is still there, the handle is its own.
        (numbers(&siblings)?.first() == Some(&number)).then_some(())?;
        let threads = File::open(format!("/proc/{number}/task")).ok()?;
        Some(Loner { program, number, threads, children: children_of(number, number)?, siblings })
    }

    /// Stops it. False if it is not alone, so that others have to be stopped, too.
    pub fn stop(&self) -> bool {
        let stopped = pidfd_send_signal(&self.program, Signal::STOP).is_ok();
        stopped
            && is_at_most(&self.siblings, 1)
            && is_at_most(&self.children, 0)
            && self.stop_threads()
    }

    /// Stops the other threads by themselves, as [`super::cell`] does. False if there are many, or if
    /// one has children.
    fn stop_threads(&self) -> bool {
        let threads = rustix::fs::fstat(&self.threads).map_or(u64::MAX, |data| data.st_nlink);
        if threads <= LINKS + 1 {
            return true;
        }
        if threads > LINKS + FEW {
            return false;
        }
        let process = self.number;
        let entries = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        let mut threads = entries.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
        threads.all(|thread| {
            // SAFETY: sends a signal to a thread of the program, whose handle we hold, or to nobody
            // if it has ended.
            unsafe { libc::syscall(libc::SYS_tgkill, process, thread, libc::SIGSTOP) };
            thread == process
                || children_of(process, thread).is_none_or(|children| is_at_most(&children, 0))
        })
    }

    /// Lets it go on.
    pub fn go_on(&self) -> io::Result<()> {
        Ok(pidfd_send_signal(&self.program, Signal::CONT)?)
    }
}

fn children_of(process: u32, thread: u32) -> Option<File> {
    File::open(format!("/proc/{process}/task/{thread}/children")).ok()
}

fn is_at_most(list: &File, count: usize) -> bool {
    numbers(list).is_some_and(|numbers| numbers.len() <= count)
}

/// The first few numbers in a file.
fn numbers(file: &File) -> Option<Vec<u32>> {
    let mut bytes = [0; 64];
    let length = file.read_at(&mut bytes, 0).ok()?;
    let text = std::str::from_utf8(&bytes[..length]).ok()?;
    Some(text.split_whitespace().filter_map(|number| number.parse().ok()).collect())
}
