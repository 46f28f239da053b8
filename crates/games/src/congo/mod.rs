//! Congo: two animal armies on 7×7 squares with a river between them.
//! Whoever captures the other lion wins. Men that stand in the river when their turn begins must
//! leave it with this move or drown, except for crocodiles. The 2021 edition of the course, in
//! which a pawn on the last rank stays a pawn, is the variant `congo:no-promotion`.

pub mod course;

mod arrange;
mod board;
mod endgames;
mod evaluation;
mod hints;
mod jumps;
mod moves;
mod notation;
mod play;
mod reach;
mod rules;
mod scenarios;
mod scene;
mod tuned;

#[cfg(test)]
mod naive;
#[cfg(test)]
mod tests;

use std::fmt;

use agon_core::history::Limit;
use agon_core::{
    Flow, Game, HistoryRules, MoveList, Outcome, Progress, Rng, Seat, Sink, Square, Status,
    TextError, Variant, Which, zobrist,
};

use crate::books::ShippedOpenings;
use crate::catalog::Visitor;
use crate::endgame::EndgameFamily;
use crate::form::{Field, FieldKind, Form};
use crate::info::{GameInfo, KnownPerft, VariantInfo};
use board::{RIVER, Set, square};
use moves::{Count, Emit, Pick};

pub use board::PieceKind;

const WHITE: Seat = Seat::FIRST;
const BLACK: Seat = Seat::SECOND;

/// A key for every kind of either side (white's first) on every square.
static KEYS: [[u64; 64]; 16] = zobrist::table(0x0043_4F4E_474F);
const BLACK_TO_MOVE: u64 = zobrist::fact(0x0043_4F4E_474F, 0);

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Congo {
    /// Each side's men.
    sides: [Set; 2],
    /// Their kinds: each set holds one bit of the kind's number.
    kinds: [Set; 3],
    key: u64,
    /// The move number, which has no effect.
    number: u32,
    turn: Seat,
    /// Whether a pawn becomes a superpawn on the last rank.
    promotion: bool,
}

/// A move: from, to, and the men a monkey jumps over on the way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u64);

impl Move {
    const FROM: u32 = 58;
    const TO: u32 = 52;
    const KIND: u32 = 49;

    #[inline]
    fn new(kind: PieceKind, from: Square, to: Square, jumped: Set) -> Move {
        let (from, to) = (from.index() as u64, to.index() as u64);
        Move(from << Self::FROM | to << Self::TO | (kind as u64) << Self::KIND | jumped.0)
    }

    /// A move that captures what stands on `to`, if anything does.
    #[inline]
    fn step(kind: PieceKind, from: Square, to: Square) -> Move {
        Move::new(kind, from, to, Set::EMPTY)
    }

    /// A monkey's capture.
    #[inline]
    fn capture(from: Square, to: Square, jumped: Set) -> Move {
        Move::new(PieceKind::Monkey, from, to, jumped)
    }

    /// Where the piece stands.
    #[inline]
    pub fn from(self) -> Square {
        Square::new((self.0 >> Self::FROM) as usize)
    }

    /// Where it goes; a monkey may come back to where it was.
    #[inline]
    pub fn to(self) -> Square {
        Square::new((self.0 >> Self::TO) as usize & 63)
    }

    /// What moves.
    #[inline]
    pub fn kind(self) -> PieceKind {
        PieceKind::from_number((self.0 >> Self::KIND) as usize)
    }

    /// The squares a monkey jumps over, each with a man it captures. Other pieces capture on
    /// [`to`](Move::to), which is not included.
    #[inline]
    pub(crate) fn jumped(self) -> agon_core::Bitboard<u64> {
        agon_core::Bitboard(self.0 & ((1 << Self::KIND) - 1))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = notation::square_name;
        write!(f, "{} {}{}", self.kind(), name(self.from()), name(self.to()))?;
        for over in self.jumped() {
            write!(f, " x{}", name(over))?;
        }
        Ok(())
    }
}

impl Congo {
    /// The start position, with or without promotion.
    fn start(promotion: bool) -> Congo {
        use PieceKind::{Crocodile, Elephant, Giraffe, Lion, Monkey, Zebra};
        let first_rank = [Giraffe, Monkey, Elephant, Lion, Elephant, Crocodile, Zebra];
        let mut position = Congo::empty(promotion);
        for (file, kind) in first_rank.into_iter().enumerate() {
            for (owner, own_rank, pawn_rank) in [(WHITE, 0, 1), (BLACK, 6, 5)] {
                position.put(owner, kind, square(file, own_rank));
                position.put(owner, PieceKind::Pawn, square(file, pawn_rank));
            }
        }
        position.with_key()
    }

    /// No men at all.
    fn empty(promotion: bool) -> Congo {
        let (sides, kinds) = ([Set::EMPTY; 2], [Set::EMPTY; 3]);
        Congo { sides, kinds, key: 0, number: 0, turn: WHITE, promotion }
    }

    /// Puts a man on an empty square; the key is not updated.
    #[inline]
    fn put(&mut self, owner: Seat, kind: PieceKind, square: Square) {
        let man = Set::from(square);
        self.sides[owner.index()] |= man;
        for (bit, set) in self.kinds.iter_mut().enumerate() {
            *set |= if kind as usize >> bit & 1 == 1 { man } else { Set::EMPTY };
        }
    }

    /// Takes all men off these squares; the key is not updated.
    fn clear(&mut self, squares: Set) {
        for set in self.sides.iter_mut().chain(&mut self.kinds) {
            *set -= squares;
        }
    }

    #[inline]
    fn occupied(&self) -> Set {
        self.sides[0] | self.sides[1]
    }

    /// The men of one kind and side.
    #[inline]
    fn men(&self, owner: Seat, kind: PieceKind) -> Set {
        let mut men = self.sides[owner.index()];
        for (bit, set) in self.kinds.into_iter().enumerate() {
            men &= if kind as usize >> bit & 1 == 1 { set } else { !set };
        }
        men
    }

    /// What stands on an occupied square.
    #[inline]
    fn kind_on(&self, square: Square) -> PieceKind {
        let bit = |i: usize| (self.kinds[i].0 >> square.index() & 1) as usize;
        PieceKind::from_number(bit(0) | bit(1) << 1 | bit(2) << 2)
    }

    /// What stands on a square.
    fn man_on(&self, square: Square) -> Option<(Seat, PieceKind)> {
        let owner = [WHITE, BLACK].into_iter().find(|o| self.sides[o.index()].contains(square))?;
        Some((owner, self.kind_on(square)))
    }

    /// The mover's men that drown unless they leave the river with this move.
    #[inline]
    fn wet(&self) -> Set {
        self.wet_of(self.turn)
    }

    /// The men of this side that drown if they are in the river after its next move.
    #[inline]
    fn wet_of(&self, owner: Seat) -> Set {
        (self.sides[owner.index()] & RIVER) - self.men(owner, PieceKind::Crocodile)
    }

    /// The side that has lost its lion, if one has.
    #[inline]
    fn without_lion(&self) -> Option<Seat> {
        [WHITE, BLACK].into_iter().find(|&seat| self.men(seat, PieceKind::Lion).is_empty())
    }

    /// The same position with its key computed from scratch.
    fn with_key(mut self) -> Congo {
        let mut key = if self.turn == BLACK { BLACK_TO_MOVE } else { 0 };
        for seat in [WHITE, BLACK] {
            for square in self.sides[seat.index()] {
                key ^= key_of(seat, self.kind_on(square), square);
            }
        }
        self.key = key;
        self
    }
}

#[inline]
fn key_of(owner: Seat, kind: PieceKind, square: Square) -> u64 {
    KEYS[owner.index() << 3 | kind as usize][square.index() & 63]
}

impl Game for Congo {
    type Move = Move;

    fn seats(&self) -> usize {
        2
    }

    #[inline]
    fn status(&self) -> Status {
        let lions = self.men(WHITE, PieceKind::Lion) | self.men(BLACK, PieceKind::Lion);
        if lions.len() == 2 && self.occupied() != lions {
            return Status::ToMove(self.turn);
        }
        Status::Over(match self.without_lion() {
            Some(WHITE) => Outcome::loss(WHITE, "white's lion was captured"),
            Some(_) => Outcome::loss(BLACK, "black's lion was captured"),
            None => Outcome::draw(2, "only the two lions are left"),
        })
    }

    #[inline]
    fn generate<S: Sink<Move>>(&self, which: Which, into: &mut S) -> Flow {
        self.walk(which, &mut Emit(into))
    }

    fn when_stuck(&self) -> Outcome {
        let reasons = ["white has no legal move", "black has no legal move"];
        Outcome::loss(self.turn, reasons[self.turn.index()])
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        let mut count = Count::default();
        let _ = self.walk(Which::All, &mut count);
        count.total()
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Progress {
        let (after, progress) = self.after(mv);
        *self = after;
        progress
    }

    #[inline(always)]
    fn after(&self, mv: Move) -> (Congo, Progress) {
        match self.turn {
            WHITE => self.advanced::<true>(mv),
            _ => self.advanced::<false>(mv),
        }
    }

    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn sample(&self, rng: &mut Rng, _: &mut MoveList<Move>) -> Option<Move> {
        let mut pick = Pick::new(rng.below(self.count_moves()) as u32);
        let _ = self.walk(Which::All, &mut pick);
        pick.found()
    }

    fn history_rules(&self) -> HistoryRules {
        HistoryRules {
            repetition: Some(Limit::new(3, "third occurrence of a position")),
            plies: Some(Limit::new(200, "100 moves of each side")),
        }
    }
}

/// Congo in the catalog.
#[derive(Debug)]
pub struct Family;

impl crate::Family for Family {
    const INFO: GameInfo<'static> = GameInfo {
        name: "congo",
        title: "Congo",
        summary: "Animals on both sides of a river: capture the other lion to win.",
        seats: &["white", "black"],
        variants: &[
            VariantInfo { text: "congo", about: "pawns on the last rank become superpawns" },
            VariantInfo {
                text: "congo:no-promotion",
                about: "the 2021 edition: a pawn on the last rank stays a pawn",
            },
        ],
        form: Form {
            template: "{edition}",
            fields: &[Field {
                name: "edition",
                label: "Rules",
                kind: FieldKind::Choice {
                    choices: &[
                        ("", "A pawn at the far end becomes a superpawn"),
                        ("no-promotion", "A pawn stays a pawn (2021)"),
                    ],
                },
            }],
        },
        rules: rules::RULES,
        position_notation: "ranks 7 to 1 with P pawn, S superpawn, G giraffe, M monkey, \
                            E elephant, L lion, C crocodile, Z zebra (lower case for black) and \
                            numbers of empty squares, then w or b, then the move number: \
                            gmelecz/ppppppp/7/7/7/PPPPPPP/GMELECZ w 0",
        move_notation: "from and to: d2d3; a monkey's capture lists every landing: b5b3d3f5",
        perft: PERFT,
        scenarios: scenarios::SCENARIOS,
        bench: BENCH,
    };
    const ENDGAMES: Option<&'static dyn EndgameFamily> = Some(&endgames::ENDGAMES);

    const OPENINGS: &'static [ShippedOpenings] = &[ShippedOpenings {
        variant: "congo",
        book: Some(include_bytes!("openings/congo.book")),
        book_helps: false,
        balanced: Some(include_str!("openings/congo.txt")),
    }];

    fn open<V: Visitor>(variant: &Variant, visitor: V) -> Result<V::Output, TextError> {
        let promotion = notation::read_promotion(variant)?;
        Ok(visitor.visit(notation::variant(promotion), Congo::start(promotion)))
    }
}

/// The searches of the benchmark.
const BENCH: &[(&str, &str)] = &[
    ("congo", "minimax:depth=4"),
    ("congo", "alphabeta:depth=6"),
    ("congo", "alphabeta:depth=4,eval=course"),
    ("congo", "ordered:depth=6"),
    ("congo", "engine:depth=12,hash=8"),
    ("congo", "mcts:iterations=2000"),
];

const fn known(position: Option<&'static str>, counts: &'static [u64]) -> KnownPerft {
    KnownPerft { variant: "congo", position, counts }
}

#[rustfmt::skip]
const PERFT: &[KnownPerft] = &[
    known(None, &[24, 576, 14332, 356456, 9404326, 247900251, 6857443098]),
    known(Some("2ele1z/ppppppp/7/7/7/PPPPPPP/2ELE1Z w 0"), &[25, 625, 15354, 377134, 9333069]),
    known(Some("g2l2z/ppppppp/7/7/7/PPPPPPP/G2L2Z w 0"), &[26, 676, 17112, 433025, 10939217]),
];
