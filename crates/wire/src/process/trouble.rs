//! Failures of a program: the kind, and the evidence in words.

use std::fmt;

use agon_isolation::End;
use rustix::process::WaitIdStatus;

/// The kind of failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TroubleKind {
    /// There is no such program, or it cannot be run.
    CannotStart,
    /// It ended with status 0 and without an answer.
    Exited,
    /// It ended with another status, or by a signal.
    Crashed,
    /// It closed its input or output but is still running.
    ClosedPipe,
    /// It does not read what it is sent.
    NotReading,
    /// It printed more between two requests than is allowed.
    Flood,
    /// It printed a line that is longer than allowed.
    LineTooLong,
    /// It and its descendants hold more memory than allowed.
    Memory,
    /// It and its descendants are more processes than allowed.
    Processes,
    /// It used up its processor time.
    CpuTime,
    /// It wrote a file that is larger than allowed.
    FileSize,
    /// It abandoned processes that it started: while it ran, or at its end.
    ChildrenLeft,
    /// The operating system refused a resource. Not the program's fault.
    System,
}

impl TroubleKind {
    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            TroubleKind::CannotStart => "cannot start",
            TroubleKind::Exited => "exited",
            TroubleKind::Crashed => "crashed",
            TroubleKind::ClosedPipe => "closed its pipe",
            TroubleKind::NotReading => "does not read",
            TroubleKind::Flood => "too much output",
            TroubleKind::LineTooLong => "line too long",
            TroubleKind::Memory => "too much memory",
            TroubleKind::Processes => "too many processes",
            TroubleKind::CpuTime => "too much processor time",
            TroubleKind::FileSize => "file too large",
            TroubleKind::ChildrenLeft => "children left behind",
            TroubleKind::System => "system error",
        }
    }
}

/// A failure of a program, with the evidence.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{}: {evidence}", .kind.words())]
pub struct Trouble {
    /// The kind of failure.
    pub kind: TroubleKind,
    /// The evidence, in words.
    pub evidence: String,
}

impl Trouble {
    pub(super) fn new(kind: TroubleKind, evidence: impl Into<String>) -> Trouble {
        Trouble { kind, evidence: evidence.into() }
    }

    /// The same, with the processes that it left behind.
    pub(super) fn leaving(mut self, left: &[String]) -> Trouble {
        if !left.is_empty() {
            self.evidence += &format!("; it left behind {}", left.join(", "));
        }
        self
    }

    /// A failed system call, and its purpose.
    pub(super) fn system(purpose: &str, error: impl fmt::Display) -> Trouble {
        Trouble::new(TroubleKind::System, format!("cannot {purpose}: {error}"))
    }

    /// What the end of a process means. Why it was killed does not show in that, so the caller says
    /// whether its processor time was used up, and whether the system has killed processes since for
    /// want of memory.
    pub(super) fn of_end(end: End, time_over: bool, for_memory: bool) -> Trouble {
        match end {
            End::Status(0) => Trouble::new(TroubleKind::Exited, "ended with status 0"),
            End::Status(code) => Trouble::new(TroubleKind::Crashed, code_words(code)),
            End::Signal(libc::SIGKILL) if for_memory && !time_over => {
                let evidence = "the system killed it because the machine ran out of memory";
                Trouble::new(TroubleKind::System, evidence)
            }
            End::Signal(signal) => Trouble::new(signal_kind(signal, time_over), killed_by(signal)),
        }
    }
}

/// How a process ended, by what the system says.
pub(super) fn end_of(status: &WaitIdStatus) -> End {
    match status.exit_status() {
        Some(code) => End::Status(code),
        None => End::Signal(status.terminating_signal().unwrap_or(0)),
    }
}

fn signal_kind(signal: i32, time_over: bool) -> TroubleKind {
    match signal {
        libc::SIGXCPU => TroubleKind::CpuTime,
        libc::SIGXFSZ => TroubleKind::FileSize,
        // A process that ignores the first signal gets this one a second later.
        libc::SIGKILL if time_over => TroubleKind::CpuTime,
        _ => TroubleKind::Crashed,
    }
}

fn killed_by(signal: i32) -> String {
    match signal_words(signal) {
        Some((name, "")) => format!("killed by {name}"),
        Some((name, meaning)) => format!("killed by {name}, {meaning}"),
        None => format!("killed by signal {signal}"),
    }
}

/// An exit code in words. Shells report signals of their children as 128 plus the signal's number.
fn code_words(code: i32) -> String {
    match signal_words(code - 128) {
        Some((name, _)) => {
            format!("ended with status {code}, with which a shell reports {name}")
        }
        None if code == 127 => {
            "ended with status 127, with which a shell reports an unknown command".into()
        }
        None => format!("ended with status {code}"),
    }
}

/// The name of a signal and what it usually means.
fn signal_words(signal: i32) -> Option<(&'static str, &'static str)> {
    Some(match signal {
        libc::SIGHUP => ("SIGHUP", ""),
        libc::SIGINT => ("SIGINT", ""),
        libc::SIGQUIT => ("SIGQUIT", ""),
        libc::SIGILL => ("SIGILL", "an instruction that this processor does not have"),
        libc::SIGTRAP => ("SIGTRAP", ""),
        libc::SIGABRT => ("SIGABRT", "it aborted"),
        libc::SIGBUS => ("SIGBUS", "a bad access to memory"),
        libc::SIGFPE => ("SIGFPE", "a division by zero or the like"),
        libc::SIGKILL => ("SIGKILL", "by its own processes or by its user, not by Agon"),
        libc::SIGSEGV => ("SIGSEGV", "a bad access to memory"),
        libc::SIGPIPE => ("SIGPIPE", "a write to a pipe that nobody reads"),
        libc::SIGALRM => ("SIGALRM", ""),
        libc::SIGTERM => ("SIGTERM", ""),
        libc::SIGXCPU => ("SIGXCPU", "its limit of processor time"),
        libc::SIGXFSZ => ("SIGXFSZ", "its limit on the size of files"),
        libc::SIGSYS => ("SIGSYS", "a call that the system does not allow"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_are_named_and_told_apart() {
        assert!(killed_by(libc::SIGSEGV).starts_with("killed by SIGSEGV, a bad"));
        assert_eq!(killed_by(libc::SIGHUP), "killed by SIGHUP");
        assert_eq!(killed_by(50), "killed by signal 50");
        assert_eq!(signal_kind(libc::SIGXCPU, false), TroubleKind::CpuTime);
        assert_eq!(signal_kind(libc::SIGXFSZ, false), TroubleKind::FileSize);
        assert_eq!(signal_kind(libc::SIGKILL, true), TroubleKind::CpuTime);
        assert_eq!(signal_kind(libc::SIGKILL, false), TroubleKind::Crashed);
    }

    #[test]
    fn a_kill_for_want_of_memory_is_nobodys_fault() {
        let kind = |end, time_over, for_memory| Trouble::of_end(end, time_over, for_memory).kind;
        let killed = End::Signal(libc::SIGKILL);
        assert_eq!(kind(killed, false, true), TroubleKind::System);
        assert_eq!(kind(killed, true, true), TroubleKind::CpuTime);
        assert_eq!(kind(killed, false, false), TroubleKind::Crashed);
        assert_eq!(kind(End::Signal(libc::SIGABRT), false, true), TroubleKind::Crashed);
    }

    #[test]
    fn a_signal_behind_a_shell_is_still_named() {
        assert!(code_words(134).contains("SIGABRT"));
        assert!(code_words(127).contains("unknown command"));
        assert_eq!(code_words(3), "ended with status 3");
    }
}
