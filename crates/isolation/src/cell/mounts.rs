//! What a program in a cell sees of the file system.
//!
//! A new root in memory holds the system's folders, the readable paths of the order, a few devices,
//! its own processes, and one writable folder of limited size. Everything is at the path it has
//! outside, and gone when the cell's last process is.
#![allow(unsafe_code)]

use std::ffi::CString;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::CWD;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount,
    mount_bind_recursive, mount_change, mount_remount, move_mount, open_tree, unmount,
};
use rustix::process::{chdir, pivot_root};

use crate::order::{Order, Refusal, at};
use crate::view;

/// Where the old root is while the new one is made.
const OLD: &str = "/old";
const NEW: &str = "/new";

/// The writable folder, and where the devices are.
pub(crate) const SCRATCH: &str = "/tmp";
/// Not /dev/zero: what is mapped from it can be held without being counted.
const DEVICES: &[&str] = &["null", "full", "random", "urandom"];

/// Files of the system's settings that are made up rather than shown.
const MADE_UP: &[(&str, &str)] = &[
    ("hosts", "127.0.0.1 localhost\n::1 localhost\n"),
    ("hostname", "agon\n"),
    ("nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"),
];

/// The most files that the writable folder holds.
const FILES: u32 = 4096;

/// Replaces the root by one that shows only what the order allows. Readable files of root's belong
/// to the program there, if `ids` says so.
pub(crate) fn enter(order: &Order, ids: Option<&OwnedFd>) -> Result<(), Refusal> {
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(at("keep mounts to itself"))?;
    let plain = MountFlags::NOSUID | MountFlags::NODEV;
    let base = c"mode=0755,size=4m,nr_inodes=4096";
    mount("tmpfs", SCRATCH, "tmpfs", plain, base).map_err(at("mount a folder in memory"))?;
    let inside = |name: &str| format!("{SCRATCH}{name}");
    folder(Path::new(&inside(OLD)))?;
    folder(Path::new(&inside(NEW)))?;
    mount("tmpfs", inside(NEW), "tmpfs", plain, base).map_err(at("mount a root in memory"))?;
    pivot_root(SCRATCH, inside(OLD)).map_err(at("change the root"))?;
    chdir("/").map_err(at("change the folder"))?;
    system_folders()?;
    special_folders(order)?;
    for path in &order.readable {
        show(path, Missing::IsAnError, ids)?;
    }
    for path in &order.linked {
        show(path, Missing::IsFine, None)?;
    }
    folder(&new(&order.folder))?;
    unmount(OLD, UnmountFlags::DETACH).map_err(at("let go of the old root"))?;
    chdir(NEW).map_err(at("change the folder"))?;
    // The new root goes on top of the old one, which is then taken away beneath it.
    pivot_root(".", ".").map_err(at("change the root again"))?;
    unmount(".", UnmountFlags::DETACH).map_err(at("let go of the base"))?;
    let fixed = plain | MountFlags::RDONLY | MountFlags::BIND;
    mount_remount("/", fixed, c"").map_err(at("make the root read-only"))?;
    chdir(&order.folder).map_err(at("change to the program's folder"))
}

fn system_folders() -> Result<(), Refusal> {
    for path in view::SYSTEM.iter().chain(view::SETTINGS) {
        show(Path::new(path), Missing::IsFine, None)?;
    }
    folder(&new(Path::new("/etc")))?;
    let write = |name: &str, text: &str| {
        fs::write(new(&Path::new("/etc").join(name)), text).map_err(at("write a file of settings"))
    };
    MADE_UP.iter().try_for_each(|(name, text)| write(name, text))?;
    let (user, group) = (rustix::process::getuid(), rustix::process::getgid());
    let user = if user.is_root() { super::privileges::own_id() } else { user.as_raw() };
    let group = if group.is_root() { super::privileges::own_id() } else { group.as_raw() };
    write("passwd", &format!("agent:x:{user}:{group}::{SCRATCH}:/bin/sh\n"))?;
    write("group", &format!("agent:x:{group}:\n"))
}

fn special_folders(order: &Order) -> Result<(), Refusal> {
    let closed = MountFlags::NOSUID | MountFlags::NODEV;
    let processes = new(Path::new("/proc"));
    folder(&processes)?;
    // Read-only: what can be written there changes its weight and whether it is killed first.
    let flags = closed | MountFlags::NOEXEC | MountFlags::RDONLY;
    mount("proc", &processes, "proc", flags, c"")
        .map_err(at("show the program its own processes"))?;
    let scratch = new(Path::new(SCRATCH));
    folder(&scratch)?;
    let size = format!("mode=1777,size={},nr_inodes={FILES}", order.limits.scratch);
    let size = CString::new(size).map_err(|_| Refusal { step: "size".into(), errno: 0 })?;
    mount("tmpfs", &scratch, "tmpfs", closed, size.as_c_str())
        .map_err(at("mount the program's own folder"))?;
    let devices = new(Path::new("/dev"));
    folder(&devices)?;
    for name in DEVICES {
        bind(&Path::new("/dev").join(name))?;
    }
    let link = |name: &str, target: &str| {
        symlink(target, devices.join(name)).map_err(at("make a link in /dev"))
    };
    link("fd", "/proc/self/fd")?;
    link("stdin", "/proc/self/fd/0")?;
    link("stdout", "/proc/self/fd/1")?;
    link("stderr", "/proc/self/fd/2")?;
    link("shm", SCRATCH)
}

/// Where a path is in the new root.
fn new(path: &Path) -> PathBuf {
    Path::new(NEW).join(path.strip_prefix("/").unwrap_or(path))
}

/// Where a path is in the old root.
fn old(path: &Path) -> PathBuf {
    Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path))
}

fn folder(path: &Path) -> Result<(), Refusal> {
    let made = DirBuilder::new().recursive(true).mode(0o755).create(path);
    made.map_err(|error| Refusal::new(format!("make the folder {}", path.display()), &error))
}

/// What it means that there is nothing at a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    IsFine,
    IsAnError,
}

/// Shows a path at the same place: a link as a link, anything else read-only.
fn show(path: &Path, missing: Missing, ids: Option<&OwnedFd>) -> Result<(), Refusal> {
    let place = new(path);
    if place.symlink_metadata().is_ok() && !is_empty_folder(&place) {
        return Ok(());
    }
    let data = match old(path).symlink_metadata() {
        Ok(data) => data,
        Err(_) if missing == Missing::IsFine => return Ok(()),
        Err(error) => {
            return Err(Refusal::new(format!("show {}", path.display()), &error));
        }
    };
    if let Some(parent) = place.parent() {
        folder(parent)?;
    }
    if data.is_symlink() {
        let target = fs::read_link(old(path)).map_err(at("read a link"))?;
        return symlink(target, place).map_err(at("make a link"));
    }
    make_place(path)?;
    attach(path, ids).map_err(|error| Refusal::new(format!("show {}", path.display()), &error))
}

/// Mounts a file or folder of the old root at the same place of the new one, with all below it:
/// read-only, without devices and without privileges.
fn attach(path: &Path, ids: Option<&OwnedFd>) -> io::Result<()> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let tree = open_tree(CWD, old(path), flags)?;
    // Not every file system can show other owners. Then the program may read what everybody may.
    if ids.is_none_or(|ids| restrict(&tree, Some(ids)).is_err()) {
        restrict(&tree, None)?;
    }
    Ok(move_mount(tree, "", CWD, new(path), MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

fn is_empty_folder(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

/// Mounts a file or folder of the old root at the same place of the new one.
fn bind(path: &Path) -> Result<(), Refusal> {
    make_place(path)?;
    mount_bind_recursive(old(path), new(path))
        .map_err(|error| Refusal::new(format!("show {}", path.display()), &error.into()))
}

/// Makes a file or folder on which a path of the old root can be mounted.
fn make_place(path: &Path) -> Result<(), Refusal> {
    match old(path).is_dir() {
        true => folder(&new(path)),
        false => File::create(new(path)).map(drop).map_err(at("make a place for a file")),
    }
}

/// Makes a mount and all below it read-only, without devices and without privileges; with other
/// owners of its files if `ids` says so.
fn restrict(tree: &OwnedFd, ids: Option<&OwnedFd>) -> io::Result<()> {
    // SAFETY: the structure is plain numbers, and all zeros is "change nothing".
    let mut change: libc::mount_attr = unsafe { std::mem::zeroed() };
    change.attr_set = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV;
    if let Some(ids) = ids {
        change.attr_set |= libc::MOUNT_ATTR_IDMAP;
        change.userns_fd = ids.as_raw_fd() as u64;
    }
    let (flags, size) = (libc::AT_RECURSIVE | libc::AT_EMPTY_PATH, size_of::<libc::mount_attr>());
    let (call, tree) = (libc::SYS_mount_setattr, tree.as_raw_fd());
    // SAFETY: the path is empty and ends with a zero byte, and the size is that of the structure.
    let done = unsafe { libc::syscall(call, tree, c"".as_ptr(), flags, &change, size) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
