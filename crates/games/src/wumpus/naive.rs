//! The naive twin of Wumpus battle.

use crate::battery::Naive;
use crate::battery::plain::{
    ALL_AROUND, Board, Cell, at, cells, draw, occurrences, put, read_rows, sorted, step, win,
    write_rows,
};

const SEATS: [&str; 2] = ["adversary", "agent"];

/// A position and the positions before it.
#[derive(Clone)]
pub(crate) struct Wumpus {
    /// `W H M` are the agent's, `w h m` the adversary's, `O` is a pit.
    board: Board,
    /// 0 the adversary, 1 the agent.
    seat: usize,
    /// Plies without the loss of a piece.
    quiet: u32,
    /// Board and side of every position so far, including this one.
    history: Vec<String>,
}

/// Who is left after a battle.
enum Battle {
    Attacker,
    Defender,
    Nobody,
}

/// Battle: hero beats wumpus, mage beats hero, wumpus beats mage, equal kinds destroy each other.
fn battle(attacker: char, defender: char) -> Battle {
    match (attacker.to_ascii_uppercase(), defender.to_ascii_uppercase()) {
        ('H', 'W') | ('M', 'H') | ('W', 'M') => Battle::Attacker,
        ('W', 'H') | ('H', 'M') | ('M', 'W') => Battle::Defender,
        _ => Battle::Nobody,
    }
}

/// The seat a piece belongs to; none for pits and empty cells.
fn owner(piece: char) -> Option<usize> {
    match piece {
        'w' | 'h' | 'm' => Some(0),
        'W' | 'H' | 'M' => Some(1),
        _ => None,
    }
}

impl Wumpus {
    /// Reads `rows side plies`; the plies may be left out.
    pub fn open(position: &str) -> Self {
        let fields: Vec<&str> = position.split_whitespace().collect();
        let seat = SEATS.iter().position(|&name| name == fields[1]).expect("a side");
        let quiet = fields.get(2).map_or(0, |text| text.parse().expect("a number"));
        let mut game = Wumpus { board: read_rows(fields[0]), seat, quiet, history: Vec::new() };
        game.remember();
        game
    }

    fn remember(&mut self) {
        self.history.push(format!("{} {}", write_rows(&self.board), SEATS[self.seat]));
    }

    fn has_pieces(&self, seat: usize) -> bool {
        self.board.iter().flatten().any(|&piece| owner(piece) == Some(seat))
    }
}

impl Naive for Wumpus {
    fn position(&self) -> String {
        format!("{} {} {}", write_rows(&self.board), SEATS[self.seat], self.quiet)
    }

    fn to_move(&self) -> Option<&'static str> {
        self.outcome().is_none().then_some(SEATS[self.seat])
    }

    /// Endless play: the third occurrence of the same position with the same side to move.
    fn outcome(&self) -> Option<Vec<u8>> {
        let repeated = (occurrences(&self.history) >= 3).then(draw);
        self.outcome_without_history().or(repeated)
    }

    /// End: a side without pieces loses, both without is a draw, and so are 100 plies without
    /// the loss of a piece.
    fn outcome_without_history(&self) -> Option<Vec<u8>> {
        match (self.has_pieces(0), self.has_pieces(1)) {
            (false, false) => Some(draw()),
            (true, false) => Some(win(0)),
            (false, true) => Some(win(1)),
            (true, true) => (self.quiet >= 100).then(draw),
        }
    }

    /// Play: one own piece goes one step to any neighbour cell that holds no own piece.
    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.outcome().is_some() {
            return moves;
        }
        for from in cells(&self.board) {
            if at(&self.board, from).and_then(owner) != Some(self.seat) {
                continue;
            }
            for direction in ALL_AROUND {
                let to = step(from, direction, 1);
                let Some(target) = at(&self.board, to) else {
                    continue;
                };
                if owner(target) != Some(self.seat) {
                    moves.push(write_move(from, to));
                }
            }
        }
        sorted(moves)
    }

    /// Play: the piece is lost in a pit, fights an enemy, or simply stands on the target.
    fn play(&mut self, mv: &str) {
        let (from, to) = read_move(mv);
        let piece = at(&self.board, from).expect("a cell of the board");
        let target = at(&self.board, to).expect("a cell of the board");
        put(&mut self.board, from, '.');
        self.quiet = if target == '.' { self.quiet + 1 } else { 0 };
        if target == '.' {
            put(&mut self.board, to, piece);
        } else if target != 'O' {
            match battle(piece, target) {
                Battle::Attacker => put(&mut self.board, to, piece),
                Battle::Defender => {}
                Battle::Nobody => put(&mut self.board, to, '.'),
            }
        }
        self.seat = 1 - self.seat;
        self.remember();
    }
}

/// `row,column-row,column`, counted from 1 at the top left.
fn write_move(from: Cell, to: Cell) -> String {
    format!("{},{}-{},{}", from.0 + 1, from.1 + 1, to.0 + 1, to.1 + 1)
}

fn read_move(text: &str) -> (Cell, Cell) {
    let numbers: Vec<i32> =
        text.split([',', '-']).map(|number| number.parse().expect("a number")).collect();
    ((numbers[0] - 1, numbers[1] - 1), (numbers[2] - 1, numbers[3] - 1))
}
