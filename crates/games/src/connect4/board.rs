//! The geometry of the boards, one shared table per size.
//!
//! The bits of a column are consecutive, from the bottom up, with one more above the top row that
//! is never set. It keeps the columns apart: four in a row, in any direction, are four equal shifts,
//! and the lowest empty cells of all columns come out of one addition.

use std::fmt;
use std::ops::{Add, RangeInclusive, Sub};
use std::sync::LazyLock;

use agon_core::{Bitboard, Square, Word};

/// The supported widths.
pub(super) const WIDTHS: RangeInclusive<usize> = 4..=9;
/// The supported heights.
pub(super) const HEIGHTS: RangeInclusive<usize> = 4..=8;

/// A board of one size. A cell's index is row + (height + 1) × column, from the bottom left.
pub struct Board<W> {
    pub(super) width: usize,
    pub(super) height: usize,
    /// All cells.
    pub(super) cells: Bitboard<W>,
    /// The bottom row.
    pub(super) bottom: Bitboard<W>,
    /// The top row.
    pub(super) top: Bitboard<W>,
    /// The leftmost column with the bit above it.
    pub(super) left: Bitboard<W>,
    /// The cells in odd rows, counted from 1 at the bottom.
    pub(super) odd_rows: Bitboard<W>,
    /// How far apart the cells of a line are: upwards, to the right, and along both diagonals.
    pub(super) steps: [u32; 4],
    /// How many lines of four there are through each cell.
    pub(super) lines: [u8; 128],
}

impl<W: Cells> Board<W> {
    fn new(width: usize, height: usize) -> Board<W> {
        let stride = height + 1;
        let set = |fits: &dyn Fn(usize, usize) -> bool| -> Bitboard<W> {
            let all = (0..width * stride).map(Square::new);
            all.filter(|s| fits(s.index() / stride, s.index() % stride)).collect()
        };
        Board {
            width,
            height,
            cells: set(&|_, row| row < height),
            bottom: set(&|_, row| row == 0),
            top: set(&|_, row| row + 1 == height),
            left: set(&|column, _| column == 0),
            odd_rows: set(&|_, row| row < height && row % 2 == 0),
            steps: [1, stride as u32, stride as u32 - 1, stride as u32 + 1],
            lines: std::array::from_fn(|index| lines_through(width, height, index)),
        }
    }

    /// All cells of the columns whose top cells are given.
    #[inline]
    pub(super) fn columns(&self, tops: Bitboard<W>) -> Bitboard<W> {
        Bitboard((tops << 1).0 - (tops >> (self.height as u32 - 1)).0)
    }

    /// Whether the bits of a board of this size fit a word.
    pub(super) fn fits(width: usize, height: usize) -> bool {
        width * (height + 1) <= W::BITS as usize
    }

    /// The bits from one column to the next.
    #[inline]
    pub(super) fn stride(&self) -> usize {
        self.height + 1
    }

    /// The cell at a column from the left and a row from the bottom, both from 0.
    pub(super) fn square(&self, column: usize, row: usize) -> Square {
        Square::new(column * self.stride() + row)
    }

    /// The column and row of a cell.
    pub(super) fn place(&self, square: Square) -> (usize, usize) {
        (square.index() / self.stride(), square.index() % self.stride())
    }
}

/// How many lines of four go through the cell with this index; none through what is no cell.
fn lines_through(width: usize, height: usize, index: usize) -> u8 {
    let (column, row) = ((index / (height + 1)) as i32, (index % (height + 1)) as i32);
    let is_cell = |column: i32, row: i32| {
        (0..width as i32).contains(&column) && (0..height as i32).contains(&row)
    };
    let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
    let lines = directions.into_iter().flat_map(|(right, up)| {
        (0..4).filter(move |place| {
            (0..4).all(|n| is_cell(column + (n - place) * right, row + (n - place) * up))
        })
    });
    lines.count() as u8
}

/// Boards are shared: two are equal if their sizes are.
impl<W> PartialEq for Board<W> {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height) == (other.width, other.height)
    }
}

impl<W> Eq for Board<W> {}

impl<W> fmt::Debug for Board<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// All boards that fit a word.
pub struct Boards<W>(Vec<Board<W>>);

impl<W: Cells> Boards<W> {
    fn new() -> Self {
        let sizes = WIDTHS.flat_map(|width| HEIGHTS.map(move |height| (width, height)));
        let fitting = sizes.filter(|&(width, height)| Board::<W>::fits(width, height));
        Boards(fitting.map(|(width, height)| Board::new(width, height)).collect())
    }

    /// The board of this size, which must fit the word.
    pub(super) fn get(&self, width: usize, height: usize) -> &Board<W> {
        let found = self.0.iter().find(|board| (board.width, board.height) == (width, height));
        found.expect("the setup was checked against the supported sizes")
    }
}

/// The words that boards are made of.
pub trait Cells: Word + Add<Output = Self> + Sub<Output = Self> {
    /// All boards of this word.
    fn boards() -> &'static Boards<Self>;
    /// The two halves of the word, the lower one first.
    fn halves(self) -> [u64; 2];
}

impl Cells for u64 {
    fn boards() -> &'static Boards<u64> {
        static BOARDS: LazyLock<Boards<u64>> = LazyLock::new(Boards::new);
        &BOARDS
    }

    #[inline]
    fn halves(self) -> [u64; 2] {
        [self, 0]
    }
}

impl Cells for u128 {
    fn boards() -> &'static Boards<u128> {
        static BOARDS: LazyLock<Boards<u128>> = LazyLock::new(Boards::new);
        &BOARDS
    }

    #[inline]
    fn halves(self) -> [u64; 2] {
        [self as u64, (self >> 64) as u64]
    }
}
