//! Opens the pages in the person's browser.

use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// How long a program that ends has for starting a browser.
const PATIENCE: Duration = Duration::from_secs(5);

/// An attempt to open a browser. It never keeps the server waiting: some of the programs return
/// only when the browser is closed.
pub(super) struct Opening(Receiver<()>);

impl Opening {
    /// Opens an address in the background; if that fails, says so.
    pub(super) fn start(address: &str) -> Opening {
        let (done, opening) = channel();
        let address = address.to_string();
        let open = move || {
            if !programs().iter().any(|program| succeeds(program, &address)) {
                anstream::eprintln!("No browser could be opened: open {address} yourself.");
            }
            // Nobody waits for it while the server runs.
            let _ = done.send(());
        };
        // Without a thread there is no browser, and the address is on the screen.
        let _ = thread::Builder::new().spawn(open);
        Opening(opening)
    }

    /// Waits until it is known whether there is a browser, but not for the browser to be closed.
    pub(super) fn wait(&self) {
        let _ = self.0.recv_timeout(PATIENCE);
    }
}

/// The programs that open an address in the browser of this system, the best first.
fn programs() -> &'static [&'static str] {
    if cfg!(target_os = "macos") {
        return &["open"];
    }
    // Inside Windows, the browser outside is meant.
    match std::env::var_os("WSL_DISTRO_NAME") {
        Some(_) => &["wslview", "xdg-open"],
        None => &["xdg-open", "wslview"],
    }
}

fn succeeds(program: &str, address: &str) -> bool {
    let mut command = Command::new(program);
    // A browser's messages are not ours, and this terminal is not for browsers in text.
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
