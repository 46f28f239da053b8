//! What this machine can give.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustix::thread::CpuSet;

use crate::cgroup::Cgroup;
use crate::order::{CellLimits, Order, Refusal, Report};
use crate::{Cell, CgroupPowers, KeptOpen, Level, Unavailable};

/// How long a try may take. It takes milliseconds, unless the machine is very busy.
const PATIENCE: Duration = Duration::from_secs(20);

/// What control groups can do for cells on this machine.
pub fn cgroup_powers() -> CgroupPowers {
    Cgroup::powers()
}

/// The newest version of Landlock that cells use.
static NEWEST_LANDLOCK: AtomicU8 = AtomicU8::new(u8::MAX);

/// Lets cells use Landlock up to this version only, as on an older machine, which is how that is
/// tested.
pub fn use_landlock(newest: u8) {
    NEWEST_LANDLOCK.store(newest, Relaxed);
}

/// The newest version of Landlock to be used, for [`Order::landlock`].
pub fn newest_landlock() -> u8 {
    NEWEST_LANDLOCK.load(Relaxed)
}

/// The numbers of the cores that this process may use.
pub fn usable_cores() -> Vec<usize> {
    let usable = rustix::thread::sched_getaffinity(None);
    usable.map_or_else(
        |_| Vec::new(),
        |set| (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect(),
    )
}

/// Whether a level can be had here: it is tried, with everything but a program.
pub fn try_level(level: Level) -> Result<(), Unavailable> {
    match level {
        Level::None => Ok(()),
        Level::Weak | Level::Sandbox => match attempt(level) {
            Ok(()) => Ok(()),
            Err(refusal) => {
                Err(Unavailable { reason: refusal.to_string(), remedy: remedy(level, &refusal) })
            }
        },
    }
}

fn attempt(level: Level) -> Result<(), Refusal> {
    let (cell, mut command, theirs) = Cell::prepare()?;
    let file = theirs.file();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: one system call, and nothing is allocated.
    #[allow(unsafe_code)]
    unsafe {
        command.pre_exec(move || KeptOpen::inherit(file))
    };
    let mut child = command.spawn().map_err(|error| Refusal::new("start a process", &error))?;
    drop(theirs);
    let scratch = std::env::temp_dir();
    let order = Order {
        level,
        program: None,
        arguments: Vec::new(),
        environment: Vec::new(),
        folder: "/".into(),
        readable: Vec::new(),
        linked: Vec::new(),
        scratch: Some(scratch),
        limits: CellLimits {
            tasks: 8,
            cpu_seconds: None,
            file_size: 1 << 20,
            open_files: 64,
            scratch: 1 << 20,
        },
        network: false,
        cores: Vec::new(),
        landlock: newest_landlock(),
    };
    cell.order(&order)?;
    let report = cell.report(Instant::now() + PATIENCE);
    let _ = child.kill();
    let _ = child.wait();
    match report {
        Some(Report::Started) => Ok(()),
        Some(Report::NoCell(refusal)) => Err(refusal),
        _ => Err(Refusal { step: "make a cell: it ended without a report".into(), errno: 0 }),
    }
}

/// What to do about a refusal, as far as its cause can be seen.
fn remedy(level: Level, refusal: &Refusal) -> Option<String> {
    let setting = |name: &str| fs::read_to_string(Path::new("/proc/sys").join(name)).ok();
    let is = |name: &str, value: &str| setting(name).is_some_and(|text| text.trim() == value);
    if level == Level::Weak {
        return Some(
            "level weak needs Linux 6.2 with Landlock enabled (lsm=landlock,… on the kernel's \
             command line)"
                .into(),
        );
    }
    if is("kernel/apparmor_restrict_unprivileged_userns", "1") {
        return Some(
            "this system restricts user namespaces by AppArmor; as root: \
             sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for \
             agon that allows userns"
                .into(),
        );
    }
    if is("kernel/unprivileged_userns_clone", "0") {
        return Some("as root: sysctl kernel.unprivileged_userns_clone=1".into());
    }
    if is("user/max_user_namespaces", "0") {
        return Some("as root: sysctl user.max_user_namespaces=10000".into());
    }
    if Path::new("/.dockerenv").exists() || Path::new("/run/.containerenv").exists() {
        return Some(
            "in a container: start it with --security-opt seccomp=unconfined \
             --security-opt systempaths=unconfined --cap-add SYS_ADMIN, or choose level weak"
                .into(),
        );
    }
    (refusal.errno == libc::ENOSYS || refusal.errno == libc::EINVAL)
        .then(|| "level sandbox needs Linux 5.14 with namespaces".into())
}
