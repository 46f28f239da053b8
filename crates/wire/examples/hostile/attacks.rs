//! Attacks on an opponent and on the arena. They do harm where nothing stops them, so those that
//! could hurt the machine refuse to run outside a cell.
#![allow(unsafe_code)]

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::net::TcpStream;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio, abort, id};
use std::thread;
use std::time::Duration;

use crate::Options;

/// Makes an attack at the first request, after which there is an answer if it still can.
pub fn at_first_go(options: &Options) {
    let amount = options.amount.unwrap_or(60);
    match options.fault.as_str() {
        "steal-cpu" => (0..amount).for_each(|_| drop(thread::spawn(spin))),
        "busy-children" => (0..options.amount.unwrap_or(4)).for_each(|_| busy_child()),
        "all-threads" => all_threads(),
        "kill-everything" => in_cell_only(|| signal_all(libc::SIGKILL)),
        "stop-everything" => in_cell_only(|| signal_all(libc::SIGSTOP)),
        "trace-everything" => in_cell_only(|| others().for_each(trace)),
        "write-to-everything" => in_cell_only(|| others().for_each(speak_for)),
        "thaw-itself" => thaw_itself(amount),
        "kill-the-cell" => in_cell_only(kill_the_cell),
        "limit-everything" => in_cell_only(|| others().for_each(limit)),
        "cheer-on" => cheer_on(amount.min(6)),
        "huge-pages-in-pipes" => huge_pages_in_pipes(),
        "hidden-memory" => hidden_memory(),
        "page-tables" => page_tables(),
        "unseen-memory" => unseen_memory(),
        "socket-buffers" => socket_buffers(),
        "spy" => spy(),
        "many-files" => many_files(),
        "memory-in-files" => memory_in_files(),
        "delete-everything" => in_cell_only(|| delete(Path::new("/"))),
        _ => {}
    }
}

fn in_cell_only(attack: impl FnOnce()) {
    let first = fs::read("/proc/1/cmdline").unwrap_or_default();
    if !first.starts_with(b"agon-cell") {
        eprintln!("this attack is for cells only");
        abort();
    }
    attack();
}

/// Starts this program once more, to spin.
fn busy_child() {
    if let Ok(program) = env::current_exe() {
        let _ = Command::new(program).arg("spin").stdin(Stdio::null()).spawn();
    }
}

pub fn spin() {
    let mut number = 1_u64;
    loop {
        number = black_box(number.wrapping_mul(3));
    }
}

/// Threads up to whatever limit there is.
fn all_threads() {
    let wait = || thread::sleep(Duration::from_secs(1000));
    let start = |_| thread::Builder::new().stack_size(16 << 10).spawn(wait).is_ok();
    black_box((0..100_000).all(start));
}

/// Sends a signal to everybody it can see but itself: one by one, and then to all at once.
fn signal_all(signal: i32) {
    let own = id() as i32;
    for process in (1..5000).filter(|&process| process != own) {
        // SAFETY: sends a signal, which is the attack.
        unsafe { libc::kill(process, signal) };
    }
    // SAFETY: the same. The sender itself is not meant.
    unsafe { libc::kill(-1, signal) };
}

/// All processes that it can see, but itself.
fn others() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers.filter(|&process| process != id() as i32)
}

/// Attaches to a process, which stops it.
fn trace(process: i32) {
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: attaches to another process, which is the attack.
    unsafe { libc::ptrace(libc::PTRACE_ATTACH, process, none, none) };
}

/// Speaks in the name of the arena to a program, and in the name of a program to the arena.
fn speak_for(process: i32) {
    for (file, words) in [(0, "quit\n"), (1, "bestmove resign\n"), (2, "quit\n")] {
        let _ = fs::write(format!("/proc/{process}/fd/{file}"), words);
    }
}

/// Busy threads, and timers that let a stopped process go on.
fn thaw_itself(threads: u64) {
    (0..threads).for_each(|_| drop(thread::spawn(spin)));
    extern "C" fn go_on(_: i32) {}
    // SAFETY: all structures are plain numbers, for which zeros are values, and outlive the calls.
    // The handler does nothing, but without it the timer would stop when its signal is ignored.
    unsafe {
        libc::signal(libc::SIGCONT, go_on as extern "C" fn(i32) as libc::sighandler_t);
        let mut event: libc::sigevent = std::mem::zeroed();
        event.sigev_notify = libc::SIGEV_SIGNAL;
        event.sigev_signo = libc::SIGCONT;
        let mut timer: libc::timer_t = std::mem::zeroed();
        let millisecond = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
        let often = libc::itimerspec { it_interval: millisecond, it_value: millisecond };
        if libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer) == 0 {
            libc::timer_settime(timer, 0, &often, std::ptr::null_mut());
        }
    }
}

/// A child that stays in the group of its parent's beginning kills that group: whoever belongs to it
/// besides.
fn kill_the_cell() {
    // SAFETY: forks, changes its group, sends a signal to the group that it had, and ends.
    unsafe {
        if libc::fork() == 0 {
            thread::sleep(Duration::from_millis(5));
            libc::kill(0, libc::SIGKILL);
            libc::_exit(0);
        }
        libc::setpgid(0, 0);
    }
    thread::sleep(Duration::from_millis(20));
}

/// Takes away another's files and time.
fn limit(process: i32) {
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    for resource in [libc::RLIMIT_NOFILE, libc::RLIMIT_CPU] {
        // SAFETY: the limits outlive the call, which changes another process, which is the attack.
        unsafe { libc::prlimit(process, resource, &none, std::ptr::null_mut()) };
    }
}

/// Threads that tell their own process to go on whenever it is stopped.
fn cheer_on(threads: u64) {
    let cheer = || loop {
        // SAFETY: sends a signal to itself.
        unsafe { libc::kill(libc::getpid(), libc::SIGCONT) };
    };
    (0..threads).for_each(|_| drop(thread::spawn(cheer)));
}

/// A small piece of every huge page goes into a pipe, where it holds all of it.
fn huge_pages_in_pipes() {
    const HUGE: usize = 2 << 20;
    const SIZE: usize = 16 * HUGE;
    let (access, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    for _ in 0..16 {
        let mut ends = [0; 2];
        // SAFETY: only mapped memory is written to and given away, and it is unmapped whole.
        unsafe {
            let memory = libc::mmap(std::ptr::null_mut(), SIZE, access, flags, -1, 0);
            if memory == libc::MAP_FAILED || libc::pipe(ends.as_mut_ptr()) != 0 {
                return;
            }
            libc::madvise(memory, SIZE, libc::MADV_HUGEPAGE);
            for page in (0..SIZE).step_by(HUGE) {
                let place = memory.cast::<u8>().add(page);
                place.write(1);
                let piece = libc::iovec { iov_base: place.cast(), iov_len: 4096 };
                libc::vmsplice(ends[1], &piece, 1, libc::SPLICE_F_NONBLOCK);
            }
            libc::munmap(memory, SIZE);
        }
    }
}

/// Memory that is in no process: in files without a name and in segments that outlive it.
fn hidden_memory() {
    const SIZE: usize = 8 << 20;
    for _ in 0..32 {
        // SAFETY: what is mapped is as large as said, and is never unmapped.
        unsafe {
            let file = libc::memfd_create(c"agon".as_ptr(), 0);
            if file >= 0 && libc::ftruncate(file, SIZE as i64) == 0 {
                fill(libc::mmap(
                    std::ptr::null_mut(),
                    SIZE,
                    libc::PROT_WRITE,
                    libc::MAP_SHARED,
                    file,
                    0,
                ));
            }
            let segment = libc::shmget(libc::IPC_PRIVATE, SIZE, 0o600);
            if segment >= 0 {
                fill(libc::shmat(segment, std::ptr::null(), 0));
            }
        }
    }
    /// Writes to every page.
    ///
    /// SAFETY: the memory must be mapped and this large, or the call that maps it have failed.
    unsafe fn fill(memory: *mut libc::c_void) {
        if memory != libc::MAP_FAILED {
            unsafe { memory.cast::<u8>().write_bytes(1, SIZE) };
        }
    }
}

/// Memory that is shared with nobody: when it is no longer looked at, it is still there. From nowhere,
/// and from a device.
fn unseen_memory() {
    const SIZE: usize = 8 << 20;
    let zero = fs::OpenOptions::new().read(true).write(true).open("/dev/zero");
    let device = zero.as_ref().map_or(-1, |file| file.as_raw_fd());
    for (flags, file) in [(libc::MAP_ANONYMOUS, -1), (0, device)] {
        for _ in 0..64 {
            let (access, flags) = (libc::PROT_WRITE, libc::MAP_SHARED | flags);
            // SAFETY: what is mapped is as large as said, and is never unmapped.
            unsafe {
                let memory = libc::mmap(std::ptr::null_mut(), SIZE, access, flags, file, 0);
                if memory != libc::MAP_FAILED {
                    memory.cast::<u8>().write_bytes(1, SIZE);
                    libc::madvise(memory, SIZE, libc::MADV_DONTNEED);
                }
            }
        }
    }
}

/// Messages to itself that it never reads.
fn socket_buffers() {
    let mut pairs = Vec::new();
    while let Ok((one, other)) = UnixStream::pair() {
        for mut end in [&one, &other] {
            let _ = end.set_nonblocking(true);
            while end.write(&[1; 1 << 16]).is_ok() {}
        }
        pairs.push((one, other));
    }
    black_box(&pairs);
    std::mem::forget(pairs);
}

/// Reads one page in every two mebibytes of a terabyte: nothing of it is resident, but the tables for
/// it take two gibibytes.
fn page_tables() {
    const SIZE: usize = 1 << 40;
    const STEP: usize = 2 << 20;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: only mapped memory is read.
    unsafe {
        let memory = libc::mmap(std::ptr::null_mut(), SIZE, libc::PROT_READ, flags, -1, 0);
        if memory == libc::MAP_FAILED {
            return;
        }
        libc::madvise(memory, SIZE, libc::MADV_NOHUGEPAGE);
        for page in (0..SIZE).step_by(STEP) {
            black_box(memory.cast::<u8>().add(page).read_volatile());
        }
    }
}

/// Looks for keys, for the arena's environment and for a network, and says what it found: nothing
/// that is worth anything may be there.
fn spy() {
    let mut found = Vec::new();
    let home = fs::read_dir("/root").or_else(|_| fs::read_dir("/home"));
    found.extend(home.into_iter().flatten().flatten().map(|entry| entry.path()));
    for process in others() {
        let secrets = ["environ", "cmdline", "maps"].map(|file| format!("/proc/{process}/{file}"));
        let readable = secrets.iter().filter(|file| {
            let cell = fs::read(file).is_ok_and(|text| text.starts_with(b"agon-cell"));
            !cell && fs::read(file).is_ok_and(|text| !text.is_empty())
        });
        found.extend(readable.map(Into::into));
    }
    let hosts = ["127.0.0.1:80", "127.0.0.1:22", "[::1]:22"];
    let reached = |host: &&str| {
        let address = host.parse().ok()?;
        TcpStream::connect_timeout(&address, Duration::from_millis(50)).ok()
    };
    found.extend(hosts.iter().filter(|host| reached(host).is_some()).map(Into::into));
    if !found.is_empty() {
        eprintln!("spied: {found:?}");
        abort();
    }
}

fn many_files() {
    for folder in [".", "/tmp", "/dev/shm", "/var/tmp"] {
        let written =
            |number: u32| fs::write(format!("{folder}/agon-many-{number}"), [1; 4096]).is_ok();
        black_box((0..20_000).all(written));
    }
}

/// As much as fits into the folder in memory.
fn memory_in_files() {
    let chunk = vec![1_u8; 1 << 20];
    let written = |number: u32| fs::write(format!("/dev/shm/agon-hold-{number}"), &chunk).is_ok();
    black_box((0..4096).all(written));
}

/// Everything that it can.
fn delete(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && path.components().count() < 4 && !path.starts_with("/proc") {
            delete(&path);
        }
        let _ = fs::remove_file(&path);
    }
}
