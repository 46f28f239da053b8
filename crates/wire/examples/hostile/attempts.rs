//! What a program may try against others and the machine, one attempt at a time. An attempt that
//! succeeds does no harm; it only shows that it could.
#![allow(unsafe_code)]

use std::env;
use std::fs::{self, OpenOptions, Permissions};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr as LocalAddress, UnixStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::{Options, say};

/// More threads than any program may have.
const MANY_THREADS: usize = 3000;

/// An attempt: its name, which is a row in the documentation, and the attempt itself.
type Attempt = (&'static str, fn(&Target) -> bool);

/// Whom the attempts are directed against.
struct Target {
    /// The process id of the arena.
    arena: i32,
    /// A file of the arena's user, with a socket `FILE.socket` beside it.
    file: String,
    /// A port of this machine at which the arena listens.
    port: u16,
}

const ATTEMPTS: &[Attempt] = &[
    ("see other processes", |it| Path::new(&format!("/proc/{}/stat", it.arena)).exists()),
    ("signal other processes", |it| may_signal(it.arena)),
    ("change the limits of other processes", |it| may_limit(it.arena)),
    ("change the priority of other processes", |it| may_rank(it.arena)),
    ("attach a debugger to the arena", |it| may_attach(it.arena)),
    ("write to the arena's open files", |it| may_open(&format!("/proc/{}/fd/0", it.arena))),
    ("read the arena's environment", |it| may_read(&format!("/proc/{}/environ", it.arena))),
    ("read the user's files", |it| may_read(&it.file)),
    ("change or delete the user's files", |it| may_open(&it.file)),
    ("change the mode of the user's files", |it| {
        fs::set_permissions(&it.file, Permissions::from_mode(0o600)).is_ok()
    }),
    ("connect to a port of this machine", |it| may_connect(it.port)),
    ("send datagrams", |it| may_send(it.port)),
    ("connect to a local socket of the user", |it| {
        UnixStream::connect(format!("{}.socket", it.file)).is_ok()
    }),
    ("connect to an abstract socket", |it| {
        let address = LocalAddress::from_abstract_name(format!("agon-test-{}", it.port));
        address.is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
    }),
    ("hold memory in a file without a name", |_| {
        succeeds(libc::SYS_memfd_create, [c"x".as_ptr() as i64, 0, 0])
    }),
    ("hold shared memory without a file", |_| {
        let flags = i64::from(libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        let (size, access) = (4096_i64, i64::from(libc::PROT_READ));
        // SAFETY: the page is never used.
        unsafe { libc::syscall(libc::SYS_mmap, 0_i64, size, access, flags, -1_i64, 0_i64) != -1 }
    }),
    ("hold memory in System V segments", |_| may_have_segments()),
    ("start thousands of threads", |_| many_threads()),
    ("leave files behind in /tmp", |it| {
        fs::write(format!("/tmp/agon-left-{}", it.port), "left").is_ok()
    }),
    ("write to its own folder", |_| fs::write("agon-left-here", "left").is_ok()),
    ("move to other cores", |_| {
        let all = [u64::MAX; 16];
        succeeds(libc::SYS_sched_setaffinity, [0, 128, all.as_ptr() as i64])
    }),
    ("make namespaces of its own", |_| {
        succeeds(libc::SYS_unshare, [libc::CLONE_NEWUSER.into(), 0, 0])
    }),
];

/// Makes all attempts and says what came of each.
pub fn all(options: &Options) {
    let token = env::var("AGON_PROGRAM").unwrap_or_default();
    let arena = token.split_once('-').and_then(|(arena, _)| arena.parse().ok()).unwrap_or(0);
    let file = options.file.to_string_lossy().into_owned();
    let target = Target { arena, file, port: options.amount.unwrap_or(0) as u16 };
    for (name, attempt) in ATTEMPTS {
        let outcome = if attempt(&target) { "done" } else { "refused" };
        say(&format!("{outcome} {name}"));
    }
    say("end of attempts");
}

fn may_signal(process: i32) -> bool {
    // SAFETY: signal 0 only asks for permission.
    process > 0 && unsafe { libc::kill(process, 0) } == 0
}

/// The limit stays what it is.
fn may_limit(process: i32) -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limits outlive the calls.
    process > 0
        && unsafe {
            libc::prlimit(process, libc::RLIMIT_CORE, std::ptr::null(), &mut limit) == 0
                && libc::prlimit(process, libc::RLIMIT_CORE, &limit, std::ptr::null_mut()) == 0
        }
}

/// The priority stays what it is.
fn may_rank(process: i32) -> bool {
    let process = process as u32;
    // SAFETY: reads and writes a number.
    unsafe {
        let now = libc::getpriority(libc::PRIO_PROCESS, process);
        process > 0 && libc::setpriority(libc::PRIO_PROCESS, process, now) == 0
    }
}

fn may_attach(process: i32) -> bool {
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: this request stops nothing, and ends with this process.
    process > 0 && unsafe { libc::ptrace(libc::PTRACE_SEIZE, process, none, none) } == 0
}

fn may_read(path: &str) -> bool {
    fs::read(path).is_ok_and(|bytes| !bytes.is_empty())
}

fn may_open(path: &str) -> bool {
    OpenOptions::new().append(true).open(path).is_ok()
}

fn may_connect(port: u16) -> bool {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok()
}

fn may_send(port: u16) -> bool {
    let socket = UdpSocket::bind("127.0.0.1:0");
    socket.is_ok_and(|socket| socket.send_to(b"x", ("127.0.0.1", port)).is_ok())
}

/// Whether a system call succeeds.
fn succeeds(call: libc::c_long, arguments: [i64; 3]) -> bool {
    let [one, two, three] = arguments;
    // SAFETY: the calls above only read what their arguments point to, which outlives them.
    unsafe { libc::syscall(call, one, two, three) >= 0 }
}

/// A segment outlives its process, so it is removed again.
fn may_have_segments() -> bool {
    // SAFETY: the segment is made, never attached, and removed.
    unsafe {
        let segment = libc::shmget(libc::IPC_PRIVATE, 4096, 0o600);
        segment >= 0 && libc::shmctl(segment, libc::IPC_RMID, std::ptr::null_mut()) == 0
    }
}

fn many_threads() -> bool {
    let wait = || thread::sleep(Duration::from_millis(300));
    let start = |_| thread::Builder::new().stack_size(16 << 10).spawn(wait).ok();
    let started: Vec<_> = (0..MANY_THREADS).map_while(start).collect();
    let all = started.len() == MANY_THREADS;
    // The others make their attempts alone again.
    started.into_iter().for_each(|thread| drop(thread.join()));
    all
}
