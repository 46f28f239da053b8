//! Judging a position: how far everyone still has to go.

use agon_core::outcome::WIN;
use agon_core::{Evaluate, Evaluation, Seat, Square};

use super::board::{INDICES, NEIGHBOURS, Set, distance};
use super::race::MOVE;
use super::{Fauhalma, Standing, tuned};

/// A step of one peg towards the outermost space of its home.
const STEP: i32 = 100;
/// A step of a peg outside towards the nearest gap of its home. Small: the way to the outermost
/// space is longer, so this only matters where it could also go on along the edge of the home.
const STEP_TO_GAP: i32 = 25;
/// A step that a guest, an opponent's peg in the home, has to be pushed out by swaps. This makes
/// up for the step that every swap gives the opponent.
const PUSH: i32 = 20;
/// Guests matter once so many pegs are at home. Earlier they go of their own accord, and who
/// counts them leaves its own pegs in the other's home too long.
pub(super) const MOST_PEGS: u32 = 4;
/// A point of the result, for places already taken: to come home before the others share the rest
/// is worth about the whole way of all pegs.
const POINT: i32 = 100;

/// The way in steps is divided by so much before it is added to the moves: a step is then worth
/// three tenths of a move, about what it is on the way of a whole game. Players who look one move
/// ahead win more with this than with less of it, and nearly always get home.
const STEPS_IN_RACE: i32 = 4;

/// So many times the moves count once two players have passed each other, in the unit of `tuned`,
/// where a step matters four times as much then as before.
const PASSED: i32 = 10;
/// And by so much the way in steps is divided then.
const STEPS_PASSED: i32 = 20;

/// The steps to the outermost space that are left with all pegs at home: two rows, of two spaces
/// and of three.
const STEPS_AT_HOME: i32 = 2 + 3 * 2;

impl<const SEATS: usize> Evaluate for Fauhalma<SEATS> {
    fn evaluations() -> &'static [Evaluation<Self>] {
        let all = &const {
            [
                Evaluation {
                    name: "simple",
                    about: "the steps that the others' pegs have to go home, less the own ones; \
                            with three players the mean of the others still on their way, and the \
                            points of places already taken",
                    judge: |position: &Self, seat| {
                        position.points_now(seat) + position.lead(seat, Self::way_to_go)
                    },
                },
                Evaluation {
                    name: "race",
                    about: "the moves that everyone would need alone on the board, exact if the \
                            table is there (agon tables), else a guess; with two players only \
                            once they have passed each other, and before that like tuned",
                    judge: Self::race,
                },
                Evaluation {
                    name: "tuned",
                    about: "steps, stragglers, hops and places, with weights fitted to games",
                    judge: tuned::judge,
                },
            ]
        };
        // What is fitted knows of one opponent only.
        if SEATS == 2 { all } else { &all[..2] }
    }
}

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// The outermost space of each seat's home.
    pub(super) const TIPS: [Square; SEATS] = tips(Self::HOMES);

    /// What the places are worth that are already taken: the points a seat would get if the game
    /// stopped now, from the middle. All have the same as long as all are on their way.
    pub(super) fn points_now(&self, seat: Seat) -> i32 {
        if self.standings == [Standing::Playing; SEATS] {
            return 0;
        }
        POINT * (i32::from(self.result().points()[seat]) - i32::from(WIN / 2))
    }

    /// How far a seat is ahead of the others by a measure of what is to go.
    fn lead(&self, seat: Seat, to_go: fn(&Self, Seat) -> i32) -> i32 {
        self.lead_by(seat, |seat| to_go(self, seat))
    }

    /// How far a seat is ahead of the mean of the others that are on their way, if it is itself.
    pub(super) fn lead_by(&self, seat: Seat, to_go: impl Fn(Seat) -> i32) -> i32 {
        let others = || Seat::all(SEATS).filter(|&other| other != seat && self.is_playing(other));
        let count = others().count() as i32;
        if count == 0 || !self.is_playing(seat) {
            return 0;
        }
        let theirs: i32 = others().map(&to_go).sum();
        theirs / count - to_go(seat)
    }

    /// By the moves home. As long as two players still have to pass each other, it decides who can
    /// use whose pegs, and the solo race misleads who looks ahead: it says nothing of that, and
    /// calls most moves equal.
    fn race(&self, seat: Seat) -> i32 {
        if SEATS != 2 {
            return self.points_now(seat) + self.lead(seat, Self::race_to_go);
        }
        if !self.have_passed() {
            return tuned::judge(self, seat);
        }
        self.lead(seat, |position, seat| {
            PASSED * position.moves_with_turn(seat) + position.way_to_go(seat) / STEPS_PASSED
        })
    }

    /// Whether the last pegs of two players have passed each other.
    fn have_passed(&self) -> bool {
        let rows = Seat::all(SEATS).map(|seat| self.last_row(seat));
        rows.sum::<i32>() < tuned::ROWS_TO_PASS
    }

    /// The moves home in hundredths, with the moves that the others may make first.
    ///
    /// The way in steps counts as well: it decides between moves that are equally good alone, and
    /// leads on where others stand in the way, which the solo race knows nothing of.
    pub(super) fn race_to_go(&self, seat: Seat) -> i32 {
        self.moves_with_turn(seat) + self.way_to_go(seat) / STEPS_IN_RACE
    }

    /// The moves home in hundredths, and a share of a move for each player who moves before.
    fn moves_with_turn(&self, seat: Seat) -> i32 {
        let first = Self::seats_from(self.turn).filter(|&other| self.is_playing(other));
        let (before, players) =
            first.fold((0, 0), |(b, n), other| if other == seat { (n, n + 1) } else { (b, n + 1) });
        self.moves_to_go(seat) + MOVE * before / players.max(1)
    }

    /// The way home of all six pegs, nothing once they are there.
    ///
    /// A player who looks only one move ahead gets home with this. The pegs go to the outermost
    /// space as far as they can, and so make room for the next ones: only with a full home are
    /// they as near as can be. Where all that is left is to go sideways, the nearest gap shows
    /// the way. And who is nearly home also pushes out the last guest.
    pub(super) fn way_to_go(&self, seat: Seat) -> i32 {
        let (pegs, home) = (self.pegs[seat.index()], Self::HOMES[seat.index()]);
        let tip = Self::TIPS[seat.index()];
        let way = STEP * (steps(pegs, tip) - STEPS_AT_HOME)
            + STEP_TO_GAP * steps_to_nearest(pegs - home, home - pegs);
        if (pegs & home).len() < MOST_PEGS {
            return way;
        }
        // Out of the home it is three steps from the outermost space.
        let guests = self.swaps(seat);
        way + PUSH * (3 * guests.len() as i32 - steps(guests, tip))
    }
}

/// How many steps these pegs are away from a space, all together, if nobody is in the way.
pub(super) fn steps(pegs: Set, to: Square) -> i32 {
    pegs.into_iter().map(|peg| distance(peg, to)).sum()
}

/// The same to the nearest of some spaces for each.
pub(super) fn steps_to_nearest(pegs: Set, spaces: Set) -> i32 {
    let nearest = |peg| spaces.into_iter().map(|space| distance(peg, space)).min();
    pegs.into_iter().filter_map(nearest).sum()
}

/// The outermost space of each home, the one with only two neighbours.
pub(super) const fn tips<const SEATS: usize>(homes: [Set; SEATS]) -> [Square; SEATS] {
    let mut tips = [Square::new(0); SEATS];
    let mut index = 0;
    while index < INDICES {
        let mut seat = 0;
        while seat < SEATS {
            if homes[seat].0 >> index & 1 == 1 && NEIGHBOURS[index].0.count_ones() == 2 {
                tips[seat] = Square::new(index);
            }
            seat += 1;
        }
        index += 1;
    }
    tips
}
