//! The evaluation with fitted weights.
//!
//! Near the end, a player must fill a column below a cell that the opponent waits for. Who that is
//! depends on the number of cells left, and so on whether the row of such a cell is odd or even:
//! each side has weights of its own for them.

use agon_core::tuning::{Tally, Weighted, read_weights};
use agon_core::{Bitboard, Seat, Tunable};

use super::board::{Board, Cells};
use super::moves::completions;
use super::{Connect4, O, X};

/// Lines of four with three discs of one side and an empty cell; then with two, and with one.
const LINES: usize = 0;
/// Empty cells that complete four for X, in odd rows (counted from 1) and in even ones.
const X_WAITS: usize = 3;
/// The same for O.
const O_WAITS: usize = 5;
/// Two such cells of one side on top of each other.
const STACKED: usize = 7;
/// Such cells that can be played at once: the side to move must take that of the other side.
const URGENT: usize = 8;
/// Being on the move.
const TEMPO: usize = 9;
/// How many features there are.
pub(super) const FEATURES: usize = 10;

#[rustfmt::skip]
const NAMES: [&str; FEATURES] = [
    "lines_3", "lines_2", "lines_1", "x_odd", "x_even", "o_odd", "o_even", "stacked", "urgent",
    "tempo",
];

static WEIGHTS: [i32; FEATURES] = read_weights(include_str!("tuned.txt"), &NAMES);

impl<W: Cells> Tunable for Connect4<W> {
    const FEATURES: &'static [&'static str] = &NAMES;
    const WEIGHTS: &'static [i32] = &WEIGHTS;

    #[inline]
    fn tally<T: Tally>(&self, tally: &mut T) {
        let (x, o) = (self.discs(X), self.discs(O));
        self.tally_side(x, X_WAITS, 1, tally);
        self.tally_side(o, O_WAITS, -1, tally);
        tally.add(TEMPO, if self.turn == X { 1 } else { -1 });
    }
}

/// The value of the evaluation `tuned` for a seat.
pub(super) fn tuned<W: Cells>(position: &Connect4<W>, seat: Seat) -> i32 {
    let mut tally = Weighted::new(&WEIGHTS);
    position.tally(&mut tally);
    if seat == X { tally.sum() } else { -tally.sum() }
}

impl<W: Cells> Connect4<W> {
    /// Adds the features of one side, which count with this sign.
    #[inline]
    fn tally_side<T: Tally>(&self, discs: Bitboard<W>, waits: usize, sign: i32, tally: &mut T) {
        let board = self.board;
        let empty = board.cells - self.all;
        let mut add = |feature: usize, count: u32| tally.add(feature, sign * count as i32);
        let [one, two, three] = open_lines(board, discs, empty);
        add(LINES, three);
        add(LINES + 1, two);
        add(LINES + 2, one);
        let wins = completions(board, discs) & empty;
        add(waits, (wins & board.odd_rows).len());
        add(waits + 1, (wins - board.odd_rows).len());
        add(STACKED, (wins & wins >> 1).len());
        add(URGENT, (wins & self.playable()).len());
    }
}

/// How many lines of four have one, two and three discs of a side, and none of the other.
#[inline]
fn open_lines<W: Cells>(board: &Board<W>, discs: Bitboard<W>, empty: Bitboard<W>) -> [u32; 3] {
    let mut found = [0; 3];
    let usable = discs | empty;
    for step in board.steps {
        let open = usable & usable >> step & usable >> (2 * step) & usable >> (3 * step);
        // The discs of all lines at once, added in binary.
        let (a, b) = (discs, discs >> step);
        let (c, d) = (discs >> (2 * step), discs >> (3 * step));
        let odd = a ^ b ^ c ^ d;
        let pairs = (a & b) ^ (c & d) ^ ((a ^ b) & (c ^ d));
        found[0] += (open & (odd - pairs)).len();
        found[1] += (open & (pairs - odd)).len();
        found[2] += (open & odd & pairs).len();
    }
    found
}
