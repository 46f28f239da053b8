//! The geometry of the boards, one shared table per size.

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use agon_core::{Bitboard, Square};

use super::images::Reversible;
use super::races::Races;

/// The supported widths.
pub(super) const WIDTHS: std::ops::RangeInclusive<usize> = 2..=10;
/// The supported heights.
pub(super) const HEIGHTS: std::ops::RangeInclusive<usize> = 4..=10;
/// The rows of the tallest board.
pub(super) const MOST_ROWS: usize = *HEIGHTS.end();

/// A board of one size. A square's index is column + width × row, from white's left corner.
pub struct Board<W> {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Where each side begins.
    pub(super) start: [Bitboard<W>; 2],
    /// The row each side wants to reach.
    pub(super) goal: [Bitboard<W>; 2],
    /// For each side, the squares by their number of rows from its goal.
    pub(super) rows_to_go: [[Bitboard<W>; MOST_ROWS]; 2],
    /// All squares but the leftmost column.
    pub(super) not_left: Bitboard<W>,
    /// All squares but the rightmost column.
    pub(super) not_right: Bitboard<W>,
    /// The leftmost column.
    pub(super) left: Bitboard<W>,
    /// The leftmost and the rightmost column.
    pub(super) edges: Bitboard<W>,
    /// All squares.
    pub(super) squares: Bitboard<W>,
    /// Built on first use: few programs need all boards.
    races: OnceLock<Races<W>>,
}

impl<W: Cells> Board<W> {
    fn new(width: usize, height: usize) -> Board<W> {
        let all = (0..width * height).map(Square::new);
        let set = |fits: &dyn Fn(usize, usize) -> bool| -> Bitboard<W> {
            all.clone().filter(|s| fits(s.index() % width, s.index() / width)).collect()
        };
        Board {
            width,
            height,
            start: [set(&|_, row| row < 2), set(&|_, row| row + 2 >= height)],
            goal: [set(&|_, row| row + 1 == height), set(&|_, row| row == 0)],
            rows_to_go: [
                std::array::from_fn(|rows| set(&|_, row| row + rows + 1 == height)),
                std::array::from_fn(|rows| set(&|_, row| row == rows)),
            ],
            edges: set(&|column, _| column == 0 || column + 1 == width),
            not_left: set(&|column, _| column > 0),
            not_right: set(&|column, _| column + 1 < width),
            left: set(&|column, _| column == 0),
            squares: set(&|_, _| true),
            races: OnceLock::new(),
        }
    }

    /// The tables of races.
    #[inline]
    pub(super) fn races(&self) -> &Races<W> {
        self.races.get_or_init(|| Races::new(self.width, self.height))
    }

    /// The square at a column from the left and a row from white's side, both from 0.
    pub(super) fn square(&self, column: usize, row: usize) -> Square {
        Square::new(row * self.width + column)
    }

    /// The column and row of a square.
    pub(super) fn place(&self, square: Square) -> (usize, usize) {
        (square.index() % self.width, square.index() / self.width)
    }
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
        let fitting = sizes.filter(|(width, height)| width * height <= W::BITS as usize);
        Boards(fitting.map(|(width, height)| Board::new(width, height)).collect())
    }

    /// The board of this size, which must fit the word.
    pub(super) fn get(&self, width: usize, height: usize) -> &Board<W> {
        let found = self.0.iter().find(|board| (board.width, board.height) == (width, height));
        found.expect("the setup was checked against the supported sizes")
    }
}

/// The words that boards are made of.
pub trait Cells: Reversible {
    /// All boards of this word.
    fn boards() -> &'static Boards<Self>;
}

impl Cells for u64 {
    fn boards() -> &'static Boards<u64> {
        static BOARDS: LazyLock<Boards<u64>> = LazyLock::new(Boards::new);
        &BOARDS
    }
}

impl Cells for u128 {
    fn boards() -> &'static Boards<u128> {
        static BOARDS: LazyLock<Boards<u128>> = LazyLock::new(Boards::new);
        &BOARDS
    }
}
