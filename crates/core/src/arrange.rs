//! Positions that people set up by hand: a draft of a position, and what its rules say about it.
//!
//! There is one judge. A draft becomes the game's own text of a position, and
//! [`Notation::read_position`] accepts it or says what would be right. What a game adds is what can be
//! placed, which counters belong to a position, and how both are written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::notation::{Invalid, Notation};
use crate::scene::{CellId, Draw, Piece, RegionKind, Scene};
use crate::seat::Seat;

/// A kind of piece that can be placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stock {
    /// Its letter in the game's notation, as in [`Piece::letter`].
    pub letter: char,
    /// Whose it is.
    pub owner: Seat,
    /// What it is called.
    pub name: Cow<'static, str>,
    /// How many men high it is.
    pub height: u8,
}

/// A number that belongs to a position besides its pieces and whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dial {
    /// Its name in drafts.
    pub name: Cow<'static, str>,
    /// What it is, for people: "plies without a capture". One from 0 to 1 is a yes or no.
    pub label: Cow<'static, str>,
    /// The smallest value.
    pub min: u32,
    /// The largest value.
    pub max: u32,
    /// The value in this position.
    pub value: u32,
}

impl Dial {
    /// A number from 0.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        label: impl Into<Cow<'static, str>>,
        max: u32,
        value: u32,
    ) -> Dial {
        Dial { name: name.into(), label: label.into(), min: 0, max, value }
    }

    /// A yes or no.
    pub fn flag(
        name: impl Into<Cow<'static, str>>,
        label: impl Into<Cow<'static, str>>,
        value: bool,
    ) -> Dial {
        Dial::new(name, label, 1, u32::from(value))
    }
}

/// A position as somebody wants it, right or wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draft {
    /// The letters of the pieces, each with its cell.
    pub pieces: Vec<(CellId, char)>,
    /// Whose turn it is, by number.
    pub to_move: usize,
    /// The counters by name. Those left out keep the value of the position it is made from.
    pub counters: BTreeMap<String, u64>,
}

/// A draft whose letters, cells and counters exist.
#[derive(Debug)]
pub struct Arrangement {
    letters: BTreeMap<CellId, char>,
    turn: Seat,
    counters: BTreeMap<String, u32>,
}

impl Arrangement {
    /// What stands on a cell.
    pub fn letter(&self, cell: CellId) -> Option<char> {
        self.letters.get(&cell).copied()
    }

    /// The cells with this letter, in ascending order.
    pub fn cells_of(&self, letter: char) -> impl Iterator<Item = CellId> {
        self.letters.iter().filter(move |(_, found)| **found == letter).map(|(cell, _)| *cell)
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Seat {
        self.turn
    }

    /// The value of a counter; 0 for one that the game does not have.
    pub fn counter(&self, name: &str) -> u32 {
        self.counters.get(name).copied().unwrap_or(0)
    }
}

/// The text of a position, with the places of its cells: so an error about the text is about a cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    text: String,
    cells: Vec<(Range<usize>, CellId)>,
}

impl Written {
    /// Rows of letters from the top, as [`fen::read_rows`](crate::fen::read_rows) reads them. `cell`
    /// gives the cell at a column (from the left) and row (from the top), `letter` what stands on it.
    pub fn rows(
        width: usize,
        height: usize,
        cell: impl Fn(usize, usize) -> CellId,
        letter: impl Fn(CellId) -> Option<char>,
    ) -> Written {
        let mut written = Written::default();
        for row in 0..height {
            if row > 0 {
                written.push("/");
            }
            for cell in (0..width).map(|column| cell(column, row)) {
                // A dot for each empty cell: so every cell has its own place.
                let letter = letter(cell).unwrap_or('.');
                written.push_cell(cell, letter.encode_utf8(&mut [0; 4]));
            }
        }
        written
    }

    /// Adds text that is about no cell.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds the text of a cell.
    pub fn push_cell(&mut self, cell: CellId, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.cells.push((start..self.text.len(), cell));
    }

    /// The cell whose text these bytes belong to, if they belong to a single one.
    fn cell_at(&self, at: &Range<usize>) -> Option<CellId> {
        let holds = |place: &Range<usize>| place.start <= at.start && at.end <= place.end;
        let found = self.cells.iter().find(|(place, _)| holds(place) && !at.is_empty());
        found.map(|(_, cell)| *cell)
    }
}

/// Games whose positions can be set up by hand: those with a [`palette`](Arrange::palette).
pub trait Arrange: Notation + Draw {
    /// The pieces that can be placed; none in games whose positions cannot be set up.
    fn palette(&self) -> Vec<Stock> {
        Vec::new()
    }

    /// The counters that belong to a position, with their values in this one.
    fn dials(&self) -> Vec<Dial> {
        Vec::new()
    }

    /// Whose turn the text of this position says it is, also where the game is over.
    fn written_turn(&self) -> Seat {
        self.to_move().unwrap_or(Seat::FIRST)
    }

    /// The text of a position like this one with other pieces, turn and counters. What is fixed,
    /// such as pits, is that of this one. Nothing needs to be checked: the text is read.
    fn write(&self, arrangement: &Arrangement) -> Written {
        let _ = arrangement;
        Written::default()
    }
}

/// The draft of a position.
pub fn draft<G: Arrange>(position: &G) -> Draft {
    let pieces = position.pieces().into_iter();
    let dials = position.dials().into_iter();
    Draft {
        pieces: pieces.map(|piece| (piece.cell, piece.letter)).collect(),
        to_move: position.written_turn().index(),
        counters: dials.map(|dial| (dial.name.into_owned(), u64::from(dial.value))).collect(),
    }
}

/// The position that a draft describes, with all that is fixed as in `like`; or what would be right.
pub fn arrange<G: Arrange>(like: &G, draft: &Draft) -> Result<G, Invalid> {
    let arrangement = check(like, draft)?;
    let written = like.write(&arrangement);
    let position = like.read_position(&written.text).map_err(|error| Invalid {
        expected: error.expected().to_string(),
        cell: written.cell_at(&error.at()),
    })?;
    let stands = |piece: &Piece| arrangement.letter(piece.cell) == Some(piece.letter);
    let pieces = position.pieces();
    if pieces.len() != arrangement.letters.len() || !pieces.iter().all(stands) {
        return Err(Invalid::new("pieces that can stand where they do"));
    }
    Ok(position)
}

/// Checks all that does not depend on the rules.
fn check<G: Arrange>(like: &G, draft: &Draft) -> Result<Arrangement, Invalid> {
    let palette = like.palette();
    if palette.is_empty() {
        return Err(Invalid::new("another game: positions of this one cannot be set up by hand"));
    }
    let letters = check_pieces(&like.scene(), &palette, &draft.pieces)?;
    if draft.to_move >= like.seats() {
        let expected = format!("a player to move, 0 to {}", like.seats() - 1);
        return Err(Invalid::new(expected));
    }
    let counters = check_counters(&like.dials(), &draft.counters)?;
    Ok(Arrangement { letters, turn: Seat::new(draft.to_move), counters })
}

fn check_pieces(
    scene: &Scene,
    palette: &[Stock],
    pieces: &[(CellId, char)],
) -> Result<BTreeMap<CellId, char>, Invalid> {
    let cells = scene.cells.len();
    if pieces.len() > cells {
        let expected = format!("at most {cells} pieces, as many as there are cells");
        return Err(Invalid::new(expected));
    }
    let mut letters = BTreeMap::new();
    for &(cell, letter) in pieces {
        if cell >= cells {
            return Err(Invalid::new(format!("a cell 0 to {}, not {cell}", cells - 1)));
        }
        if !palette.iter().any(|stock| stock.letter == letter) {
            let known: Vec<String> = palette.iter().map(|stock| stock.letter.to_string()).collect();
            return Err(Invalid::at(cell, format!("one of the pieces {}", known.join(" "))));
        }
        if letters.insert(cell, letter).is_some() {
            return Err(Invalid::at(cell, "at most one piece on a cell"));
        }
        let forbids = |kind| matches!(kind, RegionKind::Pit | RegionKind::Blocked);
        let mut regions = scene.regions.iter().filter(|region| forbids(region.kind));
        if let Some(region) = regions.find(|region| region.cells.contains(&cell)) {
            return Err(Invalid::at(cell, format!("no piece here ({})", region.label)));
        }
    }
    Ok(letters)
}

fn check_counters(
    dials: &[Dial],
    wanted: &BTreeMap<String, u64>,
) -> Result<BTreeMap<String, u32>, Invalid> {
    if wanted.keys().any(|name| !dials.iter().any(|dial| dial.name == *name)) {
        let names: Vec<&str> = dials.iter().map(|dial| &*dial.name).collect();
        let expected = match names.is_empty() {
            true => "no counters: positions of this game have none".to_string(),
            false => format!("only the counters {}", names.join(", ")),
        };
        return Err(Invalid::new(expected));
    }
    let value = |dial: &Dial| {
        let Dial { name, label, min, max, value } = dial;
        let value = wanted.get(&**name).copied().unwrap_or(u64::from(*value));
        match u32::try_from(value) {
            Ok(value) if (*min..=*max).contains(&value) => Ok((name.to_string(), value)),
            _ => Err(Invalid::new(format!("a number from {min} to {max} for {label:?}"))),
        }
    };
    dials.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_about_a_text_is_about_the_cell_that_is_written_there() {
        // Two columns and two rows, numbered from the bottom left.
        let cell = |column, row| (1 - row) * 2 + column;
        let mut written = Written::rows(2, 2, cell, |cell| (cell == 1).then_some('é'));
        written.push(" w 0");
        assert_eq!(written.text, "../.é w 0");
        assert_eq!(written.cell_at(&(0..1)), Some(2));
        assert_eq!(written.cell_at(&(4..6)), Some(1), "a letter of two bytes");
        assert_eq!(written.cell_at(&(2..3)), None, "the slash");
        assert_eq!(written.cell_at(&(0..2)), None, "two cells");
        assert_eq!(written.cell_at(&(0..0)), None, "nothing");
        assert_eq!(written.cell_at(&(7..8)), None, "the side to move");
    }

    #[test]
    fn counters_have_names_and_ranges() {
        let dials = [Dial::new("quiet", "Quiet plies", 9, 3), Dial::flag("king", "A king", true)];
        let read = |pairs: &[(&str, u64)]| {
            let wanted = pairs.iter().map(|(name, value)| (name.to_string(), *value)).collect();
            check_counters(&dials, &wanted).map_err(|invalid| invalid.expected)
        };
        let values = |quiet, king| BTreeMap::from([("king".into(), king), ("quiet".into(), quiet)]);
        assert_eq!(read(&[]), Ok(values(3, 1)), "those left out stay as they are");
        assert_eq!(read(&[("quiet", 9), ("king", 0)]), Ok(values(9, 0)));
        let high = Err("a number from 0 to 9 for \"Quiet plies\"".to_string());
        assert_eq!(read(&[("quiet", 10)]), high);
        assert_eq!(read(&[("quiet", u64::MAX)]), high);
        assert_eq!(read(&[("plies", 0)]), Err("only the counters quiet, king".to_string()));
    }
}
