//! `agon play` on the full screen.
//!
//! [`app`] holds the state, [`keys`] handles input, [`view`] draws it. Moves are entered with
//! [`entry`]; [`plan`] lays out the cells. None of them depends on a particular game.

mod app;
mod board;
mod entry;
mod keys;
mod plan;
mod side;
mod terminal;
mod thinking;
mod view;
mod watching;

use std::time::Duration;

use agon_games::Table;
use ratatui::crossterm::event;
use ratatui::layout::Size;

use super::game::Game;
use super::lines::{resume_text, say};
use crate::draw::{self, palette, styled};
use crate::interrupt;
use app::App;
use terminal::FullScreen;

/// How often the screen is redrawn without input.
const TICK: Duration = Duration::from_millis(100);
/// How long quitting may take after SIGTERM.
const GRACE: Duration = Duration::from_secs(2);

/// Whether the full screen can be used.
pub(super) enum Room {
    /// It can.
    Enough,
    /// The window is smaller than this.
    TooSmall(Size),
    /// Not a terminal, or one that cannot be drawn on.
    NoTerminal,
}

/// Checks that there is a terminal and that the game's board fits.
pub(super) fn room(table: &dyn Table) -> Room {
    let Some(window) = terminal::window() else { return Room::NoTerminal };
    let least = view::smallest(&table.scene(), 0);
    if window.width < least.width || window.height < least.height {
        return Room::TooSmall(least);
    }
    Room::Enough
}

/// Plays until the person quits, then prints the result or how to resume.
pub(super) fn run(game: Game) -> anyhow::Result<()> {
    let mut app = App::new(game, terminal::coloured());
    let played = play(&mut app);
    if let Some(verdict) = app.game.session.verdict() {
        say(&draw::verdict_line(app.game.table(), verdict))?;
    }
    if let Some(command) = app.game.resume_command() {
        say(&resume_text(&command))?;
    }
    played
}

fn play(app: &mut App) -> anyhow::Result<()> {
    let mut screen = FullScreen::enter()?;
    let stop = interrupt::stop_flag();
    interrupt::before_termination(move || {
        // Lets the game quit normally, unless the terminal is blocked.
        stop.stop();
        std::thread::sleep(GRACE);
        terminal::restore();
    });
    while !app.left {
        screen.terminal.draw(|frame| view::draw(app, frame))?;
        let mut waiting = TICK;
        while event::poll(waiting)? {
            app.handle(&event::read()?)?;
            waiting = Duration::ZERO;
        }
        app.tick()?;
    }
    Ok(())
}

/// Why plain text is used although there is a terminal.
pub(super) fn too_small_text(least: Size) -> String {
    let Size { width, height } = least;
    let text = format!("The full screen needs a window of {width} by {height}; using plain text.");
    styled(palette::DIM, &text)
}

#[cfg(test)]
mod tests;
