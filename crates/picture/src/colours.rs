//! The colours of the board and the sides: those of the pages' light theme.

use agon_core::Seat;

pub(crate) const FRAME: &str = "#cdb892";
pub const NAME: &str = "#5a4a2c";
pub(crate) const LIGHT: &str = "#f6eddb";
pub(crate) const DARK: &str = "#eaddc2";
pub const LINE: &str = "#b9a379";
pub(crate) const PLATE: &str = "#efe4cd";
pub(crate) const HOLE: &str = "#dccba8";
pub(crate) const HOLE_EDGE: &str = "#b29a6b";
pub(crate) const WATER: &str = "#8fc5e0";
pub(crate) const WAVE: &str = "#f2fafd";
pub(crate) const BANK: &str = "#5e9cbd";
pub(crate) const STONE: &str = "#a9a49a";
pub(crate) const STONE_LIGHT: &str = "#c9c5bc";
pub(crate) const STONE_DARK: &str = "#827d73";
pub(crate) const WALL: &str = "#9b8d77";
pub(crate) const WALL_JOINT: &str = "#e4d9c4";
pub(crate) const PANEL: &str = "#3f6ba3";
pub(crate) const PANEL_RIM: &str = "#2c4f7e";
pub(crate) const PANEL_SHINE: &str = "#7fa3d1";
pub(crate) const PANEL_NAME: &str = "#e3edf9";
pub(crate) const WELL: &str = "#dfd8c8";
pub(crate) const RING: &str = "#fff3c4";
pub(crate) const SHADE: &str = "rgb(70 50 20 / 0.28)";
pub(crate) const LAST: &str = "rgb(235 190 40 / 0.42)";
pub(crate) const PIT_WALL: &str = "#5b4a38";
pub(crate) const PIT_DARK: &str = "#241a11";
pub(crate) const PIT_DEEP: &str = "#0b0704";
pub(crate) const CROWN: &str = "#f6c945";
pub(crate) const CROWN_EDGE: &str = "#7a5606";

/// The colours of a side, as `#rrggbb`.
#[derive(Clone, Copy, Debug)]
pub struct Tone {
    /// Its name in the style sheet of the pages.
    pub name: &'static str,
    /// Its pieces.
    pub body: &'static str,
    pub(crate) side: &'static str,
    pub(crate) edge: &'static str,
    /// What is drawn on its pieces.
    pub ink: &'static str,
    pub(crate) area: &'static str,
}

const fn tone(name: &'static str, [body, side, edge, ink, area]: [&'static str; 5]) -> Tone {
    Tone { name, body, side, edge, ink, area }
}

/// The tones by name of the side, and the neutral one.
pub const TONES: [Tone; 11] = [
    tone("white", ["#fffaf0", "#dccfb4", "#7d6e52", "#4a3c2a", "#fffdf6"]),
    tone("black", ["#3d424b", "#262a30", "#14171b", "#f5efe2", "#6c6a66"]),
    tone("red", ["#d4503a", "#9c3422", "#6b1e12", "#fff3ea", "#d4503a"]),
    tone("a", ["#d9572b", "#a03c18", "#7a2b0e", "#fff3ea", "#d9572b"]),
    tone("b", ["#2c6fb3", "#1d4f83", "#123a63", "#eff6ff", "#2c6fb3"]),
    tone("c", ["#f0c034", "#b98d14", "#7d5e08", "#4a3703", "#e0ad14"]),
    tone("x", ["#d4503a", "#9c3422", "#6b1e12", "#fff3ea", "#d4503a"]),
    tone("o", ["#f2c230", "#bb9015", "#7d5e08", "#4a3703", "#e0ad14"]),
    tone("adversary", ["#f5cf6b", "#c79a2c", "#8a6512", "#47320a", "#f5cf6b"]),
    tone("agent", ["#4a4694", "#322f6b", "#211f4b", "#f1efff", "#4a4694"]),
    tone("nobody", ["#b9b6af", "#8d8a83", "#615e58", "#2d2b28", "#b9b6af"]),
];

/// The tones of seats with other names.
const BY_NUMBER: [&str; 4] = ["white", "black", "a", "b"];

/// The colours of a seat, by the names of all seats; the neutral ones for nobody.
pub fn tone_of(seats: &[&str], seat: Option<Seat>) -> Tone {
    let find = |name: &str| TONES.into_iter().find(|tone| tone.name == name);
    let of_seat = |seat: Seat| {
        let name = seats.get(seat.index()).map_or(String::new(), |name| name.to_lowercase());
        find(&name).or_else(|| find(BY_NUMBER.get(seat.index())?))
    };
    seat.and_then(of_seat).unwrap_or(TONES[TONES.len() - 1])
}
