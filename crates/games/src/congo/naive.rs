//! The naive twin of Congo.

use std::collections::BTreeMap;

use crate::battery::Naive;
use crate::battery::plain::{
    ALL_AROUND, Board, Cell, ORTHOGONAL, at, cells, count, draw, occurrences, put, read_rows,
    read_squares, sorted, square_name, step, win, write_rows,
};

const SEATS: [&str; 2] = ["white", "black"];
const START: &str = "gmelecz/ppppppp/7/7/7/PPPPPPP/GMELECZ w 0";

/// Rank 4, in rows from the top.
const RIVER: i32 = 3;

/// A position and the positions before it.
#[derive(Clone)]
pub struct Congo {
    board: Board,
    /// Whether a pawn becomes a superpawn on the last rank.
    promotion: bool,
    /// 0 white (upper case), 1 black (lower case).
    seat: usize,
    /// Goes up after black's move.
    move_number: u32,
    /// Board and side of every position so far, including this one.
    history: Vec<String>,
}

/// The seat a piece belongs to.
fn owner(piece: char) -> Option<usize> {
    match piece {
        '.' => None,
        _ if piece.is_ascii_uppercase() => Some(0),
        _ => Some(1),
    }
}

/// Castles are c1–e3 (white) and c5–e7 (black).
fn in_castle(cell: Cell, seat: usize) -> bool {
    let rows = if seat == 0 { 4..=6 } else { 0..=2 };
    rows.contains(&cell.0) && (2..=4).contains(&cell.1)
}

impl Congo {
    /// Reads a FEN, or opens the start.
    pub fn open(promotion: bool, position: Option<&str>) -> Self {
        let fields: Vec<&str> = position.unwrap_or(START).split_whitespace().collect();
        let mut game = Congo {
            board: read_rows(fields[0]),
            promotion,
            seat: if fields[1].eq_ignore_ascii_case("w") { 0 } else { 1 },
            move_number: fields[2].parse().expect("a move number"),
            history: Vec::new(),
        };
        game.remember();
        game
    }

    fn remember(&mut self) {
        self.history.push(format!("{} {}", write_rows(&self.board), SEATS[self.seat]));
    }

    /// On the board and empty.
    fn free(&self, cell: Cell) -> bool {
        at(&self.board, cell) == Some('.')
    }

    /// On the board and held by the other side.
    fn enemy(&self, cell: Cell) -> bool {
        at(&self.board, cell).and_then(owner) == Some(1 - self.seat)
    }

    /// On the board and not held by the side to move: a piece may move or capture there.
    fn open_to(&self, cell: Cell) -> bool {
        self.free(cell) || self.enemy(cell)
    }

    /// Where a piece may go with an ordinary move; the monkey's captures are not included.
    fn targets(&self, from: Cell, kind: char) -> Vec<Cell> {
        match kind {
            'L' => self.lion(from),
            'Z' => self.zebra(from),
            'E' => self.elephant(from),
            'G' => self.giraffe(from),
            'C' => self.crocodile(from),
            'M' => self.monkey_steps(from),
            'P' => self.pawn(from),
            'S' => self.superpawn(from),
            _ => panic!("no such piece: {kind}"),
        }
    }

    /// Lion: one step in 8 directions inside its own castle; or the enemy lion along a file or a
    /// diagonal that crosses the river with nothing in between.
    fn lion(&self, from: Cell) -> Vec<Cell> {
        let mut targets = self.one_step(from);
        targets.retain(|&to| in_castle(to, self.seat));
        let enemy_lion = if self.seat == 0 { 'l' } else { 'L' };
        let across = if self.seat == 0 { -1 } else { 1 };
        for sideways in [-1, 0, 1] {
            let mut to = step(from, (across, sideways), 1);
            while self.free(to) {
                to = step(to, (across, sideways), 1);
            }
            let crossed = (from.0 > RIVER) != (to.0 > RIVER) && from.0 != RIVER && to.0 != RIVER;
            if at(&self.board, to) == Some(enemy_lion) && crossed {
                targets.push(to);
            }
        }
        targets
    }

    /// One step in 8 directions, moving or capturing.
    fn one_step(&self, from: Cell) -> Vec<Cell> {
        let steps = ALL_AROUND.map(|direction| step(from, direction, 1));
        steps.into_iter().filter(|&to| self.open_to(to)).collect()
    }

    /// Zebra: a chess knight.
    fn zebra(&self, from: Cell) -> Vec<Cell> {
        let jumps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
        let cells = jumps.map(|jump| step(from, jump, 1));
        cells.into_iter().filter(|&to| self.open_to(to)).collect()
    }

    /// Elephant: one or two squares orthogonally, moving or capturing; two is a jump.
    fn elephant(&self, from: Cell) -> Vec<Cell> {
        let mut targets = Vec::new();
        for direction in ORTHOGONAL {
            targets.extend([step(from, direction, 1), step(from, direction, 2)]);
        }
        targets.retain(|&to| self.open_to(to));
        targets
    }

    /// Giraffe: one square in 8 directions without capture, or exactly two (a jump) with or
    /// without capture.
    fn giraffe(&self, from: Cell) -> Vec<Cell> {
        let mut targets = self.monkey_steps(from);
        let jumps = ALL_AROUND.map(|direction| step(from, direction, 2));
        targets.extend(jumps.into_iter().filter(|&to| self.open_to(to)));
        targets
    }

    /// Crocodile: one step in 8 directions; outside the river also along its file towards and
    /// into the river, in the river also along it, like a rook.
    fn crocodile(&self, from: Cell) -> Vec<Cell> {
        let slides = match from.0 {
            RIVER => vec![(0, -1), (0, 1)],
            row if row < RIVER => vec![(1, 0)],
            _ => vec![(-1, 0)],
        };
        let mut targets = self.one_step(from);
        for direction in slides {
            let mut to = step(from, direction, 1);
            while self.free(to) && (to.0 != RIVER || from.0 == RIVER) {
                targets.push(to);
                to = step(to, direction, 1);
            }
            if self.open_to(to) {
                targets.push(to);
            }
        }
        targets
    }

    /// Monkey (and giraffe): one step in 8 directions without capture.
    fn monkey_steps(&self, from: Cell) -> Vec<Cell> {
        let steps = ALL_AROUND.map(|direction| step(from, direction, 1));
        steps.into_iter().filter(|&to| self.free(to)).collect()
    }

    /// Pawn: one step straight or diagonally forward, moving or capturing; beyond the river also
    /// one or two squares straight back.
    fn pawn(&self, from: Cell) -> Vec<Cell> {
        let forward = self.forward();
        let mut targets: Vec<Cell> =
            [-1, 0, 1].map(|sideways| step(from, (forward, sideways), 1)).to_vec();
        targets.retain(|&to| self.open_to(to));
        let beyond = if self.seat == 0 { from.0 < RIVER } else { from.0 > RIVER };
        if beyond {
            targets.extend(self.retreat(from, (-forward, 0)));
        }
        targets
    }

    /// Superpawn: as a pawn, one step sideways, and one or two squares straight or diagonally
    /// back, anywhere on the board.
    fn superpawn(&self, from: Cell) -> Vec<Cell> {
        let mut targets = self.pawn(from);
        targets.extend([(0, -1), (0, 1)].map(|side| step(from, side, 1)));
        targets.retain(|&to| self.open_to(to));
        for sideways in [-1, 0, 1] {
            targets.extend(self.retreat(from, (-self.forward(), sideways)));
        }
        targets
    }

    /// One or two squares in a direction, without capture and without jumping.
    fn retreat(&self, from: Cell, direction: Cell) -> Vec<Cell> {
        let (one, two) = (step(from, direction, 1), step(from, direction, 2));
        match (self.free(one), self.free(two)) {
            (true, true) => vec![one, two],
            (true, false) => vec![one],
            _ => vec![],
        }
    }

    fn forward(&self) -> i32 {
        if self.seat == 0 { -1 } else { 1 }
    }

    /// Monkey: all chains of jumps that go on from the last square of `path`, each as the squares
    /// visited and, in the order of jumping, those captured. `start` counts as empty, jumped pieces
    /// stay as obstacles and can be jumped only once; jumping the lion ends the chain.
    fn monkey_chains(
        &self,
        path: &[Cell],
        captured: &[Cell],
        found: &mut Vec<(Vec<Cell>, Vec<Cell>)>,
    ) {
        let (start, here) = (path[0], path[path.len() - 1]);
        for direction in ALL_AROUND {
            let (over, to) = (step(here, direction, 1), step(here, direction, 2));
            let landing_empty = self.free(to) || to == start;
            if !self.enemy(over) || captured.contains(&over) || !landing_empty {
                continue;
            }
            let path = [path, &[to]].concat();
            let captured = [captured, &[over]].concat();
            found.push((path.clone(), captured.clone()));
            if !matches!(at(&self.board, over), Some('l' | 'L')) {
                self.monkey_chains(&path, &captured, found);
            }
        }
    }

    /// Moves as text: chains with the same from, to and set of captured squares are one move,
    /// written in the alphabetically first way.
    fn monkey_captures(&self, from: Cell) -> Vec<String> {
        let mut chains = Vec::new();
        self.monkey_chains(&[from], &[], &mut chains);
        let mut first_spelling: BTreeMap<(Cell, Vec<Cell>), String> = BTreeMap::new();
        for (path, mut captured) in chains {
            captured.sort();
            let text = self.squares_text(&path);
            let spelling =
                first_spelling.entry((path[path.len() - 1], captured)).or_insert(text.clone());
            if text < *spelling {
                *spelling = text;
            }
        }
        first_spelling.into_values().collect()
    }

    fn squares_text(&self, squares: &[Cell]) -> String {
        squares.iter().map(|&cell| square_name(&self.board, cell)).collect()
    }

    /// All moves of the side to move, whether or not the game is over.
    fn generate(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in cells(&self.board) {
            let piece = at(&self.board, from).expect("a cell of the board");
            if owner(piece) != Some(self.seat) {
                continue;
            }
            let kind = piece.to_ascii_uppercase();
            for to in self.targets(from, kind) {
                moves.push(self.squares_text(&[from, to]));
            }
            if kind == 'M' {
                moves.extend(self.monkey_captures(from));
            }
        }
        sorted(moves)
    }

    /// The river squares with men of the side to move that can drown: all but crocodiles.
    fn in_river(&self) -> Vec<Cell> {
        let river = (0..7).map(|column| (RIVER, column));
        let can_drown = |&cell: &Cell| {
            let piece = at(&self.board, cell).expect("a cell of the board");
            owner(piece) == Some(self.seat) && !piece.eq_ignore_ascii_case(&'C')
        };
        river.filter(can_drown).collect()
    }
}

impl Naive for Congo {
    fn position(&self) -> String {
        let side = if self.seat == 0 { 'w' } else { 'b' };
        format!("{} {side} {}", write_rows(&self.board), self.move_number)
    }

    fn to_move(&self) -> Option<&'static str> {
        self.outcome().is_none().then_some(SEATS[self.seat])
    }

    /// Kept outside the position: a draw after 100 moves of each side and at the third occurrence
    /// of the same board with the same side to move.
    fn outcome(&self) -> Option<Vec<u8>> {
        let plies = self.history.len() - 1;
        let drawn = plies >= 200 || occurrences(&self.history) >= 3;
        self.outcome_without_history().or(drawn.then(draw))
    }

    /// End: a captured lion; only the two lions left; a side to move without a move.
    fn outcome_without_history(&self) -> Option<Vec<u8>> {
        let pieces = self.board.iter().flatten().filter(|&&c| c != '.').count();
        if count(&self.board, 'L') == 0 {
            Some(win(1))
        } else if count(&self.board, 'l') == 0 {
            Some(win(0))
        } else if pieces == 2 {
            Some(draw())
        } else if self.generate().is_empty() {
            Some(win(1 - self.seat))
        } else {
            None
        }
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() { Vec::new() } else { self.generate() }
    }

    /// A pawn on the last rank becomes a superpawn (not in the 2021 edition). River: the mover's
    /// men that were in it before the move and are in it after the move drown, including the one
    /// that moved.
    fn play(&mut self, mv: &str) {
        let path = read_squares(&self.board, mv);
        let (from, to) = (path[0], path[path.len() - 1]);
        let mut piece = at(&self.board, from).expect("a cell of the board");
        let drowning = self.in_river();

        put(&mut self.board, from, '.');
        if piece.eq_ignore_ascii_case(&'M') {
            for hop in path.windows(2) {
                let jumped = ((hop[0].0 + hop[1].0) / 2, (hop[0].1 + hop[1].1) / 2);
                let distance = (hop[0].0 - hop[1].0).abs().max((hop[0].1 - hop[1].1).abs());
                if distance == 2 {
                    put(&mut self.board, jumped, '.');
                }
            }
        }
        match (piece, to.0) {
            ('P', 0) if self.promotion => piece = 'S',
            ('p', 6) if self.promotion => piece = 's',
            _ => {}
        }
        put(&mut self.board, to, piece);

        for cell in drowning {
            let now = if cell == from { to } else { cell };
            if now.0 == RIVER {
                put(&mut self.board, now, '.');
            }
        }
        self.move_number += self.seat as u32;
        self.seat = 1 - self.seat;
        self.remember();
    }
}
