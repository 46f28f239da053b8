//! Colours and marks.

use agon_core::scene::RegionKind;
use agon_core::{MAX_SEATS, Seat};
use agon_games::Table;
use anstyle::{Ansi256Color, AnsiColor, Color, Effects, Style};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().effects(Effects::DIMMED);
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().effects(Effects::BOLD);
pub(crate) const HEADING: Style = AnsiColor::Cyan.on_default().effects(Effects::BOLD);

const INK_WHITE: u8 = 231;
const INK_BLACK: u8 = 16;
const INK_RED: u8 = 160;
const INK_GREEN: u8 = 28;
const INK_BLUE: u8 = 20;
const INK_PURPLE: u8 = 90;

const fn colour(index: u8) -> Color {
    Color::Ansi256(Ansi256Color(index))
}

/// The inks of the players, by their names where these are colours.
pub(crate) struct Colours {
    inks: [u8; MAX_SEATS],
}

impl Colours {
    pub(crate) fn of(table: &dyn Table) -> Colours {
        let mut inks = [INK_RED, INK_GREEN, INK_BLUE, INK_PURPLE];
        for seat in Seat::all(table.seats()) {
            match table.seat_name(seat) {
                "white" => inks[seat.index()] = INK_WHITE,
                "black" => inks[seat.index()] = INK_BLACK,
                "agent" => inks[seat.index()] = INK_BLUE,
                _ => {}
            }
        }
        Colours { inks }
    }

    /// A piece of this seat, on any ground.
    pub(crate) fn piece(&self, seat: Seat) -> Style {
        let ink = self.inks[seat.index()];
        let style = Style::new().fg_color(Some(colour(ink))).bold();
        match ink {
            INK_WHITE | INK_BLACK => style.bg_color(Some(colour(ground(None, false)))),
            _ => style,
        }
    }

    /// A cell: a piece's ink, or a mark's, on the ground of its region.
    pub(crate) fn cell(
        &self,
        owner: Option<Seat>,
        region: Option<(RegionKind, Option<Seat>)>,
        dark: bool,
    ) -> Style {
        let ink = match (owner, region) {
            (Some(seat), _) => self.inks[seat.index()],
            (None, Some((RegionKind::Goal, Some(seat)))) => self.inks[seat.index()],
            (None, Some((RegionKind::Pit, _))) => 250,
            (None, Some((RegionKind::River, _))) => 153,
            _ => 137,
        };
        let style =
            Style::new().fg_color(Some(colour(ink))).bg_color(Some(colour(ground(region, dark))));
        if owner.is_some() { style.bold() } else { style }
    }
}

/// The background of a cell.
fn ground(region: Option<(RegionKind, Option<Seat>)>, dark: bool) -> u8 {
    match (region.map(|(kind, _)| kind), dark) {
        (Some(RegionKind::River), false) => 74,
        (Some(RegionKind::River), true) => 68,
        (Some(RegionKind::Castle), false) => 186,
        (Some(RegionKind::Castle), true) => 143,
        (Some(RegionKind::Pit), _) => 235,
        (Some(RegionKind::Blocked), _) => 240,
        (_, false) => 180,
        (_, true) => 173,
    }
}

/// What marks an empty cell of a region, where letters alone must do.
pub(crate) fn mark(kind: RegionKind, owner: Option<Seat>) -> Option<char> {
    match kind {
        RegionKind::River => Some('~'),
        RegionKind::Castle => Some('+'),
        RegionKind::Pit => Some('O'),
        RegionKind::Blocked => Some('#'),
        RegionKind::Goal => owner.map(|seat| (b'a' + seat.index() as u8) as char),
    }
}
