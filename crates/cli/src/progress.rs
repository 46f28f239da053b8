//! The progress bar of a match or a tournament.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often the bar is updated: often enough to look alive, rarely enough to cost nothing.
const INTERVAL: Duration = Duration::from_millis(100);

/// A progress bar, if standard error is a terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    voice: Voice,
    shown: Instant,
}

/// Prints lines above a bar, from any thread.
#[derive(Clone, Default)]
pub(crate) struct Voice(Arc<Mutex<Option<ProgressBar>>>);

impl Voice {
    /// Prints a line above the bar, if it is shown.
    pub(crate) fn say(&self, line: &str) {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(bar) => bar.suspend(|| anstream::eprintln!("{line}")),
            None => anstream::eprintln!("{line}"),
        }
    }

    fn set(&self, bar: Option<ProgressBar>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = bar;
    }
}

impl Progress {
    /// A bar that is not shown yet.
    pub(crate) fn new() -> Progress {
        Progress { bar: None, voice: Voice::default(), shown: Instant::now() }
    }

    /// Shows the bar, for this many games of which some are done.
    pub(crate) fn begin(&mut self, games: u64, done: u64) {
        self.begin_as("{msg}  {wide_bar} {human_pos}/{human_len} {eta}", games, done);
    }

    /// The same where the messages say how long it takes: not all pieces of work are alike.
    pub(crate) fn begin_with_estimate(&mut self, pieces: u64, done: u64) {
        self.begin_as("{msg}  {wide_bar} {human_pos}/{human_len}", pieces, done);
    }

    fn begin_as(&mut self, template: &str, games: u64, done: u64) {
        self.bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template(template);
            let bar = ProgressBar::new(games).with_position(done);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            // Games of an earlier run say nothing about the speed of this one.
            bar.reset_eta();
            // Shown at once and kept moving, however long the first game takes.
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
        self.voice.set(self.bar.clone());
    }

    /// For those who have something to say in other threads.
    pub(crate) fn voice(&self) -> Voice {
        self.voice.clone()
    }

    /// Updates the bar, unless that was done a moment ago.
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
        self.voice.say(line);
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            self.voice.set(None);
        }
    }
}
