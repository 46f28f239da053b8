//! Threads that have little to do, but must do it at once: they freeze programs that may be busy on
//! every core.
#![allow(unsafe_code)]

/// The shortest time on a core that can be asked for. Whoever asks for less is let in sooner.
const SLICE_NS: u64 = 100_000;

/// Asks the system to let this thread in as soon as it wakes: before all others where that is
/// permitted, otherwise at the price of running only briefly each time. Before Linux 6.12 the latter
/// has no effect.
pub fn be_prompt() {
    // SAFETY: the structure is plain numbers, for which zeros are values.
    let mut wanted: libc::sched_attr = unsafe { std::mem::zeroed() };
    wanted.size = size_of::<libc::sched_attr>() as u32;
    // What it starts is ordinary again.
    wanted.sched_flags = libc::SCHED_FLAG_RESET_ON_FORK as u64;
    wanted.sched_policy = libc::SCHED_RR as u32;
    wanted.sched_priority = 1;
    if set(&wanted) {
        return;
    }
    wanted.sched_policy = libc::SCHED_OTHER as u32;
    wanted.sched_priority = 0;
    wanted.sched_nice = rustix::process::getpriority_process(None).unwrap_or(0);
    wanted.sched_runtime = SLICE_NS;
    set(&wanted);
}

fn set(wanted: &libc::sched_attr) -> bool {
    // SAFETY: the structure is of the size that it says, and outlives the call. What is refused
    // changes nothing.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const *wanted, 0) == 0 }
}
