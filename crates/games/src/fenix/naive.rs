//! The naive twin of Fenix.

use crate::battery::Naive;
use crate::battery::plain::{
    ALL_AROUND, Board, Cell, ORTHOGONAL, at, cells, count, draw, occurrences, put, read_rows,
    read_squares, sorted, square_name, step, win, write_rows,
};

const SEATS: [&str; 2] = ["red", "black"];
const START: &str = "SSSSSS2/SSSSS2s/SSSS2ss/SSS2sss/SS2ssss/S2sssss/2ssssss 0 0 w 00";

/// Plies of the setup, both sides counted.
const SETUP_PLIES: u32 = 10;

/// A position and the boards before it.
#[derive(Clone)]
pub(crate) struct Fenix {
    /// Soldier, general, king: `S G K` are red's, `s g k` black's.
    board: Board,
    /// Plies played.
    turn: u32,
    /// Plies since the last capture, the setup not counted.
    quiet: u32,
    may_create_general: bool,
    may_create_king: bool,
    /// The boards since the last capture, including this one.
    history: Vec<String>,
}

/// A move is its start, its end and the set of captured squares.
struct Move {
    start: Cell,
    end: Cell,
    captured: Vec<Cell>,
}

/// The seat a piece belongs to.
fn owner(piece: char) -> Option<usize> {
    match piece {
        '.' => None,
        _ if piece.is_ascii_uppercase() => Some(0),
        _ => Some(1),
    }
}

/// A soldier is worth 1 unit, a general 2, a king 3.
fn units(piece: char) -> u32 {
    match piece.to_ascii_uppercase() {
        'S' => 1,
        'G' => 2,
        'K' => 3,
        _ => 0,
    }
}

impl Fenix {
    /// Reads `rows turn quiet side flags`, or opens the start.
    pub fn open(position: Option<&str>) -> Self {
        let fields: Vec<&str> = position.unwrap_or(START).split_whitespace().collect();
        let board = read_rows(fields[0]);
        let game = Fenix {
            history: vec![write_rows(&board)],
            board,
            turn: fields[1].parse().expect("a ply"),
            quiet: fields[2].parse().expect("a number of plies"),
            may_create_general: fields[4].starts_with('1'),
            may_create_king: fields[4].ends_with('1'),
        };
        assert_eq!(fields[3], game.side(), "the side agrees with the parity of the ply");
        game
    }

    fn seat(&self) -> usize {
        self.turn as usize % 2
    }

    fn side(&self) -> &'static str {
        ["w", "b"][self.seat()]
    }

    /// The letter of a kind of piece for a seat.
    fn piece(kind: char, seat: usize) -> char {
        if seat == 0 { kind } else { kind.to_ascii_lowercase() }
    }

    fn free(&self, cell: Cell) -> bool {
        at(&self.board, cell) == Some('.')
    }

    /// The mover's pieces with their squares, the kind in upper case.
    fn own_pieces(&self) -> Vec<(Cell, char)> {
        let on = |cell| at(&self.board, cell).expect("a cell of the board");
        let own =
            cells(&self.board).into_iter().filter(|&cell| owner(on(cell)) == Some(self.seat()));
        own.map(|cell| (cell, on(cell).to_ascii_uppercase())).collect()
    }

    /// A soldier goes onto an orthogonally adjacent own piece of kind `onto`.
    fn stackings(&self, onto: char) -> Vec<Move> {
        let target = Fenix::piece(onto, self.seat());
        let mut moves = Vec::new();
        for (start, kind) in self.own_pieces() {
            for direction in ORTHOGONAL {
                let end = step(start, direction, 1);
                if kind == 'S' && at(&self.board, end) == Some(target) {
                    moves.push(Move { start, end, captured: vec![] });
                }
            }
        }
        moves
    }

    /// Setup: a soldier onto a soldier with fewer than 4 generals, onto a general without a king.
    fn setup_moves(&self) -> Vec<Move> {
        let have = |kind| count(&self.board, Fenix::piece(kind, self.seat()));
        let mut moves = Vec::new();
        if have('G') < 4 {
            moves.extend(self.stackings('S'));
        }
        if have('K') == 0 {
            moves.extend(self.stackings('G'));
        }
        moves
    }

    /// Soldier: one step orthogonally. General: any distance orthogonally over empty squares.
    /// King: one step in any of 8 directions.
    fn quiet_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (start, kind) in self.own_pieces() {
            let directions = if kind == 'K' { &ALL_AROUND[..] } else { &ORTHOGONAL[..] };
            let reach = if kind == 'G' { 8 } else { 1 };
            for &direction in directions {
                for distance in 1..=reach {
                    let end = step(start, direction, distance);
                    if !self.free(end) {
                        break;
                    }
                    moves.push(Move { start, end, captured: vec![] });
                }
            }
        }
        moves
    }

    /// The single jumps of a piece from `here`: over what, and onto what. Nothing is taken off the
    /// board during a chain, so the start and the captured pieces are still in the way.
    fn jumps(&self, here: Cell, kind: char, captured: &[Cell]) -> Vec<(Cell, Cell)> {
        let directions = if kind == 'K' { &ALL_AROUND[..] } else { &ORTHOGONAL[..] };
        let mut jumps = Vec::new();
        for &direction in directions {
            let mut over = step(here, direction, 1);
            while kind == 'G' && self.free(over) {
                over = step(over, direction, 1);
            }
            let enemy = at(&self.board, over).and_then(owner) == Some(1 - self.seat());
            if !enemy || captured.contains(&over) {
                continue;
            }
            let mut landing = step(over, direction, 1);
            while self.free(landing) {
                jumps.push((over, landing));
                if kind != 'G' {
                    break;
                }
                landing = step(landing, direction, 1);
            }
        }
        jumps
    }

    /// All chains of a piece, including those that stop early.
    fn chains(
        &self,
        start: Cell,
        here: Cell,
        kind: char,
        captured: &[Cell],
        found: &mut Vec<Move>,
    ) {
        for (over, landing) in self.jumps(here, kind, captured) {
            let captured = [captured, &[over]].concat();
            found.push(Move { start, end: landing, captured: captured.clone() });
            self.chains(start, landing, kind, &captured, found);
        }
    }

    /// Captures: only the chains that take the most units over all own pieces.
    fn captures(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for (start, kind) in self.own_pieces() {
            self.chains(start, start, kind, &[], &mut moves);
        }
        let most = moves.iter().map(|mv| self.units_taken(mv)).max();
        moves.retain(|mv| Some(self.units_taken(mv)) == most);
        moves
    }

    fn units_taken(&self, mv: &Move) -> u32 {
        mv.captured.iter().filter_map(|&cell| at(&self.board, cell)).map(units).sum()
    }

    /// All legal moves, whether or not the game is over: in the setup stackings only; later
    /// captures are mandatory, else steps, and creations right after the loss.
    fn generate(&self) -> Vec<Move> {
        if self.turn < SETUP_PLIES {
            return self.setup_moves();
        }
        let mut moves = self.captures();
        if moves.is_empty() {
            moves = self.quiet_moves();
            if self.may_create_general {
                moves.extend(self.stackings('S'));
            }
            if self.may_create_king {
                moves.extend(self.stackings('G'));
            }
        }
        moves
    }

    /// `a7b7`, and for captures the captured squares in text order: `a7c5xb7,c6`.
    fn write_move(&self, mv: &Move) -> String {
        let name = |&cell: &Cell| square_name(&self.board, cell);
        let mut captured: Vec<String> = mv.captured.iter().map(name).collect();
        captured.sort();
        let text = name(&mv.start) + &name(&mv.end);
        if captured.is_empty() { text } else { text + "x" + &captured.join(",") }
    }

    fn has_pieces(&self, seat: usize) -> bool {
        self.board.iter().flatten().any(|&piece| owner(piece) == Some(seat))
    }
}

impl Naive for Fenix {
    fn position(&self) -> String {
        let (general, king) = (u8::from(self.may_create_general), u8::from(self.may_create_king));
        let (rows, side) = (write_rows(&self.board), self.side());
        format!("{rows} {} {} {side} {general}{king}", self.turn, self.quiet)
    }

    fn to_move(&self) -> Option<&'static str> {
        self.outcome().is_none().then_some(SEATS[self.seat()])
    }

    /// End 1: the fourth occurrence of the same board since the last capture, whoever is to move;
    /// then the other ends.
    fn outcome(&self) -> Option<Vec<u8>> {
        if occurrences(&self.history) >= 4 { Some(draw()) } else { self.outcome_without_history() }
    }

    /// Ends 2 to 6, in this order.
    fn outcome_without_history(&self) -> Option<Vec<u8>> {
        let (mover, last_mover) = (self.seat(), 1 - self.seat());
        let stuck = self.generate().is_empty();
        if self.quiet >= 50 {
            Some(draw())
        } else if self.turn < SETUP_PLIES && stuck {
            Some(win(last_mover))
        } else if self.turn > 10 && count(&self.board, Fenix::piece('K', last_mover)) == 0 {
            Some(win(mover))
        } else if !self.has_pieces(mover) {
            Some(win(last_mover))
        } else if !self.has_pieces(last_mover) {
            Some(win(mover))
        } else if stuck {
            Some(win(last_mover))
        } else {
            None
        }
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        sorted(self.generate().iter().map(|mv| self.write_move(mv)).collect())
    }

    /// A piece that steps onto an own one makes a stack of both. The captured pieces decide what
    /// the opponent may create on the next ply.
    fn play(&mut self, mv: &str) {
        let (path, captured) = mv.split_once('x').unwrap_or((mv, ""));
        let squares = read_squares(&self.board, path);
        let captured = read_squares(&self.board, &captured.replace(',', ""));
        let piece = at(&self.board, squares[0]).expect("a cell of the board");
        let target = at(&self.board, squares[1]).expect("a cell of the board");

        let stack = ['S', 'G', 'K'][(units(piece) + units(target)) as usize - 1];
        let stack = Fenix::piece(stack, self.seat());
        put(&mut self.board, squares[0], '.');
        put(&mut self.board, squares[1], stack);
        self.may_create_general = false;
        self.may_create_king = false;
        for &cell in &captured {
            match at(&self.board, cell) {
                Some('G' | 'g') => self.may_create_general = true,
                Some('K' | 'k') => self.may_create_king = true,
                _ => {}
            }
            put(&mut self.board, cell, '.');
        }

        if !captured.is_empty() {
            self.quiet = 0;
            self.history.clear();
        } else if self.turn >= SETUP_PLIES {
            self.quiet += 1;
        }
        self.turn += 1;
        self.history.push(write_rows(&self.board));
    }
}
