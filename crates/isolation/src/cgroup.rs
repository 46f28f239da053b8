//! Control groups, where this user may make them: exact limits for a whole cell, and a freezer.
//!
//! Only version 2 is used. A group of our own is made beside the one we are in, or inside it; which
//! limits it has depends on the controllers that were delegated to us. Freezing needs none.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::{CgroupPowers, Want, leftover};

/// Whether groups are made where that is possible.
static WANTED: AtomicBool = AtomicBool::new(true);

/// Whether cells use control groups where they can; they do unless told otherwise. Without them they
/// are what they are on machines where this user may not make any, which is how that is tested.
pub fn use_cgroups(wanted: bool) {
    WANTED.store(wanted, Ordering::Relaxed);
}

/// How long the last processes of a group may take to disappear.
const EMPTYING: Duration = Duration::from_secs(2);

/// What a process writes to the door of a group that it enters.
pub(crate) const ENTER: &[u8] = b"0";

/// A control group of the program in one cell, without our own processes, which never have to be
/// frozen. It is removed, with everything in it killed, when this is dropped.
#[derive(Debug)]
pub(crate) struct Cgroup {
    folder: PathBuf,
    freezer: File,
}

impl Cgroup {
    /// Makes a group, if that is possible here.
    pub fn make(memory: u64, tasks: u64) -> Option<Cgroup> {
        if !WANTED.load(Ordering::Relaxed) {
            return None;
        }
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        static PLACE: OnceLock<Option<PathBuf>> = OnceLock::new();
        // A group that is made is removed again at once.
        let works = |place: &PathBuf| Cgroup::at(place.join(leftover::name(0))).is_ok();
        let place = PLACE.get_or_init(|| {
            let place = places().into_iter().find(works)?;
            // One in which something still runs stays.
            leftover::of_others(&place).iter().for_each(|left| drop(fs::remove_dir(left)));
            Some(place)
        });
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = place.as_ref()?.join(leftover::name(number));
        let group = Cgroup::at(folder).ok()?;
        // A controller that was not delegated has no file here, and its limit is watched instead.
        let _ = group.write("memory.max", &memory.to_string());
        let _ = group.write("memory.swap.max", "0");
        let _ = group.write("memory.oom.group", "1");
        let _ = group.write("pids.max", &tasks.to_string());
        Some(group)
    }

    fn at(folder: PathBuf) -> io::Result<Cgroup> {
        fs::create_dir(&folder)?;
        match OpenOptions::new().write(true).open(folder.join("cgroup.freeze")) {
            Ok(freezer) => Ok(Cgroup { folder, freezer }),
            Err(error) => {
                let _ = fs::remove_dir(&folder);
                Err(error)
            }
        }
    }

    /// What groups can do here.
    pub fn powers() -> CgroupPowers {
        let Some(group) = Cgroup::make(u64::from(u32::MAX), 100) else {
            return CgroupPowers::default();
        };
        let has = |file: &str| group.folder.join(file).exists();
        CgroupPowers { freezes: true, memory: has("memory.max"), tasks: has("pids.max") }
    }

    /// The file by which a process enters the group, with what it starts later: it writes
    /// [`ENTER`].
    pub fn door(&self) -> io::Result<File> {
        OpenOptions::new().write(true).open(self.folder.join("cgroup.procs"))
    }

    /// Whether a process has entered.
    pub fn is_populated(&self) -> bool {
        let events = fs::read_to_string(self.folder.join("cgroup.events")).unwrap_or_default();
        events.lines().any(|line| line == "populated 1")
    }

    /// Stops all its processes, or lets them go on.
    pub fn set_frozen(&self, frozen: bool) -> io::Result<()> {
        (&self.freezer).write_all(if frozen { b"1" } else { b"0" })
    }

    /// Whether the system killed a process for want of memory. `None` if nobody counts that.
    pub fn killed_for_memory(&self) -> Option<Want> {
        let events = fs::read_to_string(self.folder.join("memory.events")).ok()?;
        let happened = |name: &str| {
            let count = events.lines().find_map(|line| line.strip_prefix(name));
            count.is_some_and(|count| count.trim() != "0")
        };
        Some(match (happened("oom_kill "), happened("oom ")) {
            (false, _) => Want::None,
            (true, true) => Want::OfItsOwn,
            (true, false) => Want::OfTheMachine,
        })
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        OpenOptions::new().write(true).open(self.folder.join(file))?.write_all(text.as_bytes())
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        let _ = self.write("cgroup.kill", "1");
        let deadline = Instant::now() + EMPTYING;
        while fs::remove_dir(&self.folder).is_err() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Where a group could be made, the best place first: with the limits of a group that has no
/// processes itself.
fn places() -> Vec<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let root = mounts.lines().find_map(|line| {
        let (front, back) = line.split_once(" - ")?;
        back.starts_with("cgroup2 ").then(|| front.split(' ').nth(4).map(PathBuf::from))?
    });
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = own.lines().find_map(|line| line.strip_prefix("0::/").map(str::to_string));
    let (Some(root), Some(own)) = (root, own) else { return Vec::new() };
    let own = root.join(own);
    let above = own.parent().filter(|above| above.starts_with(&root)).map(Path::to_path_buf);
    above.into_iter().chain([own]).collect()
}
