//! Wumpus battle on boards of 3×3 to 15×15.
//!
//! Wumpuses, heroes and mages step in all eight directions over a board with pits. A hero beats a
//! wumpus, a mage a hero, a wumpus a mage, no matter who attacks; equal kinds destroy each other,
//! and a piece that enters a pit is lost. The side without pieces loses. The adversary, on the
//! bottom row, opens; the agent has the top row.

mod arrange;
mod board;
mod evaluation;
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

use agon_core::history::{HistoryRules, Limit};
use agon_core::{
    Bitboard, Flow, Game, MoveList, Outcome, Progress, Rng, Seat, Sink, Square, Status, TextError,
    U256, Variant, Which, zobrist,
};

use crate::books::ShippedOpenings;
use crate::catalog::Visitor;
use crate::form::{Field, FieldKind, Form};
use crate::info::{GameInfo, KnownPerft, VariantInfo};
use board::{Board, Cells};

const ADVERSARY: Seat = Seat::FIRST;
const AGENT: Seat = Seat::SECOND;

/// The number of plies without the loss of a piece that makes a draw.
const QUIET_LIMIT: u16 = 100;

const SEED: u64 = 0x5755_4D50_5553;
/// Indexed by side and kind, then by square.
static PIECE_KEYS: [[u64; 256]; 6] = zobrist::table(SEED);
static PIT_KEYS: [[u64; 256]; 1] = zobrist::table(!SEED);
const AGENT_TO_MOVE: u64 = zobrist::fact(SEED, 0);

/// The three kinds of pieces. Each is beaten by the next, and the last by the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PieceKind {
    Wumpus,
    Hero,
    Mage,
}

/// Who is left after a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Battle {
    Attacker,
    Defender,
    Nobody,
}

impl PieceKind {
    const ALL: [PieceKind; 3] = [PieceKind::Wumpus, PieceKind::Hero, PieceKind::Mage];

    const fn index(self) -> usize {
        self as usize
    }

    /// The kind with this index.
    #[inline]
    const fn from_number(number: usize) -> PieceKind {
        // Not an index into `ALL`: this is no load, the numbers of the kinds are these.
        match number {
            0 => PieceKind::Wumpus,
            1 => PieceKind::Hero,
            _ => PieceKind::Mage,
        }
    }

    /// How an attack on `defender` ends.
    fn attacks(self, defender: PieceKind) -> Battle {
        match (3 + self.index() - defender.index()) % 3 {
            0 => Battle::Nobody,
            1 => Battle::Attacker,
            _ => Battle::Defender,
        }
    }
}

/// What a piece meets at its destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meeting {
    /// An empty cell.
    Nothing,
    /// A pit.
    Pit,
    /// An enemy piece, beaten, stronger or equal.
    Enemy(PieceKind, Battle),
}

/// A position, with cells in `W` (the smallest word the board fits in).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wumpus<W: Cells> {
    /// The pieces of each side.
    sides: [Bitboard<W>; 2],
    /// The pieces of each kind, both sides together.
    kinds: [Bitboard<W>; 3],
    /// No piece stands on one of these.
    pits: Bitboard<W>,
    key: u64,
    board: &'static Board<W>,
    turn: Seat,
    /// Plies since the last loss of a piece.
    quiet: u16,
}

/// A piece's step from one cell to a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl<W: Cells> Wumpus<W> {
    fn start(board: &'static Board<W>, pits: Bitboard<W>) -> Self {
        let (sides, kinds) = (board.start, board.start_kinds);
        Wumpus { sides, kinds, pits, key: 0, board, turn: ADVERSARY, quiet: 0 }.with_key()
    }

    /// The same position with its key computed from scratch.
    fn with_key(mut self) -> Self {
        let size_key = zobrist::fact(SEED, self.board.size as u64);
        let turn_key = if self.turn == AGENT { AGENT_TO_MOVE } else { 0 };
        let pits = self.pits.into_iter().map(|square| PIT_KEYS[0][square.index()]);
        let side = |seat: Seat| self.sides[seat.index()].into_iter().map(move |s| (seat, s));
        let pieces = side(ADVERSARY)
            .chain(side(AGENT))
            .map(|(seat, square)| piece_key(seat, self.kind_at(square), square));
        self.key = pits.chain(pieces).fold(size_key ^ turn_key, |key, part| key ^ part);
        self
    }

    /// The kind of the piece on a cell that holds one.
    #[inline]
    fn kind_at(&self, square: Square) -> PieceKind {
        // An index instead of branches: the kind is unpredictable.
        let [_, heroes, mages] = self.kinds.map(|kind| usize::from(kind.contains(square)));
        PieceKind::from_number(heroes + 2 * mages)
    }

    /// These cells and all their neighbours.
    #[inline]
    fn around(&self, cells: Bitboard<W>) -> Bitboard<W> {
        // Next to every row there is a column without cells, so shifts do not wrap around the edge.
        let rows = cells | (cells << 1) | (cells >> 1);
        let stride = W::STRIDE as u32;
        (rows | (rows << stride) | (rows >> stride)) & self.board.cells
    }

    /// What the moving piece meets.
    #[inline]
    fn meeting(&self, mv: Move) -> Meeting {
        let theirs = self.sides[self.turn.opponent().index()];
        if !(theirs | self.pits).contains(mv.to) {
            Meeting::Nothing
        } else if self.pits.contains(mv.to) {
            Meeting::Pit
        } else {
            let defender = self.kind_at(mv.to);
            Meeting::Enemy(defender, self.kind_at(mv.from).attacks(defender))
        }
    }

    /// Puts a piece on a cell or takes it away.
    #[inline]
    fn toggle(&mut self, seat: Seat, kind: PieceKind, square: Square) {
        self.sides[seat.index()] ^= square.into();
        self.kinds[kind.index()] ^= square.into();
        self.key ^= piece_key(seat, kind, square);
    }
}

#[inline]
fn piece_key(seat: Seat, kind: PieceKind, square: Square) -> u64 {
    PIECE_KEYS[3 * seat.index() + kind.index()][square.index()]
}

impl<W: Cells> Game for Wumpus<W> {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn status(&self) -> Status {
        let has_pieces = |seat: Seat| self.sides[seat.index()].any();
        match (has_pieces(ADVERSARY), has_pieces(AGENT)) {
            (true, true) if self.quiet < QUIET_LIMIT => Status::ToMove(self.turn),
            (true, true) => Status::Over(Outcome::draw(2, "100 plies without the loss of a piece")),
            (true, false) => Status::Over(Outcome::loss(AGENT, "the agent has no pieces left")),
            (false, true) => {
                Status::Over(Outcome::loss(ADVERSARY, "the adversary has no pieces left"))
            }
            (false, false) => Status::Over(Outcome::draw(2, "neither side has pieces left")),
        }
    }

    #[inline]
    fn generate<S: Sink<Move>>(&self, which: Which, into: &mut S) -> Flow {
        self.fronts().restrict(self, which).emit(into)
    }

    /// Never called: while both sides have pieces, one of the mover's has a neighbour that is
    /// not its own.
    fn when_stuck(&self) -> Outcome {
        let reasons = ["the adversary has no legal move", "the agent has no legal move"];
        Outcome::loss(self.turn, reasons[self.turn.index()])
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.fronts().count()
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Progress {
        let (after, progress) = self.after(mv);
        *self = after;
        progress
    }

    #[inline(always)]
    fn after(&self, mv: Move) -> (Self, Progress) {
        match self.turn {
            ADVERSARY => self.advanced::<0>(mv),
            _ => self.advanced::<1>(mv),
        }
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn counters(&self) -> u64 {
        u64::from(self.quiet)
    }

    fn history_rules(&self) -> HistoryRules {
        let reason = "third occurrence of the same position";
        HistoryRules { repetition: Some(Limit::new(3, reason)), plies: None }
    }

    #[inline]
    fn sample(&self, rng: &mut Rng, _: &mut MoveList<Move>) -> Option<Move> {
        self.fronts().sample(rng)
    }
}

/// Wumpus battle in the catalog.
#[derive(Debug)]
pub struct Family;

impl crate::Family for Family {
    const INFO: GameInfo<'static> = GameInfo {
        name: "wumpus",
        title: "Wumpus battle",
        summary: "Wumpuses, heroes and mages among pits: the side without pieces loses.",
        seats: &["adversary", "agent"],
        variants: &[
            VariantInfo { text: "wumpus:6", about: "6 by 6 with the pits of seed 0" },
            VariantInfo { text: "wumpus:6,seed=3", about: "other pits, from any seed" },
            VariantInfo {
                text: "wumpus:6,pits=2.2+3.5+4.1+5.3",
                about: "given pits, as row.column from the top left; none for no pits",
            },
            VariantInfo { text: "wumpus:3", about: "no pits; also sizes 9, 12 and 15" },
        ],
        form: FORM,
        rules: rules::RULES,
        position_notation: "rows from the top with W H M agent, w h m adversary, O pit and \
                            numbers of empty cells, then the side and the plies without a loss: \
                            WHM/3/whm adversary 0",
        move_notation: "from and to as row,column from the top left: 3,2-2,1",
        perft: PERFT,
        scenarios: scenarios::SCENARIOS,
        bench: BENCH,
    };

    const OPENINGS: &'static [ShippedOpenings] = &[ShippedOpenings {
        variant: "wumpus:6",
        book: None,
        book_helps: false,
        balanced: Some(include_str!("openings/6.txt")),
    }];

    fn open<V: Visitor>(variant: &Variant, visitor: V) -> Result<V::Output, TextError> {
        let setup = notation::read_setup(variant)?;
        let canonical = setup.variant();
        Ok(match setup.size {
            3 | 6 => visitor.visit(canonical, setup.start::<u64>()),
            9 => visitor.visit(canonical, setup.start::<u128>()),
            _ => visitor.visit(canonical, setup.start::<U256>()),
        })
    }
}

const FORM: Form = Form {
    template: "{size},seed={seed}",
    fields: &[
        Field {
            name: "size",
            label: "Board",
            kind: FieldKind::Choice {
                choices: &[
                    ("6", "6 by 6"),
                    ("3", "3 by 3, no pits"),
                    ("9", "9 by 9"),
                    ("12", "12 by 12"),
                    ("15", "15 by 15"),
                ],
            },
        },
        Field { name: "seed", label: "Pits (seed)", kind: FieldKind::Seed { default: 0 } },
    ],
};

/// The searches of the benchmark.
const BENCH: &[(&str, &str)] = &[
    ("wumpus:6", "minimax:depth=5"),
    ("wumpus:6", "alphabeta:depth=7"),
    ("wumpus:6", "ordered:depth=7"),
    ("wumpus:6", "engine:depth=12,hash=8"),
];

const fn known(variant: &'static str, counts: &'static [u64]) -> KnownPerft {
    KnownPerft { variant, position: None, counts }
}

#[rustfmt::skip]
const PERFT: &[KnownPerft] = &[
    known("wumpus:3", &[7, 49, 420, 3365, 26410, 197556, 1449679, 10272432, 71209998, 480913967]),
    known("wumpus:6,pits=2.2+3.5+4.1+5.3", &[16, 256, 4608, 82944, 1602432, 30761301]),
    known("wumpus:6,pits=2.1+3.1+4.1+5.3", &[16, 256, 4608, 84672, 1635816, 32640824]),
    known("wumpus:6,pits=2.2+3.5+4.5+5.2", &[16, 256, 4608, 82944, 1592352, 30567994]),
    known("wumpus:9,pits=2.2+2.3+3.2+3.5+4.8+4.9+5.7+5.8+6.2+6.4+7.1+7.8+8.7+8.9", &[25, 625, 16950, 455616, 13092576]),
    known("wumpus:9,pits=2.1+2.2+3.2+3.6+4.3+4.5+5.4+5.5+6.1+6.3+7.7+7.9+8.6+8.9", &[25, 625, 16950, 459684, 13199982]),
    known("wumpus:9,pits=2.3+2.4+3.6+3.8+4.1+4.2+5.5+5.8+6.4+6.9+7.4+7.8+8.8+8.9", &[25, 625, 16950, 455616, 13063008]),
];
