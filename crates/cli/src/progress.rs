//! The bar of a match or a tournament.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Often enough to look alive, too seldom to cost anything.
const INTERVAL: Duration = Duration::from_millis(100);

/// A bar, where somebody looks at a terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    shown: Instant,
}

impl Progress {
    /// Nothing is shown before it begins.
    pub(crate) fn new() -> Progress {
        Progress { bar: None, shown: Instant::now() }
    }

    /// Shows that so many games are to be played, of which some have been.
    pub(crate) fn begin(&mut self, games: u64, done: u64) {
        self.bar = std::io::stderr().is_terminal().then(|| {
            let template = "{msg}  {wide_bar} {human_pos}/{human_len} {eta}";
            let style = ProgressStyle::with_template(template);
            let bar = ProgressBar::new(games).with_position(done);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            // Games of before are no measure of how long the others take.
            bar.reset_eta();
            // Shown at once and kept going, however long the first game takes.
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
    }

    /// Shows how far it is, if the last time was long enough ago.
    pub(crate) fn show(&mut self, games: u64, message: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar
            && self.shown.elapsed() >= INTERVAL
        {
            self.shown = Instant::now();
            bar.set_position(games);
            bar.set_message(message());
        }
    }

    /// Prints a line above the bar.
    pub(crate) fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| anstream::eprintln!("{line}")),
            None => anstream::eprintln!("{line}"),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
