//! The geometry of the boards, one shared table per size, and the pits placed by a seed.

use std::fmt;
use std::sync::LazyLock;

use agon_core::{Bitboard, Rng, Square, U256, Word};

use super::{ADVERSARY, AGENT, PieceKind};

/// The supported sizes.
pub(super) const SIZES: [usize; 5] = [3, 6, 9, 12, 15];

/// A board of one size. A square's index is column + [`Cells::STRIDE`] × row, from the top left;
/// the stride is larger than any board of its word, so that a step over the edge never hits a cell.
pub struct Board<W> {
    pub(super) size: usize,
    /// All cells.
    pub(super) cells: Bitboard<W>,
    /// The first and last row and column.
    pub(super) edge: Bitboard<W>,
    /// For each of [`Cells::STEPS`]: the cells from which that step stays on the board.
    pub(super) steps_from: [Bitboard<W>; 4],
    /// Where each side begins.
    pub(super) start: [Bitboard<W>; 2],
    /// Where each kind begins, both sides together.
    pub(super) start_kinds: [Bitboard<W>; 3],
}

impl<W: Cells> Board<W> {
    fn new(size: usize) -> Board<W> {
        let set = |fits: &dyn Fn(usize, usize) -> bool| -> Bitboard<W> {
            let places = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
            let fitting = places.filter(|&(row, column)| fits(row, column));
            fitting.map(|(row, column)| square::<W>(row, column)).collect()
        };
        let cells = set(&|_, _| true);
        let is_home = |row: usize| row == 0 || row + 1 == size;
        let mut start = [Bitboard::EMPTY; 2];
        start[AGENT.index()] = set(&|row, _| row == 0);
        start[ADVERSARY.index()] = set(&|row, _| row + 1 == size);
        Board {
            size,
            cells,
            edge: set(&|row, column| is_home(row) || is_home(column)),
            steps_from: W::STEPS.map(|step| cells & (cells >> step)),
            start,
            start_kinds: PieceKind::ALL
                .map(|kind| set(&|row, column| is_home(row) && column % 3 == kind.index())),
        }
    }

    /// The cell at a row from the top and a column from the left, both from 0.
    pub(super) fn square(&self, row: usize, column: usize) -> Square {
        debug_assert!(row < self.size && column < self.size);
        square::<W>(row, column)
    }

    /// The row and column of a cell, both from 0.
    pub(super) fn place(&self, square: Square) -> (usize, usize) {
        (square.index() / W::STRIDE, square.index() % W::STRIDE)
    }

    /// The pits of a seed: every inner row gets size / 3 − 1 of them.
    ///
    /// Frozen, so that a seed always means the same board. One [`Rng`] with the seed serves row
    /// after row from the second to the second-to-last. A row's pits come from a list of its
    /// columns in order: for `i` = 0, 1, … a number `j` below size − `i` is drawn, entries `i` and
    /// `i` + `j` are swapped, and entry `i` is the next pit. Drawing a number below `n` takes
    /// outputs of the generator until one, `x`, is below the largest multiple of `n` that is at
    /// most 2⁶⁴ − 1; the number is `x` mod `n`.
    pub(super) fn pits_of_seed(&self, seed: u64) -> Bitboard<W> {
        let mut rng = Rng::new(seed);
        let mut pits = Bitboard::EMPTY;
        for row in 1..self.size - 1 {
            let mut columns: Vec<usize> = (0..self.size).collect();
            for i in 0..self.size / 3 - 1 {
                let j = draw(&mut rng, (self.size - i) as u64) as usize;
                columns.swap(i, i + j);
                pits.insert(self.square(row, columns[i]));
            }
        }
        pits
    }
}

/// A uniformly random number below `bound`.
fn draw(rng: &mut Rng, bound: u64) -> u64 {
    let limit = u64::MAX - u64::MAX % bound;
    loop {
        let output = rng.next_u64();
        if output < limit {
            return output % bound;
        }
    }
}

fn square<W: Cells>(row: usize, column: usize) -> Square {
    Square::new(row * W::STRIDE + column)
}

/// Boards are shared: two are equal if their sizes are.
impl<W> PartialEq for Board<W> {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
    }
}

impl<W> Eq for Board<W> {}

impl<W> fmt::Debug for Board<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.size, self.size)
    }
}

/// All boards that fit a word.
pub struct Boards<W>(Vec<Board<W>>);

impl<W: Cells> Boards<W> {
    fn new() -> Self {
        let fitting = SIZES.into_iter().filter(|&size| size < W::STRIDE);
        Boards(fitting.map(Board::new).collect())
    }

    /// The board of this size, which must fit the word.
    pub(super) fn get(&self, size: usize) -> &Board<W> {
        let found = self.0.iter().find(|board| board.size == size);
        found.expect("the setup was checked against the supported sizes")
    }
}

/// The words that boards are made of.
pub trait Cells: Word {
    /// How far apart two neighbours of a column are: more than the width of any board. The same
    /// for all boards of a word, so that every shift is by a constant.
    const STRIDE: usize;

    /// The steps to the four neighbours with a higher index; the other four are their reverse.
    const STEPS: [u32; 4] =
        [1, Self::STRIDE as u32 - 1, Self::STRIDE as u32, Self::STRIDE as u32 + 1];

    /// All boards of this word.
    fn boards() -> &'static Boards<Self>;
}

impl Cells for u64 {
    const STRIDE: usize = 7;

    fn boards() -> &'static Boards<u64> {
        static BOARDS: LazyLock<Boards<u64>> = LazyLock::new(Boards::new);
        &BOARDS
    }
}

impl Cells for u128 {
    const STRIDE: usize = 10;

    fn boards() -> &'static Boards<u128> {
        static BOARDS: LazyLock<Boards<u128>> = LazyLock::new(Boards::new);
        &BOARDS
    }
}

impl Cells for U256 {
    const STRIDE: usize = 16;

    fn boards() -> &'static Boards<U256> {
        static BOARDS: LazyLock<Boards<U256>> = LazyLock::new(Boards::new);
        &BOARDS
    }
}
