//! How it stands, in a few lines of a terminal that change.

use std::io::IsTerminal;
use std::time::Duration;

use agon_core::printable;
use agon_wire::aisysproj::client::{Event, Totals};
use anstream::adapter::strip_str;
use indicatif::{ProgressBar, ProgressStyle};

use super::words;
use crate::output::{count, thousands};

/// How many runs are shown by name.
const MOST_SHOWN: usize = 10;

/// A few lines.
pub(super) struct View {
    bar: ProgressBar,
    title: String,
    playing: String,
    totals: Totals,
    /// What happened last.
    last: String,
}

impl View {
    /// A view, where somebody looks at a terminal.
    pub(super) fn open(title: &str) -> Option<View> {
        let looked_at = std::io::stderr().is_terminal() && std::io::stdout().is_terminal();
        looked_at.then(|| {
            let bar = ProgressBar::new_spinner();
            let style = ProgressStyle::with_template("{msg}\n{spinner} {elapsed}, Ctrl-C ends it");
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
            // These are worth being seen later, too.
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
        // The bar does not know whether colour is wanted.
        self.bar.set_message(strip_str(&message).to_string());
    }

    /// Takes it away.
    pub(super) fn close(&self) {
        self.bar.finish_and_clear();
    }
}
