//! Keyboard and mouse input.

use agon_core::scene::CellId;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Position;

use super::app::{App, Mode};
use super::entry::Intent;
use super::watching;

/// Every key and what it does, for the help page.
const HELP: [(&str, &str); 15] = [
    ("click, Enter", "select a piece, then its target; or place one"),
    ("drag", "the same in one go"),
    ("Space, right click", "a stop in a chain of jumps"),
    ("arrow keys", "move the cursor"),
    ("Tab", "go to the next cell that can be selected"),
    ("Esc, Backspace", "one step back"),
    ("u", "take back your last move and those after it"),
    ("h", "the move an agent would play"),
    ("e", "the game's evaluations of the position"),
    ("R", "resign"),
    ("s", "save the game to a file"),
    ("f", "turn the board"),
    ("?", "this page"),
    ("q, Ctrl-C", "quit, and show how to resume the game"),
    ("", "agon play --plain uses lines of text"),
];

impl App {
    /// Something was typed, clicked or resized.
    pub(super) fn handle(&mut self, event: &Event) -> anyhow::Result<()> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            _ => Ok(()),
        }
    }

    fn key(&mut self, key: &KeyEvent) -> anyhow::Result<()> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            if matches!(key.code, KeyCode::Char('c' | 'd')) {
                self.leave();
            }
            return Ok(());
        }
        match &self.mode {
            Mode::Board if self.watch.is_some() => {
                self.watch_key(key.code);
                Ok(())
            }
            Mode::Board => self.board_key(key.code),
            Mode::Choose { .. } => self.list_key(key.code),
            Mode::Ask { .. } => self.name_key(key.code),
            Mode::Page { .. } => {
                self.page_key(key.code);
                Ok(())
            }
        }
    }

    fn board_key(&mut self, code: KeyCode) -> anyhow::Result<()> {
        match code {
            KeyCode::Left => self.beside(false),
            KeyCode::Right => self.beside(true),
            KeyCode::Up => self.across(false),
            KeyCode::Down => self.across(true),
            KeyCode::Tab => self.next_touchable(),
            KeyCode::Enter => return self.touch(self.cursor, Intent::Arrive),
            KeyCode::Char(' ') => return self.touch(self.cursor, Intent::PassThrough),
            KeyCode::Esc | KeyCode::Backspace => {
                self.entry.step_back();
                self.say(String::new());
            }
            KeyCode::Char('u') => self.undo(),
            KeyCode::Char('h') => return self.ask_for_hint(),
            KeyCode::Char('e') => self.show_judgements(),
            KeyCode::Char('R') => self.resign(),
            KeyCode::Char('s') => self.ask_where_to_save(),
            KeyCode::Char('f') => self.turn_board(),
            KeyCode::Char('?') | KeyCode::F(1) => self.show_help(),
            KeyCode::Char('q') => self.leave(),
            _ => {}
        }
        Ok(())
    }

    fn list_key(&mut self, code: KeyCode) -> anyhow::Result<()> {
        let Mode::Choose { moves, chosen } = &mut self.mode else { return Ok(()) };
        match code {
            KeyCode::Up => *chosen = chosen.saturating_sub(1),
            KeyCode::Down | KeyCode::Tab => *chosen = (*chosen + 1).min(moves.len() - 1),
            KeyCode::Enter | KeyCode::Char(' ') => {
                let chosen = *chosen;
                return self.choose(chosen);
            }
            KeyCode::Char(digit @ '1'..='9') => {
                return self.choose(digit as usize - '1' as usize);
            }
            KeyCode::Esc | KeyCode::Backspace | KeyCode::Char('q') => self.mode = Mode::Board,
            _ => {}
        }
        Ok(())
    }

    fn name_key(&mut self, code: KeyCode) -> anyhow::Result<()> {
        let Mode::Ask { name } = &mut self.mode else { return Ok(()) };
        match code {
            KeyCode::Char(c) => name.push(c),
            KeyCode::Backspace => {
                name.pop();
            }
            KeyCode::Esc => self.mode = Mode::Board,
            KeyCode::Enter if name.trim().is_empty() => {}
            KeyCode::Enter => {
                let name = name.trim().to_string();
                self.mode = Mode::Board;
                self.save(&name);
            }
            _ => {}
        }
        Ok(())
    }

    /// Scrolls a page that is longer than the window; every other key closes it.
    fn page_key(&mut self, code: KeyCode) {
        let scrolls = self.drawn.scrolls;
        match (&mut self.mode, code) {
            (Mode::Page { top, .. }, KeyCode::Down | KeyCode::PageDown) if scrolls => *top += 1,
            (Mode::Page { top, .. }, KeyCode::Up | KeyCode::PageUp) if scrolls => {
                *top = top.saturating_sub(1);
            }
            _ => self.mode = Mode::Board,
        }
    }

    fn mouse(&mut self, mouse: &MouseEvent) -> anyhow::Result<()> {
        let place = Position::new(mouse.column, mouse.row);
        if let Mode::Board = self.mode {
            // Agents play; there is nothing to select.
            if self.watch.is_some() {
                return Ok(());
            }
            let Some(cell) = self.cell_at(place) else { return Ok(()) };
            return match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => {
                    self.pressed = Some(cell);
                    self.touch(cell, Intent::Arrive)
                }
                MouseEventKind::Down(MouseButton::Right) => self.touch(cell, Intent::PassThrough),
                // Dragged from the piece that was just selected.
                MouseEventKind::Up(MouseButton::Left)
                    if self.pressed.is_some_and(|from| from != cell)
                        && self.entry.stops().last() == self.pressed.as_ref() =>
                {
                    self.touch(cell, Intent::Arrive)
                }
                _ => Ok(()),
            };
        }
        if mouse.kind == MouseEventKind::Down(MouseButton::Left) {
            match self.mode {
                Mode::Choose { .. } if self.drawn.list.contains(place) => {
                    let row = usize::from(place.y - self.drawn.list.y);
                    return self.choose(row + self.drawn.list_top);
                }
                // A click does not discard a name that is being typed.
                Mode::Ask { .. } => {}
                _ => self.mode = Mode::Board,
            }
        }
        Ok(())
    }

    fn cell_at(&self, place: Position) -> Option<CellId> {
        let (corner, plan) = self.drawn.board.as_ref()?;
        let x = place.x.checked_sub(corner.x)?;
        plan.cell_at(Position::new(x, place.y.checked_sub(corner.y)?))
    }

    fn beside(&mut self, right: bool) {
        let Some((_, plan)) = &self.drawn.board else { return };
        if let Some(cell) = plan.beside(self.cursor, right) {
            self.cursor = cell;
            self.column = Some(plan.column(cell));
        }
    }

    fn across(&mut self, down: bool) {
        let Some((_, plan)) = &self.drawn.board else { return };
        let column = self.column.unwrap_or_else(|| plan.column(self.cursor));
        if let Some(cell) = plan.across(self.cursor, down, column) {
            self.cursor = cell;
            self.column = Some(column);
        }
    }

    fn next_touchable(&mut self) {
        let mut cells = self.entry.next_stops();
        cells.extend(self.entry.ends());
        let later = cells.iter().find(|cell| **cell > self.cursor);
        if let Some(&cell) = later.or(cells.first()) {
            self.cursor = cell;
            self.column = None;
        }
    }

    pub(super) fn show_help(&mut self) {
        let turns = self.entry.scene().shape.full_circle() > 1;
        let all = if self.watch.is_some() { &watching::HELP[..] } else { &HELP };
        let useful = all.iter().filter(|(key, _)| *key != "f" || turns);
        let lines = useful.map(|(keys, meaning)| format!("{keys:<19} {meaning}"));
        self.mode = Mode::Page { title: "Keys", lines: lines.collect(), top: 0 };
    }
}
