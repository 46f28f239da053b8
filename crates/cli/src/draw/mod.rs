//! Boards in the terminal, drawn from scenes.

mod hexagons;
pub(crate) mod palette;
pub(crate) mod squares;

use agon_arena::Verdict;
use agon_arena::session::TableSession;
use agon_core::scene::{CellShape, RegionKind};
use agon_core::{Ended, Scene, Seat, printable_lines};
use agon_games::Table;
use anstyle::Style;

use palette::{BOLD, DIM};

/// The current position with its coordinates, a legend, and who is to move or how it ended.
/// Styled; print it through `anstream`, which strips the colours if the output has none.
pub(crate) fn table(table: &dyn Table) -> String {
    format!("{}{}\n", board(table), status_line(table))
}

/// A game that is being played, the same way.
pub(crate) fn session(session: &TableSession) -> String {
    format!("{}{}\n", board(session.table()), state_line(session.table(), session.state()))
}

fn board(table: &dyn Table) -> String {
    let scene = table.scene();
    let colours = palette::Colours::of(table);
    let board = match scene.shape {
        CellShape::Square | CellShape::Hole => squares::draw(&scene, &colours),
        CellShape::Hexagon => hexagons::draw(&scene, &colours),
    };
    format!("{board}\n{}", legend(table, &scene, &colours))
}

/// "red to move", or the result and its reason.
pub(crate) fn status_line(table: &dyn Table) -> String {
    let verdict = |ended: Ended| {
        Verdict::by_rules(ended.outcome, table.reason_text(&ended.outcome), ended.by.into())
    };
    state_line(table, table.turn().map_err(verdict).as_ref().copied())
}

fn state_line(table: &dyn Table, state: Result<Seat, &Verdict>) -> String {
    match state {
        Ok(seat) => format!("{} to move", styled(BOLD, table.seat_label(seat))),
        Err(verdict) => verdict_line(table, verdict),
    }
}

/// The result and its reason.
pub(crate) fn verdict_line(table: &dyn Table, verdict: &Verdict) -> String {
    let (result, why) = result(table, verdict);
    format!("{}: {why}", styled(BOLD, &result))
}

/// "red wins", and the reason with all points.
pub(crate) fn result(table: &dyn Table, verdict: &Verdict) -> (String, String) {
    let outcome = verdict.outcome;
    let result = match outcome.winner() {
        Some(seat) => format!("{} wins", table.seat_label(seat)),
        None => "draw".to_string(),
    };
    let points = Seat::all(table.seats())
        .map(|seat| format!("{} {}", table.seat_label(seat), outcome.points()[seat]));
    let points = points.collect::<Vec<_>>().join(", ");
    let why = verdict.in_words(&|seat| table.seat_label(seat).to_string());
    (result, format!("{why} ({points})"))
}

/// Text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    format!("{style}{}{style:#}", printable_lines(text))
}

/// " (21 left)" for pieces that can run out beside the board.
pub(crate) fn left(scene: &Scene, seat: Seat, letter: char) -> String {
    let supply = scene.supplies.iter().find(|it| it.owner == seat && it.letter == letter);
    supply.and_then(|it| it.left).map_or(String::new(), |count| format!(" ({count} left)"))
}

/// What the letters and marks mean: a line for each side and one for the regions.
fn legend(table: &dyn Table, scene: &Scene, colours: &palette::Colours) -> String {
    let mut lines = String::new();
    for seat in Seat::all(table.seats()) {
        let mut kinds: Vec<(char, &str)> = Vec::new();
        let pieces = scene.pieces.iter().map(|piece| (piece.owner, piece.letter, &*piece.name));
        let beside = scene.supplies.iter().map(|it| (it.owner, it.letter, &*it.name));
        for (_, letter, name) in pieces.chain(beside).filter(|(owner, ..)| *owner == seat) {
            if !kinds.iter().any(|(known, _)| *known == letter) {
                kinds.push((letter, name));
            }
        }
        kinds.sort();
        let kinds: Vec<String> = kinds
            .iter()
            .map(|(letter, name)| {
                let man = styled(colours.man(seat), &letter.to_string());
                format!("{man} {name}{}", left(scene, seat, *letter))
            })
            .collect();
        lines += &format!("  {}  {}\n", styled(BOLD, table.seat_label(seat)), kinds.join("  "));
    }
    let mut marks: Vec<String> = Vec::new();
    // On square boards the goal rows need no colour of their own; the homes of a star do.
    let drawn = |kind: RegionKind| kind != RegionKind::Goal || scene.shape == CellShape::Hexagon;
    for region in scene.regions.iter().filter(|region| drawn(region.kind)) {
        if let Some(mark) = palette::mark(region.kind, region.owner) {
            marks.push(format!("{mark} {}", region.label));
        }
    }
    if !marks.is_empty() {
        lines += &format!("  {}\n", styled(DIM, &marks.join("  ")));
    }
    lines
}
