//! Breakthrough on any board from 2×4 to 10×10.
//!
//! The course's rules are the default: a pawn steps straight ahead, captures diagonally ahead,
//! wins on the far row, and a player who cannot move draws. Under the classic rules it may also
//! step diagonally, and a player without pawns loses.

mod arrange;
mod board;
mod evaluation;
mod hints;
mod images;
mod moves;
mod notation;
mod races;
mod rules;
mod scenarios;
mod scene;
mod tuned;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::marker::PhantomData;

use agon_core::{
    Bitboard, Flow, Game, MoveList, Outcome, Progress, Rng, Seat, Sink, Square, Status, TextError,
    Variant, Which, zobrist,
};

use crate::books::ShippedOpenings;
use crate::catalog::Visitor;
use crate::form::{Field, FieldKind, Form};
use crate::info::{GameInfo, KnownPerft, VariantInfo};
use board::{Board, Cells};

const WHITE: Seat = Seat::FIRST;
const BLACK: Seat = Seat::SECOND;

/// A key for every possible `u8`, so that no lookup needs a bounds check.
static KEYS: [[u64; 256]; 2] = zobrist::table(0x0042_5245_414B);
const BLACK_TO_MOVE: u64 = zobrist::fact(0x0042_5245_414B, 0);

/// What the two rule sets do differently.
pub trait RuleSet: Copy + Eq + Debug + Send + Sync + 'static {
    /// Whether a pawn may step diagonally onto an empty square.
    const DIAGONAL_STEPS: bool;
    /// Whether a side without pawns has lost, whoever is to move.
    const PAWNLESS_LOSES: bool;
    /// The weights of the features of a position.
    const WEIGHTS: &'static [i32; tuned::FEATURES];
    /// Their scale; see [`agon_core::Hints::SCALE`].
    const SCALE: i32;
    /// The result when the player to move has no move.
    fn when_stuck(to_move: Seat) -> Outcome;
}

/// The course's rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Course;

impl RuleSet for Course {
    const DIAGONAL_STEPS: bool = false;
    const PAWNLESS_LOSES: bool = false;
    const WEIGHTS: &'static [i32; tuned::FEATURES] = &tuned::COURSE;
    const SCALE: i32 = 323;

    fn when_stuck(to_move: Seat) -> Outcome {
        let reasons = ["white has no legal move", "black has no legal move"];
        Outcome::draw(2, reasons[to_move.index()])
    }
}

/// The rules most other programs play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Classic;

impl RuleSet for Classic {
    const DIAGONAL_STEPS: bool = true;
    const PAWNLESS_LOSES: bool = true;
    const WEIGHTS: &'static [i32; tuned::FEATURES] = &tuned::CLASSIC;
    const SCALE: i32 = 273;

    fn when_stuck(to_move: Seat) -> Outcome {
        let reasons = ["white has no pawns left", "black has no pawns left"];
        Outcome::loss(to_move, reasons[to_move.index()])
    }
}

/// A position, with squares in `W` (the smallest word the board fits in) and rules `R`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Breakthrough<W: Cells, R> {
    pawns: [Bitboard<W>; 2],
    key: u64,
    board: &'static Board<W>,
    /// Twice the move number, plus one when black is to move; the number has no effect.
    clock: u32,
    /// Plies since the last capture: written, without effect.
    quiet: u32,
    rules: PhantomData<R>,
}

/// A pawn's move from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Where the pawn stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl<W: Cells, R: RuleSet> Breakthrough<W, R> {
    fn start(width: usize, height: usize) -> Self {
        let board = W::boards().get(width, height);
        let position = Breakthrough {
            pawns: board.start,
            key: 0,
            board,
            clock: 2,
            quiet: 0,
            rules: PhantomData,
        };
        position.with_key()
    }

    /// The side to move.
    #[inline]
    fn turn(&self) -> Seat {
        Seat::new((self.clock & 1) as usize)
    }

    /// Plays a move of the side to move, which is white if `UP`. The side is a constant here, so
    /// that both sets of pawns can stay in registers.
    #[inline]
    fn advance<const UP: bool>(&mut self, mv: Move) {
        let (me, them) = (usize::from(!UP), usize::from(UP));
        debug_assert!(self.pawns[me].contains(mv.from) && !self.pawns[me].contains(mv.to));
        let (from, to) = (Bitboard::from(mv.from), Bitboard::from(mv.to));
        self.pawns[me] ^= from | to;
        // Without a branch: whether a move captures is hard to predict.
        let captured = u64::from(self.pawns[them].contains(mv.to));
        self.pawns[them] -= to;
        let keys = |seat: usize, square: Square| KEYS[seat][square.index()];
        let moved = keys(me, mv.from) ^ keys(me, mv.to);
        self.key ^= moved ^ BLACK_TO_MOVE ^ (keys(them, mv.to) & captured.wrapping_neg());
        self.quiet = (self.quiet + 1) * (1 - captured as u32);
        self.clock += 1;
    }

    /// The same position with its key computed from scratch.
    fn with_key(mut self) -> Self {
        let pawns = |seat: Seat| self.pawns[seat.index()].into_iter().map(move |s| (seat, s));
        let placed = pawns(WHITE).chain(pawns(BLACK));
        let key = placed.fold(0, |key, (seat, square)| key ^ KEYS[seat.index()][square.index()]);
        self.key = if self.turn() == BLACK { key ^ BLACK_TO_MOVE } else { key };
        self
    }
}

impl<W: Cells, R: RuleSet> Game for Breakthrough<W, R> {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn status(&self) -> Status {
        let home = |seat: Seat| self.pawns[seat.index()] & self.board.goal[seat.index()];
        if (home(WHITE) | home(BLACK)).is_empty() {
            // A side to move without pawns is stuck; the other side's case cannot arise in play.
            let waiting = self.turn().opponent();
            if R::PAWNLESS_LOSES && self.pawns[waiting.index()].is_empty() {
                return Status::Over(R::when_stuck(waiting));
            }
            Status::ToMove(self.turn())
        } else if home(WHITE).any() {
            Status::Over(Outcome::win(WHITE, "a white pawn reached the far row"))
        } else {
            Status::Over(Outcome::win(BLACK, "a black pawn reached the far row"))
        }
    }

    #[inline]
    fn generate<S: Sink<Move>>(&self, which: Which, into: &mut S) -> Flow {
        match self.turn() {
            WHITE => self.targets::<true>().restrict(self, which).emit::<true, S>(self.board, into),
            _ => self.targets::<false>().restrict(self, which).emit::<false, S>(self.board, into),
        }
    }

    fn when_stuck(&self) -> Outcome {
        R::when_stuck(self.turn())
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        match self.turn() {
            WHITE => self.targets::<true>().count(),
            _ => self.targets::<false>().count(),
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Progress {
        match self.turn() {
            WHITE => self.advance::<true>(mv),
            _ => self.advance::<false>(mv),
        }
        Progress::Irreversible
    }

    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn sample(&self, rng: &mut Rng, _: &mut MoveList<Move>) -> Option<Move> {
        match self.turn() {
            WHITE => self.targets::<true>().sample::<true>(self.board, rng),
            _ => self.targets::<false>().sample::<false>(self.board, rng),
        }
    }
}

/// Breakthrough in the catalog.
#[derive(Debug)]
pub struct Family;

impl crate::Family for Family {
    const INFO: GameInfo<'static> = GameInfo {
        name: "breakthrough",
        title: "Breakthrough",
        summary: "Pawns against pawns: the first to reach the far row wins.",
        seats: &["white", "black"],
        variants: &[
            VariantInfo {
                text: "breakthrough:8x8",
                about: "the course's rules, on 8 columns and 8 rows",
            },
            VariantInfo { text: "breakthrough:5x5", about: "any size from 2x4 to 10x10" },
            VariantInfo {
                text: "breakthrough:8x8,classic",
                about: "the classic rules: diagonal steps too",
            },
        ],
        form: FORM,
        rules: rules::RULES,
        position_notation: "rows from the top with P white, p black and numbers of empty squares, \
                            then w or b: pppp/pppp/4/PPPP/PPPP w",
        move_notation: "from and to: b2b3, j10j9",
        perft: PERFT,
        scenarios: scenarios::SCENARIOS,
        bench: BENCH,
    };

    const OPENINGS: &'static [ShippedOpenings] = &[
        ShippedOpenings {
            variant: "breakthrough:8x8",
            book: Some(include_bytes!("openings/8x8.book")),
            book_helps: false,
            balanced: Some(include_str!("openings/8x8.txt")),
        },
        ShippedOpenings {
            variant: "breakthrough:6x6",
            book: Some(include_bytes!("openings/6x6.book")),
            book_helps: false,
            balanced: None,
        },
    ];

    fn open<V: Visitor>(variant: &Variant, visitor: V) -> Result<V::Output, TextError> {
        let setup = notation::read_setup(variant)?;
        let canonical = setup.variant();
        let (width, height) = (setup.width, setup.height);
        Ok(match (width * height <= 64, setup.classic) {
            (true, false) => {
                visitor.visit(canonical, Breakthrough::<u64, Course>::start(width, height))
            }
            (true, true) => {
                visitor.visit(canonical, Breakthrough::<u64, Classic>::start(width, height))
            }
            (false, false) => {
                visitor.visit(canonical, Breakthrough::<u128, Course>::start(width, height))
            }
            (false, true) => {
                visitor.visit(canonical, Breakthrough::<u128, Classic>::start(width, height))
            }
        })
    }
}

const FORM: Form = Form {
    template: "{width}x{height}{rules}",
    fields: &[
        Field {
            name: "width",
            label: "Columns",
            kind: FieldKind::Number { min: 2, max: 10, default: 8 },
        },
        Field {
            name: "height",
            label: "Rows",
            kind: FieldKind::Number { min: 4, max: 10, default: 8 },
        },
        Field {
            name: "rules",
            label: "Rules",
            kind: FieldKind::Choice {
                choices: &[("", "Course rules"), (",classic", "Classic rules")],
            },
        },
    ],
};

/// The searches of the benchmark.
const BENCH: &[(&str, &str)] = &[
    ("breakthrough:8x8", "minimax:depth=6"),
    ("breakthrough:8x8", "alphabeta:depth=9"),
    ("breakthrough:8x8", "ordered:depth=9"),
    ("breakthrough:8x8", "engine:depth=16,hash=8"),
    ("breakthrough:8x8", "mcts:plain=on,iterations=20000"),
    ("breakthrough:6x6", "engine:depth=16,hash=8"),
];

const fn known(variant: &'static str, counts: &'static [u64]) -> KnownPerft {
    KnownPerft { variant, position: None, counts }
}

#[rustfmt::skip]
const PERFT: &[KnownPerft] = &[
    known("breakthrough:2x4", &[2, 6, 14, 20, 34, 42, 44, 44, 38, 12, 0]),
    known("breakthrough:3x5", &[3, 10, 38, 134, 518, 1962, 7092, 25942, 88980, 309544, 941048, 2933340, 7732752]),
    known("breakthrough:5x5", &[5, 28, 182, 1180, 8164, 54668, 377118, 2538670, 17220216, 114113586]),
    known("breakthrough:6x6", &[6, 36, 256, 1854, 14640, 116902, 991246, 8405090, 74229110, 651385356]),
    known("breakthrough:8x8", &[8, 64, 576, 5184, 50118, 484684, 4951852, 50634072, 540908230, 5786418956]),
    known("breakthrough:10x10", &[10, 100, 1100, 12100, 141900, 1664100, 20511008, 252810614, 3244263810]),
    known("breakthrough:10x4", &[18, 326, 5880, 95654, 1570272, 23288158, 352539520]),
    known("breakthrough:6x5", &[6, 40, 308, 2396, 19940, 161986, 1363880, 11219782, 93931022, 768712344]),
    known("breakthrough:5x5,classic", &[13, 156, 1924, 23084, 289828, 3538840, 43719470, 527270518]),
    known("breakthrough:6x6,classic", &[16, 256, 4308, 71478, 1248290, 21470998, 381006806]),
    known("breakthrough:8x8,classic", &[22, 484, 11132, 256036, 6182818, 149264638, 3751915714]),
    known("breakthrough:10x10,classic", &[28, 784, 22736, 659344, 19866392, 598585156]),
];
