//! Fenix as the course's Python code plays it, on any board that somebody may have constructed.
//!
//! This is not the game of `agon_games`: that one only has legal positions, and lists each move
//! once, in its own order. Students change the attributes of a state by hand, and their agents
//! depend on the order of the course's list and on its duplicates. So this follows the course's
//! stack of chains step by step, with any values on any squares.

/// Row and column, row 0 on top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Square {
    pub row: i64,
    pub column: i64,
}

/// A piece on its square.
#[derive(Clone, Copy)]
pub struct Piece {
    pub square: Square,
    pub value: i64,
}

/// An action: which piece goes where, and what it takes.
pub struct Action {
    pub start: Square,
    pub end: Square,
    pub captured: Vec<Square>,
}

/// A piece that is not a soldier, general or king.
pub(crate) struct OddPiece(pub Piece);

/// The order matters: it is the order of the list. The diagonals are for kings.
const ALL_AROUND: [(i64, i64); 8] =
    [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, 1), (1, -1)];
const ORTHOGONAL: usize = 4;

const SOLDIER: u64 = 1;
const GENERAL: u64 = 2;
const KING: u64 = 3;

/// Squares around the board that are part of the arrays. A piece beside the board may step or jump
/// onto it, so a step from there must not lead out of the arrays.
const MARGIN: i64 = 2;

/// Boards with more squares than this must be a mistake.
const MOST_SQUARES: i64 = 1 << 20;

/// The number of rows and columns, small enough for arrays.
#[derive(Clone, Copy)]
pub struct Size {
    rows: i64,
    columns: i64,
}

impl Size {
    /// `None` for unreasonable sizes. A board without any rows or columns is allowed.
    pub fn new((rows, columns): (i64, i64)) -> Option<Size> {
        let (rows, columns) = (rows.max(0), columns.max(0));
        let (wide, high) = (rows.checked_add(2 * MARGIN)?, columns.checked_add(2 * MARGIN)?);
        let fits = wide.checked_mul(high)? <= MOST_SQUARES;
        fits.then_some(Size { rows, columns })
    }

    fn contains(self, Square { row, column }: Square) -> bool {
        (0..self.rows).contains(&row) && (0..self.columns).contains(&column)
    }

    /// The length of a row in the arrays.
    fn stride(self) -> i64 {
        self.columns + 2 * MARGIN
    }

    /// The index of a square in the arrays; `None` if it is too far off to reach the board.
    fn place(self, Square { row, column }: Square) -> Option<usize> {
        let near = (-1..=self.rows).contains(&row) && (-1..=self.columns).contains(&column);
        near.then(|| ((row + MARGIN) * self.stride() + column + MARGIN) as usize)
    }

    fn square(self, place: usize) -> Square {
        let (place, stride) = (place as i64, self.stride());
        Square { row: place / stride - MARGIN, column: place % stride - MARGIN }
    }
}

/// The actions of the setup: a soldier goes onto an own soldier or general beside it. As in the
/// course's code, this does not check whether a square is on the board.
pub(crate) fn setup_actions(
    pieces: &[Piece],
    player: i64,
    room_for_general: bool,
    room_for_king: bool,
) -> Vec<Action> {
    let soldier = Some(player);
    let general = player.checked_mul(2);
    let there = Lookup::new(pieces);
    let mut found = Vec::new();
    for piece in pieces.iter().filter(|piece| piece.value == player) {
        let start = piece.square;
        for &(down, right) in &ALL_AROUND[..ORTHOGONAL] {
            let row = start.row.saturating_add(down);
            let end = Square { row, column: start.column.saturating_add(right) };
            let onto = there.value(end);
            let stacks = (room_for_general && onto == soldier)
                || (room_for_king && onto.is_some() && onto == general);
            if stacks {
                found.push(Action { start, end, captured: Vec::new() });
            }
        }
    }
    found
}

/// What stands on any square, on the board or off it.
struct Lookup<'p> {
    pieces: &'p [Piece],
    /// The squares of eight rows and columns, for direct lookup.
    usual: [Option<i64>; 64],
}

impl Lookup<'_> {
    fn new(pieces: &[Piece]) -> Lookup<'_> {
        let mut lookup = Lookup { pieces, usual: [None; 64] };
        for piece in pieces {
            if let Some(place) = Lookup::place(piece.square) {
                lookup.usual[place] = Some(piece.value);
            }
        }
        lookup
    }

    fn place(Square { row, column }: Square) -> Option<usize> {
        let usual = (0..8).contains(&row) && (0..8).contains(&column);
        usual.then_some((8 * row + column) as usize)
    }

    fn value(&self, square: Square) -> Option<i64> {
        match Lookup::place(square) {
            Some(place) => self.usual[place],
            None => self.pieces.iter().find(|piece| piece.square == square).map(|p| p.value),
        }
    }
}

/// What a square is to the player who moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    OffBoard,
    Free,
    Enemy,
    /// An own piece: stepping onto it may be a creation, or illegal.
    Soldier,
    General,
    Other,
}

/// After the setup: the board from the mover's point of view.
pub(crate) struct Mover {
    size: Size,
    player: i64,
    may_create_general: bool,
    may_create_king: bool,
    marks: Vec<Mark>,
    values: Vec<i64>,
    /// The offsets from an index to its neighbours.
    ways: [isize; ALL_AROUND.len()],
}

/// A piece in the middle of its captures.
struct Chain {
    here: usize,
    captured: Vec<usize>,
    units: u64,
}

/// The ends of the chains that capture the most so far.
#[derive(Default)]
struct Best {
    units: u64,
    actions: Vec<Action>,
}

impl Mover {
    pub fn new(size: Size, pieces: &[Piece], player: i64, rights: (bool, bool)) -> Mover {
        let stride = size.stride();
        let places = ((size.rows + 2 * MARGIN) * stride) as usize;
        let mut mover = Mover {
            size,
            player,
            may_create_general: rights.0,
            may_create_king: rights.1,
            marks: vec![Mark::OffBoard; places],
            values: vec![0; places],
            ways: ALL_AROUND.map(|(down, right)| (down * stride + right) as isize),
        };
        for row in 0..size.rows {
            let start = ((row + MARGIN) * stride + MARGIN) as usize;
            mover.marks[start..start + size.columns as usize].fill(Mark::Free);
        }
        for piece in pieces.iter().filter(|piece| size.contains(piece.square)) {
            let place = size.place(piece.square).expect("a square of the board");
            mover.marks[place] = mover.mark(piece.value);
            mover.values[place] = piece.value;
        }
        mover
    }

    fn mark(&self, value: i64) -> Mark {
        match value.unsigned_abs() {
            _ if !self.owns(value) => Mark::Enemy,
            SOLDIER => Mark::Soldier,
            GENERAL => Mark::General,
            _ => Mark::Other,
        }
    }

    /// As in the course's code, zero belongs to everybody, but cannot move.
    fn owns(&self, value: i64) -> bool {
        value.signum() * self.player.signum() >= 0
    }

    /// Everything this player may do, in the course's order: `pieces` are on a stack, so the last
    /// comes first, and each is followed to the end of its chains before the next. `tick` is called
    /// now and then, and its error ends the search: odd boards can have too many chains to wait
    /// for.
    pub fn actions<E: From<OddPiece>>(
        &self,
        pieces: &[Piece],
        mut tick: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<Action>, E> {
        let mut best = Best::default();
        let mut stack = Vec::new();
        let mut count = 0_u32;
        for &piece in pieces.iter().rev().filter(|piece| self.owns(piece.value)) {
            if !(SOLDIER..=KING).contains(&piece.value.unsigned_abs()) {
                return Err(OddPiece(piece).into());
            }
            let Some(here) = self.size.place(piece.square) else { continue };
            stack.push(Chain { here, captured: Vec::new(), units: 0 });
            while let Some(chain) = stack.pop() {
                self.extend(piece, &chain, &mut best, &mut stack);
                count = count.wrapping_add(1);
                if count.is_multiple_of(1 << 14) {
                    tick()?;
                }
            }
        }
        Ok(best.actions)
    }

    /// Offers all continuations of a chain, and pushes those that capture.
    fn extend(&self, piece: Piece, chain: &Chain, best: &mut Best, stack: &mut Vec<Chain>) {
        let mut offer = |end: usize, over: Option<usize>| {
            let Some(over) = over else {
                if best.units == 0 {
                    best.actions.push(self.action(piece, end, &[]));
                }
                return;
            };
            let units = chain.units.saturating_add(self.values[over].unsigned_abs());
            let captured = [&chain.captured[..], &[over]].concat();
            if units > best.units {
                *best = Best { units, actions: Vec::new() };
            }
            if units == best.units {
                best.actions.push(self.action(piece, end, &captured));
            }
            stack.push(Chain { here: end, captured, units });
        };
        match piece.value.unsigned_abs() {
            SOLDIER => self.steps(chain, &self.ways[..ORTHOGONAL], true, &mut offer),
            GENERAL => self.slides(chain, &mut offer),
            _ => self.steps(chain, &self.ways, false, &mut offer),
        }
    }

    fn action(&self, piece: Piece, end: usize, captured: &[usize]) -> Action {
        let captured = captured.iter().map(|&place| self.size.square(place)).collect();
        Action { start: piece.square, end: self.size.square(end), captured }
    }

    /// A soldier or a king: one step, a creation, or a jump over a neighbour.
    fn steps(
        &self,
        chain: &Chain,
        ways: &[isize],
        creates: bool,
        offer: &mut impl FnMut(usize, Option<usize>),
    ) {
        let moves = chain.captured.is_empty();
        for &way in ways {
            let next = chain.here.wrapping_add_signed(way);
            let steps = match self.marks[next] {
                Mark::Free => true,
                Mark::Soldier => creates && self.may_create_general,
                Mark::General => creates && self.may_create_king,
                Mark::OffBoard | Mark::Other => false,
                Mark::Enemy => {
                    let end = next.wrapping_add_signed(way);
                    if self.marks[end] == Mark::Free && !chain.captured.contains(&next) {
                        offer(end, Some(next));
                    }
                    false
                }
            };
            if steps && moves {
                offer(next, None);
            }
        }
    }

    /// A general: as far as the line is empty, and beyond one enemy.
    fn slides(&self, chain: &Chain, offer: &mut impl FnMut(usize, Option<usize>)) {
        let moves = chain.captured.is_empty();
        for &way in &self.ways[..ORTHOGONAL] {
            let mut next = chain.here.wrapping_add_signed(way);
            while self.marks[next] == Mark::Free {
                if moves {
                    offer(next, None);
                }
                next = next.wrapping_add_signed(way);
            }
            if self.marks[next] != Mark::Enemy || chain.captured.contains(&next) {
                continue;
            }
            let mut end = next.wrapping_add_signed(way);
            while self.marks[end] == Mark::Free {
                offer(end, Some(next));
                end = end.wrapping_add_signed(way);
            }
        }
    }
}
