//! The terminal: set up for the full screen, and always restored.

use std::io::{self, IsTerminal, stdin, stdout};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::DefaultTerminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::force_color_output;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use ratatui::layout::Size;

/// The terminal while the full screen is shown.
pub(super) struct FullScreen {
    pub(super) terminal: DefaultTerminal,
    _guard: Guard,
}

/// Restores the terminal, whatever happens.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

impl FullScreen {
    /// Sets up the terminal: alternate screen, raw mode, mouse.
    pub(super) fn enter() -> io::Result<FullScreen> {
        restore_on_panic();
        force_color_output(coloured());
        let guard = Guard;
        ACTIVE.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        let terminal = DefaultTerminal::new(CrosstermBackend::new(stdout()))?;
        Ok(FullScreen { terminal, _guard: guard })
    }
}

/// The size of the window, if input and output are a terminal that can be drawn on.
pub(super) fn window() -> Option<Size> {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if dumb || !stdin().is_terminal() || !stdout().is_terminal() {
        return None;
    }
    size().ok().map(Size::from)
}

/// Whether to use colours.
pub(super) fn coloured() -> bool {
    anstream::AutoStream::choice(&stdout()) != anstream::ColorChoice::Never
}

/// Whether the terminal is set up. Restoring it twice would move the cursor into later output.
static ACTIVE: AtomicBool = AtomicBool::new(false);

/// Restores the terminal, if it is set up.
pub(super) fn restore() {
    if !ACTIVE.swap(false, Ordering::SeqCst) {
        return;
    }
    // If the terminal is gone, there is nothing to restore.
    let _ = disable_raw_mode();
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
}

/// Makes a panic message readable: it would be lost on the alternate screen.
fn restore_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore();
            hook(panic);
        }));
    });
}
