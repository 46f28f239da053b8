//! Races that can be decided without a search: a pawn that cannot be stopped, and no faster enemy.

use agon_core::{Bitboard, Foreseen, Seat, Square};

use super::board::Cells;
use super::{BLACK, Breakthrough, RuleSet, WHITE};

/// Who makes the first move of a race.
#[derive(Clone, Copy)]
enum First {
    Runner,
    Enemy,
}

/// Tables for one square and the side whose pawn runs from there.
struct Lane<W> {
    /// The number of steps to the far row.
    to_go: u32,
    /// The squares straight ahead.
    path: Bitboard<W>,
    /// The squares ahead in the two columns beside it.
    flanks: Bitboard<W>,
    /// Where an enemy that leaves its column only to capture the runner or to block it can stop it,
    /// by who moves first.
    guards: [Bitboard<W>; 2],
    /// The same for enemies that change columns with every step.
    roamers: [Bitboard<W>; 2],
}

/// Tables for one board.
pub(super) struct Races<W> {
    lanes: [Vec<Lane<W>>; 2],
    /// For each side and number of steps: the squares that are no further from the far row.
    near: [Vec<Bitboard<W>>; 2],
}

impl<W: Cells> Races<W> {
    pub(super) fn new(width: usize, height: usize) -> Races<W> {
        let squares = || (0..width * height).map(Square::new);
        let to_go = |seat: Seat, square: Square| {
            let row = square.index() / width;
            if seat == WHITE { height - 1 - row } else { row }
        };
        let both = [WHITE, BLACK];
        Races {
            lanes: both.map(|seat| {
                let apart = |from: Square, to: Square| {
                    let ahead = to_go(seat, from) as i32 - to_go(seat, to) as i32;
                    (ahead, (from.index() % width).abs_diff(to.index() % width) as i32)
                };
                squares()
                    .map(|from| Lane::new(to_go(seat, from), &|to| apart(from, to), squares))
                    .collect()
            }),
            near: both.map(|seat| {
                (0..=height).map(|n| squares().filter(|&s| to_go(seat, s) <= n).collect()).collect()
            }),
        }
    }
}

impl<W: Cells> Lane<W> {
    /// The tables of a square; `apart` gives another square's rows ahead and columns aside.
    fn new<I: Iterator<Item = Square>>(
        to_go: usize,
        apart: &dyn Fn(Square) -> (i32, i32),
        squares: impl Fn() -> I,
    ) -> Lane<W> {
        let set = |fits: &dyn Fn(i32, i32) -> bool| -> Bitboard<W> {
            squares()
                .filter(|&to| {
                    let (ahead, aside) = apart(to);
                    fits(ahead, aside)
                })
                .collect()
        };
        // Both move towards each other. When they meet, an enemy `ahead` rows away has made half of
        // these steps, and one more if it moved first and the number is odd; each step brings it at
        // most one column closer.
        let steps = |ahead: i32, first: First| match first {
            First::Runner => ahead / 2,
            First::Enemy => (ahead + 1) / 2,
        };
        let stops = |ahead: i32, aside: i32, first: First| {
            ahead >= 1 && (aside == 0 || aside <= steps(ahead, first))
        };
        let both = [First::Runner, First::Enemy];
        Lane {
            to_go: to_go as u32,
            path: set(&|ahead, aside| ahead >= 1 && aside == 0),
            flanks: set(&|ahead, aside| ahead >= 1 && aside == 1),
            guards: both.map(|first| set(&|ahead, aside| aside <= 1 && stops(ahead, aside, first))),
            roamers: both.map(|first| set(&|ahead, aside| stops(ahead, aside, first))),
        }
    }
}

/// How often the effort to solve a position doubles for every hundred steps that all pawns together
/// have to go, by the course's and by the classic rules: fitted to boards from 3×5 to 6×5.
const DOUBLINGS: [u32; 2] = [29, 36];

/// Beyond this many doublings a position is out of reach.
const MOST_DOUBLINGS: u32 = 36;

impl<W: Cells, R: RuleSet> Breakthrough<W, R> {
    /// A rough estimate of how many positions it takes to solve this one; `None` if that is out of
    /// reach.
    pub(super) fn solving_effort(&self) -> Option<u64> {
        let races = self.board.races();
        let to_go = |seat: Seat| -> u32 {
            let lanes = &races.lanes[seat.index()];
            self.pawns[seat.index()].into_iter().map(|pawn| lanes[pawn.index()].to_go).sum()
        };
        let steps = to_go(WHITE) + to_go(BLACK);
        let doublings = steps * DOUBLINGS[usize::from(R::DIAGONAL_STEPS)] / 100;
        (doublings <= MOST_DOUBLINGS).then(|| 1 << doublings)
    }

    /// The result of a race, if it can be decided. The game must not be over.
    pub(super) fn race(&self) -> Option<Foreseen> {
        let (me, them) = (self.turn(), self.turn().opponent());
        if self.pawns[me.index()].is_empty() {
            return None;
        }
        if self.can_arrive() {
            return Some(Foreseen::Win(1));
        }
        if self.pawns[them.index()].is_empty() {
            return Some(Foreseen::Draw); // They will be stuck, by the course's rules.
        }
        if self.is_lost_at_once() {
            return Some(Foreseen::Loss(2));
        }
        // A pawn needs as many moves as it has rows to go, and at least two if it cannot arrive
        // now.
        let (my_best, their_best) = (self.steps_to_go(me).max(2), self.steps_to_go(them));
        if their_best >= 2 && self.can_break_through() {
            return Some(Foreseen::Win(3));
        }
        if let Some(steps) = self.fastest_runner(me, First::Runner, their_best) {
            return Some(Foreseen::Win(2 * steps - 1));
        }
        let steps = self.fastest_runner(them, First::Enemy, my_best - 1)?;
        Some(Foreseen::Loss(2 * steps))
    }

    /// Whether the side to move has a pawn that reaches the far row at once.
    fn can_arrive(&self) -> bool {
        self.reached().meets(self.board.goal[self.turn().index()])
    }

    /// The squares the side to move can enter.
    #[inline]
    fn reached(&self) -> Bitboard<W> {
        match self.turn() {
            WHITE => self.targets::<true>().union(),
            _ => self.targets::<false>().union(),
        }
    }

    /// The squares that a side's pawns attack.
    #[inline]
    fn attacked(&self, seat: Seat) -> Bitboard<W> {
        let pawns = self.pawns[seat.index()];
        self.ahead(seat, pawns & self.board.not_left, -1)
            | self.ahead(seat, pawns & self.board.not_right, 1)
    }

    /// Whether the side to move, which cannot arrive now, can safely enter the second-to-last row,
    /// with the far row open to it from there.
    fn can_break_through(&self) -> bool {
        let (me, them) = (self.turn(), self.turn().opponent());
        let last = self.board.races().near[me.index()][1];
        let mut safe = (self.reached() & last) - self.attacked(them);
        if R::DIAGONAL_STEPS || safe.is_empty() {
            return safe.any();
        }
        let (mine, theirs) = (self.pawns[me.index()], self.pawns[them.index()]);
        safe -= self.ahead(them, theirs, 0);
        // The enemy must have a move elsewhere, or it is stuck and draws.
        let free = self.ahead(them, theirs - safe, 0) - (mine | theirs | safe);
        safe.any() && free.any()
    }

    /// Whether the enemy arrives with its next move in any case. The side to move cannot arrive
    /// now.
    fn is_lost_at_once(&self) -> bool {
        let (me, them) = (self.turn(), self.turn().opponent());
        let mut threats = self.pawns[them.index()] & self.board.races().near[them.index()][1];
        if !R::DIAGONAL_STEPS {
            // Pawns that are blocked may be deprived of what they could capture on the far row.
            threats -= self.ahead(me, self.pawns[me.index()], 0);
        }
        // Only a capture stops such a pawn, and only one.
        let is_stopped = threats.is_within(self.attacked(me)) && threats.len() < 2;
        !is_stopped && self.reached().any()
    }

    /// How many steps the most advanced pawn of a side is from the far row. There must be one.
    fn steps_to_go(&self, seat: Seat) -> u32 {
        let pawns = self.pawns[seat.index()].0;
        let foremost = if seat == WHITE { pawns.highest() } else { pawns.lowest() };
        self.board.races().lanes[seat.index()][foremost as usize].to_go
    }

    /// The steps of a side's fastest pawn that needs at most `most`, cannot be stopped, and whose
    /// enemies cannot get stuck before it arrives.
    fn fastest_runner(&self, seat: Seat, first: First, most: u32) -> Option<u32> {
        let races = self.board.races();
        let near = self.pawns[seat.index()] & races.near[seat.index()][most as usize];
        let mut fastest = None;
        for runner in near {
            let lane = &races.lanes[seat.index()][runner.index()];
            let is_faster = fastest.is_none_or(|steps| lane.to_go < steps);
            let turns = match first {
                First::Runner => lane.to_go - 1,
                First::Enemy => lane.to_go,
            };
            if is_faster
                && self.is_free(seat, lane, first)
                && self.can_go_on(seat.opponent(), turns, runner)
            {
                fastest = Some(lane.to_go);
            }
        }
        fastest
    }

    /// Whether no enemy can stop a pawn of `seat` that runs straight ahead.
    fn is_free(&self, seat: Seat, lane: &Lane<W>, first: First) -> bool {
        let (mine, theirs) = (self.pawns[seat.index()], self.pawns[seat.opponent().index()]);
        if mine.meets(lane.path) || theirs.meets(lane.guards[first as usize]) {
            return false;
        }
        // Without diagonal steps, an enemy farther aside needs something to capture.
        let has_prey = R::DIAGONAL_STEPS || mine.meets(lane.flanks);
        !(has_prey && theirs.meets(lane.roamers[first as usize]))
    }

    /// Whether a side will have a move at each of its next turns, even if it tries to get stuck,
    /// while the other side only moves the `runner`, which it cannot reach.
    fn can_go_on(&self, seat: Seat, turns: u32, runner: Square) -> bool {
        // Under the classic rules the foremost pawn always has a step to at least one side.
        if turns == 0 || R::DIAGONAL_STEPS {
            return true;
        }
        let mine = self.pawns[seat.index()];
        let theirs = self.pawns[seat.opponent().index()];
        let free = self.ahead(seat, mine, 0) - (mine | theirs);
        if turns == 1 {
            let prey = theirs - runner.into();
            return free.any() || self.attacked(seat).meets(prey);
        }
        // A move changes at most two columns; a column that is not touched stays mobile.
        let mut columns = (0..self.board.width as u32).map(|by| self.board.left << by);
        let mobile = columns.by_ref().filter(|&column| free.meets(column)).count() as u32;
        mobile > 2 * (turns - 1) || self.has_spare_steps(seat, turns, runner)
    }

    /// Whether some pawn of a side has this many steps straight ahead, with nothing to capture on
    /// the way, so that the enemy cannot take these steps away.
    fn has_spare_steps(&self, seat: Seat, steps: u32, runner: Square) -> bool {
        let lanes = &self.board.races().lanes[seat.index()];
        let theirs = self.pawns[seat.opponent().index()];
        let all = self.pawns[0] | self.pawns[1];
        self.pawns[seat.index()].into_iter().any(|pawn| {
            let lane = &lanes[pawn.index()];
            if lane.to_go < steps {
                return false;
            }
            let far = self.ahead_by(seat, pawn, steps);
            let beyond = &lanes[far.index()];
            !all.meets(lane.path - beyond.path)
                && !(theirs - runner.into()).meets(lane.flanks - beyond.flanks)
        })
    }

    /// The squares one row ahead and `side` columns to the right.
    #[inline]
    fn ahead(&self, seat: Seat, set: Bitboard<W>, side: i32) -> Bitboard<W> {
        let width = self.board.width as i32;
        if seat == WHITE { set << (width + side) as u32 } else { set >> (width - side) as u32 }
    }

    /// The square `steps` steps ahead, which must be on the board.
    fn ahead_by(&self, seat: Seat, square: Square, steps: u32) -> Square {
        let by = self.board.width * steps as usize;
        Square::new(if seat == WHITE { square.index() + by } else { square.index() - by })
    }
}
