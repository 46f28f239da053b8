//! A game that is loaded at run time, as an example and for the tests of everything that plays
//! loaded games. It is in no catalog of its own accord.
//!
//! ```
//! use std::sync::Arc;
//! use agon_games::{Catalog, sample::InARow};
//! let catalog = Catalog::built_in().with_loader(Arc::new(InARow)).unwrap();
//! let mut table = catalog.open(&"inarow:3x3,3".parse().unwrap()).unwrap();
//! for mv in ["a1", "a2", "b1", "b2", "c1"] {
//!     table.play(mv).unwrap();
//! }
//! assert_eq!(table.reason().unwrap(), "X has 3 in a row");
//! ```

use std::borrow::Cow;
use std::sync::Arc;

use agon_core::scene::CellId;
use agon_core::{Outcome, Reason, Seat, TextError, Variant};

use crate::info::{GameInfo, VariantInfo};
use crate::loaded::{LoadedRules, Loader};
use crate::rules::{Rules, Section};
use crate::simple::{Grid, SimpleRules};

const NAME: &str = "inarow";
/// The letters of the two players.
const LETTERS: [char; 2] = ['X', 'O'];

/// Loads games of `inarow:WxH,K`: players place pieces in turn, and K in a row win.
#[derive(Debug)]
pub struct InARow;

impl Loader for InARow {
    fn name(&self) -> &str {
        NAME
    }

    fn describe(&self, tell: &mut dyn FnMut(&GameInfo<'_>)) {
        // As a loader would that has read all this from a file.
        let (title, variant) = ("In a row".to_string(), format!("{NAME}:3x3,3"));
        let variants = [VariantInfo { text: &variant, about: "noughts and crosses" }];
        let seats = LETTERS.map(|letter| letter.to_string());
        let names = seats.each_ref().map(String::as_str);
        let paragraph = format!("{title}: whoever first has so many in a row wins.");
        let text = [&*paragraph];
        let sections = [Section { heading: "The goal", text: &text, examples: &[] }];
        let rules = Rules { sections: &sections, practice: &[] };
        let summary = "Place pieces in turn; a row of your own wins.";
        tell(&GameInfo { rules, ..GameInfo::new(NAME, &title, summary, &names, &variants) });
    }

    fn load(&self, variant: &Variant) -> Result<(Variant, Arc<LoadedRules>), TextError> {
        let number = |text: &str| text.parse().ok().filter(|number| (1..=9).contains(number));
        let setup = if variant.setup().is_empty() { "3x3,3" } else { variant.setup() };
        let read = || {
            let (size, row) = setup.split_once(',')?;
            let (width, height) = size.split_once('x')?;
            Some((number(width)?, number(height)?, number(row)?))
        };
        let expected = "columns x rows and how many in a row, each 1 to 9: inarow:3x3,3";
        let (width, height, row) = read().ok_or_else(|| variant.error(setup, expected))?;
        let names = LETTERS.map(|letter| letter.to_string());
        let reasons = LETTERS.map(|letter| format!("{letter} has {row} in a row"));
        let game = Loaded { width, height, row, names, reasons };
        Ok((Variant::new(NAME, setup), Arc::new(game)))
    }
}

/// A loaded game. A state is a byte for every cell, 0 if it is empty, else one more than the seat.
#[derive(Debug)]
struct Loaded {
    width: usize,
    height: usize,
    row: usize,
    names: [String; 2],
    reasons: [String; 2],
}

impl Loaded {
    /// Whether there is a row that starts here.
    fn begins_row(&self, state: &[u8], seat: u8, column: usize, from_bottom: usize) -> bool {
        let stands = |(dx, dy): (isize, isize), step: usize| {
            let x = column.checked_add_signed(dx * step as isize)?;
            let y = from_bottom.checked_add_signed(dy * step as isize)?;
            let inside = x < self.width && y < self.height;
            inside.then(|| state[y * self.width + x] == seat + 1)
        };
        let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
        directions.into_iter().any(|way| (0..self.row).all(|step| stands(way, step) == Some(true)))
    }

    fn has_row(&self, state: &[u8], seat: u8) -> bool {
        let mut cells = (0..state.len()).map(|cell| (cell % self.width, cell / self.width));
        cells.any(|(column, from_bottom)| self.begins_row(state, seat, column, from_bottom))
    }
}

impl SimpleRules for Loaded {
    type State = Vec<u8>;

    fn name(&self) -> &str {
        NAME
    }

    fn seat_name(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }

    fn start(&self) -> Vec<u8> {
        vec![0; self.width * self.height]
    }

    fn turn(&self, state: &Vec<u8>) -> Seat {
        Seat::new(state.iter().filter(|cell| **cell > 0).count() % 2)
    }

    fn outcome(&self, state: &Vec<u8>) -> Option<Outcome> {
        let winner = (0..2).find(|&seat| self.has_row(state, seat));
        winner.map(|seat| Outcome::win(Seat::new(seat.into()), Reason::Numbered(seat.into())))
    }

    fn moves(&self, state: &Vec<u8>) -> Vec<u32> {
        (0..).zip(state).filter(|(_, cell)| **cell == 0).map(|(mv, _)| mv).collect()
    }

    fn play(&self, state: &mut Vec<u8>, mv: u32) {
        let piece = self.turn(state).index() as u8 + 1;
        state[mv as usize] = piece;
    }

    fn route(&self, _: &Vec<u8>, mv: u32) -> Vec<CellId> {
        vec![mv as usize]
    }

    fn grid(&self, state: &Vec<u8>) -> Grid {
        let letter = |&cell: &u8| LETTERS.get(usize::from(cell).checked_sub(1)?).copied();
        Grid::new(self.width, state.iter().map(letter))
    }

    fn with_grid(&self, grid: &Grid, turn: Seat) -> Result<Vec<u8>, String> {
        let cell = |letter: &Option<char>| {
            letter
                .and_then(|letter| self.piece(letter))
                .map_or(0, |(seat, _)| seat.index() as u8 + 1)
        };
        let state: Vec<u8> = grid.cells().iter().map(cell).collect();
        let count = |piece: u8| state.iter().filter(|cell| **cell == piece).count();
        if count(1) != count(2) + turn.index() {
            return Err("as many of X as of O, or one more if O is to move".to_string());
        }
        if self.has_row(&state, turn.index() as u8) {
            return Err("no row of the player to move".to_string());
        }
        Ok(state)
    }

    fn piece(&self, letter: char) -> Option<(Seat, Cow<'static, str>)> {
        let seat = LETTERS.iter().position(|known| *known == letter)?;
        Some((Seat::new(seat), "piece".into()))
    }

    fn supply(&self, seat: Seat) -> Option<char> {
        LETTERS.get(seat.index()).copied()
    }

    fn when_stuck(&self, _: &Vec<u8>) -> Outcome {
        Outcome::draw(2, "the board is full")
    }

    fn reason(&self, number: u16) -> Option<&str> {
        self.reasons.get(usize::from(number)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests;
/// The game of `docs/add-a-game.md`.
#[cfg(test)]
mod tictactoe;
