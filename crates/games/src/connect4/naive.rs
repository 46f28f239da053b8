//! The naive twin of Connect Four.

use crate::battery::Naive;
use crate::battery::plain::{
    Board, at, cells, count, draw, put, read_rows, sorted, step, win, write_rows,
};

const SEATS: [&str; 2] = ["x", "o"];
const DISCS: [char; 2] = ['X', 'O'];

/// A position; nothing in this game depends on earlier positions.
#[derive(Clone)]
pub struct Connect4 {
    board: Board,
    /// 0 X, 1 O.
    seat: usize,
}

impl Connect4 {
    /// Opens a `WxH` board at `rows side`.
    pub fn open(position: &str) -> Self {
        let (rows, side) = position.split_once(' ').expect("rows and a side");
        Connect4 { board: read_rows(rows), seat: if side == "x" { 0 } else { 1 } }
    }

    /// Whether a side has four in a row, to the right, up, or along a diagonal.
    fn has_four(&self, seat: usize) -> bool {
        cells(&self.board).into_iter().any(|first| {
            [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|direction| {
                (0..4).all(|n| at(&self.board, step(first, direction, n)) == Some(DISCS[seat]))
            })
        })
    }

    /// The columns, numbered from 1, whose top cell is empty.
    fn open_columns(&self) -> Vec<usize> {
        (0..self.board[0].len()).filter(|&c| self.board[0][c] == '.').map(|c| c + 1).collect()
    }
}

impl Naive for Connect4 {
    fn position(&self) -> String {
        format!("{} {}", write_rows(&self.board), SEATS[self.seat])
    }

    fn to_move(&self) -> Option<&'static str> {
        self.outcome().is_none().then_some(SEATS[self.seat])
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        self.outcome_without_history()
    }

    /// Four in a row win; a full board is a draw.
    fn outcome_without_history(&self) -> Option<Vec<u8>> {
        match () {
            () if self.has_four(0) => Some(win(0)),
            () if self.has_four(1) => Some(win(1)),
            () if count(&self.board, '.') == 0 => Some(draw()),
            () => None,
        }
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        sorted(self.open_columns().iter().map(usize::to_string).collect())
    }

    /// The disc falls onto the lowest empty cell of its column.
    fn play(&mut self, mv: &str) {
        let column = mv.parse::<i32>().expect("a column") - 1;
        let rows = (0..self.board.len() as i32).rev();
        let row = rows.into_iter().find(|&row| at(&self.board, (row, column)) == Some('.'));
        put(&mut self.board, (row.expect("room"), column), DISCS[self.seat]);
        self.seat = 1 - self.seat;
    }
}
