//! The geometry: 7 rows of 8 squares in one word, with steps, slides and rays.

use agon_core::{Bitboard, Square};

/// A set of squares. A square's index is file + 8 × rank, both from 0: a1 is 0, h7 is 55.
pub(super) type Squares = Bitboard<u64>;

/// How many files there are, a to h.
pub(super) const WIDTH: usize = 8;
/// How many ranks there are, 1 to 7.
pub(super) const HEIGHT: usize = 7;

/// All squares.
pub(super) const BOARD: Squares = Bitboard((1 << (WIDTH * HEIGHT)) - 1);
const NOT_FILE_A: Squares = Bitboard(0x00FE_FEFE_FEFE_FEFE);
const NOT_FILE_H: Squares = Bitboard(0x007F_7F7F_7F7F_7F7F);

/// Where the armies begin: red in the corner of a7, black in that of h1.
pub(super) const HOMES: [Squares; 2] = homes();

/// The square at a column from the left and a row from the top, both from 0.
pub(super) const fn square(column: usize, from_top: usize) -> Square {
    Square::new((HEIGHT - 1 - from_top) * WIDTH + column)
}

/// The file and the rank of a square, both from 0.
pub(super) const fn place(square: Square) -> (usize, usize) {
    (square.index() % WIDTH, square.index() / WIDTH)
}

const fn homes() -> [Squares; 2] {
    let (mut red, mut black) = (0, 0);
    let mut index = 0;
    while index < WIDTH * HEIGHT {
        let (column, row) = (index % WIDTH, HEIGHT - 1 - index / WIDTH);
        if row + column <= 5 {
            red |= 1 << index;
        } else if row + column >= 8 {
            black |= 1 << index;
        }
        index += 1;
    }
    [Bitboard(red), Bitboard(black)]
}

/// A direction on the board; the first four lead to higher indices, the others are their
/// opposites in the same order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    East,
    North,
    NorthEast,
    NorthWest,
    West,
    South,
    SouthWest,
    SouthEast,
}

use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};

/// The directions of soldiers and generals.
pub(super) const ORTHOGONAL: [Direction; 4] = [East, North, West, South];
/// The directions only a king can use.
pub(super) const DIAGONAL: [Direction; 4] = [NorthEast, NorthWest, SouthWest, SouthEast];

impl Direction {
    const ALL: [Direction; 8] =
        [East, North, NorthEast, NorthWest, West, South, SouthWest, SouthEast];

    /// The opposite direction.
    #[inline]
    pub(super) const fn opposite(self) -> Direction {
        Direction::ALL[self as usize ^ 4]
    }

    /// How many files to the right and ranks upwards a step goes.
    const fn offsets(self) -> (i32, i32) {
        match self {
            East => (1, 0),
            North => (0, 1),
            NorthEast => (1, 1),
            NorthWest => (-1, 1),
            West => (-1, 0),
            South => (0, -1),
            SouthWest => (-1, -1),
            SouthEast => (1, -1),
        }
    }

    /// The set shifted by one step; squares shifted off the board are dropped.
    #[inline(always)]
    pub(super) fn step(self, set: Squares) -> Squares {
        match self {
            East => (set & NOT_FILE_H) << 1,
            North => (set << 8) & BOARD,
            NorthEast => (set << 9) & NOT_FILE_A,
            NorthWest => (set << 7) & NOT_FILE_H,
            West => (set & NOT_FILE_A) >> 1,
            South => set >> 8,
            SouthWest => (set & NOT_FILE_A) >> 9,
            SouthEast => (set & NOT_FILE_H) >> 7,
        }
    }

    /// The empty squares that sliders reach in this direction (an orthogonal one), by doubling
    /// the distance three times.
    #[inline(always)]
    pub(super) fn slide(self, sliders: Squares, empty: Squares) -> Squares {
        let shift = |set: Squares, steps: u32| match self {
            East => set << steps,
            North => set << (8 * steps),
            West => set >> steps,
            _ => set >> (8 * steps),
        };
        // Mask out wrap-around from one edge to the other.
        let mut open = match self {
            East => empty & NOT_FILE_A,
            West => empty & NOT_FILE_H,
            _ => empty,
        };
        let mut reached = sliders | (open & shift(sliders, 1));
        open &= shift(open, 1);
        reached |= open & shift(reached, 2);
        open &= shift(open, 2);
        reached |= open & shift(reached, 4);
        reached & empty
    }

    /// All squares from `square` to the edge, excluding `square` itself.
    #[inline(always)]
    pub(super) fn ray(self, square: Square) -> Squares {
        RAYS[self as usize][square.index() % 64]
    }

    /// The first square of `set` on the way from `square`.
    #[inline(always)]
    pub(super) fn first_met(self, square: Square, set: Squares) -> Option<Square> {
        let met = self.ray(square) & set;
        let upwards = (self as usize) < 4;
        match upwards {
            true => met.first(),
            false => met.any().then(|| Square::new(63 - met.0.leading_zeros() as usize)),
        }
    }
}

static RAYS: [[Squares; 64]; 8] = rays();

const fn rays() -> [[Squares; 64]; 8] {
    let mut rays = [[Bitboard(0); 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (right, up) = Direction::ALL[direction].offsets();
        let mut index = 0;
        while index < WIDTH * HEIGHT {
            let (mut file, mut rank) = ((index % WIDTH) as i32, (index / WIDTH) as i32);
            let mut ray = 0u64;
            loop {
                (file, rank) = (file + right, rank + up);
                if file < 0 || rank < 0 || file >= WIDTH as i32 || rank >= HEIGHT as i32 {
                    break;
                }
                ray |= 1 << (rank * WIDTH as i32 + file);
            }
            rays[direction][index] = Bitboard(ray);
            index += 1;
        }
        direction += 1;
    }
    rays
}

/// The neighbours a soldier on this square may jump: those with a square right behind them.
#[inline]
pub(super) fn soldier_hops(square: Square) -> Squares {
    SOLDIER_HOPS[square.index() % 64]
}

/// The neighbours a king on this square may jump: those with a square right behind them.
#[inline]
pub(super) fn king_hops(square: Square) -> Squares {
    KING_HOPS[square.index() % 64]
}

/// Where a jump from `square` over its neighbour `over` lands.
#[inline]
pub(super) fn behind(square: Square, over: Square) -> Square {
    Square::new(2 * over.index() - square.index())
}

static SOLDIER_HOPS: [Squares; 64] = hops(false);
static KING_HOPS: [Squares; 64] = hops(true);

const fn hops(diagonal_too: bool) -> [Squares; 64] {
    let mut hops = [Bitboard(0); 64];
    let mut index = 0;
    while index < WIDTH * HEIGHT {
        let mut direction = 0;
        while direction < 8 {
            let (right, up) = Direction::ALL[direction].offsets();
            let (file, rank) = ((index % WIDTH) as i32, (index / WIDTH) as i32);
            let (far_file, far_rank) = (file + 2 * right, rank + 2 * up);
            let on_board = far_file >= 0
                && far_rank >= 0
                && far_file < WIDTH as i32
                && far_rank < HEIGHT as i32;
            if on_board && (diagonal_too || right == 0 || up == 0) {
                hops[index].0 |= 1 << ((rank + up) * WIDTH as i32 + file + right);
            }
            direction += 1;
        }
        index += 1;
    }
    hops
}
