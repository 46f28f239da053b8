//! Outside: stopping a program that is one process with one thread, as most are, without asking our
//! first process inside. To wake that one for every move would cost more than everything else.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// The links of a process's folder of threads, besides one for each thread.
const LINKS: u64 = 2;

/// The program of a cell, and where one sees whether it is alone there.
#[derive(Debug)]
pub(crate) struct Loner {
    program: OwnedFd,
    /// The folder of its threads.
    threads: File,
    /// Its children, and those of the first process, with the program itself among them.
    children: File,
    siblings: File,
}

impl Loner {
    /// Finds the program in the cell that was started as this process.
    pub fn find(cell: u32) -> Option<Loner> {
        let first = *numbers(&children_of(cell)?)?.first()?;
        let siblings = children_of(first)?;
        let program = *numbers(&siblings)?.first()?;
        let handle =
            pidfd_open(Pid::from_raw(program.try_into().ok()?)?, PidfdFlags::empty()).ok()?;
        // If it is still there, the handle is its own.
        (numbers(&siblings)?.first() == Some(&program)).then_some(())?;
        let threads = File::open(format!("/proc/{program}/task")).ok()?;
        Some(Loner { program: handle, threads, children: children_of(program)?, siblings })
    }

    /// Stops it. False if it is not alone, so that others have to be stopped, too: nobody can be
    /// started any more after that.
    pub fn stop(&self) -> bool {
        pidfd_send_signal(&self.program, Signal::STOP).is_ok() && self.is_alone() == Some(true)
    }

    /// Lets it go on.
    pub fn go_on(&self) -> io::Result<()> {
        Ok(pidfd_send_signal(&self.program, Signal::CONT)?)
    }

    fn is_alone(&self) -> Option<bool> {
        let threads = rustix::fs::fstat(&self.threads).ok()?.st_nlink;
        let few = |file: &File, most: usize| Some(numbers(file)?.len() <= most);
        Some(threads <= LINKS + 1 && few(&self.children, 0)? && few(&self.siblings, 1)?)
    }
}

fn children_of(process: u32) -> Option<File> {
    File::open(format!("/proc/{process}/task/{process}/children")).ok()
}

/// The first few numbers in a file.
fn numbers(file: &File) -> Option<Vec<u32>> {
    let mut bytes = [0; 64];
    let length = file.read_at(&mut bytes, 0).ok()?;
    let text = std::str::from_utf8(&bytes[..length]).ok()?;
    Some(text.split_whitespace().filter_map(|number| number.parse().ok()).collect())
}
