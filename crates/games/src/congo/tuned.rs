//! The evaluation with fitted weights: the men and their places, attacks, the safety of the lions,
//! and men in the river.
//!
//! All men of a kind are counted together, as sets. Every feature is white's count minus black's. What
//! a man is worth on its square, whatever else is on the board, is kept as a sum.

use agon_core::tuning::{Weighted, Weights, read_weights};
use agon_core::{Bitboard, Model, Seat, Square, Step, Tally, Tunable};

use super::board::{
    BEYOND, BOARD, CASTLE, FAR, NEAR, PieceKind, RIVER, SIGHT, SIZE, STEPS, Set, between_lions,
    ranks,
};
use super::{BLACK, Congo, WHITE, reach};
use crate::features::features;

features! {
    Pawn = "pawn",
    Superpawn = "superpawn",
    Giraffe = "giraffe",
    Monkey = "monkey",
    Elephant = "elephant",
    Crocodile = "crocodile",
    Zebra = "zebra",
    PawnThird = "pawn-on-third-rank",
    PawnFifth = "pawn-on-fifth-rank",
    PawnSixth = "pawn-on-sixth-rank",
    PawnEdge = "pawn-on-edge",
    PawnBacked = "pawn-backed-by-pawn",
    SuperpawnBeyond = "superpawn-beyond-river",
    GiraffeHome = "giraffe-on-first-rank",
    GiraffeBeyond = "giraffe-beyond-river",
    GiraffeEdge = "giraffe-on-edge",
    GiraffeMoves = "giraffe-moves",
    MonkeyHome = "monkey-on-first-rank",
    MonkeyBeyond = "monkey-beyond-river",
    MonkeyEdge = "monkey-on-edge",
    MonkeyMoves = "monkey-moves",
    ElephantHome = "elephant-on-first-rank",
    ElephantBeyond = "elephant-beyond-river",
    ElephantEdge = "elephant-on-edge",
    ElephantMoves = "elephant-moves",
    CrocodileHome = "crocodile-on-first-rank",
    CrocodileBeyond = "crocodile-beyond-river",
    CrocodileEdge = "crocodile-on-edge",
    CrocodileMoves = "crocodile-moves",
    CrocodileSwims = "crocodile-in-river",
    ZebraHome = "zebra-on-first-rank",
    ZebraBeyond = "zebra-beyond-river",
    ZebraEdge = "zebra-on-edge",
    ZebraMoves = "zebra-moves",
    LionHome = "lion-on-first-rank",
    LionForward = "lion-on-third-rank",
    LionMiddle = "lion-on-middle-file",
    LionGuards = "lion-guards",
    LionRoom = "lion-room",
    LionBesieged = "attacks-on-lions-squares",
    CastleAttacked = "castle-squares-attacked",
    Invaders = "enemies-near-castle",
    LionAttacked = "movers-lion-attacked",
    LionFalls = "waiters-lion-attacked",
    Bound = "man-bound-between-lions",
    MoverWetPawn = "movers-wet-pawn",
    MoverWetPiece = "movers-wet-piece",
    WaiterWetPawn = "waiters-wet-pawn",
    WaiterWetPiece = "waiters-wet-piece",
    WetPawnTrapped = "wet-pawn-without-safe-exit",
    MoverTorn = "movers-wet-man-and-hanging-piece",
    MoverPawnHangs = "movers-pawn-hangs",
    MoverPieceHangs = "movers-piece-hangs",
    MoverPieceBitten = "movers-piece-attacked-by-pawn",
    WaiterPawnHangs = "waiters-pawn-hangs",
    WaiterPieceHangs = "waiters-piece-hangs",
    WaiterPieceBitten = "waiters-piece-attacked-by-pawn",
    MoverPromotes = "mover-can-promote",
    WaiterPromotes = "waiter-can-promote",
    Tempo = "tempo",
}

const WEIGHTS: [i32; NAMES.len()] = read_weights(include_str!("tuned.txt"), &NAMES);

/// The outer files.
const EDGE: Set = Bitboard(FILE.0 | FILE.0 << (SIZE * (SIZE - 1)));
/// The file through the middle of the castles.
const MIDDLE: Set = Bitboard(FILE.0 << (SIZE * (SIZE / 2)));
const FILE: Set = Bitboard((1 << SIZE) - 1);

/// Some ranks, counted by each side from its own first.
const fn own_ranks(from: usize, to: usize) -> [Set; 2] {
    [ranks(from, to), ranks(SIZE - 1 - to, SIZE - 1 - from)]
}
const THIRD: [Set; 2] = own_ranks(2, 2);
const FIFTH: [Set; 2] = own_ranks(4, 4);
/// Where the next step promotes; without promotion a pawn on the last rank counts the same.
const SIXTH: [Set; 2] = own_ranks(5, 6);
/// The castles with the squares around them that lie on the same side of the river.
const GROUNDS: [Set; 2] = {
    let inner = !(EDGE.0);
    let [white, black] = own_ranks(0, 2);
    [Bitboard(white.0 & inner), Bitboard(black.0 & inner)]
};

/// Pieces whose place and mobility count: on the first rank, beyond the river, on an outer file,
/// and squares they can go to.
const PIECES: [(PieceKind, [Feature; 4]); 5] = {
    use Feature::*;
    [
        (PieceKind::Giraffe, [GiraffeHome, GiraffeBeyond, GiraffeEdge, GiraffeMoves]),
        (PieceKind::Monkey, [MonkeyHome, MonkeyBeyond, MonkeyEdge, MonkeyMoves]),
        (PieceKind::Elephant, [ElephantHome, ElephantBeyond, ElephantEdge, ElephantMoves]),
        (PieceKind::Crocodile, [CrocodileHome, CrocodileBeyond, CrocodileEdge, CrocodileMoves]),
        (PieceKind::Zebra, [ZebraHome, ZebraBeyond, ZebraEdge, ZebraMoves]),
    ]
};

/// The values of the men.
const VALUES: [(PieceKind, Feature); 7] = [
    (PieceKind::Pawn, Feature::Pawn),
    (PieceKind::Superpawn, Feature::Superpawn),
    (PieceKind::Giraffe, Feature::Giraffe),
    (PieceKind::Monkey, Feature::Monkey),
    (PieceKind::Elephant, Feature::Elephant),
    (PieceKind::Crocodile, Feature::Crocodile),
    (PieceKind::Zebra, Feature::Zebra),
];

/// The value of a man of this kind, apart from its place; zero for the lion, which is priceless.
#[inline]
pub(super) const fn worth(kind: PieceKind) -> i32 {
    WORTHS[kind as usize]
}

const WORTHS: [i32; PieceKind::ALL.len()] = {
    let mut worths = [0; PieceKind::ALL.len()];
    let mut i = 0;
    while i < VALUES.len() {
        let (kind, feature) = VALUES[i];
        worths[kind as usize] = WEIGHTS[feature as usize];
        i += 1;
    }
    worths
};

impl Tunable for Congo {
    const FEATURES: &'static [&'static str] = &NAMES;
    const WEIGHTS: &'static [i32] = &WEIGHTS;

    #[inline]
    fn tally<T: Tally>(&self, tally: &mut T) {
        if let Some(armies) = self.armies() {
            self.tally_places(tally);
            self.tally_rest(&armies, tally);
        }
    }
}

impl Congo {
    /// Both sides; `None` if a lion is missing.
    #[inline(always)]
    fn armies(&self) -> Option<[Army; 2]> {
        Some([Army::of(self, WHITE)?, Army::of(self, BLACK)?])
    }

    /// The features of single men on their squares.
    #[inline(always)]
    fn tally_places<T: Tally>(&self, tally: &mut T) {
        let mut place = |feature: Feature, kind: PieceKind, region: [Set; 2]| {
            let men = |seat: Seat| count(self.men(seat, kind) & region[seat.index()]);
            tally.add(feature as usize, men(WHITE) - men(BLACK));
        };
        for (kind, feature) in VALUES {
            place(feature, kind, [BOARD; 2]);
        }
        for (kind, [home, beyond, edge, _]) in PIECES {
            place(home, kind, NEAR);
            place(beyond, kind, BEYOND);
            place(edge, kind, [EDGE; 2]);
        }
        place(Feature::CrocodileSwims, PieceKind::Crocodile, [RIVER; 2]);
        place(Feature::SuperpawnBeyond, PieceKind::Superpawn, BEYOND);
        place(Feature::PawnThird, PieceKind::Pawn, THIRD);
        place(Feature::PawnFifth, PieceKind::Pawn, FIFTH);
        place(Feature::PawnSixth, PieceKind::Pawn, SIXTH);
        place(Feature::PawnEdge, PieceKind::Pawn, [EDGE; 2]);
        place(Feature::LionHome, PieceKind::Lion, NEAR);
        place(Feature::LionForward, PieceKind::Lion, THIRD);
        place(Feature::LionMiddle, PieceKind::Lion, [MIDDLE; 2]);
        let invaders = |seat: Seat| {
            let lion = self.men(seat, PieceKind::Lion);
            count((self.sides[seat.index()] - lion) & GROUNDS[seat.opponent().index()])
        };
        tally.add(Feature::Invaders as usize, invaders(BLACK) - invaders(WHITE));
    }

    /// All other features.
    #[inline(always)]
    fn tally_rest<T: Tally>(&self, [white, black]: &[Army; 2], tally: &mut T) {
        let mut sum = Sum { tally, armies: [white, black] };
        sum.men();
        sum.lions();
        let sees = sum.facing_lions(self.occupied());
        let mut add = |feature: Feature, count| tally.add(feature as usize, count);
        if self.turn == WHITE {
            turns(white, black, sees, add);
        } else {
            turns(black, white, sees, |feature, count| add(feature, -count));
        }
    }

    /// The weighted sum of all features for a seat.
    pub(super) fn judge_tuned(&self, seat: Seat) -> i32 {
        let mut sum = Weighted::new(&WEIGHTS);
        self.tally(&mut sum);
        if seat == WHITE { sum.sum() } else { -sum.sum() }
    }
}

/// The evaluation `tuned`, with the values of all men on their squares as a sum that is kept.
#[derive(Debug)]
pub struct Tuned {
    weights: Weights<{ NAMES.len() }>,
    /// The value for white of a man by its owner, kind and square.
    places: [[[i32; 64]; PieceKind::ALL.len()]; 2],
}

impl Tuned {
    pub(super) fn new(weights: Option<&[i32]>) -> Tuned {
        let weights = Weights::new(&WEIGHTS, weights);
        let men =
            PieceKind::ALL.into_iter().flat_map(|kind| BOARD.into_iter().map(move |at| (kind, at)));
        let mut places = [[[0; 64]; PieceKind::ALL.len()]; 2];
        for owner in [WHITE, BLACK] {
            for (kind, square) in men.clone() {
                let mut alone = Congo::empty(true);
                alone.put(owner, kind, square);
                let worth = weights.sum(|sum| alone.tally_places(sum));
                places[owner.index()][kind as usize][square.index()] = worth;
            }
        }
        Tuned { weights, places }
    }

    /// The value of these men of a position, all of one side, on their squares.
    #[inline]
    fn places(&self, position: &Congo, owner: Seat, men: Set) -> i32 {
        let places = &self.places[owner.index() & 1];
        let place = |man: Square| places[position.kind_on(man) as usize][man.index() & 63];
        men.into_iter().map(place).sum()
    }
}

impl Model<Congo> for Tuned {
    type State = i32;

    #[inline(never)]
    fn judge(&self, position: &Congo, seat: Seat) -> i32 {
        self.weights.judge(0, seat, |sum| position.tally(sum))
    }

    #[inline(never)]
    fn judge_kept(&self, position: &Congo, seat: Seat, line: &mut [i32]) -> i32 {
        let Some(armies) = position.armies() else { return 0 };
        let kept = line.last().copied().unwrap_or(0);
        self.weights.judge(kept, seat, |sum| position.tally_rest(&armies, sum))
    }

    fn refresh(&self, position: &Congo, state: &mut i32) {
        let of = |seat: Seat| self.places(position, seat, position.sides[seat.index()]);
        *state = of(WHITE) + of(BLACK);
    }

    #[inline(never)]
    fn advance(&self, step: Step<'_, Congo>, before: &i32, after: &mut i32) {
        let mut sum = *before;
        for seat in [WHITE, BLACK] {
            let [old, new] = [step.before, step.after].map(|it| it.sides[seat.index()]);
            sum += self.places(step.after, seat, new - old);
            sum -= self.places(step.before, seat, old - new);
        }
        *after = sum;
    }
}

/// One side's men and what they reach.
struct Army {
    owner: Seat,
    men: [Set; PieceKind::ALL.len()],
    /// Without the lion.
    all: Set,
    lion: Square,
    /// The squares where each kind could capture; of a monkey those it can jump over.
    attacks: [Set; PieceKind::ALL.len()],
    /// All of them together.
    attacked: Set,
    /// Where each kind can go, including captures; only filled for pieces.
    moves: [Set; PieceKind::ALL.len()],
}

impl Army {
    #[inline(always)]
    fn of(position: &Congo, owner: Seat) -> Option<Army> {
        let men = PieceKind::ALL.map(|kind| position.men(owner, kind));
        let (own, enemies) = (position.sides[owner.index()], position.sides[1 - owner.index()]);
        let (occupied, empty) = (own | enemies, BOARD - (own | enemies));
        let of = |kind: PieceKind| men[kind as usize];
        let lion = of(PieceKind::Lion).first()?;
        let attacks = [
            reach::pawns(owner, of(PieceKind::Pawn)),
            reach::superpawns(owner, of(PieceKind::Superpawn)),
            reach::giraffes(of(PieceKind::Giraffe)),
            reach::monkey_prey(of(PieceKind::Monkey), enemies, empty),
            reach::elephants(of(PieceKind::Elephant)),
            STEPS.at(lion) & CASTLE[owner.index()],
            reach::crocodiles(of(PieceKind::Crocodile), occupied),
            reach::zebras(of(PieceKind::Zebra)),
        ];
        let mut moves = attacks.map(|attacked| attacked - own);
        moves[PieceKind::Giraffe as usize] |= reach::steps(of(PieceKind::Giraffe)) & empty;
        moves[PieceKind::Monkey as usize] |= reach::steps(of(PieceKind::Monkey)) & empty;
        let attacked = attacks.into_iter().fold(Set::EMPTY, |all, set| all | set);
        Some(Army { owner, men, all: own - of(PieceKind::Lion), lion, attacks, attacked, moves })
    }

    #[inline(always)]
    fn men(&self, kind: PieceKind) -> Set {
        self.men[kind as usize]
    }

    /// The men that drown unless they leave the river with their side's next move.
    #[inline(always)]
    fn wet(&self) -> Set {
        (self.all & RIVER) - self.men(PieceKind::Crocodile)
    }
}

#[inline(always)]
fn count(set: Set) -> i32 {
    set.len() as i32
}

/// Adds white's counts minus black's.
struct Sum<'a, T> {
    tally: &'a mut T,
    armies: [&'a Army; 2],
}

impl<T: Tally> Sum<'_, T> {
    /// Adds the difference of `number` between the sides; it gets a side and its opponent.
    #[inline(always)]
    fn add(&mut self, feature: Feature, number: impl Fn(&Army, &Army) -> i32) {
        let [white, black] = self.armies;
        self.tally.add(feature as usize, number(white, black) - number(black, white));
    }

    #[inline(always)]
    fn men(&mut self) {
        for (kind, [.., moves]) in PIECES {
            self.add(moves, |army, _| count(army.moves[kind as usize]));
        }
        self.add(Feature::PawnBacked, |army, _| {
            count(army.men(PieceKind::Pawn) & army.attacks[PieceKind::Pawn as usize])
        });
        self.add(Feature::WetPawnTrapped, |army, enemy| {
            let wet = army.men(PieceKind::Pawn) & RIVER;
            let exits = reach::pawns(army.owner, wet) - army.all - enemy.attacked;
            i32::from(wet.any() && exits.is_empty())
        });
    }

    #[inline(always)]
    fn lions(&mut self) {
        self.add(Feature::LionGuards, |army, _| count(STEPS.at(army.lion) & army.all));
        self.add(Feature::LionRoom, |army, enemy| {
            let room = army.attacks[PieceKind::Lion as usize];
            count(room - army.all - enemy.attacked)
        });
        self.add(Feature::LionBesieged, |army, enemy| {
            let near = army.attacks[PieceKind::Lion as usize];
            enemy.attacks.into_iter().map(|attacks| count(attacks & near)).sum()
        });
        self.add(Feature::CastleAttacked, |army, enemy| {
            count(enemy.attacked & CASTLE[army.owner.index()])
        });
    }

    /// A man alone between two lions on a line is pinned: if it left, the enemy's lion would
    /// capture. Returns whether nothing stands between them.
    #[inline(always)]
    fn facing_lions(&mut self, occupied: Set) -> bool {
        let [white, black] = self.armies.map(|army| army.lion);
        if !SIGHT.at(white).contains(black) {
            return false;
        }
        let between = between_lions(white, black) & occupied;
        let alone = i32::from(between.len() == 1);
        self.add(Feature::Bound, |army, _| alone * i32::from(between.meets(army.all)));
        between.is_empty()
    }
}

/// The features that differ between the side to move and the other, counted for the side to move.
#[inline(always)]
fn turns(mover: &Army, waiter: &Army, lions_see: bool, mut add: impl FnMut(Feature, i32)) {
    use Feature::*;
    add(Tempo, 1);
    let attacked =
        |army: &Army, enemy: &Army| i32::from(lions_see | enemy.attacked.contains(army.lion));
    add(LionAttacked, attacked(mover, waiter));
    add(LionFalls, -attacked(waiter, mover));
    let wet = [mover, waiter].map(Army::wet);
    let wet_pawns = [mover.men(PieceKind::Pawn) & wet[0], waiter.men(PieceKind::Pawn) & wet[1]];
    add(MoverWetPawn, count(wet_pawns[0]));
    add(MoverWetPiece, count(wet[0] - wet_pawns[0]));
    add(WaiterWetPawn, -count(wet_pawns[1]));
    add(WaiterWetPiece, -count(wet[1] - wet_pawns[1]));
    let (pawns, pieces, bitten) = hanging(mover, waiter);
    add(MoverPawnHangs, count(pawns));
    add(MoverPieceHangs, count(pieces));
    add(MoverPieceBitten, count(bitten));
    add(MoverTorn, i32::from(wet[0].any() && ((pieces | bitten) - wet[0]).any()));
    let (pawns, pieces, bitten) = hanging(waiter, mover);
    add(WaiterPawnHangs, -count(pawns));
    add(WaiterPieceHangs, -count(pieces));
    add(WaiterPieceBitten, -count(bitten));
    add(MoverPromotes, promotes(mover, waiter));
    add(WaiterPromotes, -promotes(waiter, mover));
}

/// The army's pawns and pieces that are attacked and not defended, and its defended pieces that a
/// pawn attacks.
#[inline(always)]
fn hanging(army: &Army, enemy: &Army) -> (Set, Set, Set) {
    let hanging = (army.all & enemy.attacked) - army.attacked;
    let pawns = army.men(PieceKind::Pawn);
    let bitten = (army.all - pawns) & enemy.attacks[PieceKind::Pawn as usize] & army.attacked;
    (hanging & pawns, hanging - pawns, bitten)
}

/// Whether a pawn of the army can step onto the last rank where nobody can take it.
#[inline(always)]
fn promotes(army: &Army, enemy: &Army) -> i32 {
    let last = army.attacks[PieceKind::Pawn as usize] & FAR[army.owner.index()];
    i32::from((last - army.all - enemy.attacked).any())
}
