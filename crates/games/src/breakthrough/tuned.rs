//! The evaluation with fitted weights.
//!
//! Everything is counted on whole sets of pawns, for each side in turn. The two rule sets share the
//! features but have separate weights. What a pawn is worth on its square, whatever else is on the
//! board, is kept as a sum.

use agon_core::tuning::{Tally, Weighted, Weights, read_weights};
use agon_core::{Bitboard, Model, Seat, Square, Step, Tunable};

use super::board::{Board, Cells, MOST_ROWS};
use super::moves::{Attacks, ahead};
use super::{BLACK, Breakthrough, RuleSet, WHITE};

/// Pawns with one row to go; more rows follow.
const ROWS: usize = 0;
/// Whether the nearest runner has one row to go; more follow.
const RUNNER: usize = ROWS + MOST_ROWS - 1;
/// A runner that arrives first.
const RACE: usize = RUNNER + MOST_ROWS - 1;
/// Pawns on the edge.
const EDGE: usize = RACE + 1;
/// Pawns that another one protects.
const PROTECTED: usize = RACE + 2;
/// Pawns with a neighbour to the right.
const PHALANX: usize = RACE + 3;
/// Pawns with another one right behind.
const STACKED: usize = RACE + 4;
/// Pawns of the side not to move that can be won.
const LOOSE_WAITING: usize = RACE + 5;
/// Pawns of the side to move that can be won; it may still save one.
const LOOSE_MOVING: usize = RACE + 6;
/// Pawns that can be exchanged.
const TENSION: usize = RACE + 7;
/// Squares that can be entered without losing a pawn.
const STEPS: usize = RACE + 8;
/// Squares that can be reached straight ahead in any number of such steps: waiting moves.
const RESERVE: usize = RACE + 9;
/// Pawns without an enemy ahead in their column.
const OPEN: usize = RACE + 10;
/// Squares of the second row that are neither held nor protected.
const HOLES: usize = RACE + 11;
/// The same of the third row.
const FAR_HOLES: usize = RACE + 12;
/// Pawns on the first row.
const HOME: usize = RACE + 13;
/// Squares attacked more often than the other side attacks them.
const CONTROL: usize = RACE + 14;
/// Being on the move.
const TEMPO: usize = RACE + 15;
/// How many features there are.
pub(super) const FEATURES: usize = RACE + 16;

#[rustfmt::skip]
const NAMES: [&str; FEATURES] = [
    "rows_1", "rows_2", "rows_3", "rows_4", "rows_5", "rows_6", "rows_7", "rows_8", "rows_9",
    "runner_1", "runner_2", "runner_3", "runner_4", "runner_5", "runner_6", "runner_7", "runner_8",
    "runner_9", "race", "edge", "protected", "phalanx", "stacked", "loose_waiting", "loose_moving",
    "tension", "steps", "reserve", "open", "holes", "far_holes", "home", "control", "tempo",
];

/// The weights for the course's rules.
pub(super) static COURSE: [i32; FEATURES] = read_weights(include_str!("tuned_course.txt"), &NAMES);
/// The weights for the classic rules.
pub(super) static CLASSIC: [i32; FEATURES] =
    read_weights(include_str!("tuned_classic.txt"), &NAMES);

impl<W: Cells, R: RuleSet> Tunable for Breakthrough<W, R> {
    const FEATURES: &'static [&'static str] = &NAMES;
    const WEIGHTS: &'static [i32] = R::WEIGHTS;

    #[inline]
    fn tally<T: Tally>(&self, tally: &mut T) {
        tally_places::<W, T, true>(self.board, self.pawns[WHITE.index()], tally);
        tally_places::<W, T, false>(self.board, self.pawns[BLACK.index()], tally);
        self.tally_rest(tally);
    }
}

impl<W: Cells, R: RuleSet> Breakthrough<W, R> {
    /// All but the features of single pawns on their squares.
    #[inline]
    fn tally_rest<T: Tally>(&self, tally: &mut T) {
        let [white, black] = self.pawns;
        let attacks =
            [Attacks::of::<true>(white, self.board), Attacks::of::<false>(black, self.board)];
        let white_runner = Camp::<W, true>::of(self, attacks).tally::<R, T>(tally);
        let black_runner = Camp::<W, false>::of(self, attacks).tally::<R, T>(tally);
        let tempo = if self.turn() == WHITE { 1 } else { -1 };
        tally.add(TEMPO, tempo);
        tally.add(RACE, race(white_runner, black_runner, tempo));
    }
}

/// The value of the evaluation `tuned` for a seat.
#[inline(never)]
pub(super) fn tuned<W: Cells, R: RuleSet>(position: &Breakthrough<W, R>, seat: Seat) -> i32 {
    let mut sum = Weighted::new(R::WEIGHTS);
    position.tally(&mut sum);
    if seat == WHITE { sum.sum() } else { -sum.sum() }
}

/// The features of single pawns on their squares.
#[inline]
fn tally_places<W: Cells, T: Tally, const UP: bool>(
    board: &Board<W>,
    pawns: Bitboard<W>,
    tally: &mut T,
) {
    let rows = &board.rows_to_go[usize::from(!UP)];
    for (index, &row) in rows[1..board.height].iter().enumerate() {
        add::<W, T, UP>(tally, ROWS + index, pawns & row);
    }
    add::<W, T, UP>(tally, HOME, pawns & rows[board.height - 1]);
    add::<W, T, UP>(tally, EDGE, pawns & board.edges);
}

/// The evaluation `tuned`, with the values of all pawns on their squares as a sum that is kept.
#[derive(Debug)]
pub struct Tuned {
    weights: Weights<FEATURES>,
    /// The value of a pawn of each side by its square, for white. An entry for every possible `u8`, so
    /// that no lookup needs a bounds check.
    places: [[i32; 256]; 2],
}

impl Tuned {
    /// The model for positions of this variant.
    pub(super) fn of<W: Cells, R: RuleSet>(
        position: &Breakthrough<W, R>,
        weights: Option<&[i32]>,
    ) -> Tuned {
        let weights = Weights::new(R::WEIGHTS, weights);
        let (board, mut places) = (position.board, [[0; 256]; 2]);
        for square in board.squares {
            let (pawn, index) = (Bitboard::from(square), square.index());
            places[0][index] = weights.sum(|sum| tally_places::<W, _, true>(board, pawn, sum));
            places[1][index] = weights.sum(|sum| tally_places::<W, _, false>(board, pawn, sum));
        }
        Tuned { weights, places }
    }

    #[inline]
    fn place(&self, seat: Seat, square: Square) -> i32 {
        self.places[seat.index() & 1][square.index()]
    }
}

impl<W: Cells, R: RuleSet> Model<Breakthrough<W, R>> for Tuned {
    type State = i32;

    #[inline(never)]
    fn judge(&self, position: &Breakthrough<W, R>, seat: Seat) -> i32 {
        self.weights.judge(0, seat, |sum| position.tally(sum))
    }

    #[inline(never)]
    fn judge_kept(&self, position: &Breakthrough<W, R>, seat: Seat, line: &mut [i32]) -> i32 {
        let kept = line.last().copied().unwrap_or(0);
        self.weights.judge(kept, seat, |sum| position.tally_rest(sum))
    }

    fn refresh(&self, position: &Breakthrough<W, R>, state: &mut i32) {
        let of = |seat: Seat| position.pawns[seat.index()].into_iter().map(move |at| (seat, at));
        *state = of(WHITE).chain(of(BLACK)).map(|(seat, at)| self.place(seat, at)).sum();
    }

    #[inline]
    fn advance(&self, step: Step<'_, Breakthrough<W, R>>, before: &i32, after: &mut i32) {
        let mut sum = *before;
        if let Some(mv) = step.mv {
            let (me, them) = (step.before.turn(), step.before.turn().opponent());
            // Without a branch: whether a move captures is hard to predict.
            let captured = i32::from(step.before.pawns[them.index()].contains(mv.to));
            sum += self.place(me, mv.to) - self.place(me, mv.from);
            sum -= self.place(them, mv.to) & -captured;
        }
        *after = sum;
    }
}

/// Who arrives first, 1 for white and −1 for black, given the rows that the nearest runners have to
/// go (0 without one) and who is to move. Zero without runners.
#[inline]
fn race(white: i32, black: i32, tempo: i32) -> i32 {
    match (white, black) {
        (0, 0) => 0,
        (_, 0) => 1,
        (0, _) => -1,
        _ => (2 * (black - white) + tempo).signum(),
    }
}

/// A position from one side's point of view; `UP` is white's direction.
struct Camp<W: Cells, const UP: bool> {
    board: &'static Board<W>,
    mine: Bitboard<W>,
    theirs: Bitboard<W>,
    my_attacks: Attacks<W>,
    their_attacks: Attacks<W>,
    is_moving: bool,
}

impl<W: Cells, const UP: bool> Camp<W, UP> {
    /// The sign with which this side's features count.
    const SIGN: i32 = if UP { 1 } else { -1 };
    const ME: usize = if UP { WHITE.index() } else { BLACK.index() };
    const THEM: usize = 1 - Self::ME;

    #[inline]
    fn of<R: RuleSet>(position: &Breakthrough<W, R>, attacks: [Attacks<W>; 2]) -> Self {
        Camp {
            board: position.board,
            mine: position.pawns[Self::ME],
            theirs: position.pawns[Self::THEM],
            my_attacks: attacks[Self::ME],
            their_attacks: attacks[Self::THEM],
            is_moving: position.turn().index() == Self::ME,
        }
    }

    /// Adds all features of this side, and returns how far its nearest runner has to go.
    #[inline]
    fn tally<R: RuleSet, T: Tally>(&self, tally: &mut T) -> i32 {
        self.tally_formation(tally);
        self.tally_fight::<R, T>(tally);
        let stopped = if R::DIAGONAL_STEPS { self.cones() } else { self.columns() };
        self.tally_runner(self.mine - stopped, tally)
    }

    /// The formation of the pawns, regardless of the enemy.
    #[inline]
    fn tally_formation<T: Tally>(&self, tally: &mut T) {
        let (board, mine) = (self.board, self.mine);
        let rows = &board.rows_to_go[Self::ME];
        let held = mine | self.my_attacks.once;
        let mut add = |feature, set| add::<W, T, UP>(tally, feature, set);
        add(HOLES, rows[board.height - 2] - held);
        add(FAR_HOLES, rows[board.height - 3] - held);
        add(PROTECTED, mine & self.my_attacks.once);
        add(PHALANX, mine & board.not_right & (mine >> 1));
        add(STACKED, mine & self.step(mine));
    }

    /// The features that depend on the enemy's pawns and attacks.
    #[inline]
    fn tally_fight<R: RuleSet, T: Tally>(&self, tally: &mut T) {
        let mine = self.mine;
        let lost = self.their_attacks.outnumber(self.my_attacks);
        let safe = self.board.squares - (mine | self.theirs | lost);
        let straight = self.step(mine);
        let entered = if R::DIAGONAL_STEPS { straight | self.my_attacks.once } else { straight };
        let loose = if self.is_moving { LOOSE_MOVING } else { LOOSE_WAITING };
        let mut add = |feature, set| add::<W, T, UP>(tally, feature, set);
        add(loose, mine & lost);
        add(TENSION, (mine & self.their_attacks.once) - lost);
        add(CONTROL, self.my_attacks.outnumber(self.their_attacks));
        add(STEPS, entered & safe);
        add(RESERVE, self.reach(safe) - mine);
        add(OPEN, mine - self.back(self.shadow()));
    }

    /// The nearest of the runners; the rows it has to go, or 0 without one.
    #[inline]
    fn tally_runner<T: Tally>(&self, runners: Bitboard<W>, tally: &mut T) -> i32 {
        if runners.is_empty() {
            return 0;
        }
        let rows = &self.board.rows_to_go[Self::ME];
        let nearest = (1..MOST_ROWS).find(|&rows_to_go| runners.meets(rows[rows_to_go]));
        let nearest = nearest.unwrap_or(MOST_ROWS - 1);
        tally.add(RUNNER + nearest - 1, Self::SIGN);
        nearest as i32
    }

    /// The squares from which a pawn that goes straight ahead, without captures, does not get
    /// through under the course's rules: an enemy is ahead in its column, or will be able to take
    /// it from a neighbouring one. The side to move gets past those that are level after a step.
    #[inline]
    fn columns(&self) -> Bitboard<W> {
        let shadow = self.back(self.shadow());
        shadow | self.beside(if self.is_moving { self.back(shadow) } else { shadow })
    }

    /// The same under the classic rules, where an enemy can come a column closer with each of its
    /// moves: as both sides move in turn, with every second row between them.
    #[inline]
    fn cones(&self) -> Bitboard<W> {
        let (mut stopped, mut reach) = (Bitboard::EMPTY, self.theirs);
        let mut enemy_moves = !self.is_moving;
        for _ in 1..self.board.height {
            reach = self.back(reach);
            if enemy_moves {
                reach |= self.beside(reach);
            }
            enemy_moves = !enemy_moves;
            stopped |= reach;
        }
        stopped
    }

    /// The enemies and all squares ahead of them, towards this side's home.
    #[inline]
    fn shadow(&self) -> Bitboard<W> {
        let back = |set: Bitboard<W>, rows: usize| {
            let by = (rows * self.board.width) as u32;
            if UP { set >> by } else { set << by }
        };
        let mut shadow = self.theirs;
        shadow |= back(shadow, 1);
        shadow |= back(shadow, 2);
        // A shift by more than the word size would overflow, so each requires enough rows.
        if self.board.height > 4 {
            shadow |= back(shadow, 4);
        }
        if self.board.height > 8 {
            shadow |= back(shadow, 8);
        }
        shadow
    }

    /// The pawns and the squares they reach straight ahead over `safe` squares, in at most seven
    /// steps.
    #[inline]
    fn reach(&self, mut safe: Bitboard<W>) -> Bitboard<W> {
        let mut reached = self.mine;
        for rows in [1, 2, 4] {
            if rows >= self.board.height {
                break;
            }
            let by = (rows * self.board.width) as u32;
            let ahead = |set: Bitboard<W>| if UP { set << by } else { set >> by };
            reached |= safe & ahead(reached);
            safe &= ahead(safe);
        }
        reached
    }

    /// The squares one row ahead.
    #[inline]
    fn step(&self, set: Bitboard<W>) -> Bitboard<W> {
        ahead::<W, UP>(set, self.board.width, 0)
    }

    /// The squares one row back. On white's side this can leave the board.
    #[inline]
    fn back(&self, set: Bitboard<W>) -> Bitboard<W> {
        let by = self.board.width as u32;
        if UP { set >> by } else { set << by }
    }

    /// The squares to the left and to the right.
    #[inline]
    fn beside(&self, set: Bitboard<W>) -> Bitboard<W> {
        ((set & self.board.not_left) >> 1) | ((set & self.board.not_right) << 1)
    }
}

/// Counts a set of the side that moves up, or of the other.
#[inline(always)]
fn add<W: Cells, T: Tally, const UP: bool>(tally: &mut T, feature: usize, set: Bitboard<W>) {
    let count = set.len() as i32;
    tally.add(feature, if UP { count } else { -count });
}
