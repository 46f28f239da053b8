//! Outside: starting a cell, and talking to its first process.
#![allow(unsafe_code)]

use std::io;
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, connect, recvmsg, send, sendmsg,
    socketpair,
};

use crate::cgroup::Cgroup;
use crate::loner::Loner;
use crate::order::{LONGEST, LONGEST_REPORT, Order, Refusal, Report, at, command};
use crate::{NAME, Want};

/// The program that becomes a cell: usually this one.
static LAUNCHER: OnceLock<PathBuf> = OnceLock::new();

/// Names the program that becomes a cell, if it is not this one: it must call
/// [`enter_if_asked`](crate::enter_if_asked) first of all. Only the first call counts.
pub fn set_launcher(program: impl Into<PathBuf>) {
    let _ = LAUNCHER.set(program.into());
}

/// The program that becomes a cell, if there is one.
pub(crate) fn launcher() -> Option<&'static Path> {
    LAUNCHER.get().map(PathBuf::as_path)
}

/// A connection to the first process of a cell.
#[derive(Debug)]
pub struct Cell {
    socket: OwnedFd,
    group: Option<Cgroup>,
    /// Who is stopped, and by whom; known when the program runs.
    brake: OnceLock<Brake>,
    /// A report that came while something else was waited for.
    kept: Mutex<Option<Report>>,
}

/// How a program is frozen.
#[derive(Debug)]
enum Brake {
    /// It is in its control group.
    Group,
    /// By signals: from here while it is alone, otherwise from the first process inside.
    Signals { loner: Option<Loner>, alone: AtomicBool },
}

impl Cell {
    /// Makes a connection, and the command that becomes the cell when it is started. It is the
    /// caller's to start it, with the program's pipes as its standard streams, and to keep it in a
    /// session of its own. Files that the command inherits are the program's too.
    pub fn prepare() -> Result<(Cell, Command, KeptOpen), Refusal> {
        let launcher = launcher().ok_or_else(|| Refusal {
            step: "isolate programs here: this program is not Agon's own".into(),
            errno: 0,
        })?;
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
                .map_err(at("make a connection to a cell"))?;
        let mut command = Command::new(launcher);
        command.arg0(NAME).arg(theirs.as_raw_fd().to_string()).env_clear();
        Ok((
            Cell { socket: ours, group: None, brake: OnceLock::new(), kept: Mutex::default() },
            command,
            KeptOpen(theirs),
        ))
    }

    /// Makes a control group for the program, if that is possible here. To be called before
    /// [`Cell::order`].
    pub fn confine(&mut self, memory: u64, tasks: u64) {
        self.group = Cgroup::make(memory, tasks);
    }

    /// Whether the system killed a process of the cell for want of memory, if that is known.
    pub fn killed_for_memory(&self) -> Option<Want> {
        self.group.as_ref()?.killed_for_memory()
    }

    /// Says what to start. To be called once, after the command was started.
    pub fn order(&self, order: &Order) -> Result<(), Refusal> {
        let text = serde_json::to_vec(order).map_err(|error| Refusal {
            step: format!("describe the program: {error}"),
            errno: 0,
        })?;
        if text.len() > LONGEST {
            let step = format!("describe the program in {LONGEST} bytes");
            return Err(Refusal { step, errno: 0 });
        }
        let door = self.group.as_ref().map(Cgroup::door).transpose();
        let door = door.map_err(at("use a control group"))?;
        let door = door.as_ref().map(|door| [door.as_fd()]);
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut extra = SendAncillaryBuffer::new(&mut space);
        if let Some(door) = &door {
            extra.push(SendAncillaryMessage::ScmRights(door));
        }
        sendmsg(&self.socket, &[io::IoSlice::new(&text)], &mut extra, SendFlags::NOSIGNAL)
            .map(drop)
            .map_err(at("reach the cell"))
    }

    /// Finds out how to freeze the program, which runs in the cell that was started as this process.
    pub fn begin(&self, process: u32) {
        self.brake.get_or_init(|| match &self.group {
            Some(group) if group.is_populated() => Brake::Group,
            _ => Brake::Signals { loner: Loner::find(process), alone: AtomicBool::new(false) },
        });
    }

    /// The next report. `None` if there is none in time, or none any more: then the cell is gone,
    /// or has become the program at level `weak`.
    pub fn report(&self, deadline: Instant) -> Option<Report> {
        if let Some(report) = self.kept.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Some(report);
        }
        loop {
            match self.receive(deadline).ok()? {
                // A socket for which somebody did not wait any more.
                (_, Some(_)) => {}
                (message, None) => return serde_json::from_slice(&message).ok(),
            }
        }
    }

    /// Stops all processes of the cell but our own, until [`Cell::thaw`]. False if this is to be
    /// said again: by signals, one that is just ending or being born may still do something.
    pub fn freeze(&self, again: bool) -> bool {
        let request = if again { command::LOOK } else { command::FREEZE };
        match (self.brake.get(), &self.group) {
            (Some(Brake::Group), Some(group)) if group.set_frozen(true).is_ok() => true,
            (Some(Brake::Signals { loner: Some(loner), alone }), _) => {
                let is_alone = loner.stop();
                alone.store(is_alone, Relaxed);
                if !is_alone {
                    self.tell(&[request]);
                }
                false
            }
            _ => {
                self.tell(&[request]);
                false
            }
        }
    }

    /// Lets them go on.
    pub fn thaw(&self) {
        match (self.brake.get(), &self.group) {
            (Some(Brake::Group), Some(group)) if group.set_frozen(false).is_ok() => {}
            (Some(Brake::Signals { loner: Some(loner), alone }), _)
                if alone.swap(false, Relaxed) && loner.go_on().is_ok() => {}
            _ => self.tell(&[command::THAW]),
        }
    }

    /// Connects to a port inside.
    pub fn dial(&self, port: u16, deadline: Instant) -> io::Result<TcpStream> {
        self.tell(&[command::SOCKET]);
        let socket = loop {
            let (message, file) = self.receive(deadline)?;
            match file {
                Some(socket) => break socket,
                None => self.keep(&message)?,
            }
        };
        // A socket stays in the network in which it was made.
        connect_until(&socket, SocketAddrV4::new(Ipv4Addr::LOCALHOST, port), deadline)?;
        Ok(socket.into())
    }

    /// Keeps a report that nobody has asked for yet. An end also ends what is going on.
    fn keep(&self, message: &[u8]) -> io::Result<()> {
        let report = serde_json::from_slice(message).ok();
        let is_end = matches!(report, None | Some(Report::Ended { .. }));
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = report;
        if is_end { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }

    /// The next message from the first process, and the file that came with it.
    fn receive(&self, deadline: Instant) -> io::Result<(Vec<u8>, Option<OwnedFd>)> {
        wait(&self.socket, PollFlags::IN, deadline)?;
        let mut message = vec![0; LONGEST_REPORT];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut extra = RecvAncillaryBuffer::new(&mut space);
        let mut parts = [io::IoSliceMut::new(&mut message)];
        let got = recvmsg(&self.socket, &mut parts, &mut extra, RecvFlags::CMSG_CLOEXEC)?;
        message.truncate(got.bytes);
        Ok((message, received_file(&mut extra)))
    }

    fn tell(&self, message: &[u8]) {
        // A cell that is gone needs no command. One that does not listen would be a mistake of
        // ours, and must not hold us up.
        let _ = send(&self.socket, message, SendFlags::NOSIGNAL | SendFlags::DONTWAIT);
    }
}

/// Waits until something can be done with a file, or nothing any more.
fn wait(file: &OwnedFd, what: PollFlags, deadline: Instant) -> io::Result<()> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left.max(Duration::from_nanos(1))).ok();
        match poll(&mut [PollFd::new(file, what)], timeout.as_ref()) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Connects a socket. Whoever listens may be in no hurry to accept it.
fn connect_until(socket: &OwnedFd, address: SocketAddrV4, deadline: Instant) -> io::Result<()> {
    rustix::io::ioctl_fionbio(socket, true)?;
    match connect(socket, &address) {
        Ok(()) => {}
        Err(Errno::INPROGRESS) => {
            wait(socket, PollFlags::OUT, deadline)?;
            rustix::net::sockopt::socket_error(socket)??;
        }
        Err(error) => return Err(error.into()),
    }
    Ok(rustix::io::ioctl_fionbio(socket, false)?)
}

/// The file that came with a message, if any.
pub(crate) fn received_file(extra: &mut RecvAncillaryBuffer<'_>) -> Option<OwnedFd> {
    let files = extra.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => Some(files),
        _ => None,
    });
    files.flatten().next()
}

/// The cell's end of the connection, to be kept until the cell was started.
#[derive(Debug)]
pub struct KeptOpen(OwnedFd);

impl KeptOpen {
    /// The file that the cell inherits.
    pub fn file(&self) -> RawFd {
        self.0.as_raw_fd()
    }

    /// Leaves a file open when the calling process becomes another program. For `pre_exec`: it
    /// makes one system call, and allocates nothing.
    pub fn inherit(file: RawFd) -> io::Result<()> {
        // SAFETY: changes a flag of a file.
        match unsafe { libc::fcntl(file, libc::F_SETFD, 0) } {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}
