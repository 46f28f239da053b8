//! The filter of system calls: what no agent for a board game needs.
//!
//! Everything else is allowed, so that interpreters and virtual machines run unchanged. Refused are
//! calls that reach other processes or the machine, that hold memory where it is not counted, or
//! that have been the usual way out of sandboxes.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::io;

use libc::{EAFNOSUPPORT, EINVAL, ENOSYS, EPERM};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

/// Reaching other processes, the machine, or a namespace of one's own.
const FORBIDDEN: &[libc::c_long] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_fsconfig,
    libc::SYS_mount_setattr,
    OPEN_TREE_ATTR,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    // Each side keeps to its own cores and to an ordinary priority.
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
];

/// Memory that is not counted as a process's own, and interfaces that programs do without when they
/// are missing.
const MISSING: &[libc::c_long] = &[
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_setup,
    // Its flags are behind a pointer that no filter can follow; libraries fall back to clone.
    libc::SYS_clone3,
    // A small piece of a huge page in a pipe holds all of it.
    libc::SYS_vmsplice,
    // A timer can send SIGCONT to a process that was stopped, which would thaw itself.
    libc::SYS_timer_create,
];

/// What says something about a file that is not in it. Where a program's files are not the only ones
/// it can name, Landlock leaves that to others.
const ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_inotify_add_watch,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Calls that are newer than the names for them; they have the same numbers everywhere.
const FCHMODAT2: libc::c_long = 452;
const SETXATTRAT: libc::c_long = 463;
const REMOVEXATTRAT: libc::c_long = 466;
const OPEN_TREE_ATTR: libc::c_long = 467;
const FILE_SETATTR: libc::c_long = 469;

/// The flags of `clone` that make namespaces.
const NAMESPACES: u64 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u32 as u64;

/// The flags of `mmap` for memory that is shared and in no file.
const SHARED_MEMORY: u64 = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;

/// Choose the signal with which a file announces that it is ready, and who gets it.
const F_SETSIG: u64 = 10;
const F_SETOWN: u64 = 8;
const F_SETOWN_EX: u64 = 15;
const FIOSETOWN: u64 = 0x8901;
const SIOCSPGRP: u64 = 0x8902;

/// Which sockets a program may make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sockets {
    /// Those of its own network, in which there is nobody else.
    Own,
    /// Of the internet, where the protocol needs it.
    Internet,
    /// None but pairs.
    None,
}

/// What of the outside a program could reach without the filter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// Which sockets it may make.
    pub sockets: Sockets,
    /// To whom it may send signals.
    pub signals: Signals,
    /// Whether it can name no files but those that it is shown.
    pub own_files: bool,
}

/// To whom a program may send signals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signals {
    /// To everybody that it can reach: something else sees to that.
    Any,
    /// Only to the process that is being filtered. Children cannot send any.
    ToItself,
}

/// The filters, in the order in which they are applied.
pub(crate) fn filters(reach: Reach) -> io::Result<Vec<BpfProgram>> {
    let mut forbidden = always(FORBIDDEN);
    forbid_namespaces(&mut forbidden)?;
    forbid_others(&mut forbidden)?;
    forbid_going_on(&mut forbidden)?;
    forbid_memory(&mut forbidden)?;
    if reach.signals == Signals::ToItself {
        keep_signals(&mut forbidden)?;
    }
    if !reach.own_files {
        forbidden.extend(always(ATTRIBUTES));
    }
    let sockets = [(libc::SYS_socket, socket_rules(reach.sockets)?)].into();
    let mut programs = vec![filter(forbidden, EPERM)?, filter(always(MISSING), ENOSYS)?];
    programs.push(filter(sockets, EAFNOSUPPORT)?);
    programs.push(filter([(libc::SYS_madvise, populating()?)].into(), EINVAL)?);
    if reach.sockets != Sockets::Own {
        programs.push(filter([(libc::SYS_socketpair, unconnected()?)].into(), EAFNOSUPPORT)?);
    }
    programs.extend((ARCH == "x86_64").then(no_second_numbering));
    Ok(programs)
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn always(calls: &[libc::c_long]) -> Rules {
    calls.iter().map(|&call| (call, Vec::new())).collect()
}

/// An argument that is this, of 32 bits.
fn equals(argument: u8, value: u64) -> io::Result<SeccompCondition> {
    let condition =
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value);
    condition.map_err(io::Error::other)
}

/// An argument that is none of these.
fn is_none_of(argument: u8, values: &[u64]) -> io::Result<SeccompRule> {
    let is_not = |&value: &u64| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
    };
    let conditions: Result<Vec<_>, _> = values.iter().map(is_not).collect();
    conditions.and_then(SeccompRule::new).map_err(io::Error::other)
}

/// An argument with these bits.
fn has_bits(argument: u8, mask: u64, bits: u64) -> io::Result<SeccompRule> {
    let masked = SeccompCmpOp::MaskedEq(mask);
    all(vec![
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, masked, bits)
            .map_err(io::Error::other)?,
    ])
}

fn all(conditions: Vec<SeccompCondition>) -> io::Result<SeccompRule> {
    SeccompRule::new(conditions).map_err(io::Error::other)
}

fn forbid_namespaces(forbidden: &mut Rules) -> io::Result<()> {
    let flags = (0..u32::BITS).map(|bit| 1_u64 << bit).filter(|flag| NAMESPACES & flag != 0);
    let rules: io::Result<Vec<_>> = flags.map(|flag| has_bits(0, flag, flag)).collect();
    forbidden.entry(libc::SYS_clone).or_default().extend(rules?);
    Ok(())
}

/// Limits and priorities of other processes, also of all of a group or a user at once.
fn forbid_others(forbidden: &mut Rules) -> io::Result<()> {
    const IOPRIO_WHO_PROCESS: u64 = 1;
    let one_process = [
        (libc::SYS_setpriority, libc::PRIO_PROCESS.into()),
        (libc::SYS_ioprio_set, IOPRIO_WHO_PROCESS),
    ];
    for (call, process) in one_process {
        forbidden.insert(call, vec![is_none_of(0, &[process])?, is_none_of(1, &[0])?]);
    }
    forbidden.insert(libc::SYS_prlimit64, vec![is_none_of(0, &[0])?]);
    Ok(())
}

/// Whatever lets a stopped process go on: the signal, sent by anybody, by the end of a child or of a
/// parent, or by a file that becomes ready.
fn forbid_going_on(forbidden: &mut Rules) -> io::Result<()> {
    const GO_ON: u64 = libc::SIGCONT as u64;
    let calls = [
        (libc::SYS_kill, 1),
        (libc::SYS_tkill, 1),
        (libc::SYS_tgkill, 2),
        (libc::SYS_rt_sigqueueinfo, 1),
        (libc::SYS_rt_tgsigqueueinfo, 2),
        (libc::SYS_pidfd_send_signal, 1),
    ];
    for (call, argument) in calls {
        forbidden.entry(call).or_default().push(all(vec![equals(argument, GO_ON)?])?);
    }
    forbidden.entry(libc::SYS_clone).or_default().push(has_bits(0, 0xff, GO_ON)?);
    let parents_end = vec![equals(0, libc::PR_SET_PDEATHSIG as u64)?, equals(1, GO_ON)?];
    forbidden.insert(libc::SYS_prctl, vec![all(parents_end)?]);
    forbidden.insert(libc::SYS_fcntl, vec![all(vec![equals(1, F_SETSIG)?])?]);
    Ok(())
}

/// Memory that is shared with nobody stays when it is no longer looked at: a file without a name.
/// Memory that is filled by the system is filled even while the program is being stopped.
fn forbid_memory(forbidden: &mut Rules) -> io::Result<()> {
    let filled = libc::MAP_POPULATE as u64;
    let rules = vec![has_bits(3, SHARED_MEMORY, SHARED_MEMORY)?, has_bits(3, filled, filled)?];
    forbidden.insert(libc::SYS_mmap, rules);
    Ok(())
}

/// The advice to fill memory, which older systems do not know either.
fn populating() -> io::Result<Vec<SeccompRule>> {
    const POPULATE: [u64; 2] = [22, 23];
    POPULATE.iter().map(|&advice| all(vec![equals(2, advice)?])).collect()
}

/// Pairs of sockets that can send to others.
fn unconnected() -> io::Result<Vec<SeccompRule>> {
    [libc::SOCK_DGRAM, libc::SOCK_RAW].iter().map(|&kind| has_bits(1, 0xf, kind as u64)).collect()
}

/// Applies the filters to this thread and everything it starts.
pub(crate) fn apply(filters: &[BpfProgram]) -> io::Result<()> {
    for filter in filters {
        seccompiler::apply_filter(filter).map_err(|error| match error {
            seccompiler::Error::Prctl(error) | seccompiler::Error::Seccomp(error) => error,
            _ => io::ErrorKind::InvalidInput.into(),
        })?;
    }
    Ok(())
}

fn filter(rules: Rules, errno: i32) -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(ARCH).map_err(io::Error::other)?;
    let refused = SeccompAction::Errno(errno as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch);
    filter.and_then(BpfProgram::try_from).map_err(io::Error::other)
}

/// Refuses signals to other processes.
fn keep_signals(forbidden: &mut Rules) -> io::Result<()> {
    let own = u64::from(std::process::id());
    // 0 is its own group, which began with it.
    forbidden.entry(libc::SYS_kill).or_default().push(is_none_of(0, &[own, 0])?);
    for call in [libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
        forbidden.entry(call).or_default().push(is_none_of(0, &[own])?);
    }
    for call in [libc::SYS_tkill, libc::SYS_pidfd_send_signal] {
        forbidden.insert(call, Vec::new());
    }
    // A file that becomes ready can send a signal to anybody, too.
    for command in [F_SETOWN, F_SETOWN_EX] {
        forbidden.entry(libc::SYS_fcntl).or_default().push(all(vec![equals(1, command)?])?);
    }
    for command in [FIOSETOWN, SIOCSPGRP] {
        forbidden.entry(libc::SYS_ioctl).or_default().push(all(vec![equals(1, command)?])?);
    }
    Ok(())
}

/// The rules for sockets that are refused.
fn socket_rules(sockets: Sockets) -> io::Result<Vec<SeccompRule>> {
    let allowed: &[i32] = match sockets {
        Sockets::Own => &[libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK],
        Sockets::Internet => &[libc::AF_INET, libc::AF_INET6],
        // There is no family of this number.
        Sockets::None => &[i32::MAX],
    };
    let allowed: Vec<u64> = allowed.iter().map(|&family| family as u64).collect();
    let mut rules = vec![is_none_of(0, &allowed)?];
    if sockets == Sockets::Internet {
        // Landlock knows connections, not datagrams.
        rules.extend(unconnected()?);
    }
    Ok(rules)
}

/// Refuses the calls of the x32 interface: the same calls under other numbers.
fn no_second_numbering() -> BpfProgram {
    const NUMBER: u32 = 0;
    const FIRST: u32 = 0x4000_0000;
    let line = |code: u32, jt: u8, jf: u8, k: u32| sock_filter { code: code as u16, jt, jf, k };
    vec![
        line(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, NUMBER),
        line(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, FIRST),
        line(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ERRNO | ENOSYS as u32),
        line(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}
