//! Evaluation: how far everyone still has to go.

use agon_core::outcome::WIN;
use agon_core::{Evaluate, Evaluation, Seat, Square, Tables};

use super::board::{INDICES, NEIGHBOURS, Set, distance};
use super::race::MOVE;
use super::tuned::{self, Tuned};
use super::{Fauhalma, Standing};

/// A step of one peg towards the outermost space of its home.
const STEP: i32 = 100;
/// A step of a peg outside towards the nearest gap of its home. Small, as it should only matter
/// between moves that are equally far from the outermost space.
const STEP_TO_GAP: i32 = 25;
/// A step by which a guest, an opponent's peg in the home, has to be pushed out by swaps. This
/// makes up for the step that every swap gains the opponent.
const PUSH: i32 = 20;
/// Guests count once this many pegs are at home. Earlier they leave by themselves, and a player who
/// counts them leaves its own pegs in the other's home too long.
pub(super) const MOST_PEGS: u32 = 4;
/// A point of the result, for places already decided: coming home first is worth about the whole
/// distance of all pegs.
const POINT: i32 = 100;

/// The divisor of the distance in steps before it is added to the moves: a step is then worth three
/// tenths of a move, about its average over a whole game. Players who look one move ahead win more
/// with this than with a smaller share, and nearly always get home.
const STEPS_IN_RACE: i32 = 4;

/// The factor of the moves once two players have passed each other, in the unit of `tuned`, where a
/// step then counts four times as much as before.
const PASSED: i32 = 10;
/// The divisor of the distance in steps in that case.
const STEPS_PASSED: i32 = 20;

/// The steps to the outermost space that remain with all pegs at home: two rows, of two spaces and
/// of three.
const STEPS_AT_HOME: i32 = 2 + 3 * 2;

impl<const SEATS: usize> Evaluate for Fauhalma<SEATS> {
    type Model = Tuned;

    fn evaluations() -> &'static [Evaluation<Self>] {
        let all = &const {
            [
                Evaluation {
                    name: "simple",
                    about: "the steps that the others' pegs still have to go, minus one's own; \
                            with three players the mean of the others still on their way, and the \
                            points of places already taken",
                    judge: |position: &Self, seat| {
                        let lead = position.lead_by(seat, |seat| position.way_to_go(seat));
                        position.points_now(seat) + lead
                    },
                },
                Evaluation {
                    name: "race",
                    about: "the moves that everyone would need alone on the board, exact if the \
                            table is there (agon tables), else a guess; with two players only \
                            once they have passed each other, and before that like tuned",
                    judge: |position: &Self, seat| position.race(seat, None),
                },
                Evaluation {
                    name: "tuned",
                    about: "steps, stragglers, hops and places, with weights fitted to games",
                    judge: tuned::judge,
                },
            ]
        };
        // The fitted evaluation supports only one opponent.
        if SEATS == 2 { all } else { &all[..2] }
    }

    fn model(&self, evaluation: &str, tables: &Tables, weights: Option<&[i32]>) -> Option<Tuned> {
        match evaluation {
            "race" if SEATS == 2 => Some(Tuned::for_race(weights, tables.get(self.board.table))),
            "tuned" if SEATS == 2 => Some(Tuned::new(weights)),
            _ => None,
        }
    }
}

impl<const SEATS: usize> Fauhalma<SEATS> {
    /// The outermost space of each seat's home.
    pub(super) const TIPS: [Square; SEATS] = tips(Self::HOMES);

    /// The value of the places already decided: the points a seat would get if the game stopped
    /// now, relative to the mean. Equal for all as long as nobody is home or out.
    pub(super) fn points_now(&self, seat: Seat) -> i32 {
        if self.standings == [Standing::Playing; SEATS] {
            return 0;
        }
        POINT * (i32::from(self.result().points()[seat]) - i32::from(WIN / 2))
    }

    /// How far a seat is ahead of the mean of the others still on their way, if it is on its way
    /// itself.
    pub(super) fn lead_by(&self, seat: Seat, to_go: impl Fn(Seat) -> i32) -> i32 {
        let others = || Seat::all(SEATS).filter(|&other| other != seat && self.is_playing(other));
        let count = others().count() as i32;
        if count == 0 || !self.is_playing(seat) {
            return 0;
        }
        let theirs: i32 = others().map(&to_go).sum();
        theirs / count - to_go(seat)
    }

    /// Evaluates the moves home. As long as two players still have to pass each other, what counts
    /// is who can use whose pegs. The solo race ignores that and considers most moves equal, so it
    /// would mislead a search. Exact with the table, else a guess.
    pub(super) fn race(&self, seat: Seat, table: Option<&[u8]>) -> i32 {
        if SEATS != 2 {
            let lead = self.lead_by(seat, |seat| self.race_to_go(seat, table));
            return self.points_now(seat) + lead;
        }
        if !self.have_passed() {
            return tuned::judge(self, seat);
        }
        self.lead_by(seat, |seat| {
            PASSED * self.moves_with_turn(seat, table) + self.way_to_go(seat) / STEPS_PASSED
        })
    }

    /// Whether the last pegs of two players have passed each other.
    pub(super) fn have_passed(&self) -> bool {
        let rows = Seat::all(SEATS).map(|seat| self.last_row(seat));
        rows.sum::<i32>() < tuned::ROWS_TO_PASS
    }

    /// The moves home in hundredths, including the moves that the others make first.
    ///
    /// The distance in steps counts as well: it breaks ties between moves that are equally good
    /// alone, and keeps making progress where others stand in the way, which the solo race ignores.
    pub(super) fn race_to_go(&self, seat: Seat, table: Option<&[u8]>) -> i32 {
        self.moves_with_turn(seat, table) + self.way_to_go(seat) / STEPS_IN_RACE
    }

    /// The moves home in hundredths, plus a share of a move for each player who moves earlier.
    fn moves_with_turn(&self, seat: Seat, table: Option<&[u8]>) -> i32 {
        let first = Self::seats_from(self.turn).filter(|&other| self.is_playing(other));
        let (before, players) =
            first.fold((0, 0), |(b, n), other| if other == seat { (n, n + 1) } else { (b, n + 1) });
        self.moves_to_go(seat, table) + MOVE * before / players.max(1)
    }

    /// The distance home of all six pegs, zero once they are there.
    ///
    /// A player who looks only one move ahead gets home with this. The pegs go towards the
    /// outermost space as far as they can, and so make room for the next ones: the distance is
    /// minimal only with a full home. Where the only way left is sideways, the nearest gap is the
    /// target. And a player who is nearly home also pushes out the last guest.
    pub(super) fn way_to_go(&self, seat: Seat) -> i32 {
        let (pegs, home) = (self.pegs[seat.index()], Self::HOMES[seat.index()]);
        let tip = Self::TIPS[seat.index()];
        let way = STEP * (steps(pegs, tip) - STEPS_AT_HOME)
            + STEP_TO_GAP * steps_to_nearest(pegs - home, home - pegs);
        if (pegs & home).len() < MOST_PEGS {
            return way;
        }
        // The first space outside the home is three steps from the outermost space.
        let guests = self.swaps(seat);
        way + PUSH * (3 * guests.len() as i32 - steps(guests, tip))
    }
}

/// The total number of steps of these pegs to a space, on an empty board.
pub(super) fn steps(pegs: Set, to: Square) -> i32 {
    pegs.into_iter().map(|peg| distance(peg, to)).sum()
}

/// The same, each to the nearest of some spaces.
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
