//! Tic-tac-toe: three in a row win.

use std::borrow::Cow;

use agon_core::scene::CellId;
use agon_core::{Outcome, Seat, TextError, Variant};

use crate::{GameInfo, Grid, SimpleRules, VariantInfo, Visitor, open_simple};

/// Who has which of the nine cells, row by row from `a1`.
type Cells = [Option<Seat>; 9];

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The rules.
#[derive(Debug)]
pub struct TicTacToe;

impl SimpleRules for TicTacToe {
    type State = Cells;

    fn name(&self) -> &str {
        "tictactoe"
    }

    fn seat_name(&self, seat: Seat) -> &str {
        ["x", "o"][seat.index()]
    }

    fn start(&self) -> Cells {
        [None; 9]
    }

    fn turn(&self, cells: &Cells) -> Seat {
        Seat::new(cells.iter().flatten().count() % 2)
    }

    fn outcome(&self, cells: &Cells) -> Option<Outcome> {
        let full = |line: &&[usize; 3]| line.map(|cell| cells[cell]) == [cells[line[0]]; 3];
        let winner = LINES.iter().filter(full).find_map(|line| cells[line[0]]);
        winner.map(|seat| Outcome::win(seat, "three in a row"))
    }

    // A move is any number you like: here that of the cell.
    fn moves(&self, cells: &Cells) -> Vec<u32> {
        (0..9).filter(|&cell| cells[cell as usize].is_none()).collect()
    }

    fn play(&self, cells: &mut Cells, mv: u32) {
        cells[mv as usize] = Some(self.turn(cells));
    }

    // One cell if a piece is placed there; from, stops and to if one moves.
    fn route(&self, _: &Cells, mv: u32) -> Vec<CellId> {
        vec![mv as usize]
    }

    fn grid(&self, cells: &Cells) -> Grid {
        Grid::new(3, cells.iter().map(|cell| cell.map(|seat| ['X', 'O'][seat.index()])))
    }

    // For positions from outside: letters and size are right already, and whatever is accepted here
    // can be played on. The error is what was expected.
    fn with_grid(&self, grid: &Grid, turn: Seat) -> Result<Cells, String> {
        let mut cells = [None; 9];
        for (cell, letter) in cells.iter_mut().zip(grid.cells()) {
            *cell = letter.and_then(|letter| self.piece(letter)).map(|(seat, _)| seat);
        }
        let count = |seat| cells.iter().flatten().filter(|owner| **owner == seat).count();
        match count(Seat::FIRST) == count(Seat::SECOND) + turn.index() {
            true => Ok(cells),
            false => Err("as many of X as of O, or one more with o to move".to_string()),
        }
    }

    fn piece(&self, letter: char) -> Option<(Seat, Cow<'static, str>)> {
        match letter {
            'X' => Some((Seat::FIRST, "cross".into())),
            'O' => Some((Seat::SECOND, "nought".into())),
            _ => None,
        }
    }

    // Only for games that place pieces.
    fn supply(&self, seat: Seat) -> Option<char> {
        Some(['X', 'O'][seat.index()])
    }
}

/// Tic-tac-toe in the catalog.
#[derive(Debug)]
pub struct Family;

impl crate::Family for Family {
    const INFO: GameInfo<'static> = GameInfo::new(
        "tictactoe",
        "Tic-tac-toe",
        "Three in a row win.",
        &["x", "o"],
        &[VariantInfo { text: "tictactoe", about: "three by three" }],
    );

    fn open<V: Visitor>(variant: &Variant, visitor: V) -> Result<V::Output, TextError> {
        open_simple(TicTacToe, variant, visitor)
    }
}
