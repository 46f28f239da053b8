//! The state of all runs, in a few terminal lines that are updated in place.

use std::io::IsTerminal;
use std::time::Duration;

use agon_core::printable;
use agon_wire::aisysproj::client::{Event, Totals};
use anstream::adapter::strip_str;
use indicatif::{ProgressBar, ProgressStyle};

use super::words;
use crate::output::{count, thousands};

/// The maximum number of runs that are shown by name.
const MOST_SHOWN: usize = 10;

/// The lines.
pub(super) struct View {
    bar: ProgressBar,
    title: String,
    playing: String,
    totals: Totals,
    /// The last event.
    last: String,
}

impl View {
    /// A view, if standard error is a terminal.
    pub(super) fn open(title: &str) -> Option<View> {
        let looked_at = std::io::stderr().is_terminal() && std::io::stdout().is_terminal();
        looked_at.then(|| {
            let bar = ProgressBar::new_spinner();
            let style = ProgressStyle::with_template("{msg}\n{spinner} {elapsed}, Ctrl-C stops");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.enable_steady_tick(Duration::from_millis(250));
            let (playing, last) = (String::new(), "asking the server".to_string());
            let view =
                View { bar, title: title.to_string(), playing, totals: Totals::default(), last };
            view.draw();
            view
        })
    }

    /// Shows what an event changes.
    pub(super) fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Connected { version } => {
                self.last = format!("the server speaks version {version}");
            }
            Event::Standing { totals, runs } => {
                self.totals = **totals;
                let shown: Vec<String> = runs
                    .iter()
                    .take(MOST_SHOWN)
                    .map(|(run, moves)| format!("{run} (move {moves})"))
                    .collect();
                self.playing = shown.join("  ");
            }
            Event::Finished(finished) => {
                self.totals = finished.totals;
                self.last = words::of_end(finished);
            }
            Event::Waiting { .. } | Event::Message { .. } => {
                self.last = words::trouble(event).unwrap_or_default();
            }
            // These should stay visible.
            Event::Refused { .. } | Event::Note { .. } => {
                if let Some(line) = words::trouble(event) {
                    self.bar.suspend(|| anstream::eprintln!("{line}"));
                }
            }
            _ => return,
        }
        self.draw();
    }

    fn draw(&self) {
        let Totals { finished, moves, requests, refused, errors, .. } = self.totals;
        let rating = words::rating(&self.totals).unwrap_or_else(|| "no outcome yet".to_string());
        let playing = printable(&self.playing);
        let message = format!(
            "{}\nplaying   {playing}\nfinished  {finished}; {rating}\nsent      {} in {}; {} \
             refused, {}\nlast      {}",
            self.title,
            count(moves, "move", "moves"),
            count(requests, "request", "requests"),
            thousands(refused),
            count(errors, "error", "errors"),
            self.last
        );
        // The bar ignores the colour setting.
        self.bar.set_message(strip_str(&message).to_string());
    }

    /// Removes the lines.
    pub(super) fn close(&self) {
        self.bar.finish_and_clear();
    }
}
