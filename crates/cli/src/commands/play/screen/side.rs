//! The side panel: players, moves, messages and legend.

use agon_core::Seat;
use agon_core::scene::Region;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use super::app::{App, Message};
use super::thinking::{Purpose, Thinking};
use super::watching::Watch;
use crate::draw;
use crate::draw::palette::mark;

/// The minimum width.
pub(super) const NARROWEST: u16 = 27;
/// The maximum width.
pub(super) const WIDEST: u16 = 46;
/// The minimum number of lines of moves worth showing.
const FEWEST_MOVES: usize = 3;

const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const DIM: Style = Style::new().add_modifier(Modifier::DIM);
const ALARM: Style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);

/// Draws it from the top down; the moves get the space that the rest leaves.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let width = usize::from(area.width);
    let (mut above, mut legend) = (head(app, width), legend(app, width));
    let height = usize::from(area.height);
    above.push(Line::default());
    if above.len() + FEWEST_MOVES + 1 + legend.len() > height {
        legend.clear();
    }
    let room = height.saturating_sub(above.len() + 1 + legend.len());
    let moves = moves(app, width, room);
    let blank = Line::default();
    let lines = above.iter().chain(&moves).chain([&blank]).chain(&legend);
    for (line, row) in lines.zip(area.rows()) {
        buffer.set_line(row.x, row.y, line, row.width);
    }
}

/// The variant, the seats, the state of the game, and the last message.
fn head(app: &App, width: usize) -> Vec<Line<'static>> {
    let table = app.game.table();
    let mut lines = vec![Line::styled(table.variant().to_string(), BOLD.fg(Color::Cyan))];
    let mover = match app.watch.as_ref().and_then(Watch::looking) {
        Some(earlier) => earlier.status().to_move(),
        None => app.game.session.to_move(),
    };
    for (seat, player) in Seat::all(table.seats()).zip(&app.game.players) {
        let to_move = mover == Some(seat);
        let pointer = if to_move { "▶ " } else { "  " };
        let name = Span::styled(format!(" {} ", table.seat_label(seat)), man(app, seat));
        lines.push(Line::from(vec![
            Span::styled(pointer, BOLD),
            name,
            Span::raw(format!(" {}", player.describe())),
        ]));
        lines.extend(supply(app, seat));
        lines.extend(said(app, seat, width));
    }
    lines.push(Line::default());
    lines.extend(standing(app, width));
    let (text, style) = match &app.message {
        Message::Said(text) => (text, Style::new()),
        Message::Complaint(text) => (text, ALARM),
    };
    lines.extend(wrapped(text, width).into_iter().map(|line| Line::styled(line, style)));
    lines
}

/// What an agent said with its last move, while agents play by themselves. There is a line for it
/// from the start, so that nothing moves when it speaks.
fn said(app: &App, seat: Seat, width: usize) -> Option<Line<'static>> {
    let watch = app.watch.as_ref()?;
    let note = watch.note(seat, app.shown_table().played().len());
    let words = note.map_or(String::new(), |note| note.words().join("  "));
    Some(Line::styled(shortened(&format!("   {words}"), width), DIM))
}

/// What a player has beside the board, in one line; none if nothing is counted there.
fn supply(app: &App, seat: Seat) -> Option<Line<'static>> {
    let supplies = app.entry.scene().supplies.iter().filter(|it| it.owner == seat);
    let counted: Vec<(char, u32)> = supplies.filter_map(|it| Some((it.letter, it.left?))).collect();
    let texts: Vec<String> = match counted[..] {
        [] => return None,
        [(_, left)] => vec![format!("{left} left")],
        _ => counted.iter().map(|(letter, left)| format!("{letter} {left}")).collect(),
    };
    Some(Line::styled(format!("{:6}{}", "", texts.join("  ")), DIM))
}

/// Whose turn it is, who is thinking, or the result.
fn standing(app: &App, width: usize) -> Vec<Line<'static>> {
    let table = app.game.table();
    if let Some(earlier) = app.watch.as_ref().and_then(Watch::looking) {
        let (ply, of) = (earlier.played().len(), table.played().len());
        return vec![Line::styled(format!("Looking back: move {ply} of {of}"), BOLD)];
    }
    if let Some(verdict) = app.game.session.verdict() {
        let (result, why) = draw::result(table, verdict);
        let mut lines = vec![Line::styled(result, BOLD.fg(Color::Green))];
        lines.extend(wrapped(&why, width).into_iter().map(Line::raw));
        return lines;
    }
    let name = app.game.to_move().unwrap_or_default();
    let text = match &app.thinking {
        Some(thinking) => {
            let who = match thinking.purpose {
                Purpose::Move => format!("{name} thinks"),
                Purpose::Hint => "looking for a hint".to_string(),
            };
            let seconds = thinking.elapsed().as_secs_f32();
            format!("{} {who} {seconds:.1} s", spinner(thinking))
        }
        None if app.watch.is_some() => format!("{name} to move"),
        None => format!("Your turn, {name}."),
    };
    if let Some(watch) = &app.watch {
        let text = if watch.is_paused() { format!("Paused, {name} to move") } else { text };
        let pace = Line::styled(watch.pace_words(), DIM);
        return vec![Line::styled(text, BOLD), pace];
    }
    let mut lines = vec![Line::styled(text, BOLD)];
    if let (None, Some(guide)) = (&app.thinking, app.game.guide()) {
        let guide = wrapped(&guide, width).into_iter();
        lines.extend(guide.map(|line| Line::styled(line, Style::new().fg(Color::Cyan))));
    }
    lines
}

fn spinner(thinking: &Thinking) -> char {
    const WHEEL: [char; 8] = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇', '⠏', '⠹'];
    WHEEL[(thinking.elapsed().as_millis() / 100) as usize % WHEEL.len()]
}

/// The last moves that fit, one round of all players per line if there is room.
fn moves(app: &App, width: usize, room: usize) -> Vec<Line<'static>> {
    let played = app.game.table().played();
    let longest = played.iter().map(|mv| mv.chars().count()).max().unwrap_or(0);
    let seats = app.game.table().seats();
    let in_rounds = 5 + seats * (longest + 1) <= width;
    let per_line = if in_rounds { seats } else { 1 };
    let rounds: Vec<&[String]> = played.chunks(per_line).collect();
    // The move that led to the position on the screen.
    let newest = app.shown_table().played().len().checked_sub(1);
    let skipped = newest.map_or(0, |ply| ply / per_line + 1).saturating_sub(room);
    let line = |(number, round): (usize, &&[String])| {
        let mut spans = vec![Span::styled(format!("{:>3}. ", number + 1), DIM)];
        for (place, mv) in round.iter().enumerate() {
            let newest = newest == Some(number * per_line + place);
            let text = format!("{:<longest$} ", shortened(mv, width.saturating_sub(6)));
            spans.push(Span::styled(text, if newest { BOLD } else { Style::new() }));
        }
        Line::from(spans)
    };
    rounds.iter().enumerate().skip(skipped).take(room).map(line).collect()
}

/// What the letters and the background colours mean.
fn legend(app: &App, width: usize) -> Vec<Line<'static>> {
    let scene = app.entry.scene();
    let mut kinds: Vec<(&str, Vec<(char, Seat)>)> = Vec::new();
    let pieces = scene.pieces.iter().map(|piece| (&*piece.name, (piece.letter, piece.owner)));
    let beside = scene.supplies.iter().map(|it| (&*it.name, (it.letter, it.owner)));
    for (name, letter) in pieces.chain(beside) {
        match kinds.iter_mut().find(|(known, _)| *known == name) {
            Some((_, letters)) if letters.contains(&letter) => {}
            Some((_, letters)) => letters.push(letter),
            None => kinds.push((name, vec![letter])),
        }
    }
    kinds.sort_unstable();
    let kind = |(name, mut letters): (&str, Vec<(char, Seat)>)| {
        letters.sort_unstable_by_key(|(_, seat)| seat.index());
        let letters = letters.into_iter();
        let mut spans: Vec<Span<'static>> = letters
            .map(|(letter, seat)| Span::styled(letter.to_string(), man(app, seat)))
            .collect();
        spans.push(Span::raw(format!(" {name}")));
        spans
    };
    let region = |region: &Region| {
        let swatch = if app.coloured {
            let ground = app.colours.ground(Some((region.kind, region.owner)), false);
            Span::styled("  ", Style::new().bg(Color::Indexed(ground)))
        } else {
            Span::raw(mark(region.kind, region.owner).unwrap_or(' ').to_string())
        };
        vec![swatch, Span::raw(format!(" {}", region.label))]
    };
    let entries = kinds.into_iter().map(kind).chain(scene.regions.iter().map(region));
    flowing(entries, width)
}

/// Entries one after another, as many per line as fit.
fn flowing(entries: impl Iterator<Item = Vec<Span<'static>>>, width: usize) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    for entry in entries {
        let wide: usize = entry.iter().map(Span::width).sum();
        match lines.last_mut().filter(|line| line.width() + 2 + wide <= width) {
            Some(line) => {
                line.push_span("  ");
                line.extend(entry);
            }
            None => lines.push(Line::from(entry)),
        }
    }
    lines
}

fn man(app: &App, seat: Seat) -> Style {
    let (man, ink) = app.colours.man_and_ink(seat);
    BOLD.fg(Color::Indexed(ink)).bg(Color::Indexed(man))
}

fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// A text in lines no longer than this, broken between words if possible.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for letter in word.chars() {
            if line.chars().count() == width.max(1) {
                lines.push(std::mem::take(&mut line));
            }
            line.push(letter);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}
