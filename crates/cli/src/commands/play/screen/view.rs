//! The whole screen: board, side panel, keys, and popups.

use ratatui::Frame;
use ratatui::layout::{Constraint, Position, Rect, Size};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Padding, Paragraph};

use agon_core::Scene;

use super::app::{App, Drawn, Mode};
use super::board::Board;
use super::plan::Plan;
use super::side::{self, NARROWEST, WIDEST};

/// The keys in one line; shorter forms for narrower windows.
const KEYS: [&str; 3] = [
    "arrows and Enter or the mouse  Esc back  u undo  h hint  e eval  s save  f turn  ? help  q quit",
    "u undo  h hint  e eval  s save  f turn  ? help  q quit",
    "? help  q quit",
];

/// The same while agents play by themselves.
const WATCH_KEYS: [&str; 3] = [
    "Space pause  left and right look back and step  + - speed  e eval  s save  f turn  ? help  q quit",
    "Space pause  arrows step  + - speed  f turn  ? help  q quit",
    "? help  q quit",
];

/// Columns between the board and the side panel.
const GAP: u16 = 2;
/// The minimum height of the side panel.
const LOWEST: u16 = 11;
/// Lines for the keys and the space above them.
const BELOW: u16 = 2;

/// The smallest window for a board.
pub(super) fn smallest(scene: &Scene, turns: usize) -> Size {
    let Size { width, height } = Plan::smallest(scene, turns).size;
    Size::new(width + GAP + NARROWEST, height.max(LOWEST) + BELOW)
}

/// Draws everything, and records the positions for the mouse.
pub(super) fn draw(app: &mut App, frame: &mut Frame<'_>) {
    app.drawn = Drawn::default();
    let window = frame.area();
    let least = smallest(app.entry.scene(), app.turns);
    if window.width < least.width || window.height < least.height {
        return too_small(frame, least);
    }
    let room = Size::new(window.width - GAP - NARROWEST, window.height - BELOW);
    let Some(plan) = Plan::largest(app.entry.scene(), app.turns, room) else { return };
    // One column is left free on both sides if possible.
    let spare = window.width - plan.size.width - GAP;
    let beside = (spare.saturating_sub(2)).clamp(NARROWEST, WIDEST);
    let left = (spare - beside) / 2;
    let top = (window.height - BELOW - plan.size.height) / 2;
    let board = Rect::from((Position::new(left, top), plan.size));
    // The side panel starts at the top of the board, and uses the whole height if it needs to.
    let side_top = if room.height < 2 * LOWEST { 0 } else { top };
    let side = Rect::new(board.right() + GAP, side_top, beside, window.height - BELOW - side_top);
    let lights = app.lights();
    let picture = Board {
        scene: app.entry.scene(),
        plan: &plan,
        colours: &app.colours,
        lights: &lights,
        cursor: app.watch.is_none().then_some(app.cursor),
        coloured: app.coloured,
    };
    frame.render_widget(picture, board);
    side::draw(app, side, frame.buffer_mut());
    let keys = if app.watch.is_some() { WATCH_KEYS } else { KEYS };
    draw_keys(frame, keys, app.entry.scene().shape.full_circle() > 1);
    app.drawn.board = Some((board.as_position(), plan));
    on_top(app, side, frame);
}

fn too_small(frame: &mut Frame<'_>, least: Size) {
    let (Size { width, height }, now) = (least, frame.area());
    let text = format!(
        "The window is too small: it must be {width} wide and {height} high, and is {} by {}.",
        now.width, now.height
    );
    let lines = side::wrapped(&text, usize::from(now.width)).into_iter().map(Line::raw);
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), now);
}

fn draw_keys(frame: &mut Frame<'_>, keys: [&str; 3], turns: bool) {
    let window = frame.area();
    let line = Rect { y: window.bottom() - 1, height: 1, ..window };
    let fits = |keys: &&str| keys.len() <= usize::from(window.width);
    let keys = keys.into_iter().find(fits).unwrap_or_default();
    let keys = if turns { keys.to_string() } else { keys.replace("f turn  ", "") };
    let style = Style::new().add_modifier(Modifier::DIM);
    frame.render_widget(Line::styled(keys, style).centered(), line);
}

/// The popup: a list of moves beside the board, the prompt for a file name, or a page.
fn on_top(app: &mut App, side: Rect, frame: &mut Frame<'_>) {
    let window = frame.area();
    match &mut app.mode {
        Mode::Board => {}
        Mode::Choose { moves, chosen } => {
            let line = |(place, &number): (usize, &usize)| {
                let text = app.entry.candidate(number).map_or("", |it| &it.text);
                let lit = if place == *chosen { Modifier::REVERSED } else { Modifier::empty() };
                let style = Style::new().add_modifier(lit);
                Line::styled(format!(" {} {text} ", place + 1), style)
            };
            let lines: Vec<Line<'_>> = moves.iter().enumerate().map(line).collect();
            let top = (*chosen + 1).saturating_sub(visible(side));
            app.drawn.list = popup(frame, side, ["Which move?", "Enter plays it"], lines, top);
            app.drawn.list_top = top;
        }
        Mode::Ask { name } => {
            // The end of a long name stays visible.
            let hidden = name.chars().count().saturating_sub(usize::from(window.width) - 8);
            let shown: String = name.chars().skip(hidden).chain(['█']).collect();
            let titles = ["Save the game to", "Enter saves, Esc goes back"];
            popup(frame, window, titles, vec![Line::raw(shown)], 0);
        }
        Mode::Page { title, lines, top } => {
            let width = usize::from(window.width).saturating_sub(4).max(1);
            let narrow = lines.iter().flat_map(|line| folded(line, width));
            let lines: Vec<Line<'_>> = narrow.map(Line::raw).collect();
            let hidden = lines.len().saturating_sub(visible(window));
            *top = (*top).min(hidden);
            app.drawn.scrolls = hidden > 0;
            let keys =
                if hidden > 0 { "arrows scroll, Esc goes back" } else { "any key goes back" };
            popup(frame, window, [title, keys], lines, *top);
        }
    }
}

/// How many lines a frame in this area can show.
fn visible(within: Rect) -> usize {
    usize::from(within.height).saturating_sub(2)
}

/// A line, wrapped if it does not fit.
fn folded(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.to_string()];
    }
    side::wrapped(line, width)
}

/// Draws lines from `top` on in a frame in the middle of an area, with a title above and the keys
/// below. Returns the area of the lines.
fn popup(
    frame: &mut Frame<'_>,
    within: Rect,
    [title, keys]: [&str; 2],
    lines: Vec<Line<'_>>,
    top: usize,
) -> Rect {
    let titles = title.len().max(keys.len()) + 2;
    let width = lines.iter().map(Line::width).max().unwrap_or(0).max(titles) as u16 + 4;
    let height = lines.len() as u16 + 2;
    let area = within.centered(
        Constraint::Length(width.min(within.width)),
        Constraint::Length(height.min(within.height)),
    );
    let block = Block::bordered()
        .title(Line::styled(format!(" {title} "), Style::new().add_modifier(Modifier::BOLD)))
        .title_bottom(Line::styled(format!(" {keys} "), Style::new().add_modifier(Modifier::DIM)))
        .padding(Padding::horizontal(1));
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines).block(block).scroll((top as u16, 0)), area);
    inner
}
