//! The terminal: taken for the full screen, and always given back.

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

/// The terminal as long as the full screen has it.
pub(super) struct FullScreen {
    pub(super) terminal: DefaultTerminal,
    _guard: Guard,
}

/// Gives the terminal back, whatever happens.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
    }
}

impl FullScreen {
    /// Takes the terminal: another screen, every key at once, the mouse.
    pub(super) fn enter() -> io::Result<FullScreen> {
        give_back_on_panic();
        force_color_output(coloured());
        let guard = Guard;
        TAKEN.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        let terminal = DefaultTerminal::new(CrosstermBackend::new(stdout()))?;
        Ok(FullScreen { terminal, _guard: guard })
    }
}

/// The window, if a person sits at a terminal that can be drawn on.
pub(super) fn window() -> Option<Size> {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if dumb || !stdin().is_terminal() || !stdout().is_terminal() {
        return None;
    }
    size().ok().map(Size::from)
}

/// Whether colours are wanted.
pub(super) fn coloured() -> bool {
    anstream::AutoStream::choice(&stdout()) != anstream::ColorChoice::Never
}

/// Whether the terminal is taken. Leaving twice would move the cursor into what was printed since.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Gives the terminal back, if it is taken.
pub(super) fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Nothing better can be done about a terminal that is gone.
    let _ = disable_raw_mode();
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
}

/// A panic is to be read, not lost on a screen that goes away.
fn give_back_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            hook(panic);
        }));
    });
}
