//! The geometry: a star of 73 cells around a blocked centre, and the rhombus inside it.
//!
//! A cell's index is x + 11·y + 63, so that a step in a direction is the same shift everywhere.
//! Rows are wider than 11 where the side corners are, so indices of different rows overlap; still,
//! no shift by one step leads from a cell of the star to one that is not its neighbour (the tests
//! check them all). Hops are safe for the same reason: the space hopped over is a cell.

use std::fmt;

use agon_core::{Bitboard, Seat, Square};

use super::race::Ranking;

/// A set of cells.
pub(super) type Set = Bitboard<u128>;

/// The index offsets for east, north-east and north-west. The other three directions are their
/// opposites.
pub(super) const STEPS: [u32; 3] = [1, 11, 10];

/// The number of indices. Not all of them are cells.
pub(super) const INDICES: usize = 127;

const CENTRE_INDEX: usize = 63;

/// The blocked cell in the middle: always hopped over, never landed on.
pub(super) const CENTRE: Set = Bitboard(1 << CENTRE_INDEX);

/// A cell by its axial coordinates, drawn at (x + y/2, y·√3/2). Ordered by x, then y.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Space {
    /// To the east.
    pub x: i8,
    /// To the north-east.
    pub y: i8,
}

impl Space {
    /// The blocked cell in the middle.
    pub(super) const CENTRE: Space = Space::new(0, 0);

    /// The space at these coordinates, on the board or not.
    pub const fn new(x: i8, y: i8) -> Space {
        Space { x, y }
    }

    const fn is_in_star(self) -> bool {
        let (x, y) = (self.x as i32, self.y as i32);
        let z = -x - y;
        (x <= 3 && y <= 3 && z <= 3) || (x >= -3 && y >= -3 && z >= -3)
    }

    const fn is_in_rhombus(self) -> bool {
        let (x, z) = (self.x as i32, -(self.x as i32) - self.y as i32);
        self.is_in_star() && x >= -3 && x <= 3 && z >= -3 && z <= 3
    }

    /// The square of a cell of the star.
    const fn square(self) -> Square {
        Square::new((self.x as i32 + 11 * self.y as i32 + CENTRE_INDEX as i32) as usize)
    }

    /// Turned by 120° counterclockwise around the centre.
    const fn turned(self) -> Space {
        Space::new(-self.x - self.y, self.x)
    }

    /// The line from here to `to` as a unit step and its length, if it is straight.
    pub(super) fn straight_to(self, to: Space) -> Option<(Space, u8)> {
        let (dx, dy) = (i16::from(to.x) - i16::from(self.x), i16::from(to.y) - i16::from(self.y));
        let straight = dx == 0 || dy == 0 || dx + dy == 0;
        let length = dx.abs().max(dy.abs());
        if !straight || length == 0 {
            return None;
        }
        Some((Space::new(dx.signum() as i8, dy.signum() as i8), length.min(100) as u8))
    }

    /// The neighbour in the direction of a unit step.
    pub(super) fn neighbour(self, unit: Space) -> Space {
        Space::new(self.x + unit.x, self.y + unit.y)
    }
}

/// As written in moves: `[x,y]`.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{},{}]", self.x, self.y)
    }
}

/// A board of one shape.
pub(super) struct Board {
    pub(super) name: &'static str,
    /// Where pegs can stand: all cells except the centre.
    pub(super) spaces: Set,
    /// The ranks of the placements of one player's pegs.
    pub(super) ranking: Ranking,
    /// The number of its table among those of the game.
    pub(super) table: usize,
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.spaces == other.spaces
    }
}

impl Eq for Board {}

impl Board {
    /// The square of a space, if pegs can stand there.
    pub(super) fn square(&self, space: Space) -> Option<Square> {
        let on_board = space.is_in_star() && self.spaces.contains(space.square());
        on_board.then(|| space.square())
    }

    /// The rows from the top, each with its cells from left to right, including the centre.
    pub(super) fn rows(&self) -> impl Iterator<Item = Vec<Space>> {
        let cells = self.spaces | CENTRE;
        (-6..=6).rev().map(move |y| {
            let row = (-6..=6).map(move |x| Space::new(x, y));
            row.filter(|space| space.is_in_star() && cells.contains(space.square())).collect()
        })
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// All 72 spaces.
pub(super) static STAR: Board = board("star", cells(false), 1);

/// The 48 spaces without the side corners.
pub(super) static RHOMBUS: Board = board("rhombus", cells(true), 0);

/// A board with these cells as its spaces.
const fn board(name: &'static str, cells: u128, table: usize) -> Board {
    let spaces = Bitboard(cells);
    Board { name, spaces, ranking: Ranking::of(spaces), table }
}

/// The number of coordinates in the bounding square of the star.
const SQUARE: usize = 13 * 13;

/// The `nth` coordinates in the bounding square of the star.
const fn in_square(nth: usize) -> Space {
    Space::new((nth % 13) as i8 - 6, (nth / 13) as i8 - 6)
}

const fn cells(rhombus: bool) -> u128 {
    let mut set = 0;
    let mut cell = 0;
    while cell < SQUARE {
        let space = in_square(cell);
        if space.is_in_star() && (space.is_in_rhombus() || !rhombus) {
            set |= 1 << space.square().index();
        }
        cell += 1;
    }
    set & !CENTRE.0
}

/// The coordinates of a cell.
pub(super) fn space(square: Square) -> Space {
    SPACES[square.index()]
}

/// The coordinates of every cell by its index.
pub(super) static SPACES: [Space; INDICES] = spaces();

const fn spaces() -> [Space; INDICES] {
    let mut spaces = [Space::CENTRE; INDICES];
    let mut cell = 0;
    while cell < SQUARE {
        let space = in_square(cell);
        if space.is_in_star() {
            spaces[space.square().index()] = space;
        }
        cell += 1;
    }
    spaces
}

/// The cells by the parities of their coordinates. A hop stays in its class and goes over a peg of
/// another class, so chains of pegs in different classes are independent.
pub(super) const CLASSES: [Set; 4] = [class(0), class(1), class(2), class(3)];

const fn class(number: i8) -> Set {
    let mut set = 0;
    let mut index = 0;
    while index < INDICES {
        let Space { x, y } = spaces()[index];
        if (cells(false) | CENTRE.0) >> index & 1 == 1 && (x & 1) + 2 * (y & 1) == number {
            set |= 1 << index;
        }
        index += 1;
    }
    Bitboard(set)
}

/// The neighbours of every cell, as far as they are in the star.
pub(super) static NEIGHBOURS: [Set; INDICES] = neighbours();

const fn neighbours() -> [Set; INDICES] {
    let mut all = [Bitboard(0); INDICES];
    let mut index = 0;
    while index < INDICES {
        let mut way = 0;
        while way < STEPS.len() {
            let cell = 1u128 << index;
            all[index].0 |= (cell << STEPS[way] | cell >> STEPS[way]) & (cells(false) | CENTRE.0);
            way += 1;
        }
        index += 1;
    }
    all
}

/// The number of steps from one cell to another on an empty board.
#[inline]
pub(super) fn distance(from: Square, to: Square) -> i32 {
    i32::from(DISTANCES[from.index()][to.index()])
}

/// The distances between all cells by their indices.
pub(super) static DISTANCES: [[u8; INDICES]; INDICES] = distances();

const fn distances() -> [[u8; INDICES]; INDICES] {
    let spaces = spaces();
    let mut distances = [[0; INDICES]; INDICES];
    let mut pair = 0;
    while pair < INDICES * INDICES {
        let (from, to) = (pair / INDICES, pair % INDICES);
        let (dx, dy) = (spaces[to].x - spaces[from].x, spaces[to].y - spaces[from].y);
        let around = dx.unsigned_abs() + dy.unsigned_abs() + (dx + dy).unsigned_abs();
        distances[from][to] = around / 2;
        pair += 1;
    }
    distances
}

/// The homes of all seats, for two or three players.
pub(super) const fn homes<const SEATS: usize>() -> [Set; SEATS] {
    let mut corner = [
        Space::new(-3, 6),
        Space::new(-3, 5),
        Space::new(-2, 5),
        Space::new(-3, 4),
        Space::new(-2, 4),
        Space::new(-1, 4),
    ];
    let mut homes = [Bitboard(0); SEATS];
    let mut seat = 0;
    while seat < SEATS {
        let mut peg = 0;
        while peg < corner.len() {
            homes[seat].0 |= 1 << corner[peg].square().index();
            corner[peg] = turned(corner[peg], SEATS);
            peg += 1;
        }
        seat += 1;
    }
    homes
}

/// A cell rotated from one seat's corner to the next one's, counterclockwise.
pub(super) const fn turned(space: Space, seats: usize) -> Space {
    if seats == 2 { Space::new(-space.x, -space.y) } else { space.turned() }
}

/// The square of a cell rotated from one seat's corner to the next one's.
pub(super) fn turned_square(square: Square, seats: usize) -> Square {
    turned(space(square), seats).square()
}

/// The cells opposite these. The start corner is opposite the home.
pub(super) const fn opposite(set: Set) -> Set {
    Bitboard(set.0.reverse_bits() >> (128 - INDICES))
}

/// Pegs mirrored in the line from the outermost space of the first seat's home to the opposite one.
#[inline]
pub(super) fn mirrored(pegs: Set) -> Set {
    pegs.into_iter().fold(Bitboard::EMPTY, |set, peg| set | MIRRORED[peg.index()].into())
}

static MIRRORED: [Square; INDICES] = mirrored_squares();

const fn mirrored_squares() -> [Square; INDICES] {
    let mut squares = [Square::new(0); INDICES];
    let mut index = 0;
    while index < INDICES {
        let Space { x, y } = SPACES[index];
        squares[index] = Space::new(-x - y, y).square();
        index += 1;
    }
    squares
}

/// The three coordinates of a cell: in each, the cell hopped over lies between the ends of the hop.
pub(super) const HEX_AXES: [fn(Square) -> i8; 3] = [
    |square| space(square).x,
    |square| space(square).y,
    |square| space(square).x + space(square).y,
];

/// Pegs from the point of view of `seat`: rotated so that its corner becomes the first seat's.
#[inline]
pub(super) fn in_first_frame<const SEATS: usize>(pegs: Set, seat: Seat) -> Set {
    match (SEATS, seat) {
        (_, Seat::FIRST) => pegs,
        (2, _) => opposite(pegs),
        _ => {
            let turned = &TURNED_TO_FIRST[seat.index()];
            pegs.into_iter().fold(Bitboard::EMPTY, |set, peg| set | turned[peg.index()].into())
        }
    }
}

/// For each of three seats, the image of every cell when its corner is rotated to the first seat's.
static TURNED_TO_FIRST: [[Square; INDICES]; 3] = turned_to_first();

const fn turned_to_first() -> [[Square; INDICES]; 3] {
    let mut squares = [[Square::new(0); INDICES]; 3];
    let mut index = 0;
    while index < INDICES {
        let mut space = SPACES[index];
        let mut seat = 3;
        while seat > 0 {
            seat -= 1;
            space = space.turned();
            squares[seat][index] = space.square();
        }
        index += 1;
    }
    squares
}
