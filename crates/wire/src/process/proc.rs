//! Information about processes from Linux's `/proc`.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use rustix::io::Errno;
use rustix::process::{self as system, Pid, PidfdFlags, Signal};

/// A uniquely identified process: ids are reused, but not with the same start time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Process {
    /// Its process id.
    pub pid: Pid,
    /// When it was started, in the system's ticks.
    pub start: u64,
}

/// What is known about a process.
pub(super) struct Stat {
    /// The process itself.
    pub process: Process,
    /// The name of its program, shortened by the system.
    pub name: String,
    /// Whether it has ended and waits to be reaped.
    pub zombie: bool,
    /// Its parent, which may have adopted it.
    pub parent: i32,
    /// Its session.
    pub session: i32,
    /// Processor time it used, in ticks.
    pub ticks: u64,
    /// The same of its children that have ended and were reaped.
    pub ticks_of_children: u64,
    /// How many threads it has.
    pub threads: usize,
}

/// Looks up a process. `None` if there is none with this id.
pub(super) fn stat(pid: Pid) -> Option<Stat> {
    parse_stat(pid, &read(&format!("/proc/{pid}/stat"), 4096)?)
}

/// The name is the program's own choice and may contain spaces and brackets; the rest are numbers.
fn parse_stat(pid: Pid, text: &[u8]) -> Option<Stat> {
    let text = String::from_utf8_lossy(text);
    let (front, numbers) = text.rsplit_once(')')?;
    let fields: Vec<&str> = numbers.split_ascii_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
    let id = |at: usize| fields.get(at)?.parse::<i32>().ok();
    Some(Stat {
        process: Process { pid, start: number(19)? },
        name: front.split_once('(')?.1.to_string(),
        zombie: matches!(*fields.first()?, "Z" | "X"),
        parent: id(1)?,
        session: id(3)?,
        ticks: number(11)? + number(12)?,
        ticks_of_children: number(13)? + number(14)?,
        threads: number(17)? as usize,
    })
}

/// The processor seconds that a process used, also after its end until it is reaped.
pub(super) fn cpu_seconds(pid: Pid) -> Option<f64> {
    Some(stat(pid)?.ticks as f64 / ticks_per_second())
}

/// How many ticks there are in a second.
pub(super) fn ticks_per_second() -> f64 {
    rustix::param::clock_ticks_per_second() as f64
}

/// How many processes the system has killed because the machine ran out of memory.
pub(super) fn killed_for_memory() -> u64 {
    let counters = read("/proc/vmstat", 1 << 16).unwrap_or_default();
    let text = String::from_utf8_lossy(&counters);
    let count = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
    count.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

/// Parents and children.
pub(super) enum Kinship {
    /// The kernel lists the children of every thread.
    Listed,
    /// It does not, so all processes of the machine were scanned.
    Scanned(HashMap<i32, Vec<Pid>>),
}

impl Kinship {
    /// The current state.
    pub fn now() -> Kinship {
        static LISTED: OnceLock<bool> = OnceLock::new();
        match LISTED.get_or_init(|| Path::new("/proc/thread-self/children").exists()) {
            true => Kinship::Listed,
            false => Kinship::scan(),
        }
    }

    fn scan() -> Kinship {
        let mut children: HashMap<i32, Vec<Pid>> = HashMap::new();
        for stat in numbers_in("/proc").into_iter().filter_map(stat) {
            children.entry(stat.parent).or_default().push(stat.process.pid);
        }
        Kinship::Scanned(children)
    }

    /// The children of a process, of all its threads. While they come and go, some may be missing:
    /// a caller that needs all must look again.
    pub fn children(&self, pid: Pid) -> Vec<Pid> {
        let Kinship::Scanned(children) = self else { return listed_children(pid) };
        children.get(&pid.as_raw_pid()).cloned().unwrap_or_default()
    }
}

fn listed_children(pid: Pid) -> Vec<Pid> {
    let mut children = Vec::new();
    for thread in numbers_in(&format!("/proc/{pid}/task")) {
        // New ones may come as fast as the list is read, so the length is limited.
        let list = read(&format!("/proc/{pid}/task/{thread}/children"), 1 << 15);
        let text = list.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        children.extend(text.iter().flat_map(|text| text.split_whitespace()).filter_map(number));
    }
    children
}

fn numbers_in(folder: &str) -> Vec<Pid> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| number(entry.file_name().to_str()?)).collect()
}

fn number(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok().filter(|&number: &i32| number > 0)?)
}

/// The memory of a process in bytes, quickly: shared memory counts in full.
pub(super) fn resident(pid: Pid) -> u64 {
    let status = Sizes::read(&format!("/proc/{pid}/status"));
    status.sum(&["VmRSS:", "VmSwap:", PAGE_TABLES, HUGE_PAGES])
}

/// The memory of a process in bytes, with shared memory divided. The kernel walks all its pages for
/// this. If it cannot be read, the quick number counts.
pub(super) fn proportional(pid: Pid) -> u64 {
    let rollup = Sizes::read(&format!("/proc/{pid}/smaps_rollup"));
    let status = Sizes::read(&format!("/proc/{pid}/status"));
    match rollup.sum(&["Pss:", "SwapPss:"]) {
        0 => resident(pid),
        pages => pages + status.sum(&[PAGE_TABLES, HUGE_PAGES]),
    }
}

/// A program can fill gigabytes with these alone.
const PAGE_TABLES: &str = "VmPTE:";
const HUGE_PAGES: &str = "HugetlbPages:";

/// The most that the buffers of one socket can hold by default, and those of a connection.
const SOCKET: u64 = 416 << 10;
const CONNECTION: u64 = 6 << 20;

/// What the sockets in the network of a process can hold, in bytes: their buffers are in no process.
pub(super) fn sockets(pid: Pid) -> u64 {
    let text = read(&format!("/proc/{pid}/net/sockstat"), 4096).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let number = |line: &str, word: &str| {
        let words = text.lines().find_map(|it| it.strip_prefix(line))?;
        let mut words = words.split_whitespace().skip_while(|it| *it != word);
        words.nth(1)?.parse::<u64>().ok()
    };
    let all = number("sockets:", "used").unwrap_or(0);
    let connections = number("TCP:", "alloc").unwrap_or(0);
    all.saturating_mul(SOCKET).saturating_add(connections.saturating_mul(CONNECTION))
}

/// A file of the system's with sizes in kilobytes, one a line.
struct Sizes(String);

impl Sizes {
    fn read(path: &str) -> Sizes {
        let bytes = read(path, 8192).unwrap_or_default();
        Sizes(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// These sizes together, in bytes; 0 for what is not there.
    fn sum(&self, names: &[&str]) -> u64 {
        let kilobytes = |name: &&str| {
            let line = self.0.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        names.iter().filter_map(kilobytes).fold(0, u64::saturating_add).saturating_mul(1024)
    }
}

/// Whether a process was started with this variable, written `NAME=VALUE`.
pub(super) fn has_variable(pid: Pid, variable: &str) -> bool {
    let environment = read(&format!("/proc/{pid}/environ"), 1 << 16).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|entry| entry == variable.as_bytes())
}

/// Sends a signal to this very process, and to no other that may have got its id since.
pub(super) fn signal(process: Process, signal: Signal) {
    let is_same = || stat(process.pid).is_some_and(|stat| stat.process == process);
    // A handle refers to one process. If it is the right one now, it stays the right one.
    let handle = system::pidfd_open(process.pid, PidfdFlags::empty());
    if !is_same() {
        return;
    }
    // A process that has ended meanwhile needs no signal.
    let _ = match handle {
        Ok(handle) => system::pidfd_send_signal(handle, signal),
        Err(Errno::NOSYS | Errno::PERM) => system::kill_process(process.pid, signal),
        Err(_) => Ok(()),
    };
}

/// Reads a small file, at most `most` bytes of it.
fn read(path: &str, most: u64) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(512);
    File::open(path).ok()?.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_name_cannot_forge_the_numbers_behind_it() {
        let line = b"7 (a) Z 1 1 1) S 5 6 7 0 -1 0 1 2 3 4 100 11 0 0 20 0 1 0 12345 9 9";
        let stat = parse_stat(system::getpid(), line).unwrap();
        assert_eq!(stat.name, "a) Z 1 1 1");
        assert_eq!((stat.parent, stat.session, stat.zombie), (5, 7, false));
        assert_eq!((stat.ticks, stat.process.start), (111, 12345));
        assert!(parse_stat(system::getpid(), b"7 (cut) S 5 6").is_none());
    }

    #[test]
    fn both_ways_find_the_same_children() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let pid = Pid::from_child(&child);
        for kinship in [Kinship::Listed, Kinship::scan()] {
            assert!(kinship.children(system::getpid()).contains(&pid));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!Kinship::now().children(system::getpid()).contains(&pid));
    }

    #[test]
    fn the_exact_memory_is_never_more_than_the_quick_one() {
        let pid = system::getpid();
        let exact = proportional(pid);
        assert!(exact > 100_000 && exact <= resident(pid), "{exact} of {}", resident(pid));
    }

    #[test]
    fn a_signal_does_not_reach_a_later_process_of_that_number() {
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let process = stat(Pid::from_child(&child)).unwrap().process;
        signal(Process { start: process.start + 1, ..process }, Signal::KILL);
        assert!(child.try_wait().unwrap().is_none());
        signal(process, Signal::KILL);
        assert!(!child.wait().unwrap().success());
    }
}
