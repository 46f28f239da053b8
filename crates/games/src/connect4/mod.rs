//! Connect Four on any board from 4×4 to 9×8: discs fall into columns, four in a row win.

mod arrange;
mod board;
mod evaluation;
mod foresight;
mod hints;
mod images;
mod moves;
mod notation;
mod rules;
mod scenarios;
mod scene;
mod tuned;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

use agon_core::sink::GO_ON;
use agon_core::{
    Bitboard, Flow, Game, MoveList, Outcome, Progress, Rng, Seat, Sink, Square, Status, TextError,
    Variant, Which,
};

use crate::books::ShippedOpenings;
use crate::catalog::Visitor;
use crate::form::{Field, FieldKind, Form};
use crate::info::{GameInfo, KnownPerft, VariantInfo};
use board::{Board, Cells};

const X: Seat = Seat::FIRST;
const O: Seat = Seat::SECOND;

/// A position, with cells in `W`, the smallest word the board fits in.
///
/// Discs are stored from the point of view of the side to move: a move swaps the sides and adds a
/// disc, whoever plays it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Connect4<W: Cells> {
    /// The discs of the side to move.
    mine: Bitboard<W>,
    /// All discs.
    all: Bitboard<W>,
    board: &'static Board<W>,
    /// The side to move.
    turn: Seat,
}

/// A move, by the cell where the disc comes to rest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The lowest empty cell of a column.
    pub to: Square,
}

impl<W: Cells> Connect4<W> {
    fn start(width: usize, height: usize) -> Self {
        let board = W::boards().get(width, height);
        Connect4 { mine: Bitboard::EMPTY, all: Bitboard::EMPTY, board, turn: X }
    }

    /// The discs of a side.
    fn discs(&self, seat: Seat) -> Bitboard<W> {
        if seat == self.turn { self.mine } else { self.theirs() }
    }
}

impl<W: Cells> Game for Connect4<W> {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn status(&self) -> Status {
        // The side to move cannot have four: the game would have ended when it got them.
        if moves::has_four(self.board, self.theirs()) {
            let reasons = ["O has four in a row", "X has four in a row"];
            Status::Over(Outcome::loss(self.turn, reasons[self.turn.index()]))
        } else if self.all == self.board.cells {
            Status::Over(self.when_stuck())
        } else {
            Status::ToMove(self.turn)
        }
    }

    #[inline]
    fn generate<S: Sink<Move>>(&self, which: Which, into: &mut S) -> Flow {
        for to in self.targets(which) {
            into.push(Move { to })?;
        }
        GO_ON
    }

    fn when_stuck(&self) -> Outcome {
        Outcome::draw(2, "the board is full")
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        u64::from(self.playable().len())
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Progress {
        debug_assert!(self.playable().contains(mv.to));
        self.mine = self.theirs();
        self.all.insert(mv.to);
        self.turn = self.turn.opponent();
        Progress::Irreversible
    }

    #[inline]
    fn key(&self) -> u64 {
        self.position_key()
    }

    #[inline]
    fn sample(&self, rng: &mut Rng, _: &mut MoveList<Move>) -> Option<Move> {
        let playable = self.playable();
        let count = u64::from(playable.len());
        (count > 0).then(|| Move { to: playable.nth(rng.below(count) as u32) })
    }
}

/// Connect Four in the catalog.
#[derive(Debug)]
pub struct Family;

impl crate::Family for Family {
    const INFO: GameInfo<'static> = GameInfo {
        name: "connect4",
        title: "Connect Four",
        summary: "Discs fall into columns: the first to have four in a row wins.",
        seats: &["x", "o"],
        variants: &[
            VariantInfo { text: "connect4:7x6", about: "the usual board, 7 columns and 6 rows" },
            VariantInfo { text: "connect4:5x4", about: "any size from 4x4 to 9x8" },
        ],
        form: FORM,
        rules: rules::RULES,
        position_notation: "rows from the top with X, O and numbers of empty cells, then x or o: \
                            7/7/7/7/3O3/3X3 x",
        move_notation: "the column, counted from the left: 1, 4",
        perft: PERFT,
        scenarios: scenarios::SCENARIOS,
        bench: BENCH,
    };

    const OPENINGS: &'static [ShippedOpenings] = &[ShippedOpenings {
        variant: "connect4:7x6",
        book: None,
        book_helps: false,
        balanced: Some(include_str!("openings/7x6.txt")),
    }];

    fn open<V: Visitor>(variant: &Variant, visitor: V) -> Result<V::Output, TextError> {
        let setup = notation::read_setup(variant)?;
        let (canonical, width, height) = (setup.variant(), setup.width, setup.height);
        Ok(if Board::<u64>::fits(width, height) {
            visitor.visit(canonical, Connect4::<u64>::start(width, height))
        } else {
            visitor.visit(canonical, Connect4::<u128>::start(width, height))
        })
    }
}

const FORM: Form = Form {
    template: "{width}x{height}",
    fields: &[
        Field {
            name: "width",
            label: "Columns",
            kind: FieldKind::Number { min: 4, max: 9, default: 7 },
        },
        Field {
            name: "height",
            label: "Rows",
            kind: FieldKind::Number { min: 4, max: 8, default: 6 },
        },
    ],
};

/// The searches of the benchmark.
const BENCH: &[(&str, &str)] = &[
    ("connect4:7x6", "alphabeta:depth=9"),
    ("connect4:7x6", "engine:depth=16,hash=8"),
    ("connect4:9x8", "engine:depth=14,hash=8"),
    ("connect4:7x6", "mcts:iterations=5000"),
];

const fn known(variant: &'static str, counts: &'static [u64]) -> KnownPerft {
    KnownPerft { variant, position: None, counts }
}

#[rustfmt::skip]
const PERFT: &[KnownPerft] = &[
    known("connect4:4x4", &[4, 16, 64, 256, 1020, 4020, 15540, 57504, 206904, 690504, 2160504, 5992096]),
    known("connect4:5x4", &[5, 25, 125, 625, 3120, 15500, 76300, 363308, 1718544, 7738740, 34172084]),
    known("connect4:6x5", &[6, 36, 216, 1296, 7776, 46650, 279720, 1644750, 9751500]),
    known("connect4:7x6", &[7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646]),
    known("connect4:8x7", &[8, 64, 512, 4096, 32768, 262144, 2097152, 16553656]),
    known("connect4:9x8", &[9, 81, 729, 6561, 59049, 531441, 4782969]),
];
