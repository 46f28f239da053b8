//! The naive twin of Breakthrough, with the course's rules and the classic ones.

use crate::battery::Naive;
use crate::battery::plain::{
    Board, at, cells, count, draw, put, read_rows, read_squares, sorted, square_name, step, win,
    write_rows,
};

const SEATS: [&str; 2] = ["white", "black"];
const PAWNS: [char; 2] = ['P', 'p'];

/// A position; nothing in this game depends on earlier positions.
#[derive(Clone)]
pub struct Breakthrough {
    board: Board,
    classic: bool,
    /// 0 white, 1 black.
    seat: usize,
    /// Plies since the last capture.
    halfmoves: u32,
    /// Goes up after black's move.
    move_number: u32,
}

impl Breakthrough {
    /// Opens a `WxH` or `WxH,classic` board at `rows side halfmoves move`, where the two counters
    /// may be left out, or at the start.
    pub fn open(setup: &str, position: Option<&str>) -> Self {
        let (size, rules) = setup.split_once(',').unwrap_or((setup, ""));
        let (width, height) = size.split_once('x').expect("a size");
        let start = start(width.parse().expect("a width"), height.parse().expect("a height"));
        let position = position.unwrap_or(&start);
        let fields: Vec<&str> = position.split_whitespace().collect();
        let number = |index: usize, default: u32| {
            fields.get(index).map_or(default, |text| text.parse().expect("a number"))
        };
        Breakthrough {
            board: read_rows(fields[0]),
            classic: rules == "classic",
            seat: if fields[1] == "w" { 0 } else { 1 },
            halfmoves: number(2, 0),
            move_number: number(3, 1),
        }
    }

    /// Captures and steps: straight ahead onto an empty square, diagonally ahead onto an enemy;
    /// in the classic game also diagonally ahead onto an empty square.
    fn generate(&self) -> Vec<String> {
        let ahead = if self.seat == 0 { -1 } else { 1 };
        let enemy = PAWNS[1 - self.seat];
        let mut moves = Vec::new();
        for from in cells(&self.board) {
            if at(&self.board, from) != Some(PAWNS[self.seat]) {
                continue;
            }
            for sideways in [-1, 0, 1] {
                let to = step(from, (ahead, sideways), 1);
                let legal = match at(&self.board, to) {
                    Some('.') => sideways == 0 || self.classic,
                    Some(pawn) => sideways != 0 && pawn == enemy,
                    None => false,
                };
                if legal {
                    let (from, to) = (square_name(&self.board, from), square_name(&self.board, to));
                    moves.push(from + &to);
                }
            }
        }
        sorted(moves)
    }
}

/// White fills rows 1 and 2, black the two rows at the top; white moves first.
fn start(width: usize, height: usize) -> String {
    let (black, white) = ("p".repeat(width), "P".repeat(width));
    let empty = format!("{width}/").repeat(height - 4);
    format!("{black}/{black}/{empty}{white}/{white} w 0 1")
}

impl Naive for Breakthrough {
    fn position(&self) -> String {
        let side = if self.seat == 0 { 'w' } else { 'b' };
        let rows = write_rows(&self.board);
        format!("{rows} {side} {} {}", self.halfmoves, self.move_number)
    }

    fn to_move(&self) -> Option<&'static str> {
        self.outcome().is_none().then_some(SEATS[self.seat])
    }

    fn outcome(&self) -> Option<Vec<u8>> {
        self.outcome_without_history()
    }

    /// A pawn on the far row wins. Course: a player to move without a legal move ends the game
    /// 50 / 50. Classic: a side without pawns loses.
    fn outcome_without_history(&self) -> Option<Vec<u8>> {
        let bottom = self.board.len() - 1;
        let no_pawns = |seat: usize| count(&self.board, PAWNS[seat]) == 0;
        if self.board[0].contains(&'P') || (self.classic && no_pawns(1)) {
            Some(win(0))
        } else if self.board[bottom].contains(&'p') || (self.classic && no_pawns(0)) {
            Some(win(1))
        } else if self.generate().is_empty() {
            Some(draw())
        } else {
            None
        }
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() { Vec::new() } else { self.generate() }
    }

    fn play(&mut self, mv: &str) {
        let squares = read_squares(&self.board, mv);
        let (from, to) = (squares[0], squares[1]);
        let captures = at(&self.board, to) != Some('.');
        put(&mut self.board, from, '.');
        put(&mut self.board, to, PAWNS[self.seat]);
        self.halfmoves = if captures { 0 } else { self.halfmoves + 1 };
        self.move_number += self.seat as u32;
        self.seat = 1 - self.seat;
    }
}
