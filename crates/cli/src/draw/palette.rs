//! Colours and marks.

use agon_core::scene::RegionKind;
use agon_core::{MAX_SEATS, Seat};
use agon_games::Table;
use anstyle::{Ansi256Color, AnsiColor, Color, Effects, Style};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().effects(Effects::DIMMED);
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().effects(Effects::BOLD);
pub(crate) const HEADING: Style = AnsiColor::Cyan.on_default().effects(Effects::BOLD);

const WHITE: u8 = 231;
const BLACK: u8 = 16;
const RED: u8 = 124;
const GREEN: u8 = 22;
const BLUE: u8 = 19;
const PURPLE: u8 = 90;
const YELLOW: u8 = 220;
/// Marks on empty cells, darker than any background but that of pits.
const FAINT: u8 = 95;

const fn colour(index: u8) -> Color {
    Color::Ansi256(Ansi256Color(index))
}

fn ink_on(ink: u8, ground: u8) -> Style {
    Style::new().fg_color(Some(colour(ink))).bg_color(Some(colour(ground)))
}

/// The colours of the players' pieces: those the players are named after, where they are.
pub(crate) struct Colours {
    men: [u8; MAX_SEATS],
}

impl Colours {
    pub(crate) fn of(table: &dyn Table) -> Colours {
        let mut men = [RED, GREEN, BLUE, PURPLE];
        for seat in Seat::all(table.seats()) {
            match table.seat_name(seat) {
                "white" => men[seat.index()] = WHITE,
                "black" => men[seat.index()] = BLACK,
                "agent" => men[seat.index()] = BLUE,
                "x" => men[seat.index()] = RED,
                "o" => men[seat.index()] = YELLOW,
                _ => {}
            }
        }
        Colours { men }
    }

    /// The colour of a seat's pieces and of the letters on them, by number.
    pub(crate) fn man_and_ink(&self, seat: Seat) -> (u8, u8) {
        let man = self.men[seat.index()];
        (man, if matches!(man, WHITE | YELLOW) { BLACK } else { WHITE })
    }

    /// A piece of this seat: a letter on a tile, readable on any background.
    pub(crate) fn man(&self, seat: Seat) -> Style {
        let (man, ink) = self.man_and_ink(seat);
        ink_on(ink, man).bold()
    }

    /// An empty cell, or the visible part of one around a piece. Goals have their owner's colour.
    pub(crate) fn cell(&self, region: Option<(RegionKind, Option<Seat>)>, dark: bool) -> Style {
        let ink = match region {
            Some((RegionKind::Goal, Some(seat))) => self.men[seat.index()],
            Some((RegionKind::Pit | RegionKind::Blocked | RegionKind::River, _)) => 252,
            _ => FAINT,
        };
        ink_on(ink, ground(region.map(|(kind, _)| kind), dark))
    }

    /// A cell of an upright plate, where it is not covered by a piece.
    pub(crate) fn plate() -> Style {
        ink_on(PLATE.1, PLATE.0)
    }

    /// The background of a cell by number; goals are tinted with their owner's colour.
    pub(crate) fn ground(&self, region: Option<(RegionKind, Option<Seat>)>, dark: bool) -> u8 {
        match region {
            Some((RegionKind::Goal, Some(seat))) => tint(self.men[seat.index()], dark),
            _ => ground(region.map(|(kind, _)| kind), dark),
        }
    }
}

/// An upright plate, and what is seen through its empty holes.
pub(crate) const PLATE: (u8, u8) = (25, 252);

/// A highlight of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Light {
    /// Part of the last move.
    Last,
    /// Part of a hint, or of a move to choose from.
    Shown,
    /// Would be captured.
    Taken,
    /// A possible next stop of a move.
    Stop,
    /// A possible end of a move.
    End,
    /// Already selected as part of a move.
    Chosen,
}

impl Light {
    /// The background of the cell by number.
    pub(crate) fn ground(self) -> u8 {
        match self {
            Light::Last => 221,
            Light::Shown => 177,
            Light::Taken => 203,
            Light::Stop => 157,
            Light::End => 77,
            Light::Chosen => 208,
        }
    }

    /// The characters on both sides of the cell if there are no colours.
    pub(crate) fn brackets(self) -> (char, char) {
        match self {
            Light::Last => ('\'', '\''),
            Light::Shown => ('!', '!'),
            Light::Taken => ('x', 'x'),
            Light::Stop => ('(', ')'),
            Light::End => ('*', '*'),
            Light::Chosen => ('<', '>'),
        }
    }
}

/// The background of a goal: a shade of its owner's colour.
fn tint(man: u8, dark: bool) -> u8 {
    match (man, dark) {
        (WHITE, false) => 255,
        (WHITE, true) => 252,
        (BLACK, false) => 145,
        (BLACK, true) => 102,
        (RED, _) => 217,
        (GREEN, _) => 151,
        (BLUE, _) => 153,
        _ => 183,
    }
}

/// The background of a cell.
fn ground(region: Option<RegionKind>, dark: bool) -> u8 {
    match (region, dark) {
        (Some(RegionKind::River), false) => 74,
        (Some(RegionKind::River), true) => 68,
        (Some(RegionKind::Castle), false) => 186,
        (Some(RegionKind::Castle), true) => 143,
        (Some(RegionKind::Pit), _) => 237,
        (Some(RegionKind::Blocked), _) => 240,
        (_, false) => 223,
        (_, true) => 180,
    }
}

/// The mark of an empty cell of a region, for output without colours.
pub(crate) fn mark(kind: RegionKind, owner: Option<Seat>) -> Option<char> {
    match kind {
        RegionKind::River => Some('~'),
        RegionKind::Castle => Some('+'),
        RegionKind::Pit => Some('O'),
        RegionKind::Blocked => Some('#'),
        RegionKind::Goal => owner.map(|seat| (b'a' + seat.index() as u8) as char),
    }
}
