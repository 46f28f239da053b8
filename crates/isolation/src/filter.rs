//! The filter of system calls: what no agent for a board game needs.
//!
//! Everything else is allowed, so that interpreters and virtual machines run unchanged. Refused are
//! calls that reach other processes or the machine, that hold memory where it is not counted, or
//! that have been the usual way out of sandboxes.
#![allow(unsafe_code)]

use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::io;

use libc::{EAFNOSUPPORT, ENOSYS, EPERM};
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
    // A timer can send SIGCONT to a process that was stopped, which would thaw itself.
    libc::SYS_timer_create,
];

/// The flags of `clone` that make namespaces.
const NAMESPACES: u64 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u64;

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

/// To whom a program may send signals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signals {
    /// To everybody that it can reach: something else sees to that.
    Any,
    /// Only to the process that is being filtered. Children cannot send any.
    ToItself,
}

/// The filters, in the order in which they are applied.
pub(crate) fn filters(sockets: Sockets, signals: Signals) -> io::Result<Vec<BpfProgram>> {
    let always = |calls: &[libc::c_long]| calls.iter().map(|&call| (call, Vec::new())).collect();
    let mut forbidden: BTreeMap<i64, Vec<SeccompRule>> = always(FORBIDDEN);
    let each = |flag: u64| rule(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag);
    let flags = (0..u64::BITS).map(|bit| 1 << bit).filter(|flag| NAMESPACES & flag != 0);
    forbidden.insert(libc::SYS_clone, flags.map(each).collect::<io::Result<_>>()?);
    // Memory that is shared with nobody stays when it is no longer seen: a file without a name.
    let nameless = SeccompCmpOp::MaskedEq(SHARED_MEMORY);
    let nameless = rule(3, SeccompCmpArgLen::Dword, nameless, SHARED_MEMORY)?;
    forbidden.insert(libc::SYS_mmap, vec![nameless]);
    // What a timer could do, by a file that becomes ready.
    let choose_signal = rule(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, F_SETSIG)?;
    forbidden.insert(libc::SYS_fcntl, vec![choose_signal]);
    if signals == Signals::ToItself {
        keep_signals(&mut forbidden)?;
    }
    let mut of_socket = BTreeMap::new();
    of_socket.insert(libc::SYS_socket, socket_rules(sockets)?);
    let mut programs = vec![filter(forbidden, EPERM)?, filter(always(MISSING), ENOSYS)?];
    programs.push(filter(of_socket, EAFNOSUPPORT)?);
    programs.extend((ARCH == "x86_64").then(no_second_numbering));
    Ok(programs)
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

fn filter(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(ARCH).map_err(io::Error::other)?;
    let refused = SeccompAction::Errno(errno as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch);
    filter.and_then(BpfProgram::try_from).map_err(io::Error::other)
}

fn rule(
    argument: u8,
    length: SeccompCmpArgLen,
    compare: SeccompCmpOp,
    value: u64,
) -> io::Result<SeccompRule> {
    let condition = SeccompCondition::new(argument, length, compare, value);
    let rule = condition.and_then(|condition| SeccompRule::new(vec![condition]));
    rule.map_err(io::Error::other)
}

/// Refuses signals to other processes.
fn keep_signals(forbidden: &mut BTreeMap<i64, Vec<SeccompRule>>) -> io::Result<()> {
    let own = u64::from(std::process::id());
    let is_not =
        |value: u64| SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value);
    let to_others = |allowed: &[u64]| {
        let conditions: Result<Vec<_>, _> = allowed.iter().map(|&it| is_not(it)).collect();
        conditions.and_then(SeccompRule::new).map_err(io::Error::other)
    };
    // 0 is its own group, which began with it.
    forbidden.insert(libc::SYS_kill, vec![to_others(&[own, 0])?]);
    for call in [libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
        forbidden.insert(call, vec![to_others(&[own])?]);
    }
    for call in [libc::SYS_tkill, libc::SYS_pidfd_send_signal] {
        forbidden.insert(call, Vec::new());
    }
    // A file that becomes ready can send a signal to anybody, too.
    let equals = |value: u64| rule(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value);
    let of_files = forbidden.entry(libc::SYS_fcntl).or_default();
    of_files.extend([equals(F_SETOWN)?, equals(F_SETOWN_EX)?]);
    forbidden.insert(libc::SYS_ioctl, vec![equals(FIOSETOWN)?, equals(SIOCSPGRP)?]);
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
    let is_not = |&family: &i32| {
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family as u64)
    };
    let conditions: Result<Vec<_>, _> = allowed.iter().map(is_not).collect();
    let mut rules = vec![conditions.and_then(SeccompRule::new).map_err(io::Error::other)?];
    if sockets == Sockets::Internet {
        // Landlock knows connections, not datagrams.
        let kind = SeccompCmpOp::MaskedEq(0xf);
        rules.push(rule(1, SeccompCmpArgLen::Dword, kind.clone(), libc::SOCK_DGRAM as u64)?);
        rules.push(rule(1, SeccompCmpArgLen::Dword, kind, libc::SOCK_RAW as u64)?);
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
