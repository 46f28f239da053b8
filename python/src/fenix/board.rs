//! Fenix as the course's Python code plays it, on any board that somebody may have put together.
//!
//! This is not the game of `agon_games`: that one knows legal positions only, and gives each move
//! once, in its own order. Students change the attributes of a state by hand, and their agents depend
//! on the order of the course's list and on its double entries. So this follows the course's stack of
//! chains step by step, over whatever values stand on whatever squares.

use std::collections::HashMap;

/// Row and column, row 0 on top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Square {
    pub row: i64,
    pub column: i64,
}

/// A way to go: rows down, columns to the right.
type Direction = (i64, i64);

/// The order matters: it is the order of the list. A king goes on with the diagonals.
const ALL_AROUND: [Direction; 8] =
    [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, 1), (1, -1)];
const ORTHOGONAL: &[Direction] = ALL_AROUND.split_at(4).0;

const SOLDIER: u64 = 1;
const GENERAL: u64 = 2;
const KING: u64 = 3;

/// Boards with more squares than this have no array; nobody has them by intention.
const MOST_CELLS: i64 = 1 << 16;

impl Square {
    fn beside(self, (down, right): Direction) -> Square {
        let row = self.row.saturating_add(down);
        Square { row, column: self.column.saturating_add(right) }
    }
}

/// What stands where. A square with value 0 is not an empty one.
pub struct Board {
    rows: i64,
    columns: i64,
    cells: Vec<Option<i64>>,
    /// Pieces that are not in `cells`: off the board, as a rule.
    elsewhere: HashMap<Square, i64>,
}

impl Board {
    pub fn new(rows: i64, columns: i64) -> Board {
        let size = rows.max(0).checked_mul(columns.max(0)).filter(|&size| size <= MOST_CELLS);
        let cells = vec![None; size.unwrap_or(0) as usize];
        Board { rows, columns, cells, elsewhere: HashMap::new() }
    }

    pub fn put(&mut self, square: Square, value: i64) {
        match self.cell(square) {
            Some(cell) => self.cells[cell] = Some(value),
            None => drop(self.elsewhere.insert(square, value)),
        }
    }

    fn get(&self, square: Square) -> Option<i64> {
        match self.cell(square) {
            Some(cell) => self.cells[cell],
            None if self.elsewhere.is_empty() => None,
            None => self.elsewhere.get(&square).copied(),
        }
    }

    fn contains(&self, Square { row, column }: Square) -> bool {
        (0..self.rows).contains(&row) && (0..self.columns).contains(&column)
    }

    fn cell(&self, square: Square) -> Option<usize> {
        let there = self.contains(square) && !self.cells.is_empty();
        there.then(|| (square.row * self.columns + square.column) as usize)
    }

    /// What stands on a square of the board; pieces beside the board are out of the game.
    fn inside(&self, square: Square) -> Option<i64> {
        if self.contains(square) { self.get(square) } else { None }
    }

    fn is_free(&self, square: Square) -> bool {
        self.contains(square) && self.get(square).is_none()
    }
}

/// A piece on its square.
#[derive(Clone, Copy)]
pub struct Piece {
    /// Its number in the order of `pieces`.
    pub number: usize,
    pub square: Square,
    pub value: i64,
}

/// An action: which piece goes where, and what it takes.
pub struct Action {
    pub start: usize,
    pub end: Square,
    pub captured: Vec<Square>,
}

/// A piece that is no soldier, general or king.
pub struct OddPiece(pub Piece);

/// The actions of the setup: a soldier goes onto an own soldier or general beside it.
pub fn setup_actions(
    board: &Board,
    pieces: &[Piece],
    player: i64,
    room_for_general: bool,
    room_for_king: bool,
) -> Vec<Action> {
    let (soldier, general) = (Some(player), player.checked_mul(2));
    let mut found = Vec::new();
    for piece in pieces.iter().filter(|piece| Some(piece.value) == soldier) {
        for &direction in ORTHOGONAL {
            let end = piece.square.beside(direction);
            let onto = board.get(end);
            let stacks = (room_for_general && onto == soldier)
                || (room_for_king && onto.is_some() && onto == general);
            if stacks {
                found.push(Action { start: piece.number, end, captured: Vec::new() });
            }
        }
    }
    found
}

/// After the setup: who moves, and what it may create.
pub struct Mover<'b> {
    pub board: &'b Board,
    pub player: i64,
    pub may_create_general: bool,
    pub may_create_king: bool,
}

/// A piece in the middle of its captures.
struct Chain {
    here: Square,
    captured: Vec<Square>,
    units: u64,
}

/// The actions that take the most so far.
#[derive(Default)]
struct Best {
    units: u64,
    actions: Vec<Action>,
}

impl Mover<'_> {
    /// Everything this player may do, in the course's order: `pieces` wait on a stack, so the last
    /// comes first, and each is followed to the end of its chains before the next. `tick` is called
    /// now and then, and its error ends the search: odd boards can have more chains than anybody
    /// waits for.
    pub fn actions<E: From<OddPiece>>(
        &self,
        pieces: &[Piece],
        mut tick: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<Action>, E> {
        let mut best = Best::default();
        let mut stack = Vec::new();
        let mut steps = 0_u32;
        // Zero belongs to everybody here, and then moves like nothing.
        let own = |piece: &&Piece| piece.value.signum() * self.player.signum() >= 0;
        for &piece in pieces.iter().rev().filter(own) {
            stack.push(Chain { here: piece.square, captured: Vec::new(), units: 0 });
            while let Some(chain) = stack.pop() {
                self.extend(piece, &chain, &mut best, &mut stack)?;
                steps = steps.wrapping_add(1);
                if steps.is_multiple_of(1 << 14) {
                    tick()?;
                }
            }
        }
        Ok(best.actions)
    }

    /// Offers all ways in which a chain can go on, and stacks those that capture.
    fn extend(
        &self,
        piece: Piece,
        chain: &Chain,
        best: &mut Best,
        stack: &mut Vec<Chain>,
    ) -> Result<(), OddPiece> {
        let mut offer = |end: Square, over: Option<Square>| {
            let value = over.and_then(|over| self.board.get(over)).unwrap_or(0);
            let units = chain.units.saturating_add(value.unsigned_abs());
            if units < best.units && over.is_none() {
                return;
            }
            let captured: Vec<Square> = chain.captured.iter().copied().chain(over).collect();
            if units > best.units {
                *best = Best { units, actions: Vec::new() };
            }
            if units == best.units {
                let captured = captured.clone();
                best.actions.push(Action { start: piece.number, end, captured });
            }
            if over.is_some() {
                stack.push(Chain { here: end, captured, units });
            }
        };
        match piece.value.unsigned_abs() {
            SOLDIER => self.steps(chain, ORTHOGONAL, true, &mut offer),
            GENERAL => self.slides(chain, &mut offer),
            KING => self.steps(chain, &ALL_AROUND, false, &mut offer),
            _ => return Err(OddPiece(piece)),
        }
        Ok(())
    }

    /// A soldier or a king: one step, a creation, or a jump over a neighbour.
    fn steps(
        &self,
        chain: &Chain,
        directions: &[Direction],
        creates: bool,
        offer: &mut impl FnMut(Square, Option<Square>),
    ) {
        for &direction in directions {
            let next = chain.here.beside(direction);
            if self.is_enemy(next) {
                let end = next.beside(direction);
                if !chain.captured.contains(&next) && self.board.is_free(end) {
                    offer(end, Some(next));
                }
            } else if chain.captured.is_empty()
                && (self.board.is_free(next) || (creates && self.may_create_on(next)))
            {
                offer(next, None);
            }
        }
    }

    /// A general: as far as the way is free, and beyond one enemy.
    fn slides(&self, chain: &Chain, offer: &mut impl FnMut(Square, Option<Square>)) {
        for &direction in ORTHOGONAL {
            let mut next = chain.here.beside(direction);
            while self.board.is_free(next) {
                if chain.captured.is_empty() {
                    offer(next, None);
                }
                next = next.beside(direction);
            }
            if !self.is_enemy(next) || chain.captured.contains(&next) {
                continue;
            }
            let mut end = next.beside(direction);
            while self.board.is_free(end) {
                offer(end, Some(next));
                end = end.beside(direction);
            }
        }
    }

    fn is_enemy(&self, square: Square) -> bool {
        let value = self.board.inside(square).unwrap_or(0);
        value.signum() * self.player.signum() < 0
    }

    fn may_create_on(&self, square: Square) -> bool {
        match self.board.inside(square).map(i64::unsigned_abs) {
            Some(SOLDIER) => self.may_create_general,
            Some(GENERAL) => self.may_create_king,
            _ => false,
        }
    }
}
