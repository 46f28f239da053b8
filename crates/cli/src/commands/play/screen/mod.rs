//! `agon play` on the full screen.
//!
//! [`app`] is the game as it is shown, [`keys`] what a person does to it, [`view`] draws it. A move
//! is entered by [`entry`]; [`plan`] says where the cells are. None of them knows a game.

mod app;
mod board;
mod entry;
mod keys;
mod plan;
mod side;
mod terminal;
mod thinking;
mod view;

use std::time::Duration;

use agon_games::Table;
use ratatui::crossterm::event;
use ratatui::layout::Size;

use super::game::Game;
use super::lines::{say, resume_text};
use crate::draw::{self, palette, styled};
use crate::interrupt;
use app::App;
use terminal::FullScreen;

/// How often the screen is drawn if nothing happens.
const TICK: Duration = Duration::from_millis(100);
/// How long leaving may take when the program is asked to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// Whether the full screen can be used.
pub(super) enum Room {
    /// It can.
    Enough,
    /// The window is smaller than this.
    TooSmall(Size),
    /// Nobody sits at a terminal, or it cannot be drawn on.
    NoTerminal,
}

/// Looks whether there is a terminal and whether a game's board fits.
pub(super) fn room(table: &dyn Table) -> Room {
    let Some(window) = terminal::window() else { return Room::NoTerminal };
    let least = view::smallest(&table.scene(), 0);
    if window.width < least.width || window.height < least.height {
        return Room::TooSmall(least);
    }
    Room::Enough
}

/// Plays until the person leaves, then says how it stands and how to go on.
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
        // The game is left in order, unless the terminal takes no more output.
        stop.stop();
        std::thread::sleep(FAREWELL);
        terminal::give_back();
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

/// Why text was chosen although there is a terminal.
pub(super) fn too_small_text(least: Size) -> String {
    let Size { width, height } = least;
    let text = format!("The full screen needs a window of {width} by {height}; here is text.");
    styled(palette::DIM, &text)
}

#[cfg(test)]
mod tests;
