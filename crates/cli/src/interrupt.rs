//! Signals: the first Ctrl-C asks the running command to stop, the second one exits; SIGTERM and
//! SIGHUP restore the terminal first; SIGXFSZ becomes an ordinary write error.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use agon_search::StopFlag;

/// The exit code after Ctrl-C: that of a program killed by SIGINT.
const INTERRUPTED: u8 = 130;

static STOP: OnceLock<StopFlag> = OnceLock::new();
/// The exit code for the signal that stopped the command; 0 if none did.
static STOPPED_BY: AtomicU8 = AtomicU8::new(0);

/// A flag that Ctrl-C sets. The handler is installed by the first call.
pub(crate) fn stop_flag() -> StopFlag {
    STOP.get_or_init(|| {
        let flag = StopFlag::default();
        let handler_flag = flag.clone();
        // If no handler can be installed, Ctrl-C simply kills the program.
        let _ = ctrlc::set_handler(move || {
            if STOPPED_BY.swap(INTERRUPTED, Relaxed) != 0 {
                std::process::exit(INTERRUPTED.into());
            }
            handler_flag.stop();
        });
        flag
    })
    .clone()
}

/// The first Ctrl-C or SIGTERM sets one flag, the second one the other; neither ends the program by
/// itself, and the exit code is not that of an interruption.
pub(crate) fn leave_then_halt(leave: &StopFlag, halt: &StopFlag) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let (leave, halt) = (leave.clone(), halt.clone());
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for _ in signals.forever() {
            let is_second = leave.is_set();
            leave.stop();
            if is_second {
                halt.stop();
            }
        }
    })?;
    Ok(())
}

/// The exit code of a run that was stopped by a signal, to distinguish it from one that finished.
pub(crate) fn exit_code() -> Option<u8> {
    Some(STOPPED_BY.load(Relaxed)).filter(|code| *code != 0)
}

/// For commands that normally end with Ctrl-C: it does not count as an interruption, so the exit
/// code is not 130.
pub(crate) fn forget_ctrl_c() {
    let _ = STOPPED_BY.compare_exchange(INTERRUPTED, 0, Relaxed, Relaxed);
}

/// Makes a write beyond the file size limit an error instead of killing the program. Child
/// processes are not affected: exec resets handlers.
#[cfg(unix)]
pub(crate) fn survive_large_files() {
    let noticed = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, noticed);
}

/// Runs `cleanup` before SIGTERM or SIGHUP ends the program.
#[cfg(unix)]
pub(crate) fn before_termination(cleanup: impl FnOnce() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGTERM]) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            STOPPED_BY.store(u8::try_from(128 + signal).unwrap_or(1), Relaxed);
            cleanup();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
pub(crate) fn survive_large_files() {}

#[cfg(not(unix))]
pub(crate) fn before_termination(_: impl FnOnce() + Send + 'static) {}
