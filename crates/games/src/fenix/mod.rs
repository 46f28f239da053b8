//! Fenix: armies of soldiers, generals and kings on 7 rows of 8 squares.
//!
//! In the first ten plies each side stacks soldiers until it has a king and three generals. Then
//! pieces move and jump; captures are mandatory and must take the most. A captured king must be
//! replaced on the very next ply, or the game is lost.

mod arrange;
mod board;
mod chains;
mod endgames;
mod evaluation;
mod guide;
mod hints;
mod moves;
mod notation;
mod play;
mod rules;
mod scenarios;
mod scene;
mod tuned;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

pub use moves::setup_sequences;

use agon_core::history::Limit;
use agon_core::{
    Bitboard, Flow, Game, HistoryRules, MoveList, Outcome, Progress, Rng, Seat, Sink, Square,
    Status, TextError, Variant, Which, zobrist,
};

use crate::books::ShippedOpenings;
use crate::catalog::Visitor;
use crate::endgame::EndgameFamily;
use crate::form::Form;
use crate::info::{GameInfo, KnownPerft, VariantInfo};
use board::{HOMES, Squares};

const RED: Seat = Seat::FIRST;
const BLACK: Seat = Seat::SECOND;

/// Plies of the setup, both sides counted.
const PLIES_OF_SETUP: u32 = 10;
/// Plies without a capture that end the game.
const QUIET_LIMIT: u16 = 50;

const SEED: u64 = 0x46_454E_4958;
/// Indexed by kind and seat (three kinds of red, then three of black) and square.
static PIECE_KEYS: [[u64; 64]; 6] = zobrist::table(SEED);
/// Indexed by the stage of the game and the rights to create.
static STATE_KEYS: [[u64; 4]; 13] = zobrist::table(SEED ^ 1);

/// What a stack is, by its height.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PieceKind {
    Soldier,
    General,
    King,
}

impl PieceKind {
    const ALL: [PieceKind; 3] = [PieceKind::Soldier, PieceKind::General, PieceKind::King];

    /// The kind with this number, 0 to 2.
    #[inline]
    const fn from_number(number: usize) -> PieceKind {
        // Not an index into `ALL`: this is no load, the numbers of the kinds are these.
        match number {
            0 => PieceKind::Soldier,
            1 => PieceKind::General,
            _ => PieceKind::King,
        }
    }

    /// How many men high it is, which is also its worth in units.
    fn height(self) -> u8 {
        self as u8 + 1
    }
}

/// A position.
///
/// [`generate`](Game::generate) and [`count_moves`](Game::count_moves) also work in finished games,
/// and yield the moves that the course's code still lists there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fenix {
    /// Soldiers, generals and kings of each seat.
    pieces: [[Squares; 3]; 2],
    /// The hash of the pieces alone, which is what the repetition rule compares.
    pieces_key: u64,
    /// Plies played; its parity says who is to move.
    turn: u32,
    /// Plies since the last capture, not counting the setup.
    quiet: u16,
    /// Whether the last move took a general of the mover, who may make a new one now.
    may_create_general: bool,
    /// Whether the last move took the mover's king, who may make a new one now.
    may_create_king: bool,
}

/// A move: two chains of jumps with the same start, end and captures are one move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it ends up.
    pub to: Square,
    /// The squares of the captured pieces.
    pub captured: Bitboard<u64>,
}

impl Move {
    /// A move that captures nothing.
    #[inline]
    const fn step(from: Square, to: Square) -> Move {
        Move { from, to, captured: Squares::EMPTY }
    }
}

impl Fenix {
    fn start() -> Fenix {
        let army = |seat: Seat| [HOMES[seat.index()], Squares::EMPTY, Squares::EMPTY];
        let position = Fenix {
            pieces: [army(RED), army(BLACK)],
            pieces_key: 0,
            turn: 0,
            quiet: 0,
            may_create_general: false,
            may_create_king: false,
        };
        position.with_key()
    }

    /// The same position with its key computed from scratch.
    fn with_key(mut self) -> Fenix {
        self.pieces_key = 0;
        for seat in [RED, BLACK] {
            for kind in PieceKind::ALL {
                for square in self.pieces[seat.index()][kind as usize] {
                    self.pieces_key ^= piece_key(seat, kind, square);
                }
            }
        }
        self
    }

    #[inline]
    fn mover(&self) -> Seat {
        if self.turn.is_multiple_of(2) { RED } else { BLACK }
    }

    /// All pieces of a seat.
    #[inline]
    fn army(&self, seat: Seat) -> Squares {
        let [soldiers, generals, kings] = self.pieces[seat.index()];
        soldiers | generals | kings
    }

    #[inline]
    fn occupied(&self) -> Squares {
        self.army(RED) | self.army(BLACK)
    }

    #[inline]
    fn kind_of(&self, seat: Seat, square: Square) -> PieceKind {
        let [_, generals, kings] = self.pieces[seat.index()];
        // Without a branch: which kind moves is hard to predict.
        PieceKind::from_number(
            usize::from(generals.contains(square)) + 2 * usize::from(kings.contains(square)),
        )
    }

    /// The kind of the piece on a square of the mover's.
    #[inline]
    fn mover_kind(&self, square: Square) -> PieceKind {
        self.kind_of(self.mover(), square)
    }

    /// The endings that the quick check of kings and counter does not rule out.
    #[cold]
    fn rare_end(&self) -> Status {
        let (mover, last) = (self.mover(), self.mover().opponent());
        let stuck_in_setup = || self.turn < PLIES_OF_SETUP && self.move_count() == 0;
        let lost = |seat: Seat, reasons: [&'static str; 2]| {
            Status::Over(Outcome::loss(seat, reasons[seat.index()]))
        };
        if self.quiet >= QUIET_LIMIT {
            Status::Over(Outcome::draw(2, "fifty plies without a capture"))
        } else if self.turn > PLIES_OF_SETUP && self.pieces[last.index()][2].is_empty() {
            lost(last, ["red did not resurrect its king", "black did not resurrect its king"])
        } else if self.army(mover).is_empty() {
            lost(mover, NO_PIECES)
        } else if self.army(last).is_empty() && !stuck_in_setup() {
            lost(last, NO_PIECES)
        } else {
            Status::ToMove(mover)
        }
    }
}

const NO_PIECES: [&str; 2] = ["red has no pieces left", "black has no pieces left"];

#[inline]
fn piece_key(seat: Seat, kind: PieceKind, square: Square) -> u64 {
    PIECE_KEYS[seat.index() % 2 * 3 + kind as usize][square.index() % 64]
}

impl Game for Fenix {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn status(&self) -> Status {
        let (mover, last) = (self.mover(), self.mover().opponent());
        let king_in_place = self.pieces[last.index()][2].any();
        if king_in_place && self.army(mover).any() && self.quiet < QUIET_LIMIT {
            Status::ToMove(mover)
        } else {
            self.rare_end()
        }
    }

    #[inline]
    fn generate<S: Sink<Move>>(&self, which: Which, into: &mut S) -> Flow {
        self.emit_moves(which, into)
    }

    fn when_stuck(&self) -> Outcome {
        let reasons = if self.turn < PLIES_OF_SETUP {
            ["red has nothing left to stack", "black has nothing left to stack"]
        } else {
            ["red has no legal move", "black has no legal move"]
        };
        Outcome::loss(self.mover(), reasons[self.mover().index()])
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.move_count()
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Progress {
        let (after, progress) = self.after(mv);
        *self = after;
        progress
    }

    #[inline(always)]
    fn after(&self, mv: Move) -> (Fenix, Progress) {
        match self.mover() {
            RED => self.advanced::<0>(mv),
            _ => self.advanced::<1>(mv),
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        // From ply 11 on only the side matters.
        let stage = if self.turn <= 10 { self.turn } else { 11 + self.turn % 2 };
        let rights = usize::from(self.may_create_general) + 2 * usize::from(self.may_create_king);
        self.pieces_key ^ STATE_KEYS[stage as usize][rights]
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        self.pieces_key
    }

    #[inline]
    fn counters(&self) -> u64 {
        u64::from(self.quiet)
    }

    fn history_rules(&self) -> HistoryRules {
        let reason = "the same board for the fourth time";
        HistoryRules { repetition: Some(Limit::new(4, reason)), plies: None }
    }

    #[inline]
    fn sample(&self, rng: &mut Rng, _: &mut MoveList<Move>) -> Option<Move> {
        self.random_move(rng)
    }
}

/// Fenix in the catalog.
#[derive(Debug)]
pub struct Family;

impl crate::Family for Family {
    const INFO: GameInfo<'static> = GameInfo {
        name: "fenix",
        title: "Fenix",
        summary: "Stack soldiers into generals and a king, then hunt the other king; captures are \
                  mandatory, and a king can rise again.",
        seats: &["red", "black"],
        variants: &[VariantInfo { text: "fenix", about: "the course's rules, on 7 rows of 8" }],
        form: Form::NONE,
        rules: rules::RULES,
        position_notation: "ranks 7 to 1 with S G K red, s g k black and numbers of empty \
                            squares, then the ply, the plies since the last capture, w (red) or \
                            b (black), and 1 or 0 for the right to create a general and a king: \
                            SSSSSS2/SSSSS2s/SSSS2ss/SSS2sss/SS2ssss/S2sssss/2ssssss 0 0 w 00",
        move_notation: "from and to, then x and the captured squares: a7b7, b6f2xc4,c5,c6,e4,f3",
        perft: PERFT,
        scenarios: scenarios::SCENARIOS,
        bench: BENCH,
    };
    const ENDGAMES: Option<&'static dyn EndgameFamily> = Some(&endgames::ENDGAMES);

    const OPENINGS: &'static [ShippedOpenings] = &[ShippedOpenings {
        variant: "fenix",
        book: Some(include_bytes!("openings/fenix.book")),
        book_helps: false,
        balanced: Some(include_str!("openings/fenix.txt")),
    }];

    fn open<V: Visitor>(variant: &Variant, visitor: V) -> Result<V::Output, TextError> {
        notation::read_setup(variant)?;
        Ok(visitor.visit(Variant::new("fenix", ""), Fenix::start()))
    }
}

const FIGURE_2: &str = "K1SSSS2/1SG1S2s/SGSS2g1/2S2sss/GS2s1gs/S2sg1s1/2ssss1k 10 0 w 00";

/// The searches of the benchmark.
const BENCH: &[(&str, &str)] = &[
    ("fenix", "minimax:depth=4"),
    ("fenix", "alphabeta:depth=6"),
    ("fenix", "ordered:depth=6"),
    ("fenix", "engine:depth=10,hash=8"),
    ("fenix", "mcts:plain=on,iterations=10000"),
];

#[rustfmt::skip]
const PERFT: &[KnownPerft] = &[
    KnownPerft { variant: "fenix", position: None, counts: &[60, 3600, 185400, 9548100, 416037600, 18127929600] },
    KnownPerft { variant: "fenix", position: Some(FIGURE_2), counts: &[27, 755, 17492, 431324, 9638239, 221411561] },
];
