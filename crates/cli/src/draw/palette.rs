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
/// Marks on empty cells, darker than any background but that of pits.
const FAINT: u8 = 95;

const fn colour(index: u8) -> Color {
    Color::Ansi256(Ansi256Color(index))
}

fn ink_on(ink: u8, ground: u8) -> Style {
    Style::new().fg_color(Some(colour(ink))).bg_color(Some(colour(ground)))
}

/// The colours of a side.
#[derive(Clone, Copy)]
struct Side {
    /// Its name on the pages and in pictures, where its colours are defined.
    tone: &'static str,
    man: u8,
    ink: u8,
    /// The background of its goals, on light and dark cells.
    tints: [u8; 2],
}

const fn side(tone: &'static str, man: u8, ink: u8, tints: [u8; 2]) -> Side {
    Side { tone, man, ink, tints }
}

/// What comes closest to the colours of the pages among those of a terminal, while pieces stand out
/// from the board without the outlines that they have there.
const SIDES: [Side; 11] = [
    side("white", WHITE, BLACK, [255, 252]),
    side("black", 236, WHITE, [145, 102]),
    side("red", 160, WHITE, [217, 217]),
    side("a", 166, WHITE, [216, 216]),
    side("b", 25, WHITE, [153, 153]),
    side("c", 220, BLACK, [229, 229]),
    side("x", 160, WHITE, [217, 217]),
    side("o", 220, BLACK, [229, 229]),
    side("adversary", 220, BLACK, [229, 229]),
    side("agent", 61, WHITE, [183, 183]),
    side("nobody", 250, BLACK, [250, 250]),
];

/// The colours of the players' pieces: those that they have on the pages.
pub(crate) struct Colours {
    sides: [Side; MAX_SEATS],
}

impl Colours {
    pub(crate) fn of(table: &dyn Table) -> Colours {
        let names: Vec<&str> = Seat::all(table.seats()).map(|seat| table.seat_name(seat)).collect();
        let side_of = |seat: usize| {
            let tone = agon_picture::tone_of(&names, Some(Seat::new(seat))).name;
            SIDES.into_iter().find(|side| side.tone == tone).unwrap_or(SIDES[SIDES.len() - 1])
        };
        Colours { sides: std::array::from_fn(side_of) }
    }

    /// The colour of a seat's pieces and of the letters on them, by number.
    pub(crate) fn man_and_ink(&self, seat: Seat) -> (u8, u8) {
        let side = self.sides[seat.index()];
        (side.man, side.ink)
    }

    /// A piece of this seat: a letter on a tile, readable on any background.
    pub(crate) fn man(&self, seat: Seat) -> Style {
        let (man, ink) = self.man_and_ink(seat);
        ink_on(ink, man).bold()
    }

    /// An empty cell, or the visible part of one around a piece.
    pub(crate) fn cell(&self, region: Option<(RegionKind, Option<Seat>)>, dark: bool) -> Style {
        let ink = match region {
            Some((RegionKind::Pit | RegionKind::Blocked | RegionKind::River, _)) => 252,
            _ => FAINT,
        };
        ink_on(ink, self.ground(region, dark))
    }

    /// A cell of an upright plate, where it is not covered by a piece.
    pub(crate) fn plate() -> Style {
        ink_on(PLATE.1, PLATE.0)
    }

    /// The background of a cell by number; goals are tinted with their owner's colour.
    pub(crate) fn ground(&self, region: Option<(RegionKind, Option<Seat>)>, dark: bool) -> u8 {
        match region {
            Some((RegionKind::Goal, Some(seat))) => {
                self.sides[seat.index()].tints[usize::from(dark)]
            }
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
            Light::Last => 228,
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

#[cfg(test)]
mod tests {
    use super::*;

    type Rgb = [f64; 3];

    fn of_page(text: &str) -> Rgb {
        [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&text[at..at + 2], 16).unwrap()))
    }

    /// The colours of a terminal that have numbers of their own: a cube, then greys.
    fn of_terminal(index: u8) -> Rgb {
        const LEVELS: [f64; 6] = [0.0, 95.0, 135.0, 175.0, 215.0, 255.0];
        if index >= 232 {
            return [8.0 + 10.0 * f64::from(index - 232); 3];
        }
        let at = usize::from(index - 16);
        [at / 36, at / 6 % 6, at % 6].map(|level| LEVELS[level])
    }

    /// How different two colours look: their distance in the Oklab space, where 0 is equal and 1
    /// is black and white.
    fn difference(one: Rgb, other: Rgb) -> f64 {
        let [one, other] = [one, other].map(oklab);
        one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    fn oklab(rgb: Rgb) -> Rgb {
        let [r, g, b] = rgb.map(|value| {
            let value = value / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        let l = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let m = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let s = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        [
            0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
        ]
    }

    #[test]
    fn sides_have_the_colours_of_the_pages() {
        assert_eq!(SIDES.map(|side| side.tone), agon_picture::TONES.map(|tone| tone.name));
        for (side, tone) in SIDES.iter().zip(agon_picture::TONES) {
            let distance = difference(of_terminal(side.man), of_page(tone.body));
            assert!(distance < 0.1, "{} is {distance:.2} from {}", tone.name, tone.body);
            let dark = |ink: Rgb| difference(ink, [0.0; 3]) < 0.5;
            assert_eq!(dark(of_terminal(side.ink)), dark(of_page(tone.ink)), "{}", tone.name);
        }
    }

    #[test]
    fn players_of_one_game_and_their_goals_are_told_apart() {
        for game in agon_games::GAMES {
            for variant in game.variants {
                let table = agon_games::open(&variant.text.parse().unwrap()).unwrap();
                let colours = Colours::of(&*table);
                let seats = || Seat::all(table.seats());
                for (one, other) in seats().flat_map(|one| seats().map(move |it| (one, it))) {
                    let [a, b] = [one, other].map(|seat| colours.sides[seat.index()]);
                    let differ = difference(of_terminal(a.man), of_terminal(b.man)) > 0.2;
                    assert!(one == other || differ, "{}: {} and {}", variant.text, a.tone, b.tone);
                    assert!(one == other || a.tints != b.tints, "{}", variant.text);
                }
            }
        }
    }

    #[test]
    fn pieces_stand_out_from_the_board_and_from_highlights() {
        let lights =
            [Light::Last, Light::Shown, Light::Taken, Light::Stop, Light::End, Light::Chosen];
        let grounds = [false, true].map(|dark| ground(None, dark));
        for side in SIDES.iter().filter(|side| side.tone != "nobody") {
            for ground in grounds.into_iter().chain(lights.map(Light::ground)) {
                let distance = difference(of_terminal(side.man), of_terminal(ground));
                assert!(distance > 0.09, "{} on {ground}: {distance:.2}", side.tone);
            }
        }
    }
}
