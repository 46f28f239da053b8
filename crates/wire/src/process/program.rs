//! A running program, and how to talk to it.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::net::TcpStream;
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_arena::conversation_log::{ConversationLog, LogMark};
use agon_isolation::Level;
use rustix::event::PollFlags;
use rustix::io::{Errno, read, write};

use super::cells::Inmate;
use super::child::Pipes;
use super::lines::{Inbox, Next};
use super::pipes::wait;
use super::tail::{Said, Stream, Tail};
use super::trees::{self, Fate, Ward};
use super::trouble::{Trouble, TroubleKind, end_of};
use super::{Launch, freezer, proc, warden};

/// How long a program whose pipe is closed may take to end before it counts as still running.
const DYING: Duration = Duration::from_secs(1);

/// How long the children of a program that has ended may take to end.
const GRACE: Duration = Duration::from_millis(100);

/// How much of the standard error is read at once.
const CHUNK: usize = 16 * 1024;

/// A line that a program printed.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// The line without its end; invalid UTF-8 is replaced.
    pub text: Cow<'a, str>,
    /// When its end was read.
    pub at: Instant,
}

/// How a program ended when told to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parting {
    /// It ended by itself, in time.
    Left,
    /// It had to be killed.
    Ended,
}

/// A running program. Dropping it kills it, with all its descendants.
pub struct Program {
    ward: Arc<Ward>,
    input: Option<OwnedFd>,
    output: Option<OwnedFd>,
    errors: Option<OwnedFd>,
    inbox: Inbox,
    /// When the inbox was last filled.
    read_at: Instant,
    /// Bytes printed since the last request.
    printed: u64,
    tail: Tail,
    /// The log of the conversation, if any.
    log: Option<ConversationLog>,
    /// What ended the conversation. Every later call returns the same.
    over: Option<Trouble>,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("pid", &self.pid()).field("over", &self.over).finish()
    }
}

impl Program {
    /// Starts a program.
    pub fn start(launch: &Launch) -> Result<Program, Trouble> {
        let (ward, Pipes { input, output, errors }) = warden::start(launch)?;
        if let Err(trouble) = settle(&ward, launch) {
            warden::end(&ward);
            return Err(trouble);
        }
        let program = Program {
            inbox: Inbox::new(ward.limits.line),
            ward,
            input: Some(input),
            output: Some(output),
            errors: Some(errors),
            read_at: Instant::now(),
            printed: 0,
            tail: Tail::new(),
            log: launch.log.clone(),
            over: None,
        };
        program.note(LogMark::Remark, format!("started {:?}", launch.program).as_bytes());
        Ok(program)
    }

    /// Writes a line to the log, if there is one.
    fn note(&self, mark: LogMark, line: &[u8]) {
        if let Some(log) = &self.log {
            log.line(self.pid(), mark, line);
        }
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.ward.pid.as_raw_pid().unsigned_abs()
    }

    /// Writes a whole request, which may have several lines. That a program does not read is
    /// noticed only when the pipe is full.
    pub fn send(&mut self, text: &str, deadline: Instant) -> Result<(), Trouble> {
        self.check()?;
        self.ward.rest.ends(&self.ward);
        self.printed = 0;
        self.tail.sent(text);
        if self.log.is_some() {
            text.lines().for_each(|line| self.note(LogMark::Sent, line.as_bytes()));
        }
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let Some(input) = &self.input else { break };
            match write(input, rest) {
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => self.wait_for_reader(rest.len(), deadline)?,
                Err(Errno::PIPE) => return Err(self.ended("input")),
                Err(error) => return Err(self.fail(Trouble::system("write to it", error))),
            }
        }
        Ok(())
    }

    /// The next line; `None` if there is none by the deadline. Lines that have already arrived are
    /// returned in any case: `at` says whether they came in time.
    pub fn read_line(&mut self, deadline: Instant) -> Result<Option<Line<'_>>, Trouble> {
        self.check()?;
        loop {
            match self.inbox.next() {
                Next::Line(line) => {
                    self.said(line.clone());
                    return Ok(Some(Line { text: self.inbox.text(line), at: self.read_at }));
                }
                Next::TooLong => {
                    let longest = self.ward.limits.line;
                    let evidence = format!("a line of more than {longest} bytes");
                    return Err(self.fail(Trouble::new(TroubleKind::LineTooLong, evidence)));
                }
                Next::Nothing if self.listen(deadline)? => {}
                Next::Nothing => {
                    self.check()?;
                    return Ok(None);
                }
            }
        }
    }

    /// Records a line that it printed.
    fn said(&mut self, line: Range<usize>) {
        let bytes = self.inbox.bytes(line);
        self.tail.line(Stream::Output, bytes);
        self.note(LogMark::Said, bytes);
    }

    /// Discards the lines that it has printed so far, without waiting. If it has printed nothing,
    /// this costs one system call.
    pub fn drain(&mut self) -> Result<(), Trouble> {
        self.check()?;
        loop {
            while let Next::Line(line) = self.inbox.next() {
                self.said(line);
            }
            if self.inbox.is_full() {
                return Ok(());
            }
            let Some(output) = &self.output else { return Ok(()) };
            match read(output, self.inbox.room()) {
                Ok(count) if count > 0 => {
                    self.read_at = Instant::now();
                    self.inbox.filled(count);
                    self.count(count, "output")?;
                }
                Err(Errno::INTR) => {}
                // What its end means is found out by the next call that waits for a line.
                Ok(_) | Err(_) => return Ok(()),
            }
        }
    }

    /// Reads what it has printed, without waiting, if it is not talked to by lines: then it may
    /// close its output, but it may not end.
    pub(crate) fn look_after(&mut self) -> Result<(), Trouble> {
        self.check()?;
        while self.read_available()? {
            while let Next::Line(line) = self.inbox.next() {
                self.said(line);
            }
        }
        match trees::fate(self.ward.pid) {
            Fate::Running => self.check(),
            Fate::Ended(_) | Fate::Gone => Err(self.ended("output")),
        }
    }

    /// Reads what has arrived. False when there is nothing, or nothing more to come.
    fn read_available(&mut self) -> Result<bool, Trouble> {
        let now = Instant::now();
        let ready = wait(self.output.as_ref(), PollFlags::IN, self.errors.as_ref(), now);
        let (printed, complained) =
            ready.map_err(|error| self.fail(Trouble::system("wait for it", error)))?;
        if complained {
            self.read_errors()?;
        }
        let Some(output) = self.output.as_ref().filter(|_| printed) else { return Ok(complained) };
        match read(output, self.inbox.room()) {
            Ok(count) if count > 0 => {
                self.inbox.filled(count);
                self.count(count, "output")?;
                Ok(true)
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(complained),
            Ok(_) | Err(_) => {
                self.output = None;
                Ok(complained)
            }
        }
    }

    /// Nothing is asked of it until the next request: from now on it may be frozen.
    pub fn rest(&mut self) {
        if self.ward.inmate.is_some() {
            self.ward.rest.begins();
        }
    }

    /// Connects to a port of its own, if it is in a cell with a network.
    pub(crate) fn dial(&self, port: u16, deadline: Instant) -> Option<io::Result<TcpStream>> {
        let inmate = self.ward.inmate.as_ref().filter(|inmate| inmate.level == Level::Sandbox)?;
        Some(inmate.cell.dial(port, deadline))
    }

    /// The last lines sent and printed, for the record.
    pub fn last_lines(&self) -> Vec<Said> {
        self.tail.lines(self.inbox.rest())
    }

    /// Sends the farewell, closes the program's input, waits a little for it to end, and then kills
    /// it with all its descendants. What it still prints is ignored. The result says how it ended
    /// and, if nothing was wrong before, what is now: processes left behind, or an exceeded limit.
    pub fn close(mut self, farewell: &str, patience: Duration) -> Result<Parting, Trouble> {
        let deadline = Instant::now() + patience;
        let told = self.over.is_some();
        let _ = self.send(farewell, deadline);
        self.input = None;
        let (parting, left) = match self.wait_for_end(deadline) {
            true => (Parting::Left, self.left()),
            false => (Parting::Ended, Vec::new()),
        };
        match self.ward.broken.get() {
            _ if told => Ok(parting),
            Some(trouble) => Err(trouble.clone()),
            None if left.is_empty() => Ok(parting),
            None => Err(Trouble::new(TroubleKind::ChildrenLeft, left.join(", "))),
        }
    }

    /// The processes that outlived the program, which has ended.
    fn left(&self) -> Vec<String> {
        let mut left = warden::left_behind(&self.ward, GRACE);
        left.extend(warden::strays(&self.ward));
        left.sort_unstable();
        left.dedup();
        left
    }

    /// Whether the conversation can go on.
    fn check(&mut self) -> Result<(), Trouble> {
        if self.over.is_none() {
            self.over = self.ward.broken.get().cloned();
        }
        self.over.clone().map_or(Ok(()), Err)
    }

    fn fail(&mut self, trouble: Trouble) -> Trouble {
        self.note(LogMark::Remark, trouble.to_string().as_bytes());
        self.over.insert(trouble).clone()
    }

    /// Waits until the program prints something, and reads it. False if the deadline came first.
    fn listen(&mut self, deadline: Instant) -> Result<bool, Trouble> {
        loop {
            let Some(output) = &self.output else { return Err(self.ended("output")) };
            let ready = wait(Some(output), PollFlags::IN, self.errors.as_ref(), deadline);
            let (printed, complained) =
                ready.map_err(|error| self.fail(Trouble::system("wait for it", error)))?;
            if complained {
                self.read_errors()?;
            }
            if printed {
                return self.read_output().map(|()| true);
            }
            // Output on the standard error must not delay us beyond the deadline.
            if Instant::now() >= deadline {
                return Ok(false);
            }
        }
    }

    fn read_output(&mut self) -> Result<(), Trouble> {
        let Some(output) = &self.output else { return Ok(()) };
        match read(output, self.inbox.room()) {
            Ok(0) => Err(self.ended("output")),
            Ok(count) => {
                self.read_at = Instant::now();
                self.inbox.filled(count);
                self.count(count, "output")
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(()),
            Err(error) => Err(self.fail(Trouble::system("read from it", error))),
        }
    }

    fn read_errors(&mut self) -> Result<(), Trouble> {
        let count = self.drain_errors();
        self.count(count, "standard error")
    }

    /// Reads some of the standard error and keeps the end of it.
    fn drain_errors(&mut self) -> usize {
        let mut chunk = [0; CHUNK];
        let Some(errors) = &self.errors else { return 0 };
        match read(errors, &mut chunk) {
            Err(Errno::INTR | Errno::AGAIN) => 0,
            // It may close its standard error.
            Ok(0) | Err(_) => {
                self.errors = None;
                0
            }
            Ok(count) => {
                let text = &chunk[..count];
                self.tail.errors(text);
                if self.log.is_some() {
                    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
                    lines.for_each(|line| self.note(LogMark::Complained, line));
                }
                count
            }
        }
    }

    fn count(&mut self, bytes: usize, stream: &str) -> Result<(), Trouble> {
        self.printed += bytes as u64;
        let most = self.ward.limits.output;
        if self.printed <= most {
            return Ok(());
        }
        let evidence =
            format!("more than {most} bytes after one request, the last on its {stream}");
        Err(self.fail(Trouble::new(TroubleKind::Flood, evidence)))
    }

    /// Waits until there is room in the pipe again.
    fn wait_for_reader(&mut self, unread: usize, deadline: Instant) -> Result<(), Trouble> {
        if Instant::now() >= deadline {
            let evidence = format!("the pipe is full, and {unread} bytes were still to be sent");
            return Err(self.fail(Trouble::new(TroubleKind::NotReading, evidence)));
        }
        let ready = wait(self.input.as_ref(), PollFlags::OUT, self.errors.as_ref(), deadline);
        let (_, complained) =
            ready.map_err(|error| self.fail(Trouble::system("wait for it", error)))?;
        match complained {
            true => self.read_errors(),
            false => Ok(()),
        }
    }

    /// Finds out why a pipe was closed.
    fn ended(&mut self, pipe: &str) -> Trouble {
        let deadline = Instant::now() + DYING;
        // The reason for its end is often the last thing that it wrote.
        while self.drain_errors() > 0 && Instant::now() < deadline {}
        self.tail.finish_errors();
        // A process closes its pipes a moment before its end is visible.
        let mut fate = trees::fate(self.ward.pid);
        while matches!(fate, Fate::Running) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
            fate = trees::fate(self.ward.pid);
        }
        let trouble = self.ward.broken.get().cloned().unwrap_or_else(|| match fate {
            Fate::Running => {
                Trouble::new(TroubleKind::ClosedPipe, format!("closed its {pipe} and runs on"))
            }
            Fate::Ended(status) => {
                let (end, left) = match self.ward.inmate.as_ref().and_then(Inmate::end) {
                    Some(Ok(told)) => told,
                    Some(Err(trouble)) => return trouble,
                    None => (end_of(&status), self.left()),
                };
                Trouble::of_end(end, self.time_is_over(), self.killed_for_memory()).leaving(&left)
            }
            Fate::Gone => Trouble::new(TroubleKind::Crashed, "ended in an unknown way"),
        });
        self.fail(trouble)
    }

    /// Whether the system may have killed it for want of memory: if nobody knows that of this very
    /// program, then because it killed somebody since.
    fn killed_for_memory(&self) -> bool {
        let known = self.ward.inmate.as_ref().and_then(Inmate::killed_for_memory);
        known.unwrap_or_else(|| proc::killed_for_memory() > self.ward.killed_before)
    }

    fn time_is_over(&self) -> bool {
        let used = proc::cpu_seconds(self.ward.pid);
        self.ward.limits.cpu.zip(used).is_some_and(|(most, used)| used >= most.as_secs_f64())
    }

    /// Waits for the end of the program. Meanwhile it may print.
    fn wait_for_end(&mut self, deadline: Instant) -> bool {
        let mut pause = Duration::from_micros(100);
        loop {
            match trees::fate(self.ward.pid) {
                Fate::Running if Instant::now() < deadline => {}
                Fate::Running => return false,
                Fate::Ended(_) | Fate::Gone => return true,
            }
            let until = deadline.min(Instant::now() + pause);
            pause = (pause * 2).min(Duration::from_millis(10));
            let ready = wait(self.output.as_ref(), PollFlags::IN, self.errors.as_ref(), until);
            let (printed, complained) = ready.unwrap_or_default();
            if complained {
                self.drain_errors();
            }
            if printed && !self.discard_output() {
                self.output = None;
            }
        }
    }

    /// Reads and discards some output. False when there is nothing more to come.
    fn discard_output(&mut self) -> bool {
        let mut chunk = [0; CHUNK];
        let Some(output) = &self.output else { return false };
        match read(output, &mut chunk) {
            Ok(count) => count > 0,
            Err(error) => matches!(error, Errno::INTR | Errno::AGAIN),
        }
    }
}

/// Waits until an isolated program runs, and has it looked after while nothing is asked of it.
fn settle(ward: &Arc<Ward>, launch: &Launch) -> Result<(), Trouble> {
    let Some(inmate) = &ward.inmate else { return Ok(()) };
    inmate.settle(launch, ward.pid.as_raw_pid().unsigned_abs())?;
    match inmate.level == Level::Sandbox && !launch.pondering {
        true => freezer::look_after(ward),
        false => Ok(()),
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        warden::end(&self.ward);
    }
}
