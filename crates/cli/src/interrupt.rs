//! Ctrl-C: the first one asks what is running to stop, the second ends the program.

use std::sync::OnceLock;

use agon_search::StopFlag;

static STOP: OnceLock<StopFlag> = OnceLock::new();

/// A flag that Ctrl-C sets, from now on.
pub(crate) fn stop_flag() -> StopFlag {
    STOP.get_or_init(|| {
        let flag = StopFlag::default();
        let handler_flag = flag.clone();
        // Where no handler can be set, Ctrl-C simply ends the program.
        let _ = ctrlc::set_handler(move || {
            if handler_flag.is_set() {
                std::process::exit(130);
            }
            handler_flag.stop();
        });
        flag
    })
    .clone()
}
