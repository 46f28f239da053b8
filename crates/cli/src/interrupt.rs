//! Signals: Ctrl-C asks what is running to stop, and a second one ends the program; other requests
//! to end leave the terminal as it was; files that grow too large are errors.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use agon_search::StopFlag;

/// The exit code after Ctrl-C: that of a program that SIGINT ended.
const INTERRUPTED: u8 = 130;

static STOP: OnceLock<StopFlag> = OnceLock::new();
/// The exit code that says which signal stopped what was running; 0 if none did.
static STOPPED_BY: AtomicU8 = AtomicU8::new(0);

/// A flag that Ctrl-C sets, from now on.
pub(crate) fn stop_flag() -> StopFlag {
    STOP.get_or_init(|| {
        let flag = StopFlag::default();
        let handler_flag = flag.clone();
        // Where no handler can be set, Ctrl-C simply ends the program.
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

/// The exit code of a run that was stopped by a signal, which tells it from one that finished.
pub(crate) fn exit_code() -> Option<u8> {
    Some(STOPPED_BY.load(Relaxed)).filter(|code| *code != 0)
}

/// Ctrl-C was the ordinary way to end this, and not a run that was stopped.
pub(crate) fn was_the_way_to_end() {
    let _ = STOPPED_BY.compare_exchange(INTERRUPTED, 0, Relaxed, Relaxed);
}

/// A write beyond the limit on the size of files becomes an error that is told, and not the end of
/// this program. Programs that it starts are not affected: a handler does not outlive exec.
#[cfg(unix)]
pub(crate) fn survive_large_files() {
    let noticed = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, noticed);
}

/// When the system asks this program to end, or its terminal goes away, this is done first.
#[cfg(unix)]
pub(crate) fn before_termination(last_act: impl FnOnce() + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGTERM]) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            STOPPED_BY.store(u8::try_from(128 + signal).unwrap_or(1), Relaxed);
            last_act();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
pub(crate) fn survive_large_files() {}

#[cfg(not(unix))]
pub(crate) fn before_termination(_: impl FnOnce() + Send + 'static) {}
